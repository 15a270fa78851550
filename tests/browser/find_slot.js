province => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { table } = data.tables ? data.tables.find(each => each.facts.provinces[province]) : data;
  const matrix = document.querySelector("#board svg").getScreenCTM();
  const at = new DOMPoint(...table.pieces.slots[province][0]).matrixTransform(matrix);
  return [at.x, at.y];
}
