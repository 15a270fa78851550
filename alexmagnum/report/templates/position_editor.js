// Sets a position up by taps: what stands in a province, who owns it, the phase, nobility; undo and redo.
//
//   const editor = makePositionEditor({ facts, sentences, drawing, places, changed });
//   editor.show(position)      starts from a position (as in position.json), with nothing to undo
//   editor.put(position, text) the same, as one step that can be undone
//   editor.show_again()        draws it after something else stood on the map
//   editor.select(province)    asks what should be there
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
  let past = [];
  let future = [];

  const sentence = (code, ...texts) => sentences[code].replace(/%/g, () => texts.shift());
  const title_of = (province) => `${facts.provinces[province].name} (${province})`;
  const units_in = (province) => position.units.filter((unit) => unit.province === province);
  const without = (object, key) => Object.fromEntries(Object.entries(object).filter(([each]) => each !== key));

  // -- steps -----------------------------------------------------------------------------------

  const step = (parts, text) => {
    past.push(position);
    future = [];
    position = { ...position, ...parts };
    say(text);
    render();
    changed(position);
  };

  const travel = (from, to, text, nothing) => {
    if (!from.length) return say(nothing);
    to.push(position);
    position = from.pop();
    say(text);
    render();
    changed(position);
  };
  const undo = () => travel(past, future, sentences.undone, sentences["nothing-undone"]);
  const redo = () => travel(future, past, sentences.redone, sentences["nothing-redone"]);

  // The place of a new unit is the first that is free; where there is one place, the new unit takes it.
  const put_unit = (kind, coast) => {
    const { places: room } = facts.provinces[chosen];
    const here = units_in(chosen);
    const free = Array.from({ length: room }, (_, i) => i + 1).find((number) => !here.some((unit) => unit.number === number));
    if (!free && room > 1) return say(sentence("no-room", title_of(chosen), String(room)));
    const unit = { power: brush, kind, province: chosen, coast, number: free || 1 };
    step({ units: [...position.units.filter((other) => free || other.province !== chosen), unit] },
      sentence("put", unit_name(unit), facts.provinces[chosen].name));
  };

  const remove_unit = (unit) => step({ units: position.units.filter((other) => other !== unit) },
    sentence("taken-away", unit_name(unit), facts.provinces[unit.province].name));

  const own = (power) => step({ owners: power ? { ...position.owners, [chosen]: power } : without(position.owners, chosen),
    homes: strip_home(chosen) },
    sentence("owned", facts.provinces[chosen].name, power ? names[power] : sentences.nobody));

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
    heading.id = `group-${places.choices.children.length}-${title.replace(/\W/g, "")}`;
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
    return [group(sentences["put-unit"], ...powers.map(([power]) => swatch(power, power === brush, () => { brush = power; render(); refocus(power); }))),
      group(sentences["of-kind"], ...kinds.map(unit_button))];
  };

  const refocus = (power) => {
    [...places.choices.querySelectorAll(".swatch")].find((each) => each.textContent === names[power])?.focus({ preventScroll: true });
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
    places.title.textContent = about ? title_of(chosen) : sentences.tap;
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
      const made = button(by < 0 ? "−" : "+", () => {
        set_points(power, points + by);
        places.powers.querySelector(`[data-power="${power}"] [data-by="${by}"]`)?.focus({ preventScroll: true });
      }, "step");
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

  const render = () => {
    drawing.draw(position);
    drawing.mark(chosen);
    render_choices();
    render_phase();
    render_powers();
    places.undo.setAttribute("aria-disabled", String(!past.length));
    places.redo.setAttribute("aria-disabled", String(!future.length));
  };

  const select = (province, others = []) => {
    [chosen, near] = [province, others];
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
    if (!target.value.trim() || !Number.isInteger(year) || year < 0) { target.value = position.year; return say(sentences["bad-year"]); }
    set_phase(position.season, position.retreats, position.period, year);
  });

  return {
    show, select, show_again: render,
    put: (given, text) => step(given, text),
    faults: (texts) => { places.faults.replaceChildren(...texts.map((text) => make("li", "", text))); },
    get position() { return position; },
    get chosen() { return chosen; },
  };
};
