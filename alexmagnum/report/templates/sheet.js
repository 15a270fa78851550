"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const part = (id) => document.getElementById(id);
  const board = part("board");
  const drawing = board.querySelector("svg");
  const sentence = (code, what) => data.sentences[code].replace("%", () => what);
  const EDGE = 60; // CSS pixels within which something is hardly in sight
  const NEAR = 26; // CSS pixels from a unit's middle that still mean it, for fingers

  const orders = new Map(); // by subject: the choice that its order came from
  let subject = null; // what is being ordered, if anything
  let path = []; // the choices made for it so far
  let narrowed = null; // a tap on the map that may mean several things: what it may mean

  // -- what can be chosen --------------------------------------------------------------------

  const free = (choice) =>
    !choice.once || ![...orders].some(([other, made]) => made.once && other !== subject);

  const options = () => ((path.at(-1) || subject).then || []).filter(free);

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

  // -- choosing ------------------------------------------------------------------------------

  const select = (one, moved) => {
    narrowed = null;
    path = [];
    subject = one;
    if (one && !orders.has(one) && !waiting(one)) {
      subject = null;
      tell(data.sentences.full);
    }
    render();
    if (subject && moved) part("asked").focus();
  };

  // Whoever presses a button is led on to the next question; a tap leaves the map where it is.
  const choose = (choice, tapped) => {
    narrowed = null;
    if (choice.select) return select(choice.select, true);
    for (const step of choice.steps || [choice]) {
      if (step.order) {
        orders.set(subject, step);
        save();
        tell(sentence("noted", step.order));
        subject = null;
        path = [];
      } else {
        path.push(step);
      }
    }
    // With one thing to order, the next tap on the map changes the mind about it.
    if (!subject && data.subjects.length === 1) subject = data.subjects[0];
    render();
    part("asked").focus({ preventScroll: Boolean(tapped) });
  };

  const remove = (one) => {
    tell(sentence("deleted", orders.get(one).order));
    orders.delete(one);
    save();
    render();
  };

  // A tap goes for the question that is open, else for any step that answers it, else for a unit.
  const tap = (place, unit) => {
    const own = hits(shown(), place, unit).filter((one) => one !== subject);
    if (!subject) {
      if (own.length === 1) return select(own[0], false);
      narrowed = own.map((one) => ({ label: one.label, select: one }));
      return render();
    }
    let meant = hits(options(), place, unit);
    if (!meant.length && !path.length) {
      meant = options().flatMap((kind) => hits((kind.then || []).filter(free), place, unit)
        .map((choice) => ({ label: `${kind.label}: ${choice.label}`, steps: [kind, choice] })));
    }
    if (!meant.length && own.length === 1) return select(own[0], false);
    if (meant.length === 1 && !(own.length && meant[0].steps)) return choose(meant[0], true);
    narrowed = [...meant, ...own.map((one) => ({ label: sentence("instead", one.label), select: one }))];
    if (narrowed.length) render();
    else narrowed = null;
  };

  // -- what is shown -------------------------------------------------------------------------

  const tell = (text) => { part("status").textContent = text; };

  const button = (text, act, look) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.className = look || "";
    made.addEventListener("click", act);
    return made;
  };

  const question = () => {
    if (narrowed) return sentence("which");
    if (!subject) return data.start;
    return [subject, ...path].map((step) => step.label).join(" · ");
  };

  const render_choices = () => {
    part("asked").textContent = question();
    const listed = narrowed || (subject ? options() : []);
    part("choices").replaceChildren(...listed.map((choice) => button(choice.label, () => choose(choice))));
    const aside = (text, act) => part("choices").append(button(text, act, "aside"));
    if (narrowed && subject) aside(data.sentences.back, () => { narrowed = null; render(); });
    else if (path.length) aside(data.sentences.back, () => { path.pop(); render(); });
    if (subject ? data.subjects.length > 1 : narrowed) aside(data.sentences.cancel, () => select(null));
  };

  const row = (one) => {
    const line = document.createElement("li");
    const made = orders.get(one);
    const named = button(one.label, () => select(one === subject ? null : one, true), "subject");
    named.setAttribute("aria-pressed", String(one === subject));
    const said = document.createElement("span");
    said.className = "said";
    said.textContent = made ? made.meaning : data.sentences["no-order"];
    named.append(said);
    line.append(named);
    if (made) {
      const order = document.createElement("code");
      order.textContent = made.order;
      said.before(order);
      const cross = button("×", () => remove(one), "delete");
      cross.setAttribute("aria-label", sentence("delete", made.order));
      line.append(cross);
    }
    return line;
  };

  const render_orders = () => {
    part("subjects").replaceChildren(...shown().map(row));
    const count = part("count").firstElementChild;
    count.textContent = count.dataset.sentence.replace("%", orders.size);
    const left = data.subjects.filter((one) => !orders.has(one)).map((one) => one.label);
    const missing = data.most < data.subjects.length ? "" : sentence("missing", left.join(", "));
    part("missing").textContent = orders.size < data.most ? missing : data.sentences.complete;
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

  const place_of = (unit) => unit.split(" ")[1].split(/[#/]/)[0];

  // A dislodged unit may have the name of the one that drove it out; what is ordered is one's own.
  const tokens = (choice) =>
    [...drawing.querySelectorAll(".unit")].filter((token) => token.dataset.unit === choice.unit &&
      (!choice.id || token.dataset.power === data.power));

  const ring = (token, look) => {
    const box = token.getBBox();
    const made = document.createElementNS(drawing.namespaceURI, "circle");
    made.setAttribute("class", look);
    made.setAttribute("cx", box.x + box.width / 2);
    made.setAttribute("cy", box.y + box.height / 2);
    made.setAttribute("r", Math.max(box.width, box.height) / 2 + 3);
    token.append(made);
  };

  // Beside the shape itself, so that land stays above the sea and names above both.
  const outline = (place) => {
    for (const shape of drawing.querySelectorAll(`.province[data-province="${place}"]`)) {
      const made = shape.cloneNode(false);
      made.removeAttribute("data-province");
      made.setAttribute("class", "aimed");
      shape.parentNode.append(made);
    }
  };

  const render_map = () => {
    for (const mark of drawing.querySelectorAll(".aimed, .ring")) mark.remove();
    const asked = narrowed ? [] : subject ? options() : data.subjects.filter(waiting);
    const aims = subject && !path.length ? (asked[0] && asked[0].then || asked) : asked;
    for (const choice of aims) {
      if (choice.unit) tokens(choice).forEach((token) => ring(token, "ring"));
      if (choice.at && (!choice.unit || !tokens(choice).length)) outline(choice.at);
    }
    if (!subject) return;
    tokens(subject).forEach((token) => ring(token, "ring here"));
    bring(tokens(subject)[0]);
  };

  const centre = (marks) => {
    const boxes = marks.map((mark) => mark.getBoundingClientRect());
    const seen = board.getBoundingClientRect();
    const middle = (from, to) =>
      (Math.min(...boxes.map((box) => box[from])) + Math.max(...boxes.map((box) => box[to]))) / 2;
    if (!boxes.length) return;
    board.scrollLeft += middle("left", "right") - (seen.left + seen.width / 2);
    board.scrollTop += middle("top", "bottom") - (seen.top + seen.height / 2);
  };

  // The map moves only if what is asked about is out of sight, or nearly.
  const bring = (token) => {
    if (!token) return;
    const seen = board.getBoundingClientRect();
    const at = token.getBoundingClientRect();
    const room = Math.min(at.left - seen.left, seen.right - at.right, at.top - seen.top, seen.bottom - at.bottom);
    if (room < EDGE) centre([token]);
  };

  const touched = (event) => {
    let best = null;
    let least = NEAR;
    for (const token of drawing.querySelectorAll(".unit")) {
      const box = token.getBoundingClientRect();
      const far = Math.hypot(box.x + box.width / 2 - event.clientX, box.y + box.height / 2 - event.clientY);
      if (far < least && far <= box.width) [best, least] = [token, far];
    }
    if (best) return tap(place_of(best.dataset.unit), best.dataset.unit);
    for (const under of document.elementsFromPoint(event.clientX, event.clientY)) {
      if (under.dataset && under.dataset.province) return tap(under.dataset.province, "");
    }
  };

  let zoom = Math.max(1, Math.ceil(2000 / board.clientWidth) / 2);
  const enlarge = (by) => {
    const middle = [board.scrollLeft + board.clientWidth / 2, board.scrollTop + board.clientHeight / 2];
    const before = drawing.getBoundingClientRect().width;
    zoom = Math.min(8, Math.max(1, zoom * by));
    drawing.style.width = `${zoom * 100}%`;
    const grown = drawing.getBoundingClientRect().width / before;
    board.scrollTo(middle[0] * grown - board.clientWidth / 2, middle[1] * grown - board.clientHeight / 2);
  };

  // -- keeping what was chosen ---------------------------------------------------------------

  // A browser may refuse to store anything for a file; then a reload begins anew.
  const save = () => {
    try {
      localStorage.setItem(data.key, JSON.stringify([...orders].map(([one, made]) => [one.id, made.order])));
    } catch { /* nothing is kept */ }
  };

  const found = (choices, order) => {
    for (const choice of choices || []) {
      const made = choice.order === order ? choice : found(choice.then, order);
      if (made) return made;
    }
    return null;
  };

  const restore = () => {
    try {
      for (const [id, order] of JSON.parse(localStorage.getItem(data.key)) || []) {
        const one = data.subjects.find((each) => each.id === id);
        const made = one && found(one.then, order);
        if (made && waiting(one)) orders.set(one, made);
      }
    } catch { /* nothing was kept */ }
  };

  const copy = async () => {
    const text = part("text");
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
      tell(data.sentences.copied);
    } catch {
      tell(document.execCommand("copy") ? data.sentences.copied : data.sentences["not-copied"]);
    }
  };

  const render = () => { render_choices(); render_orders(); render_text(); render_map(); };

  for (const token of drawing.querySelectorAll(".unit")) {
    token.classList.toggle("mine", data.subjects.some((one) => tokens(one).includes(token)));
  }
  drawing.addEventListener("click", touched);
  part("smaller").addEventListener("click", () => enlarge(1 / 1.5));
  part("larger").addEventListener("click", () => enlarge(1.5));
  part("copy").addEventListener("click", copy);
  part("clear").addEventListener("click", () => { orders.clear(); save(); tell(""); select(null); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") select(null); });
  restore();
  if (data.subjects.length === 1) subject = data.subjects[0];
  enlarge(1);
  render();
  centre([...drawing.querySelectorAll(".ring, .aimed")]);
})();
