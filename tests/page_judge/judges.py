"""The judge of a page, for tests: in Node, and in a page with nothing else in it."""

import json
import os
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.board.map_file import load_board
from alexmagnum.board.model import Board
from alexmagnum.page_judge import PageJudge, load_bundle, write_board
from alexmagnum.report.document import load_script

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / "alexmagnum" / "page_judge" / "bundle.txt"
NODE = shutil.which("node")

REQUIRED = "ALEXMAGNUM_REQUIRE_PAGE_JUDGE"
"""The variable that makes it a failure if Node or a tool of the builder is missing."""

needs_node = pytest.mark.skipif(
    NODE is None and not os.environ.get(REQUIRED), reason="no Node on this machine"
)

Request = dict[str, Any]


@cache
def known_boards() -> tuple[Board, ...]:
    """Return the maps of the package."""
    return load_board("standard"), load_board("alexmagnum")


def ask_node(
    requests: Iterable[Request], folder: Path, boards: Sequence[Board] = (), lang: str = "en"
) -> list[dict[str, Any]]:
    """Return the answers of the bundle in Node; the first of ``boards`` is known from the start.

    A request ``{"board": 1}`` hands over another of them.
    """
    assert NODE is not None, "no Node on this machine"
    written = folder / "boards.json"
    data = [write_board(board) for board in boards or known_boards()]
    written.write_text(json.dumps(data), encoding="utf-8")
    done = subprocess.run(
        [NODE, str(Path(__file__).with_name("node_judge.mjs")), str(BUNDLE), str(written), lang],
        input="".join(json.dumps(request) + "\n" for request in requests),
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.split("\n")[:-1]]


def ask_python(requests: Iterable[Request], lang: str = "en") -> list[dict[str, Any]]:
    """Return the answers of the same requests in this Python."""
    judge = PageJudge(lang, known_boards()[0])
    return [json.loads(json.dumps(judge.reply(request))) for request in requests]


def ask_both(asked: Sequence[tuple[Board, str, Request]], folder: Path) -> None:
    """Compare the answers of both judges to requests, each about a map; names are for messages."""
    boards: list[Board] = []
    requests: list[Request] = []
    expected: list[tuple[str, dict[str, Any] | None]] = []
    judge = PageJudge()
    for board, name, request in asked:
        if not boards or board.digest != boards[-1].digest:
            judge = PageJudge("en", board)
            requests.append({"board": len(boards)})
            expected.append((name, None))
            boards.append(board)
        requests.append(request)
        expected.append((f"{name}: {request['op']}", json.loads(json.dumps(judge.reply(request)))))
    answers = ask_node(requests, folder, boards)
    assert len(answers) == len(expected)
    wrong = [
        f"{name}\n  Python: {answer}\n  page:   {given}"
        for (name, answer), given in zip(expected, answers, strict=True)
        if answer is not None and given != answer
    ]
    assert not wrong, f"{len(wrong)} of {len(asked)} answers differ\n" + "\n".join(wrong[:3])


ASK = Path(__file__).with_name("ask.js").read_text(encoding="utf-8")


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
