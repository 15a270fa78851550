"""``player`` and ``deadline``: the people at the table, and the clock."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

import click

from alexmagnum.cli.game_options import (
    deadline_words,
    desk_command,
    json_option,
    name_and_address,
    now,
    power_id,
    print_notice,
    reason_option,
)
from alexmagnum.cli.letter_lines import tell_made
from alexmagnum.cli.output import print_json
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.values import Player
from alexmagnum.i18n import zones
from alexmagnum.i18n.date_parser import parse_absence, parse_deadline, parse_extension
from alexmagnum.i18n.sentences import LANGUAGES, Sentences
from alexmagnum.report.names import power_name
from alexmagnum.workflow.letters import write_deadline_letters, write_readdressed_letters

# -- players -----------------------------------------------------------------------------------


@click.group()
def player() -> None:
    """Say who plays, who takes over, and who is away.

    \b
    Example:
      alexmagnum player list
    """


@player.command("list")
@click.option("--past", is_flag=True, help="Those who played before, too.")
@json_option
@desk_command
def list_players(desk: Desk, sentences: Sentences, past: bool, as_json: bool) -> None:
    """List the players, with addresses, absences and notes.

    \b
    Example:
      alexmagnum player list
    """
    listed = (*desk.past_players, *desk.players) if past else desk.players
    if as_json:
        print_json([asdict(one) for one in listed])
        return
    for one in listed:
        click.echo(_line(one, desk, sentences))


@player.command("set")
@click.argument("power")
@click.argument("who", metavar="['NAME <ADDRESS>']", required=False)
@click.option("--speaks", type=click.Choice(LANGUAGES), help="The player's language.")
@json_option
@reason_option
@desk_command
def set_player(
    desk: Desk,
    sentences: Sentences,
    power: str,
    who: str | None,
    speaks: str | None,
    as_json: bool,
    reason: str,
) -> None:
    """Say who plays a power, or correct the player's name, address or language.

    \b
    Example:
      alexmagnum player set TOL "Anna Neri <anna.neri@example.org>" --speaks it
    """
    changes: dict[str, str] = {"lang": speaks} if speaks else {}
    if who:
        name, address = name_and_address(who)
        changes["name"] = name
        if address:
            changes["address"] = address
    if not changes:
        raise GameError("player-unreadable", text=who or "")
    _told(desk.set_player(power_id(power, desk.board), reason, **changes), desk, sentences, as_json)
    _told_letters(desk, sentences, as_json)


@player.command()
@click.argument("power")
@click.argument("who", metavar="'NAME <ADDRESS>'")
@click.option("--speaks", type=click.Choice(LANGUAGES), help="The new player's language.")
@json_option
@reason_option
@desk_command
def replace(
    desk: Desk,
    sentences: Sentences,
    power: str,
    who: str,
    speaks: str | None,
    as_json: bool,
    reason: str,
) -> None:
    """Let somebody else play a power from now on; who played it before is remembered.

    \b
    Example:
      alexmagnum player replace TOL "Carla <carla@example.org>" --reason "Anna has left"
    """
    name, address = name_and_address(who)
    asked = power_id(power, desk.board)
    _told(desk.replace_player(asked, name, address, speaks or "", reason), desk, sentences, as_json)
    _told_letters(desk, sentences, as_json)


@player.command()
@click.argument("power")
@click.argument("when", metavar="WHEN", nargs=-1)
@click.option("--back", is_flag=True, help="The player is back.")
@json_option
@reason_option
@desk_command
def absent(
    desk: Desk,
    sentences: Sentences,
    power: str,
    when: tuple[str, ...],
    back: bool,
    as_json: bool,
    reason: str,
) -> None:
    """Note that a player is away; deadlines computed from now on move behind it.

    The deadline that runs now stays as it is: 'deadline extend' moves it.

    \b
    Example:
      alexmagnum player absent TOL 24/12-6/1 --reason "holidays"
    """
    asked = power_id(power, desk.board)
    if back:
        first = last = ""
    else:
        zone = desk.settings["timezone"]
        first, last = map(str, parse_absence(" ".join(when), zone, now()))
    _told(desk.absent(asked, first, last, reason), desk, sentences, as_json)


@player.command()
@click.argument("power")
@click.argument("words_", metavar="TEXT")
@json_option
@desk_command
def note(desk: Desk, sentences: Sentences, power: str, words_: str, as_json: bool) -> None:
    """Keep a note on a player; nobody but the game master ever reads it.

    \b
    Example:
      alexmagnum player note TOL "prefers to be called in the evening"
    """
    _told(desk.note(power_id(power, desk.board), words_), desk, sentences, as_json)


def _told(one: Player, desk: Desk, sentences: Sentences, as_json: bool) -> None:
    if as_json:
        print_json(asdict(one))
    else:
        click.echo(_line(one, desk, sentences))


def _told_letters(desk: Desk, sentences: Sentences, as_json: bool) -> None:
    """Make anew the letters that waited for whoever played before, or for another address."""
    letters = write_readdressed_letters(desk)
    if not as_json:
        tell_made(desk, letters, sentences)


def _line(one: Player, desk: Desk, sentences: Sentences) -> str:
    """A player on a line."""
    text = f"{power_name(desk.board, one.power, sentences)}: {one.name}"
    text += f" <{one.address}>" if one.address else ""
    if one.lang:
        text += f" ({one.lang})"
    if one.absent_from:
        text += "; " + sentences.format("desk-away", first=one.absent_from, last=one.absent_until)
    if one.until:
        text += "; " + sentences.format("desk-until", day=one.until[:10])
    return text + (f"; {one.note}" if one.note else "")


# -- the clock ---------------------------------------------------------------------------------


@click.group()
def deadline() -> None:
    """Set, put off, stop the deadline of the open phase.

    A time is written as people write it: '22/11 ore 23:59', 'sunday 20:00', '+48h', '2026-11-22
    23:59'; it is read on the clocks of the game's place (settings timezone).

    \b
    Example:
      alexmagnum deadline set sunday 20:00
    """


@deadline.command("set")
@click.argument("when", metavar="WHEN", nargs=-1, required=True)
@json_option
@reason_option
@desk_command
def set_deadline(
    desk: Desk, sentences: Sentences, when: tuple[str, ...], as_json: bool, reason: str
) -> None:
    """Set the deadline; 'none' takes it away.

    \b
    Example:
      alexmagnum deadline set sunday 20:00 --reason "all agreed"
    """
    text = " ".join(when)
    if text.casefold() in ("none", "nessuna"):
        desk.set_deadline(None, reason)
    else:
        found = parse_deadline(text, desk.settings["timezone"], now())
        print_notice(found, sentences)
        desk.set_deadline(found.at, reason)
    _told_deadline(desk, sentences, as_json)


@deadline.command()
@click.argument("span", metavar="SPAN", nargs=-1, required=True)
@json_option
@reason_option
@desk_command
def extend(
    desk: Desk, sentences: Sentences, span: tuple[str, ...], as_json: bool, reason: str
) -> None:
    """Put the deadline off by some time: '2 days', '48h', '1 settimana'.

    \b
    Example:
      alexmagnum deadline extend 2 days --reason "Bruno's computer broke"
    """
    at = parse_extension(" ".join(span), _deadline(desk), desk.settings["timezone"], now())
    desk.extend(at, reason)
    _told_deadline(desk, sentences, as_json)


def _deadline(desk: Desk) -> datetime:
    """The deadline that runs.

    Raises:
        GameError: ``deadline-none``, where none does.
    """
    if not desk.deadline or desk.paused:
        raise GameError("deadline-none")
    return zones.parse_iso(desk.deadline)


@deadline.command()
@json_option
@reason_option
@desk_command
def pause(desk: Desk, sentences: Sentences, as_json: bool, reason: str) -> None:
    """Stop the clock; the time that is left is kept.

    \b
    Example:
      alexmagnum deadline pause --reason "summer holidays"
    """
    desk.pause(reason)
    _told_deadline(desk, sentences, as_json)


@deadline.command()
@json_option
@reason_option
@desk_command
def resume(desk: Desk, sentences: Sentences, as_json: bool, reason: str) -> None:
    """Let the clock run on, with the time that was left.

    \b
    Example:
      alexmagnum deadline resume
    """
    desk.resume(reason)
    _told_deadline(desk, sentences, as_json)


def _told_deadline(desk: Desk, sentences: Sentences, as_json: bool) -> None:
    letters = write_deadline_letters(desk)
    if as_json:
        print_json({"phase": str(desk.phase), "deadline": desk.deadline, "paused": desk.paused})
        return
    click.echo(sentences.format("desk-deadline", deadline=deadline_words(desk, sentences)))
    tell_made(desk, letters, sentences)
