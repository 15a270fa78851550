// A table to think at: everybody's units can be ordered, and what comes of it is shown, phase by phase.
//
//   const table = makeTable({ data, judge, chooser, drawing, position, layers, own });
//   await table.enter()        shows the table in place of what the page showed before
//   table.leave()              gives the map back
//
// `data`: what alexmagnum/report/sheet.py writes; `judge`: the answers of makeTableJudge; `own`: what a page has
// for its reader's own orders, if anybody is its reader: {power, heading, orders(), give(codes)}.
const makeTable = ({ data, judge, chooser, drawing, layers, position, own, changed = () => {} }) => {
  const { part, make, button } = pageParts;
  const { sentences, powers } = data;
  const say = (code, ...texts) => sentences[code].replace(/%/g, () => texts.shift());
  const mine = own ? own.power : "";

  const map = makeTableMap({ drawing, pieces: data.pieces, canvas: data.canvas, powers });
  const choices = makeTableChoices(data);
  const plans = makeTablePlans(data.key, ["A", "B", "C"]);
  let asked = 0; // the number of the last question to the judge: older answers are out of date
  let told = ""; // the order that was given last

  // -- phases ----------------------------------------------------------------------------------

  const code_of = (choice) => choice.code || choice.order;
  // An order that is not offered can be tried all the same, if it is one for this unit: the judge says what is wrong.
  const find_choice = (one, code) => chooser.find(one.then, (choice) => code_of(choice) === code) ||
    (one.unit && code.startsWith(`${one.unit} `) ? choices.leaf(code) : null);

  const put = (step, orders, subjects = step.subjects) => {
    for (const one of subjects) {
      const choice = orders[one.id] && find_choice(one, orders[one.id]);
      if (choice) step.orders.set(one, choice);
    }
  };

  const sort = (subjects) => {
    const place = (one) => (one.power === mine ? -1 : Object.keys(powers).indexOf(one.power));
    return subjects.sort((one, other) => place(one) - place(other));
  };

  // To list all orders takes the judge a while, so it does that power by power while the reader looks at the first
  // results: in a phase of moves the units are there at once, in winter they come with their orders.
  const make_step = async (at, kept = {}) => {
    const { phase, due } = await judge.begin(at);
    const moving = phase.kind === "movement";
    const units = map.unitsOf(at).filter((unit) => unit.power !== data.pieces.independent);
    const playing = Object.keys(powers).filter((power) => power !== data.pieces.independent);
    const later = moving ? units.map((unit) => unit.power) : phase.kind === "retreats" ? []
      : phase.kind === "picks" ? playing : playing.filter((power) => due[power]);
    later.sort((one, other) => (other === mine) - (one === mine));
    const options = moving ? units.map(({ power, name }) => ({ power, unit: name, orders: [] }))
      : later.length ? [] : await judge.options(at, due);
    const subjects = sort(choices.subjects(options, map.unitsOf(at), phase.kind, mine));
    const missing = new Set(later);
    const step = { position: at, phase, due, missing, kept, ending: "", subjects, orders: new Map(), past: [], future: [], outcome: null };
    put(step, kept);
    return step;
  };

  const take_options = (step, found) => {
    const known = new Map(step.subjects.map((one) => [one.id, one]));
    const more = found.filter((one) => !known.has(one.id));
    for (const one of found) if (known.has(one.id)) known.get(one.id).then = one.then;
    if (!more.length) return;
    step.subjects.push(...more);
    sort(step.subjects);
    put(step, step.kept, more);
    if (step !== plans.step()) return;
    chooser.render();
    if (step.orders.size) work_out();
  };

  const list_options = async (step) => {
    if (step.listing) return;
    step.listing = true;
    while (step.missing.size && step === plans.step()) {
      const wanted = chooser.subject && chooser.subject.power;
      const power = step.missing.has(wanted) ? wanted : [...step.missing][0];
      const found = await judge.options(step.position, step.due, power);
      step.missing.delete(power);
      take_options(step, choices.subjects(found, map.unitsOf(step.position), step.phase.kind, mine));
      if (step === plans.step() && chooser.subject && chooser.subject.power === power) {
        chooser.render();
        chooser.resume();
      }
    }
    step.listing = false;
  };

  const codes_by_power = (step) => {
    const found = {};
    for (const [one, choice] of step.orders) (found[one.power] ||= []).push(code_of(choice));
    return found;
  };

  // -- results ---------------------------------------------------------------------------------

  const fate_of = (step, one) => {
    if (!step.outcome) return null;
    const choice = step.orders.get(one);
    return step.outcome.fates[`${one.power} ${one.unit || (choice ? code_of(choice) : "")}`] || null;
  };

  const work_out = async () => {
    const step = plans.step();
    const number = asked += 1;
    part("verdict").setAttribute("aria-busy", "true");
    try {
      const outcome = await judge.results(step.position, codes_by_power(step), step.phase.kind);
      if (number !== asked) return;
      step.outcome = outcome;
    } catch (error) {
      if (number !== asked) return;
      step.outcome = null;
      part("verdict").textContent = say("refused", String(error.message || error));
      return;
    } finally {
      if (number === asked) part("verdict").removeAttribute("aria-busy");
    }
    chooser.render();
    part("verdict").textContent = verdict(step);
    told = "";
    changed();
  };

  // What a reader of the screen hears: the order just given, then who is in trouble, then how many succeed.
  const verdict = (step) => {
    const { fates } = step.outcome;
    const all = Object.values(fates);
    const last = all.find((fate) => fate.order && fate.order === told);
    const named = (wanted) => all.filter((fate) => fate.unit && fate.end === wanted).map((fate) => fate.unit).join(", ");
    const failed = all.filter((fate) => fate.bad && fate.order).length;
    const good = all.filter((fate) => !fate.bad && fate.order).length;
    const parts = [
      last ? say("told", choices.written(last.order), last.text) : "",
      step.orders.size ? say("counts", good, failed) : say(step.phase.kind === "movement" ? "nothing-yet" : "none-yet"),
      named("dislodged") ? say("beaten", named("dislodged")) : "",
      named("destroyed") ? say("destroyed", named("destroyed")) : "",
      step.ending || "",
    ];
    return parts.filter(Boolean).join(" ");
  };

  // -- the map ---------------------------------------------------------------------------------

  const paint = () => {
    const step = plans.step();
    const { kind } = step.phase;
    const looks = {};
    for (const { power, name } of map.unitsOf(step.position)) {
      const fate = step.outcome && step.outcome.fates[`${power} ${name}`];
      looks[`${power} ${name}`] = [fate && fate.end === "dislodged" && kind === "movement" ? "beaten" : "", mine && power !== mine ? "other" : ""].join(" ").trim();
    }
    map.show(step.position, looks);
    chooser.mark();
    const entries = step.subjects.flatMap((one) => entry_of(step, one, kind));
    const lost = step.outcome ? step.outcome.lost.map(({ power, unit }) => ({ code: `Lost ${unit}`, power })) : [];
    const drawn = makeOrderArrows(map.canvasOf(step.position), mine)([...entries, ...lost]);
    layers.showOrders(drawn, look_of(step), data.canvas.flags, map.symbol);
  };

  const entry_of = (step, one, kind) => {
    const choice = step.orders.get(one);
    const fate = fate_of(step, one);
    const shown = fate ? { result: fate.result, stop: fate.stop, attacked: fate.attacked } : {};
    if (choice) return [{ code: code_of(choice), power: one.power, subject: one, ...shown }];
    if (!one.unit || kind !== "movement") return [];
    return [{ code: `${one.unit} H`, power: one.power, subject: one, unordered: true, ...shown }];
  };

  const look_of = (step) => (order) => {
    const { color, letter, ink } = powers[order.power] || { color: "#555", letter: "", ink: "light" };
    const guessed = order.power === mine || !mine ? "" : "guess";
    const lit = order.subject && plans.differences(order.subject, order.unordered ? "" : order.code).length ? "lit" : "";
    const state = step.phase.kind === "deployment" ? "" : "ghost";
    return { color, letter, ink, state, power: order.power, about: [guessed, lit, order.unordered ? "unordered" : ""].filter(Boolean).join(" ") };
  };

  // -- lists -----------------------------------------------------------------------------------

  const list = makeTableList({ data, say, mine, plans, choices, chooser, judge, fate_of, codes_by_power });

  const sure = makeTableSure({
    data, say, mine, judge, drawing, written: choices.written,
    step: () => plans.step(), orders: () => codes_by_power(plans.step()),
    give: (power, codes) => take_plan(power, codes),
  });

  // Puts a plan in place of a power's orders; it is one act, which can be undone.
  const take_plan = (power, codes) => {
    const step = plans.step();
    chooser.change(say("sure-given"), () => {
      for (const one of step.subjects.filter((each) => each.power === power)) {
        const code = codes.find((each) => each.startsWith(`${one.unit} `));
        const choice = code && find_choice(one, code);
        if (choice) step.orders.set(one, choice);
      }
    });
    chooser.render();
    chooser.said(say("sure-given"));
  };

  const render_bar = () => {
    const plan = plans.current();
    const step = plans.step();
    part("plans").querySelectorAll("button").forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === plans.open));
      tab.tabIndex = i === plans.open ? 0 : -1;
    });
    part("phase").textContent = step.phase.name;
    document.body.classList.toggle("ahead", plan.at > 0); // the map's own heading and scores are those of the first phase
    part("back").setAttribute("aria-disabled", String(!plan.at));
    part("on").setAttribute("aria-disabled", String(Boolean(step.ending)));
  };

  // -- scenes ----------------------------------------------------------------------------------

  const scene_of = (step) => step.scene ||= {
    subjects: step.subjects, orders: step.orders, past: step.past, future: step.future, kind: step.phase.kind,
    get start() { return say(step.subjects.some((one) => one.unit) ? "start" : step.subjects.length || step.missing.size ? "start-places" : "nothing"); },
    owned: Object.keys(step.position.owners || {}).filter((place) => step.position.owners[place] === mine),
    say: { who: sentences.who, nobody: sentences.nobody },
    room: (one) => {
      if (["movement", "retreats"].includes(step.phase.kind)) return true;
      return [...step.orders.keys()].filter((other) => other.power === one.power).length < (step.due[one.power] ?? 1);
    },
    listing: (one) => step.missing.has(one.power),
    endOf: (place) => data.pieces.slots[place] && map.end(step.position, place),
    check: () => {},
    save: () => { plans.changed(); work_out(); },
    paint,
    render: () => { list.render(step); render_bar(); sure.render(); },
    remarks: (one, choice) => {
      told = code_of(choice);
      const fate = fate_of(step, one);
      return fate && fate.order === told ? [make("span", `fate ${fate.bad ? "bad" : "good"}`, fate.text)] : [];
    },
  };

  const show_step = () => {
    const step = plans.step();
    chooser.show(scene_of(step));
    chooser.render();
    if (step.outcome) part("verdict").textContent = verdict(step);
    else work_out();
    list_options(step).catch(() => { step.listing = false; });
  };

  // -- what the buttons do -----------------------------------------------------------------------

  const busy = async (act) => {
    part("table").setAttribute("aria-busy", "true");
    try { await act(); }
    catch (error) { part("verdict").textContent = say("refused", String(error.message || error)); }
    finally { part("table").removeAttribute("aria-busy"); }
  };

  const play_on = () => busy(async () => {
    const plan = plans.current();
    const step = plans.step();
    if (step.ending) return chooser.said(step.ending);
    if (!plan.steps[plan.at + 1]) {
      const next = await judge.next(step.position, codes_by_power(step));
      if (next.over) {
        step.ending = next.over;
        return chooser.render();
      }
      plan.steps.push(await make_step(next.position, plan.kept[plan.at + 1]));
    }
    plan.at += 1;
    plans.save();
    show_step();
    chooser.said(say("now", plans.step().phase.name));
  });

  const go_back = () => {
    const plan = plans.current();
    if (!plan.at) return chooser.said(say("at-start"));
    plan.at -= 1;
    show_step();
    chooser.said(say("now", plans.step().phase.name));
  };

  const open_plan = (number, focus) => busy(async () => {
    const before = plans.current();
    plans.open = number;
    await ready_plan(plans.current(), before);
    show_step();
    chooser.said(say("plan-open", plans.current().name));
    if (focus) part("plans").children[number].focus();
  });

  // A plan that was never opened begins as a copy of the one from which it is opened.
  const ready_plan = async (plan, like) => {
    if (plan.steps.length) return;
    const first = like && like.steps[0];
    const orders = plan.kept.length || !first ? plan.kept[0] || {}
      : Object.fromEntries([...first.orders].map(([one, choice]) => [one.id, code_of(choice)]));
    plan.steps.push(await make_step(position, orders));
    if (!plan.kept.length && !like && own) take_own(plan.steps[0]);
    plan.at = 0;
  };

  const take_own = (step) => {
    for (const code of own.orders()) {
      const one = step.subjects.find((each) => each.power === mine && !step.orders.has(each) && find_choice(each, code));
      if (one) step.orders.set(one, find_choice(one, code));
    }
  };

  // The reader's own orders of the first phase: nothing that was guessed for others, nothing of later phases.
  const own_codes = () => {
    const [step] = plans.current().steps;
    return step.subjects.filter((one) => one.power === mine && step.orders.has(one))
      .map((one) => code_of(step.orders.get(one)));
  };

  const copy_mine = async () => {
    const codes = own_codes();
    if (!codes.length) { part("table-status").textContent = say("nothing-mine"); return; }
    const area = part("table-text");
    area.value = [own.heading, ...codes.map(choices.written)].join("\n");
    area.hidden = false;
    area.select();
    let copied = true;
    try { await navigator.clipboard.writeText(area.value); } catch { copied = document.execCommand("copy"); }
    part("table-status").textContent = say(copied ? "copied-mine" : "not-copied");
  };

  const give_mine = () => {
    own.give(own_codes());
    part("table-status").textContent = say("given");
  };

  const clear_guesses = () => {
    const step = plans.step();
    const guessed = [...step.orders.keys()].filter((one) => one.power !== mine);
    const text = say(own ? "guesses-cleared" : "cleared");
    chooser.change(text, () => guessed.forEach((one) => step.orders.delete(one)));
    chooser.render();
    chooser.said(text);
  };

  // Reads orders, or a whole mail, and takes them over; returns what came of it, line by line.
  const take = async (text, whose = "") => {
    const step = plans.step();
    if (!text.trim()) return [say("paste-empty")];
    const reading = await judge.read(text, step.position, whose);
    const given = Object.entries(reading.orders).flatMap(([power, codes]) => codes.map((code) => [power, code]));
    const taken = [];
    const left = [];
    chooser.change(say("pasted"), () => {
      for (const [power, code] of given) {
        const fits = (each) => each.power === power && find_choice(each, code) && !taken.includes(each);
        const one = step.subjects.find((each) => fits(each) && !step.orders.has(each)) || step.subjects.find(fits);
        if (!one) { left.push(say("paste-not-here", powers[power].name, choices.written(code))); continue; }
        taken.push(one);
        step.orders.set(one, find_choice(one, code));
      }
    });
    const missing = Object.keys(reading.orders).flatMap((power) => step.subjects
      .filter((one) => one.power === power && one.unit && !step.orders.has(one)).map((one) => one.unit));
    const half = missing.length && taken.length && step.phase.kind === "movement" ? [say("paste-half", missing.join(", "))] : [];
    const remarks = (found, more) => [
      ...found.slice(0, 6).map(({ line, message }) => `${line}: ${message}`),
      ...found.length > 6 ? [say(more, found.length - 6)] : [],
    ];
    chooser.render();
    return [taken.length ? say("paste-taken", taken.length) : say("paste-none"),
      ...remarks(reading.unread, "paste-more"), ...left, ...half, ...remarks(reading.guessed, "paste-guessed-more")];
  };

  const paste = () => busy(async () => {
    const lines = await take(part("pasted").value, part("paste-power").value)
      .catch((error) => [say("refused", String(error.message || error))]);
    part("paste-said").replaceChildren(...lines.map((line) => make("span", "", line)));
  });

  const tabs_keys = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    open_plan((plans.open + step + 3) % 3, true);
  };

  const wire = () => {
    part("plans").replaceChildren(...plans.plans.map(({ name }, i) => {
      const tab = button(name, () => open_plan(i));
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", "table");
      tab.setAttribute("aria-label", say("plan", name));
      return tab;
    }));
    part("plans").addEventListener("keydown", tabs_keys);
    part("back").addEventListener("click", go_back);
    part("on").addEventListener("click", play_on);
    part("paste").addEventListener("click", paste);
    part("clear-guesses").addEventListener("click", clear_guesses);
    if (own) {
      part("copy-mine").addEventListener("click", copy_mine);
      part("give-mine").addEventListener("click", give_mine);
    }
  };

  let wired = false;
  const enter = async () => {
    if (!wired) wire();
    wired = true;
    for (const each of [...new Set([0, plans.open])]) await ready_plan(plans.plans[each], each ? plans.plans[0] : null);
    show_step();
  };

  // Starts anew from another position, with orders by power in the first plan; returns the orders that do not fit.
  const begin = async (at, orders = {}) => {
    if (!wired) wire();
    [wired, position] = [true, at];
    plans.forget();
    const step = await make_step(at);
    const left = [];
    for (const [power, codes] of Object.entries(orders)) {
      for (const code of codes) {
        const one = step.subjects.find((each) => each.power === power && !step.orders.has(each) && find_choice(each, code));
        if (one) step.orders.set(one, find_choice(one, code));
        else left.push(`${power} ${code}`);
      }
    }
    plans.current().steps.push(step);
    show_step();
    return left;
  };

  const leave = () => { asked += 1; judge.stop(); map.restore(); layers.clear(); };

  return { enter, begin, leave, take, get orders() { return codes_by_power(plans.step()); }, plans, get step() { return plans.step(); }, show: show_step };
};
