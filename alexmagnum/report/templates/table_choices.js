// Makes choices, step by step, out of the orders that the judge offers; the order sheet brings its own.
//
//   const choices = makeTableChoices({ sentences, words, places, coasts, powers });
//   choices.subjects(options, units, phase, mine)    options: [{power, unit or place, orders}], as table_judge.js lists them
//   choices.written(code), leaf(code)                an order in the reader's notation, and as a choice
const makeTableChoices = ({ sentences, words, places, coasts, powers }) => {
  const province_of = (place) => place.split(/[#/]/)[0];
  const { written, meaning, parsed } = makeOrderWords({ words, places, coasts });

  // -- steps -----------------------------------------------------------------------------------

  const leaf = (code, label = "", at = "", retreating = false) =>
    ({ label, at, order: written(code), code, get meaning() { return meaning(code, retreating); } });

  const by = (items, key) => {
    const groups = new Map();
    for (const item of items) {
      if (!groups.has(key(item))) groups.set(key(item), []);
      groups.get(key(item)).push(item);
    }
    return [...groups];
  };
  const sorted = (choices) => choices.sort((a, b) => (a.label < b.label ? -1 : 1));

  const label_of = (units, name, mine) => {
    const unit = units.find((each) => each.name === name);
    const text = `${name} ${places[province_of(name.slice(2))]}`;
    return unit && unit.power !== mine ? `${text} (${powers[unit.power].name})` : text;
  };

  const way = ({ to, via }, ways, units, mine) => {
    const parts = [];
    if (ways.some((each) => each.to.includes("#"))) {
      const there = units.find((unit) => unit.name.split(" ")[1] === to);
      parts.push(there ? sentences.against.replace("%", label_of(units, there.name, mine)) : sentences.unnamed);
    }
    if (ways.some((each) => each.to.includes("/"))) parts.push(coasts[(to.split("/")[1] || "").split("#")[0]] || sentences["any-coast"]);
    if (ways.some((each) => each.via)) parts.push(sentences[via ? "by-convoy" : "on-foot"]);
    return parts.join(", ");
  };

  const goals = (orders, units, mine, retreating) => sorted(by(orders, (order) => province_of(order.to)).map(([at, ways]) => {
    const label = places[at] || at;
    const then = ways.map((order) => leaf(order.code, way(order, ways, units, mine), at, retreating));
    return then.length === 1 ? { ...leaf(then[0].code, label, at, retreating), label, at } : { label, at, then };
  }));

  // The units that can be helped, own units first.
  const helped = (orders, units, mine) => {
    const own = (choice) => units.some((each) => each.name === choice.unit && each.power === mine);
    const listed = sorted(by(orders, (order) => order.aim).map(helped_unit(units, mine)));
    return [...listed.filter(own), ...listed.filter((choice) => !own(choice))];
  };

  const helped_unit = (units, mine) => ([unit, alike]) => {
    const label = label_of(units, unit, mine);
    const at = province_of(unit.slice(2));
    const stay = alike.filter((order) => !order.to).map((order) => leaf(order.code, sentences["in-place"], at));
    const then = [...stay, ...goals(alike.filter((order) => order.to), units, mine)];
    if (then.length > 1) return { label, at, unit, then };
    return then[0].then ? { label: `${label}: ${then[0].label}`, at, unit, then: then[0].then }
      : { ...leaf(then[0].code, "", at), label: `${label}: ${then[0].label}`, at, unit };
  };

  const KINDS = ["Move", "Hold", "Support", "Convoy", "Disband", "Remove"];

  const kinds = (codes, units, mine, retreating) => {
    const orders = codes.map((code) => ({ code, ...parsed(code) }));
    return KINDS.flatMap((kind) => {
      const alike = orders.filter((order) => order.kind === kind);
      if (!alike.length) return [];
      const label = sentences[kind === "Move" && retreating ? "retreat" : kind.toLowerCase()];
      if (kind === "Move") return [{ label, then: goals(alike, units, mine, retreating) }];
      if (kind === "Support" || kind === "Convoy") return [{ label, then: helped(alike, units, mine) }];
      return alike.map((order) => leaf(order.code, label, ""));
    });
  };

  const new_unit = (code) => {
    const [kind, location] = parsed(code).unit.split(" ");
    const coast = location.split("/")[1];
    const label = sentences[{ A: "army", F: "fleet", G: "general" }[kind]];
    return leaf(code, coast ? `${label}, ${coasts[coast] || coast}` : label, "");
  };

  // What takes one order: units, places for new units, waivers, the pick.  `name` stands under the power's heading; `label`,
  // which stands alone, says whose it is.
  const subjects = (options, units, phase, mine) => options.map(({ power, unit = "", place = "", orders, number = 0 }) => {
    const id = `${power} ${unit || place || orders[0]} ${number}`;
    const subject = (name, rest) => ({ id, power, name, label: power === mine ? name : `${name} (${powers[power].name})`, at: "", unit: "", ...rest });
    if (unit) {
      const at = province_of(unit.slice(2));
      return subject(`${unit} ${places[at]}`, { at, unit, then: kinds(orders, units, power, phase === "retreats") });
    }
    if (place) return subject(places[place], { at: place, then: orders.map(new_unit) });
    if (orders[0] === "Waive") {
      const waiving = sentences[phase === "winter" ? "waive" : "place-nothing"];
      return subject(waiving, { then: [leaf("Waive", waiving, "")] });
    }
    return subject(sentences.pick, { then: sorted(orders.map((code) => leaf(code, places[parsed(code).unit], parsed(code).unit))) });
  });

  return { subjects, written, leaf };
};
