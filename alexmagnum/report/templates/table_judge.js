// What a table asks the judge of a page, and the answers as the table needs them.
//
//   const judge = makeTableJudge(pageJudge, data);      what page_judge.js made, and the data of the table
//
// The judge remembers the position of the last request: it is sent again only when another one is asked about.
const makeTableJudge = (page, { lang, phases, sentences, powers }) => {
  const BAD = ["fails", "dislodged", "stopped", "destroyed", "cut", "disrupted", "illegal", "invalid"];
  const REPELLED = ["holds", "beleaguered", "own-attack"];

  const MOST_TEXT = 20000; // characters of a text in which orders are looked for: a mail with a report quoted below has half of it
  const PATIENCE = 5000; // milliseconds that reading a text may take
  const NAMELESS = "engine-no-position";
  let sent = null; // the position that the judge has
  let last = Promise.resolve(); // answers come one after the other
  let search = null; // the question that takes long, which the judge has or will have to answer

  const send = async ({ position, hear, ...request }) => {
    const whole = { lang, ...request, position };
    const answer = await page.ask(sent === position ? { lang, ...request } : whole, hear);
    const answered = !answer.ok && answer.error.code === NAMELESS ? await page.ask(whole, hear) : answer;
    sent = answered.ok ? position : null;
    if (!answered.ok) throw Object.assign(new Error(answered.error.message), { faults: answered.error.faults || [] });
    return answered;
  };

  const ask = (request) => {
    const answer = last.then(() => send(request));
    last = answer.catch(() => { sent = null; });
    return answer;
  };

  // Whoever plays on or orders something else does not wait for a search to end.
  const ask_at_once = (request) => {
    stop();
    return ask(request);
  };

  const phase_name = ({ year, season, retreats, period }) =>
    phases[retreats ? `${season} retreats` : season].replace("{year}", year).replace("{period}", period);

  // Everything that takes an order, with its orders: a unit, a place for a new unit as often as it has room, a waiver.
  const subjects_of = (listed, due) => Object.entries(listed).flatMap(([power, by_unit]) =>
    Object.entries(by_unit).flatMap(([unit, orders]) => {
      if (unit) return [{ power, unit, orders }];
      const groups = new Map();
      for (const order of orders) {
        const place = order.startsWith("Build ") ? order.split(" ")[2].split("/")[0] : order.startsWith("Waive") ? "Waive" : "";
        if (!groups.has(place)) groups.set(place, []);
        groups.get(place).push(order);
      }
      return [...groups].flatMap(([place, alike]) => {
        if (place !== "Waive") return [{ power, place, orders: alike }];
        return Array.from({ length: Math.max(1, due[power] || 1) }, (_, number) => ({ power, orders: alike, number }));
      });
    }));

  // A position, given as an object or as text, in both forms; the error of an impossible one has its faults.
  const describe = (position) => ask({ op: "position", position });

  const described = new WeakMap(); // by position: what the judge said of it

  const kind_of = ({ season, retreats }) => (retreats ? "retreats" : ["spring", "autumn"].includes(season) ? "movement" : season);

  // What a phase asks for: its kind, its name, and how many builds or removals are due.
  const begin = async (position) => {
    const kind = kind_of(position);
    if (!described.has(position) && !["movement", "retreats"].includes(kind)) described.set(position, await describe(position));
    const { adjust = {} } = described.get(position) || {};
    const due = Object.fromEntries(Object.entries(adjust).map(([power, number]) => [power, Math.abs(number)]));
    return { phase: { kind, name: phase_name(position) }, due };
  };

  const options = async (position, due, power) => {
    const { options: listed } = await ask({ op: "options", position, ...power ? { power } : {} });
    return subjects_of(listed, due);
  };

  // An army that no fleet carries gets the convoys that the check of orders suggests.
  const offer_convoys = async (position, orders, stuck) => {
    const { checks } = stuck.length ? await ask({ op: "check", position, orders }) : { checks: {} };
    for (const fate of stuck) fate.suggestions = checks[fate.power].find(({ order }) => order === fate.order)?.suggestions || [];
  };

  const results = async (position, orders, kind) => {
    const want = ["fates", "results", "reasons"];
    const { fates, results: given, reasons } = await ask_at_once({ op: "adjudicate", position, orders, want });
    const found = {};
    for (const fate of fates) {
      const key = `${fate.power} ${fate.unit}`;
      const before = found[key];
      const end = ["dislodged", "destroyed"].includes(fate.result) ? fate.result : before ? before.end : "";
      const dislodged = Boolean(end);
      const text = before ? `${before.text}; ${fate.text}` : fate.text;
      found[key] = {
        ...before || fate, text, end, dislodged, bad: Boolean(before && before.bad) || BAD.includes(fate.result),
        attacked: REPELLED.includes((before || fate).code), notable: dislodged || REPELLED.includes(fate.code),
      };
    }
    // Builds and picks belong to no unit: their results stand with their place.
    if (kind !== "movement") {
      given.forEach((each, i) => {
        const place = (/^(?:Build [AFG]|Pick) ([^/ ]+)/.exec(each.order) || [])[1];
        if (place) found[`${each.power} ${each.order}`] = { ...each, text: reasons[i].text, bad: BAD.includes(each.result) };
      });
    }
    await offer_convoys(position, orders, fates.filter(({ code }) => code === "no-convoy").map(({ power, unit }) => found[`${power} ${unit}`]));
    const lost = kind === "movement" ? Object.values(found).filter(({ end }) => end === "destroyed")
      : fates.filter((fate) => !fate.order && BAD.includes(fate.result));
    return { fates: found, lost: lost.map(({ power, unit }) => ({ power, unit })) };
  };

  const explain = async (position, orders, unit) => {
    const { steps } = await ask({ op: "explain", position, orders, unit });
    return steps.flatMap(({ depth, unit: name, order, text, need }) =>
      [{ depth, text: `${order || name}: ${text}` }, ...need ? [{ depth: depth + 1, text: need }] : []]);
  };

  // A question that takes long; hear({part}) tells how far the judge is, and what else it tells meanwhile.
  // Returns a promise of the answer, of null if the search is stopped: then the judge breaks it off, or passes it over if
  // it is still at other questions, which it answers all the same.
  const search_for = (request) => new Promise((resolve, reject) => {
    stop();
    const mine = search = { begun: false, stopped: false, end: () => resolve(null) };
    const begin = () => {
      if (mine.stopped) return null;
      mine.begun = true;
      return send(request);
    };
    const answer = last.then(begin);
    last = answer.catch(() => { sent = null; }).then(() => { if (search === mine) search = null; });
    answer.then(resolve, (error) => (mine.stopped ? resolve(null) : reject(error)));
  });

  // What would flip an order: each change is heard of as it is found, hear({by, found}).
  const flips = (position, orders, unit, hear) => search_for({ op: "flips", position, orders, unit, hear });

  // How safe the orders of a power are against others; with places to take or to hold, the best plan for these.
  const survey = (position, orders, asked, hear) => search_for({ op: "survey", position, orders, ...asked, hear });

  const stop = () => {
    if (!search) return;
    search.stopped = true;
    if (search.begun) page.stop();
    else search.end();
    search = null;
  };

  const next = async (position, orders) => {
    const answer = await ask_at_once({ op: "next_phase", position, orders });
    if (!answer.ending) {
      described.set(answer.json, answer);
      return { position: answer.json };
    }
    const winners = answer.ending.winners.map((power) => (powers[power] || { name: power }).name).join(", ");
    return { over: sentences.over.replace("%", winners || "–"), winners: answer.ending.winners, position: answer.json };
  };

  // Rubbish of many lines would keep the judge busy for minutes, as it looks in each for what may have been meant.
  const in_time = async (answer) => {
    await Promise.race([page.ready, answer.catch(() => {})]);
    let late = false;
    const timer = setTimeout(() => { late = true; page.stop(); }, PATIENCE);
    return answer.catch((error) => { throw late ? new Error(sentences["paste-long"]) : error; }).finally(() => clearTimeout(timer));
  };

  const read = async (text, position, power) => {
    if (text.length > MOST_TEXT) throw new Error(sentences["paste-long"]);
    const { orders, lines } = await in_time(ask_at_once({ op: "read_orders", text, position, ...power ? { power } : {} }));
    const unread = lines.filter(({ error }) => error).map(({ text: line, error }) => ({ line: line.trim(), message: error.message }));
    const guessed = lines.flatMap(({ text: line, notices }) => notices.map((message) => ({ line: line.trim(), message })));
    return { orders, unread, guessed };
  };

  return { begin, describe, options, results, explain, flips, survey, next, read, stop, isBad: (result) => BAD.includes(result) };
};
