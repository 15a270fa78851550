// Shows any position on the map of a page, and says where orders of it are drawn.
//
//   const map = makeTableMap({ drawing, pieces, canvas, powers });
//   map.show(position, looks)       looks: by symbol "POWER UNIT" what a symbol looks like besides
//   map.unitsOf(position)           its units: {name, power, kind, province, coast, number, dislodged, at}
//   map.canvasOf(position)          what makeOrderArrows needs for orders of this position
//   map.restore()                   the map as the page brought it
//
// A position is the object that the judge writes.  `pieces` has what alexmagnum/draw/canvas.py lays out, `canvas`
// what alexmagnum/draw/canvas.py does.
const makeTableMap = ({ drawing, pieces, canvas, powers }) => {
  const { shape } = pageParts;
  const layer = drawing.querySelector('[data-layer="units"]');
  const land = drawing.querySelector('[data-layer="land"]');
  const brought = [...layer.childNodes];
  const description = drawing.querySelector("desc");
  const described = description.textContent;
  const ground = [...land.childNodes].map((each) => [each, each.getAttribute?.("fill")]);
  const painter = makePositionDrawing(drawing, pieces);
  const laid_out = new WeakMap(); // by position: its units with their places

  const lay_out = (position) => {
    if (!laid_out.has(position)) {
      painter.draw(position);
      const tokens = [...layer.children];
      const gone = (position.dislodged || []).map((each) => each.unit);
      laid_out.set(position, [...painter.middles].map(([unit, at], i) => ({
        ...unit, at: at.map((value) => Math.round(value * 10) / 10), dislodged: gone.includes(unit),
        name: tokens[i].dataset.unit, token: tokens[i],
      })));
    }
    return laid_out.get(position);
  };

  let shown = null;

  const show = (position, looks = {}) => {
    const units = lay_out(position);
    if (shown !== position) painter.draw(position);
    shown = position;
    layer.replaceChildren(...units.map(({ token, power, name, dislodged }) => {
      const look = looks[`${power} ${name}`] || "";
      token.setAttribute("class", `unit ${dislodged ? "dislodged" : ""} ${look}`.trim().replace(/ +/g, " "));
      token.querySelector("title").textContent = `${name} (${(powers[power] || {}).name || power})`;
      const burst = token.querySelector(".beaten");
      if (/beaten/.test(look) && !burst) token.append(shape("use", { href: "#u-burst", class: "burst lost beaten", transform: "translate(12.5 11)" }));
      else if (burst && !/beaten/.test(look)) burst.remove();
      return token;
    }));
  };

  const restore = () => {
    shown = null;
    layer.replaceChildren(...brought);
    description.textContent = described;
    land.replaceChildren(...ground.map(([each]) => each));
    for (const [each, fill] of ground) if (fill) each.setAttribute("fill", fill);
  };

  // -- for whoever draws orders ----------------------------------------------------------------

  const slot_of = (province, coast, number) => {
    const slots = pieces.slots[province];
    return pieces.coasts[`${province}/${coast}`] || slots[number - 1] || slots[0];
  };

  // Where an arrow to a place ends: at the unit there, else at the place itself, a free one in a sea.
  const end_of = (units, owner, to, unit) => {
    const [, province, coast = "", number = ""] = /^([^/#]+)(?:\/([^#]+))?(?:#(\d+))?$/.exec(to);
    const there = units.map((each, key) => ({ ...each, key })).filter((each) => !each.dislodged && each.province === province);
    const rooms = pieces.slots[province].length;
    const others = there.filter((each) => each.power !== owner);
    const wanted = number ? there.find((each) => each.number === Number(number)) : rooms === 1 ? others[0] || there[0] : null;
    if (wanted) return { at: wanted.at, key: wanted.key };
    const taken = there.map((each) => each.number);
    const open = [...pieces.slots[province].keys()].map((i) => i + 1).find((each) => !taken.includes(each));
    if (!number && !open) { // a full sea: between those who are there
      const middle = [0, 1].map((axis) => there.reduce((sum, each) => sum + each.at[axis], 0) / there.length);
      return { at: middle, key: null };
    }
    return { at: slot_of(province, unit && unit.name[0] !== "F" ? "" : coast, number ? Number(number) : open), key: null };
  };

  const canvas_of = (position) => {
    const units = lay_out(position);
    return {
      ...canvas,
      units: units.map(({ name, power, province, at, dislodged }) => [name, power, province, ...at, ...dislodged ? [1] : []]),
      endOf: (owner, to, unit) => end_of(units, owner, to, unit),
      newAt: (location) => slot_of(...location.split("/").slice(0, 1), location.split("/")[1] || "", 1),
    };
  };

  return {
    show, restore, unitsOf: lay_out, canvasOf: canvas_of,
    symbol: (kind, power) => [...painter.symbol(power, kind, "ghost").childNodes],
    end: (position, to) => end_of(lay_out(position), "", to).at,
  };
};
