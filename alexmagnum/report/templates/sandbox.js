// The page of `alexmagnum sandbox`: a map on which any position is set up, ordered, judged and shared.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { part, make } = pageParts;
  const { sentences, lang } = data;
  const sentence = (code, ...texts) => sentences[code].replace(/%/g, () => texts.shift());
  const FINGER = 26; // CSS pixels from the middle of a province that a tap may have meant

  // What people paste that is cut off: an address without a position, a position without its map; a whole turn file.
  const CUT_LINK = /^\S*(:\/\/|#[tz]:)\S*$/;
  const CUT_POSITION = /^[\s>]*(\d+-\w+\S*\s*$|(\S+\s+)?(\w+:[AFG][A-Z]{2}\S*(\s+|$))+$)/;
  const TURN_FILE = /^\s*(units|centers):\s*(\{.*)?$/m;

  const map_of = (text) => text.split(/[ [\n]/, 1)[0];
  const other_map = (id) => sentence("other-map", id, data.tables.map((each) => each.facts.name).join(", "), id);
  const say = (text = "") => { part("share-said").textContent = text; };

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
    const home = svg.getAttribute("viewBox").split(" ").map(Number);
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
        said: part("setup-said"), faults: part("setup-faults"), title: part("setup-title"), near: part("setup-near"), choices: part("setup-choices"),
        powers: part("setup-powers").tBodies[0], undo: part("setup-undo"), redo: part("setup-redo"), clear: part("setup-clear"), start: part("setup-start"),
        phase: { select: part("setup-phase"), year: part("setup-year") },
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
    const tapped = (x, y) => {
      for (const element of document.elementsFromPoint(x, y)) {
        const unit = element.closest?.("[data-layer='units'] .unit");
        if (unit) return province_of(unit.dataset.unit);
        if (element.dataset?.province) return element.dataset.province;
      }
      return "";
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
      if (part(mode).hidden) show_panel(mode);
      if (playing()) return;
      event.stopImmediatePropagation();
      const province = tapped(event.clientX, event.clientY);
      if (!province) return;
      editor.select(province, close_by(event.clientX, event.clientY).filter((other) => other !== province));
      part("setup-title").scrollIntoView({ block: "nearest" });
    }, true);

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
        if (target.value.trim()) part("setup-said").textContent = sentence("unknown-province", target.value);
        return;
      }
      target.value = "";
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

    let mode = "setup"; // what a tap on the map does: "setup" or "play"
    const playing = () => mode === "play";
    const share_step = async () => {
      const { position } = await judge.describe(game.step.position);
      await write({ position, orders: game.orders });
    };

    const show_panel = (panel) => {
      for (const name of ["setup", "play", "share"]) {
        part(name).hidden = name !== panel;
        part(`tab-${name}`).setAttribute("aria-selected", String(name === panel));
        part(`tab-${name}`).tabIndex = name === panel ? 0 : -1;
      }
    };

    const turn_to = (next) => {
      mode = next;
      document.body.classList.toggle("trying", playing());
      for (const id of ["table", "table-bar"]) part(id).hidden = !playing();
      show_panel(next);
    };

    const play = async () => {
      if (playing()) return show_panel("play");
      if (!sound) await settle();
      if (!sound) {
        show_panel("setup");
        part("setup-said").textContent = no_judge || sentences.impossible;
        return;
      }
      drawing.mark("");
      turn_to("play");
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

    const begin_with = async (position, given) => {
      await beginning.catch(() => {});
      if (playing()) game.leave();
      turn_to("setup");
      editor.show(position);
      [orders, sound, begun] = [given, false, null];
      await settle();
      if (Object.keys(given).length) await play();
    };

    // -- sharing ---------------------------------------------------------------------------------

    const render_share = () => {
      const own = part("text").value === written;
      part("open-text").hidden = own;
      for (const id of ["copy-link", "copy-text"]) part(id).hidden = !own || !written;
    };
    part("text").addEventListener("input", render_share);

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

    const is_half = (given) => CUT_POSITION.test(given) || data.tables.some(({ facts: { map } }) => map === given.trim());

    // A link, a position with or without orders, or orders: whatever was pasted.
    const open = async (given) => {
      const link = positionLink.find(given);
      let found = null;
      if (link) found = await positionLink.read(link).catch(() => { throw new Error(sentences["link-damaged"]); });
      else if (CUT_LINK.test(given.trim())) throw new Error(sentences["link-damaged"]);
      else if (TURN_FILE.test(given)) throw new Error(sentences["turn-file"]);
      else if (positionLink.locate(given)) found = positionLink.parse(positionLink.locate(given));
      else if (is_half(given)) throw new Error(sentence("half-position", `${facts.map} ${table.position.year}-spring`));
      if (!found) {
        await play();
        if (!playing()) throw new Error(sentences.impossible);
        part("pasted").value = given;
        part("pasted").closest("details").open = true;
        part("paste").click();
        part("paste-said").scrollIntoView({ block: "center" });
        return;
      }
      if (link && !/ \d/.test(found.position)) throw new Error(sentences["link-damaged"]);
      const map = map_of(found.position);
      if (map !== facts.map) {
        if (!data.tables.some((each) => each.facts.map === map)) throw new Error(other_map(map));
        return go(await positionLink.write(found));
      }
      await begin_with((await judge.describe(found.position)).json, found.orders);
      say(sentences.opened);
    };

    const open_pasted = async () => {
      const given = part("text").value.trim();
      say();
      try {
        await open(given);
        part("link-said").textContent = "";
        part("text").value = written;
      } catch (error) {
        say(words_of(error).join(" "));
      }
      render_share();
    };
    part("open-text").addEventListener("click", open_pasted);
    addEventListener("hashchange", () => { if (location.hash.slice(1) !== fragment) location.reload(); });

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
    for (const hidden of document.querySelectorAll(".modes")) hidden.hidden = false;
    for (const column of document.querySelectorAll("#setup-powers th.points")) column.hidden = !facts.nobility;
    part("tab-setup").addEventListener("click", set_up);
    part("tab-play").addEventListener("click", play);
    part("tab-share").addEventListener("click", () => { say(); show_panel("share"); });
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
    open_view(view, svg, board, home);
    const open_shared = async () => {
      try {
        await open(shared);
      } catch (error) {
        await begin_with(table.position, table.orders);
        if (!no_judge) part("link-said").textContent = words_of(error).join(" ");
      }
    };
    if (shared) open_shared();
    else begin_with(table.position, table.orders);
  };

  // A wide map on a telephone held upright is shown as high as its frame, where most units stand.
  const open_view = (view, svg, board, [, top, width, height]) => {
    const [across, down] = [board.clientWidth, board.clientHeight];
    const scale = down / height;
    if (across / width > scale * 0.75) return;
    const middles = [...svg.querySelectorAll('[data-layer="units"] .unit')].map((unit) => view.boxOf([unit])).filter(Boolean);
    const sorted = middles.map((box) => box.x + box.width / 2).sort((a, b) => a - b);
    const wide = across / Math.min(scale, 2.2 * across / width);
    const x = sorted.length ? sorted[Math.floor(sorted.length / 2)] : width / 2;
    view.fit({ x: x - wide / 2, y: top, width: wide, height }, { margin: 0, most: 5 });
  };

  const link = positionLink.find(location.hash);
  positionLink.read(link || "t:").catch(() => null).then((found) => {
    const wanted = found && data.tables.find((each) => each.facts.map === map_of(found.position));
    run(wanted || data.tables[0], link);
  });
})();
