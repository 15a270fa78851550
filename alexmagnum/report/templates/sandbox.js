// The page of `alexmagnum sandbox`: a map on which any position is set up, ordered, judged and shared.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { part, make } = pageParts;
  const { sentences, lang } = data;
  const sentence = (code, ...texts) => sentences[code].replace(/%/g, () => texts.shift());
  const MOST_UNREAD = 6; // lines of a text without orders that are explained
  const FINGER = 26; // CSS pixels from the middle of a province that a tap may have meant

  // What people paste that is cut off: an address without a position, a position without its map; a whole turn file.
  // Their time is in proportion to the text, whatever it is.
  const ADDRESS = /:\/\/|#[tz]:/;
  const CUT_POSITION = /^(\d+-\w\S*\s*$|(\S+\s+)?(\w+:[AFG][A-Z]{2}\S*(\s+|$))+$)/;
  const TURN_FILE = /^[ \t]*(units|centers):[ \t]*(\{.*)?$/m;

  const MOST = 200000; // characters of the longest text that is looked at

  const map_of = (position) => position.map || position.split(/[ [\n]/, 1)[0];
  const other_map = (id) => sentence("other-map", id, data.tables.map((each) => each.facts.name).join(", "), id);
  const say = (...lines) => { part("share-said").replaceChildren(...lines.map((line) => make("span", "", line))); };

  // A page holds one map at a time: another one begins the page anew.
  const go = (fragment) => {
    try { history.replaceState(null, "", `#${fragment}`); } catch { location.hash = fragment; }
    location.reload();
  };

  const run = (table, shared) => {
    const { facts } = table;
    const board = part("board");
    board.replaceChildren(document.querySelector(`template[data-map="${facts.map}"]`).content.cloneNode(true));
    const svg = board.querySelector("svg");
    const view = panZoom(board, svg);
    const drawing = makePositionDrawing(svg, table.table.pieces);

    // -- the judge -------------------------------------------------------------------------------

    const facts_of_table = { ...table.table, lang, key: `alexmagnum sandbox ${facts.map}` };
    const worker = pageJudge({ bundle: document.getElementById("judge").textContent, board: table.board, lang });
    const judge = makeTableJudge(worker, facts_of_table);
    let no_judge = ""; // why the judge cannot work here
    worker.failed((why) => { part("no-judge").textContent = no_judge = sentences[`judge-${why}`]; });
    const words_of = (error) => no_judge ? [no_judge] : (error.faults || []).length ? error.faults.map((fault) => fault.message) : [String(error.message || error)];

    // -- setting up ------------------------------------------------------------------------------

    const editor = makePositionEditor({
      facts, sentences, drawing,
      changed: () => { orders = {}; sound = false; settle(); },
      places: {
        brush: part("setup-brush"), said: part("setup-said"), faults: part("setup-faults"), title: part("setup-title"), near: part("setup-near"), choices: part("setup-choices"),
        powers: part("setup-powers").tBodies[0], undo: part("setup-undo"), redo: part("setup-redo"), clear: part("setup-clear"), start: part("setup-start"),
        phase: { select: part("setup-phase"), year: part("setup-year"), said: part("when-said") },
      },
    });
    let orders = {}; // by power, in canonical notation: those of the position that is set up
    let sound = false; // whether the judge takes the position that is set up
    let written = ""; // what stands in the box of sharing, unless somebody pasted something else
    let fragment = ""; // the same as a link
    let address_due = 0; // the timer after which the address of the page is that link

    // Says what is wrong with the position; writes it down if nothing is.
    const settle = async () => {
      const asked = editor.position;
      try {
        const { position } = await judge.describe(asked);
        if (asked !== editor.position) return;
        sound = true;
        editor.faults([]);
        await write({ position, orders });
      } catch (error) {
        if (asked !== editor.position) return;
        editor.faults(no_judge ? [] : words_of(error));
        show_text("", "");
      }
    };

    // What somebody pasted stays in the box.
    const show_text = (text, link) => {
      const pasted = part("text").value !== written;
      [written, fragment] = [text, link];
      if (!pasted) part("text").value = written;
      render_share();
    };

    const write = async (what) => {
      show_text(positionLink.text(what), await positionLink.write(what));
      clearTimeout(address_due);
      address_due = setTimeout(put_address, 250);
    };

    // Browsers allow few changes of the address in a short time, and leave out the others without a word.
    const put_address = () => {
      try { history.replaceState(null, "", `#${fragment}`); } catch { /* the address stays as it is */ }
    };

    // -- taps ------------------------------------------------------------------------------------

    const province_of = (unit) => unit.split(" ")[1].split(/[#/]/)[0];
    // The province that is hit, and the unit if its symbol is.
    const tapped = (x, y) => {
      for (const element of document.elementsFromPoint(x, y)) {
        const unit = element.closest?.("[data-layer='units'] .unit")?.dataset.unit;
        if (unit) return [province_of(unit), unit];
        if (element.dataset?.province) return [element.dataset.province, ""];
      }
      return ["", ""];
    };
    // Small islands and crowded coasts: provinces whose middle is near the tap are offered as well.
    const close_by = (x, y) => {
      const matrix = svg.getScreenCTM();
      return Object.entries(table.table.pieces.slots).filter(([, slots]) => slots.some((slot) => {
        const at = new DOMPoint(...slot).matrixTransform(matrix);
        return Math.hypot(at.x - x, at.y - y) < FINGER;
      })).map(([province]) => province);
    };
    board.addEventListener("click", (event) => {
      if (event.defaultPrevented) return;
      if (opening) {
        opening.tap = pageParts.keepTap(svg, event);
        return event.stopImmediatePropagation();
      }
      if (part(mode).hidden) show_panel(mode);
      if (playing()) return;
      event.stopImmediatePropagation();
      const [province, unit] = tapped(event.clientX, event.clientY);
      if (!province) return;
      editor.tap([province, ...close_by(event.clientX, event.clientY).filter((other) => other !== province)], unit);
      part(editor.chosen ? "setup-title" : "setup-said").scrollIntoView({ block: "nearest" });
    }, true);
    makeUnitDrag({
      board, svg, can: () => !playing() && !opening,
      drop: ({ dataset }, { clientX, clientY }) => editor.move(dataset.unit, dataset.power, tapped(clientX, clientY)[0]),
    });

    const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
    const named = new Map(Object.entries(facts.provinces)
      .flatMap(([id, { name, also }]) => [id, name, `${name} (${id})`, ...also].map((each) => [fold(each), id])));
    part("setup-names").append(...Object.values(facts.provinces).flatMap(({ name, also }) => [name, ...also]).map((name) => {
      const option = make("option");
      option.value = name;
      return option;
    }));
    part("setup-find").addEventListener("change", ({ target }) => {
      const province = named.get(fold(target.value));
      if (!province) {
        part("find-said").textContent = target.value.trim() && sentence("unknown-province", target.value);
        return;
      }
      target.value = part("find-said").textContent = "";
      editor.select(province);
      view.bring(view.boxOf([svg.querySelector(`.province[data-province="${province}"]`)]));
      part("setup-title").focus();
    });

    // -- ordering --------------------------------------------------------------------------------

    const chooser = makeOrderChooser({ sentences: table.table.sentences, places: table.table.places, board, drawing: svg, view });
    const game = makeTable({
      data: facts_of_table, judge, chooser, drawing: svg,
      layers: makeMapLayers(svg), position: editor.position, own: null, changed: () => { if (playing()) share_step(); },
    });
    let beginning = Promise.resolve(); // until the table has begun from it
    let begun = null; // the position from which the table began

    const PANELS = ["setup", "play", "share"];
    let mode = "setup"; // what a tap on the map does: "setup" or "play"
    const playing = () => mode === "play";
    const share_step = async () => {
      const { position } = await judge.describe(game.step.position);
      await write({ position, orders: game.orders });
    };

    const show_panel = (panel) => {
      for (const name of PANELS) {
        part(name).hidden = name !== panel;
        part(`tab-${name}`).setAttribute("aria-selected", String(name === panel));
        part(`tab-${name}`).tabIndex = name === panel ? 0 : -1;
      }
    };

    const turn_to = (next, panel = next) => {
      mode = next;
      document.body.classList.toggle("trying", playing());
      for (const id of ["table", "table-bar"]) part(id).hidden = !playing();
      show_panel(panel);
    };

    const play = async (panel = "play") => {
      if (playing()) return show_panel(panel);
      if (!sound) await settle();
      if (!sound) {
        if (panel === "play") show_panel("setup");
        part("setup-said").textContent = no_judge || sentences.impossible;
        return;
      }
      drawing.mark("");
      turn_to("play", panel);
      if (begun === editor.position) return game.show();
      begun = editor.position;
      beginning = game.begin(begun, orders);
      const left = await beginning;
      if (left.length) part("table-status").textContent = sentence("orders-left", left.join("; "));
    };

    const set_up = async () => {
      if (!playing()) return show_panel("setup");
      await beginning.catch(() => {});
      const { position } = game.step;
      game.leave();
      turn_to("setup");
      if (position !== editor.position) {
        editor.put(position, sentences["taken-from-game"]);
        begun = null;
      } else editor.show_again();
    };

    // While a position is being opened, the judge may take a while to start. A panel or a place on the map that the reader
    // asks for meanwhile is shown as soon as the position is there.
    let opening = null; // {panel, tap}, or null

    const begin_with = async (position, given, panel) => {
      await beginning.catch(() => {});
      if (playing()) game.leave();
      turn_to("setup", panel);
      editor.show(position);
      [orders, sound, begun] = [given, false, null];
      await settle();
      if (Object.keys(given).length && !["setup", "share"].includes(opening?.panel)) await play(panel);
    };

    const open_with = async (act) => {
      opening = {};
      try {
        return await act();
      } finally {
        const { panel, tap } = opening;
        opening = null;
        if (!tap && !view.handled) view.open(first_seen(svg));
        if (panel) await show_mode[panel]();
        if (tap) tap();
      }
    };

    const ask_for = (panel) => {
      if (!opening) return show_mode[panel]();
      opening.panel = panel;
      for (const name of PANELS) part(`tab-${name}`).setAttribute("aria-selected", String(name === panel));
    };

    // -- sharing ---------------------------------------------------------------------------------

    const render_share = () => {
      const own = part("text").value === written;
      part("open-text").hidden = own;
      for (const id of ["copy-link", "copy-text"]) part(id).hidden = !own || !written;
    };
    part("text").addEventListener("input", render_share);
    // A browser would lay out millions of letters for seconds before anybody could say that they are too many.
    for (const [box, answer] of [["text", "share-said"], ["pasted", "paste-said"]]) {
      part(box).addEventListener("paste", (event) => {
        if ((event.clipboardData?.getData("text") || "").length <= MOST) return;
        event.preventDefault();
        part(answer).textContent = table.table.sentences["paste-long"];
      });
    }

    const copy = async (text, done) => {
      try {
        await navigator.clipboard.writeText(text);
        say(done);
      } catch {
        part("text").value = text;
        part("text").select();
        const copied = document.execCommand("copy");
        part("text").value = written;
        say(copied ? done : sentences["not-copied"]);
      }
    };
    part("copy-link").addEventListener("click", () =>
      copy(`${location.href.split("#")[0]}#${fragment}`, sentences[location.protocol === "file:" ? "link-copied-file" : "link-copied"]));
    part("copy-text").addEventListener("click", () => copy(written, sentences["text-copied"]));
    for (const kind of ["png", "svg"]) {
      part(`save-${kind}`).addEventListener("click", () => {
        saveMapPicture(svg, kind, (written || facts.map).split(" ").slice(0, 2).join(" "))
          .then(() => say(sentences["picture-saved"]), (error) => say(String(error.message || error)));
      });
    }

    const is_cut_link = (given) => ADDRESS.test(given) && !/\s/.test(given.trim());
    const is_half = (given) => CUT_POSITION.test(given.replace(/^[\s>]+/, "")) || data.tables.some(({ facts: { map } }) => map === given.trim());

    // The text of a position on a map of the page.
    const text_of = async (position, { board: map }) => {
      if (typeof position === "string") return position;
      const { ok, position: text, error } = await pageJudge({ bundle: document.getElementById("judge").textContent, board: map, lang })
        .ask({ op: "position", position });
      if (!ok) throw new Error(error.message);
      return text;
    };

    // A link, a position with or without orders, a report, or orders: whatever was pasted. Returns what to say.
    const open = async (given, panel) => {
      if (given.length > MOST) throw new Error(table.table.sentences["paste-long"]);
      const link = positionLink.find(given);
      let found = null;
      if (link) found = await positionLink.read(link).catch(() => { throw new Error(sentences["link-damaged"]); });
      else if (is_cut_link(given)) throw new Error(sentences["link-damaged"]);
      else found = turnText.find(given);
      if (!found && TURN_FILE.test(given)) throw new Error(sentences["turn-file"]);
      const located = found ? "" : positionLink.locate(given);
      if (located) found = positionLink.parse(located);
      else if (!found && is_half(given)) throw new Error(sentence("half-position", `${facts.map} ${table.position.year}-spring`));
      if (!found) return take_orders(given);
      if (link && !/ \d/.test(found.position)) throw new Error(sentences["link-damaged"]);
      const map = map_of(found.position);
      if (map !== facts.map) {
        const other = data.tables.find((each) => each.facts.map === map);
        if (!other) throw new Error(other_map(map));
        return go(await positionLink.write({ ...found, position: await text_of(found.position, other) }));
      }
      await begin_with((await judge.describe(found.position)).json, found.orders, panel);
      return [sentences.opened];
    };

    // Takes over the orders of a text, for the position that is shown; a text without any changes nothing.
    const take_orders = async (given) => {
      const { orders: read, unread } = await judge.read(given, playing() ? game.step.position : editor.position);
      if (!Object.keys(read).length) {
        const lines = unread.slice(0, MOST_UNREAD).map(({ line, message }) => `${line}: ${message}`);
        throw Object.assign(new Error(), { faults: [table.table.sentences["paste-none"], ...lines].map((message) => ({ message })) });
      }
      await play("share");
      if (!playing()) throw new Error(no_judge || sentences.impossible);
      await beginning;
      return game.take(given);
    };

    // The answer stands below the box, and what was pasted stays in it until all of it is opened.
    const open_pasted = async () => {
      const given = turnText.decode(part("text").value.trim());
      say(sentences.opening);
      const had_focus = document.activeElement === part("open-text");
      part("open-text").disabled = true;
      try {
        const lines = await open_with(() => open(given, "share")) || [];
        part("link-said").textContent = "";
        if (lines.length < 2) part("text").value = written;
        say(...lines);
      } catch (error) {
        say(...words_of(error));
      }
      part("open-text").disabled = false;
      render_share();
      if (had_focus) part(part("open-text").hidden ? "tab-share" : "open-text").focus({ preventScroll: true });
    };
    part("open-text").addEventListener("click", open_pasted);
    addEventListener("hashchange", () => { if (location.hash.slice(1) !== fragment) location.reload(); });

    // -- the shelf of examples: links, which open and judge themselves -----------------------------

    const fill_shelf = async () => {
      const shelf = part("shelf").querySelector("div");
      if (shelf.children.length) return;
      const examples = await pageParts.unpackJson(part("examples").textContent);
      const here = ([, , text]) => map_of(text) === facts.map;
      const sorted = [...examples.filter(here), ...examples.filter((each) => !here(each))];
      for (const kind of new Set(sorted.map(([group]) => group))) {
        const list = make("ul");
        for (const [, title, text] of sorted.filter(([group]) => group === kind)) {
          const link = make("a", "", title);
          link.href = `#${await positionLink.write(positionLink.parse(text))}`;
          const line = make("li");
          line.append(link);
          list.append(line);
        }
        shelf.append(make("h3", "", sentences[`shelf-${kind}`]), list);
      }
    };
    part("shelf")?.addEventListener("toggle", fill_shelf);

    // -- the page --------------------------------------------------------------------------------

    part("map-name").textContent = facts.name;
    document.title = `${sentences.title} – ${facts.name}`;
    for (const button of document.querySelectorAll("button[data-map]")) {
      const other = data.tables.find((each) => each.facts.map === button.dataset.map);
      button.setAttribute("aria-pressed", String(other === table));
      button.addEventListener("click", () => { if (other !== table) go(other.fragment); });
    }
    const powers_here = new Set(facts.powers.map(([power]) => power));
    for (const option of [...part("paste-power").options]) if (option.value && !powers_here.has(option.value)) option.remove();
    for (const dead of document.querySelectorAll("[data-scripted]")) dead.hidden = false;
    for (const column of document.querySelectorAll("#setup-powers th.points")) column.hidden = !facts.nobility;
    const show_mode = { setup: set_up, play: () => play(), share: () => { say(); show_panel("share"); } };
    for (const panel of PANELS) part(`tab-${panel}`).addEventListener("click", () => ask_for(panel));
    const tabs = [...document.querySelectorAll(".modes [role='tab']")];
    document.querySelector(".modes").addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
    });
    // While orders are given, the chooser undoes and redoes them.
    addEventListener("keydown", (event) => {
      if (playing() || !(event.ctrlKey || event.metaKey) || !/^[zy]$/i.test(event.key) || /INPUT|TEXTAREA/.test(event.target.tagName)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const redo = event.key.toLowerCase() === "y" || event.shiftKey;
      part(redo ? "setup-redo" : "setup-undo").click();
    }, true);

    turn_to("setup");
    editor.show(table.position);
    open_with(async () => {
      try {
        if (shared) return await open(shared);
      } catch (error) {
        if (!no_judge) part("link-said").textContent = words_of(error).join(" ");
      }
      return begin_with(table.position, table.orders);
    });
  };

  // The units that have to retreat, else all.
  const first_seen = (svg) => {
    const units = [...svg.querySelectorAll('[data-layer="units"] .unit')];
    const lost = units.filter((unit) => unit.classList.contains("dislodged"));
    return lost.length ? lost : units;
  };

  const link = positionLink.find(location.hash);
  positionLink.read(link || "t:").catch(() => null).then((found) => {
    const wanted = found && data.tables.find((each) => each.facts.map === map_of(found.position));
    run(wanted || data.tables[0], link);
  });
})();
