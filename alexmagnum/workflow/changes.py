"""Changes of people, settings and deadlines, with the letters and drafts that follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from alexmagnum.board.map_check import load_sound_board
from alexmagnum.board.map_file import locate_map
from alexmagnum.board.model import Board
from alexmagnum.cases.files import read_turn, resolve_turn
from alexmagnum.cases.schema import read_file
from alexmagnum.errors import AlexMagnumError, BadFile, GameError
from alexmagnum.files import show_progress
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import REAL_WORLD, NewGame, Player, Surroundings
from alexmagnum.game.orders import require_open_phase
from alexmagnum.game.people import find_standby, read_standby
from alexmagnum.game.settings import RULES
from alexmagnum.game.status import ABOUT_PEOPLE, IN_SHEETS, mark_folder
from alexmagnum.game.submissions import say_act_is_stored
from alexmagnum.i18n.dates import Deadline, parse_extension, parse_iso
from alexmagnum.mail.drafts import DraftedLetters, draft_invitations
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.outbox import Outbox
from alexmagnum.notation import write_order
from alexmagnum.position import Position
from alexmagnum.report.materials import Materials
from alexmagnum.workflow import publish
from alexmagnum.workflow.situation import begin_reading, note_reading

if TYPE_CHECKING:
    from alexmagnum.play import PlayedPhase


def extend_deadline(desk: Desk, span: str, reason: str = "") -> str:
    """Put the deadline off by a span such as ``2 days``, and return it.

    Raises:
        GameError: ``deadline-none`` if no deadline runs.
    """
    return desk.extend(read_extension(desk, span), reason)


def read_extension(desk: Desk, span: str) -> datetime:
    """Return the deadline put off by a span; see :func:`extend_deadline`."""
    require_open_phase(desk)
    if not desk.deadline or desk.paused:
        raise GameError("deadline-none")
    zone, now = desk.settings["timezone"], desk.now()
    return parse_extension(span, parse_iso(desk.deadline), zone, now)


# Changing a setting, with the drafts and reports that show what it says.


def change_setting(desk: Desk, name: str, value: object, reason: str = "") -> DraftedLetters:
    """Change a setting; return the drafts that were composed anew.

    Order sheets that show it are written anew.  Where it decides what players read about each
    other, so are drafts that nobody has edited and the reports of all phases.  Reports with hidden
    names are removed, and letters that pass on somebody's words with a name in them are withdrawn.
    """
    before = desk.settings.get(name)
    desk.set(name, value, reason)
    if desk.settings[name] == before:
        return DraftedLetters()
    materials, made = Materials(desk), DraftedLetters()
    with say_act_is_stored(desk):
        if name in IN_SHEETS:
            publish.write_sheets(materials)
        if name in ABOUT_PEOPLE:
            made = publish.show_players_anew(desk, materials)
        if name in (*IN_SHEETS, *ABOUT_PEOPLE):
            mark_folder(desk)
    return made


# The standby list: invite people.


def invite_standby(
    desk: Desk, power: str, numbers: Sequence[int] = (), reason: str = ""
) -> DraftedLetters:
    """Draft invitations to take over a power, to everybody on the standby list or to some."""
    require_open_phase(desk)
    for number in numbers:
        find_standby(desk, number)
    invited = numbers or tuple(person.id for person in read_standby(desk))
    return draft_invitations(Outbox(desk, Materials(desk)), power, invited, reason)


# Making games: a new one, or one taken over where a turn file stands.


DEFAULT_MAP = "alexmagnum"


def find_start(
    map_id: str | None = None, turn: Path | None = None
) -> tuple[str, Board, Position | None]:
    """Return where a game on a map begins, or one that goes on from a turn file: the map by id or
    path, its board, and the position if a running game is taken over.

    Raises:
        BadFile, BadMap, BadPosition: the files cannot be used; ``year-missing`` if the turn file
            does not tell its year.
    """
    if turn is None:
        source = map_id or DEFAULT_MAP
        return source, load_sound_board(source), None
    read = read_turn(turn, map_id)
    position = read.position if read.position is not None else resolve_turn(read).position
    if not position.phase.year:
        raise BadFile(str(turn), "year-missing", "year")
    if map_id is None:
        data = read_file(turn)
        named = str(data.get("map") or "standard") if isinstance(data, dict) else ""
        map_id = str(locate_map(named or DEFAULT_MAP, turn.parent))
    return map_id, position.board, position


def create_game(
    folder: Path, new: NewGame, deadline: Deadline | None = None, around: Surroundings = REAL_WORLD
) -> Desk:
    """Make the folder of a new game with its file and the first order sheets; return its desk.

    ``deadline`` is the first deadline, None for the one that follows from the settings.
    """
    desk = Desk.create(folder, new, around)
    try:
        if deadline is not None:
            desk.set_deadline(deadline.at)
        with say_act_is_stored(desk):
            publish.complete_folder(Materials(desk))
            mark_folder(desk)
    except BaseException:
        desk.close()
        raise
    return desk


def fetch_mail(
    desk: Desk,
    sources: Sequence[str],
    stdin: BinaryIO,
    *,
    whole: bool = False,
    on_message: Callable[[int], object] = lambda number: None,
) -> Inbox:
    """Fetch mail from some sources, or from the game's mailbox if there are none; take what is
    sure and draft the answers.  Return the inbox with what is new in it.

    A source that refuses stops none of the others.  ``whole`` looks through all of the mailbox.
    ``on_message`` is called after every new message with how many there have been.
    """
    inbox, reads_mailbox = Inbox(desk), not sources and bool(desk.settings["imap_server"])
    began = begin_reading(desk) if reads_mailbox else ""
    for message in inbox.fetch_from(sources, stdin, whole=whole):
        inbox.new.append(message)
        on_message(len(inbox.new))
    if reads_mailbox:
        note_reading(desk, began, inbox.faults)
    if inbox.new:
        with say_act_is_stored(desk):
            publish.update_letters(desk)
    return inbox


# Playing a game of the lab again, into a game master's folder that every command opens.


def replay_game(
    results: Path,
    name: str,
    number: int,
    folder: Path,
    lang: str = "en",
    own_bots: Path | None = None,
) -> Desk:
    """Play a game of a folder of results again, as a new game in a folder; return its desk.

    The desk takes every bot's orders as a mail and resolves every phase itself.  The game has no
    reports yet.
    """
    # Imported late: the lab needs libraries that games do not.
    from alexmagnum.lab.run import replay_record

    record, phases = replay_record(results, name, number, own_bots)
    series = record.match.series
    new = NewGame(
        str(locate_map(series.map, results)),
        name=f"{name} {number}",
        lang=lang,
        players=[Player(power, bot, "", lang) for power, bot in record.seats.items()],
        settings={f"{RULES}{switch}": value for switch, value in series.rules.items()},
    )
    desk = Desk.create(folder, new)
    try:
        for count, played in enumerate(phases, 1):
            _process_again(desk, played)
            show_progress(count / len(phases))
    except BaseException:
        desk.close()
        raise
    return desk


def _process_again(desk: Desk, played: PlayedPhase) -> None:
    """Give the desk the orders of a phase, and let it resolve the phase, with the same result."""
    phase = str(played.position.phase)
    if str(desk.phase) != phase:  # the desk passes phases in which nobody has to decide anything
        return
    for power, orders in played.orders.items():
        if orders:
            desk.submit(power, "\n".join(map(write_order, orders)))
    desk.process(phase, allow_missing=True, anyway=True)
    if set(desk.processed(phase).outcome.units) != set(played.outcome.units):
        data = {"series": desk.name, "game": "", "version": "", "table": phase}
        raise AlexMagnumError("lab-replay-differs", **data)
