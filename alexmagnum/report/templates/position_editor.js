// Sets a position up by taps: what stands in a province, who owns it, the phase, nobility; undo and redo.
//
//   const editor = makePositionEditor({ facts, sentences, drawing, places, changed });
//   editor.show(position)      starts from a position (as in position.json), with nothing to undo
//   editor.put(position, text) the same, as one step that can be undone
//   editor.show_again()        draws it after something else stood on the map
//   editor.select(province)    asks what should be there
//   editor.tap(provinces, unit)   a tap on the map, which may mean several provinces, on the symbol of a unit or on none: asks what
//                              should be there, or puts down what the brush has
//   editor.move(unit, power, province)   moves a unit, known by its name on the map, as a drag does
//   editor.position            the position as it is now
//   editor.faults(texts)       shows what is wrong with it
//
// `facts` is what alexmagnum/report/sandbox.py lists: no rule is written here.  `places` has the elements of the page;
// `changed(position)` is called after each step.
const makePositionEditor = ({ facts, sentences, drawing, places, changed }) => {
  const { make, button } = pageParts;
  const NOBODY = "";
  const independent = facts.powers.at(-1)[0];
  const names = Object.fromEntries(facts.powers);

  let position = null;
  let chosen = ""; // the province that is asked about
  let near = []; // provinces that the tap may have meant as well
  let brush = facts.powers[0][0]; // the power whose unit is put down next
  let tool = ""; // what a tap does: "" asks what stands in the province; a kind of unit, "owner" or "erase" are brushes
  let painter = ""; // the power of the brush, "" for the owner of the place
  let past = [];
  let future = [];

  const sentence = (code, ...texts) => sentences[code].replace(/%/g, () => texts.shift());
  const title_of = (province) => `${facts.provinces[province].name} (${province})`;
  const units_in = (province) => position.units.filter((unit) => unit.province === province);
  const without = (object, key) => Object.fromEntries(Object.entries(object).filter(([each]) => each !== key));

  // -- steps -----------------------------------------------------------------------------------

  const step = (parts, text) => {
    past.push({ position, text });
    future = [];
    position = { ...position, ...parts };
    say(text);
    render();
    changed(position);
  };

  const travel = (from, to, done) => {
    if (!from.length) return say(sentences[`nothing-${done}`]);
    const { position: next, text } = from.pop();
    to.push({ position, text });
    position = next;
    say(sentence(done, text));
    render();
    changed(position);
  };
  const undo = () => travel(past, future, "undone");
  const redo = () => travel(future, past, "redone");

  // The place of a new unit is the first that is free; where there is one place, the new unit takes it.
  const place_unit = (power, kind, province, coast, units = position.units) => {
    const { places: room, name } = facts.provinces[province];
    const here = units.filter((unit) => unit.province === province);
    const free = Array.from({ length: room }, (_, i) => i + 1).find((number) => !here.some((unit) => unit.number === number));
    if (!free && room > 1) return say(sentence("no-room", title_of(province), String(room)));
    const unit = { power, kind, province, coast, number: free || 1 };
    step({ units: [...units.filter((other) => free || other.province !== province), unit] }, sentence("put", unit_name(unit), name));
  };

  const put_unit = (kind, coast) => place_unit(brush, kind, chosen, coast);

  const remove_unit = (unit) => step({ units: position.units.filter((other) => other !== unit) },
    sentence("taken-away", unit_name(unit), facts.provinces[unit.province].name));

  const own = (power, province = chosen) => step({ owners: power ? { ...position.owners, [province]: power } : without(position.owners, province),
    homes: strip_home(province) },
    sentence("owned", facts.provinces[province].name, power ? names[power] : sentences.nobody));

  const strip_home = (province) => Object.fromEntries(Object.entries(position.homes)
    .map(([power, homes]) => [power, homes.filter((home) => home !== province)]).filter(([, homes]) => homes.length));

  const win_home = (power, won) => {
    const homes = strip_home(chosen);
    if (won) homes[power] = [...homes[power] || [], chosen].sort();
    step({ homes }, sentence(won ? "home-won" : "home-not-won", facts.provinces[chosen].name, names[power]));
  };

  const set_points = (power, points) => step({ nobility: points === facts.nobility ? without(position.nobility, power)
    : { ...position.nobility, [power]: points } }, sentence("points", names[power], String(points)));

  const set_phase = (season, retreats, period, year) => step({ season, retreats, period, year,
    dislodged: retreats ? position.dislodged : [] }, phase_name({ season, retreats, period, year }));

  const clear = () => step(facts.empty, sentences.cleared);

  // -- brushes: what a tap puts down at once, and drags ------------------------------------------

  const power_at = (province) => painter || position.owners[province] || brush;

  // How a unit can stand in a province: without a coast, or at each of its coasts.
  const stands = (province, kind, power) => {
    const about = facts.provinces[province];
    if (power === independent) return about.garrison && kind === "A" ? ["A"] : [];
    return about.stand.filter((code) => code.split("/")[0] === kind);
  };

  // The same brush again turns a fleet to the next coast, and takes away what it put down.
  const paint_unit = (province) => {
    const power = power_at(province);
    const ways = stands(province, tool, power);
    if (!ways.length) return say(sentence("cannot-stand", facts.kinds[tool], title_of(province)));
    const again = facts.provinces[province].places === 1 && units_in(province).find((unit) => unit.power === power && unit.kind === tool);
    const way = again ? ways[ways.indexOf(again.coast ? `${tool}/${again.coast}` : tool) + 1] : ways[0];
    if (way) place_unit(power, tool, province, way.split("/")[1] || "");
    else remove_unit(again);
  };

  const paint_owner = (province) => {
    const power = painter === independent ? NOBODY : painter || brush;
    own(position.owners[province] === power ? NOBODY : power, province);
  };

  const erase = (province, named) => {
    const here = units_in(province);
    const unit = here.find((each) => drawing.name(each) === named) || here.at(-1);
    if (unit) remove_unit(unit);
    else if (position.owners[province]) own(NOBODY, province);
  };

  // Under a finger a small province may be meant instead of the one that was hit.
  const tap = ([province, ...others], named) => {
    if (!tool) return select(province, others);
    const takes = { owner: (each) => facts.provinces[each].centre, erase: (each) => units_in(each).length || position.owners[each] }[tool]
      || ((each) => stands(each, tool, power_at(each)).length);
    const meant = [province, ...others].find(takes) || province;
    [chosen, near] = ["", []];
    say();
    if (tool === "erase") return erase(meant, named);
    if (tool !== "owner") return paint_unit(meant);
    return facts.provinces[meant].centre ? paint_owner(meant) : say(sentence("no-centre", title_of(meant)));
  };

  const move = (named, power, province) => {
    const unit = position.units.find((each) => each.power === power && drawing.name(each) === named);
    if (!unit || !province || unit.province === province) return;
    const ways = stands(province, unit.kind, power);
    if (!ways.length) return say(sentence("cannot-stand", unit_name(unit), title_of(province)));
    [chosen, near] = ["", []];
    place_unit(power, unit.kind, province, ways[0].split("/")[1] || "", position.units.filter((each) => each !== unit));
  };

  const choose_tool = (next) => {
    tool = next;
    [chosen, near] = ["", []];
    say();
    render();
  };

  const render_brush = () => {
    const kinds = [...new Set(Object.values(facts.provinces).flatMap(({ stand }) => stand.map((code) => code.split("/")[0])))];
    const choice = (label, pressed, act, ...parts) => {
      const made = button("", act, "swatch small");
      made.append(...parts, make("span", "", label));
      made.setAttribute("aria-pressed", String(pressed));
      return made;
    };
    const tools = [["", sentences.ask], ...kinds.map((kind) => [kind, facts.kinds[kind]]), ["owner", sentences["owner-brush"]], ["erase", sentences.erase]]
      .map(([code, label]) => choice(label, tool === code, () => choose_tool(code),
        ...kinds.includes(code) ? [drawing.symbol(painter || brush, code)] : []));
    const offered = ["", ...facts.powers.map(([power]) => power)].map((power) => choice(power ? names[power] : sentences["of-owner"], painter === power,
      () => { painter = power; brush = power && power !== independent ? power : brush; render(); }, ...power ? [drawing.symbol(power, "A")] : []));
    places.brush.replaceChildren(group(sentences.brush, ...tools), ...tool && tool !== "erase" ? [group(sentences["put-unit"], ...offered)] : []);
  };

  // -- words -----------------------------------------------------------------------------------

  const unit_name = (unit) => sentence("unit-of", facts.kinds[unit.kind] + (unit.coast ? `, ${facts.coasts[unit.coast]}` : ""),
    names[unit.power] || unit.power);

  const same_phase = (one, [season, retreats, period]) =>
    one.season === season && one.retreats === retreats && (one.period === period || one.season === "deployment");
  const phase_name = (one) => (facts.phases.find((phase) => same_phase(one, phase)) || facts.phases.at(-1))[3].replace("%", String(one.year));

  const say = (text = "") => { places.said.textContent = text; };

  // -- the province that is asked about ----------------------------------------------------------

  const swatch = (power, pressed, act, look) => {
    const made = button("", act, `swatch ${look || ""}`);
    if (power) made.append(drawing.symbol(power, "A"));
    made.append(make("span", "", power ? names[power] : sentences.nobody));
    made.setAttribute("aria-pressed", String(pressed));
    return made;
  };

  const group = (title, ...children) => {
    const made = make("div", "group");
    const heading = make("h3", "", title);
    heading.id = `group-${tool}-${places.choices.children.length}-${title.replace(/\W/g, "")}`;
    const row = make("div", "row");
    row.setAttribute("role", "group");
    row.setAttribute("aria-labelledby", heading.id);
    row.append(...children);
    made.append(heading, row);
    return made;
  };

  const unit_button = (code) => {
    const [kind, coast = ""] = code.split("/");
    const made = button("", () => put_unit(kind, coast), "put");
    made.append(drawing.symbol(brush, kind), make("span", "", facts.kinds[kind] + (coast ? `, ${facts.coasts[coast]}` : "")));
    return made;
  };

  const standing = () => units_in(chosen).map((unit) => {
    const made = button("", () => remove_unit(unit), "put gone");
    made.append(drawing.symbol(unit.power, unit.kind), make("span", "", sentence("remove", unit_name(unit))));
    return made;
  });

  const placing = (about) => {
    const powers = facts.powers.filter(([power]) => power !== independent || about.garrison);
    if (!powers.some(([power]) => power === brush)) brush = facts.powers[0][0];
    const kinds = brush === independent ? ["A"] : about.stand;
    return [group(sentences["put-unit"], ...powers.map(([power]) => swatch(power, power === brush, () => { brush = power; render(); }))),
      group(sentences["of-kind"], ...kinds.map(unit_button))];
  };

  const owning = () => [NOBODY, ...facts.powers.map(([power]) => power).filter((power) => power !== independent)]
    .map((power) => swatch(power, (position.owners[chosen] || NOBODY) === power, () => own(power), "small"));

  const winning = (about) => {
    const owner = position.owners[chosen];
    if (!owner || !(about.home || []).includes(owner)) return [];
    const won = (position.homes[owner] || []).includes(chosen);
    const made = button(sentence("home", names[owner]), () => win_home(owner, !won), "toggle");
    made.setAttribute("aria-pressed", String(won));
    return [made];
  };

  const render_choices = () => {
    const about = facts.provinces[chosen];
    places.title.textContent = about ? title_of(chosen) : tool ? "" : sentences.tap;
    places.near.replaceChildren(...near.length ? [make("span", "note", sentences.near), ...near.map((other) => button(facts.provinces[other].name, () => select(other), "small"))] : []);
    places.choices.replaceChildren();
    if (!about) return;
    const here = standing();
    if (here.length) places.choices.append(group(sentences["stands-there"], ...here));
    places.choices.append(...placing(about));
    if (about.centre) places.choices.append(group(sentences.owner, ...owning(), ...winning(about)));
  };

  // -- the whole position ------------------------------------------------------------------------

  const render_phase = () => {
    const { select: box, year } = places.phase;
    const offered = facts.phases.filter(([, retreats]) => !retreats || position.dislodged.length);
    box.replaceChildren(...offered.map((phase) => {
      const option = make("option", "", phase[4]);
      option.value = phase.slice(0, 3).join(" ");
      option.selected = same_phase(position, phase);
      return option;
    }));
    if (document.activeElement !== year) year.value = String(position.year);
  };

  const stepper = (power) => {
    const points = position.nobility[power] ?? facts.nobility;
    const change = (by, label) => {
      const made = button(by < 0 ? "−" : "+", () => set_points(power, points + by), "step");
      made.dataset.by = by;
      made.setAttribute("aria-label", sentence(label, names[power]));
      made.disabled = points + by < 0 || points + by > facts.nobility;
      return made;
    };
    const made = make("td", "points");
    made.append(change(-1, "less"), make("span", "", String(points)), change(1, "more"));
    return made;
  };

  const render_powers = () => {
    const garrisoned = Object.values(facts.provinces).some(({ garrison }) => garrison);
    places.powers.replaceChildren(...facts.powers.filter(([power]) => power !== independent || garrisoned).map(([power, name]) => {
      const line = make("tr");
      line.dataset.power = power;
      const head = make("th");
      head.scope = "row";
      head.append(drawing.symbol(power, "A"), make("span", "", name));
      const count = (list) => make("td", "", String(list.length || "–"));
      line.append(head, count(position.units.filter((unit) => unit.power === power)),
        count(Object.values(position.owners).filter((owner) => owner === power)));
      if (facts.nobility) line.append(power === independent ? make("td") : stepper(power));
      return line;
    }));
  };

  // Buttons are made anew: the focus stays on the one that says the same, else it goes to the question.
  const keep_focus = (act) => {
    const { activeElement: focused } = document;
    const around = [places.brush, places.near, places.choices, places.powers].find((each) => each.contains(focused));
    act();
    if (!around) return;
    const alike = [...around.querySelectorAll("button:enabled")]
      .find((each) => each.textContent === focused.textContent && each.ariaLabel === focused.ariaLabel);
    (alike || places.title).focus({ preventScroll: true });
  };

  const render = () => {
    drawing.draw(position);
    drawing.mark(chosen);
    keep_focus(() => {
      render_brush();
      render_choices();
      render_phase();
      render_powers();
    });
    places.undo.setAttribute("aria-disabled", String(!past.length));
    places.redo.setAttribute("aria-disabled", String(!future.length));
  };

  const select = (province, others = []) => {
    [chosen, near] = [province, others];
    brush = position.owners[province] || brush;
    say();
    render();
  };

  const show = (given) => {
    [position, past, future, chosen, near] = [given, [], [], "", []];
    render();
  };

  places.undo.addEventListener("click", undo);
  places.redo.addEventListener("click", redo);
  places.clear.addEventListener("click", clear);
  places.start.addEventListener("click", () => step(facts.start, sentences.started));
  places.phase.select.addEventListener("change", ({ target }) => {
    const [season, retreats, period] = target.value.split(" ");
    set_phase(season, retreats === "true", Number(period), position.year);
  });
  places.phase.year.addEventListener("change", ({ target }) => {
    const year = Number(target.value);
    if (!target.value.trim() || !Number.isInteger(year) || year < 0) { target.value = position.year; places.phase.said.textContent = sentences["bad-year"]; return; }
    places.phase.said.textContent = "";
    set_phase(position.season, position.retreats, position.period, year);
  });

  return {
    show, select, tap, move, show_again: render,
    put: (given, text) => step(given, text),
    faults: (texts) => { places.faults.replaceChildren(...texts.map((text) => make("li", "", text))); },
    get position() { return position; },
    get chosen() { return chosen; },
  };
};
