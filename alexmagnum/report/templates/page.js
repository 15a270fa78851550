(() => {
  const maps = document.querySelector(".maps");
  const map = maps.querySelector("svg");
  const view = panZoom(maps.querySelector(".map"), map);
  const told = maps.querySelector(".told");
  const tip = maps.querySelector(".tip");
  const hint = told.textContent;
  const lines = [...document.querySelectorAll("tr[data-unit]")];
  const NEAR = 26; // CSS pixels from a unit's middle that still mean it, for fingers
  let chosen = null;
  let spoken = null;

  // The page's own tip takes the place of the browser's slow one.
  for (const title of map.querySelectorAll("[data-unit] > title, [data-province] > title")) {
    title.parentNode.dataset.title = title.textContent;
    title.remove();
  }

  const about = (part) => part.dataset.unit || part.dataset.to; // a pick is about a centre
  const same = (one, other) =>
    about(one) === about(other) && one.dataset.power === other.dataset.power;
  const home = (unit) => unit.dataset.unit.split(" ").pop().split(/[#/]/)[0];
  const seen = (part) => part.getClientRects().length > 0;
  const later = (part) => part.closest("[data-view]")?.dataset.view === "after";
  const parts = () => [...map.querySelectorAll("[data-unit]")].filter(seen);

  const order = (unit) => {
    const found = later(unit) ? [] : lines.filter((line) => same(line, unit));
    const texts = found.map((line) => `${line.dataset.name}: ${line.dataset.told}`);
    return texts.join("\n") || unit.dataset.title || "";
  };

  const place = (province) => {
    const here = parts().filter((part) => part.matches(".unit"))
      .filter((unit) => home(unit) === province.dataset.province);
    return [...new Set([province.dataset.title, ...here.map(order)])].join("\n");
  };

  const forget = () => {
    map.classList.remove("telling");
    for (const part of document.querySelectorAll(".told-of")) part.classList.remove("told-of");
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
    if (part === spoken) return;
    spoken = part;
    forget();
    told.textContent = hint;
    if (!part) return;
    told.textContent = about(part) ? order(part) : place(part);
    const all = parts().filter((other) => same(part, other) && later(part) === later(other));
    if (!about(part) || !all.length) return;
    map.classList.add("telling");
    for (const each of all) each.classList.add("told-of");
    for (const line of lines) line.classList.toggle("told-of", same(line, part));
    for (const target of new Set(all.map((each) => each.dataset.to).filter(Boolean))) aim(target);
  };

  const under = (event) => event.target.closest("[data-unit]:not([data-layer=legend] *), [data-province]");

  const meant = (event) => {
    let [best, least] = [under(event), event.pointerType === "mouse" ? 0 : NEAR];
    if (best && about(best)) return best;
    for (const unit of parts().filter((part) => part.matches(".unit"))) {
      const box = unit.getBoundingClientRect();
      const across = box.x + box.width / 2 - event.clientX;
      const far = Math.hypot(across, box.y + box.height / 2 - event.clientY);
      if (far < least) [best, least] = [unit, far];
    }
    return best;
  };

  const hover = (part, event) => {
    tell(part || chosen);
    tip.hidden = !part;
    if (!part) return;
    tip.textContent = told.textContent;
    const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
    const below = event.clientY + 18 + tip.offsetHeight < innerHeight;
    tip.style.left = `${left}px`;
    tip.style.top = `${below ? event.clientY + 18 : event.clientY - tip.offsetHeight - 12}px`;
  };

  const choose = (part) => {
    chosen = part;
    spoken = undefined;
    tell(part);
  };

  map.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") hover(under(event), event);
  });
  map.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") hover(null, event);
  });
  map.addEventListener("click", (event) => choose(meant(event)));
  for (const button of maps.querySelectorAll("[name=view]")) {
    button.addEventListener("change", () => choose(null));
  }
  for (const line of lines) {
    line.addEventListener("pointerenter", () => tell(line));
    line.addEventListener("pointerleave", () => tell(chosen));
    line.addEventListener("focusin", () => tell(line));
    line.addEventListener("focusout", () => tell(chosen));
    line.addEventListener("click", () => {
      const orders = document.getElementById("show-orders");
      if (orders) orders.checked = true;
      choose(line);
      const unit = parts().find((part) => part.matches(".told-of"));
      requestAnimationFrame(() => unit?.scrollIntoView({ block: "nearest", inline: "center" }));
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") choose(null);
  });
})();
