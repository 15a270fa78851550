// Searches the orders of a game: the files of search/ add theirs to siteOrders. siteNames has the names of places and
// powers in every language, by id: who searches for Menfi or Memphis finds the orders that say MEN.
(() => {
  const MOST = 200; // rows that are shown
  const words = document.querySelector("#words");
  const power = document.querySelector("#power");
  const found = document.querySelector("#found");
  const hint = found.textContent;
  const table = document.querySelector("#results");
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s*[-–→>]+\s*/g, "-");
  const ids = new Set(Object.keys(siteNames.places).map(fold));
  const placesIn = (order) => order.split(/[^\p{L}\p{N}]+/u).map((id) => siteNames.places[id] || "").join(" ");

  const rows = [];
  for (const part of siteOrders) {
    for (const [code, name, groups] of part) {
      for (const [id, owner, orders] of groups) {
        for (const [order, why] of orders) {
          const text = fold(`${code} ${name} ${id} ${siteNames.powers[id] || ""} ${owner} ${order} ${placesIn(order)} ${why}`);
          rows.push({ code, name, id, owner, order, why, text });
        }
      }
    }
  }

  // Returns whether a text has a word that begins as the wanted one. An id or a single letter has to be a whole word:
  // MEN is not a movement.
  const isInWord = (letter) => /[\p{L}\p{N}]/u.test(letter || "");
  const has = (text, wanted) => {
    const whole = (wanted.length === 1 && isInWord(wanted)) || ids.has(wanted);
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
      const begins = !isInWord(text[at - 1]) || !isInWord(wanted[0]);
      if (begins && !(whole && isInWord(text[at + wanted.length]))) return true;
    }
    return false;
  };

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
    const hits = rows.filter((row) => (!power.value || row.id === power.value) && wanted.every((word) => has(row.text, word)));
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
  document.querySelector("form").hidden = false;
  document.querySelector("form").addEventListener("submit", (event) => { event.preventDefault(); search(); });
  search();
})();
