// The plans of a table: A, B and C, each a way from the position that was brought through phases that were played on.
//
// A step is {position, phase, subjects, orders, past, future, due, outcome, ending}; `orders` goes from subjects to
// choices.  A change of a step's orders takes back the steps that follow it.  What was ordered is kept in the browser.
const makeTablePlans = (key, names) => {
  const plans = names.map((name) => ({ name, steps: [], at: 0, kept: [] }));
  let open = 0;

  const load = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(key)) || {};
      plans.forEach((plan, i) => { plan.kept = (kept.plans || [])[i] || []; });
      open = kept.open || 0;
    } catch { /* nothing was kept */ }
  };

  const written = (step) => Object.fromEntries([...step.orders].map(([one, choice]) => [one.id, choice.code || choice.order]));

  const save = () => {
    const orders = plans.map((plan) => [...plan.steps.map(written), ...plan.kept.slice(plan.steps.length)]);
    try { localStorage.setItem(key, JSON.stringify({ open, plans: orders })); } catch { /* nothing is kept */ }
  };

  const forget = () => {
    for (const plan of plans) [plan.steps, plan.at, plan.kept] = [[], 0, []];
    open = 0;
  };

  const current = () => plans[open];
  const step = () => current().steps[current().at];

  // Other plans in which the same phase was reached: what they order there, by subject.
  const elsewhere = () => plans.filter((plan) => plan !== current()).flatMap((plan) => {
    const there = plan.steps[current().at];
    return there && there.orders.size && there.phase.name === step().phase.name ? [{ name: plan.name, orders: written(there) }] : [];
  });

  // What the other plans order for a subject, where that differs: pairs of a plan's name and a code, "" for no order.
  const differences = (one, code) => elsewhere().flatMap(({ name, orders }) =>
    ((orders[one.id] || "") === (code || "") ? [] : [[name, orders[one.id] || ""]]));

  // Orders that were changed make what followed them out of date.
  const changed = () => {
    const plan = current();
    plan.steps.length = plan.at + 1;
    plan.kept.length = Math.min(plan.kept.length, plan.at + 1);
    step().outcome = null;
    save();
  };

  load();
  return { forget,
    plans, save, differences, changed, current, step,
    get open() { return open; },
    set open(number) { open = number; save(); },
  };
};
