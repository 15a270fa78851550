"""Parts that all commands share: languages, colours, tables, JSON, refusals and progress."""

import json
import locale
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import click

from alexmagnum.board.model import Board
from alexmagnum.errors import AlexMagnumError, NotationError
from alexmagnum.files import hear_who_thinks
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences, replace_unprintable
from alexmagnum.notation.names import power_name

# Helpers of all commands: the language, powers by name, colours, tables and JSON.


Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Piece = TypeVar("Piece")

FAILED = ("fails", "cut", "dislodged", "disrupted", "stopped", "destroyed")
VOID = ("illegal", "invalid")
RESULT_COLORS = {
    **dict.fromkeys((*FAILED, "removed", "disbanded"), "red"),
    **dict.fromkeys(VOID, "yellow"),
}

PATH = click.Path(path_type=Path)

map_option = click.option(
    "--map", "map_id", metavar="ID", help="The map, if the file does not name one: an id or a path."
)


def number_option(
    name: str, default: int, meaning: str, *, least: int = 1, **about: Any
) -> Callable[[Decorated], Decorated]:
    """Return an option for a whole number, which says its default in the help."""
    kind = click.IntRange(least)
    return click.option(name, type=kind, default=default, show_default=True, help=meaning, **about)


WIDEST = 160
"""The largest width in columns: longer lines are hard to read."""


def terminal_width() -> int:
    """Return the width of the terminal, at most ``WIDEST``; 80 if there is no terminal."""
    return min(shutil.get_terminal_size().columns, WIDEST)


def choose_language(asked: str | None) -> str:
    """Return the language given by an option, else that of the locale, else English."""
    if asked in LANGUAGES:
        return asked
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable, ""):
            return value[:2].lower() if value[:2].lower() in LANGUAGES else "en"
    # Windows sets none of them; there the name is "Italian_Italy".
    name = (locale.getlocale()[0] or "")[:2].lower()
    return name if name in LANGUAGES else "en"


def print_error(error: ValueError, lang: str | None) -> int:
    """Print an error of this package in a language and return the exit status; raise any other."""
    if not isinstance(error, AlexMagnumError):
        raise error
    sentences = load_sentences(choose_language(lang))
    click.echo(sentences.error(error), err=True)
    if isinstance(error, NotationError) and error.suggestions and "choices" not in error.data:
        click.echo(
            sentences.format("suggestion", suggestions="; ".join(sentences.suggestions(error))),
            err=True,
        )
    return error.exit_status


def find_powers(board: Board, names: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of powers given by id, name, alias or abbreviation."""
    if not names:
        return ()
    # Imported late: commands without powers do not load the game package.
    from alexmagnum.game.game import parse_power

    return tuple(parse_power(board, name) for name in names)


def split_names(text: str) -> list[str]:
    """Return the names of a text such as ``TOL, SEL``; semicolons part them too."""
    return [name.strip() for name in text.replace(";", ",").split(",") if name.strip()]


def pick(value: object, *names: str) -> dict[str, object]:
    """Return some attributes of a value by name, for JSON; paths as texts."""
    found = {name: getattr(value, name) for name in names}
    return {name: str(each) if isinstance(each, Path) else each for name, each in found.items()}


def print_json(data: object) -> None:
    """Print data as JSON."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


@dataclass(frozen=True)
class Call:
    """One call of a command: the shared options as they were given to it, and how it answers."""

    lang: str | None
    as_json: bool = False
    reason: str = ""
    opened: bool = False
    game_path: Path | None = None

    @cached_property
    def sentences(self) -> Sentences:
        """The sentences in the language asked for, else in that of the locale."""
        return load_sentences(choose_language(self.lang))

    def format(self, code: str, **data: object) -> str:
        """Return a sentence in the language of the call."""
        return self.sentences.format(code, **data)

    def answer(self, data: object, lines: Iterable[str], *, failed: bool = False) -> None:
        """Print the answer of the command: data as JSON for machines, or lines for people.

        With ``failed`` the command ends then, with exit status 1.
        """
        if self.as_json:
            print_json(data)
        else:
            self.say(lines)
        if failed:
            sys.exit(1)

    def say(self, lines: Iterable[str]) -> None:
        """Print lines for people; nothing if a machine asked."""
        for line in () if self.as_json else lines:
            click.echo(_spell_out(line))

    def warn(self, text: str, color: str = "yellow") -> None:
        """Print a coloured line on standard error."""
        click.echo(style(_spell_out(text), color), err=True)


_COLOR = re.compile(r"(\x1b\[[\d;]*m)")


def _spell_out(line: str) -> str:
    """Spell out what a terminal would obey, except colours."""
    return "".join(
        part if _COLOR.fullmatch(part) else replace_unprintable(part) for part in _COLOR.split(line)
    )


def style(text: str, color: str | None = None, *, bold: bool = False) -> str:
    """Return coloured text; click removes colours outside a terminal, NO_COLOR everywhere."""
    if os.environ.get("NO_COLOR") or not (color or bold):
        return text
    return click.style(text, fg=color, bold=bold)


def table_lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows as lines with aligned columns; empty columns are left out."""
    columns = [column for column in zip(*rows, strict=True) if any(column)]
    widths = [max(map(len, column)) for column in columns]
    for cells in zip(*columns, strict=True):
        yield "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))


# Progress bars on a terminal, with the time left: nothing of them goes into pipes and files.


_PARTS = 1000  # the steps of a bar
_PATIENCE = 0.5  # the seconds that work may take without a bar


def show_who_thinks(sentences: Sentences, board: Board) -> AbstractContextManager[None]:
    """Show on a terminal, while the block runs, which bot thinks for which power."""

    def show(bot: str, power: str) -> None:
        text = ""
        if bot:
            name = power_name(board, power, sentences)
            text = sentences.format("bot-thinks", bot=bot, power=name)
        click.echo(f"\r\033[K{text}", err=True, nl=False)

    return hear_who_thinks(show) if sys.stderr.isatty() else nullcontext()


def show_bar(work: Iterable[Piece], count: int, least: int) -> Iterator[Piece]:
    """Yield pieces of work; a terminal shows a bar if there are at least so many of them."""
    if count < least or not sys.stderr.isatty():
        yield from work
        return
    with click.progressbar(
        work, length=count, file=sys.stderr, update_min_steps=least // 20
    ) as bar:
        yield from bar


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
