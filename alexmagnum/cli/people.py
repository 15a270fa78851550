"""The commands ``player``, ``standby`` and ``letter``."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path

import click

from alexmagnum.board.model import list_examples
from alexmagnum.cli import GameCommand, GameGroup
from alexmagnum.cli.base import PATH, split_names
from alexmagnum.cli.game_options import GameCall, describe_bots, read_text_of
from alexmagnum.cli.outbox import print_letters
from alexmagnum.cli.phases import print_consequences
from alexmagnum.cli.status import format_player
from alexmagnum.errors import GameError
from alexmagnum.game import people as game_people
from alexmagnum.game.game import RETURN, Player, Standby
from alexmagnum.game.status import mark_folder
from alexmagnum.game.submissions import say_act_is_stored
from alexmagnum.i18n.dates import parse_absence
from alexmagnum.i18n.sentences import LANGUAGES, Sentences
from alexmagnum.mail.drafts import draft_written_letters
from alexmagnum.mail.letters import Readers
from alexmagnum.mail.outbox import Outbox
from alexmagnum.report.materials import Materials
from alexmagnum.workflow.changes import invite_standby
from alexmagnum.workflow.publish import update_letters, write_sheets

# ``player``: the people at the table.


@click.group(cls=GameGroup)
def player() -> None:
    """Say who plays, who takes over, and who is away; 'status --people' lists them.

    \b
    Example:
      alexmagnum status --people
    """


@player.command("set", reason=True)
@click.argument("power")
@click.argument("who", metavar="['NAME <ADDRESS>, <ADDRESS>']", required=False)
@click.option("--speaks", type=click.Choice(LANGUAGES), help="The player's language.")
@click.option("--note", metavar="TEXT", help="A note that nobody but you ever reads.")
def set_player(
    call: GameCall, power: str, who: str | None, speaks: str | None, note: str | None
) -> None:
    """Say who plays a power, or correct the player's name, addresses or language.

    Letters go to the first address; orders are taken from every address that is named. The
    addresses given take the place of those before; a name alone leaves them as they are.

    \b
    Example:
      alexmagnum player set TOL "Anna Neri <anna.neri@example.org>" --speaks it
      alexmagnum player set TOL "Anna Neri <anna.neri@example.org>, <a.neri@work.example.com>"
      alexmagnum player set TOL --note "prefers to be called in the evening"
    """
    whose = call.parse_power(power)
    if note is not None:
        noted = call.desk.note(whose, note)
        if not (who or speaks):
            _print_player(call, noted)
            return
    if not (who or speaks):
        raise GameError("person-unreadable", text="")
    name, address, others = game_people.read_person(who) if who else ("", "", ())
    changes: dict[str, object] = {"name": name, "address": address, "lang": speaks}
    changes = {field: value for field, value in changes.items() if value}
    if address:
        changes["other_addresses"] = others
    _print_changed(call, partial(call.desk.set_player, whose, call.reason, **changes))


@player.command(reason=True)
@click.argument("power")
@click.argument("who", metavar="['NAME <ADDRESS>']", required=False)
@click.option("--speaks", type=click.Choice(LANGUAGES), help="The new player's language.")
@click.option("--standby", type=int, metavar="NUMBER", help="Somebody on the standby list.")
@click.option("--bot", metavar="BOT", help="A bot; 'alexmagnum bot --help' names them.")
@click.option("--once", is_flag=True, help="With --bot: for the open phase alone.")
@click.option(
    "--until-back", is_flag=True, help="With --bot: until the player sends orders; they stay."
)
@click.option("--back", is_flag=True, help="The person whom a bot replaced plays again.")
def replace(
    call: GameCall,
    power: str,
    who: str | None,
    speaks: str | None,
    standby: int | None,
    bot: str | None,
    once: bool,
    until_back: bool,
    back: bool,
) -> None:
    """Let somebody else, or a bot, play a power from now on; who played before is remembered.

    The new player gets one letter: the position, the orders in force, and what is due.

    A bot gives its orders when a phase opens; for the open phase at once, unless nothing is
    missing.  Reports say that a bot plays, and nothing waits for it; docs/bots.md tells more.

    \b
    Example:
      alexmagnum player replace TOL "Carla <carla@example.org>" --reason "Anna has left"
      alexmagnum player replace TOL --standby 2
      alexmagnum player replace SEL --bot dumb --until-back
      alexmagnum player replace SEL --back
    """
    if (who is not None) + (standby is not None) + (bot is not None) + back != 1 or (
        once + until_back > (bot is not None)
    ):
        raise click.UsageError(call.format("replace-by-one"))
    whose = call.parse_power(power)
    change: Callable[[], Player] | Player
    if back:
        change = partial(call.desk.withdraw_bot, whose, call.reason)
    elif bot is not None:
        stand_in = RETURN if until_back else str(call.desk.phase) if once else ""
        # Done before the letters: others would wait while it thinks.
        change = call.desk.play_by_bot(whose, bot, stand_in=stand_in, reason=call.reason)
    elif standby is not None:
        change = partial(game_people.seat_standby, call.desk, whose, standby, call.reason)
    else:
        assert who is not None, "one of the four was given"
        name, address, others = game_people.read_person(who)
        newcomer = Player(whose, name, address, lang=speaks or "", other_addresses=others)
        change = partial(call.desk.replace_player, newcomer, call.reason)
    _print_changed(call, change)
    if bot is not None:
        call.say(describe_bots(call, whose))


@player.command(reason=True)
@click.argument("power")
@click.argument("when", metavar="WHEN", nargs=-1)
@click.option("--back", is_flag=True, help="The player is back.")
def absent(call: GameCall, power: str, when: tuple[str, ...], back: bool) -> None:
    """Note that a player is away; deadlines computed from now on move behind it.

    The deadline that runs now stays as it is: 'deadline extend' moves it.

    \b
    Example:
      alexmagnum player absent TOL 24/12-6/1 --reason "holidays"
    """
    asked = call.parse_power(power)
    if back:
        first = last = ""
    else:
        zone = call.desk.settings["timezone"]
        first, last = map(str, parse_absence(" ".join(when), zone, call.desk.now()))
    _print_player(call, call.desk.absent(asked, first, last, call.reason))


def _print_player(call: GameCall, one: Player) -> None:
    call.answer(asdict(one), [format_player(call, one)])


def _print_changed(call: GameCall, change: Callable[[], Player] | Player) -> None:
    """Change a player, if that is not done yet, together with the letters that follow, and print
    both."""
    is_done, desk = isinstance(change, Player), call.desk
    with say_act_is_stored(desk) if is_done else nullcontext(), desk.file.writing("player"):
        player = change if isinstance(change, Player) else change()
        letters = update_letters(desk)
    with say_act_is_stored(desk):
        Outbox(desk).tidy()
        write_sheets(Materials(desk))  # with the player's code and language
        mark_folder(desk)
    _print_player(call, player)
    print_consequences(call, letters)


# The command ``standby``: people who are ready to take over a power.


@click.command(cls=GameCommand, reason=True)
@click.argument("who", metavar="['NAME <ADDRESS>']", required=False)
@click.option("--speaks", type=click.Choice(LANGUAGES), help="Their language.")
@click.option("--note", default="", metavar="TEXT", help="A note for yourself on them.")
@click.option("--remove", "leaver", type=int, metavar="NUMBER", help="Take somebody off the list.")
@click.option("--invite", "power", metavar="POWER", help="Draft invitations to take over a power.")
@click.option(
    "--to", "numbers", type=int, multiple=True, metavar="NUMBER", help="Invite only this person."
)
@click.option("--past", is_flag=True, help="List those who were on it, too.")
def standby(
    call: GameCall,
    who: str | None,
    speaks: str | None,
    note: str,
    leaver: int | None,
    power: str | None,
    numbers: tuple[int, ...],
    past: bool,
) -> None:
    """Keep a list of people who would take over a power, and invite them.

    With a name somebody is put on the list; without anything it is printed.  The invitations of
    somebody who is taken off it, and that were not sent, are dropped.

    An invitation has the position as everybody may see it.  An answer waits for you in the inbox:
    you decide, and 'player replace POWER --standby NUMBER' lets one of them play.

    \b
    Example:
      alexmagnum standby "Gaia <gaia@example.org>" --speaks en
      alexmagnum standby --invite TOL --to 1 --to 3
      alexmagnum standby --remove 2 --reason "has no time any more"
    """
    if sum(asked is not None for asked in (who, leaver, power)) + past > 1:
        raise click.UsageError("Say one thing at a time: a name, --remove, --invite or --past.")
    if power is not None:
        made = invite_standby(call.desk, call.parse_power(power), numbers, call.reason)
        print_letters(call, made)
    elif who is not None:
        name, address, others = game_people.read_person(who)
        person = Standby(0, name, address, others, lang=speaks or "", note=note)
        _print(call, game_people.add_standby(call.desk, person, call.reason))
    elif leaver is not None:
        game_people.find_standby(call.desk, leaver)
        _print(call, game_people.remove_standby(call.desk, leaver, call.reason))
    else:
        with call.desk.reading():
            listed = game_people.read_standby(call.desk, past=past)
        lines = [_format_standby(call, person) for person in listed]
        call.answer([asdict(person) for person in listed], lines or [call.format("standby-empty")])


def _print(call: GameCall, person: Standby) -> None:
    call.answer(asdict(person), [_format_standby(call, person)])


def _format_standby(call: GameCall, person: Standby) -> str:
    text = f"{person.id} {person.name} " + ", ".join(f"<{one}>" for one in person.addresses)
    if person.lang:
        text += f" ({person.lang})"
    if person.until:
        text += "; " + call.format("desk-until", day=person.until[:10])
    if person.power:
        text += f"; {call.name_power(person.power)}"
    return text + (f"; {person.note}" if person.note else "")


# The command ``letter``: the game master's own letters.


@click.group(cls=GameGroup)
def letter() -> None:
    """Write to the players, or to the people on the standby list.

    \b
    Example:
      alexmagnum letter write --all news.txt
    """


@letter.command(reason=True)
@click.argument("file", type=PATH, required=False)
@click.option("--to", "to", metavar="POWER[,POWER]", multiple=True, help="The players of powers.")
@click.option("--all", "everybody", is_flag=True, help="Every player.")
@click.option("--standby", is_flag=True, help="Everybody on the standby list.")
@click.option("--subject", default="", metavar="TEXT", help="The subject, if not the usual one.")
@click.option("--edit", is_flag=True, help="Open the editor, with FILE as a beginning if given.")
def write(
    call: GameCall,
    file: Path | None,
    to: tuple[str, ...],
    everybody: bool,
    standby: bool,
    subject: str,
    edit: bool,
) -> None:
    """Draft a letter in your own words to one player, to some, or to all.

    The text comes from FILE, from standard input (FILE is -, or piped), or from your editor: with
    --edit, and on a terminal without FILE. Each reader gets a mail of their own, with subject and
    frame in their language; your text stays as it is. The drafts go with 'outbox send'.

    \b
    Example:
      alexmagnum letter write --to TOL,SEL note.txt
      alexmagnum letter write --all --edit
      echo "Monday is a holiday." | alexmagnum letter write --all --subject "Monday"
    """
    if not (to or everybody or standby):
        raise click.UsageError(call.format("letter-to-nobody", **list_examples(call.desk.board)))
    powers = [call.parse_power(name) for text in to for name in split_names(text)]
    people = tuple(player.power for player in call.desk.players if not player.is_bot)
    readers = Readers(
        people if everybody else tuple(dict.fromkeys(powers)),
        tuple(one.id for one in game_people.read_standby(call.desk)) if standby else (),
    )
    if edit or (file is None and sys.stdin.isatty()):
        text = _edit_text(file, call.sentences)
    else:
        text = read_text_of(file, call.sentences.lang)
    outbox, call.desk.call = Outbox(call.desk), call.desk.call + text
    made = draft_written_letters(outbox, text, readers, subject=subject, reason=call.reason)
    print_letters(call, made)


def _edit_text(file: Path | None, sentences: Sentences) -> str:
    begun = read_text_of(file, sentences.lang) if file is not None else ""
    if (written := click.edit(begun, extension=".txt", require_save=not begun)) is None:
        raise GameError("letter-not-written")
    if not written.strip():
        raise GameError("letter-empty")
    return written
