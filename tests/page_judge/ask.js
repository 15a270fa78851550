// Asks the requests of a page, and leaves answers and times in window.result.
(async () => {
  const opened = performance.now();
  const data = JSON.parse(document.getElementById("data").textContent);
  const bundle = document.getElementById("bundle").textContent;
  const judge = pageJudge({bundle, board: data.board, lang: "en"});
  judge.failed((reason, detail) => { window.result ??= {failed: reason, detail}; });
  const answers = [];
  const times = [];
  for (const request of data.requests) {
    const asked = performance.now();
    answers.push(await judge.ask(request));
    times.push(performance.now() - asked);
    if (times.length === 1) times.first = performance.now() - opened;
  }
  window.result ??= {answers, times, first: times.first, opened: performance.timeOrigin};
})().catch((error) => { window.result ??= {error: String(error)}; });
