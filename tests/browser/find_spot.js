([unit, province]) => {
  const board = document.querySelector("#board");
  board.scrollIntoView({block: "nearest"});
  const frame = board.getBoundingClientRect();
  const units = [...board.querySelectorAll("[data-layer=units] .unit")];
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const seen = ([x, y]) => {
    const inside = Math.abs(x - frame.x - frame.width / 2) < frame.width / 2 - 4
      && Math.abs(y - frame.y - frame.height / 2) < frame.height / 2 - 4;
    return inside && board.contains(document.elementFromPoint(x, y));
  };
  if (unit) {
    const token = units.find(each => each.dataset.unit === unit);
    const at = middle(token.getBoundingClientRect());
    return seen(at) ? at : null;
  }
  const shape = board.querySelector(`.province[data-province="${province}"]`);
  const box = shape.getBoundingClientRect();
  for (let row = 1; row < 40; row += 1) for (let column = 1; column < 40; column += 1) {
    const at = [box.x + box.width * column / 40, box.y + box.height * row / 40];
    if (!seen(at)) continue;
    const near = [[0, 0], [3, 0], [-3, 0], [0, 3], [0, -3]].map(([x, y]) => document
      .elementsFromPoint(at[0] + x, at[1] + y).find(each => each.dataset.province));
    if (near.some(each => !each || each.dataset.province !== province)) continue;
    const far = units.map(each => each.getBoundingClientRect())
      .map((box) => [middle(box), Math.max(23, box.width)])
      .every(([[x, y], reach]) => Math.hypot(x - at[0], y - at[1]) > reach);
    if (far) return at;
  }
  return null;
}
