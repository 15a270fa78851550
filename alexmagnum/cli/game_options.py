"""Options of the commands on a game, and opening the game they name.

:func:`desk_command` is the decorator of such a command: it opens the desk, loads the sentences of
the language asked for, and turns refusals into exit statuses.
"""

from __future__ import annotations

import functools
import os
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from alexmagnum.cli.damage import damage_refusals
from alexmagnum.cli.output import Command, choose_language, print_error, style
from alexmagnum.cli.progress import show_who_thinks
from alexmagnum.errors import AlexMagnumError
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences
from alexmagnum.slow_work import keep_results_in

GAME = "ALEXMAGNUM_GAME"
"""The variable that names the game's folder where no ``--game`` does."""

PATH = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A command's sources in the world: the clock, chance, and who is at the desk.

    Tests and the demo hand in their own as click's context object; the default is the real world.
    """

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    entropy: Callable[[int], bytes] = secrets.token_bytes
    actor: str = "gm"


def surroundings() -> Surroundings:
    """Return the surroundings of the running command."""
    given = click.get_current_context().obj
    return given if given is not None else Surroundings()


# -- the command -------------------------------------------------------------------------------


def desk_command(command: Command) -> Command:
    """Make a function a command on a game: it is called with the open desk and the sentences.

    Refusals are printed in the language of the command.
    """

    @game_option
    @game_lang_option
    @functools.wraps(command)
    def run(folder: Path | None, lang: str | None, **arguments: Any) -> Any:
        with opened_desk(folder, lang) as (desk, sentences):
            return command(desk, sentences, **arguments)

    return run  # type: ignore[return-value]


def game_option(command: Command) -> Command:
    """Add ``--game``, the game's folder."""
    return click.option(
        "--game",
        "folder",
        type=PATH,
        help=f"The game's folder (default: {GAME}, else this folder).",
    )(command)


def game_lang_option(command: Command) -> Command:
    """Add ``--lang``, which is the game's language where it is not given."""
    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        help="Language of the prose (default: that of the game).",
    )(command)


def json_option(command: Command) -> Command:
    """Add ``--json``."""
    return click.option(
        "--json", "as_json", is_flag=True, help="For machines: see docs/commands.md."
    )(command)


def reason_option(command: Command) -> Command:
    """Add ``--reason``, which goes into the journal."""
    return click.option("--reason", metavar="TEXT", default="", help="Why: goes into the journal.")(
        command
    )


def told_reason_option(command: Command) -> Command:
    """Add ``--reason`` to a command that writes to the players: it goes into those letters too."""
    return click.option(
        "--reason",
        metavar="TEXT",
        default="",
        help="Why: goes into the letters to the players, and into the journal.",
    )(command)


# -- the game --------------------------------------------------------------------------------------


@contextmanager
def opened_desk(folder: Path | None, lang: str | None) -> Iterator[tuple[Desk, Sentences]]:
    """Open the desk of a folder; a refusal ends the command with its exit status."""
    around, place = surroundings(), game_folder(folder)
    with damage_refusals(place, lang):
        desk = Desk.open(place, around.now, around.entropy, around.actor)
        spoken = lang or desk.lang
    with desk, damage_refusals(place, spoken), keep_results_in(place):
        sentences = load_sentences(spoken)
        for warning in desk.warnings:
            text = f"{sentences.format('warning')}: {sentences.error(warning)}"
            click.echo(style(text, "yellow"), err=True)
        with show_who_thinks(sentences, desk.game.base):
            yield desk, sentences


@contextmanager
def refusals(lang: str | None) -> Iterator[None]:
    """Print a refusal of this package in a language, and end the command."""
    try:
        yield
    except AlexMagnumError as error:
        sys.exit(print_error(error, lang))


def game_folder(given: Path | None) -> Path:
    """Return the folder given to the command, before it, by the variable, or the current one."""
    before = click.get_current_context().find_root().params.get("game")
    return given or before or Path(os.environ.get(GAME) or ".")


def prose_language(lang: str | None) -> Sentences:
    """Return the sentences of a command that has no game yet."""
    return load_sentences(choose_language(lang))
