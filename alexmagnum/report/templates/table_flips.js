// What would flip an order: a search of the judge, with its progress, a button that stops it, and the changes it finds.
//
//   const flips = makeTableFlips({ say, judge, powers, mine });
//   flips.panel(step, one, orders)    the panel for a unit; `orders`: all orders by power, as the judge takes them
//
// A panel belongs to a unit and all orders: while these stay, the same panel comes back with what it found.  A search
// ends when another unit is asked about, and when the judge has to say what other orders give (table_judge.js).
const makeTableFlips = ({ say, judge, powers, mine }) => {
  const { make, button } = pageParts;
  let known = { key: "", panel: null, stop: () => {} };

  const write = (flip) => {
    const line = make("li");
    line.append(make("span", "change", flip.text), make("span", `fate ${judge.isBad(flip.result) ? "bad" : "good"}`, flip.why));
    if (flip.chain.length) {
      const chain = make("ul", "chain");
      chain.append(...flip.chain.map((text) => {
        const link = make("li", "", text.trimStart());
        link.style.marginInlineStart = `${(text.length - text.trimStart().length) / 2}rem`;
        return link;
      }));
      const causes = make("details", "causes");
      causes.append(make("summary", "", say("why")), chain);
      line.append(causes);
    }
    return line;
  };

  const make_panel = (step, one, orders) => {
    const panel = make("section", "flips");
    const said = make("p", "");
    said.setAttribute("role", "status");
    const lists = {};
    let running = false;

    const add = (by, flip) => {
      if (!lists[by]) {
        const whose = by === "others" ? say("flip-others") : one.power === mine ? say("flip-own") : say("flip-theirs", powers[one.power].name);
        lists[by] = make("ul", "");
        panel.append(make("h3", "", whose), lists[by]);
      }
      if (flip) lists[by].append(write(flip));
      else lists[by].append(make("li", "", say("flip-none")));
    };

    const stop = () => { if (running) judge.stop(); };

    const search = async () => {
      running = true;
      for (const by of Object.keys(lists)) delete lists[by];
      const answer = await runTableSearch({
        say, judge, panel, said, searching: "flip-searching", again: ask,
        question: (hear) => judge.flips(step.position, orders, one.unit, hear),
        hear: ({ by, found }) => add(by, found),
      });
      running = false;
      if (!answer) return;
      if (!answer.others.length) add("others");
      if (answer.own && !answer.own.length) add("own");
      said.textContent = say("flip-found", answer.others.length + (answer.own || []).length);
    };

    const ask = () => button(say("flip"), search, "ask");

    panel.append(ask());
    return { panel, stop };
  };

  const panel = (step, one, orders) => {
    const key = JSON.stringify([step.position, one.id, orders]);
    if (key !== known.key) {
      known.stop();
      known = { key, ...make_panel(step, one, orders) };
    }
    return known.panel;
  };

  return { panel };
};
