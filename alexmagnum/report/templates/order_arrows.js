// Draws orders as the pictures of a turn do: the same marks, from the same lengths.
//
// This follows alexmagnum/draw/orders.py, order_marks.py and order_signs.py function by function.  A test compares
// what both draw.  Orders are texts in the notation, or objects {code, power, result, stop, attacked}; an order that
// has only been written has no result.  `canvas` has what lines are drawn around, and `ends` or a function `endOf`.
const makeOrderArrows = (canvas, power) => {
  const GOOD = ["succeeds", "given", "available", "stands", ""];
  const VOID = ["illegal", "invalid"];
  const {
    radius: RADIUS, gap: GAP, step: STEP, cell: CELL, bends: BENDS, wide: WIDE, skews: SKEWS,
    disc: DISC, name: NAME, line: LINE, head: HEAD, city: CITY, outside: OUTSIDE,
    shortest: SHORTEST, short: SHORT,
    point: POINT, half: HALF, notch: NOTCH, joins: JOINS, hauls: HAULS, burst: BURST, dear_burst: DEAR_BURST,
  } = canvas.lengths;
  const units = canvas.units.map(([name, owner, province, x, y, dislodged], key) =>
    ({ key, name, owner, province, at: [x, y], dislodged: Boolean(dislodged) }));

  // -- lines ---------------------------------------------------------------------------------

  const distance = (a, b) => {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    return Math.sqrt(dx * dx + dy * dy);
  };

  const toward = (a, b, length) => {
    const whole = distance(a, b);
    if (!whole) return a;
    const t = length / whole;
    return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
  };

  const pairs = (line) => line.slice(1).map((b, i) => [line[i], b]);

  const length_of = (line) => {
    let sum = 0;
    for (let i = 1; i < line.length; i += 1) sum += distance(line[i - 1], line[i]);
    return sum;
  };

  const parabola = (a, m, b) => {
    const n = Math.max(4, Math.ceil((distance(a, m) + distance(m, b)) / STEP));
    return Array.from({ length: n + 1 }, (_, i) => {
      const t = i / n;
      const u = 1 - t;
      const [p, q, r] = [u * u, 2 * u * t, t * t];
      return [p * a[0] + q * m[0] + r * b[0], p * a[1] + q * m[1] + r * b[1]];
    });
  };

  const smooth = (points) => {
    if (points.length < 3) return points;
    const padded = [points[0], ...points, points.at(-1)];
    const found = [];
    for (let i = 0; i + 1 < points.length; i += 1) {
      const four = padded.slice(i, i + 4);
      const n = Math.max(3, Math.ceil(distance(four[1], four[2]) / STEP));
      for (let k = 0; k < n; k += 1) {
        const t = k / n;
        const weights = [
          (-t + 2 * t ** 2 - t ** 3) / 2,
          (2 - 5 * t ** 2 + 3 * t ** 3) / 2,
          (t + 4 * t ** 2 - 3 * t ** 3) / 2,
          (t ** 3 - t ** 2) / 2,
        ];
        found.push([0, 1].map((axis) => weights.reduce((sum, w, j) => sum + w * four[j][axis], 0)));
      }
    }
    return [...found, points.at(-1)];
  };

  const along = (line, far) => {
    let left = Math.max(far, 0);
    let ahead = [1, 0];
    for (const [a, b] of pairs(line)) {
      const step = distance(a, b);
      if (!step) continue;
      ahead = [(b[0] - a[0]) / step, (b[1] - a[1]) / step];
      if (left <= step) return [[a[0] + ahead[0] * left, a[1] + ahead[1] * left], ahead];
      left -= step;
    }
    return [line.at(-1), ahead];
  };

  const cut = (line, first, last) => {
    const inner = [];
    let gone = 0;
    for (const [a, b] of pairs(line)) {
      gone += distance(a, b);
      if (first < gone && gone < last) inner.push(b);
    }
    return [along(line, first)[0], ...inner, along(line, Math.max(last, first))[0]];
  };

  const trim_start = (line, at, gap) => {
    let out = line.length - 1;
    while (out >= 0 && !(distance(line[out], at) < gap)) out -= 1;
    if (out < 0) return line;
    if (out === line.length - 1) return line.slice(-2);
    const [inside, outside] = [line[out], line[out + 1]];
    const [near, far] = [distance(inside, at), distance(outside, at)];
    const t = far > near ? (gap - near) / (far - near) : 1;
    const edge = [0, 1].map((axis) => inside[axis] + (outside[axis] - inside[axis]) * t);
    return [edge, ...line.slice(out + 1)];
  };

  const trim = (line, start, end) => {
    const left = trim_start(line, start.at, start.gap);
    return trim_start([...left].reverse(), end.at, end.gap).reverse();
  };

  const nearest = (line, to) => {
    let [best, at, gone] = [1e18, 0, 0];
    for (const [a, b] of pairs(line)) {
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
      const square = dx * dx + dy * dy;
      let t = square ? ((to[0] - a[0]) * dx + (to[1] - a[1]) * dy) / square : 0;
      t = Math.min(Math.max(t, 0), 1);
      const off = distance(to, [a[0] + t * dx, a[1] + t * dy]);
      if (off < best) [best, at] = [off, gone + t * Math.sqrt(square)];
      gone += Math.sqrt(square);
    }
    return at;
  };

  // -- obstacles -----------------------------------------------------------------------------

  const make_field = () => {
    const [left, top, right, bottom] = canvas.sheet;
    const cells = new Map();

    const add = (dear, key, box, at, round) => {
      const entry = { dear, key, box, at, round };
      for (let column = Math.floor(box[0] / CELL); column <= Math.floor(box[2] / CELL); column += 1) {
        for (let row = Math.floor(box[1] / CELL); row <= Math.floor(box[3] / CELL); row += 1) {
          const cell = column * 65536 + row;
          if (cells.has(cell)) cells.get(cell).push(entry);
          else cells.set(cell, [entry]);
        }
      }
    };

    const disc = (dear, key, [x, y], r) => add(dear, key, [x - r, y - r, x + r, y + r], [x, y], r);

    const hits = ({ round, at, box }, x, y) => round
      ? (x - at[0]) ** 2 + (y - at[1]) ** 2 < round * round
      : box[0] <= x && x <= box[2] && box[1] <= y && y <= box[3];

    const cost = (line, own = [], limit = 1e9) => {
      let total = 0;
      for (const [x, y] of line) {
        if (!(left <= x && x <= right && top <= y && y <= bottom)) total += OUTSIDE;
        for (const entry of cells.get(Math.floor(x / CELL) * 65536 + Math.floor(y / CELL)) || []) {
          if (!(entry.key !== null && own.includes(entry.key)) && hits(entry, x, y)) total += entry.dear;
        }
        if (total > limit) break;
      }
      return total;
    };

    const lay = (line, unit, headed) => {
      for (const point of line.slice(1, -1)) disc(LINE, `line ${unit.key}`, point, 5);
      if (headed) disc(HEAD, `line ${unit.key}`, line.at(-1), 9);
    };

    const burst = (at, r, key) => disc(DEAR_BURST, key, at, r + 2);

    for (const unit of units) disc(DISC, unit.key, unit.at, RADIUS + GAP - 0.5);
    const { names = [], cities = [] } = canvas;
    for (let i = 0; i < names.length; i += 4) add(NAME, null, names.slice(i, i + 4), null, 0);
    for (let i = 0; i < cities.length; i += 2) disc(CITY, null, cities.slice(i, i + 2), 8);
    return { cost, lay, burst };
  };

  const arc = (start, end, bend, skew) => {
    const [x1, y1] = start.at;
    const [dx, dy] = [end.at[0] - x1, end.at[1] - y1];
    const middle = [x1 + dx * skew + dy * bend, y1 + dy * skew - dx * bend];
    return parabola(toward(start.at, middle, start.gap), middle, toward(end.at, middle, end.gap));
  };

  const burst_middle = (line, end) => {
    if (end.key === null && distance(end.at, line.at(-1)) < end.gap + 2) return end.at;
    const [[x, y], [dx, dy]] = along(line, length_of(line));
    return [x + dx * end.burst * 0.7, y + dy * end.burst * 0.7];
  };

  const burst_points = (line, end) => {
    if (!end.burst) return [];
    const [[x, y], r] = [burst_middle(line, end), end.burst];
    return [[0, 0], [r, 0], [-r, 0], [0, r], [0, -r]].map(([across, down]) => [x + across, y + down]);
  };

  const bend_line = (start, end, field, free = [], side = 0) => {
    const own = [start.key, end.key, ...free];
    const straight = distance(start.at, end.at);
    const bends = straight > start.gap + end.gap + SHORTEST ? BENDS : [...BENDS, ...WIDE];
    let [best, least] = [[start.at, end.at], 1e9];
    for (const bend of bends) {
      if (side && bend * side < 0.15) continue;
      const swing = Math.abs(bend) * (straight * 0.3 + 6);
      if (swing >= least) break;
      for (const skew of bend ? SKEWS : [0.5]) {
        const line = arc(start, end, bend, skew);
        let dear = swing * (skew === 0.5 ? 1 : 1.15) + Math.max(0, SHORTEST - length_of(line)) * SHORT;
        if (dear < least) dear += field.cost([...line, ...line.slice(-3), ...burst_points(line, end)], own, least - dear);
        if (dear < least) [best, least] = [line, dear];
      }
    }
    return [best, least];
  };

  // -- shapes: path data with a look ---------------------------------------------------------

  const tenths = (n) => (n === 0 ? "0" : String(n / 10).replace(/^(-?)0\./, "$1."));
  // Numbers in a row: a sign or a second point begins the next number.
  const row = (numbers) => numbers.map(tenths).reduce((text, next, i, all) =>
    text + (next[0] === "-" || (next[0] === "." && all[i - 1].includes(".")) ? "" : " ") + next);

  const path = (lines, closed) => lines.map((points) => {
    const grid = points.map(([x, y]) => [Math.round(x * 10), Math.round(y * 10)]);
    const last = grid.at(-1);
    if (closed && grid.length > 1 && grid[0][0] === last[0] && grid[0][1] === last[1]) grid.pop();
    const steps = pairs(grid).map(([a, b]) => [b[0] - a[0], b[1] - a[1]]).filter(([x, y]) => x || y);
    const rest = steps.length ? `l${row(steps.flat())}` : "";
    return `M${row(grid[0])}${rest}${closed ? "z" : ""}`;
  }).join("");

  const circle = ([x, y], r) => {
    const d = (2 * r).toFixed(1);
    return `M${(x - r).toFixed(1)},${y.toFixed(1)}a${r.toFixed(1)},${r.toFixed(1)} 0 1 0 ${d},0` +
      `a${r.toFixed(1)},${r.toFixed(1)} 0 1 0 -${d},0z`;
  };

  const arrow = (line, look = "", good = true) => {
    const long = length_of(line);
    const head = Math.min(POINT, long * 0.8);
    const shaft = path([cut(line, 0, long - head * 0.7)]);
    const [x, y] = line.at(-1);
    const [[bx, by]] = along(line, long - head);
    const angle = Math.atan2(y - by, x - bx);
    const [c, s, k] = [Math.cos(angle), Math.sin(angle), head / POINT];
    const corners = [[0, 0], [-POINT, -HALF], [-NOTCH, 0], [-POINT, HALF]];
    const tip = path([corners.map(([u, v]) => [x + k * (u * c - v * s), y + k * (u * s + v * c)])], true);
    if (!good) {
      return [[shaft, `casing${look}`], [tip, "casing point"], [shaft, `rail wide${look}`], [shaft, `line wide${look}`],
        [shaft, `core${look}`], [tip, "head rim"], [tip, "head open"]];
    }
    return [[shaft, `casing${look}`], [tip, "casing point"], [shaft, `rail${look}`],
      [shaft, `line${look}`], [tip, "head"]];
  };

  const dashes = (line, torn = false) => {
    const long = length_of(line);
    const parts = torn && long > 20 ? [cut(line, 0, long / 2 - 5), cut(line, long / 2 + 5, long)] : [line];
    const data = path(parts);
    return [[data, "casing thin"], [data, "rail dashed"], [data, "line dashed"], ...torn ? slashes(line) : []];
  };

  const slashes = (line) => {
    const [[x, y], [dx, dy]] = along(line, length_of(line) / 2);
    const data = path([-2.4, 2.4].map((k) => [
      [x + dx * k + (dx * 0.4 - dy) * 6.5, y + dy * k + (dy * 0.4 + dx) * 6.5],
      [x + dx * k - (dx * 0.4 - dy) * 6.5, y + dy * k - (dy * 0.4 + dx) * 6.5],
    ]));
    return [[data, "casing thin"], [data, "slash"]];
  };

  const star = ([x, y], radius) => {
    const rays = Array.from({ length: 18 }, (_, i) => [i * Math.PI / 9, i % 2 ? radius * 0.5 : radius]);
    return [path([rays.map(([turn, r]) => [x + r * Math.sin(turn), y - r * Math.cos(turn)])], true), "burst"];
  };

  const undrawn = (line) => {
    const data = path([line]);
    return [[data, "casing thin"], [data, "nothing"]];
  };

  // The way of an army over the sea that no fleet is ordered to carry.
  const attempt = (line) => {
    const tip = arrow(line, "", false).at(-1)[0];
    return [...undrawn(line), [tip, "head rim"], [tip, "head open"]];
  };

  const void_line = (line) => [...undrawn(line), ...cross(along(line, length_of(line) / 2)[0], 3.6, " small")];

  const knob = (at) => [circle(at, 3.4), "knob"];

  const shield = (at, r, from) => {
    const middle = Math.atan2(from[1] - at[1], from[0] - at[0]);
    const turns = Array.from({ length: 9 }, (_, k) => middle + (k - 4) * 0.17);
    const data = path([turns.map((t) => [at[0] + r * Math.cos(t), at[1] + r * Math.sin(t)])]);
    return [[data, "rail"], [data, "line"]];
  };

  const waves = ([x, y]) => {
    const data = [17, 21.5].map((down) =>
      `M${(x - 15).toFixed(1)},${(y + down).toFixed(1)}q3.7,-4.4 7.5,0t7.5,0 7.5,0 7.5,0`).join("");
    return [[data, "casing thin"], [data, "wave rim"], [data, "wave"]];
  };

  const bar = ([x, top], double = false) => {
    const y = top + 17.5;
    const upper = [[x - 9, y - 3], [x - 9, y], [x + 9, y], [x + 9, y - 3]];
    const data = path(double ? [upper, [[x - 9, y + 7], [x + 9, y + 7]]] : [upper]);
    return [[data, "rail bar"], [data, `line bar${double ? " stood" : ""}`]];
  };

  const frame_cross = ([x, y]) => {
    const strokes = [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(([a, b]) =>
      [[x + a * 8.6, y + b * 8.6], [x + a * 17, y + b * 17]]);
    return [[path(strokes), "cross under"], [path(strokes), "cross"]];
  };

  const cross = ([x, y], h, look = "") => {
    const data = path([[[x - h, y - h], [x + h, y + h]], [[x - h, y + h], [x + h, y - h]]]);
    return [[data, `cross under${look}`], [data, `cross${look}`]];
  };

  const plus = ([x, y]) => [
    [circle([x, y], 6.4), "plus-disc"],
    [path([[[x - 3.6, y], [x + 3.6, y]], [[x, y - 3.6], [x, y + 3.6]]]), "plus"],
  ];

  const banner = ([x, y]) => {
    const pole = path([[[x, y], [x, y - 34]]]);
    const cloth = path([[[x, y - 34], [x + 25, y - 34], [x + 19.5, y - 26], [x + 25, y - 18], [x, y - 18]]], true);
    return [[pole, "casing thin"], [cloth, "casing point"], [pole, "pole"], [cloth, "cloth"]];
  };

  // -- orders --------------------------------------------------------------------------------

  const province_of = (place) => place.split(/[#/]/)[0];

  const end_of = (owner, to, unit) => {
    if (canvas.endOf) {
      const { at, key } = canvas.endOf(owner, to, unit);
      return key === null ? { at, gap: 3, key } : { at: units[key].at, gap: RADIUS + GAP, key };
    }
    const [x, y, key] = canvas.ends[`${owner} ${to}`] || canvas.ends[to];
    return key === undefined ? { at: [x, y], gap: 3, key: null } : { at: units[key].at, gap: RADIUS + GAP, key };
  };

  const start_of = (unit) => ({ at: unit.at, gap: RADIUS + 1, key: unit.key });

  // In a phase of retreats the dislodged units are meant, else those on the board.
  const retreating = units.some((unit) => unit.dislodged);
  const named = (name, owner) => {
    const alike = units.filter((unit) => unit.name === name && unit.dislodged === retreating);
    return alike.find((unit) => unit.owner === owner) || alike[0];
  };

  // An order in the notation as an object; null for one that leaves nothing to draw.
  const read = (given) => {
    const { code, ...known } = typeof given === "string" ? { code: given } : given;
    const order = read_code(code, known.power || power);
    return order && { result: "", ...order, ...known };
  };

  const read_code = (code, owner) => {
    const lost = /^Lost (.+)$/.exec(code);
    if (lost) return { code, look: "lost", unit: named(lost[1], owner), about: "" };
    const part = /^([AFG] \S+) (H|-|S|C)(?: (.+))?$/.exec(code);
    if (!part) {
      const other = /^(Disband|Remove|Build|Pick) (.+)$/.exec(code);
      if (!other) return null;
      const look = other[1].toLowerCase();
      return { code, look, unit: named(other[2], owner), place: other[2], about: province_of(other[2].split(" ").at(-1)) };
    }
    const [, name, sign, rest] = part;
    const unit = named(name, owner);
    if (sign === "H") return { code, look: "hold", unit, about: unit.province };
    if (sign === "-") {
      const to = rest.split(" ")[0];
      return { code, look: retreating ? "retreat" : "move", unit, to, about: province_of(to), end: end_of(owner, to, unit) };
    }
    const [helped, to] = rest.split(" - ");
    const aim = named(helped);
    const look = sign === "S" ? "support" : "convoy";
    const end = to && end_of(aim.owner, to, aim);
    return { code, look, unit, aim, to, end, about: to ? province_of(to) : aim.province };
  };

  // The fleets that carry an army on the shortest way over their seas, the first ones if several do.
  const crossing = (move, orders) => {
    const carriers = orders.filter((order) => order.look === "convoy" && order.aim === move.unit &&
      order.about === move.about);
    const fleets = new Map();
    for (const order of [...carriers].reverse()) fleets.set(order.unit.province, order.unit);
    const seas = canvas.seas || {};
    const ways = Object.keys(seas).filter((sea) => fleets.has(sea) && seas[sea][1].includes(move.unit.province))
      .map((sea) => [sea]);
    const seen = new Set(ways.map(([sea]) => sea));
    for (const way of ways) {
      const [next, shores] = seas[way.at(-1)];
      if (shores.includes(move.about)) return way.map((sea) => fleets.get(sea));
      for (const sea of next.filter((each) => fleets.has(each) && !seen.has(each))) {
        seen.add(sea);
        ways.push([...way, sea]);
      }
    }
    return [];
  };

  const waypoints = (start, fleets, end, sides) => {
    const stations = [start, ...fleets, end];
    const found = [start];
    fleets.slice(0, sides.length).forEach((at, i) => {
      const [[x1, y1], [x2, y2]] = [stations[i], stations[i + 2]];
      const off = (RADIUS + 7) * sides[i] / (distance(stations[i], stations[i + 2]) || 1);
      found.push([at[0] + (y2 - y1) * off, at[1] - (x2 - x1) * off]);
    });
    return [...found, end];
  };

  const all_sides = (n) => {
    if (n >= 5) return [[1], [-1]];
    return Array.from({ length: 2 ** n }, (_, i) =>
      Array.from({ length: n }, (__, k) => ((i >> (n - 1 - k)) & 1 ? -1 : 1)));
  };

  const draw_all = (orders) => {
    const field = make_field();
    const moves = new Map();
    for (const order of orders) {
      if (order.look === "move" || order.look === "retreat") moves.set(order.unit.key, order);
    }
    const lines = new Map();
    const sides = new Map();

    // A bounce leaves room for its burst.
    const end_at = ({ end, result }) => {
      if (GOOD.includes(result) || VOID.includes(result) || result === "destroyed") return end;
      return { ...end, gap: end.key === null ? BURST + 1 : end.gap + BURST * 1.4, burst: BURST };
    };

    const straight = (order) => {
      const [start, end] = [start_of(order.unit), end_at(order)];
      const other = end.key === null ? null : moves.get(end.key);
      if (!other || other.end.key !== order.unit.key) return bend_line(start, end, field)[0];
      let side = sides.get(other.unit.key);
      if (side === undefined) {
        const [left, right] = [1, -1].map((each) => bend_line(start, end, field, [], each));
        side = left[1] <= right[1] ? 1 : -1;
      }
      sides.set(order.unit.key, side);
      return bend_line(start, end, field, [], side)[0];
    };

    // A line that leads straight to a way and away from it, and bends only near it.
    const follow = (start, way, end) => {
      const beside = (at, { at: other }) => toward(at, other, Math.min(POINT, distance(at, other) / 2));
      const [near, far] = [beside(way[0], start), beside(way.at(-1), end)];
      const bent = smooth([near, ...way, far]).slice(1, -1);
      return trim([...parabola(start.at, near, near), ...bent, ...parabola(far, far, end.at)], start, end);
    };

    const express = (order, [number]) => {
      const [start, end, river] = [start_of(order.unit), end_at(order), canvas.rivers[number]];
      const [first, last] = [nearest(river, start.at), nearest(river, end.at)];
      const way = cut(river, Math.min(first, last), Math.max(first, last));
      if (first > last) way.reverse();
      return follow(start, way, end);
    };

    const haul = (order, over) => {
      const [start, end] = [start_of(order.unit), end_at(order)];
      // Fleets that are hauled over the same portage go side by side to its end, and none crosses another.
      const portage = canvas.portages[over];
      const [[x1, y1], [x2, y2]] = [portage[0], portage.at(-1)];
      const [across, down] = [y1 - y2, x2 - x1];
      const side = ({ unit: { at: [x, y] }, end: { at: [u, v] } }) => Math.round(((x + u) * across + (y + v) * down) * 10);
      const hauled = [...moves.values()].filter((each) => each.over === over).sort((a, b) => side(a) - side(b) || a.rank - b.rank);
      const apart = (hauled.indexOf(order) - (hauled.length - 1) / 2) * HAULS / (Math.hypot(across, down) || 1);
      const turned = distance(portage.at(-1), start.at) < distance(portage[0], start.at);
      const course = turned ? [...portage].reverse() : portage;
      const way = [...course.slice(0, -1).map(([x, y]) => [x + across * apart, y + down * apart]), course.at(-1)];
      return follow(start, way, end);
    };

    const voyage = (order) => {
      const [start, end] = [start_of(order.unit), end_at(order)];
      const fleets = order.fleets.map((fleet) => fleet.at);
      let [best, least] = [null, Infinity];
      for (const side of all_sides(fleets.length)) {
        const line = trim(smooth(waypoints(start.at, fleets, end.at, side)), start, end);
        const dear = field.cost(line, [start.key, end.key]) + length_of(line) * 0.2;
        if (dear < least) [best, least] = [line, dear];
      }
      return best;
    };

    const burst = (at, key) => {
      field.burst(at, BURST, key);
      return star(at, BURST);
    };

    // An arrow that ends as its order did: with a burst if it bounced.
    const ended = (order, line, look) => {
      const good = GOOD.includes(order.result);
      const shapes = arrow(line, look, good);
      const end = end_at(order);
      if (order.result === "destroyed") shapes.push(...cross(along(line, length_of(line) / 2)[0], 7));
      else if (!good) shapes.push(burst(burst_middle(line, end), end.key));
      return shapes;
    };

    const stopped = (order, line, far) => {
      const long = length_of(line);
      if (far > long - 2 * BURST) return ended(order, line, "");
      const gone = cut(line, 0, Math.max(far, 16));
      const rest = cut(line, Math.max(far, 16) + 2 * BURST, long);
      const [[x, y], [dx, dy]] = along(gone, length_of(gone));
      return [...undrawn(rest), ...arrow(gone, "", false), burst([x + dx * BURST, y + dy * BURST], null)];
    };

    // Where a move that failed on its way was stopped, if it was.
    const halt_of = (order, line) => {
      if (GOOD.includes(order.result)) return null;
      if (order.course) {
        const mark = end_of(order.unit.owner, order.stop || order.course[1][0], order.unit);
        return nearest(line, mark.at);
      }
      const sunk = order.fleets.find((fleet) => sunken.has(fleet.key));
      return sunk ? nearest(line, sunk.at) - BURST : null;
    };

    const move = (order) => {
      if (VOID.includes(order.result)) {
        const line = straight(order);
        lines.set(order.unit.key, line);
        field.lay(line, order.unit, true);
        return void_line(line);
      }
      const line = order.course ? express(order, order.course)
        : order.over ? haul(order, order.over)
          : order.fleets.length ? voyage(order) : straight(order);
      lines.set(order.unit.key, line);
      field.lay(line, order.unit, true);
      const halt = halt_of(order, line);
      if (!order.result && !order.fleets.length && (canvas.carried || []).includes(order.code)) return attempt(line);
      return halt === null ? ended(order, line, order.over ? " rollers" : "") : stopped(order, line, halt);
    };

    const helped_line = (order) => {
      const helped = moves.get(order.aim.key);
      return helped && helped.about === order.about ? lines.get(order.aim.key) : null;
    };

    const join = (start, helped, aim) => {
      const long = length_of(helped);
      let [best, least] = [null, Infinity];
      JOINS.forEach((share, i) => {
        const end = { at: along(helped, long * share)[0], gap: 0, key: null };
        const [line, dear] = bend_line(start, end, field, i ? [aim.key] : []);
        const cost = dear + i * 3 + length_of(line) * 0.06;
        if (cost < least) [best, least] = [line, cost];
      });
      return best;
    };

    const support = (order) => {
      const start = start_of(order.unit);
      const shapes = [];
      let line;
      let sign;
      if (order.to === undefined) {
        const at = order.aim.at;
        [line] = bend_line(start, { at, gap: RADIUS + GAP + 3.5, key: order.aim.key }, field);
        sign = shield(at, RADIUS + GAP, line.at(-1));
      } else {
        let helped = helped_line(order);
        if (!helped) {
          [helped] = bend_line(start_of(order.aim), order.end, field);
          shapes.push(...undrawn(helped));
        }
        line = join(start, helped, order.aim);
        sign = [knob(line.at(-1))];
      }
      if (VOID.includes(order.result)) shapes.push(...void_line(line));
      else shapes.push(...dashes(line, order.result === "cut"), ...sign);
      field.lay(line, order.aim, false);
      return shapes;
    };

    const convoy = (order) => {
      const at = order.unit.at;
      const helped = helped_line(order);
      const shapes = [];
      if (!helped) {
        const army = start_of(order.aim);
        const way = waypoints(army.at, [at], order.end.at, [1]);
        shapes.push(...undrawn(trim(smooth(way), army, order.end)));
      }
      if (VOID.includes(order.result)) {
        return void_line(bend_line(start_of(order.unit), { at: order.aim.at, gap: RADIUS + GAP, key: order.aim.key }, field)[0]);
      }
      if (!helped) { /* the line of the move that was not ordered is there already */ } else if (distance(along(helped, nearest(helped, at))[0], at) > RADIUS + 12) {
        const line = join(start_of(order.unit), helped, order.aim);
        shapes.push(...dashes(line), knob(line.at(-1)));
      }
      return [...shapes, ...waves(at), ...order.result === "disrupted" ? cross([at[0], at[1] + 19], 5) : []];
    };

    // A new unit is beside another one that is new in the same city.
    const built = new Map();
    const build = (order) => {
      const location = order.place.split(" ")[1];
      const [x, y] = canvas.newAt ? canvas.newAt(location) : canvas.new[location];
      const before = built.get(order.about) || 0;
      built.set(order.about, before + 1);
      order.at = [x + before * 2 * RADIUS, y];
      return GOOD.includes(order.result) ? plus([order.at[0] + 11, order.at[1] - 11]) : cross(order.at, 7, " small");
    };

    const sunken = new Set(orders.filter((order) => order.look === "convoy" && order.result === "disrupted")
      .map((order) => order.unit.key));
    const reach = (order) => Number(distance(order.unit.at, order.end.at).toFixed(1));
    const special = (order) => (order.course || order.over || order.fleets.length ? 0 : 1);
    for (const order of moves.values()) {
      const way = `${order.unit.province} ${order.about}`;
      const fleet = order.unit.name[0] === "F" && order.look === "move";
      order.course = fleet && canvas.courses ? canvas.courses[way] : undefined;
      order.over = fleet && canvas.hauls ? canvas.hauls[way] : undefined;
      order.fleets = fleet || order.look === "retreat" ? [] : crossing(order, orders);
    }
    const sorted = [...moves.values()].sort((a, b) => special(a) - special(b) || reach(a) - reach(b) || a.rank - b.rank);
    const draw = (look, how) => orders.filter((order) => order.look === look).map((order) => [order, how(order)]);
    const moved = sorted.map((order) => [order, move(order)]);
    const supported = draw("support", support);
    const convoyed = draw("convoy", convoy);
    const held = draw("hold", (order) => bar(order.unit.at, order.attacked));
    const gone = [...draw("lost", (order) => frame_cross(order.unit.at)), ...draw("disband", (order) => frame_cross(order.unit.at)), ...draw("remove", (order) => frame_cross(order.unit.at))];
    return {
      under: [...held, ...convoyed, ...moved, ...supported],
      over: [...gone, ...draw("build", build), ...draw("pick", (order) => banner(canvas.flags[order.about]))],
    };
  };

  // Takes orders in the notation, in the order of their units; gives each one's shapes.
  return (codes) => {
    const orders = codes.map(read).filter(Boolean);
    orders.forEach((order, rank) => { order.rank = rank; });
    return draw_all(orders);
  };
};
