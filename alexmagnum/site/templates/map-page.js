// The map of a phase's page comes from its file; page.js, which follows, shows on it what the page tells of.
(() => {
  const name = document.body.dataset.map;
  if (name && siteMaps[name]) document.querySelector(".map").replaceChildren(dressMap(siteMaps[name]));
})();
