// Puts orders in canonical notation into the words of the reader's language, as alexmagnum/notation/writer.py does.
//
//   const { written, meaning } = makeOrderWords({ words, places, coasts });
//   written("Build A ECB")              "Costruisce A ECB"
//   meaning("A MEN - TEB", retreats)    "armata (Menfi): muove; destinazione: Tebe"; retreats: whether it is a retreat
const makeOrderWords = ({ words, places, coasts }) => {
  const fill = (text, blanks) => text.replace(/\{(\w+)\}/g, (_, name) => blanks[name]);

  const VERBS = /^(Build|Remove|Disband|Pick|Waive)\b/;

  const written = (code) => code.replace(VERBS, (verb) => words[`word_${verb.toLowerCase()}`])
    .replace(/ via convoy$/, ` ${words.word_by_convoy}`);

  const place_name = (text) => {
    const [, province, coast, number] = /^([^/#]+)(?:\/([^#]+))?(?:#(\d+))?$/.exec(text);
    const place = places[province] || province;
    const named = coast ? fill(words.place_coast, { place, coast: coasts[coast] || coast }) : place;
    return number ? fill(words.place_number, { place: named, number }) : named;
  };

  const unit_name = (name) => fill(words[name[0]], { place: place_name(name.slice(2)) });

  const parsed = (code) => {
    const other = /^(Build|Remove|Disband|Pick|Waive)(?: (.+))?$/.exec(code);
    if (other) return { kind: other[1], unit: other[2] || "", to: "" };
    const [, unit, sign, rest = ""] = /^([AFG] \S+) (H|-|S|C)(?: (.+))?$/.exec(code);
    if (sign === "H") return { kind: "Hold", unit };
    if (sign === "-") return { kind: "Move", unit, to: rest.split(" ")[0], via: rest.endsWith("via convoy") };
    const [aim, to = ""] = rest.split(" - ");
    return { kind: sign === "S" ? "Support" : "Convoy", unit, aim, to };
  };

  const meaning = (code, retreating) => {
    const { kind, unit, aim, to, via } = parsed(code);
    const blanks = { unit: /^[AFG] /.test(unit || "") ? unit_name(unit) : "", other: aim && unit_name(aim), to: to && place_name(to) };
    if (kind === "Pick") return fill(words.pick, { to: place_name(unit) });
    if (kind === "Move") return fill(retreating ? words.retreat : via ? words.move_convoy : to.includes("#") ? words.attack : words.move, blanks);
    if (kind === "Support") return fill(to ? words.support_move : words.support_hold, blanks);
    return fill(words[kind.toLowerCase()], blanks);
  };

  return { written, meaning, parsed };
};
