"""What a game waits for: one picture behind ``status``, ``games``, ``tick`` and its letter.

Open this for why ``tick`` does not resolve a phase.  ``status`` reads it without the judge.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from textwrap import shorten

from alexmagnum.errors import AlexMagnumError, GameError
from alexmagnum.files import read_own, write_whole
from alexmagnum.game import mail_store
from alexmagnum.game.deadlines import is_past_deadline, is_undone
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import READ
from alexmagnum.game.game import Game, Status
from alexmagnum.game.late_orders import MASTERS_TIME, LatePower, list_late_powers
from alexmagnum.game.people import DRAW, is_of_former_player, read_players
from alexmagnum.game.records import Passage
from alexmagnum.game.settings import WAIT, lower_ascii
from alexmagnum.i18n.dates import format_instant, format_iso
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.parsing.mime import to_one_line
from alexmagnum.notation.names import power_name
from alexmagnum.report import words

# Mails for which the open phase waits: doubtful ones, and notices that a letter came back.
#
# Only a doubtful mail of a player of this game about the open phase does. A mail of a stranger
# waits as well if it looks like mail of the game, but the phase is resolved without it.


def _is_holding(game: Game, message: mail_store.Message, lacking: Collection[str]) -> bool:
    """Tell whether a mail that waits may change the orders for the open phase; one that nobody has
    handled yet may.

    A player who has since sent a mail that was taken has settled the doubt, and so has whoever took
    the power over since.  A mail that answers a letter of an earlier phase matters only while
    orders of its power are missing, one of a phase that was undone when that is open again.
    """
    head = game.head()
    if message.state == mail_store.NEW:
        return True
    asked = {why.data["asked"] for why in message.why if why.code == "waits-code-of-past"}
    if not message.power or head.name not in (message.phase, *asked) or head.is_over:
        return False
    if is_of_former_player(game, message.power, message.received, message.id):
        return False
    if asked and head.name not in asked:
        return message.power in lacking
    last = mail_store.InboxStore(game.file).find_last_submitted(head.id, message.power)
    return last <= message.received


@dataclass(frozen=True, slots=True)
class ReturnedLetter:
    """A notice that a letter could not be delivered, and the powers whose players it was for.

    ``is_sure``: it names a letter of the game, as a stranger's hardly can.
    """

    message: mail_store.Message
    addresses: str
    powers: tuple[str, ...]
    is_sure: bool


def _find_returned_letters(
    game: Game, aside: Sequence[mail_store.Message]
) -> Iterator[ReturnedLetter]:
    """Yield the letters of the open phase that did not reach players, from mails left aside."""
    players = read_players(game)
    sure = {mail_store.BOUNCED: True, mail_store.BOUNCED_PERHAPS: False}
    for message in aside:
        why = next((why for why in message.why if why.code in sure), None)
        addresses = why.data["addresses"] if why else ""
        failed = lower_ascii(addresses).split(", ")
        powers = tuple(player.power for player in players if player.writes_from(failed))
        if why and powers and message.received >= str(game.head().opened):
            yield ReturnedLetter(message, addresses, powers, sure[why.code])


ORDERS_MISSING = "block-orders-missing"


@dataclass(frozen=True, slots=True)
class Situation:
    """The things a game waits for at one instant.

    ``mails`` hold the phase back, ``other_mails`` wait as well but hold nothing back.  ``returned``
    are letters that did not reach players.  ``stuck`` are letters that were refused or may have
    been sent, ``drafts`` those that the settings leave to the game master, ``held`` those that wait
    for a last look and then go.
    ``processes``: the tick resolves the phase when it can.  ``tray`` is what players said to the
    game master and still waits, urgent things first.  ``late`` is what becomes of powers whose
    orders are missing; ``is_undone``: an undo, a redo or a late correction opened the phase;
    ``is_unconfirmed``: the game master has to confirm what they asked for by mail.
    """

    status: Status
    is_past: bool
    mails: tuple[mail_store.Message, ...]
    other_mails: tuple[mail_store.Message, ...]
    returned: tuple[ReturnedLetter, ...]
    stuck: tuple[mail_store.Mailing, ...]
    drafts: tuple[mail_store.Mailing, ...]
    held: tuple[mail_store.Mailing, ...]
    failures: tuple[AlexMagnumError, ...]
    resolved: tuple[str, ...]
    processes: bool
    tray: tuple[Passage, ...]
    late: tuple[LatePower, ...]
    is_undone: bool
    is_unconfirmed: bool

    @property
    def blocks(self) -> tuple[str, ...]:
        """The codes of what keeps the open phase from being processed.

        Whoever undoes a phase after its deadline wants to change something first; after a redo or a
        correction the players may want to.
        """
        undone = ("block-undone",) if self.is_undone and self.is_past else ()
        asked = ("block-unconfirmed",) if self.is_unconfirmed and self.is_past else ()
        return () if self.status.over else (*self.status.blocks, *undone, *asked)

    @property
    def is_held(self) -> bool:
        """Tell whether something keeps the phase from being processed after its deadline."""
        return bool(self.blocks or self.status.asking or self.mails) and not self.status.over

    @property
    def waits_only_for_orders(self) -> bool:
        """Tell whether missing orders are all that keeps the phase from being processed."""
        return self.blocks == (ORDERS_MISSING,) and not (self.status.asking or self.mails)

    @property
    def is_stalled(self) -> bool:
        """Tell whether the deadline is past and something holds the phase back that does not end by
        itself, as the time for late orders does."""
        is_forever = not self.processes or any(one.choice == WAIT for one in self.late)
        return self.is_past and self.is_held and (is_forever or not self.waits_only_for_orders)

    @property
    def needs_game_master(self) -> bool:
        """Tell whether the game needs the game master before it can rightly go on."""
        overdue = self.is_past and (self.is_stalled or not self.processes)
        letters = self.returned or self.stuck or self.drafts or self.held
        waits = self.mails or letters or self.status.bots
        return bool(overdue or self.status.agreed or waits or self.failures)

    def digest(self, *, all_news: bool) -> str:
        """Return a digest of what the game master has to know; it changes when that changes.

        ``all_news``: resolved phases, and mails that hold nothing back, belong to it too.
        """
        status = self.status
        known: list[object] = [
            status.phase,
            status.deadline,
            self.is_past,
            *((status.missing, self.blocks, status.asking) if self.is_past else ((), (), ())),
            [message.id for message in self.mails],
            # Not their mails: a letter about one may come back as well.
            sorted({(letter.addresses, letter.powers) for letter in self.returned}),
            [[mailing.id, mailing.state] for mailing in self.stuck],
            sorted({(mailing.kind, mailing.phase) for mailing in (*self.drafts, *self.held)}),
            sorted({failure.code for failure in self.failures}),
            status.agreed,
        ]
        if status.bots:
            known.append([[power.power, power.bot, power.bot_fault] for power in status.bots])
        if all_news:
            known += [self.resolved, [message.id for message in self.other_mails]]
        return sha256(json.dumps(known).encode()).hexdigest()[:32]


def _is_unconfirmed(desk: Desk, aside: Sequence[mail_store.Message]) -> bool:
    """Tell whether something for which the game master has asked by mail in the open phase, and in
    the last hours, waits for their confirmation."""
    since = max(format_iso(desk.now() - MASTERS_TIME), str(desk.head().opened))
    return any(
        row.received >= since and why.code.startswith(mail_store.COMMANDS) and why.data.get("asked")
        for row in aside
        for why in row.why
    )


FAILED = "tick.failed"
"""The file with what failed in the last tick."""


def note_failures(desk: Desk, failures: Sequence[GameError]) -> None:
    """Note what failed in this tick, for ``status``; a full disk has to be told in another way."""
    place, unread = desk.folder / FAILED, set(map(str, find_unread(desk)))
    with suppress(GameError, OSError):
        if errors := [(one.code, one.data) for one in failures if str(one) not in unread]:
            write_whole(place, json.dumps(errors, default=str), private=True)
        else:
            place.unlink(missing_ok=True)


def read_failures(desk: Desk) -> tuple[GameError, ...]:
    """Return what failed in the last tick."""
    with suppress(OSError, ValueError, TypeError):  # none, or a damaged file
        noted = json.loads(read_own(desk.folder / FAILED))
        return tuple(GameError(code, **data) for code, data in noted)
    return ()


def begin_reading(desk: Desk) -> str:
    """Remove the note of the last reading, and return the instant at which the next one begins.

    Who reads may be stopped, and a full disk takes no note: so there is none until the end.
    """
    with suppress(OSError):
        (desk.folder / READ).unlink(missing_ok=True)
    return desk.stamp()


def note_reading(desk: Desk, began: str, faults: Sequence[GameError]) -> None:
    """Note that the mailbox was read, and why not to its end."""
    noted = [began, _read_account(desk), *((one.code, one.data) for one in faults)]
    with suppress(GameError, OSError):
        write_whole(desk.folder / READ, json.dumps(noted, default=str), private=True)


def _read_account(desk: Desk) -> list[str]:
    return [desk.settings["imap_server"], desk.settings["mail_address"]]


_RECENT = timedelta(hours=1)  # of a reading of the mailbox, before the deadline


def find_unread(desk: Desk) -> tuple[GameError, ...]:
    """Return why the game's mailbox may hold orders in time of which the game does not know."""
    if not desk.settings["imap_server"]:
        return ()
    recent = max(str(desk.head().opened), format_iso(desk.now() - _RECENT))
    since = desk.deadline if is_past_deadline(desk) else recent
    with suppress(OSError, ValueError, TypeError):
        began, account, *noted = json.loads(read_own(desk.folder / READ))
        is_recent = since <= began <= desk.stamp() or since > desk.stamp()  # a clock was ahead
        if is_recent and account == _read_account(desk):
            return tuple(GameError(code, **data) for code, data in noted)
    return (GameError("mailbox-not-read"),)


def read_situation(
    desk: Desk,
    failures: Sequence[AlexMagnumError] | None = None,
    resolved: Sequence[str] = (),
    *,
    processes: bool = False,
) -> Situation:
    """Return what a game waits for; ``failures`` and ``resolved`` are those of this tick, without
    which the failures are those of the last one."""
    if failures is None:
        unread = (error for error in find_unread(desk) if error.code != "mailbox-not-read")
        failures = (*unread, *read_failures(desk))
    with desk.reading():
        status = desk.status()
        inbox = mail_store.InboxStore(desk.file)
        waiting = inbox.find_all(mail_store.WAITING, mail_store.NEW)
        aside = inbox.find_all(mail_store.ASIDE)
        holding = tuple(one for one in waiting if _is_holding(desk, one, status.missing))
        store = mail_store.OutboxStore(desk.file)
        letters = store.list_letters((mail_store.DRAFT, mail_store.SENDING, mail_store.UNCERTAIN))
        stuck = [one for one in letters if one.problem is not None or one.state != mail_store.DRAFT]
        automatic = mail_store.find_automatic(store, desk.settings)
        due = mail_store.find_automatic(store, desk.settings, desk.now())
        return Situation(
            status=status,
            is_past=is_past_deadline(desk),
            mails=holding,
            other_mails=tuple(one for one in waiting if one not in holding),
            returned=tuple(_find_returned_letters(desk, aside)),
            stuck=tuple(stuck),
            drafts=tuple(one for one in letters if one not in stuck and one.id not in automatic),
            held=tuple(one for one in letters if one.id in automatic and one.id not in due),
            failures=tuple(failures),
            resolved=tuple(resolved),
            processes=processes,
            tray=inbox.find_passages(),
            late=list_late_powers(desk),
            is_undone=is_undone(desk),
            is_unconfirmed=_is_unconfirmed(desk, aside),
        )


# Sentences about what a game waits for: for ``tick`` and the game master's letter.


def list_waits(situation: Situation, desk: Desk, sentences: Sentences) -> tuple[str, ...]:
    """Return what the game waits for, a line for each thing; failures are not among them."""
    is_ready = situation.is_past and not situation.is_held and not situation.processes
    return (
        *((sentences.format("situation-ready"),) if is_ready else ()),
        *list_holds(situation, desk, sentences),
        *list_letters(situation, desk, sentences),
        *words.describe_bot_faults(situation.status.bots, desk.board, sentences),
        *list_tray(situation.tray, sentences),
    )


def list_holds(situation: Situation, desk: Desk, sentences: Sentences) -> tuple[str, ...]:
    """Return what keeps the phase from being resolved: missing orders, requests, doubtful mails."""
    mails = list_mails(situation.mails, "situation-mail", desk, sentences)
    return (*_list_people(situation, desk, sentences), *mails)


def describe_phase(situation: Situation, desk: Desk, sentences: Sentences) -> str:
    """Return the open phase and its deadline on one line."""
    if (status := situation.status).over:
        return sentences.format("desk-over")
    name = words.phase_name(status.phase, desk.board, sentences)
    if not status.deadline:
        return sentences.format("situation-phase-open", phase=name)
    at = format_instant(status.deadline, desk.settings["timezone"], sentences, desk.now())
    code = "situation-phase-past" if situation.is_past else "situation-phase"
    return sentences.format(code, phase=name, deadline=at)


def name_players(powers: Sequence[str], desk: Desk, sentences: Sentences) -> str:
    """Return powers with the names of their players: ``Ptolemy (Bruno), Seleucus``."""
    who = {p.power: to_one_line(words.name_player(p, sentences)) for p in desk.players}
    return ", ".join(
        f"{power_name(desk.board, power, sentences)} ({who[power]})"
        if who.get(power)
        else power_name(desk.board, power, sentences)
        for power in powers
    )


def name_writer(passage: Passage, desk: Desk, sentences: Sentences) -> str:
    """Return who said something: the player of a power, or whoever had it before."""
    if not is_of_former_player(desk, passage.power, passage.received, passage.message):
        return name_players([passage.power], desk, sentences)
    power = power_name(desk.board, passage.power, sentences)
    return sentences.format("tray-former-writer", power=power)


def _list_people(situation: Situation, desk: Desk, sentences: Sentences) -> Iterator[str]:
    if situation.status.missing and (situation.is_past or ORDERS_MISSING in situation.blocks):
        code = "situation-missing"
        if ORDERS_MISSING not in situation.blocks:
            code = "situation-missing-hold"
        yield sentences.format(code, powers=name_players(situation.status.missing, desk, sentences))
        yield from describe_late_powers(situation, desk, sentences)
    for block in situation.blocks:
        if block != ORDERS_MISSING:
            yield sentences.format(block)
    if situation.status.asking:
        named = name_players(situation.status.asking, desk, sentences)
        yield sentences.format("situation-asking", powers=named)


def describe_late_powers(situation: Situation, desk: Desk, sentences: Sentences) -> Iterator[str]:
    """Yield what becomes of the powers whose orders are missing, but for those it waits for."""
    groups: dict[str, list[LatePower]] = {}
    for late in situation.late:
        if late.choice != WAIT:
            what = words.describe_late_power(sentences, late.choice, late.miss, late.most)
            groups.setdefault(what, []).append(late)
    for what, group in groups.items():
        named = name_players([late.power for late in group], desk, sentences)
        until = words.format_late_time(desk, group[0], sentences)
        yield sentences.format("situation-late", powers=named, until=until, what=what)


def list_mails(
    mails: Sequence[mail_store.Message], code: str, desk: Desk, sentences: Sentences
) -> Iterator[str]:
    """Yield mails that wait, each as one line with why, in the words of a code."""
    from alexmagnum.mail.inbox import format_why  # loads the judge, which few readers need

    for message in mails:
        whys = message.why or (mail_store.Why.of("waits-unhandled"),)
        yield sentences.format(
            code,
            number=message.id,
            sender=to_one_line(message.sender) or "?",
            power=power_name(desk.board, message.power, sentences) if message.power else "–",
            why="; ".join(format_why(why, desk, sentences) for why in whys),
        )


_STUCK = {
    mail_store.DRAFT: "situation-unsent",
    mail_store.SENDING: "situation-sending",
    mail_store.UNCERTAIN: "situation-uncertain",
}


def list_letters(situation: Situation, desk: Desk, sentences: Sentences) -> Iterator[str]:
    """Yield a line for each letter that came back or is stuck, and one for the drafts."""
    for letter in situation.returned:
        yield sentences.format(
            "situation-returned" if letter.is_sure else "situation-returned-unsure",
            number=letter.message.id,
            addresses=to_one_line(letter.addresses),
            powers=name_players(letter.powers, desk, sentences),
        )
    for mailing in situation.stuck:
        yield sentences.format(
            _STUCK[mailing.state],
            number=mailing.id,
            power=power_name(desk.board, mailing.power, sentences),
            why=sentences.error(mailing.problem) if mailing.problem else "",
        )
    if situation.drafts:
        yield sentences.format("situation-drafts", count=len(situation.drafts))
    settings = desk.settings
    if times := [at for one in situation.held if (at := mail_store.find_time_to_go(one, settings))]:
        first = format_instant(format_iso(min(times)), settings["timezone"], sentences)
        yield sentences.format("situation-held", count=len(times), at=first)


def list_tray(tray: Sequence[Passage], sentences: Sentences) -> Iterator[str]:
    """Yield how much players said to the game master that still waits, if anything."""
    if tray:
        yield sentences.format("situation-tray", count=len(tray))


def describe_passage(
    passage: Passage, desk: Desk, sentences: Sentences, most: int = 0
) -> tuple[str, ...]:
    """Return who said something when, and its parts; ``most``: characters of a part, or all."""
    code = "-done" if passage.done else "-urgent" if passage.urgent else ""
    head = sentences.format(
        f"tray-head{code}",
        number=passage.message,
        who=name_writer(passage, desk, sentences),
        at=format_instant(passage.received, desk.settings["timezone"], sentences),
    )
    if mail_store.InboxStore(desk.file).find(passage.message).state != mail_store.TAKEN:
        head += " " + sentences.format("tray-unsure", sender=to_one_line(passage.sender) or "?")
    said = [sentences.format(f"tray-{kind}", text=text) for kind, text in passage.parts]
    if most:
        said = [shorten(to_one_line(each), most, placeholder=" …") for each in said]
    return head, *said


def list_advice(situation: Situation, sentences: Sentences) -> tuple[str, ...]:
    """Return the commands with which the game master lets the game go on."""
    found = []
    if situation.mails or situation.other_mails:
        first = (*situation.mails, *situation.other_mails)[0].id
        found.append(sentences.format("situation-do-mail", number=first))
    if situation.status.agreed:
        kind, *powers = situation.status.agreed.split()
        option = f"--draw --among {','.join(powers)}" if kind == DRAW else f"--{kind} {powers[0]}"
        found.append(sentences.format("situation-do-end", command=f"alexmagnum end {option}"))
    if situation.is_past:
        more = " --allow-missing" if ORDERS_MISSING in situation.blocks else ""
        more += " --anyway" if situation.status.agreed else ""
        command = f"alexmagnum process {situation.status.phase}{more}"
        found.append(sentences.format("situation-do-process", command=command))
    if situation.stuck or situation.drafts:
        found.append(sentences.format("situation-do-letters"))
    return tuple(found)
