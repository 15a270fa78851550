// What happened on the map of a turn: the parts that a page shows first, and the units that decide about one.
//
//   const news = makeMapNews(map);
//   news.parts(reader)      the reader's units and picks; else units that lost their place, else those that were stopped,
//                           else the signs of what was built or picked, else all units
//   news.causes(unit)       the names of the units that decide about an order: whoever helps it, goes to the same place,
//                           stands there or comes to where it stands, and whoever helps those
const makeMapNews = (map) => {
  const LOST = ["dislodged", "destroyed"];
  const STOPPED = ["fails", "stopped", "cut", "disrupted"];
  const main = (layer, what) => [...map.querySelectorAll(`[data-layer="${layer}"] > ${what}`)];
  const seen = (part) => part.getClientRects().length > 0;
  const home = (name) => name.split(" ")[1].split(/[#/]/)[0];

  const parts = (reader) => {
    const units = main("units", ".unit").filter(seen);
    const ended = (results) => units.filter((unit) => results.includes(unit.dataset.result));
    const picks = main("picks", ".order").filter(seen);
    return [[...units, ...picks].filter((part) => part.dataset.power === reader), ended(LOST), ended(STOPPED),
      [...main("signs", ".order").filter(seen), ...picks], units].find((found) => found.length) || [];
  };

  // Orders as they are written: A CEL - EFE, F ION S A ATE - SPA, F EGI C G ALE - CRE.
  const read = ({ dataset: { unit, order = "" } }) => {
    const [, helped = "", to = ""] = /^(?:[SC] (\S+ \S+))?(?: ?- ([^#/ ]+))?/.exec(order.slice(unit.length + 1)) || [];
    return { unit, home: home(unit), to: helped ? "" : to, helped };
  };

  const causes = (name) => {
    const acts = main("units", ".unit").filter((unit) => unit.parentNode.dataset.view !== "after").map(read);
    const own = acts.find(({ unit }) => unit === name);
    if (!own) return new Set();
    const meets = (act) => act.to === own.home || own.to && (act.to === own.to || act.home === own.to);
    const met = [own, ...acts.filter((act) => act !== own && (act.unit === own.helped || meets(act)))];
    const names = met.map(({ unit }) => unit);
    return new Set([...names, ...acts.filter(({ helped }) => names.includes(helped)).map(({ unit }) => unit)].filter((unit) => unit !== name));
  };

  return { parts, causes };
};
