(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { part, make, button } = pageParts;

  // What all orders of a subject begin with stands in the page once; in words they are put here.
  const { written, meaning } = makeOrderWords(data);
  const complete = (choice, head) => {
    if (choice.code !== undefined) {
      choice.code = head + choice.code;
      choice.order = written(choice.code);
      choice.meaning = meaning(choice.code, data.kind === "retreats");
      choice.at ??= (/ - ([^#/ ]+)/.exec(choice.code) || [])[1];
    }
    choice.label ??= data.places[choice.at];
    for (const further of choice.then || []) complete(further, head);
  };
  for (const one of data.subjects) {
    complete(one, one.head);
    one.power = data.power;
  }

  for (const dead of document.querySelectorAll("[data-scripted]")) dead.hidden = false;
  const board = part("board");
  const drawing = board.querySelector("svg");
  const view = panZoom(board, drawing);
  const chooser = makeOrderChooser({ sentences: data.sentences, places: data.places, board, drawing, view });
  const { sentence, find } = chooser;

  const orders = new Map(); // by subject: the choice that its order came from
  let warned = new Map(); // by order in the notation: what the judge's check of it says

  const code_of = (choice) => choice.code || choice.order;

  const draw_orders = makeOrderArrows(data.canvas, data.power);

  const codes = () => [...orders.values()].map(code_of).sort();
  // The warnings of an order: what makes it doubtful, else what was probably not meant.
  const warnings_of = (choice) => {
    const found = warned.get(code_of(choice));
    if (!found) return [];
    if (found.verdict !== "good") return [make("span", "warning doubtful", found.text)];
    return found.warnings.map((text) => make("span", "warning", text));
  };

  // What the check of an order suggests: other forms of it that may have been meant, or orders of other units that it needs.
  const suggestions_of = (one, choice) => ((warned.get(code_of(choice)) || {}).suggestions || []).flatMap((code) => {
    const [whose, other] = data.subjects.map((each) => [each, find(each.then, (made) => code_of(made) === code)]).find(([, made]) => made) || [];
    if (!other) return [];
    const text = whose === one ? sentence("suggestion", other.order) : other.order;
    return [button(text, () => chooser.take(whose, other), "small")];
  });

  // The judge's answer comes later than the order: what stands in such a place is put there anew when it has come.
  const fill = (place) => place.replaceChildren(...place.list());
  const remark_place = (list) => {
    const place = Object.assign(make("span", "remarks"), { list });
    fill(place);
    return place;
  };

  const remarks = (one, choice) => [remark_place(() => [...warnings_of(choice), ...suggestions_of(one, choice)])];

  const row = (one) => {
    const line = make("li");
    const made = orders.get(one);
    const named = button(one.label, () => chooser.select(one === chooser.subject ? null : one, true), "subject");
    named.dataset.subject = one.id;
    named.setAttribute("aria-pressed", String(one === chooser.subject));
    const text = make("span", "meaning", made ? made.meaning : data.sentences["no-order"]);
    if (made) named.append(make("code", "", made.order));
    named.append(text, ...made ? [remark_place(() => warnings_of(made))] : []);
    line.append(named);
    if (made) {
      const cross = button("×", () => { chooser.remove(one); focus_row(one); }, "delete");
      cross.setAttribute("aria-label", sentence("delete", made.order));
      line.append(cross, remark_place(() => suggestions_of(one, made)));
    }
    return line;
  };

  // Rows are made anew: whoever deleted an order with the keyboard is still at its row.
  const focus_row = (one) => {
    part("subjects").children[chooser.shown().indexOf(one)]?.querySelector(".subject").focus({ preventScroll: true });
  };

  const render_orders = (shown) => {
    part("subjects").replaceChildren(...shown.map(row));
    const count = part("count").firstElementChild;
    count.textContent = count.dataset.sentence.replace("%", orders.size);
    const left = data.subjects.filter((one) => !orders.has(one)).map((one) => one.label);
    const missing = data.most < data.subjects.length ? "" : sentence("missing", left.join(", "));
    part("missing").textContent = orders.size < data.most ? missing : data.sentences.complete;
    count_warnings();
  };

  const count_warnings = () => {
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

  const layers = makeMapLayers(drawing, part("symbols").content);
  const [color, letter, ink] = data.livery;
  const state = data.kind === "deployment" ? "" : "ghost";
  const look = () => ({ color, letter, ink, state });

  // Where an arrow to a province would end: in the middle of large seas, not at their far shores.
  const end_of = (place) => {
    const ends = { ...data.canvas.flags, ...data.canvas.new, ...data.canvas.ends };
    const key = place in ends ? place : Object.keys(ends).find((to) => to.split(/[#/]/)[0] === place);
    return key && ends[key].slice(0, 2);
  };

  // -- keeping what was chosen ---------------------------------------------------------------

  // A browser may refuse to store anything for a file; then a reload begins anew.
  const save = () => {
    try {
      localStorage.setItem(data.key, JSON.stringify([...orders].map(([one, made]) => [one.id, made.order])));
    } catch { /* nothing is kept */ }
  };

  const restore = () => {
    try {
      const kept = localStorage.getItem(data.key) ?? localStorage.getItem(data.former);
      for (const [id, order] of JSON.parse(kept) || []) {
        const one = data.subjects.find((each) => each.id === id);
        const made = one && find(one.then, (choice) => choice.order === order);
        if (made && chooser.waiting(one)) orders.set(one, made);
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

  // -- the judge -----------------------------------------------------------------------------

  // It starts with the first order, warns as the check of orders does, and answers at the table. A sheet without a judge, or a
  // browser that cannot run it, warns of nothing: the receipt does.
  let brought = null; // a promise of the judge and the data of the table
  const bring_judge = () => {
    brought ||= pageParts.unpackJson(part("table-data").textContent).then((table) => {
      const all = { ...table, key: `${data.key} table`, lang: data.lang, places: data.places, coasts: data.coasts, words: data.words,
        sentences: { ...data.sentences, ...table.sentences } };
      return { all, judge: pageJudge({ bundle: part("judge").textContent, board: all.board, lang: data.lang }) };
    });
    return brought;
  };

  let asked = ""; // the orders of the last question
  let at_table = false;
  const check = async () => {
    const listed = codes();
    const question = listed.join();
    if (!part("try") || question === asked) return;
    asked = question;
    part("subjects").setAttribute("aria-busy", "true");
    let checks = {};
    let refused = false;
    try {
      if (listed.length) {
        const { all, judge } = await bring_judge();
        ({ checks = {} } = await judge.ask({ op: "check", position: all.position, orders: { [data.power]: listed } }));
      }
    } catch {
      refused = true;
    }
    if (question !== asked) return;
    part("subjects").removeAttribute("aria-busy");
    if (refused) { asked = ""; return; }
    warned = new Map((checks[data.power] || []).map((found) => [found.order, found]));
    if (at_table) return;
    document.querySelectorAll(".remarks").forEach(fill);
    count_warnings();
  };

  const scene = {
    subjects: data.subjects, orders, past: [], future: [], kind: data.kind, start: data.start, owned: data.owned,
    room: () => orders.size < data.most,
    endOf: end_of,
    check,
    save,
    paint: () => layers.showOrders(draw_orders(codes()), look, data.canvas.flags),
    render: (shown) => { render_orders(shown); render_text(); },
    remarks,
  };

  // The legend covers land, so it is closed until somebody asks for it.
  part("legend").addEventListener("click", () => {
    const open = document.body.classList.toggle("explained");
    part("legend").setAttribute("aria-pressed", String(open));
    if (open) view.fit(view.boxOf([drawing.querySelector('[data-layer="legend"]')]), { margin: 12, most: 6 });
    else chooser.openView();
  });

  part("copy").addEventListener("click", copy);
  part("clear").addEventListener("click", chooser.clear);
  chooser.show(scene);
  restore();
  chooser.render();
  chooser.openView();
  if (!part("try")) return;

  // -- the table -----------------------------------------------------------------------------

  const show_sheet = () => { chooser.show(scene); chooser.render(); };

  const own = {
    power: data.power,
    heading: data.heading,
    orders: () => [...orders.values()].map(code_of),
    // Takes orders over from the table, as if they had been chosen here.
    give: (codes) => {
      scene.past.push({ text: data.sentences.cleared, orders: [...orders] });
      scene.future.length = 0;
      orders.clear();
      for (const code of codes) {
        const fits = (choice) => code_of(choice) === code;
        const one = data.subjects.find((each) => !orders.has(each) && find(each.then, fits));
        if (one) orders.set(one, find(one.then, fits));
      }
      save();
    },
  };

  let table = null;
  const open_table = async () => {
    at_table = true;
    if (!table) {
      const { all, judge } = await bring_judge();
      judge.failed(fail);
      await new Promise((resolve, reject) => { judge.ready.then(resolve); judge.failed((why) => reject(new Error(why))); });
      table = makeTable({ data: all, judge: makeTableJudge(judge, all), chooser, drawing, layers, position: all.position, own });
    }
    await table.enter();
  };
  const leave_table = () => { at_table = false; if (table) table.leave(); show_sheet(); };

  const { fail } = makeTableSwitch({ sentences: data.sentences, open: open_table, leave: leave_table });
})();
