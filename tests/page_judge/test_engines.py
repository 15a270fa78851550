"""The judge in three browser engines, from a file and without a network."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from alexmagnum.page_judge import load_bundle
from tests.page_judge.engines import open_pages
from tests.page_judge.judge_page import write_page
from tests.page_judge.judges import ask_python, known_boards
from tests.page_judge.test_handler import CONVERSATION
from tests.sizes import one_in


@pytest.mark.parametrize("engine", one_in(3, ["chromium", "firefox", "webkit"]))
def test_a_page_in_each_engine_answers_as_python_does(engine: str, tmp_path: Path) -> None:
    page = tmp_path / "judge.html"
    write_page(page, known_boards()[0], CONVERSATION)
    (result,) = open_pages(engine, page)
    assert "answers" in result, result
    for request, mine, theirs in zip(
        CONVERSATION, result["answers"], ask_python(CONVERSATION), strict=True
    ):
        assert mine == theirs, request


DEFECTS: Mapping[str, tuple[str, str, str]] = {
    "half a bundle": ("broken", load_bundle()[: len(load_bundle()) // 2], ""),
    "signs that changed": ("broken", load_bundle().replace("a", "b"), ""),
    "no bundle": ("broken", "?", ""),
    "no WebAssembly": ("unsupported", "", "delete globalThis.WebAssembly;"),
    "no workers": ("unsupported", "", "globalThis.Worker = undefined;"),
}
"""By what is wrong with a page: the reason that it is told, its bundle, and a script before."""


def test_a_page_is_told_why_its_judge_cannot_run(tmp_path: Path) -> None:
    pages = []
    for number, (_, bundle, before) in enumerate(DEFECTS.values()):
        pages.append(tmp_path / f"{number}.html")
        write_page(pages[-1], known_boards()[0], CONVERSATION, bundle, before)
    results = open_pages("chromium", *pages)
    told = {name: result.get("failed") for name, result in zip(DEFECTS, results, strict=True)}
    assert told == {name: reason for name, (reason, _, _) in DEFECTS.items()}


def test_a_request_that_is_stopped_is_refused_and_the_next_one_answered(tmp_path: Path) -> None:
    page = tmp_path / "stop.html"
    write_page(page, known_boards()[0], [], ask=STOP)
    (result,) = open_pages("chromium", page)
    assert result == {
        "stopped": "Error: stopped",
        "first": "Error: stopped",
        "phase": "1901-spring",
    }


STOP = """
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
"""
