// The page for newcomers: small positions that the reader orders and the judge answers, step by step.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { part, make, button } = pageParts;
  const { sentences, steps, table, lang, power: mine } = data;
  const say = (code, ...texts) => sentences[code].replace(/%/g, () => texts.shift());
  const KEY = "alexmagnum learn";
  const EDGE = 48; // CSS pixels from the places of a lesson to the edge of the map
  const NEAR = 1.9; // CSS pixels to a unit of the map above which less is seen, and nothing better

  for (const dead of document.querySelectorAll("[data-scripted]")) dead.hidden = false;
  const board = part("board");
  const drawing = board.querySelector("svg");
  const [, , width, height] = drawing.getAttribute("viewBox").split(" ").map(Number); // of the whole map
  const view = panZoom(board, drawing);
  const map = makeTableMap({ drawing, pieces: table.pieces, canvas: table.canvas, powers: table.powers });
  const choices = makeTableChoices(table);
  const worker = pageJudge({ bundle: part("judge").textContent, board: data.board, lang });
  const judge = makeTableJudge(worker, { ...table, lang });
  // All that matters stays in sight: nothing but the reader moves the map while they order.
  const steady = { ...view, fit: () => {}, bring: () => {} };
  const chooser = makeOrderChooser({ sentences: table.sentences, places: table.places, board, drawing, view: steady });
  const layers = makeMapLayers(drawing);
  const judge_buttons = [...document.querySelectorAll(".judge-it")];
  const code_of = (choice) => choice.code || choice.order;

  let lesson = null; // what is on the map: {step, number, task, position, scene, begun, answer}; begun: the judge is there
  let early = null; // carries out a tap on the map that came before that
  let opened = 0; // how many lessons were opened: what the judge says of an earlier one is out of date

  // -- what is kept ------------------------------------------------------------------------------

  const done = new Set();
  try {
    for (const id of JSON.parse(localStorage.getItem(KEY)) || []) done.add(id);
  } catch { /* nothing was kept */ }

  const keep = (id) => {
    done.add(id);
    try { localStorage.setItem(KEY, JSON.stringify([...done])); } catch { /* nothing is kept */ }
  };

  const is_done = ({ tasks }) => Boolean(tasks) && tasks.every(({ id }) => done.has(id));

  // -- words -------------------------------------------------------------------------------------

  // Orders stand between backticks.
  const put_text = (place, text) => place.replaceChildren(
    ...text.split("`").map((piece, i) => (i % 2 ? make("code", "", piece) : piece)));

  // What follows from a rule, without its number: nobody here knows it.
  const plain = (text) => text.replace(/ \([^()]*\bR\d+\w*\)/g, "");

  const badge = (power) => {
    const { color, letter, ink, name } = table.powers[power];
    const made = make("span", `badge ${ink}`, letter);
    made.style.background = color;
    made.title = name;
    return made;
  };

  const show_steps = () => {
    const links = [...document.querySelectorAll("nav li a")];
    links.forEach((link, i) => {
      const finished = is_done(steps[i]);
      link.classList.toggle("done", finished);
      link.setAttribute("aria-label", `${say("step", i + 1, link.dataset.title)}${finished ? ` (${say("done-step")})` : ""}`);
      if (i === lesson.step) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    });
    const here = links[lesson.step];
    const list = here.closest("ol");
    list.scrollLeft = here.offsetLeft - list.offsetLeft - list.clientWidth / 2 + here.offsetWidth / 2;
  };

  // -- the map -----------------------------------------------------------------------------------

  const frame = () => {
    const slots = lesson.task.around.flatMap((place) => table.pieces.slots[place].slice(0, 1));
    const [xs, ys] = [0, 1].map((axis) => slots.map((slot) => slot[axis]));
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    const least = Math.min(board.clientWidth / width, board.clientHeight / height);
    view.fit({ x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }, { margin: EDGE, most: NEAR / least });
  };

  const fate_of = (power, unit, code) => {
    const { outcome } = lesson.answer || {};
    return outcome && outcome.fates[`${power} ${unit || code}`];
  };

  const entry = (power, code, subject) => {
    const unit = (/^([AFG] \S+) /.exec(code) || [])[1];
    const { result, stop, attacked } = fate_of(power, subject ? subject.unit : unit, code) || {};
    return { code, power, subject, result, stop, attacked };
  };

  // After the judge has answered, units stand where they went, and the arrows say how.
  const paint = () => {
    const { position, scene, task, answer } = lesson;
    map.show(answer ? answer.next.position : position);
    chooser.mark();
    const own = [...scene.orders].map(([one, choice]) => entry(mine, code_of(choice), one));
    const others = task.secret && !answer ? [] : Object.entries(task.orders || {}).flatMap(([power, codes]) => codes.map((code) => entry(power, code)));
    const lost = answer ? answer.outcome.lost.map(({ power, unit }) => ({ code: `Lost ${unit}`, power })) : [];
    const drawn = makeOrderArrows(map.canvasOf(position), mine)([...own, ...others, ...lost]);
    layers.showOrders(drawn, ({ power }) => ({ ...table.powers[power], state: "ghost", power }), table.canvas.flags, map.symbol);
  };

  // -- the orders --------------------------------------------------------------------------------

  const row = (one) => {
    const line = make("li");
    const made = lesson.scene.orders.get(one);
    const named = button(one.name, () => chooser.select(one === chooser.subject ? null : one, true), "subject");
    named.dataset.subject = one.id;
    named.setAttribute("aria-pressed", String(one === chooser.subject));
    if (made) named.append(make("code", "", made.order));
    named.append(make("span", "meaning", made ? made.meaning : lesson.scene.kind === "movement" ? say("holds") : table.sentences["no-order"]));
    line.append(named);
    if (made) {
      const cross = button("×", () => chooser.remove(one), "delete");
      cross.setAttribute("aria-label", chooser.sentence("delete", made.order));
      line.append(cross);
    }
    return line;
  };

  const make_scene = (position, kind, due, subjects) => ({
    subjects, kind, orders: new Map(), past: [], future: [],
    start: say(subjects.some((one) => one.unit) ? "start" : "start-places"),
    owned: [],
    say: { who: sentences.who, nobody: sentences.nobody },
    room() { return ["movement", "retreats"].includes(kind) || this.orders.size < (due[mine] ?? 1); },
    endOf: (place) => table.pieces.slots[place] && map.end(position, place),
    check: () => {},
    save: () => { lesson.answer = null; },
    paint,
    render: (shown) => {
      part("subjects").replaceChildren(...shown.map(row));
      const judged = Boolean(lesson.answer);
      for (const each of [part("answer"), document.querySelector(".outcome")]) each.hidden = !judged;
      document.querySelector(".choose").hidden = judged;
      document.body.classList.toggle("judged", judged);
    },
    remarks: (one, choice) => [make("span", "meaning", choice.meaning)],
  });

  const set_orders = (codes) => {
    const { scene } = lesson;
    scene.orders.clear();
    for (const code of codes) {
      for (const one of scene.subjects) {
        const choice = chooser.find(one.then, (each) => code_of(each) === code);
        if (choice) scene.orders.set(one, choice);
      }
    }
  };

  // -- the judge ---------------------------------------------------------------------------------

  let no_judge = "";
  worker.failed((why) => {
    part("no-judge").textContent = no_judge = say(`judge-${why}`);
    part("asked").textContent = "";
  });

  const ready = (on) => {
    for (const each of [...judge_buttons, part("show")]) each.disabled = !on;
  };

  const ask = async (shown) => {
    const { position, scene, task } = lesson;
    const asked = lesson;
    const orders = { ...task.orders, [mine]: [...scene.orders.values()].map(code_of) };
    ready(false);
    try {
      const outcome = await judge.results(position, orders, scene.kind);
      const next = await judge.next(position, orders);
      if (asked !== lesson) return;
      lesson.answer = { outcome, next };
      chooser.select(null);
      show_answer(lessonGoal.reached(task.goal, next), shown);
    } catch (error) {
      part("no-judge").textContent = no_judge || String(error.message || error);
    }
    if (asked === lesson) ready(true);
  };

  const show_answer = (reached, shown) => {
    const { task, answer: { outcome } } = lesson;
    const fates = Object.values(outcome.fates);
    if (reached && !shown) keep(task.id);
    part("verdict").textContent = say(shown ? "shown" : reached ? "reached" : "missed");
    part("answer").classList.toggle("good", reached);
    put_text(part("remark"), reached ? task.done : lessonGoal.hint(task.hints, fates.filter(({ power }) => power === mine)));
    const onward = button(say("next"), go_on, "main");
    const again = button(say(shown ? "self" : "again"), () => begin_again(shown));
    const show = button(say("show"), show_solution);
    part("onward").replaceChildren(...shown ? [again, onward] : reached ? [onward, again] : [again, show]);
    const told = fates.filter((fate) => fate.order || fate.notable);
    part("fates").replaceChildren(...told.map((fate) => {
      const line = make("li", fate.bad ? "bad" : "good");
      line.append(badge(fate.power), make("code", "", choices.written(fate.order || fate.unit)), make("span", "", plain(fate.text)));
      return line;
    }));
    part("happened").hidden = !told.length;
    show_steps();
    document.querySelector(".outcome").scrollTop = 0;
    part("verdict").focus();
  };

  const begin_again = (anew) => {
    const { subjects, orders } = lesson.scene;
    lesson.answer = null;
    if (anew) orders.clear();
    chooser.select(subjects.length === 1 ? subjects[0] : null);
    if (orders.size) chooser.said(say("kept"));
    document.querySelector(".choose").scrollTop = 0;
    part("asked").focus({ preventScroll: true });
  };

  const show_solution = () => {
    set_orders(lesson.task.solution);
    ask(true);
  };

  // -- from lesson to lesson -----------------------------------------------------------------------

  const go_on = () => {
    const { step, number } = lesson;
    const more = number + 1 < steps[step].tasks.length;
    location.hash = more ? `${step + 1}.${number + 2}` : `${step + 2}`;
  };

  const read_hash = () => {
    const [, step = 0, number = 1] = /^#(\d+)(?:\.(\d+))?$/.exec(location.hash) || [];
    const first = steps.findIndex((each) => !is_done(each));
    const at = Math.min(Number(step) || first + 1, steps.length) - 1;
    return [at, Math.min(Number(number) || 1, (steps[at].tasks || [0]).length) - 1];
  };

  // Supports and convoys are offered from the lesson on that teaches them.
  const known = (options) => {
    const tasks = steps.flatMap((each) => each.tasks || []);
    const act = (code) => (/^[AFG] \S+ ([SC]) /.exec(code) || [])[1];
    const taught = new Set(tasks.slice(0, tasks.indexOf(lesson.task) + 1).flatMap(({ solution }) => solution.map(act)));
    return options.map((each) => ({ ...each, orders: each.orders.filter((code) => !act(code) || taught.has(act(code))) }));
  };

  const show_words = ({ title, tasks = [] }, number) => {
    const { words = "", task = "" } = tasks[number] || {};
    part("step").textContent = `${tasks.length ? `${lesson.step + 1} · ` : ""}${title}`;
    if (tasks.length > 1) part("step").append(make("small", "", ` ${say("part", number + 1, tasks.length)}`));
    put_text(part("words"), words);
    put_text(part("task"), task);
  };

  const show_reading = () => {
    const reading = !steps[lesson.step].tasks;
    document.body.classList.toggle("talk", reading);
    for (const hidden of [".map", ".choose", ".speech"]) document.querySelector(hidden).hidden = reading;
    for (const each of [part("answer"), document.querySelector(".outcome")]) each.hidden = true;
    document.querySelector(".reading").hidden = !reading;
    part("all-done").textContent = steps.every((each) => !each.tasks || is_done(each)) ? say("all-done") : "";
    return reading;
  };

  const open = async (moved) => {
    const number = opened += 1;
    early = null;
    const [step, which] = read_hash();
    lesson = { step, number: which, task: (steps[step].tasks || [])[which], answer: null };
    show_words(steps[step], which);
    show_steps();
    ready(false);
    scrollTo(0, 0);
    if (moved) part("step").focus({ preventScroll: true });
    if (show_reading()) return;
    lesson.position = data.positions[lesson.task.id];
    lesson.scene = make_scene(lesson.position, "movement", {}, []);
    chooser.show(lesson.scene);
    chooser.render();
    part("asked").textContent = no_judge ? "" : say("opening");
    frame();
    part("choices").setAttribute("aria-busy", "true");
    let phase, due, options;
    try {
      ({ phase, due } = await judge.begin(lesson.position));
      options = known(await judge.options(lesson.position, due, mine));
    } finally {
      if (number === opened) part("choices").removeAttribute("aria-busy");
    }
    if (number !== opened) return;
    const subjects = choices.subjects(options, map.unitsOf(lesson.position), phase.kind, mine)
      .filter(({ then }) => code_of(then[0] || {}) !== "Waive");
    lesson.scene = make_scene(lesson.position, phase.kind, due, subjects);
    lesson.begun = true;
    chooser.show(lesson.scene);
    chooser.render();
    ready(true);
    if (early) early();
    early = null;
  };

  // A tap on the map while the judge starts is carried out once it is there.
  board.addEventListener("click", (event) => {
    if (lesson.begun || !drawing.contains(event.target)) return;
    early = pageParts.keepTap(drawing, event);
    event.stopImmediatePropagation();
  }, true);

  // A tap on the map after the answer begins anew, unless all is well.
  board.addEventListener("click", (event) => {
    if (!lesson.answer) return;
    if (part("answer").classList.contains("good")) return event.stopImmediatePropagation();
    begin_again(false);
  }, true);

  // A tap that may have meant several places is answered first.
  const judge_it = () => {
    const near = part("near");
    if (near.hidden) return ask(false);
    chooser.said(say("first", [...near.querySelectorAll("button")].map((each) => each.textContent).join(" / ")));
    document.querySelector(".choose").scrollTop = 0;
  };

  for (const each of judge_buttons) each.addEventListener("click", judge_it);
  part("show").addEventListener("click", show_solution);
  addEventListener("hashchange", () => open(true).catch(() => {}));
  addEventListener("resize", () => { if (lesson.task && !view.handled) frame(); });
  open(false).catch(() => {});
})();
