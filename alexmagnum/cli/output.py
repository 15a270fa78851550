"""Helpers of all commands: the language, powers by name, colours, tables and JSON."""

from __future__ import annotations

import json
import locale
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import click

from alexmagnum.board.model import Board
from alexmagnum.errors import (
    AlexMagnumError,
    BadFile,
    BadMap,
    BadPicture,
    BadPlan,
    BadPosition,
    NotationError,
)
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences

Command = TypeVar("Command", bound=Callable[..., Any])

RED_RESULTS = (
    "fails",
    "cut",
    "dislodged",
    "disrupted",
    "removed",
    "disbanded",
    "stopped",
    "destroyed",
)
RESULT_COLORS = {
    **dict.fromkeys(RED_RESULTS, "red"),
    **dict.fromkeys(("illegal", "invalid"), "yellow"),
}
WRONG_USAGE = {
    "no-game",
    "no-games",
    "game-foreign",
    "game-damaged",
    "game-newer",
    "not-an-export",
    "no-folder",
    "unknown-phase",
    "no-such-power",
    "several-powers",
    "unknown-setting",
    "bad-setting",
    "unknown-version",
    "setting-unreadable",
    "player-unreadable",
    "person-unreadable",
    "text-empty",
    "deadline-unreadable",
    "deadline-weekday",
    "deadline-left-out",
    "deadline-past",
    "deadline-far",
    "span-unreadable",
    "slots-unreadable",
    "unknown-timezone",
    "absence-unreadable",
    "absence-past",
    "orders-closed",
    "amend-what",
    "end-among",
    "end-how",
    "source-missing",
    "source-empty",
    "imap-unset",
    "imap-open-line",
    "password-missing",
    "no-message",
    "accept-whose",
    "no-press",
    "flip-no-unit",
    "safety-no-power",
    "safety-against-self",
    "safety-phase",
    "bad-player",
    "two-players",
    "bad-absence",
    "game-exists",
    "export-differs",
    "link-unreadable",
    "lab-unavailable",
    "lab-folder-used",
    "lab-no-results",
    "lab-newer-results",
    "lab-other-plan",
    "lab-series-gone",
    "lab-other-code",
    "lab-not-played",
    "lab-no-such-series",
    "lab-no-game",
}
"""Error codes that mean wrong usage (exit status 2); other errors are failures (1)."""

UNUSABLE = (BadFile, BadMap, BadPicture, BadPlan, BadPosition, NotationError)
"""Errors in a file or in what was typed, whatever the state of the game (exit status 2)."""


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
        value = os.environ.get(variable, "")
        if value:
            return value[:2].lower() if value[:2].lower() in LANGUAGES else "en"
    # Windows sets none of them; there the name is "Italian_Italy".
    name = (locale.getlocale()[0] or "")[:2].lower()
    return name if name in LANGUAGES else "en"


def lang_option(command: Command) -> Command:
    """Add ``--lang``; the command receives the sentences of that language."""
    return click.option(
        "--lang",
        "sentences",
        type=click.Choice(LANGUAGES),
        callback=_catalogue,
        help="Language of the prose (default: that of the locale, else English).",
    )(command)


def _catalogue(ctx: click.Context, param: click.Parameter, value: str | None) -> Sentences:
    return load_sentences(choose_language(value))


def print_error(error: ValueError, lang: str | None) -> int:
    """Print an error of this package in a language, and return the exit status.

    Any other error is raised again.
    """
    if not isinstance(error, AlexMagnumError):
        raise error
    sentences = load_sentences(choose_language(lang))
    click.echo(sentences.error(error), err=True)
    if isinstance(error, NotationError) and error.suggestions and "choices" not in error.data:
        click.echo(
            sentences.format("suggestion", suggestions="; ".join(error.suggestions)), err=True
        )
    return 2 if isinstance(error, UNUSABLE) or error.code in WRONG_USAGE else 1


def find_powers(board: Board, names: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of powers given by id, name, alias or abbreviation.

    Raises:
        GameError: no-such-power.
    """
    if not names:
        return ()
    # Imported late: commands without powers do not load the game package.
    from alexmagnum.game.state import parse_power

    return tuple(parse_power(board, name) for name in names)


def print_json(data: object) -> None:
    """Print data as JSON."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


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
