"""Progress bars on a terminal, with the time left: nothing of them goes into pipes and files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from time import monotonic
from typing import Any

import click

from alexmagnum.board.model import Board
from alexmagnum.cli.output import choose_language
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.notation.power_names import power_name
from alexmagnum.slow_work import hear_who_thinks

_PARTS = 1000
"""The steps of a bar."""

_PATIENCE = 0.5
"""The seconds that work may take without a bar."""


@contextmanager
def show_who_thinks(sentences: Sentences, board: Board) -> Iterator[None]:
    """Show on a terminal, while the block runs, which bot thinks for which power."""

    def show(bot: str, power: str) -> None:
        text = ""
        if bot:
            name = power_name(board, power, sentences)
            text = sentences.format("bot-thinks", bot=bot, power=name)
        click.echo(f"\r\033[K{text}", err=True, nl=False)

    if sys.stderr.isatty():
        with hear_who_thinks(show):
            yield
    else:
        yield


class ProgressBar:
    """A bar on standard error that begins when it first shows something, and ends when told.

    It begins only when the work turns out to take a while.  ``label`` is the code of a sentence.
    """

    def __init__(self, label: str, sentences: Sentences) -> None:
        self._label = sentences.format(label)
        self._begun: float | None = None
        self._bar: Any = None

    def show(self, part: float) -> None:
        """Show what part of the work is done, from 0 to 1; the bar ends with 1."""
        if not sys.stderr.isatty():
            return
        if self._begun is None:
            self._begun = monotonic()
        if self._bar is None and monotonic() - self._begun > _PATIENCE:
            self._bar = click.progressbar(
                length=_PARTS, label=self._label, file=sys.stderr, width=0
            )
        if self._bar is not None:
            self._bar.update(max(int(part * _PARTS) - self._bar.pos, 0))
        if part >= 1:
            self.end()

    def end(self) -> None:
        """End the line of the bar, if it has begun."""
        if self._bar is not None:
            self._bar.render_finish()
        self._bar = self._begun = None


@cache
def layout_bar(lang: str | None) -> ProgressBar:
    """Return the bar of the layout of a map without shapes, in the language asked for."""
    return ProgressBar("progress-layout", load_sentences(choose_language(lang)))
