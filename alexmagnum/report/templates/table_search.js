// A question that takes the judge long, in a panel of a table: its progress, a button that stops it, and what it says.
//
//   const answer = await runTableSearch({ say, judge, panel, said, searching, question, again });
//
// `question(hear)` asks the judge, as table_judge.js has it; `searching` is the code of the sentence said meanwhile.
// Returns the answer; null if it was stopped or refused: then again() makes the button that asks once more.
const runTableSearch = async ({ say, judge, panel, said, searching, question, again, hear = () => {} }) => {
  const { make, button } = pageParts;
  const bar = make("progress", "");
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute("aria-label", say(searching));
  const halt = button(say("flip-stop"), () => judge.stop(), "stop");
  const work = make("div", "row work");
  work.append(bar, halt);
  said.textContent = say(searching);
  const had_focus = panel.contains(document.activeElement);
  panel.replaceChildren(work, said);
  if (had_focus) halt.focus({ preventScroll: true });
  let answer = null;
  try {
    answer = await question(({ part, ...found }) => {
      if (part !== undefined) bar.value = part;
      else hear(found);
    });
    if (!answer) said.textContent = say("flip-stopped");
  } catch (error) {
    said.textContent = say("refused", String(error.message || error));
  }
  const focused = work.contains(document.activeElement);
  work.remove();
  if (!answer) panel.prepend(again());
  said.tabIndex = -1;
  if (focused) (answer ? said : panel.firstChild).focus({ preventScroll: true });
  return answer;
};
