(() => {
  const maps = document.querySelector(".maps");
  const frame = maps.querySelector(".map");
  const map = frame.querySelector("svg");
  const view = panZoom(frame, map);
  const news = makeMapNews(map);
  const told = maps.querySelector(".told");
  const tip = maps.querySelector(".tip");
  const NEAR = 26; // CSS pixels from a unit's middle that still mean it, for fingers
  const LEAST = 16; // CSS pixels across: a smaller unit is hard to see
  const CLEAR = 34; // CSS pixels across of a unit that the map is enlarged for
  const EDGE = 52; // CSS pixels along the edges of the frame where buttons and words may cover something
  const PATIENCE = 350; // milliseconds that a pointer stays on a line before the map follows

  // What lines and parts of the map are about: units of a power, or all of it, and places; `after` if they are those
  // of the position after the phase.
  const subjects = new Map();
  let chosen = null; // the line, unit or province that was clicked, if any: until it is released nothing else is shown
  let shown = null; // what is shown now: the chosen one, or the one under the pointer
  let following = 0; // the timer after which the map follows the pointer
  let before = null; // the reader's own view of the map, while the page shows another to have something in sight

  // The page's own tip takes the place of the browser's slow one.
  for (const title of map.querySelectorAll("[data-unit] > title, [data-province] > title")) {
    title.parentNode.dataset.title = title.textContent;
    title.remove();
  }

  const about = (part) => part.dataset.unit || part.dataset.to; // a pick is about a centre
  const home = (unit) => unit.dataset.unit.split(" ").pop().split(/[#/]/)[0];
  const seen = (part) => part.getClientRects().length > 0;
  const later = (part) => part.closest("[data-view]")?.dataset.view === "after";
  const tokens = [...map.querySelectorAll("[data-unit]")].filter((part) => !part.closest("[data-layer=legend]"));
  const listed = (text) => text ? text.split(",") : [];

  const lines = [...document.querySelectorAll("[data-told]")];
  for (const line of lines) {
    const { power, units, places, told: text, picture } = line.dataset;
    subjects.set(line, { power, units: listed(units), places: listed(places), text, after: picture === "after" });
  }

  const order = (unit) => {
    const found = later(unit) ? [] : lines.filter((line) => line.dataset.order !== undefined)
      .filter((line) => line.dataset.units === about(unit) && line.dataset.power === unit.dataset.power);
    return found.map((line) => line.dataset.told).join("\n") || unit.dataset.title || "";
  };

  const place = (province) => {
    const here = tokens.filter((part) => part.matches(".unit") && seen(part))
      .filter((unit) => home(unit) === province.dataset.province);
    return [...new Set([province.dataset.title, ...here.map(order)])].join("\n");
  };

  const subject = (part) => subjects.get(part) || (about(part)
    ? { power: part.dataset.power, units: [about(part)], places: [], text: order(part), after: later(part) }
    : { power: "", units: [], places: [part.dataset.province], text: place(part), after: false });

  const involves = ({ power, units, places, after }, part) => power === part.dataset.power && after === later(part)
    && (units.length ? units.includes(about(part)) : !places.length && part.matches(".unit"));

  // -- showing ---------------------------------------------------------------------------------

  const forget = () => {
    map.classList.remove("telling");
    for (const part of document.querySelectorAll(".told-of, .cause")) part.classList.remove("told-of", "cause");
    for (const outline of map.querySelectorAll(".aimed")) outline.remove();
  };

  const aim = (target) => {
    for (const shape of map.querySelectorAll(`.province[data-province="${target}"]`)) {
      if (!seen(shape)) continue;
      const outline = shape.cloneNode(false);
      for (const name of ["data-province", "data-title", "fill"]) outline.removeAttribute(name);
      outline.setAttribute("class", "aimed");
      shape.parentNode.append(outline);
    }
  };

  const tell = (part) => {
    if (part === shown) return;
    shown = part;
    forget();
    told.textContent = "";
    if (!part) return;
    const what = subject(part);
    told.textContent = what.text;
    const all = tokens.filter((each) => involves(what, each));
    const visible = all.filter(seen);
    map.classList.toggle("telling", visible.length > 0);
    for (const each of visible) each.classList.add("told-of");
    const causes = what.units.length === 1 && !what.after ? news.causes(what.units[0]) : new Set();
    for (const each of tokens.filter((other) => causes.has(about(other)) && seen(other))) each.classList.add("cause");
    for (const line of lines) {
      const its = subjects.get(line);
      const same = its.power === what.power && its.after === what.after && its.units.length === 1
        && what.units.includes(its.units[0]);
      line.classList.toggle("told-of", line === part || same);
      line.classList.toggle("cause", line.dataset.order !== undefined && causes.has(its.units[0]));
    }
    const targets = what.units.length ? all.map((each) => each.dataset.to) : [];
    for (const target of new Set([...what.places, ...targets].filter(Boolean))) aim(target);
  };

  // -- where it is on the map --------------------------------------------------------------------

  const main = (part) => !part.closest(".inset") && seen(part);

  const box = (parts) => view.boxOf([...map.querySelectorAll(parts)].filter(main));

  // The view that the reader chose last: what the page showed since is left as soon as it is not needed any more.
  const own = () => (before && before.handled === view.handled ? before.at : view.current);

  const back = () => {
    if (before && before.handled === view.handled) view.restore(before.at);
    before = null;
  };

  // Shows what is told of in the reader's own view if it is in sight there and a unit is at least so wide, else nearer:
  // a unit so wide that it is clear, or no nearer than the reader's own view.
  const show = (least, clear) => {
    const near = box(".told-of, .aimed");
    if (!near) return;
    const base = own();
    const unit = tokens.find((part) => part.matches(".unit") && main(part));
    const across = unit ? unit.getBoundingClientRect().width * base.factor / view.factor : CLEAR;
    // With all that decided about it, if units are wide enough then.
    const all = box(".told-of, .aimed, .cause");
    const there = { factor: base.factor * LEAST / across, middle: [all.x + all.width / 2, all.y + all.height / 2] };
    const at = view.sees(all, { margin: EDGE, at: there }) ? all : near;
    if (across >= least && view.sees(at, { margin: EDGE, at: base })) return back();
    before = { at: base, handled: view.handled };
    view.fit(at, { margin: EDGE, most: Math.max(base.factor, clear && base.factor * clear / across) });
  };

  const follow = () => {
    if (shown) show(0, 0);
    else if (!frame.matches(":hover")) back();
  };

  const go = () => show(LEAST, CLEAR);

  view.open(news.parts(maps.dataset.reader));

  // -- choosing, and pointing while nothing is chosen -----------------------------------------------

  const choose = (part) => {
    clearTimeout(following);
    tip.hidden = true;
    const next = part === chosen ? null : part;
    chosen = next;
    shown = undefined;
    const picture = next && document.getElementById(subject(next).after ? "show-after" : "show-orders");
    if (picture) picture.checked = true;
    tell(next);
    for (const line of lines) line.querySelector("a")?.setAttribute("aria-pressed", String(line === next));
    if (next) go();
    else back();
  };

  const point = (part) => {
    if (chosen) return;
    clearTimeout(following);
    tell(part);
    if (!part || subjects.has(part)) following = setTimeout(follow, PATIENCE);
  };

  const under = (event) => event.target.closest("[data-unit]:not([data-layer=legend] *), [data-province]");

  const meant = (event) => {
    let [best, least] = [under(event), event.pointerType === "mouse" ? 0 : NEAR];
    if (best && about(best)) return best;
    for (const unit of tokens.filter((part) => part.matches(".unit") && seen(part))) {
      const { x, y, width, height } = unit.getBoundingClientRect();
      const far = Math.hypot(x + width / 2 - event.clientX, y + height / 2 - event.clientY);
      if (far < least) [best, least] = [unit, far];
    }
    return best;
  };

  const hover = (part, event) => {
    if (chosen) return;
    point(part);
    tip.hidden = !part || event.buttons > 0;
    if (tip.hidden) return;
    tip.textContent = told.textContent;
    const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
    const below = event.clientY + 18 + tip.offsetHeight < innerHeight;
    tip.style.left = `${left}px`;
    tip.style.top = `${below ? event.clientY + 18 : event.clientY - tip.offsetHeight - 12}px`;
  };

  map.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") hover(under(event), event);
  });
  map.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") hover(null, event);
  });

  for (const line of lines) {
    const link = line.querySelector("a");
    link?.setAttribute("role", "button");
    link?.setAttribute("aria-pressed", "false");
    line.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") point(line); });
    line.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") point(null); });
    line.addEventListener("focusin", () => { if (link.matches(":focus-visible")) point(line); });
    line.addEventListener("focusout", () => point(null));
    line.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      choose(line);
    });
  }

  // A click chooses, a second one on the same releases it; so do Escape and a click on nothing in particular.
  document.addEventListener("click", (event) => {
    const line = event.target.closest("[data-told]");
    if (line) {
      event.preventDefault();
      if (!String(getSelection())) choose(line);
    } else if (map.contains(event.target)) {
      const part = meant(event);
      choose(chosen && !(part && about(part)) ? null : part);
    } else if (chosen && !event.target.closest("a, button, input, label, summary, .told")) {
      choose(null);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") choose(null);
  });

  // Another view of the map shows what is chosen in that view, as far as it is there.
  for (const button of maps.querySelectorAll("[name=view]")) {
    button.addEventListener("change", () => {
      shown = undefined;
      tell(chosen);
    });
  }
  for (const hint of document.querySelectorAll(".hint")) hint.hidden = false;
})();
