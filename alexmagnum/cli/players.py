"""``player``: the people at the table."""

from __future__ import annotations

from dataclasses import asdict

import click

from alexmagnum.cli.arguments import read_person, read_power
from alexmagnum.cli.game_lines import describe_bots
from alexmagnum.cli.game_options import desk_command, json_option, reason_option
from alexmagnum.cli.letter_lines import print_drafted_letters
from alexmagnum.cli.output import print_json
from alexmagnum.cli.site_lines import bring_site_up_to_date
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.values import RETURN, Player
from alexmagnum.i18n.date_parser import parse_absence
from alexmagnum.i18n.sentences import LANGUAGES, Sentences
from alexmagnum.report.names import name_bot, name_player, name_stand_in, power_name
from alexmagnum.workflow.people import replace_by_standby
from alexmagnum.workflow.players import ChangedPlayer, replace_player, withdraw_bot
from alexmagnum.workflow.players import play_by_bot as play_by_bot_
from alexmagnum.workflow.players import set_player as set_player_


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
@click.argument("who", metavar="['NAME <ADDRESS>, <ADDRESS>']", required=False)
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
    """Say who plays a power, or correct the player's name, addresses or language.

    Letters go to the first address; orders are taken from every address that is named. The
    addresses given take the place of those before; a name alone leaves them as they are.

    \b
    Example:
      alexmagnum player set TOL "Anna Neri <anna.neri@example.org>" --speaks it
      alexmagnum player set TOL "Anna Neri <anna.neri@example.org>, <a.neri@work.example.com>"
    """
    if not (who or speaks):
        raise GameError("person-unreadable", text="")
    name, address, others = read_person(who) if who else ("", "", ())
    whose = read_power(power, desk.board)
    given = Player(whose, name, address, lang=speaks or "", other_addresses=others)
    changed = set_player_(desk, given, reason)
    _print_changed(changed, desk, sentences, as_json)


@player.command()
@click.argument("power")
@click.argument("who", metavar="['NAME <ADDRESS>']", required=False)
@click.option("--standby", type=int, metavar="NUMBER", help="Somebody on the standby list.")
@click.option("--speaks", type=click.Choice(LANGUAGES), help="The new player's language.")
@json_option
@reason_option
@desk_command
def replace(
    desk: Desk,
    sentences: Sentences,
    power: str,
    who: str | None,
    standby: int | None,
    speaks: str | None,
    as_json: bool,
    reason: str,
) -> None:
    """Let somebody else play a power from now on; who played it before is remembered.

    The new player gets one letter: the position, the orders in force, and what is due.

    \b
    Example:
      alexmagnum player replace TOL "Carla <carla@example.org>" --reason "Anna has left"
      alexmagnum player replace TOL --standby 2
    """
    if (who is None) == (standby is None):
        raise GameError("person-unreadable", text=who or "")
    whose = read_power(power, desk.board)
    if standby is not None:
        changed = replace_by_standby(desk, whose, standby, reason)
        _print_changed(changed, desk, sentences, as_json)
        return
    name, address, others = read_person(who or "")
    newcomer = Player(whose, name, address, lang=speaks or "", other_addresses=others)
    changed = replace_player(desk, newcomer, reason)
    _print_changed(changed, desk, sentences, as_json)


@player.command("bot")
@click.argument("power")
@click.argument("bot", metavar="[BOT]", required=False)
@click.option("--once", is_flag=True, help="For the open phase alone; the player stays.")
@click.option("--until-back", is_flag=True, help="Until the player sends orders; the player stays.")
@click.option("--off", is_flag=True, help="The person who played before plays again.")
@json_option
@reason_option
@desk_command
def play_by_bot(
    desk: Desk,
    sentences: Sentences,
    power: str,
    bot: str | None,
    once: bool,
    until_back: bool,
    off: bool,
    as_json: bool,
    reason: str,
) -> None:
    """Let a bot play a power from now on, or stand in for a player who is missing.

    The bot gives its orders when a phase opens; for the open phase at once, unless nothing is
    missing.  Reports say that a bot plays, and nothing waits for it.  'alexmagnum bot --help'
    names the bots; docs/bots.md tells what they do in a game.

    \b
    Example:
      alexmagnum player bot LIS dumb --reason "Carlo has left"
      alexmagnum player bot SEL dumb --until-back
      alexmagnum player bot SEL --off
    """
    if bool(bot) == off or once + until_back + off > 1:
        raise click.UsageError(sentences.format("bot-options"))
    asked = read_power(power, desk.board)
    if off:
        changed = withdraw_bot(desk, asked, reason)
    else:
        stand_in = RETURN if until_back else str(desk.phase) if once else ""
        changed = play_by_bot_(desk, asked, bot or "", stand_in=stand_in, reason=reason)
    _print_changed(changed, desk, sentences, as_json)
    if not (as_json or off):
        for line in describe_bots(desk, sentences, asked):
            click.echo(line)


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
    asked = read_power(power, desk.board)
    if back:
        first = last = ""
    else:
        zone = desk.settings["timezone"]
        first, last = map(str, parse_absence(" ".join(when), zone, desk.game.now()))
    _print_player(desk.absent(asked, first, last, reason), desk, sentences, as_json)


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
    _print_player(desk.note(read_power(power, desk.board), words_), desk, sentences, as_json)


def _print_player(one: Player, desk: Desk, sentences: Sentences, as_json: bool) -> None:
    if as_json:
        print_json(asdict(one))
    else:
        click.echo(_line(one, desk, sentences))


def _print_changed(changed: ChangedPlayer, desk: Desk, sentences: Sentences, as_json: bool) -> None:
    _print_player(changed.player, desk, sentences, as_json)
    if not as_json:
        print_drafted_letters(desk, changed.letters, sentences)
    bring_site_up_to_date(desk, sentences, as_json=as_json)


def _line(one: Player, desk: Desk, sentences: Sentences) -> str:
    """Return a player in a line."""
    text = (
        f"{power_name(desk.board, one.power, sentences)}: {one.name or name_player(one, sentences)}"
    )
    text += "".join(f"{',' * (n > 0)} <{each}>" for n, each in enumerate(one.addresses))
    if one.lang:
        text += f" ({one.lang})"
    if one.bot and one.name:
        bot = name_stand_in(name_bot(one.bot, sentences), one.stand_in, sentences)
        text += "; " + sentences.format("orders-of-bot", bot=bot)
    if one.absent_from:
        text += "; " + sentences.format("desk-away", first=one.absent_from, last=one.absent_until)
    if one.until:
        text += "; " + sentences.format("desk-until", day=one.until[:10])
    return text + (f"; {one.note}" if one.note else "")
