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
      const bar = make("progress", "");
      bar.max = 1;
      bar.value = 0;
      bar.setAttribute("aria-label", say("flip-searching"));
      const halt = button(say("flip-stop"), stop, "stop");
      const work = make("div", "row work");
      work.append(bar, halt);
      said.textContent = say("flip-searching");
      const had_focus = panel.contains(document.activeElement);
      panel.replaceChildren(work, said);
      if (had_focus) halt.focus({ preventScroll: true });
      const hear = ({ part, by, found }) => {
        if (part !== undefined) bar.value = part;
        else add(by, found);
      };
      let whole = false;
      try {
        const answer = await judge.flips(step.position, orders, one.unit, hear);
        whole = Boolean(answer);
        if (whole && !answer.others.length) add("others");
        if (whole && answer.own && !answer.own.length) add("own");
        said.textContent = whole ? say("flip-found", answer.others.length + (answer.own || []).length) : say("flip-stopped");
      } catch (error) {
        said.textContent = say("refused", String(error.message || error));
      } finally {
        running = false;
        const focused = work.contains(document.activeElement);
        work.remove();
        if (!whole) panel.prepend(ask());
        if (focused) (whole ? made_focusable(said) : panel.firstChild).focus({ preventScroll: true });
      }
    };

    const made_focusable = (element) => {
      element.tabIndex = -1;
      return element;
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
