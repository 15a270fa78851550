"""The command ``standby``: people who are ready to take over a power."""

from __future__ import annotations

from dataclasses import asdict

import click

from alexmagnum.cli.arguments import read_person, read_power
from alexmagnum.cli.game_options import desk_command, json_option, reason_option
from alexmagnum.cli.letter_lines import print_drafted_letters, print_letters_json
from alexmagnum.cli.output import print_json
from alexmagnum.game.desk import Desk
from alexmagnum.game.standby import add_standby, find_standby, read_standby, remove_standby
from alexmagnum.game.values import Standby
from alexmagnum.i18n.sentences import LANGUAGES, Sentences
from alexmagnum.report.names import power_name
from alexmagnum.workflow.people import invite_standby


@click.group()
def standby() -> None:
    """Keep a list of people who would take over a power, and invite them.

    \b
    Example:
      alexmagnum standby add "Carla <carla@example.org>"
      alexmagnum standby invite TOL
      alexmagnum player replace TOL --standby 1
    """


@standby.command("list")
@click.option("--past", is_flag=True, help="Those who were on it, too.")
@json_option
@desk_command
def list_standby(desk: Desk, sentences: Sentences, past: bool, as_json: bool) -> None:
    """List who is on standby.

    \b
    Example:
      alexmagnum standby list
    """
    with desk.reading():
        listed = read_standby(desk.game, past=past)
    if as_json:
        print_json([asdict(person) for person in listed])
        return
    for person in listed:
        click.echo(_line(person, desk, sentences))
    if not listed:
        click.echo(sentences.format("standby-empty"))


@standby.command()
@click.argument("who", metavar="'NAME <ADDRESS>'")
@click.option("--speaks", type=click.Choice(LANGUAGES), help="Their language.")
@click.option("--note", default="", metavar="TEXT", help="A note for yourself.")
@json_option
@reason_option
@desk_command
def add(
    desk: Desk,
    sentences: Sentences,
    who: str,
    speaks: str | None,
    note: str,
    as_json: bool,
    reason: str,
) -> None:
    """Put somebody on the list.

    \b
    Example:
      alexmagnum standby add "Carla <carla@example.org>" --speaks en
    """
    name, address, others = read_person(who)
    person = Standby(0, name, address, others, lang=speaks or "", note=note)
    _print(add_standby(desk.game, person, reason), desk, sentences, as_json)


@standby.command()
@click.argument("number", type=int)
@json_option
@reason_option
@desk_command
def remove(desk: Desk, sentences: Sentences, number: int, as_json: bool, reason: str) -> None:
    """Take somebody off the list; invitations that were not sent are dropped.

    \b
    Example:
      alexmagnum standby remove 2 --reason "has no time any more"
    """
    find_standby(desk.game, number)
    _print(remove_standby(desk.game, number, reason), desk, sentences, as_json)


@standby.command()
@click.argument("power")
@click.option("--to", "numbers", type=int, multiple=True, help="Only this person, by number.")
@json_option
@reason_option
@desk_command
def invite(
    desk: Desk,
    sentences: Sentences,
    power: str,
    numbers: tuple[int, ...],
    as_json: bool,
    reason: str,
) -> None:
    """Draft an invitation to take over a power, to everybody on the list or to some.

    The letter has the position as everybody may see it. An answer waits for you in the inbox: you
    decide, and 'player replace POWER --standby NUMBER' lets one of them play.

    \b
    Example:
      alexmagnum standby invite TOL --to 1 --to 3
    """
    made = invite_standby(desk, read_power(power, desk.board), numbers, reason)
    if as_json:
        print_letters_json(desk, made)
    else:
        print_drafted_letters(desk, made, sentences)


def _print(person: Standby, desk: Desk, sentences: Sentences, as_json: bool) -> None:
    if as_json:
        print_json(asdict(person))
    else:
        click.echo(_line(person, desk, sentences))


def _line(person: Standby, desk: Desk, sentences: Sentences) -> str:
    """Return somebody on the list in a line."""
    addresses = ", ".join(f"<{address}>" for address in person.addresses)
    text = f"{person.id} {person.name} {addresses}"
    if person.lang:
        text += f" ({person.lang})"
    if person.until:
        text += "; " + sentences.format("desk-until", day=person.until[:10])
    if person.power:
        text += f"; {power_name(desk.board, person.power, sentences)}"
    return text + (f"; {person.note}" if person.note else "")
