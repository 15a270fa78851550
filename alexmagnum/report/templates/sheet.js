(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const part = (id) => document.getElementById(id);

  // What all orders of a subject begin with stands in the page once.
  const put_heads = (choice, heads) => {
    if (choice.order !== undefined) {
      for (const field of ["order", "code", "meaning"]) {
        if (choice[field] !== undefined) choice[field] = heads[field] + choice[field];
      }
    }
    for (const further of choice.then || []) put_heads(further, heads);
  };
  for (const one of data.subjects) put_heads(one, one.heads);

  const board = part("board");
  const drawing = board.querySelector("svg");
  const view = panZoom(board, drawing);
  const FINGER = 22; // CSS pixels from the middle of a target that mean it, under a finger
  const POINTER = 26; // the same under a mouse, if nothing else is nearer

  const LEAST = 0.9; // CSS pixels to a unit of the map below which symbols would get too small for a finger
  const SMALLEST = 10; // CSS pixels of a symbol below which it can be neither hit nor read
  const COMFORT = 16; // the same of a symbol in a part of the map, where the whole would be too small
  const EDGE = 44; // CSS pixels from the first view's symbols to the edge of the map
  const READABLE = 0.6; // the same for names: a map that shows all there is to pick from is not made smaller

  // Each % of a sentence stands for the next text.
  const sentence = (code, ...texts) => data.sentences[code].replace(/%/g, () => texts.shift());

  const orders = new Map(); // by subject: the choice that its order came from
  let subject = null; // what is being ordered, if anything
  let path = []; // the choices made for it so far
  let toward = ""; // the province that a support or a convoy is meant for, if a tap said so
  let narrowed = null; // a tap on the map that may mean several things: its title and its choices
  let elsewhere = false; // whether the first view leaves out some of one's own units
  let warned = new Map(); // by order in the notation: what is to be warned of

  const code_of = (choice) => choice.code || choice.order;
  const goal_of = (choice) => (/ - ([^#/ ]+)/.exec(code_of(choice)) || [])[1] || "";

  const draw_orders = makeOrderArrows(data.canvas, data.power);
  const check = data.kind === "movement" ? makeOrderWarnings(data)
    : data.kind === "retreats" ? makeRetreatWarnings(data.facts, data.canvas.units.filter((unit) => unit[5]).map(([name]) => name))
      : () => new Map();

  // -- what can be chosen --------------------------------------------------------------------

  const free = (choice) =>
    !choice.once || ![...orders].some(([other, made]) => made.once && other !== subject);

  const leads = (choice, place) =>
    choice.order ? goal_of(choice) === place : (choice.then || []).some((further) => leads(further, place));

  const options = () => ((path.at(-1) || subject).then || []).filter(free)
    .filter((choice) => !toward || !path.length || leads(choice, toward));

  const waiting = (one) => !orders.has(one) && orders.size < data.most;

  // Of several that are alike (two places in a city, several waivers) the first one will do.
  const shown = () =>
    data.subjects.filter((one, i) =>
      orders.has(one) || one === subject ||
      !data.subjects.slice(0, i).some((other) => other.label === one.label && !orders.has(other)));

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
  const answers = (place, unit) => shown().filter((one) => one !== subject && (orders.has(one) || waiting(one)))
    .flatMap((one) => {
      const direct = ways_of(one, place, unit)
        .map((steps) => ({ label: `${one.label} · ${label_of(steps)}`, select: one, steps }));
      const helps = (one.then || []).filter((kind) => (kind.then || []).some((helped) => helped.unit && leads(helped, place)))
        .map((kind) => ({ label: `${one.label} · ${kind.label} → ${data.places[place]}…`, select: one, steps: [kind], toward: place }));
      return [...direct, ...helps];
    })
    .sort((one, other) => Number(helping(one)) - Number(helping(other)));

  // -- choosing ------------------------------------------------------------------------------

  const leave = () => { narrowed = null; path = []; toward = ""; };

  const select = (one, moved) => {
    leave();
    elsewhere = false;
    hide_near();
    subject = one;
    said();
    if (one && !orders.has(one) && !waiting(one)) {
      subject = null;
      said(data.sentences.full);
      const given = [...orders].map(([other, made]) => ({ label: sentence("delete", made.order), act: () => remove(other) }));
      narrowed = { title: data.sentences.full, choices: given };
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
    const one = subject;
    const steps = choice.steps || [choice];
    for (const step of steps) {
      if (step.order) note(step);
      else path.push(step);
    }
    if (subject && !spot) bring();
    render();
    part("asked").focus({ preventScroll: Boolean(spot) });
    if (spot && steps.at(-1).order) show_note(one, steps.at(-1), spot);
  };

  const note = (choice) => {
    const one = subject;
    change(choice.order, () => orders.set(one, choice));
    leave();
    // With one thing to order, the next tap on the map changes the mind about it.
    subject = data.subjects.length === 1 ? one : null;
    warned = check(codes());
    said(sentence("noted", choice.order), remarks_on(one, choice));
  };

  const remove = (one) => {
    hide_near();
    const text = sentence("deleted", orders.get(one).order);
    change(text, () => orders.delete(one));
    narrowed = null;
    said(text);
    render();
  };

  const nothing_at = (what) => {
    if (subject?.unit) return sentence("not-there", what, subject.label);
    const orders_units = data.subjects.some((one) => one.unit);
    return `${sentence(orders_units ? "nobody" : "nothing-there", what)} ${data.start}`;
  };

  // A tap goes for the question that is open, else for any step that answers it, else for a unit.  It always
  // gets an answer: what can be done there, or who could do it, or what to tap instead.
  const answer = (place, unit, mine, spot) => {
    const named = unit && (mine || data.kind === "movement");
    const own = shown().filter((one) => one !== subject && (named ? mine && one.unit === unit : one.at && one.at === place));
    const what = unit ? `${unit}, ${data.places[place]}` : data.places[place];
    if (!subject) {
      if (own.length === 1) return select(own[0], false);
      const choices = own.length ? own.map((one) => ({ label: one.label, select: one })) : answers(place, unit);
      narrowed = choices.length ? { title: own.length ? data.sentences.which : sentence("who", what), choices } : null;
      said(choices.length ? "" : nothing_at(what));
      return render();
    }
    let meant = hits(options(), place, unit).map((choice) => {
      const steps = steps_to([choice], place, unit);
      return { label: steps.at(-1).label, steps };
    });
    const open = meant.length > 0;
    if (!open && mine && unit === subject.unit) return select(data.subjects.length === 1 ? subject : null, false);
    if (!open && !path.length) {
      meant = ways_of(subject, place, unit).map((steps) => ({ label: label_of(steps), steps }));
    }
    if (!meant.length && own.length === 1) return select(own[0], false);
    if (meant.length === 1 && (open || !own.length)) return choose(meant[0], spot);
    const others = meant.length ? [] : answers(place, unit);
    const choices = [...meant, ...own.map((one) => ({ label: sentence("instead", one.label), select: one })), ...others];
    const away = others.length ? "not-there-others" : "not-there";
    narrowed = choices.length ? { title: meant.length ? data.sentences.which : sentence(away, what, subject.label), choices } : null;
    said(choices.length ? "" : nothing_at(what));
    render();
  };

  // The answer stands above the list of the orders, to which the page may be scrolled.
  const tap = (place, unit, mine, spot) => {
    answer(place, unit, mine, spot);
    part("undo").scrollIntoView({ block: "nearest" });
  };

  // -- undoing -------------------------------------------------------------------------------

  const past = []; // what was done, each with the orders before it
  const future = []; // what was undone, each with the orders after it

  const change = (text, act) => {
    past.push({ text, orders: [...orders] });
    future.length = 0;
    act();
    save();
  };

  const travel = (from, to, done) => {
    const step = from.pop();
    if (!step) return said(data.sentences[`nothing-${done}`]);
    to.push({ text: step.text, orders: [...orders] });
    orders.clear();
    for (const [one, choice] of step.orders) orders.set(one, choice);
    save();
    leave();
    subject = data.subjects.length === 1 ? data.subjects[0] : null;
    hide_near();
    said(sentence(done, step.text));
    render();
  };
  const undo = () => travel(past, future, "undone");
  const redo = () => travel(future, past, "redone");

  const clear = () => {
    if (orders.size) change(data.sentences.cleared, () => orders.clear());
    select(data.subjects.length === 1 ? data.subjects[0] : null);
    said(data.sentences.cleared);
  };

  // -- what is shown -------------------------------------------------------------------------

  const codes = () => [...orders.values()].map(code_of).sort();

  const make = (name, look, text) => {
    const made = document.createElement(name);
    made.className = look || "";
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const button = (text, act, look) => {
    const made = make("button", look, text);
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  };

  // The warnings of an order: what makes it doubtful, else what was probably not meant.
  const warnings_of = (choice) => {
    const found = warned.get(code_of(choice));
    if (!found) return [];
    if (found.doubt) return [make("span", "warning doubtful", found.doubt)];
    return found.warnings.map((text) => make("span", "warning", text));
  };

  // Other forms of an order that may have been meant, as the check suggests them.
  const suggestions_of = (one, choice, spot) => ((warned.get(code_of(choice)) || {}).suggestions || []).flatMap((code) => {
    const other = one && find(one.then, (each) => code_of(each) === code);
    return other ? [button(sentence("suggestion", other.order), () => { subject = one; choose({ steps: [other] }, spot); }, "small")] : [];
  });

  const remarks_on = (one, choice, spot) => [...warnings_of(choice), ...suggestions_of(one, choice, spot)];

  const said = (text = "", remarks = []) => {
    part("said").replaceChildren(...text ? [make("span", "", text)] : [], ...remarks);
  };

  const question = () => {
    if (narrowed) return narrowed.title;
    if (!subject) return data.start;
    return [subject, ...path].map((step) => step.label).join(" · ");
  };

  const render_choices = () => {
    part("asked").textContent = question();
    const hint = subject ? "tap-goal" : elsewhere ? "elsewhere" : "";
    part("hint").textContent = hint && !narrowed ? data.sentences[hint] : "";
    const listed = narrowed ? narrowed.choices : subject ? options() : [];
    part("choices").replaceChildren(...listed.map((choice) => button(choice.label, () => choose(choice))));
    const aside = (text, act) => part("choices").append(button(text, () => { act(); part("asked").focus(); }, "aside"));
    if (narrowed && subject) aside(data.sentences.back, () => { narrowed = null; render(); });
    else if (path.length) aside(data.sentences.back, () => { path.pop(); toward = ""; render(); });
    if (subject ? data.subjects.length > 1 : narrowed) aside(data.sentences.cancel, () => select(null));
    part("undo").setAttribute("aria-disabled", String(!past.length));
    part("redo").setAttribute("aria-disabled", String(!future.length));
  };

  const row = (one) => {
    const line = make("li");
    const made = orders.get(one);
    const named = button(one.label, () => select(one === subject ? null : one, true), "subject");
    named.setAttribute("aria-pressed", String(one === subject));
    const text = make("span", "meaning", made ? made.meaning : data.sentences["no-order"]);
    if (made) named.append(make("code", "", made.order));
    named.append(text, ...made ? warnings_of(made) : []);
    line.append(named);
    if (made) {
      const cross = button("×", () => { remove(one); focus_row(one); }, "delete");
      cross.setAttribute("aria-label", sentence("delete", made.order));
      line.append(cross, ...suggestions_of(one, made));
    }
    return line;
  };

  // Rows are made anew: whoever deleted an order with the keyboard is still at its row.
  const focus_row = (one) => {
    part("subjects").children[shown().indexOf(one)]?.querySelector(".subject").focus({ preventScroll: true });
  };

  const render_orders = () => {
    part("subjects").replaceChildren(...shown().map(row));
    const count = part("count").firstElementChild;
    count.textContent = count.dataset.sentence.replace("%", orders.size);
    const left = data.subjects.filter((one) => !orders.has(one)).map((one) => one.label);
    const missing = data.most < data.subjects.length ? "" : sentence("missing", left.join(", "));
    part("missing").textContent = orders.size < data.most ? missing : data.sentences.complete;
    const number = part("subjects").querySelectorAll(".warning").length;
    part("warned").textContent = number ? sentence("warned", number) : "";
  };

  const render_text = () => {
    const given = data.subjects.filter((one) => orders.has(one)).map((one) => orders.get(one).order);
    const lines = given.length ? [data.heading, ...given] : [];
    part("text").value = lines.join("\n");
    const body = encodeURIComponent(lines.join("\r\n"));
    const to = encodeURIComponent(data.to).replace("%40", "@");
    part("mail").href = `mailto:${to}?subject=${encodeURIComponent(data.subject)}&body=${body}`;
  };

  // -- the map -------------------------------------------------------------------------------

  const SVG = drawing.namespaceURI;
  const units = () => [...drawing.querySelectorAll('[data-layer="units"] .unit')];
  const place_of = (unit) => unit.split(" ")[1].split(/[#/]/)[0];

  // A dislodged unit may have the name of the one that drove it out; what is ordered is one's own.
  const tokens = (choice) => units().filter((token) => token.dataset.unit === choice.unit &&
    (!choice.id || token.dataset.power === data.power && (data.kind !== "retreats" || token.classList.contains("dislodged"))));

  const element = (name, attributes) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  const ring = (token, look) => {
    const box = token.getBBox();
    token.append(element("circle", {
      class: look, cx: box.x + box.width / 2, cy: box.y + box.height / 2, r: Math.max(box.width, box.height) / 2 + 3,
    }));
  };

  // Beside the shape itself, so that land stays above the sea and names above both.
  const outline = (place) => {
    for (const shape of drawing.querySelectorAll(`.province[data-province="${place}"]`)) {
      const made = shape.cloneNode(false);
      made.removeAttribute("data-province");
      made.setAttribute("class", "aimed");
      made.dataset.aim = place;
      shape.parentNode.append(made);
    }
  };

  // Lines lie below the names and signs above the units, as in the pictures of a turn.
  const [color, letter, ink] = data.livery;
  const layer = (name, put) => {
    const made = element("g", { class: "layer", "data-layer": name });
    put(made);
    return made;
  };
  const names = drawing.querySelector('[data-layer="names"]');
  const lines = layer("orders", (made) => names.before(made));
  const signs = layer("signs", (made) => drawing.querySelector('[data-layer="units"]').after(made));

  const mark = ([order, shapes]) => {
    const made = element("g", { class: `order ${order.look}`, "data-unit": order.code, color });
    if (order.look === "build") {
      const unit = element("g", { class: data.kind === "deployment" ? "unit" : "unit ghost", transform: `translate(${order.at})` });
      unit.append(...part("symbols").content.querySelector(`[data-kind="${order.place[0]}"]`).cloneNode(true).childNodes);
      made.append(unit);
    }
    made.append(...shapes.map(([d, look]) => element("path", { d, class: look })));
    if (order.look === "pick") {
      const [x, y] = data.canvas.flags[order.about];
      const text = element("text", { x: x + 10, y: y - 21, "font-size": 14, class: `badge-letter ${ink}` });
      text.textContent = letter;
      made.append(text);
    }
    return made;
  };

  // What the map points at: the answers to the question that is open, or to the first that will follow.
  const aims = () => {
    const asked = narrowed ? [] : subject ? options() : data.subjects.filter(waiting);
    return subject && !path.length ? (asked[0] && asked[0].then || asked) : asked;
  };

  const render_map = () => {
    for (const old of drawing.querySelectorAll(".aimed, .ring")) old.remove();
    const drawn = draw_orders(codes());
    lines.replaceChildren(...drawn.under.map(mark));
    signs.replaceChildren(...drawn.over.map(mark));
    for (const choice of aims()) {
      if (choice.unit) tokens(choice).forEach((token) => ring(token, "ring"));
      if (choice.at && (!choice.unit || !tokens(choice).length)) outline(choice.at);
    }
    if (subject) tokens(subject).forEach((token) => ring(token, "ring here"));
  };

  // Where an arrow to a province would end: in the middle of large seas, not at their far shores.
  const end_in = (place) => {
    const ends = data.canvas.ends || {};
    const key = place in ends ? place : Object.keys(ends).find((to) => to.split(/[#/]/)[0] === place);
    return key && ends[key].slice(0, 2);
  };

  // Shows what is ordered and where it could go, if that is not in sight or too small for a finger.
  const bring = () => {
    const [token] = tokens(subject);
    if (!token) return;
    const goals = aims().map((choice) => choice.at && end_in(choice.at)).filter(Boolean);
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

  // The units that a view can show with symbols of a readable size: all, else as many as are near each other.
  const readable_units = (own) => {
    const boxes = own.map((token) => view.boxOf([token]));
    const least = Math.min(...boxes.map((box) => box.width));
    const seen_from = (x, y, size) => {
      const [width, height] = [board.clientWidth, board.clientHeight].map((pixels) => (pixels - 2 * EDGE) * least / size);
      return own.filter((token, i) => boxes[i].x >= x && boxes[i].x + boxes[i].width <= x + width &&
        boxes[i].y >= y && boxes[i].y + boxes[i].height <= y + height);
    };
    const [xs, ys] = ["x", "y"].map((axis) => boxes.map((box) => box[axis]));
    if (seen_from(Math.min(...xs), Math.min(...ys), SMALLEST).length === own.length) return own;
    return xs.flatMap((x) => ys.map((y) => seen_from(x, y, COMFORT)))
      .reduce((most, seen) => (seen.length > most.length ? seen : most), own.slice(0, 1));
  };

  // The first view: one's own units, or the places for new ones.  A whole map to pick from would be too small to read:
  // then as much as can be read, around the centres already picked or else in the middle of all.
  const open_view = () => {
    const own = [...drawing.querySelectorAll(".mine")];
    if (own.length) {
      const shown_units = readable_units(own);
      elsewhere = !subject && shown_units.length < own.length;
      render_choices();
      return view.fit(view.boxOf(shown_units), { margin: EDGE, most: 5 });
    }
    const goals = [...drawing.querySelectorAll(".aimed")];
    const all = view.boxOf(goals);
    const [width, height] = [board.clientWidth / READABLE, board.clientHeight / READABLE];
    if (!all || all.width < width && all.height < height) return view.fit(all, { margin: EDGE, most: 5 });
    const picked = data.owned.map((place) => drawing.querySelector(`.province[data-province="${place}"]`)).filter(Boolean);
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

  // Above the finger, else where it hides least of what it is about, and never over the edge of the map.
  const show_near = ([x, y], parts, look, about = []) => {
    near.replaceChildren(...parts);
    near.className = look;
    near.hidden = false;
    const frame = board.parentElement.getBoundingClientRect();
    const [width, height] = [near.offsetWidth, near.offsetHeight];
    const grown = ({ left, right, top, bottom }, by) => ({ left: left - by, right: right + by, top: top - by, bottom: bottom + by });
    const finger = grown({ left: x, right: x, top: y, bottom: y }, FINGER);
    const boxes = [finger, ...about.map((each) => grown(each.getBoundingClientRect(), 6))];
    const within = (value, least, most) => Math.max(least + 4, Math.min(most - 4, value));
    const lefts = [x - width / 2, ...boxes.flatMap((box) => [box.left - width, box.right])];
    const tops = boxes.flatMap((box) => [box.top - height, box.bottom]);
    const places = lefts.flatMap((across) => tops.map((down) => {
      const left = within(across, frame.left, frame.right - width);
      const top = within(down, frame.top, frame.bottom - height);
      const place = { left, top, right: left + width, bottom: top + height };
      const away = Math.hypot(left + width / 2 - x, top + height / 2 - y);
      return { ...place, cost: away + boxes.reduce((sum, box) => sum + 10 * overlap(place, box), 0) };
    }));
    const best = places.reduce((one, other) => (other.cost < one.cost ? other : one));
    near.style.left = `${best.left - frame.left}px`;
    near.style.top = `${best.top - frame.top}px`;
  };

  const show_note = (one, choice, spot) => {
    const texts = [make("code", "", choice.order), make("span", "meaning", choice.meaning), ...remarks_on(one, choice, spot)];
    const drawn = [...drawing.querySelectorAll(".order")].filter((each) => each.dataset.unit === code_of(choice));
    const about = [...tokens(one), ...drawn.flatMap((each) => [...each.children])];
    show_near(spot, [...texts, button(data.sentences.undo, undo)], "note-near", about);
  };

  // Crowded symbols and small provinces, spread out so that a finger can tell them apart.
  const fan_out = (items, spot) => {
    const made = items.map(({ label, name, token, act }) => {
      const one = button("", () => { hide_near(); act(); });
      one.setAttribute("aria-label", label);
      if (token) {
        const symbol = element("svg", { class: "am-map", viewBox: "-20 -20 40 40", "aria-hidden": "true" });
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
    show_near(spot, made, "fan");
    near.setAttribute("aria-label", data.sentences.which);
  };

  const far_from = (token, [x, y]) => {
    const box = token.getBoundingClientRect();
    return [Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y), box.width];
  };

  const tap_unit = (token, spot) =>
    tap(place_of(token.dataset.unit), token.dataset.unit, token.classList.contains("mine"), spot);

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
    const places = [...new Set([...under && aimed ? [under] : [], ...aims])];
    if (places.length > 1) {
      return fan_out(places.map((place) => ({
        label: data.places[place], name: data.places[place], act: () => tap(place, "", false, spot),
      })), spot);
    }
    if (places.length || under) return tap(places[0] || under, "", false, spot);
    said(`${data.sentences["off-map"]} ${subject ? data.sentences["tap-goal"] : data.start}`);
  };

  // -- keeping what was chosen ---------------------------------------------------------------

  // A browser may refuse to store anything for a file; then a reload begins anew.
  const save = () => {
    try {
      localStorage.setItem(data.key, JSON.stringify([...orders].map(([one, made]) => [one.id, made.order])));
    } catch { /* nothing is kept */ }
  };

  const find = (choices, fits) => {
    for (const choice of choices || []) {
      const made = choice.order && fits(choice) ? choice : find(choice.then, fits);
      if (made) return made;
    }
    return null;
  };

  const restore = () => {
    try {
      for (const [id, order] of JSON.parse(localStorage.getItem(data.key)) || []) {
        const one = data.subjects.find((each) => each.id === id);
        const made = one && find(one.then, (choice) => choice.order === order);
        if (made && waiting(one)) orders.set(one, made);
      }
    } catch { /* nothing was kept */ }
  };

  const copy = async () => {
    const text = part("text");
    const tell = (code) => { part("status").textContent = data.sentences[code]; };
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
      tell("copied");
    } catch {
      tell(document.execCommand("copy") ? "copied" : "not-copied");
    }
  };

  const render = () => {
    warned = check(codes());
    render_choices();
    render_orders();
    render_text();
    render_map();
  };

  const keys = (event) => {
    if (event.key === "Escape" && !near.hidden) return hide_near();
    if (event.key === "Escape") return select(data.subjects.length === 1 ? data.subjects[0] : null);
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const act = { z: event.shiftKey ? redo : undo, y: redo }[event.key.toLowerCase()];
    if (act) { event.preventDefault(); act(); }
  };

  for (const one of data.subjects) tokens(one).forEach((token) => token.classList.add("mine"));
  drawing.addEventListener("click", touched);
  board.addEventListener("pointerdown", (event) => { if (!near.contains(event.target)) hide_near(); });
  part("undo").addEventListener("click", undo);
  part("redo").addEventListener("click", redo);
  part("copy").addEventListener("click", copy);
  part("clear").addEventListener("click", clear);
  document.addEventListener("keydown", keys);
  restore();
  if (data.subjects.length === 1) subject = data.subjects[0];
  render();
  open_view();
})();
