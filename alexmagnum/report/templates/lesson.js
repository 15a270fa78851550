// Says whether the goal of a lesson is reached, and which hint fits what its reader did (lessons.yaml has the form of both).
//
//   lessonGoal.reached(goal, next)     next: {position, winners} after the orders, as makeTableJudge answers
//   lessonGoal.hint(hints, fates)      fates: those of the reader's units; returns the words
const lessonGoal = (() => {
  const stands = ({ units }, power, name) => {
    const [, kind, province, number] = /^([AFG]) (\w+)(?:#(\d+))?$/.exec(name);
    return units.some((unit) => unit.power === power && unit.kind === kind && unit.province === province &&
      (!number || unit.number === Number(number)));
  };

  const all = (listed = {}, test) => Object.entries(listed).every(([power, wanted]) => [wanted].flat().every((each) => test(power, each)));

  const reached = ({ units, gone, centres, nobility, winner }, { position, winners = [] }) =>
    all(units, (power, unit) => stands(position, power, unit)) &&
    all(gone, (power, unit) => !stands(position, power, unit)) &&
    all(centres, (power, number) => Object.values(position.owners).filter((owner) => owner === power).length >= number) &&
    all(nobility, (power, points) => position.nobility[power] === points) &&
    (!winner || winners.includes(winner));

  const hint = (hints, fates) => {
    const lines = fates.map(({ unit, order, result }) => `${order || `${unit} H`}: ${result}`);
    return hints.find(({ when = [] }) => when.every((pattern) => lines.some((line) => new RegExp(pattern).test(line)))).say;
  };

  return { reached, hint };
})();
