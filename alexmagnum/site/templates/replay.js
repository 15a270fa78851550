// The slider that replays a game: its place is a phase, whose map is loaded when it is first shown. A page with a single
// phase has no slider.
(() => {
  if (!document.querySelector(".player")) {
    const [name] = Object.keys(siteMaps);
    const alone = document.querySelector(".map");
    const map = dressMap(siteMaps[name]);
    alone.replaceChildren(map);
    panZoom(alone, map).open(makeMapNews(map).parts());
    return;
  }
  const PACE = 1200; // milliseconds between two phases
  const slider = document.querySelector("#moment");
  const player = document.querySelector(".player");
  player.hidden = false;
  const button = player.querySelector("[data-run]");
  const frame = document.querySelector(".map");
  const link = document.querySelector("#shown");
  const summary = document.querySelector("#summary");
  const frames = [...document.querySelectorAll("[data-frame]")].map((item) => ({
    code: item.dataset.frame, name: item.dataset.name, path: item.dataset.path, summary: item.dataset.summary,
  }));
  const articles = [...document.querySelectorAll("[data-article]")]; // the reports, where the page has them
  const asked = {}; // what is being loaded, by phase
  let timer = 0;
  let view = null; // of the map, once there is one

  const load = (code) => {
    asked[code] ||= new Promise((resolve) => {
      if (siteMaps[code]) return resolve();
      const script = document.createElement("script");
      script.src = `maps/${code}.js`;
      script.onload = script.onerror = resolve;
      document.head.append(script);
    });
    return asked[code];
  };

  const draw = async (index) => {
    const { code } = frames[index];
    if (!frame) return;
    await load(code);
    if (Number(slider.value) !== index) return;
    if (!siteMaps[code]) { frame.textContent = player.dataset.missing; return; }
    const map = dressMap(siteMaps[code]);
    const shown = frame.querySelector("svg");
    if (!shown) { // the first: pan and zoom belong to this element from now on
      frame.replaceChildren(map);
      view = panZoom(frame, map);
    } else {
      shown.replaceChildren(...map.childNodes);
    }
    // The map follows what happens until the reader moves it.
    if (!view.handled) view.open(makeMapNews(shown || map).parts());
    if (index + 1 < frames.length) load(frames[index + 1].code);
  };

  const show = (index) => {
    const { code, name, path, summary: text } = frames[index];
    slider.value = index;
    slider.setAttribute("aria-valuetext", name);
    link.textContent = name;
    link.setAttribute("href", path);
    summary.textContent = text;
    for (const step of player.querySelectorAll("[data-step]")) {
      step.disabled = !frames[index + Number(step.dataset.step)];
    }
    for (const article of articles) article.hidden = article.dataset.article !== code;
    history.replaceState(null, "", `#${code}`);
    return draw(index);
  };

  const stop = () => {
    clearInterval(timer);
    timer = 0;
    button.textContent = player.dataset.play;
  };

  const advance = () => {
    const next = Number(slider.value) + 1;
    if (next >= frames.length) return stop();
    show(next);
  };

  button.addEventListener("click", () => {
    if (timer) return stop();
    if (Number(slider.value) === frames.length - 1) show(0);
    timer = setInterval(advance, PACE);
    button.textContent = player.dataset.stop;
  });
  for (const step of player.querySelectorAll("[data-step]")) {
    step.addEventListener("click", () => { stop(); show(Number(slider.value) + Number(step.dataset.step)); });
  }
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });

  const follow = () => {
    const index = frames.findIndex(({ code }) => `#${code}` === location.hash);
    show(index < 0 ? frames.length - 1 : index);
  };
  addEventListener("hashchange", follow);
  follow();
})();
