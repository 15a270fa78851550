// Warns of a power's orders as `alexmagnum check` does, with its sentences.
//
// This follows alexmagnum/judge/checking.py and warnings.py for orders that are legal each by itself.
// A test compares the warnings of both over many sets of orders.
const makeOrderWarnings = ({ facts, canvas, places, power }) => {
  const units = (facts.units || []).map(([name, owner, province, number]) =>
    ({ name, owner, province, number, place: `${province}#${number}`, own: owner === power, army: name[0] !== "F" }));
  const { capacity = {}, water = [], ways = {}, landings = {}, rivers = [], raiders = {} } = facts;
  const room_in = (province) => capacity[province] || 1;
  const there = (province) => units.filter((unit) => unit.province === province);
  const province_of = (place) => place.split(/[#/]/)[0];

  const say = (code, said = {}) => {
    const names = (said.units || []).map((unit) => unit.name || unit);
    const blanks = { by: names[0] || "", units: names.join(", "), place: said.place || "", room: said.room };
    return facts.reasons[code].replace(/\{(by|units|place|room)\}/g, (_, blank) => blanks[blank]);
  };
  const place_name = (province) => places[province];

  const course = (start, to) => {
    let found = null;
    rivers.forEach((river, number) => {
      const [i, j] = [river.indexOf(start), river.indexOf(to)];
      if (i < 0 || j < 0 || i === j) return;
      const path = j > i ? river.slice(i + 1, j + 1) : river.slice(j, i).reverse();
      found = { number, direction: Math.sign(j - i), path };
    });
    return found;
  };

  // -- what each unit does -------------------------------------------------------------------

  const read = (code) => {
    const part = /^([AFG] \S+) (H|-|S|C)(?: (.+))?$/.exec(code);
    if (!part) return null;
    const [, name, sign, rest] = part;
    const order = { code, sign, unit: units.find((unit) => unit.name === name) };
    if (sign === "-") {
      order.text = rest.split(" ")[0];
      order.to = province_of(order.text);
      order.landing = landings[code] || order.text.split("#")[0];
      order.via = rest.endsWith(" via convoy");
      order.way = ways[code] || 0;
    } else if (sign !== "H") {
      const [aim, text] = rest.split(" - ");
      order.aim = units.find((unit) => unit.name === aim);
      order.text = text;
      order.to = text ? province_of(text) : "";
    }
    return order;
  };

  const target_of = (text) => text.includes("#") ? units.find((unit) => unit.place === text) : undefined;

  const city_target = (order) => {
    const foreign = there(order.to).filter((unit) => !unit.own);
    const named = target_of(order.text);
    if (foreign.includes(named)) return named.place;
    const general = (unit) => (unit.name[0] === "G" ? 1 : 0);
    foreign.sort((a, b) => general(a) - general(b) || a.number - b.number);
    return foreign.length ? foreign[0].place : "";
  };

  // What a move goes for: a place, or "" and `open` for any open place of a sea.
  const set_goal = (order) => {
    if (room_in(order.to) === 1) { order.place = `${order.to}#1`; return; }
    if (!water.includes(order.to)) { order.city = true; order.place = city_target(order); return; }
    const target = target_of(order.text);
    order.place = target ? target.place : "";
    order.open = !target;
    order.inside = Boolean(target) && order.to === order.unit.province;
  };

  const can_cross = (carriers, start, end) => {
    const seas = canvas.seas || {};
    const held = new Set(carriers.map((carrier) => carrier.unit.province));
    const reached = [...held].filter((sea) => seas[sea][1].includes(start));
    for (const sea of reached) {
      if (seas[sea][1].includes(end)) return true;
      reached.push(...seas[sea][0].filter((next) => held.has(next) && !reached.includes(next)));
    }
    return false;
  };

  const embark = (move, orders) => {
    const carriers = orders.filter((order) => order.sign === "C" && order.aim === move.unit && order.to === move.to);
    move.convoyed = move.via || move.way === 1 || carriers.length > 0;
    move.stuck = move.convoyed && !can_cross(carriers, move.unit.province, move.to);
  };

  // -- the warnings of one set of orders -----------------------------------------------------

  return (codes) => {
    const orders = codes.map(read).filter((order) => order && order.unit);
    orders.sort((a, b) => units.indexOf(a.unit) - units.indexOf(b.unit));
    const moves = orders.filter((order) => order.sign === "-");
    for (const move of moves) { set_goal(move); embark(move, orders); }
    const going = moves.filter((move) => !move.stuck);
    const move_of = (unit) => moves.find((move) => move.unit === unit);
    const leaves = (unit) => { const move = move_of(unit); return Boolean(move) && move.to !== unit.province; };
    const attackers = (place) => going.filter((move) => move.place === place);
    const staying = (provinces, move) => provinces.flatMap(there).filter((unit) => unit !== move.unit && !leaves(unit));

    const relation = (move, other) => {
      if (move.way !== 2 || move.stuck || other === move || other.stuck || other.convoyed) return "";
      const [ours, theirs] = [course(move.unit.province, move.to), course(other.unit.province, other.to)];
      if (!theirs || theirs.number !== ours.number) return "";
      if (theirs.direction !== ours.direction) return "against";
      return ours.path.includes(other.unit.province) ? "ahead" : "";
    };

    const enters_full_sea = (move) => {
      const standing = there(move.to);
      const makes_room = (unit) => leaves(unit) && move_of(unit).to !== move.unit.province && !attackers(unit.place).length;
      return move.open && standing.length === room_in(move.to) && !standing.some(makes_room);
    };

    const hinders = (move, other, path) => {
      const how = relation(move, other);
      if (how === "ahead") return path.includes(other.to);
      if (how === "against") return path.slice(0, -1).includes(other.unit.province);
      const strong = (order) => facts.strength[order.unit.name[0]];
      return other !== move && path.slice(0, -1).includes(other.to) && strong(other) >= strong(move);
    };

    const warn_of_way = (move) => {
      const warnings = [];
      if (move.way === 2) {
        const { path } = course(move.unit.province, move.to);
        const blocking = staying(path.slice(0, -1), move);
        if (blocking.length) warnings.push(say("warn-way-occupied", { units: blocking }));
        const hindering = going.filter((other) => hinders(move, other, path)).map((other) => other.unit);
        if (hindering.length) warnings.push(say("warn-way-own", { units: hindering }));
      } else if (move.way === 3) {
        const over = canvas.hauls[`${move.unit.province} ${move.to}`];
        const blocking = staying([over], move);
        if (blocking.length) warnings.push(say("warn-haul-occupied", { units: blocking, place: place_name(over) }));
        if ((raiders[over] || []).length) warnings.push(say("warn-haul-raiders", { units: raiders[over] }));
      }
      return warnings;
    };

    const warn_of_room = (move) => {
      const rivals = going.filter((other) => other !== move && other.open && other.to === move.to);
      let room = 0;
      for (let number = 1; number <= room_in(move.to); number += 1) {
        const place = `${move.to}#${number}`;
        const unit = units.find((each) => each.place === place);
        if (!attackers(place).some((other) => !other.inside) && (!unit || leaves(unit))) room += 1;
      }
      if (!room || room > rivals.length) return [];
      return [say("warn-own-room", { units: rivals.map((other) => other.unit), place: place_name(move.to), room })];
    };

    const warn_of_own_units = (move) => {
      if (!move.place) return [];
      const along = (one, other) => relation(one, other) === "ahead" || relation(other, one) === "ahead";
      const rivals = attackers(move.place).filter((other) => other !== move && !along(move, other));
      const warnings = rivals.length ? [say("warn-own-rival", { units: rivals.map((other) => other.unit) })] : [];
      const standing = units.find((unit) => unit.place === move.place);
      if (!standing || standing === move.unit || !standing.own) return warnings;
      const theirs = move_of(standing);
      if (!leaves(standing) && !(theirs && !theirs.stuck)) warnings.push(say("warn-own-stays", { units: [standing] }));
      else if (theirs && theirs.place === move.unit.place && !move.convoyed && !theirs.convoyed) {
        warnings.push(say("warn-own-swap", { units: [standing] }));
      }
      return warnings;
    };

    const warn_of_move = (move) => {
      if (move.stuck) return [];
      const full = enters_full_sea(move) ? [say("warn-full-sea", { place: place_name(move.to) })] : [];
      return [...full, ...warn_of_way(move), ...(move.open ? warn_of_room(move) : warn_of_own_units(move))];
    };

    const doubt_support = (order) => {
      const move = move_of(order.aim);
      if (!order.text) return move ? "support-mover" : "";
      if (!move || move.to !== order.to) return "support-mismatch";
      if (order.text.includes("/") && order.text !== move.landing && !order.aim.army) return "coast-mismatch";
      const named = room_in(order.to) > 1 && target_of(order.text);
      if (named && !(move.city && !move.place) && named.place !== move.place) return "support-place";
      return "";
    };

    const doubt = (order) => {
      if (order.sign === "S") return doubt_support(order);
      const move = order.sign === "C" && move_of(order.aim);
      return order.sign === "C" && (!move || move.to !== order.to) ? "convoy-mismatch" : "";
    };

    const warn_of_support = (order) => {
      const vague = order.text && room_in(order.to) > 1 && !order.text.includes("#");
      if (!vague || order.aim.own || !there(order.to).length) return [];
      return [say("warn-support-of-sea", { units: [order.aim], place: place_name(order.to) })];
    };

    // Attacks on single fleets that a plain entry into a full sea could have been.
    const named_forms = (move) => (move.stuck || !enters_full_sea(move) ? [] : there(move.to))
      .filter((unit) => !(move_of(unit) && move_of(unit).to === move.unit.province))
      .map((unit) => `${move.unit.name} - ${unit.place}`);

    const found = new Map();
    for (const order of orders) {
      const fault = order.aim && order.aim.own ? doubt(order) : "";
      if (fault) found.set(order.code, { doubt: say(fault, { units: [order.aim] }), warnings: [] });
      else if (order.sign === "-") {
        found.set(order.code, { doubt: "", warnings: warn_of_move(order), suggestions: named_forms(order) });
      }
      else if (order.sign === "S") found.set(order.code, { doubt: "", warnings: warn_of_support(order) });
    }
    return found;
  };
};

// In a phase of retreats all there is to say is that too many units go for the same province.
const makeRetreatWarnings = (facts, dislodged) => (codes) => {
  const goals = codes.map((code) => / - ([^#/ ]+)/.exec(code)).map((part) => part && part[1]);
  const found = new Map();
  codes.forEach((code, i) => {
    const rivals = codes.filter((_, k) => k !== i && goals[i] && goals[k] === goals[i]).map((other) => other.split(" - ")[0]);
    const standing = (facts.units || []).filter(([, , province]) => province === goals[i]).length;
    if (rivals.length + 1 <= ((facts.capacity || {})[goals[i]] || 1) - standing) return;
    const units = dislodged.filter((name) => rivals.includes(name)).join(", ");
    if (rivals.length) found.set(code, { doubt: "", warnings: [facts.reasons["warn-own-retreat"].replace("{units}", units)] });
  });
  return found;
};
