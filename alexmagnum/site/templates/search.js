// Searches the orders of a game: the files of search/ add theirs to siteOrders.
(() => {
  const MOST = 200; // rows that are shown
  const words = document.querySelector("#words");
  const power = document.querySelector("#power");
  const found = document.querySelector("#found");
  const hint = found.textContent;
  const table = document.querySelector("#results");
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[-–→>]+/g, "-");

  const rows = [];
  for (const part of siteOrders) {
    for (const [code, name, groups] of part) {
      for (const [id, owner, orders] of groups) {
        for (const [order, why] of orders) rows.push({ code, name, id, owner, order, why, text: fold(`${name} ${owner} ${id} ${order} ${why}`) });
      }
    }
  }

  const cell = (tag, content) => {
    const made = document.createElement(tag);
    made.append(content);
    return made;
  };

  const line = ({ code, name, owner, order, why }) => {
    const link = document.createElement("a");
    link.href = `phases/${code}.html`;
    link.textContent = name;
    const row = document.createElement("tr");
    const head = cell("th", link);
    head.scope = "row";
    row.append(head, cell("td", owner), cell("td", order), cell("td", why));
    return row;
  };

  const search = () => {
    const wanted = fold(words.value).split(/\s+/).filter(Boolean);
    if (!wanted.length && !power.value) {
      table.hidden = true;
      found.textContent = hint;
      return;
    }
    const hits = rows.filter((row) => (!power.value || row.id === power.value) && wanted.every((word) => row.text.includes(word)));
    table.hidden = !hits.length;
    table.tBodies[0].replaceChildren(...hits.slice(0, MOST).map(line));
    const sentence = hits.length > MOST ? found.dataset.more : hits.length ? found.dataset.found : found.dataset.none;
    found.textContent = sentence.replace("{count}", hits.length).replace("{most}", MOST);
  };

  let pending = 0;
  const soon = () => {
    clearTimeout(pending);
    pending = setTimeout(search, 120);
  };
  words.addEventListener("input", soon);
  power.addEventListener("change", search);
  document.querySelector("form").addEventListener("submit", (event) => { event.preventDefault(); search(); });
  search();
})();
