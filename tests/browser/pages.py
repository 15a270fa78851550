"""Reports as files, for the browser to open."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from alexmagnum.board.model import Board
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.position import Phase
from alexmagnum.report.context import CentreCount, PhaseContext
from alexmagnum.report.formats import format_report
from tests.report import phase_contexts


def page(folder: Path, name: str, reader: str | None = None, lang: str = "en") -> Path:
    """Write the page of one of the kinds of phase for a reader; return its path."""
    path = folder / f"{name}.html"
    path.write_text(_page_text(name, reader, lang), encoding="utf-8", newline="\n")
    return path


@cache
def _page_text(name: str, reader: str | None, lang: str) -> str:
    """Return the text of a page; maps are drawn once for all tests that open it."""
    context = phase_contexts.ALL[name]()
    if name == "sample":
        context = with_history(context)
    return format_report(context, reader, "html", load_sentences(lang))


def with_history(context: PhaseContext) -> PhaseContext:
    """Return the context with the centres of some years behind it."""
    return replace(context, centre_counts=tuple(_tallies(context.position.board)))


def _tallies(board: Board) -> list[CentreCount]:
    counts = {
        None: (0, 0, 0, 0, 0, 1),
        Phase(323, "picks", period=3): (3, 3, 2, 2, 3, 4),
        Phase(323, "picks", period=5): (5, 4, 4, 4, 4, 5),
        Phase(322, "autumn"): (5, 5, 5, 6, 6, 8),
        Phase(321, "autumn"): (7, 6, 5, 7, 4, 10),
        Phase(320, "autumn"): (8, 6, 5, 7, 5, 11),
        Phase(319, "autumn"): (7, 8, 4, 7, 4, 13),
    }
    return [
        CentreCount(phase, dict(zip(board.powers, c, strict=True))) for phase, c in counts.items()
    ]
