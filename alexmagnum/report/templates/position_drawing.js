// Draws any position on a map that the page holds: its units, its dislodged units and the tints of owned centres.
//
//   const drawing = makePositionDrawing(svg, pieces);   what alexmagnum/draw/canvas.py lays out
//   drawing.draw(position)     a position as in position.json, and in the map's description; nothing else of the map changes
//   drawing.middles            Map: unit (the object of the position) -> [x, y]
//   drawing.name(unit)         its canonical name in the position that is shown: "F EGE#2"
//   drawing.mark(province)     outlines a province, "" for none (class "marked")
//   drawing.symbol(power, kind, state)   an <svg> of the symbol, for buttons and lists
//
// The groups of units look as the server draws them: class "unit", data-unit, data-power, a title.
const makePositionDrawing = (svg, pieces) => {
  const NS = "http://www.w3.org/2000/svg";
  const layer = svg.querySelector('[data-layer="units"]');
  const land = svg.querySelector('[data-layer="land"]');
  const grounds = new Map([...svg.querySelectorAll(".province[data-province]")].map((shape) => [shape.dataset.province, shape]));
  const outlines = new Map(); // by province: the path that says what lies inside
  let middles = new Map();
  let crowded = new Set(); // the provinces with several units

  const outline = (province) => {
    if (!outlines.has(province)) {
      const shape = grounds.get(province);
      outlines.set(province, shape?.localName === "use" ? svg.querySelector(shape.getAttribute("href")) : shape);
    }
    return outlines.get(province);
  };
  const inside = (province, [x, y]) => {
    const path = outline(province);
    return !path?.isPointInFill || path.isPointInFill(new DOMPoint(x, y));
  };

  // -- names -----------------------------------------------------------------------------------

  const find_crowded = (units) => {
    const seen = new Set();
    const several = new Set();
    for (const { province } of units) (seen.has(province) ? several : seen).add(province);
    return several;
  };
  const name_among = (unit, several) => {
    const numbered = unit.number > 1 || several.has(unit.province);
    return `${unit.kind} ${unit.province}${numbered ? `#${unit.number}` : unit.coast ? `/${unit.coast}` : ""}`;
  };

  // -- places ----------------------------------------------------------------------------------

  const far = ([x, y], [u, v]) => Math.hypot(x - u, y - v);

  const slot = (unit) => {
    const slots = pieces.slots[unit.province];
    return pieces.coasts[`${unit.province}/${unit.coast}`] || slots[unit.number - 1] || slots[0];
  };

  // Units that share a slot stand side by side.
  const first_places = (units) => {
    const places = new Map();
    for (const unit of units) {
      const together = units.filter((other) => other.province === unit.province);
      const [x, y] = slot(unit);
      const shared = pieces.slots[unit.province].length < Math.max(...together.map((other) => other.number));
      const aside = together.filter((other) => other.number < unit.number).length - (together.length - 1) / 2;
      places.set(unit, shared ? [x + aside * pieces.size * 1.04, y] : [x, y]);
    }
    return places;
  };

  // Symbols push each other aside, each within its own province.
  const settle = (places) => {
    const all = [...places.keys()];
    const near = all.flatMap((one, i) => all.slice(i + 1).filter((other) => far(places.get(one), places.get(other)) < 3 * pieces.apart)
      .map((other) => [one, other]));
    for (let round = 0; round < 30; round++) {
      let pushed = false;
      for (const [one, other] of near) {
        const [[x, y], [u, v]] = [places.get(one), places.get(other)];
        const gap = far([x, y], [u, v]);
        if (gap >= pieces.apart - 0.5) continue;
        const step = (pieces.apart - gap) / 2 / Math.max(gap, 1);
        const [dx, dy] = gap ? [(u - x) * step, (v - y) * step] : [pieces.apart / 2, 0];
        for (const [unit, to] of [[one, [x - dx, y - dy]], [other, [u + dx, v + dy]]]) {
          if (!inside(unit.province, to)) continue;
          places.set(unit, to);
          pushed = true;
        }
      }
      if (!pushed) break;
    }
    return places;
  };

  // A dislodged unit stands beside the place that it lost, clear of the others if there is room.
  const place_beside = (unit, places) => {
    const [x, y] = slot(unit);
    const taken = [...places.values()];
    const spots = [1, 1.3, 1.7].flatMap((reach) => Array.from({ length: 12 }, (_, i) => {
      const turn = Math.PI / 4 + i * Math.PI / 6;
      return [x + (pieces.apart + 2) * reach * Math.cos(turn), y + (pieces.apart + 2) * reach * Math.sin(turn)];
    }));
    const cost = (spot) => taken.reduce((sum, other) => sum + Math.max(0, pieces.apart + 2 - far(spot, other)), 0) * 2
      + (inside(unit.province, spot) ? 0 : 90);
    return spots.reduce((best, spot) => cost(spot) < cost(best) - 1e-6 ? spot : best);
  };

  // -- drawing ---------------------------------------------------------------------------------

  const markup = (power, kind, state = "") => {
    const [color, ink, letter] = pieces.liveries[power] || pieces.liveries[pieces.independent];
    const what = power === pieces.independent ? "N" : kind;
    return pieces.symbols[state][what].replaceAll("{color}", color).replaceAll("{ink}", ink).replaceAll("{letter}", letter);
  };

  // What stands in the page's own data may be read as elements: it holds no word of a reader.
  const parse = (text) => new DOMParser().parseFromString(`<svg xmlns="${NS}">${text}</svg>`, "image/svg+xml").documentElement.childNodes;

  const make = (name, attributes, ...children) => {
    const made = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const draw_unit = (unit, name, [x, y], state) => {
    const title = make("title", {}, name);
    const group = make("g", { class: `unit ${state}`.trim(), "data-unit": name, "data-power": unit.power,
      transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` }, title, ...parse(markup(unit.power, unit.kind, state)));
    if (name.includes("#")) {
      group.append(make("circle", { cx: 11.4, cy: -8.6, r: 5.4, class: "number" }),
        make("text", { x: 11.4, y: -5.2, "font-size": 10.5, fill: "#1d140a" }, String(unit.number)));
    }
    return group;
  };

  const mix = (color, ground) => "#" + [1, 3, 5].map((i) => {
    const part = (text) => parseInt(text.slice(i, i + 2), 16);
    return Math.round(part(color) * pieces.tint + part(ground) * (1 - pieces.tint)).toString(16).padStart(2, "0");
  }).join("");

  const tint = (owners) => {
    for (const old of land.querySelectorAll(".tint")) old.remove();
    const patterns = [];
    for (const [province, shade] of Object.entries(pieces.shades)) {
      const shape = grounds.get(province);
      const owner = pieces.liveries[owners[province]] && owners[province];
      shape?.setAttribute("fill", owner ? mix(pieces.liveries[owner][0], shade) : shade);
      if (!owner || !shape) continue;
      const pattern = shape.cloneNode(false);
      pattern.removeAttribute("data-province");
      pattern.setAttribute("class", "tint");
      pattern.setAttribute("fill", `url(#tint-${owner})`);
      patterns.push(pattern);
    }
    land.append(...patterns);
  };

  // Whoever cannot see the map hears what stands on it.
  const describe = () => {
    const listed = Object.entries(pieces.names).map(([power, name]) =>
      [name, [...layer.children].filter((unit) => unit.dataset.power === power).map((unit) => unit.dataset.unit).join(", ")]);
    svg.querySelector("desc").textContent = listed.filter(([, units]) => units).map(([name, units]) => `${name}: ${units}.`).join(" ");
  };

  const draw = (position) => {
    const dislodged = position.dislodged.map((entry) => entry.unit);
    const known = (unit) => unit.province in pieces.slots;
    middles = settle(first_places(position.units.filter(known)));
    crowded = find_crowded(position.units);
    const lost = find_crowded(dislodged);
    for (const unit of dislodged.filter(known)) middles.set(unit, place_beside(unit, middles));
    layer.replaceChildren(...[...middles].map(([unit, at]) => dislodged.includes(unit)
      ? draw_unit(unit, name_among(unit, lost), at, "dislodged") : draw_unit(unit, name_among(unit, crowded), at, "")));
    tint(position.owners);
    describe();
  };

  const mark = (province) => {
    svg.querySelector(".marked")?.remove();
    if (!grounds.has(province)) return;
    const made = grounds.get(province).cloneNode(false);
    made.removeAttribute("data-province");
    made.removeAttribute("fill");
    made.setAttribute("class", "marked");
    layer.before(made);
  };

  const symbol = (power, kind, state) => make("svg", { class: "am-map symbol", viewBox: "-18 -18 36 36", "aria-hidden": "true" },
    ...parse(markup(power, kind, state)));

  return { draw, mark, symbol, name: (unit) => name_among(unit, crowded), get middles() { return middles; } };
};
