// Finds a position as reports print it for copying (docs/cases.md: a turn file) in what people paste: a whole mail, quoted,
// indented and wrapped.
//
//   turnText.find(given)       {position, orders} with the position as in position.json, or null
//   turnText.decode(given)     the text without the signs of quoted-printable, in which programs show a mail's source
//
// It reads what programs write: units in lists, provinces by their ids. Whether all of it exists the judge says. Whatever the
// text is, its length costs no more than time in proportion: no expression begins or ends again within what another has read.
const turnText = (() => {
  const PHASES = {
    spring_moves: ["spring", false], autumn_moves: ["autumn", false], retreats: ["spring", true], autumn_retreats: ["autumn", true],
    winter_adjustments: ["winter", false], picks: ["picks", false], deployment: ["deployment", false],
  };
  const KEY = /(?:^|\s)(map|rules|phase|year|period|last_turn|units|centers|homes|nobility|dislodged|orders):(?=\s)/;

  // The keys and values of the first turn in a text, on one line.
  const fields = (given) => {
    const flat = given.split(/\r?\n/).map((line) => line.replace(/^[\s>|]+/, "")).join(" ");
    const parts = flat.split(KEY);
    const last = Math.min(parts.lastIndexOf("units"), parts.lastIndexOf("phase"));
    const start = parts.findIndex((part, i) => i % 2 && part === "map" && i < last);
    const found = {};
    for (let i = start; i > 0 && i < parts.length && !(parts[i] in found); i += 2) {
      const [value, more] = parts[i + 1].split("# end");
      found[parts[i]] = value.trim();
      if (more !== undefined) break;
    }
    return found;
  };

  const words = (text) => text.split(",").map((word) => word.trim().replace(/\s+/g, " ").replace(/^["']|["']$/g, "")).filter(Boolean);
  const lists = (text = "") => Object.fromEntries([...text.matchAll(/(?:^|[^\w-])([\w-]+):\s*\[([^\][]*)\]/g)].map(([, key, listed]) => [key, words(listed)]));
  const numbers = (text = "") => Object.fromEntries([...text.matchAll(/(?:^|[^\w-])([\w-]+):\s*(\d+)/g)].map(([, key, number]) => [key, Number(number)]));

  const unit_of = (power, text) => {
    const [, kind, province, coast = "", number = 0] = /^([AFG]) ([^/#\s]+)(?:\/([^#\s]+))?(?:#(\d+))?$/.exec(text) || ["", "", text];
    return { power, kind, province, coast, number: Number(number) };
  };

  // A unit without a number has the lowest that is free in its province.
  const number_units = (units) => {
    const taken = new Set(units.map(({ province, number }) => `${province}#${number}`));
    const free = new Map();
    for (const unit of units.filter((each) => !each.number)) {
      unit.number = free.get(unit.province) || 1;
      while (taken.has(`${unit.province}#${unit.number}`)) unit.number += 1;
      free.set(unit.province, unit.number + 1);
    }
    return units;
  };

  const dislodged_of = (text = "", units) => [...text.matchAll(/\{([^{}]*)\}/g)].map(([, entry]) => {
    const { retreats = [] } = lists(entry);
    const named = Object.fromEntries([...entry.replace(/\[[^\][]*\]/, "").matchAll(/(?:^|\W)(\w+):\s*([^,\s][^,]*)/g)].map(([, key, value]) => [key, value.trim()]));
    const lost = unit_of(named.power, named.unit);
    const there = units.find((other) => other.province === lost.province && (!lost.number || other.number === lost.number));
    const by = named.by ? unit_of(named.by_power || (there || lost).power, named.by) : { ...there };
    return { unit: number_units([lost])[0], by: number_units([by])[0], retreats };
  });

  const to_text = (signs) => new TextDecoder().decode(Uint8Array.from(signs.slice(1).split("="), (digits) => parseInt(digits, 16)));
  const decode = (given) => (/=3D|^(?![^]*=(?![0-9A-F]{2}|\r?\n))[^]*=\r?\n/.test(given) ? given.replace(/=\r?\n/g, "").replace(/(?:=[0-9A-F]{2})+/g, to_text) : given);

  const find = (given) => {
    const { map, phase, year, period = "0", units, centers, homes, nobility, dislodged, orders, rules } = fields(given);
    if (!map || !PHASES[phase]) return null;
    const [season, retreats] = PHASES[phase];
    const standing = number_units(Object.entries(lists(units)).flatMap(([power, listed]) => listed.map((text) => unit_of(power, text))));
    const owners = Object.entries(lists(centers)).filter(([power]) => power !== "NEU").flatMap(([power, listed]) => listed.map((centre) => [centre, power]));
    return {
      orders: lists(orders),
      position: {
        type: "position", map, rules: numbers(rules), year: Number(year), season, retreats, period: Number(period),
        units: standing, owners: Object.fromEntries(owners), homes: lists(homes), nobility: numbers(nobility),
        dislodged: dislodged_of(dislodged, standing),
      },
    };
  };

  return { find, decode };
})();
