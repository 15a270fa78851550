"""A page with the judge and nothing else, under the security policy of the sheets."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from alexmagnum.board.model import Board
from alexmagnum.page_judge import load_bundle, write_board
from alexmagnum.report.document import load_script
from tests.page_judge.judges import Request

ASK = """
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
"""


def write_page(
    path: Path,
    board: Board,
    requests: Sequence[Request],
    bundle: str = "",
    before: str = "",
    ask: str = ASK,
) -> None:
    """Write a page that asks these requests; its script leaves answers and times in ``result``.

    ``bundle``: another one than that of the package; ``before``: a script that comes first;
    ``ask``: another script that asks.
    """
    script = f"{before}\n{load_script('page_judge.js').text}\n{ask}"
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}' 'wasm-unsafe-eval'; worker-src blob:"
    )
    data = json.dumps({"board": write_board(board), "requests": list(requests)})
    data = data.replace("<", "\\u003c")
    path.write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Judge</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<script type="application/json" id="data">{data}</script>'
        f'<script type="text/plain" id="bundle">{bundle or load_bundle()}</script>'
        f"<script>{script}</script>",
        encoding="utf-8",
    )
