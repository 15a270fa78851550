// Shows any position on the map of a page: the symbols of its units, the tints of its owners.
//
//   const map = makeTableMap({ drawing, symbols, canvas, powers });
//   map.show(position, fates)       fates: by symbol "POWER UNIT", the looks of units whose results are shown
//   map.canvasOf(position)          what makeOrderArrows needs for orders of this position
//   map.restore()                   the map as the page brought it
//
// A position is the object that the judge writes.  `canvas` has what alexmagnum/draw/board_canvas.py lays out.
const makeTableMap = ({ drawing, symbols, canvas, powers }) => {
  const { shape } = pageParts;
  const [ROUNDS, SIDE, NEAR] = [40, 29, 38];
  const layer = drawing.querySelector('[data-layer="units"]');
  const brought = [...layer.childNodes];
  const tinted = [...drawing.querySelectorAll(".province, .tint")].map((each) => [each, each.getAttribute("fill")]);

  // -- names ---------------------------------------------------------------------------------

  const place_of = ({ province, coast }) => province + (coast ? `/${coast}` : "");

  // A unit shows its number if it is not alone in its province, or if the number is above 1.
  const with_names = (units, dislodged) => units.map((unit) => {
    const alone = units.filter((other) => other.province === unit.province).length === 1;
    const number = unit.number > 1 || !alone ? `#${unit.number}` : "";
    return { ...unit, dislodged, numbered: Boolean(number), name: `${unit.kind} ${place_of(unit)}${number}` };
  });

  const units_of = (position) => [
    ...with_names(position.units, false),
    ...with_names((position.dislodged || []).map((each) => each.unit), true),
  ];

  const key_of = ({ power, name, dislodged }) => `${power} ${name}${dislodged ? " dislodged" : ""}`;

  // -- places --------------------------------------------------------------------------------

  const known = new Map(brought.filter((each) => each.dataset).map((token) => {
    const [x, y] = /translate\(([^ )]+) ([^)]+)\)/.exec(token.getAttribute("transform")).slice(1).map(Number);
    return [`${token.dataset.power} ${token.dataset.unit}${token.classList.contains("dislodged") ? " dislodged" : ""}`, [x, y]];
  }));

  const slot_of = ({ province, coast, number }) => {
    const slots = canvas.places[province];
    return canvas.coasts[`${province}/${coast}`] || slots[number <= slots.length ? number - 1 : 0];
  };

  const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

  const inside = (province, [x, y]) => {
    const area = drawing.querySelector(`#${CSS.escape(province)}`);
    return !area || !area.isPointInFill || area.isPointInFill(new DOMPoint(x, y));
  };

  // Beside the unit that dislodged it, where it hides least.
  const beside = (at, taken) => {
    const around = [1, 1.3].flatMap((far) => Array.from({ length: 12 }, (_, i) => Math.PI * (0.25 + i / 6))
      .map((turn) => [at[0] + far * NEAR * Math.cos(turn), at[1] + far * NEAR * Math.sin(turn)]));
    const cost = (place) => taken.reduce((sum, other) => sum + Math.max(0, NEAR - apart(place, other)), 0);
    return around.reduce((best, place) => (cost(place) < cost(best) ? place : best));
  };

  // Where units stand that the page did not bring: at their place on the map, side by side if there is but one.
  const first_seats = (units) => {
    const seats = new Map();
    for (const unit of units.filter((each) => !each.dislodged)) {
      const fellows = units.filter((each) => !each.dislodged && each.province === unit.province);
      const shared = canvas.places[unit.province].length < Math.max(...fellows.map((each) => each.number));
      const [x, y] = slot_of(unit);
      const aside = shared ? (fellows.indexOf(unit) - (fellows.length - 1) / 2) * SIDE : 0;
      seats.set(unit, known.get(key_of(unit)) || [x + aside, y]);
    }
    for (const unit of units.filter((each) => each.dislodged)) {
      seats.set(unit, known.get(key_of(unit)) || beside(slot_of(unit), [...seats.values()]));
    }
    return seats;
  };

  // Symbols push each other aside, each within its own province.
  const settle = (seats) => {
    const entries = [...seats];
    const pairs = entries.flatMap((one, i) => entries.slice(i + 1).filter((other) => apart(one[1], other[1]) < 3 * canvas.apart)
      .map((other) => [one[0], other[0]]));
    for (let round = 0; round < ROUNDS; round += 1) {
      let moved = false;
      for (const [one, other] of pairs) {
        const [a, b] = [seats.get(one), seats.get(other)];
        const gap = apart(a, b);
        if (gap >= canvas.apart - 0.05) continue;
        const [ux, uy] = gap ? [(b[0] - a[0]) / gap, (b[1] - a[1]) / gap] : [1, 0];
        const step = (canvas.apart - gap) / 2;
        for (const [unit, at, sign] of [[one, a, -1], [other, b, 1]]) {
          const next = [at[0] + sign * ux * step, at[1] + sign * uy * step];
          if (inside(unit.province, next) || !inside(unit.province, at)) { seats.set(unit, next); moved = true; }
        }
      }
      if (!moved) break;
    }
    return seats;
  };

  const laid_out = new WeakMap(); // by position: its units with their seats

  const lay_out = (position) => {
    if (!laid_out.has(position)) {
      const units = units_of(position);
      const seats = settle(first_seats(units));
      laid_out.set(position, units.map((unit) => ({ ...unit, at: seats.get(unit).map((value) => Math.round(value * 10) / 10) })));
    }
    return laid_out.get(position);
  };

  // -- symbols -------------------------------------------------------------------------------

  // A symbol in the colours of a power: all of them are those of one power with other colours.
  const symbol = (kind, power) => {
    const { color, letter, ink } = powers[power];
    const parts = [...symbols.querySelector(`[data-kind="${kind}"]`).cloneNode(true).childNodes];
    const group = shape("g");
    group.append(...parts);
    group.querySelectorAll(".body").forEach((body) => body.setAttribute("fill", color));
    group.querySelectorAll(".letter").forEach((text) => {
      text.textContent = letter;
      text.setAttribute("fill", ink === "light" ? "#FFFFFF" : "#000000");
    });
    return [...group.childNodes];
  };

  const token = (unit, look) => {
    const state = `unit ${unit.dislodged ? "dislodged" : ""} ${look}`.trim().replace(/ +/g, " ");
    const [x, y] = unit.at;
    const made = shape("g", { class: state, "data-unit": unit.name, "data-power": unit.power, transform: `translate(${x} ${y})` });
    const title = shape("title");
    title.textContent = `${unit.name} (${powers[unit.power].name})`;
    const beaten = /dislodged/.test(state);
    const body = shape("g", beaten ? { transform: "rotate(-24)" } : {});
    body.append(...symbol(unit.kind, unit.power));
    made.append(title, body);
    if (beaten) made.append(shape("use", { href: "#u-burst", class: "burst lost", transform: "translate(12.5 11)" }));
    if (unit.numbered) {
      const number = shape("text", { x: 11.4, y: -5.2, "font-size": 10.5, fill: "#1d140a" });
      number.textContent = unit.number;
      made.append(shape("circle", { cx: 11.4, cy: -8.6, r: 5.4, class: "number" }), number);
    }
    return made;
  };

  // -- tints ---------------------------------------------------------------------------------

  const mixed = (color, ground, share) => `#${[1, 3, 5].map((i) => Math.round(
    parseInt(color.slice(i, i + 2), 16) * share + parseInt(ground.slice(i, i + 2), 16) * (1 - share),
  ).toString(16).padStart(2, "0")).join("")}`;

  const owners_brought = {};
  for (const tint of drawing.querySelectorAll(".tint")) {
    owners_brought[tint.getAttribute("href").slice(1)] = (/tint-(\w+)/.exec(tint.getAttribute("fill")) || [])[1];
  }

  // Only provinces that changed hands get another tint.
  const paint_owners = (owners) => {
    for (const [each, fill] of tinted) each.setAttribute("fill", fill);
    drawing.querySelectorAll(".tint.late").forEach((each) => each.remove());
    for (const province of Object.keys(canvas.places)) {
      const owner = owners[province];
      if ((owner || undefined) === owners_brought[province]) continue;
      const area = drawing.querySelector(`.province[data-province="${province}"]`);
      const tint = drawing.querySelector(`.tint[href="#${province}"]`);
      if (!area) continue;
      area.setAttribute("fill", owner && powers[owner] ? mixed(powers[owner].color, "#efe0bb", 0.42) : "#efe0bb");
      if (tint) tint.setAttribute("fill", owner ? `url(#tint-${owner})` : "none");
      else if (owner) area.parentNode.append(shape("use", { href: `#${province}`, class: "tint late", fill: `url(#tint-${owner})` }));
    }
  };

  // -- for whoever draws orders ----------------------------------------------------------------

  // Where an arrow to a place ends: at the unit there, else at the place itself; open water if a sea has room.
  const end_of = (units, owner, to, unit) => {
    const [, province, coast = "", number = ""] = /^([^/#]+)(?:\/([^#]+))?(?:#(\d+))?$/.exec(to);
    const there = units.map((each, key) => ({ ...each, key })).filter((each) => !each.dislodged && each.province === province);
    const rooms = canvas.places[province].length;
    const others = there.filter((each) => each.power !== owner);
    const wanted = number ? there.find((each) => each.number === Number(number)) : rooms === 1 ? others[0] || there[0] : null;
    if (wanted) return { at: wanted.at, key: wanted.key };
    const taken = there.map((each) => each.number);
    const open = [...canvas.places[province].keys()].map((i) => i + 1).find((each) => !taken.includes(each));
    const free = number ? Number(number) : open || 1;
    const at = unit && unit.name[0] === "F" && canvas.coasts[`${province}/${coast}`] || slot_of({ province, coast, number: free });
    return { at, key: null };
  };

  const canvas_of = (position) => {
    const units = lay_out(position);
    return {
      ...canvas,
      units: units.map(({ name, power, province, at, dislodged }) => [name, power, province, ...at, ...dislodged ? [1] : []]),
      endOf: (owner, to, unit) => end_of(units, owner, to, unit),
      newAt: (location) => {
        const [province, coast = ""] = location.split("/");
        return slot_of({ province, coast, number: 1 });
      },
    };
  };

  const show = (position, fates = {}) => {
    layer.replaceChildren(...lay_out(position).map((unit) => token(unit, fates[key_of(unit)] || "")));
    paint_owners(position.owners || {});
  };

  const restore = () => {
    layer.replaceChildren(...brought);
    for (const [each, fill] of tinted) each.setAttribute("fill", fill);
    drawing.querySelectorAll(".tint.late").forEach((each) => each.remove());
  };

  return { show, canvasOf: canvas_of, unitsOf: lay_out, symbol, restore, end: (position, to) => end_of(lay_out(position), "", to).at };
};
