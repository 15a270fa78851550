// The orders of a table as lists, power by power: each with its result in one line and, on a tap, the chain of causes.
const makeTableList = ({ data, say, mine, plans, choices, chooser, judge, fate_of, codes_by_power }) => {
  const { part, make, button } = pageParts;
  const { powers } = data;
  const shut = new Map(); // by power: whether its list was closed or opened by the reader
  let explained = ""; // the subject whose chain of causes is shown
  const flips = makeTableFlips({ say, judge, powers, mine });

  const chain_of = async (step, one, into) => {
    const links = await judge.explain(step.position, codes_by_power(step), one.unit);
    if (links.length === 1) return into.replaceChildren(make("li", "", say("why-alone"))); // its result stands above
    into.replaceChildren(...links.map(({ depth, text }) => {
      const line = make("li", "", text);
      line.style.marginInlineStart = `${depth}rem`;
      return line;
    }));
  };

  // The result in one line; a tap shows the chain of causes below it.
  const fate_line = (step, one, fate) => {
    const open = explained === one.id;
    const why = button(fate.text, () => {
      explained = open ? "" : one.id;
      render(step);
      focus_why(one);
    }, `why ${fate.bad ? "bad" : "good"}`);
    if (one.unit) why.append(make("span", "note", say("why")));
    why.setAttribute("aria-expanded", String(open));
    why.dataset.subject = one.id;
    const shown = [why, ...offers(step, fate)];
    if (!open || !one.unit) return shown;
    const chain = make("ul", "chain");
    chain_of(step, one, chain);
    return [...shown, chain];
  };

  // The orders of other units that an order needs, each in one tap.
  const offers = (step, fate) => (fate.suggestions || []).flatMap((code) => {
    const other = step.subjects.find((each) => each.unit && code.startsWith(`${each.unit} `));
    return other ? [button(choices.written(code), () => chooser.take(other, choices.leaf(code)), "small")] : [];
  });

  const focus_why = (one) => part("table-orders").querySelector(`.why[data-subject="${CSS.escape(one.id)}"]`)?.focus({ preventScroll: true });
  const focus_row = (one) => part("table-orders").querySelector(`.subject[data-subject="${CSS.escape(one.id)}"]`)?.focus({ preventScroll: true });

  const row = (step, one) => {
    const line = make("li");
    const made = step.orders.get(one);
    const fate = fate_of(step, one);
    const named = button(one.name, () => chooser.select(one === chooser.subject ? null : one, true), "subject");
    named.dataset.subject = one.id;
    named.setAttribute("aria-pressed", String(one === chooser.subject));
    if (made) named.append(make("code", "", made.order));
    named.append(make("span", "meaning", made ? made.meaning : step.phase.kind === "movement" ? say("holds") : say("no-order")));
    line.append(named);
    if (made) {
      const cross = button("×", () => { chooser.remove(one); focus_row(one); }, "delete");
      cross.setAttribute("aria-label", chooser.sentence("delete", made.order));
      line.append(cross);
    }
    const others = plans.differences(one, made && (made.code || made.order));
    if (others.length) {
      line.classList.add("lit");
      const texts = others.map(([name, code]) => say("in-plan", name, code ? choices.written(code) : say("no-order")));
      line.append(make("span", "differs", texts.join("; ")));
    }
    if (fate && (made || fate.notable)) line.append(...fate_line(step, one, fate));
    return line;
  };

  const group = (step, power) => {
    const shown = chooser.shown().filter((one) => one.power === power);
    const given = shown.filter((one) => step.orders.has(one)).length;
    const section = make("details", power === mine ? "own" : "");
    section.open = shut.has(power) ? shut.get(power) : power === mine || !mine || shown.includes(chooser.subject);
    const heading = make("summary", "");
    const badge = make("span", `badge ${powers[power].ink}`, powers[power].letter);
    badge.style.background = powers[power].color;
    badge.setAttribute("aria-hidden", "true");
    const count = (end) => shown.filter((one) => (fate_of(step, one) || {}).end === end).length;
    const ends = [["beaten-count", count("dislodged")], ["destroyed-count", count("destroyed")]];
    heading.append(badge, make("span", "", power === mine ? say("yours", powers[power].name) : powers[power].name),
      make("span", "note", [say("given-of", given, step.due[power] ?? shown.length),
        ...ends.filter(([, many]) => many).map(([what, many]) => say(what, many))].join(" · ")));
    heading.addEventListener("click", () => shut.set(power, !section.open));
    const rows = make("ul");
    if (section.open) rows.append(...shown.map((one) => row(step, one)));
    else section.addEventListener("toggle", () => { if (section.open && !rows.children.length) rows.append(...shown.map((one) => row(step, one))); });
    section.append(heading, rows);
    return section;
  };

  const flips_of = (step, one) =>
    step.phase.kind === "movement" && one.unit ? [flips.panel(step, one, codes_by_power(step))] : [];

  const render = (step) => {
    const present = [...new Set(step.subjects.map((one) => one.power))];
    part("table-orders").replaceChildren(...present.map((power) => group(step, power)));
    const fate = chooser.subject && fate_of(step, chooser.subject);
    part("fate").replaceChildren(...fate ? [...fate_line(step, chooser.subject, fate), ...flips_of(step, chooser.subject)] : []);
  };

  return { render };
};
