"use strict";
// The maps of a site: every file of maps/ adds one here, without the ground that all of them share.
const siteMaps = {};

// The orders of the game, for the search: every file of search/ adds some phases.
const siteOrders = [];

// Returns the map of an entry as an SVG element, with the ground under it. The ground is one drawing: it goes from the
// map shown before to the new one.
const siteGround = { parts: null };

const readDrawing = (text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement;

const layerOf = (svg, key) => svg.querySelector(`:scope > [data-layer="${key}"]:not([data-view])`);

const dressMap = ({ svg, shared }) => {
  if (!siteGround.parts) {
    const ground = readDrawing(siteGroundText);
    siteGround.parts = { outlines: [...ground.querySelectorAll(":scope > defs > path")], ground };
    siteGround.layers = Object.fromEntries([...ground.querySelectorAll(":scope > [data-layer]")]
      .map((layer) => [layer.dataset.layer, layer]));
  }
  const map = document.importNode(readDrawing(svg), true);
  const defs = map.querySelector("defs");
  const own = new Set([...defs.querySelectorAll("[id]")].map(({ id }) => id)); // both draw symbols
  defs.prepend(...siteGround.parts.outlines.filter(({ id }) => !own.has(id)).map((path) => path.cloneNode(true)));
  for (const key of shared) layerOf(map, key).replaceWith(siteGround.layers[key].cloneNode(true));
  return map;
};
