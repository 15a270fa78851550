"""What the desk's commands share: which game, in which language, and by which clock."""

from __future__ import annotations

import codecs
import functools
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from alexmagnum.board.load import read_text
from alexmagnum.board.model import Board
from alexmagnum.cli.output import Command, language, say_error, style
from alexmagnum.errors import AlexMagnumError, BadFile, GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.mail_sections import phase_word
from alexmagnum.game.state import parse_power
from alexmagnum.game.values import Player
from alexmagnum.i18n.date_parser import Deadline
from alexmagnum.i18n.date_text import format_instant
from alexmagnum.i18n.folding import fold
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences
from alexmagnum.mail.parsing.decoding import clean_text
from alexmagnum.position import Position, parse_phase
from alexmagnum.report.names import phase_name, power_name
from alexmagnum.report.required_orders_text import describe_required_orders

GAME = "ALEXMAGNUM_GAME"
"""The variable that names the game's folder where no ``--game`` does."""

PATH = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a command takes from the world: the clock, chance, and who is at the desk.

    Handed in as click's context object; without one it is the real world.
    """

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    entropy: Callable[[int], bytes] = secrets.token_bytes
    actor: str = "gm"


def surroundings() -> Surroundings:
    """Those of the command that runs."""
    given = click.get_current_context().obj
    return given if given is not None else Surroundings()


def now() -> datetime:
    """The present of the command that runs."""
    return surroundings().now()


# -- the command -------------------------------------------------------------------------------


def desk_command(command: Command) -> Command:
    """A command on a game: it is given the open desk and the words of its language.

    What is refused is said in that language; what is odd but stops nothing comes first.
    """

    @game_option
    @game_lang_option
    @functools.wraps(command)
    def run(folder: Path | None, lang: str | None, **arguments: Any) -> Any:
        with opened_desk(folder, lang) as (desk, sentences):
            return command(desk, sentences, **arguments)

    return run  # type: ignore[return-value]


def game_option(command: Command) -> Command:
    return click.option(
        "--game",
        "folder",
        type=PATH,
        help=f"The game's folder (default: {GAME}, else this folder).",
    )(command)


def game_lang_option(command: Command) -> Command:
    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        help="Language of the prose (default: that of the game).",
    )(command)


def json_option(command: Command) -> Command:
    return click.option(
        "--json", "as_json", is_flag=True, help="For machines: see docs/commands.md."
    )(command)


def reason_option(command: Command) -> Command:
    return click.option("--reason", metavar="TEXT", default="", help="Why: goes into the journal.")(
        command
    )


@contextmanager
def opened_desk(folder: Path | None, lang: str | None) -> Iterator[tuple[Desk, Sentences]]:
    """The desk of a folder; what is refused ends the command with its exit status."""
    around = surroundings()
    with refusals(lang):
        desk = Desk.open(game_folder(folder), around.now, around.entropy, around.actor)
    with desk, refusals(lang or desk.lang):
        sentences = load_sentences(lang or desk.lang)
        for warning in desk.warnings:
            click.echo(
                style(f"{sentences.format('warning')}: {sentences.error(warning)}", "yellow"),
                err=True,
            )
        yield desk, sentences


@contextmanager
def refusals(lang: str | None) -> Iterator[None]:
    """What this package refuses, said in a language; it ends the command."""
    try:
        yield
    except AlexMagnumError as error:
        sys.exit(say_error(error, lang))


def game_folder(asked: Path | None) -> Path:
    """The folder asked for by the command, before it, by the variable, or the one stood in."""
    before = click.get_current_context().find_root().params.get("game")
    return asked or before or Path(os.environ.get(GAME) or ".")


def prose_language(lang: str | None) -> Sentences:
    """The words of a command that has no game yet."""
    return load_sentences(language(lang))


# -- what people type --------------------------------------------------------------------------


def power_id(text: str, board: Board) -> str:
    """The id of a power by id, name or alias.

    Raises:
        GameError: ``no-such-power``.
    """
    return parse_power(board, text)


def assignments(pairs: Iterable[str]) -> dict[str, object]:
    """Read ``NAME=VALUE``, several times.

    Raises:
        GameError: ``setting-unreadable``.
    """
    read: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise GameError("setting-unreadable", text=pair)
        read[name.strip()] = value.strip()
    return read


def phase_id(text: str) -> str:
    """A phase as the desk writes it, whatever the case, in English or Italian."""
    plain = re.sub(r"[\s_]+", "-", fold(text).strip())
    return "-".join(phase_word(word) for word in plain.split("-"))


_PLAYER = re.compile(r"\s*(?P<name>[^<>]*?)\s*(?:<\s*(?P<address>[^<>\s]*)\s*>)?\s*")


def name_and_address(text: str) -> tuple[str, str]:
    """Read ``Anna Neri <anna@example.org>``; the address may be missing.

    Raises:
        GameError: ``player-unreadable``.
    """
    match = _PLAYER.fullmatch(text)
    if match is None or not match["name"] or "\n" in text:
        raise GameError("player-unreadable", text=text)
    return match["name"], match["address"] or ""


def player_of(text: str, board: Board) -> Player:
    """Read ``TOL=Anna Neri <anna@example.org>``.

    Raises:
        GameError: ``player-unreadable``, ``no-such-power``.
    """
    power, equals, who = text.partition("=")
    if not equals:
        raise GameError("player-unreadable", text=text)
    name, address = name_and_address(who)
    return Player(power_id(power, board), name, address)


def text_of(path: Path | None, lang: str) -> str:
    """The text of a file; of standard input for ``-`` or none, where a terminal is told so.

    Somebody else may have written it: what steers a terminal is taken out, as it is of mail.

    Raises:
        BadFile: it cannot be read.
    """
    return clean_text(as_written(path, lang))


def as_written(path: Path | None, lang: str) -> str:
    """The same as it stands there.

    Mail programs save a mail as they like: what is not UTF-8 is read as UTF-16 if it says that
    it is, else as Windows-1252, which is said on standard error.
    """
    if path is not None and str(path) != "-":
        try:
            return read_text(path)
        except BadFile as error:
            if error.code != "not-utf8":
                raise
            data = path.read_bytes()
    else:
        if sys.stdin.isatty():
            click.echo(load_sentences(lang).format("desk-type"), err=True)
        data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        encoding = "utf-16" if wide else "cp1252"
        click.echo(load_sentences(lang).format("desk-encoding", encoding=encoding), err=True)
        return data.decode(encoding, errors="replace")


# -- in words ----------------------------------------------------------------------------------


def phase_words(phase: str, board: Board, sentences: Sentences) -> str:
    """A phase by name in words with its name: ``Spring 322 BC, movement (322-spring)``."""
    return f"{phase_name(parse_phase(phase, board.rules.picks), board, sentences)} ({phase})"


def deadline_words(desk: Desk, sentences: Sentences) -> str:
    """The deadline of the open phase on the game's clocks and in UTC, and how far away it is."""
    if desk.paused:
        return sentences.format("clock-stopped")
    if not desk.deadline:
        return sentences.format("no-deadline")
    return format_instant(desk.deadline, desk.settings["timezone"], sentences, now())


def print_notice(found: Deadline, sentences: Sentences) -> None:
    """A choice that was made in reading a deadline, if any was."""
    if found.notice:
        click.echo(style(sentences.format(found.notice, **found.data), "yellow"), err=True)


def print_due(position: Position, sentences: Sentences) -> None:
    """What each power has to send."""
    for power, text in describe_required_orders(position, sentences):
        click.echo(f"  {power_name(position.board, power, sentences)}: {text}")


def print_open_phase(desk: Desk, sentences: Sentences) -> None:
    """Which phase is open, until when, and what each power has to send for it."""
    if desk.phase is None:
        print_end(desk, sentences)
        return
    name = phase_words(str(desk.phase), desk.board, sentences)
    click.echo(sentences.format("desk-open-phase", phase=name))
    click.echo(sentences.format("desk-deadline", deadline=deadline_words(desk, sentences)))
    print_due(desk.position, sentences)


def print_end(desk: Desk, sentences: Sentences) -> None:
    """That the game is over, and who has won it."""
    names = [power_name(desk.board, power, sentences) for power in desk.status().winners]
    click.echo(sentences.format("desk-over"))
    click.echo(
        sentences.format("desk-winners", powers=", ".join(names) or sentences.format("nobody"))
    )
