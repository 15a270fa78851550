// Two questions about a power's plan: whether one can be sure of places, and how safe the plan on the table is.
//
//   const sure = makeTableSure({ data, say, mine, judge, drawing, written, step, orders, give });
//   sure.render()      after every change of the table: what is out of date goes
//
// `step()` is the step on the table, `orders()` all its orders by power; `written(code)` is an order in the reader's notation;
// give(power, codes) takes a plan over.  The box builds itself when it is first opened.
const makeTableSure = ({ data, say, mine, judge, drawing, written, step, orders, give }) => {
  const { part, make, button } = pageParts;
  const { powers, places } = data;
  const box = part("sure");
  const goals = []; // what is asked for: {kind: "take" or "hold", place}
  let tapping = false; // the next tap on the map names the place
  let built = null;

  // -- who, against whom, and what -------------------------------------------------------------

  const playing = () => [...new Set(step().subjects.filter((one) => one.unit).map((one) => one.power))];

  const option = (value, text) => {
    const made = make("option", "", text);
    made.value = value;
    return made;
  };

  const labelled = (text, control, ...more) => {
    const line = make("p", "row");
    const label = make("label", "", text);
    label.htmlFor = control.id;
    line.append(label, control, ...more);
    return line;
  };

  const select = (id) => Object.assign(make("select", ""), { id });

  const list_powers = () => {
    const { who, against } = built;
    const kept = [who.value, against.value];
    const present = playing();
    who.replaceChildren(...present.map((power) => option(power, powers[power].name)));
    who.value = mine || (present.includes(kept[0]) ? kept[0] : present[0] || "");
    const others = present.filter((power) => power !== who.value);
    against.replaceChildren(option("", say("sure-all")), ...others.map((power) => option(power, powers[power].name)));
    against.value = others.includes(kept[1]) ? kept[1] : "";
  };

  const asked = () => {
    const { who, against } = built;
    const others = Object.keys(powers).filter((power) => power !== who.value && power !== data.pieces.independent);
    return { power: who.value, against: against.value ? [against.value] : others };
  };

  const show_goals = () => {
    built.goals.replaceChildren(...goals.map((goal, i) => {
      const text = say(`sure-goal-${goal.kind}`, `${goal.place} (${places[goal.place]})`);
      const chip = button(`${text} ×`, () => { goals.splice(i, 1); show_goals(); built.place.focus({ preventScroll: true }); }, "small");
      chip.setAttribute("aria-label", say("sure-drop", text));
      return chip;
    }));
    built.panel.replaceChildren(ask_plan());
  };

  const add = (kind) => {
    const place = built.place.value;
    if (!place) return;
    const known = goals.findIndex((goal) => goal.place === place);
    if (known >= 0) goals.splice(known, 1);
    goals.push({ kind, place });
    show_goals();
  };

  // -- taps ------------------------------------------------------------------------------------

  const set_tapping = (on) => {
    tapping = on;
    built.tap.setAttribute("aria-pressed", String(on));
    built.said.textContent = on ? say("sure-tapping") : "";
  };

  const touched = (event) => {
    if (!tapping) return;
    const hit = document.elementsFromPoint(event.clientX, event.clientY).map((each) => {
      const unit = each.closest?.("[data-layer='units'] .unit")?.dataset.unit;
      return unit ? unit.split(" ")[1].split(/[#/]/)[0] : each.dataset?.province;
    }).find((place) => place in places);
    if (!hit) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    built.place.value = hit;
    set_tapping(false);
    built.said.textContent = places[hit];
    built.take.scrollIntoView({ block: "nearest" });
  };

  // -- answers ---------------------------------------------------------------------------------

  const percent = (share, exact) => {
    const whole = Math.round(share * 100);
    const rounded = whole === 0 && (share || !exact) ? "<1" : whole === 100 && (share < 1 || !exact) ? ">99" : String(whole);
    return `${rounded} %`;
  };

  const lines = (texts) => {
    const list = make("ul", "chain");
    list.append(...texts.map((text) => {
      const line = make("li", "", text.trimStart());
      line.style.marginInlineStart = `${(text.length - text.trimStart().length) / 2}rem`;
      return line;
    }));
    return list;
  };

  const show_plan = (answer, power) => {
    const { panel, said } = built;
    said.textContent = say(answer.sure ? "take-sure" : answer.sure === false ? "take-none" : "take-open");
    const reached = answer.answers.find(({ lost }) => !lost);
    const share = reached ? reached.share : 0;
    if (!answer.sure && share !== null) {
      panel.append(make("p", "", answer.exact ? say("sure-exact", percent(share, true))
        : say("sure-drawn", Math.round(share * answer.drawn), answer.drawn)));
    }
    panel.append(make("h3", "", say("sure-plan")), lines(answer.plan.map(written)));
    panel.append(button(say("sure-give"), () => give(power, answer.plan), "give"));
    if (answer.spoiled.length) panel.append(make("h3", "", say("sure-spoiled")), lines(answer.spoiled));
  };

  // What comes of an order, and of its unit.
  const result = (each) => say(`result-${each.result}`) + (each.lost && !["dislodged", "destroyed", "entered"].includes(each.result) ? ` + ${say("result-dislodged")}` : "");

  const describe = ({ answers, exact, good }) => {
    const shares = answers.map((each) => (answers.length === 1 && exact ? result(each)
      : each.share === null ? result(each) : `${result(each)} ${percent(each.share, exact)}`));
    const word = good ? "sure-always" : good === false ? "sure-never" : "sure-depends";
    return `${say(word)}: ${shares.join(", ")}${exact ? "" : " *"}`;
  };

  const show_safety = (answer) => {
    const { safe, safe_said } = built;
    const rows = [...answer.orders.map((each) => [each.order ? written(each.order) : each.unit, each]),
      ...answer.centres.map((each) => [`${each.centre} (${places[each.centre]})`, each])];
    const list = make("ul", "");
    list.append(...rows.map(([name, each]) => {
      const line = make("li");
      line.append(make("span", "change", name), make("span", `fate ${each.good ? "good" : "bad"}`, describe(each)));
      const worst = each.answers[each.answers.length - 1];
      const is_bad = each.good !== true && worst.example.length;
      if (is_bad) line.append(lines([say("sure-if", result(worst), worst.example.map(written).join("; "))]));
      return line;
    }));
    safe.append(list);
    safe_said.textContent = say(rows.some(([, each]) => !each.exact) ? "sure-star" : "sure-whole");
  };

  // -- questions -------------------------------------------------------------------------------

  const of_others = (power) => JSON.stringify([step().position, Object.entries(orders()).filter(([other]) => other !== power)]);
  const of_all = () => JSON.stringify([step().position, orders()]);

  const search_plan = async () => {
    if (!goals.length) add("take");
    if (!goals.length) { built.said.textContent = say("sure-nothing"); built.panel.append(built.said); return; }
    const request = { ...asked(), take: [], hold: [] };
    for (const { kind, place } of goals) request[kind].push(place);
    const { panel, said } = built;
    built.plan_key = of_others(request.power);
    const answer = await runTableSearch({ say, judge, panel, said, searching: "sure-searching", again: ask_plan,
      question: (hear) => judge.survey(step().position, orders(), request, hear) });
    if (!answer) return;
    show_plan(answer, request.power);
    panel.append(ask_plan());
  };

  const search_safety = async () => {
    const { safe, safe_said } = built;
    built.safe_key = of_all();
    const answer = await runTableSearch({ say, judge, panel: safe, said: safe_said, searching: "sure-searching", again: ask_safety,
      question: (hear) => judge.survey(step().position, orders(), asked(), hear) });
    if (!answer) return;
    show_safety(answer);
    safe.append(ask_safety());
  };

  const ask_plan = () => button(say("sure-ask"), search_plan, "ask");
  const ask_safety = () => button(say("sure-safe"), search_safety, "ask");

  // -- the box ---------------------------------------------------------------------------------

  const build = () => {
    const saying = () => {
      const said = make("p", "");
      said.setAttribute("role", "status");
      return said;
    };
    built = {
      who: select("sure-power"), against: select("sure-against"), place: select("sure-place"),
      goals: make("p", "row goals"), panel: make("div", "flips plan"), said: saying(),
      safe: make("div", "flips safe"), safe_said: saying(), plan_key: "", safe_key: "",
      tap: button(say("sure-tap"), () => set_tapping(!tapping), "small"),
      take: button(say("sure-take"), () => add("take"), "small"), hold: button(say("sure-hold"), () => add("hold"), "small"),
    };
    const named = Object.entries(places).sort(([, one], [, other]) => one.localeCompare(other));
    built.place.append(option("", "–"), ...named.map(([id, name]) => option(id, `${name} (${id})`)));
    built.who.addEventListener("change", () => { list_powers(); clear(); });
    built.against.addEventListener("change", () => clear());
    const whose = labelled(say("sure-whose"), built.who);
    whose.hidden = Boolean(mine);
    const acts = make("p", "row");
    acts.append(built.take, built.hold);
    box.querySelector("div").append(whose, labelled(say("sure-against"), built.against),
      labelled(say("sure-place"), built.place, built.tap), acts, built.goals, built.panel, built.safe);
    list_powers();
    clear();
    drawing.addEventListener("click", touched, true);
  };

  const clear = (which = ["panel", "safe"]) => {
    if (which.includes("panel")) built.panel.replaceChildren(ask_plan(), built.said);
    if (which.includes("safe")) built.safe.replaceChildren(ask_safety(), built.safe_said);
    for (const said of [which.includes("panel") && built.said, which.includes("safe") && built.safe_said]) if (said) said.textContent = "";
  };

  box.addEventListener("toggle", () => { if (box.open && !built) build(); });

  const render = () => {
    box.hidden = step().phase.kind !== "movement";
    if (!built || box.hidden) return;
    list_powers();
    const { plan_key, safe_key, who } = built;
    if (plan_key && plan_key !== of_others(who.value)) { built.plan_key = ""; clear(["panel"]); }
    if (safe_key && safe_key !== of_all()) { built.safe_key = ""; clear(["safe"]); }
  };

  return { render };
};
