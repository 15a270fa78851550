"""Arguments and options of commands with a game, lines about a game, a damaged file's offer."""

import codecs
import os
import shlex
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path

import click

from alexmagnum.board.model import Board, list_examples
from alexmagnum.cli.base import Call, choose_language, print_error, show_who_thinks
from alexmagnum.errors import AlexMagnumError, BadFile, BadMap, BadPosition, GameError
from alexmagnum.files import open_own, read_bytes, read_stream, read_text
from alexmagnum.game.change_log import list_logs
from alexmagnum.game.copies import FOLDER, Copy, find_newest_sound_copy, follow_with_second_place
from alexmagnum.game.deadlines import read_clock
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import compare_checksum, is_open_to_others
from alexmagnum.game.game import CALL, REAL_WORLD, Player, Status, Surroundings, parse_power
from alexmagnum.game.people import read_person
from alexmagnum.game.status import find_unfinished_call, is_folder_behind
from alexmagnum.i18n.dates import Deadline, parse_iso, to_local
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail.parsing.mime import clean_text
from alexmagnum.notation.names import power_name
from alexmagnum.report import words


@dataclass(frozen=True, kw_only=True)
class GameCall(Call):
    """One call of a command on a game that is open."""

    desk: Desk

    @cached_property
    def sentences(self) -> Sentences:
        """The sentences in the language asked for, else in that of the game."""
        return load_sentences(self.lang or self.desk.lang)

    def name_power(self, power: str) -> str:
        """Return the name of a power."""
        return power_name(self.desk.board, power, self.sentences)

    def name_powers(self, powers: Iterable[str]) -> str:
        """Return the names of powers, with commas between them."""
        return ", ".join(map(self.name_power, powers))

    def name_phase(self, phase: str) -> str:
        """Return a phase in words, with its name: ``Spring 322 BC, movement (322-spring)``."""
        return f"{words.phase_name(phase, self.desk.board, self.sentences)} ({phase})"

    def parse_power(self, text: str) -> str:
        """Return the id of a power given by id, name, alias or abbreviation."""
        return parse_power(self.desk.board, text)

    def stamp(self, at: str) -> str:
        """Return an instant in the game's local time, short enough for lists."""
        return to_local(parse_iso(at), self.desk.settings["timezone"]).strftime("%Y-%m-%d %H:%M")


def call_on(call: Call, desk: Desk) -> GameCall:
    """Return the call for a game that is open."""
    return GameCall(**{field.name: getattr(call, field.name) for field in fields(Call)}, desk=desk)


# Reading what people type as arguments: powers, phases, players, settings, files.


def read_assignments(pairs: Iterable[str]) -> dict[str, object]:
    """Return the values by name of texts such as ``NAME=VALUE``.

    Raises:
        GameError: ``setting-unreadable``.
    """
    values: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise GameError("setting-unreadable", text=pair)
        values[name.strip()] = value.strip()
    return values


def read_player(text: str, board: Board) -> Player:
    """Return the player of ``TOL=Anna Neri <anna@example.org>``.

    Raises:
        GameError: ``player-unreadable``.
    """
    power, equals, who = text.partition("=")
    if not equals:
        raise GameError("player-unreadable", text=text, **list_examples(board))
    name, address, others = read_person(who)
    return Player(parse_power(board, power), name, address, other_addresses=others)


def read_bots(texts: Iterable[str], board: Board, played: Collection[str] = ()) -> dict[str, str]:
    """Return bots by power from texts such as ``LIS=dumb``; a bot alone is for all other powers.

    Raises:
        GameError: ``bot-unreadable``, ``two-players`` (also for ``played`` powers).
    """
    from alexmagnum.bots import load_bot  # bots need the judge

    bots: dict[str, str] = {}
    others = ""
    for text in texts:
        power, equals, bot = (part.strip() for part in text.rpartition("="))
        if not bot or (others and not equals) or bool(power) != bool(equals):
            raise GameError("bot-unreadable", text=text, example=f"{next(iter(board.powers))}=dumb")
        load_bot(bot)
        if not equals:
            others = bot
            continue
        if (whose := parse_power(board, power)) in played or whose in bots:
            raise GameError("two-players", power=whose)
        bots[whose] = bot
    free = [power for power in board.powers if others and power not in (*played, *bots)]
    return {**bots, **dict.fromkeys(free, others)}


def read_text_of(path: Path | None, lang: str) -> str:
    """Return the text of a file, or of standard input for ``-`` or None, safe for a terminal.

    Somebody else may have written it, so control characters are taken out, as in mail.
    """
    return clean_text(read_raw_text(path, lang))


def read_raw_text(path: Path | None, lang: str) -> str:
    """Return the text of a file, or of standard input, as it stands there.

    Mail programs save mail in other encodings: a text that is not UTF-8 is read as UTF-16 if it
    begins with that mark, else as Windows-1252, and a line on standard error says so.
    """
    if path is not None and str(path) != "-":
        try:
            return read_text(path)
        except BadFile as error:
            if error.code != "not-utf8":
                raise
            data = read_bytes(path)
    else:
        if sys.stdin.isatty():
            click.echo(load_sentences(lang).format("desk-type"), err=True)
        data = read_stream(sys.stdin.buffer, "-")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        encoding = "utf-16" if wide else "cp1252"
        click.echo(load_sentences(lang).format("desk-encoding", encoding=encoding), err=True)
        return data.decode(encoding, errors="replace")


# Lines about a game for the terminal: its phase, its deadline, what is missing, how it ended.


def deadline_line(call: GameCall) -> str:
    """Return the deadline of the open phase in local time and UTC, and how far away it is."""
    desk, zone = call.desk, call.desk.settings["timezone"]
    deadline = words.format_clock(read_clock(desk), zone, call.sentences, desk.now())
    return call.format("desk-deadline", deadline=deadline)


def print_deadline_notice(call: Call, deadline: Deadline) -> None:
    """Print which of two readings of a deadline was chosen, if there were two."""
    if deadline.notice:
        call.warn(call.format(deadline.notice, **deadline.data))


def describe_bots(call: GameCall, power: str) -> Iterator[str]:
    """Yield how many orders the bot of a power has given, and what went wrong with them."""
    one = next(one for one in call.desk.status().powers if one.power == power)
    code = "desk-bot-ordered" if one.bot_has_ordered else "desk-bot-not-asked"
    yield call.format(code, given=one.given, wanted=one.wanted, bot=one.bot)
    yield from words.describe_bot_faults([one], call.desk.board, call.sentences)


def open_phase_lines(call: GameCall) -> Iterator[str]:
    """Yield the open phase, its deadline and what powers or bots owe, or how the game ended."""
    if call.desk.phase is None:
        yield from end_lines(call)
        return
    yield call.format("desk-open-phase", phase=call.name_phase(str(call.desk.phase)))
    yield deadline_line(call)
    bots = {p.power: words.name_bot(p.bot, call.sentences) for p in call.desk.players if p.bot}
    for power, text in words.describe_required_orders(call.desk.position, call.sentences):
        line = f"{call.name_power(power)}: {text}"
        if power in bots:
            line = call.format("due-from-bot", due=line, bot=bots[power])
        yield f"  {line}"


def end_lines(call: GameCall) -> Iterator[str]:
    """Yield that the game is over, how it ended, and who has won it."""
    now_ = call.desk.status()
    yield call.format("desk-over")
    if now_.end is not None:
        yield words.format_end(now_.end, call.desk.position, call.sentences)
        if now_.end.reason:
            yield call.format("desk-end-reason", reason=now_.end.reason)
    winners = call.name_powers(now_.winners) or call.format("nobody")
    yield call.format("desk-winners", powers=winners)


def process_command(status: Status) -> str:
    """Return the command that resolves the open phase as things stand."""
    missing = " --allow-missing" if "block-orders-missing" in status.blocks else ""
    return f"alexmagnum process {status.phase}{missing}" + " --anyway" * bool(status.agreed)


def format_agreement(call: GameCall, status: Status) -> str:
    """Return the end of the game that all voters want, and the commands that obey them or not."""
    kind, *powers = status.agreed.split()
    return call.format(
        f"desk-agreed-{kind}",
        count=len(status.voters),
        powers=call.name_powers(powers),
        ids=",".join(powers),
        command=process_command(status),
    )


# Refusals of a game file that is damaged: the newest good copy is offered, with its command.


@contextmanager
def damage_refusals(
    folder: Path, lang: str | None, tell: Callable[[AlexMagnumError], object] | None = None
) -> Iterator[None]:
    """Print a refusal in a language and end the command; offer a copy if the file is damaged.

    ``tell`` is called with the error of a damaged file before anything is printed.  An error that
    nobody expected is damage too if the file is damaged; otherwise it is a mistake of the program,
    and is raised on.
    """
    try:
        yield
    except Exception as error:
        found = error if isinstance(error, AlexMagnumError) else None
        if found is None or isinstance(found, (BadFile, BadMap, BadPosition)):
            # Imported late: it loads the judge, which a command without errors may not need.
            from alexmagnum.game.verify import SYMPTOMS, diagnose

            if found is not None or isinstance(error, SYMPTOMS):
                found = diagnose(folder) or found
        if found is None:
            raise
        if (damaged := is_damage(folder, found)) and tell is not None:
            tell(found)
        status = print_error(found, lang)
        if damaged and (offer := format_offer(folder, lang, always=found.code == "game-damaged")):
            click.echo(offer, err=True)
        sys.exit(status)


DAMAGE = frozenset({"game-damaged", "game-foreign", "no-game", "game-newer", "game-untrusted"})
"""Codes of refusals after which a copy is offered, if there is one."""


def is_damage(folder: Path, error: AlexMagnumError) -> bool:
    """Return whether an error calls for a copy.

    A file of a newer version is sound if it is as the newer program left it; then an old copy would
    throw away what was done since.  Its version may also come from a damaged header.
    """
    if error.code == "game-newer":
        return compare_checksum(folder) is not True
    return error.code in DAMAGE or compare_checksum(folder) is False


def format_offer(folder: Path, lang: str | None, *, always: bool = True) -> str:
    """Return the line that offers the newest good copy; where there is none, it says so, if
    ``always``."""
    sentences = load_sentences(choose_language(lang))
    copy = find_newest_sound_copy(folder)
    place = "" if folder == Path() else f"--game {shlex.quote(str(folder))} "
    if copy is None and list_logs(folder):
        return sentences.format("copy-offer-last", command=f"alexmagnum {place}restore --last")
    if copy is None:
        return sentences.format("copy-offer-none") if always else ""
    file = f"{FOLDER}/{copy.path.name}"
    command = f"alexmagnum {place}restore {copy.number}"
    return sentences.format("copy-offer", file=file, at=copy_stamp(copy), command=command)


def format_refusal(folder: Path, error: AlexMagnumError, lang: str | None) -> str:
    """Return an error of one game among several in words, with the offer of a copy."""
    said = load_sentences(choose_language(lang)).error(error)
    offer = format_offer(folder, lang) if is_damage(folder, error) else ""
    return f"{said}. {offer}" if offer else said


def copy_stamp(copy: Copy) -> str:
    """Return when a copy was made, short enough for lists."""
    return copy.at[:16].replace("T", " ") + " UTC"


# Opening the game that a command names.


def surroundings() -> Surroundings:
    """Return the surroundings of the running command.

    Tests and the demo hand in their own as click's context object; the default is the real world.
    """
    given = click.get_current_context().obj
    return given if given is not None else REAL_WORLD


def open_folder(folder: Path) -> Desk:
    """Open the game of a folder with the surroundings of the running command."""
    return Desk.open(folder, surroundings())


_TOLD = "open.told"  # says that the game master was warned of a folder that others may look into


@contextmanager
def open_game(
    call: Call,
    folder: Path | None = None,
    *,
    tell_of_loss: Callable[[AlexMagnumError], object] | None = None,
) -> Iterator[GameCall]:
    """Open the game of a folder, or of ``--game``; a refusal ends the command with its status.

    ``tell_of_loss`` is called if the file is damaged or gone.
    """
    place = game_folder(folder or call.game_path)
    with damage_refusals(place, call.lang, tell_of_loss):
        opened = call_on(call, open_folder(place))
        context = click.get_current_context()
        opened.desk.call = repr((context.command_path, context.params))
    with ExitStack() as stack:
        desk = stack.enter_context(opened.desk)
        with damage_refusals(place, call.lang):
            lang = opened.sentences.lang  # the game's, unless another was asked for
        stack.enter_context(damage_refusals(place, lang))
        told_before = tell_warnings(opened)
        told = desk.folder / _TOLD
        if is_open_to_others(desk.folder) and not told.exists():
            opened.warn(opened.format("folder-open", path=desk.folder))
            with suppress(OSError):
                open_own(told, "wb").close()
        desk.unfinished = find_unfinished_call(desk)
        if is_folder_behind(desk):
            # Few commands follow one that was killed: what writes reports is loaded here.
            from alexmagnum.workflow.publish import mend_folder

            with suppress(GameError):  # the command may only want to look
                mend_folder(desk)
        with show_who_thinks(opened.sentences, desk.base):
            try:
                yield opened
            except GameError as error:
                if error.code != "act-done-before":
                    raise
                opened.warn(opened.sentences.error(error))
        if desk.file.has_written:
            try:
                follow_with_second_place(desk)
            except GameError as error:  # what was asked for is done
                desk.warnings.append(error)
        tell_warnings(opened, told_before)
        with suppress(OSError):
            (desk.folder / CALL).unlink(missing_ok=True)


def tell_warnings(call: GameCall, told: int = 0, before: str = "") -> int:
    """Print the warnings of a game but the first ones, each after some text; return how many it
    has."""
    for warning in call.desk.warnings[told:]:
        call.warn(f"{before}{call.format('warning')}: {call.sentences.error(warning)}")
    return len(call.desk.warnings)


@contextmanager
def refusals(lang: str | None) -> Iterator[None]:
    """Print a refusal of this package in a language, and end the command."""
    try:
        yield
    except AlexMagnumError as error:
        sys.exit(print_error(error, lang))


def game_folder(given: Path | None) -> Path:
    """Return the folder given to the command, else by the variable, else the current one."""
    return given or Path(os.environ.get("ALEXMAGNUM_GAME") or ".")
