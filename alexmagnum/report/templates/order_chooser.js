// Chooses orders by taps on the map and by buttons: what a unit does, where, and how; undo and redo.
//
//   const chooser = makeOrderChooser({ sentences, places, board, drawing, view });
//   chooser.show(scene)        what is ordered from now on, and what is done with it
//   chooser.render()           shows everything anew
//   chooser.said(text, more)   answers the reader
//   chooser.openView()         the first view: the units that can be ordered
//   chooser.select(subject, moved), choose(choice, spot), remove(subject), change(text, act), clear()
//
// A scene has: `subjects` {id, label, at, unit, power, then}, `orders` (a Map from subjects to choices), `past` and `future`
// (empty lists), `kind` of the phase, `start` (what to do first), `owned` centres; `room(subject)`: whether one more order
// counts; `endOf(place)`: where an arrow ends; `check()`: looks at the orders anew; `save()`; `paint()`: draws the orders;
// `render()`: shows lists and texts; `remarks(subject, choice)`: what stands below an order; `say`: sentences of its own.
// `listing(one)`, if there, tells whether the orders of a subject are still being listed.
const makeOrderChooser = ({ sentences, places, board, drawing, view }) => {
  const { part, make, button, shape, layer } = pageParts;
  const FINGER = 22; // CSS pixels from the middle of a target that mean it, under a finger
  const POINTER = 26; // the same under a mouse, if nothing else is nearer

  const LEAST = 0.9; // CSS pixels to a unit of the map below which symbols would get too small for a finger
  const EDGE = 44; // CSS pixels from the first view's symbols to the edge of the map
  const MOST_SHORTCUTS = 3; // helps for moves of other units that are offered before all kinds of order
  const READABLE = 0.6; // the same for names: a map that shows all there is to pick from is not made smaller

  let scene = null; // what is ordered, and what is done with it
  let subject = null; // what is being ordered, if anything
  let path = []; // the choices made for it so far
  let toward = ""; // the province that a support or a convoy is meant for, if a tap said so
  let narrowed = null; // a tap on the map that may mean several things: its title and its choices
  let elsewhere = false; // whether the first view leaves out some of one's own units

  // Each % of a sentence stands for the next text.
  const sentence = (code, ...texts) => ((scene.say || {})[code] || sentences[code]).replace(/%/g, () => texts.shift());
  const only = () => (scene.subjects.length === 1 ? scene.subjects[0] : null);

  const code_of = (choice) => choice.code || choice.order;
  const goal_of = (choice) => (/ - ([^#/ ]+)/.exec(code_of(choice)) || [])[1] || "";
  const end_of = (choice) => (/ - ([^/ ]+)/.exec(code_of(choice)) || [])[1] || ""; // with the number of a fleet, if it names one

  // -- what can be chosen --------------------------------------------------------------------

  const free = (choice) =>
    !choice.once || ![...scene.orders].some(([other, made]) => made.once && other !== subject);

  const leads = (choice, place) =>
    choice.order ? goal_of(choice) === place : (choice.then || []).some((further) => leads(further, place));

  // The units that are ordered, with the place or the fleet for which each makes, "" if it stays.
  const ordered = () => new Map([...scene.orders].filter(([one]) => one.unit && one !== subject)
    .map(([one, made]) => [one.unit, code_of(made).startsWith(`${one.unit} - `) ? end_of(made) : ""]));

  // Whether an order is a support or a convoy of what another unit is ordered to do, or leads to one.
  const fits = (choice, known) => {
    if (!choice.order) return (choice.then || []).some((further) => fits(further, known));
    const aim = (/^[AFG] \S+ [SC] ([AFG] \S+)/.exec(code_of(choice)) || [])[1];
    return known.has(aim) && known.get(aim) === end_of(choice);
  };

  // What fits the other orders comes first in every list.
  const fitting_first = (listed, choice_of = (each) => each) => {
    const known = ordered();
    const first = new Set(known.size ? listed.filter((each) => fits(choice_of(each), known)) : []);
    return [...first, ...listed.filter((each) => !first.has(each))];
  };

  const options = () => {
    const listed = ((path.at(-1) || subject).then || []).filter(free)
      .filter((choice) => !toward || !path.length || leads(choice, toward));
    return path.length ? fitting_first(listed) : listed;
  };

  // The moves of other units that this one can help, each in one step.
  const shortcuts = () => {
    const known = new Map([...ordered()].filter(([, goal]) => goal));
    const ways = (steps) => steps.at(-1).order ? [steps]
      : (steps.at(-1).then || []).filter((choice) => fits(choice, known)).flatMap((choice) => ways([...steps, choice]));
    return (subject.then || []).filter((kind) => kind.then && fits(kind, known)).flatMap((kind) => ways([kind]))
      .slice(0, MOST_SHORTCUTS).map((steps) => ({ label: steps.map((step) => step.label).join(" · "), steps }));
  };

  const waiting = (one) => !scene.orders.has(one) && scene.room(one);

  // Of several that are alike (two places in a city, several waivers) the first one will do.
  const shown = () =>
    scene.subjects.filter((one, i) =>
      scene.orders.has(one) || one === subject ||
      !scene.subjects.slice(0, i).some((other) => other.label === one.label && !scene.orders.has(other)));

  const hits = (choices, place, unit) => {
    const named = choices.filter((choice) => unit && choice.unit === unit);
    return named.length ? named : choices.filter((choice) => choice.at && choice.at === place);
  };

  // The steps to a choice, and on to the attack on the fleet that was tapped, if that is among its ends.
  const steps_to = (steps, place, unit) => {
    const ends = (steps.at(-1).then || []).filter((end) => end.order && unit.includes("#") &&
      code_of(end).endsWith(` - ${unit.split(" ")[1]}`));
    return ends.length === 1 && steps.at(-1).at === place ? [...steps, ends[0]] : steps;
  };

  const label_of = (steps) => {
    const [kind, ...rest] = steps;
    return rest.length ? `${kind.label}: ${rest.at(-1).label}` : kind.label;
  };

  const ways_of = (one, place, unit) => (one.then || []).filter(free).flatMap((kind) =>
    hits((kind.then || []).filter(free), place, unit).map((choice) => steps_to([kind, choice], place, unit)));

  const helping = ({ steps: [kind] }) => Boolean(kind.then && kind.then.some((choice) => choice.unit));

  // What other units could do about a place or a unit: go there, help there, or help somebody else to go there.
  const answers = (place, unit) => {
    const found = shown().filter((one) => one !== subject && (scene.orders.has(one) || waiting(one)))
      .flatMap((one) => {
        const direct = ways_of(one, place, unit)
          .map((steps) => ({ label: `${one.label} · ${label_of(steps)}`, select: one, steps }));
        const helps = (one.then || []).filter((kind) => (kind.then || []).some((helped) => helped.unit && leads(helped, place)))
          .map((kind) => ({ label: `${one.label} · ${kind.label} → ${places[place]}…`, select: one, steps: [kind], toward: place }));
        return [...direct, ...helps];
      })
      .sort((one, other) => Number(helping(one)) - Number(helping(other)));
    return fitting_first(found, ({ steps }) => steps.at(-1));
  };

  // -- choosing ------------------------------------------------------------------------------

  const leave = () => { narrowed = null; path = []; toward = ""; };

  const select = (one, moved) => {
    leave();
    elsewhere = false;
    hide_near();
    subject = one;
    said();
    if (one && !scene.orders.has(one) && !waiting(one)) {
      subject = null;
      said(sentences.full);
      const given = [...scene.orders].filter(([other]) => other.power === one.power).map(([other, made]) => ({ label: sentence("delete", made.order), act: () => remove(other) }));
      narrowed = { title: sentences.full, choices: given };
    }
    render();
    if (subject) bring();
    if (moved) part("asked").focus();
  };

  // Whoever presses a button is led on to the next question; a tap leaves the map where it is.
  const choose = (choice, spot) => {
    narrowed = null;
    hide_near();
    if (choice.act) return choice.act();
    if (choice.select && !choice.steps) return select(choice.select, !spot);
    if (choice.select) { leave(); subject = choice.select; }
    toward = choice.toward || toward;
    const steps = choice.steps || [choice];
    for (const step of steps) {
      if (step.order) note(step);
      else path.push(step);
    }
    if (subject && !spot) bring();
    render();
    part("asked").focus({ preventScroll: Boolean(spot) });
  };

  const note = (choice) => {
    const one = subject;
    change(choice.order, () => scene.orders.set(one, choice));
    leave();
    // With one thing to order, the next tap on the map changes the mind about it.
    subject = only();
    said(sentence("noted", choice.order), scene.remarks(one, choice));
  };

  const remove = (one) => {
    hide_near();
    const text = sentence("deleted", scene.orders.get(one).order);
    change(text, () => scene.orders.delete(one));
    narrowed = null;
    said(text);
    render();
  };

  const nothing_at = (what, place) => {
    if (stands_at(place)) return sentence("there", subject.label);
    if (subject?.unit) return sentence("not-there", what, subject.label);
    const orders_units = scene.subjects.some((one) => one.unit);
    return `${sentence(orders_units ? "nobody" : "nothing-there", what)} ${scene.start}`;
  };

  const stands_at = (place) => scene.kind === "movement" && Boolean(subject?.unit) && subject.at === place;

  // A tap goes for the question that is open, else for any step that answers it, else for a unit.  It always
  // gets an answer: what can be done there, or who could do it, or what to tap instead.
  const answer = (place, unit, mine, spot, going) => {
    const named = unit && (mine || scene.kind === "movement");
    const own = shown().filter((one) => one !== subject && (named ? mine && one.unit === unit : one.at && one.at === place));
    const what = unit ? `${unit}, ${places[place]}` : places[place];
    if (!subject) {
      if (own.length === 1) return select(own[0], false);
      const choices = own.length ? own.map((one) => ({ label: one.label, select: one })) : answers(place, unit);
      narrowed = choices.length ? { title: own.length ? sentences.which : sentence("who", what), choices } : null;
      said(choices.length ? "" : nothing_at(what, place));
      return render();
    }
    let meant = hits(options(), place, unit).map((choice) => {
      const steps = steps_to([choice], place, unit);
      return { label: steps.at(-1).label, steps };
    });
    const open = meant.length > 0;
    if (!open && mine && unit === subject.unit) return select(only(), false);
    if (!open && !path.length) {
      meant = ways_of(subject, place, unit).map((steps) => ({ label: label_of(steps), steps }));
      const moves = going ? meant.filter((each) => !helping(each)) : [];
      meant = moves.length ? moves : fitting_first(meant, ({ steps }) => steps.at(-1));
    }
    if (!meant.length && own.length === 1) return select(own[0], false);
    if (meant.length === 1 && (open || !own.length)) return choose(meant[0], spot);
    const others = meant.length ? [] : answers(place, unit);
    const choices = [...meant, ...own.map((one) => ({ label: sentence("instead", one.label), select: one })), ...others];
    const away = () => {
      if (stands_at(place)) return sentence("there", subject.label);
      return sentence(others.length ? "not-there-others" : "not-there", what, subject.label);
    };
    narrowed = choices.length ? { title: meant.length ? sentences.which : away(), choices } : null;
    said(choices.length ? "" : nothing_at(what, place));
    render();
  };

  // The answer stands above the list of the orders, to which the page may be scrolled.
  // A tap that comes before the orders of the chosen subject are listed waits for them.
  let held = null;

  const tap = (place, unit, mine, spot, going) => {
    held = subject && scene.listing && scene.listing(subject) ? { subject, tap: [place, unit, mine, spot, going] } : null;
    if (held) return;
    answer(place, unit, mine, spot, going);
    for (const id of ["choices", "asked", "said"]) part(id).scrollIntoView({ block: "nearest" });
  };

  // Carries out the tap that waited, now that orders are listed.
  const resume = () => {
    const { subject: one, tap: waited } = held || {};
    held = null;
    if (one && one === subject) tap(...waited);
  };

  // -- undoing -------------------------------------------------------------------------------

  // What was done stands in `past`, each with the orders before it; what was undone in `future`.
  const change = (text, act) => {
    scene.past.push({ text, orders: [...scene.orders] });
    scene.future.length = 0;
    act();
    scene.check();
    scene.save();
  };

  const travel = (from, to, done) => {
    const step = from.pop();
    if (!step) return said(sentences[`nothing-${done}`]);
    to.push({ text: step.text, orders: [...scene.orders] });
    scene.orders.clear();
    for (const [one, choice] of step.orders) scene.orders.set(one, choice);
    scene.check();
    scene.save();
    leave();
    subject = only();
    hide_near();
    said(sentence(done, step.text));
    keep_focus(render);
  };

  // Rows and choices are made anew: the focus stays at the row of its subject, else at the question.
  const keep_focus = (act) => {
    const { activeElement: focused } = document;
    const id = focused.closest("li")?.querySelector("[data-subject]")?.dataset.subject;
    act();
    if (focused.isConnected) return;
    const row = id && document.querySelector(`.subject[data-subject="${CSS.escape(id)}"]`);
    (row || part("asked")).focus({ preventScroll: true });
  };

  const undo = () => travel(scene.past, scene.future, "undone");
  const redo = () => travel(scene.future, scene.past, "redone");

  const clear = () => {
    if (scene.orders.size) change(sentences.cleared, () => scene.orders.clear());
    select(only());
    said(sentences.cleared);
  };

  // -- what is shown -------------------------------------------------------------------------

  const said = (text = "", remarks = []) => {
    part("said").replaceChildren(...text ? [make("span", "", text)] : [], ...remarks);
  };

  const question = () => {
    if (narrowed) return narrowed.title;
    if (!subject) return scene.start;
    return [subject, ...path].map((step) => step.label).join(" · ");
  };

  const render_choices = () => {
    part("asked").textContent = question();
    const hint = subject ? "tap-goal" : elsewhere ? "elsewhere" : "";
    part("hint").textContent = hint && !narrowed ? sentences[hint] : "";
    const listed = narrowed ? narrowed.choices : subject ? [...path.length ? [] : shortcuts(), ...options()] : [];
    part("choices").replaceChildren(...listed.map((choice) => button(choice.label, () => choose(choice))));
    const aside = (text, act) => part("choices").append(button(text, () => { act(); part("asked").focus(); }, "aside"));
    if (narrowed && subject) aside(sentences.back, () => { narrowed = null; render(); });
    else if (path.length) aside(sentences.back, () => { path.pop(); toward = ""; render(); });
    if (subject ? scene.subjects.length > 1 : narrowed) aside(sentences.cancel, () => select(null));
    part("undo").setAttribute("aria-disabled", String(!scene.past.length));
    part("redo").setAttribute("aria-disabled", String(!scene.future.length));
  };

  // -- the map -------------------------------------------------------------------------------

  const units = () => [...drawing.querySelectorAll('[data-layer="units"] .unit')];
  const place_of = (unit) => unit.split(" ")[1].split(/[#/]/)[0];

  // A dislodged unit may have the name of the one that drove it out; what is ordered is one's own.
  const tokens = (choice) => units().filter((token) => token.dataset.unit === choice.unit &&
    (!choice.id || token.dataset.power === choice.power && (scene.kind !== "retreats" || token.classList.contains("dislodged"))));

  // The fleets of a sea that can be attacked there, each by its number.
  const struck = ({ at, then = [] }) => units().filter(({ dataset: { unit } }) => unit.includes("#") && place_of(unit) === at &&
    then.some((end) => end.order && end_of(end) === unit.split(" ")[1]));

  const ring = (token, look) => {
    const box = token.getBBox();
    token.append(shape("circle", {
      class: look, cx: box.x + box.width / 2, cy: box.y + box.height / 2, r: Math.max(box.width, box.height) / 2 + 3,
    }));
  };

  // The ground under names and orders, where it is lit or dark; and marks above the units.
  const [veil, marks] = [layer("veil"), layer("marks")];
  drawing.querySelector('[data-layer="orders"], [data-layer="names"]').before(veil);
  drawing.querySelector('[data-layer="units"]').after(marks);

  // Provinces that can be tapped are lit and the rest is dark: all of them are painted anew in one colour or the other, as
  // land lies above the sea. A mark stands where an order would end, as a small island hardly shows its ground.
  const light = (places) => {
    veil.replaceChildren();
    marks.replaceChildren();
    if (!places.size) return;
    veil.append(shape("rect", { class: "dark", x: -1e4, y: -1e4, width: 3e4, height: 3e4 }));
    for (const area of drawing.querySelectorAll(".province[data-province]")) {
      const made = area.cloneNode(false);
      const place = area.dataset.province;
      for (const name of ["data-province", "fill"]) made.removeAttribute(name);
      made.setAttribute("class", places.has(place) ? "aimed" : "dark");
      if (places.has(place)) made.dataset.aim = place;
      veil.append(made);
    }
    for (const place of places) {
      const [cx, cy] = scene.endOf(place) || middle_of(place);
      const r = units().some((token) => far_apart(token, [cx, cy]) < 14) ? 19 : 9;
      for (const look of ["mark wide", "mark"]) marks.append(shape("circle", { class: r < 19 ? `${look} open` : look, cx, cy, r }));
    }
  };

  const far_apart = (token, [x, y]) => {
    const { e, f } = token.transform.baseVal.consolidate().matrix;
    return Math.hypot(e - x, f - y);
  };

  const middle_of = (place) => {
    const box = drawing.querySelector(`.province[data-province="${place}"]`).getBBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };

  // What the map points at: the answers to the question that is open, or to the first that will follow.
  const aims = () => {
    const asked = narrowed ? [] : subject ? options() : scene.subjects.filter(waiting);
    return subject && !path.length ? (asked[0] && asked[0].then || asked) : asked;
  };

  const render_map = () => {
    for (const old of drawing.querySelectorAll(".unit > .ring")) old.remove();
    scene.paint();
    const places = new Set();
    for (const choice of aims()) {
      const standing = choice.unit ? tokens(choice) : struck(choice);
      for (const token of standing) ring(token, "ring");
      if (choice.at && (!choice.unit || !standing.length)) places.add(choice.at);
    }
    light(places);
    if (subject) tokens(subject).forEach((token) => ring(token, "ring here"));
  };

  // Shows what is ordered and where it could go, if that is not in sight or too small for a finger.
  const bring = () => {
    const [token] = tokens(subject);
    if (!token) return;
    const goals = aims().map((choice) => choice.at && scene.endOf(choice.at)).filter(Boolean);
    const own = view.boxOf([token]);
    const middle = [own.x + own.width / 2, own.y + own.height / 2];
    const far = [board.clientWidth, board.clientHeight].map((pixels) => pixels / 2 / LEAST - 40);
    const clamp = (axis, value) => Math.min(Math.max(value, middle[axis] - far[axis]), middle[axis] + far[axis]);
    const [xs, ys] = [0, 1].map((axis) => goals.map((goal) => clamp(axis, goal[axis])));
    const [left, top] = [Math.min(own.x, ...xs), Math.min(own.y, ...ys)];
    const [right, bottom] = [Math.max(own.x + own.width, ...xs), Math.max(own.y + own.height, ...ys)];
    const box = { x: left, y: top, width: right - left, height: bottom - top };
    const scale = token.getBoundingClientRect().width / own.width;
    if (scale < LEAST * 0.8) view.fit(box, { margin: 30, most: view.factor * 1.2 * LEAST / scale });
    else view.bring(box, { margin: 30 });
  };

  // The first view: one's own units, or the places for new ones.  A whole map to pick from would be too small to read:
  // then as much as can be read, around the centres already picked or else in the middle of all.
  const open_view = () => {
    const own = [...drawing.querySelectorAll(".mine")];
    if (own.length) {
      const shown_units = view.gather(own, { margin: EDGE });
      elsewhere = !subject && shown_units.length < own.length;
      render_choices();
      return view.fit(view.boxOf(shown_units), { margin: EDGE, most: 5 });
    }
    const goals = [...drawing.querySelectorAll(".aimed")];
    const all = view.boxOf(goals);
    const [width, height] = [board.clientWidth / READABLE, board.clientHeight / READABLE];
    if (!all || all.width < width && all.height < height) return view.fit(all, { margin: EDGE, most: 5 });
    const picked = scene.owned.map((place) => drawing.querySelector(`.province[data-province="${place}"]`)).filter(Boolean);
    const boxes = (picked.length ? picked : goals).map((shape) => view.boxOf([shape]));
    const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
    const [x, y] = [median(boxes.map((box) => box.x + box.width / 2)), median(boxes.map((box) => box.y + box.height / 2))];
    view.fit({ x: x - width / 2, y: y - height / 2, width, height }, { margin: 0, most: 5 });
  };

  // -- beside the thumb ----------------------------------------------------------------------

  const near = part("near");
  const hide_near = () => { near.hidden = true; };

  const overlap = (one, other) =>
    Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
    Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));

  // Above the finger, and never over the edge of the map.
  const show_near = ([x, y], parts) => {
    near.replaceChildren(...parts);
    near.className = "fan";
    near.hidden = false;
    const frame = board.parentElement.getBoundingClientRect();
    const [width, height] = [near.offsetWidth, near.offsetHeight];
    const grown = ({ left, right, top, bottom }, by) => ({ left: left - by, right: right + by, top: top - by, bottom: bottom + by });
    const finger = grown({ left: x, right: x, top: y, bottom: y }, FINGER);
    const within = (value, least, most) => Math.max(least + 4, Math.min(most - 4, value));
    const lefts = [x - width / 2, finger.left - width, finger.right];
    const tops = [finger.top - height, finger.bottom];
    const places = lefts.flatMap((across) => tops.map((down) => {
      const left = within(across, frame.left, frame.right - width);
      const top = within(down, frame.top, frame.bottom - height);
      const place = { left, top, right: left + width, bottom: top + height };
      const away = Math.hypot(left + width / 2 - x, top + height / 2 - y);
      return { ...place, cost: away + 10 * overlap(place, finger) };
    }));
    const best = places.reduce((one, other) => (other.cost < one.cost ? other : one));
    near.style.left = `${best.left - frame.left}px`;
    near.style.top = `${best.top - frame.top}px`;
  };

  // Crowded symbols and small provinces, spread out so that a finger can tell them apart.
  const fan_out = (items, spot) => {
    const made = items.map(({ label, name, token, act }) => {
      const one = button("", () => { hide_near(); act(); });
      one.setAttribute("aria-label", label);
      if (token) {
        const symbol = shape("svg", { class: "am-map", viewBox: "-20 -20 40 40", "aria-hidden": "true" });
        const copy = token.cloneNode(true);
        copy.setAttribute("class", token.getAttribute("class").replace("unit", ""));
        copy.removeAttribute("transform");
        copy.querySelectorAll("title, .ring").forEach((old) => old.remove());
        symbol.append(copy);
        one.append(symbol);
      }
      one.append(make("span", "", name));
      return one;
    });
    show_near(spot, made);
    near.setAttribute("aria-label", sentences.which);
  };

  const far_from = (token, [x, y]) => {
    const box = token.getBoundingClientRect();
    return [Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y), box.width];
  };

  const tap_unit = (token, spot) =>
    tap(place_of(token.dataset.unit), token.dataset.unit, token.classList.contains("mine"), spot);

  // A unit that is dragged somewhere is ordered there.
  const drag = (token, { clientX, clientY }) => {
    const one = scene.subjects.find((each) => tokens(each).includes(token));
    const spot = [clientX, clientY];
    const goal = units().find((other) => { const [far, width] = far_from(other, spot); return far < width / 2; });
    const place = goal ? place_of(goal.dataset.unit) : province_at(spot);
    if (!one || !place) return said(sentences["off-map"]);
    leave();
    subject = one;
    tap(place, goal ? goal.dataset.unit : "", false, spot, true);
  };

  const province_at = ([x, y]) => {
    const under = document.elementsFromPoint(x, y).find((each) => each.dataset && each.dataset.province);
    return under ? under.dataset.province : "";
  };

  // Outlined provinces too small for a finger that it has touched, or nearly.
  const small_aims = ([x, y]) => {
    const around = [...drawing.querySelectorAll(".aimed")].filter((shape) => {
      const box = shape.getBoundingClientRect();
      const off = [Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)];
      return Math.min(box.width, box.height) < 2 * FINGER && Math.hypot(...off) < FINGER;
    });
    return [...new Set(around.map((shape) => shape.dataset.aim))];
  };

  const touched = (event) => {
    hide_near();
    const spot = [event.clientX, event.clientY];
    const finger = event.pointerType === "touch" || event.pointerType === "pen";
    const close = units().map((token) => [token, ...far_from(token, spot)])
      .filter(([, far, width]) => far < (finger ? Math.max(FINGER, width / 2) : Math.min(POINTER, width)))
      .sort((one, other) => one[1] - other[1]).map(([token]) => token);
    if (finger && close.length > 1) {
      return fan_out(close.slice(0, 8).map((token) => ({
        label: token.querySelector("title")?.textContent || token.dataset.unit, name: token.dataset.unit,
        token, act: () => tap_unit(token, spot),
      })), spot);
    }
    if (close.length) return tap_unit(close[0], spot);
    const under = province_at(spot);
    const aims = finger ? small_aims(spot) : [];
    const aimed = drawing.querySelector(`.aimed[data-aim="${under}"]`);
    const meant = [...new Set([...under && aimed ? [under] : [], ...aims])];
    if (meant.length > 1) {
      return fan_out(meant.map((place) => ({
        label: places[place], name: places[place], act: () => tap(place, "", false, spot),
      })), spot);
    }
    if (meant.length || under) return tap(meant[0] || under, "", false, spot);
    said(`${sentences["off-map"]} ${subject ? sentences["tap-goal"] : scene.start}`);
  };

  const render = () => {
    scene.check();
    render_choices();
    scene.render(shown(), subject);
    render_map();
  };

  const keys = (event) => {
    if (event.key === "Escape" && !near.hidden) return hide_near();
    if (event.key === "Escape") return select(only());
    if (!(event.ctrlKey || event.metaKey) || event.altKey || /^(TEXTAREA|INPUT)$/.test(event.target.tagName) && !event.target.readOnly) return;
    const act = { z: event.shiftKey ? redo : undo, y: redo }[event.key.toLowerCase()];
    if (act) { event.preventDefault(); act(); }
  };

  const find = (choices, fits) => {
    for (const choice of choices || []) {
      const made = choice.order && fits(choice) ? choice : find(choice.then, fits);
      if (made) return made;
    }
    return null;
  };

  const show = (next) => {
    scene = next;
    leave();
    hide_near();
    elsewhere = false;
    subject = only();
    mark();
  };

  // Marks the units that can be ordered; a scene that draws units anew asks for it again.
  const mark = () => {
    for (const old of drawing.querySelectorAll(".mine")) old.classList.remove("mine");
    for (const one of scene.subjects) tokens(one).forEach((token) => token.classList.add("mine"));
  };

  drawing.addEventListener("click", touched);
  makeUnitDrag({ board, svg: drawing, can: (token) => token.classList.contains("mine"), drop: drag });
  board.addEventListener("pointerdown", (event) => { if (!near.contains(event.target)) hide_near(); });
  part("undo").addEventListener("click", () => undo());
  part("redo").addEventListener("click", () => redo());
  document.addEventListener("keydown", keys);
  return {
    show, mark, render, resume, said, select, choose, remove, change, clear, find, sentence, waiting, shown, openView: open_view,
    // Gives an order as if it had been chosen for this subject.
    take: (one, choice) => { subject = one; choose({ steps: [choice] }); },
    get subject() { return subject; },
    set subject(one) { subject = one; },
  };
};
