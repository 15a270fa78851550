// Stops two requests, and asks another one.
(async () => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const bundle = document.getElementById("bundle").textContent;
  const judge = pageJudge({bundle, board: data.board, lang: "en"});
  const early = judge.ask({op: "options", map: "standard"});
  judge.stop();
  const first = await early.catch(String);
  await judge.ask({op: "position", map: "standard"});
  const asked = judge.ask({op: "options"});
  await Promise.resolve();
  judge.stop();
  const stopped = await asked.catch(String);
  const {phase} = await judge.ask({op: "position", map: "standard"});
  window.result = {first, stopped, phase};
})().catch((error) => { window.result = {error: String(error)}; });
