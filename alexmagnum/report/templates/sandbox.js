// The page of `alexmagnum sandbox`: a map on which any position is set up, ordered, judged and shared.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { part, make } = pageParts;
  const { sentences } = data;
  const sentence = (code, ...texts) => sentences[code].replace(/%/g, () => texts.shift());
  const FINGER = 26; // CSS pixels from the middle of a province that a tap may have meant

  // -- the map that is shown ---------------------------------------------------------------------

  const map_of = (table) => (table ? table.position.split(/[ [\n]/, 1)[0] : "");

  const start = async () => {
    let shared = null;
    let damaged = "";
    const fragment = positionLink.find(location.hash);
    if (fragment) shared = await positionLink.read(fragment).catch(() => { damaged = sentences["link-damaged"]; return null; });
    const wanted = data.tables.findIndex((table) => table.facts.map === map_of(shared));
    if (shared && wanted < 0) {
      damaged = other_map(map_of(shared));
      shared = null;
    }
    run(data.tables[Math.max(wanted, 0)], shared, damaged);
  };

  const other_map = (id) => sentence("other-map", id, data.tables.map((table) => table.facts.name).join(", "), id);

  const run = (table, shared, damaged) => {
    const { facts } = table;
    const board = part("board");
    board.replaceChildren(document.querySelector(`template[data-map="${facts.map}"]`).content.cloneNode(true));
    const svg = board.querySelector("svg");
    const view = panZoom(board, svg);
    const drawing = makePositionDrawing(svg, table.pieces);
    part("map-name").textContent = facts.name;
    document.title = `${sentences.title} – ${facts.name}`;
    for (const button of document.querySelectorAll("button[data-map]")) {
      button.setAttribute("aria-pressed", String(button.dataset.map === facts.map));
      button.addEventListener("click", () => { if (button.dataset.map !== facts.map) go(`t:${data.tables.find((other) => other.facts.map === button.dataset.map).text.replaceAll(" ", "_")}`); });
    }
    for (const hidden of document.querySelectorAll(".modes, .share, #setup")) hidden.hidden = false;
    if (facts.nobility) document.querySelector("#setup-powers th.points").hidden = false;

    const editor = makePositionEditor({
      facts, sentences, drawing,
      changed: (position) => { settle(position); },
      places: {
        said: part("setup-said"), faults: part("setup-faults"), title: part("setup-title"), near: part("setup-near"), choices: part("setup-choices"),
        powers: part("setup-powers").tBodies[0], undo: part("setup-undo"), redo: part("setup-redo"), clear: part("setup-clear"), start: part("setup-start"),
        phase: { select: part("setup-phase"), year: part("setup-year") },
      },
    });

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
      return Object.entries(table.pieces.slots).filter(([, slots]) => slots.some((slot) => {
        const at = new DOMPoint(...slot).matrixTransform(matrix);
        return Math.hypot(at.x - x, at.y - y) < FINGER;
      })).map(([province]) => province);
    };
    board.addEventListener("click", (event) => {
      if (event.defaultPrevented || part("setup").hidden) return;
      event.stopPropagation();
      const province = tapped(event.clientX, event.clientY);
      if (!province) return;
      editor.select(province, close_by(event.clientX, event.clientY).filter((other) => other !== province));
      part("setup-title").scrollIntoView({ block: "nearest" });
    }, true);

    const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
    const named = new Map(Object.entries(facts.provinces).flatMap(([id, { name, also }]) => [id, name, `${name} (${id})`, ...also].map((each) => [fold(each), id])));
    part("setup-names").append(...Object.entries(facts.provinces).flatMap(([, { name, also }]) => [name, ...also]).map((name) => {
      const option = make("option");
      option.value = name;
      return option;
    }));
    part("setup-find").addEventListener("change", ({ target }) => {
      const province = named.get(fold(target.value));
      if (!province) { if (target.value) part("setup-said").textContent = sentence("unknown-province", target.value); return; }
      editor.select(province);
      target.value = "";
      const shape = svg.querySelector(`.province[data-province="${province}"]`);
      view.bring(view.boxOf([shape]));
      part("setup-title").focus();
    });

    // -- sharing ---------------------------------------------------------------------------------

    let written = ""; // the text of the position and its orders as it was written last
    const say = (text) => { part("share-said").textContent = text; };

    const settle = async (position) => position;

    const open = async (given) => {
      const fragment = positionLink.find(given);
      let table_read = null;
      try {
        table_read = fragment ? await positionLink.read(fragment) : null;
      } catch {
        return say(sentences["link-damaged"]);
      }
      return table_read;
    };

    editor.show(table.position);
    if (damaged) say(damaged);
  };

  const go = (fragment) => {
    location.hash = fragment;
    location.reload();
  };

  start();
})();
