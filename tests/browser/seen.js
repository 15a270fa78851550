// What a page shows once a part of it was pressed and nothing changes any more: its window.result. Its controls, pictures and
// headings are marked data-part.
(() => {
  const ROLES = {
    A: "link", BUTTON: "button", SELECT: "combobox", TEXTAREA: "textbox", SUMMARY: "", svg: "image",
    H1: "heading", H2: "heading", H3: "heading",
  };
  const INPUTS = { radio: "radio", range: "slider", search: "searchbox", checkbox: "checkbox" };
  const PARTS = "a[href], button, select, textarea, summary, input, h1, h2, h3, svg[role=img]";
  const PRESSED = "PRESS";
  const squeeze = (text) => text.replace(/\s+/g, " ").trim();
  const shown = (part) => part.checkVisibility({ visibilityProperty: true }) && !part.closest("[aria-hidden=true]");
  const role = (part) => part.getAttribute("role")?.replace("img", "image")
    || (part.tagName === "INPUT" ? INPUTS[part.type] || (part.list ? "combobox" : "textbox") : ROLES[part.tagName]);

  // The texts in sight, or meant for readers of the screen alone; those of drawings and of labels of a choice are names instead.
  const texts = (root = document.body) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const { data, parentElement: part } = walker.currentNode;
      const is_name = part.closest("svg, select, textarea, script, style, noscript") || part.closest("label")?.control?.type === "radio";
      if (squeeze(data) && shown(part) && !is_name) found.push(squeeze(data));
    }
    const written = [...root.querySelectorAll("textarea")].filter(shown).map(({ value }) => squeeze(value));
    return [...found, ...written];
  };

  const words = (part) => [part.getAttribute("aria-label") || [...part.labels || []].map((label) => squeeze(label.textContent))
    .concat(part.tagName === "TEXTAREA" ? [] : texts(part))].flat();

  const parts = () => [...document.querySelectorAll(PARTS)].map((part) => {
    part.dataset.part = "";
    return { seen: shown(part), role: role(part), words: words(part) };
  });

  // Ids that stand twice, and names of ids that stand nowhere. A page that is steered by its address follows the rest itself.
  const faults = () => {
    const LISTS = ["for", "headers", "list", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-activedescendant"];
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    const known = new Set(ids);
    const steered = new Set([...document.querySelectorAll("[data-frame]")].map((part) => part.dataset.frame));
    const named = ({ name, value }, part) => {
      if (LISTS.includes(name)) return value.split(/\s+/);
      if (/^(xlink:)?href$/.test(name) && /^#./.test(value) && !part.dataset.title) return [decodeURIComponent(value.slice(1))];
      return part.closest("svg") ? [...value.matchAll(/url\(["']?#([^"')]+)/g)].map(([, id]) => id) : [];
    };
    const wanted = [...document.querySelectorAll("*")]
      .flatMap((part) => [...part.attributes].flatMap((each) => named(each, part).filter(Boolean)));
    return [...ids.filter((id, i) => ids.indexOf(id) < i).map((id) => `twice: ${id}`),
      ...wanted.filter((id) => !known.has(id) && !steered.has(id)).map((id) => `nowhere: ${id}`)];
  };

  const QUIET = 800; // milliseconds without a change

  let changed = 0;
  const changes = new MutationObserver(() => { changed = performance.now(); });

  // The page is steady when nothing of it has changed for a while, nothing is busy, and what will be pressed can be.
  const steady = async (ready = () => true) => {
    changed = performance.now();
    while (performance.now() - changed < QUIET || document.querySelector("[aria-busy=true]") || !ready()) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  const look = async () => {
    changes.observe(document.documentElement, { subtree: true, childList: true, characterData: true, attributes: true });
    const pressed = () => document.querySelector(PRESSED);
    await steady(() => !PRESSED || pressed() && !pressed().disabled);
    if (PRESSED) { pressed().click(); await steady(); }
    changes.disconnect();
    window.result = { texts: texts(), parts: parts(), faults: [...new Set(faults())] };
  };
  addEventListener("load", look);
})();
