"""Which letters there should be, and the drafts brought in line with them.

:func:`update_drafts` is the one way in: whatever changes a game calls it, and so does the next
command after one that was killed.  It compares the letters that players should have of the game as
it stands with those that there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property, partial
from itertools import islice, takewhile
from typing import Any

from alexmagnum.board.model import list_examples
from alexmagnum.campaign import coming_phases
from alexmagnum.errors import GameError
from alexmagnum.game import mail_store, people, phases
from alexmagnum.game.deadlines import find_clock_change, is_past_deadline, read_clock
from alexmagnum.game.game import Change, Game, Player, Standby
from alexmagnum.game.late_orders import waits_for_master
from alexmagnum.game.mail_store import DRAFT, FOLLOWING, LetterKey, Mailing, Occasion
from alexmagnum.game.orders import read_receipt
from alexmagnum.game.people import find_takeover, read_people, read_players, read_standby
from alexmagnum.game.records import Entry
from alexmagnum.game.settings import lower_ascii
from alexmagnum.i18n.dates import parse_iso, to_local
from alexmagnum.mail import composition, letters
from alexmagnum.mail import outbox as outboxes
from alexmagnum.mail.answers import relay_press, reword_answer_text, turn_answer_text
from alexmagnum.mail.letters import SHORT, LetterMaterials, LetterWriter, Readers, compose_ending
from alexmagnum.mail.outbox import DEADLINE_CHANGED, MOVED, ORDERS_OVERTAKEN, Circumstances, Outbox
from alexmagnum.position import parse_phase
from alexmagnum.report.context import PhaseContext
from alexmagnum.report.receipt import ClockReading

TAKEN_BACK = "letter-taken-back"
"""Why a letter was dropped that returns if the phase it reports is put back."""

OVERTAKEN = "letter-overtaken"
"""Why a letter was dropped whose phase is over, or whose reminder was obeyed."""

_INFORMING = (Occasion.REPORT, Occasion.RETRACTION, Occasion.OPENING, Occasion.WELCOME)
"""Occasions of letters from which a player knows the position and the deadline."""

_ASKED_FOR = (Occasion.OPENING, Occasion.REMINDER, Occasion.LATE)
"""Occasions of letters that somebody or the clock asks for."""


@dataclass(slots=True)
class DraftedLetters:
    """The result of a round of letters.

    ``drafted`` and ``renewed`` are the numbers of new drafts and of drafts composed anew;
    ``withdrawn`` those of drafts that say what they may say no longer; ``unaddressed`` are the
    powers that have no address.  ``dropped`` and ``back`` count the drafts that were overtaken by
    events, and those that are right again.
    """

    drafted: list[int] = field(default_factory=list)
    renewed: list[int] = field(default_factory=list)
    withdrawn: list[int] = field(default_factory=list)
    unaddressed: list[str] = field(default_factory=list)
    dropped: int = 0
    back: int = 0


def update_drafts(outbox: Outbox, *, opening: bool = False, day: str = "") -> DraftedLetters:
    """Bring the drafts in line with the game, and return what was done.

    Drafts that no longer hold are dropped: those of letters that nobody should have any more, those
    to a former player or address that nobody has changed, answers that have lost what they rest on.
    Press, words of the game master and answers go to the new address of their reader; press and
    such words to a former player wait.  Dropped ones that hold again come back as they were edited.
    Drafts that show an earlier state of the game are composed anew, and missing ones are drafted.

    ``opening``: every player should have a letter with what the open phase asks for.  ``day``:
    players whose orders are missing should have a reminder of this day; after the deadline it is a
    notice that they are late, and the others should have one that the game waits.
    """
    if outbox.game.settings["mail_address"]:
        _relay_stranded_press(outbox)
    outbox.store_edits()
    told = Correspondence(outbox)
    owed = OwedLetters(outbox, told, opening=opening, day=day)
    stale, back, kept = defaultdict[str, list[Mailing]](list), list[Mailing](), list[Mailing]()
    for mailing in told.letters:
        if mailing.state == DRAFT:
            why = owed.find_fault(mailing)
            reader = owed.find_moved_reader(mailing) if why == MOVED else None
            is_other = why == MOVED and mailing.key.occasion in mail_store.PASSING_WORDS_ON
            if reader is not None:
                outbox.readdress(mailing, reader)
            else:  # the game master decides whether another player may read it
                (stale[why] if why and not is_other else kept).append(mailing)
        elif was_dropped_by_events(mailing) and not owed.find_fault(mailing):
            back.append(mailing)
    for why, mailings in stale.items():
        outbox.withdraw(mailings, why)
    outbox.bring_back(back)
    made = DraftedLetters(dropped=sum(map(len, stale.values())), back=len(back))
    if outbox.game.settings["mail_address"]:
        made.renewed += _compose_anew(outbox, [*kept, *back], owed)
        _draft_missing(outbox, owed, made)
    outbox.tidy()  # a command that was killed may have left files of what it dropped
    return made


def _relay_stranded_press(outbox: Outbox) -> None:
    """Pass on press that is held for a report that never comes.

    Its phase was left without a result: the game ended in it, or a correction did away with it.
    """
    head, board = outbox.game.head(), outbox.game.base
    for press in people.read_press(outbox.game, states=(people.HELD,)):
        if not (is_stranded := head.is_over or not press.phase) and press.phase != head.name:
            later = coming_phases(parse_phase(press.phase, board.rules.picks), board)
            is_stranded = head.name in map(str, islice(later, 40))  # some maps have no last year
        if is_stranded:
            with outbox.file.writing("draft"):
                missed = relay_press(outbox, press)
                players = people.read_players(outbox.game) if missed else ()
                # A person without an address gets it once they have one.
                if not any(one.power in missed for one in players if not one.is_bot):
                    outbox.file.update("press", press.id, state=people.RELAYED)


def was_dropped_by_events(mailing: Mailing) -> bool:
    """Return whether a letter was dropped that comes back when it holds again."""
    codes = (TAKEN_BACK, OVERTAKEN, MOVED)
    problem = mailing.problem
    return mailing.state == mail_store.DROPPED and problem is not None and problem.code in codes


def _compose_anew(outbox: Outbox, drafts: Sequence[Mailing], now: Circumstances) -> list[int]:
    """Compose drafts anew that do not show the game as it stands; return their numbers.

    What somebody wrote into one of them is kept aside, and if nothing but people and words have
    changed since, only its files are made anew.
    """
    keys = []
    for mailing in drafts:
        if (lost := now.find_lost_ground(mailing)) and mailing.key.occasion not in FOLLOWING:
            reword_answer(outbox, mailing, lost)
        elif lost:
            keys.append(mailing.key)
    letters = compose_letters(outbox, keys)
    # One transaction for all, begun when the pictures are drawn: others wait for it.
    with outbox.file.writing("draft") if letters else nullcontext():
        numbers = [outbox.renew(key, letter) for key, letter in letters.items()]
    return [number for number in numbers if number]


def _draft_missing(outbox: Outbox, owed: OwedLetters, made: DraftedLetters) -> None:
    """Draft the letters that were never drafted; note who cannot get one that others get now."""
    missing = [(player, key) for player, key in owed.letters if key not in owed.told.by_key]
    new = [key for player, key in missing if composition.can_be_written_to(player)]
    letters = compose_letters(outbox, new)
    made.drafted += outbox.draft_all(letters)
    subjects = {(key.occasion, key.outcomes) for key in letters}
    unaddressed = [
        player.power
        for player, key in missing
        if not composition.can_be_written_to(player)
        and (key.occasion in _ASKED_FOR or (key.occasion, key.outcomes) in subjects)
    ]
    made.unaddressed += dict.fromkeys(unaddressed)


# Composing any letter that follows from the game, from what it is about.


class Composer:
    """Composes the letters that follow from the game as it stands, with the outbox's materials."""

    def __init__(self, outbox: Outbox) -> None:
        self.game, self.materials = outbox.game, outbox.materials
        self._told = Correspondence(outbox)
        self._players = {player.power: player for player in read_players(self.game)}
        self._reports: dict[str, PhaseReports] = {}

    def compose(self, key: LetterKey) -> composition.Letter | None:
        """Return the letter that a key is about.

        None for one with reports or pictures where there are no materials.
        """
        game, materials = self.game, self.materials
        if key.occasion in SHORT:
            return SHORT[key.occasion](LetterWriter(game, self._players[key.power]))
        if materials is None or key.occasion not in FOLLOWING:
            return None
        if key.occasion == Occasion.INVITATION:
            return letters.compose_invitation(game, key, materials)
        player = self._players[key.power]
        if key.occasion == Occasion.ENDING:
            final = materials.final(composition.load_player_sentences(game, player))
            return compose_ending(game, player, final)
        context = self._find_context(key, player, materials)
        return letters.compose_phase_letter(
            game, key, player, context, materials, knows_end=self._told.was_told_of_end(player)
        )

    def _find_context(
        self, key: LetterKey, player: Player, materials: LetterMaterials
    ) -> PhaseContext:
        if key.occasion == Occasion.WELCOME:
            return replace(materials.open, lists_house_rules=True)
        if key.occasion != Occasion.REPORT:
            return materials.open
        if (phase := self._told.phases[key.outcomes[0]]) not in self._reports:
            self._reports[phase] = PhaseReports(self._told, phase)
        reports = self._reports[phase]
        context, changes = materials.find_context(phase), tuple(reports.changes(player))
        return replace(context, version=reports.version(player), changes=changes)


def compose_letters(
    outbox: Outbox, keys: Collection[LetterKey]
) -> dict[LetterKey, composition.Letter]:
    """Compose the letters that follow from the game as it stands; see :meth:`Composer.compose`."""
    composer = Composer(outbox) if keys else None
    made = {key: composer.compose(key) for key in keys} if composer else {}
    return {key: letter for key, letter in made.items() if letter is not None}


def reword_answer(outbox: Outbox, mailing: Mailing, lost: str) -> None:
    """Name the deadline in force in a draft of an answer that was made before it changed, and say
    so if the orders that it lists have changed or its phase is over; ``lost`` is the code of what
    it lost first."""
    grounds, now = dict(mailing.grounds), ClockReading.of(outbox.game)
    if lost == outboxes.PHASE_TURNED:
        is_over = grounds["answered"] == outboxes.OPEN
        grounds["answered"] = outboxes.OVER if is_over else outboxes.OPEN
        players = {player.power: player for player in read_players(outbox.game)}
        player = players.get(mailing.power, Player(mailing.power, ""))
        sentences = composition.load_player_sentences(outbox.game, player)
        turn = partial(turn_answer_text, sentences=sentences, is_over=is_over)
        outbox.reword(mailing, turn, grounds, mailing.created, why=lost)
        return
    before = ClockReading(grounds["deadline"], parse_iso(mailing.created), now.zone)
    seal = next((grounds[name] for name in ("orders", "seal", "old seal") if name in grounds), "")
    if is_old := lost == ORDERS_OVERTAKEN:
        grounds["old seal"] = grounds.pop("seal")
    reword = partial(reword_answer_text, before=before, now=now, seal=seal, is_old=is_old)
    grounds["deadline"] = now.clock
    outbox.reword(mailing, reword, grounds, outbox.game.stamp(), why=lost)


# What players know from the letters that they received.


@dataclass(frozen=True, slots=True)
class Received:
    """The reports that a player received about one phase.

    ``outcomes`` are those reported, in their order.  ``stands`` is False if the player was told
    since that the last of them was taken back.
    """

    outcomes: tuple[int, ...] = ()
    stands: bool = False


class Correspondence:
    """The letters of a game so far, and what each player knows from those that were or may be sent.

    A player with a new address counts as another player, but for reports that they have read.
    """

    def __init__(self, outbox: Outbox) -> None:
        self.game = outbox.game
        self.letters = outbox.list_letters()
        self.by_key = {mailing.key: mailing for mailing in reversed(self.letters)}
        self.phases = self.game.phases_of_outcomes()
        self._sent: dict[tuple[str, str], list[Mailing]] = defaultdict(list)
        self.received: dict[tuple[str, str], dict[str, Received]] = defaultdict(dict)
        self._reported: dict[str, dict[str, Mailing]] = defaultdict(dict)
        self._last_news: dict[tuple[str, str], int] = {}
        for mailing in self.letters:
            if mailing.state in (mail_store.SENDING, mail_store.SENT, mail_store.UNCERTAIN):
                self._note_sent(mailing)

    def _note_sent(self, mailing: Mailing) -> None:
        self._sent[mailing.power, mailing.address].append(mailing)
        received = self.received[mailing.power, mailing.key.address]
        reports = mailing.key.occasion in (Occasion.REPORT, Occasion.WELCOME)
        for outcome in mailing.key.outcomes:
            self._last_news[mailing.power, mailing.key.address] = mailing.id
            phase = self.phases[outcome]
            if mailing.key.occasion == Occasion.REPORT:
                self._reported[mailing.power][phase] = mailing
            before = received.get(phase, Received()).outcomes
            received[phase] = Received((*before, outcome) if reports else before, reports)

    def list_sent(self, player: Player) -> Sequence[Mailing]:
        """Return the letters that a player received, or may have, oldest first."""
        return self._sent.get((player.power, composition.letter_address(player)), ())

    def list_news_of_end(self, player: Player) -> Sequence[Mailing]:
        """Return the letters from which a player knows whether the game is over.

        A retraction says that a phase is open again.
        """
        occasions = (Occasion.ENDING, Occasion.REOPENING, Occasion.RETRACTION)
        return [one for one in self.list_sent(player) if one.key.occasion in occasions]

    def was_told_of_end(self, player: Player) -> bool:
        """Return whether the last that a player was told is that the game is over."""
        told = self.list_news_of_end(player)
        return bool(told) and told[-1].key.occasion == Occasion.ENDING

    def reports_to(self, player: Player) -> Mapping[str, Received]:
        """Return the reports that a player received, by phase: at their address, else at a former
        one from which no letters came back."""
        address = composition.letter_address(player)
        elsewhere = [
            (phase, last)
            for phase, last in self._reported[player.power].items()
            if last.key.address != address and lower_ascii(last.address) not in self._failed
        ]
        since = player.since if elsewhere and find_takeover(self.game, player.power) else ""
        former = {
            phase: self.received[player.power, last.key.address][phase]
            for phase, last in elsewhere
            if last.created > since
        }
        return {**former, **self.received.get((player.power, address), {})}

    def has_news_since(self, player: Player, phase: str) -> bool:
        """Return whether a player's address had the last report of a phase, or news since."""
        last = self._reported[player.power].get(phase)
        news = self._last_news.get((player.power, composition.letter_address(player)), 0)
        return last is not None and news >= last.id

    @cached_property
    def _failed(self) -> frozenset[str]:
        """The addresses from which letters came back."""
        aside = mail_store.InboxStore(self.game.file).find_all(mail_store.ASIDE)
        codes = (mail_store.BOUNCED, mail_store.BOUNCED_PERHAPS)
        returned = (why.data["addresses"] for one in aside for why in one.why if why.code in codes)
        return frozenset(address for listed in returned for address in listed.split(", "))


class PhaseReports:
    """The report of one processed phase, compared with those that each player has received.

    Versions that a player never received do not count: what was taken back in time may have come
    of orders that do not count, and that nobody is to read.
    """

    def __init__(self, told: Correspondence, phase: str) -> None:
        self._told, self._game, self._phase = told, told.game, phase
        self._outcome = phases.find_outcome(self._game, phase, None).id
        self._is_last = phases.list_processed_phases(self._game)[-1:] == [phase]
        self._versions = {one.id: one.version for one in phases.list_versions(self._game, phase)}
        self._changes: dict[int, tuple[Change, ...]] = {}

    def key(self, player: Player) -> LetterKey | None:
        """Return the key of the letter to a player.

        Return None if the player has a report and nothing has changed since, for a player who took
        over when the phase was over: their welcome has the position, and for one who has another
        address since: only the report of the last phase goes there too.  A player who came back
        gets the report that was drafted for them before they left.
        """
        known = self._find_received(player)
        is_last = known.stands and known.outcomes[-1] == self._outcome
        is_settled = not known.outcomes or is_last
        times = len(known.outcomes) if self._outcome in known.outcomes and not is_last else 0
        address = composition.letter_address(player)
        key = LetterKey(Occasion.REPORT, player.power, address, (self._outcome,), times=times)
        # The last report goes to another address too, if that had nothing since.
        is_read = is_last and (not self._is_last or self._told.has_news_since(player, self._phase))
        took_over = is_settled and people.took_over_after(self._game, player.power, self._phase)
        if is_read or took_over:
            return key if key in self._told.by_key else None
        return None if known.stands and not is_last and not self.changes(player) else key

    def version(self, player: Player) -> int:
        """Return which of the reports of the phase this is for a player; the first is 1."""
        known = self._find_received(player)
        is_sent_again = known.stands and known.outcomes[-1] == self._outcome  # to another address
        return len(known.outcomes) + (not is_sent_again)

    def changes(self, player: Player) -> Sequence[Change]:
        """Return what differs from the last report that a player has received."""
        if not (known := self._find_received(player).outcomes):
            return ()
        if known[-1] not in self._changes:
            since = self._versions[known[-1]]
            differences = phases.list_differences(self._game, self._phase, None, since=since)
            self._changes[known[-1]] = differences
        return self._changes[known[-1]]

    def _find_received(self, player: Player) -> Received:
        return self._told.reports_to(player).get(self._phase, Received())


# The letters that players should have.


class OwedLetters(Circumstances):
    """The letters that follow from the game as it stands, each with its player.

    Those that were sent, or that the game master has dropped, are among them.  Drafts are compared
    with these letters, with the present addresses, and with all that letters rest on.
    """

    def __init__(self, outbox: Outbox, told: Correspondence, *, opening: bool, day: str) -> None:
        super().__init__(outbox.game)
        self.outbox, self.told = outbox, told
        self.opening, self.day = opening, day
        self.letters: list[tuple[Player, LetterKey]] = []
        players = read_people(self.game)
        for reports in self._list_reports():
            self._add(players, reports.key)
        if self.head.is_over:
            self._add(players, self._find_ending)
            return
        for find_key in (
            self._find_retraction,
            self._find_reopening,
            self._find_welcome,
            self._find_opening,
            self._find_deadline,
            self._find_reminder,
            self._find_waiting,
        ):
            self._add(players, find_key)

    def _add(
        self, players: Sequence[Player], find_key: Callable[[Player], LetterKey | None]
    ) -> None:
        keys = ((player, find_key(player)) for player in players)
        self.letters += [(player, key) for player, key in keys if key is not None]

    def _key(self, occasion: Occasion, player: Player, **about: Any) -> LetterKey:
        return LetterKey(occasion, player.power, composition.letter_address(player), **about)

    def _is_owed(self, player: Player, *occasions: str) -> bool:
        """Return whether a player should have a letter of some occasions that was not sent."""
        return any(
            one == player and key.occasion in occasions and self._is_unsent(key)
            for one, key in self.letters
        )

    def _was_sent(self, player: Player, *occasions: str, since: str) -> bool:
        """Return whether a player received a letter of some occasions that was written since."""
        return any(
            one.key.occasion in occasions and one.created >= since
            for one in self.told.list_sent(player)
        )

    def _is_unsent(self, key: LetterKey) -> bool:
        """Return whether a letter is a draft, or becomes one now."""
        mailing = self.told.by_key.get(key)
        return mailing is None or mailing.state == DRAFT or was_dropped_by_events(mailing)

    def _list_unsent(self, player: Player, occasion: str) -> list[Mailing]:
        """Return the letters of an occasion about the open phase that were not sent to a power."""
        return [
            mailing
            for mailing in self.told.letters
            if (mailing.power, mailing.key.occasion) == (player.power, occasion)
            and mailing.phase == self.head.name
            and not self.was_undone(mailing)
            and (mailing.state == DRAFT or was_dropped_by_events(mailing))
        ]

    def was_undone(self, mailing: Mailing) -> bool:
        """Return whether the phase of a letter was undone since, and perhaps opened again."""
        if mailing.phase not in self._opened:
            return True
        row, opened = self._opened[mailing.phase]
        if "row" in mailing.grounds:
            return int(mailing.grounds["row"]) < row
        return mailing.created < opened  # of a letter that did not note the row

    @cached_property
    def _opened(self) -> Mapping[str, tuple[int, str]]:
        """The row of each phase, and when it was opened.  After a correction the mails for a phase
        stay, and so do the letters."""
        line, head = self.game.line(), self.head
        amended = {row.id for row in line if row.amends}
        return {
            row.name: (0, "") if row.parent in amended else (number, row.opened)
            for number, row in [(row.phase, row) for row in line] + [(head.id, head)]
        }

    def _list_reports(self) -> Iterator[PhaseReports]:
        """Yield the reports of the last phase, and of those of which there was a letter."""
        told = self.told
        known = {
            told.phases[outcome]
            for mailing in told.letters
            if mailing.key.occasion == Occasion.REPORT
            for outcome in mailing.key.outcomes
        }
        done = phases.list_processed_phases(self.game)
        for phase in done:
            if phase in known or phase == done[-1]:
                yield PhaseReports(told, phase)

    @cached_property
    def _current(self) -> frozenset[str]:
        """The phases that are over and were not undone."""
        return frozenset(row.name for row in self.game.line())

    def _find_retraction(self, player: Player) -> LetterKey | None:
        """Return the key of the letter that takes back reports that a player received."""
        wrong = [
            received
            for phase, received in self.told.reports_to(player).items()
            if received.stands and phase not in self._current
        ]
        outcomes = tuple(sorted(received.outcomes[-1] for received in wrong))
        times = sum(len(received.outcomes) for received in wrong)
        key = self._key(Occasion.RETRACTION, player, outcomes=outcomes, times=times)
        return key if wrong else None

    def _find_ending(self, player: Player) -> LetterKey | None:
        """Return the key of the letter that the game is over, one for every end."""
        news = self.told.list_news_of_end(player)
        last = news[-1].key if news else None
        if last is not None and (last.occasion, last.opened) == (Occasion.ENDING, self.head.id):
            return None
        return self._make_key_of_end(Occasion.ENDING, player)

    def _find_reopening(self, player: Player) -> LetterKey | None:
        """Return the key of the letter that the game goes on, to players told that it was over; a
        retraction tells them as well."""
        if not self.told.was_told_of_end(player) or self._is_owed(player, Occasion.RETRACTION):
            return None
        return self._make_key_of_end(Occasion.REOPENING, player)

    def _make_key_of_end(self, occasion: Occasion, player: Player) -> LetterKey:
        news = self.told.list_news_of_end(player)
        times = sum(mailing.key.occasion == Occasion.ENDING for mailing in news)
        return self._key(occasion, player, opened=int(self.head.id), times=times)

    def _find_welcome(self, player: Player) -> LetterKey | None:
        """Return the key of the letter that welcomes a player; None if they need no welcome.

        Players who have had their power from the beginning need none, nor do those who know the
        position from another letter, or whose welcome the game master has dropped.  The key changes
        with the open phase, with what led to it, and with the orders in force.
        """
        if not find_takeover(self.game, player.power):
            return None
        address = composition.letter_address(player)
        is_unwanted = any(
            one.key.occasion == Occasion.WELCOME
            and one.state == mail_store.DROPPED
            and one.problem is None
            and (one.power, one.address) == (player.power, address)
            and one.created >= player.since
            for one in self.told.letters
        )
        if is_unwanted or self._was_sent(player, *_INFORMING, since=player.since):
            return None
        receipt = read_receipt(self.game, self.head, player.power)
        resolved = [row.id for row in self.game.line() if not row.passed]
        return self._key(
            Occasion.WELCOME,
            player,
            outcomes=tuple(resolved[-1:]),
            opened=int(self.head.id),
            seal=receipt.digest if receipt else "",
        )

    def _find_opening(self, player: Player) -> LetterKey | None:
        """Return the key of the letter on what the open phase asks for, if somebody asked for it.

        A player whose welcome has it gets no second letter.
        """
        since = max(player.since, self.head.opened)
        welcome, unsent = Occasion.WELCOME, self._list_unsent(player, Occasion.OPENING)
        is_welcomed = self._is_owed(player, welcome) or self._was_sent(player, welcome, since=since)
        if is_welcomed or not (self.opening or unsent):
            return None
        opened = unsent[-1].key.opened if unsent else int(self.head.id)
        return self._key(Occasion.OPENING, player, opened=opened)

    def _find_deadline(self, player: Player) -> LetterKey | None:
        """Return the key of the letter about a change of the deadline, to a player who owes orders.

        Players who have a later letter with the deadline get none, and nor do players who had no
        letter about the phase: the first one tells them the deadline.
        """
        change, sent = self._clock_change, self.told.list_sent(player)
        told = [one for one in sent if one.phase == self.head.name]
        if change is None or not told:
            return None
        # What the last letters say counts, not their times, which are wrong where the clock was.
        clock = read_clock(self.game)
        dated = (one for one in reversed(told) if "deadline" in one.grounds)
        last = takewhile(lambda one: one.grounds["deadline"] == clock, dated)
        knows = any(one.key.occasion in _INFORMING for one in last)
        knows = knows or self._is_owed(player, *_INFORMING)
        if knows or not LetterWriter(self.game, player).demand():
            return None
        return self._key(Occasion.DEADLINE, player, act=change.id)

    @cached_property
    def _clock_change(self) -> Entry | None:
        """The last change of the deadline, None if the settings want no letters about it."""
        is_told = self.game.settings["announcements"] != "no"
        return find_clock_change(self.game) if is_told else None

    def _find_reminder(self, player: Player) -> LetterKey | None:
        """Return the key of the reminder to a player whose orders are missing, after the deadline
        of the notice that they are late."""
        if player.power not in (self._late_powers if self._is_past else self.lacking):
            return None
        return self._find_daily(Occasion.LATE if self._is_past else Occasion.REMINDER, player)

    def _find_waiting(self, player: Player) -> LetterKey | None:
        """Return the key of the notice that the game waits after its deadline: for others, or for
        the game master."""
        is_told, late = self.game.settings["late_notice"] != "no", self._late_powers
        if not is_told or player.power in late or not (late or waits_for_master(self.game)):
            return None
        return self._find_daily(Occasion.WAITING, player)

    def _find_daily(self, occasion: Occasion, player: Player) -> LetterKey | None:
        """Return the key of the letter of the day, or of the last one that was not sent.

        After a change of the deadline another one may go on the same day.
        """
        if self.day:
            change = find_clock_change(self.game) if self._is_past else None
            act = change.id if change else None
            return self._key(occasion, player, opened=int(self.head.id), day=self.day, act=act)
        unsent = self._list_unsent(player, occasion)
        return (
            replace(unsent[-1].key, address=composition.letter_address(player)) if unsent else None
        )

    @cached_property
    def _is_past(self) -> bool:
        return is_past_deadline(self.game)

    @cached_property
    def _late_powers(self) -> frozenset[str]:
        """The powers that the game waits for after its deadline."""
        return frozenset(one.power for one in self.late) if self._is_past else frozenset()

    # -- why a letter must not be sent any more --------------------------------------------------

    @cached_property
    def _keys(self) -> frozenset[LetterKey]:
        return frozenset(key for _, key in self.letters)

    @cached_property
    def _addresses(self) -> Mapping[str, str]:
        """The address of everybody who can be written to, by their power or number of standby."""
        people: tuple[tuple[str, Player | Standby], ...] = (
            *((player.power, player) for player in read_players(self.game)),
            *((f"standby{person.id}", person) for person in read_standby(self.game)),
        )
        return {
            reader: composition.plain_address(person.address)
            for reader, person in people
            if composition.can_be_written_to(person)
        }

    def find_lost_ground(self, mailing: Mailing) -> str:
        """Return the code of why a letter no longer holds, "" if it does.

        An answer of a phase that is over tells neither a deadline nor orders that count.
        """
        if answered := mailing.grounds.get("answered"):
            is_over = self.head.is_over or mailing.phase != self.head.name
            if (is_over := is_over or self.was_undone(mailing)) != (answered == outboxes.OVER):
                return outboxes.PHASE_TURNED
            if is_over:
                return ""
        return super().find_lost_ground(mailing)

    def find_fault(self, mailing: Mailing) -> str:
        """Return the code of why a letter must not be sent any more, "" if it may."""
        key, address = mailing.key, self._addresses.get(mailing.reader, "")
        if address != mailing.address and (
            mailing.state != DRAFT or self.outbox.is_as_drafted(mailing)
        ):
            return MOVED
        if key.occasion in mail_store.PASSING_WORDS_ON:
            return ""
        if key.occasion == Occasion.INVITATION:
            act = key.act or 0
            is_taken = find_takeover(self.game, people.find_power_of_act(self.game, act)) > act
            return OVERTAKEN if is_taken else ""
        if key.occasion in FOLLOWING:
            is_owed = replace(key, address=address) in self._keys
            return "" if is_owed else self._why_not_owed(mailing)
        if "answered" in mailing.grounds:  # it is worded anew, whatever it has lost
            return ""
        if self.was_undone(mailing):
            return TAKEN_BACK
        lost = self.find_lost_ground(mailing)
        is_worded_anew = lost in (DEADLINE_CHANGED, ORDERS_OVERTAKEN) and mailing.kind == "receipt"
        return "" if is_worded_anew else lost

    def find_moved_reader(self, mailing: Mailing) -> Player | None:
        """Return the player that a letter is for, if it cannot be composed anew for their present
        address; whoever takes the power over is another reader."""
        if mailing.key.occasion in FOLLOWING:
            return None
        began = find_takeover(self.game, mailing.power) == 0
        for player in filter(composition.can_be_written_to, read_people(self.game)):
            if player.power == mailing.power and (began or player.since < mailing.created):
                return player
        return None

    def _why_not_owed(self, mailing: Mailing) -> str:
        """Return the code of why its player should not have a letter any more."""
        occasion, is_open = mailing.key.occasion, mailing.phase == self.head.name
        if occasion in (Occasion.REPORT, Occasion.ENDING, Occasion.REOPENING):
            return TAKEN_BACK
        if occasion != Occasion.WELCOME and self.was_undone(mailing):
            return TAKEN_BACK
        if occasion == Occasion.DEADLINE and is_open:
            return DEADLINE_CHANGED
        is_daily = occasion in (Occasion.REMINDER, Occasion.LATE)
        if is_daily and is_open and mailing.power in self.lacking:
            return outboxes.SUPERSEDED
        return OVERTAKEN


def is_beginning(game: Game) -> bool:
    """Return whether the first phase is open, about which nobody received a report."""
    head, is_first = game.head(), all(row.passed for row in game.line())
    if head.is_over or not is_first:
        return False
    return not any(head.name in known for known in Correspondence(Outbox(game)).received.values())


# Letters that the game master writes, and invitations.


LONGEST_SUBJECT = 200
"""Characters of a subject that the game master writes."""


def draft_written_letters(
    outbox: Outbox,
    text: str,
    readers: Readers,
    *,
    subject: str = "",
    reason: str = "",
    answers: int | None = None,
) -> DraftedLetters:
    """Draft a letter of the game master to each reader; ``answers``: the mail that it answers.

    Raises:
        GameError: ``letter-empty``, ``letter-to-nobody``, ``line-unreadable`` (the subject),
            ``names-are-hidden``, ``no-mail-address``.
    """
    game = outbox.game
    if not text.strip():
        raise GameError("letter-empty")
    if not subject.isprintable() or len(subject) > LONGEST_SUBJECT:
        raise GameError("line-unreadable", text=subject[:60])
    own = readers.powers if len(readers.powers) == 1 and not readers.standby else ()
    people.check_text_for_names(game, f"{subject}\n{text}", own=own)
    if not (listed := _find_people(game, readers)):
        raise GameError("letter-to-nobody", **list_examples(game.base))

    def letter(person: Player | Standby) -> composition.Letter:
        return letters.compose_written_letter(game, text, subject, readers, person)

    return _draft(outbox, Occasion.LETTER, listed, letter, reason, answers=answers)


def draft_invitations(
    outbox: Outbox, power: str, numbers: Sequence[int], reason: str = ""
) -> DraftedLetters:
    """Draft, for people on the standby list, an invitation to take over a power.

    It has the position as everybody may see it.  An earlier one that was not sent is withdrawn.

    Raises:
        GameError: ``standby-empty``, ``no-standby``, ``no-mail-address``.
    """
    game = outbox.game
    if not (listed := _find_people(game, Readers(standby=tuple(numbers)))):
        raise GameError("standby-empty")
    earlier = [
        mailing
        for mailing in outbox.list_letters((DRAFT,))
        if mailing.kind == Occasion.INVITATION
        and mailing.key.standby in {person.id for person in listed if isinstance(person, Standby)}
        and people.find_power_of_act(game, mailing.key.act or 0) == power
    ]
    made = _draft(outbox, Occasion.INVITATION, listed, None, reason, power)
    outbox.withdraw(earlier, outboxes.SUPERSEDED)
    return made


def _find_people(game: Game, readers: Readers) -> list[Player | Standby]:
    players = [player for player in read_people(game) if player.power in readers.powers]
    return [*players, *[person for person in read_standby(game) if person.id in readers.standby]]


def _draft(
    outbox: Outbox,
    occasion: Occasion,
    people: Sequence[Player | Standby],
    letter: Callable[[Player | Standby], composition.Letter] | None,
    reason: str,
    power: str = "",
    answers: int | None = None,
) -> DraftedLetters:
    """Draft a letter to each of some people, in one act of the game master.

    Without ``letter`` they are composed of the game as it stands.
    """
    game, made = outbox.game, DraftedLetters()
    if not game.settings["mail_address"]:
        raise GameError("no-mail-address")
    with outbox.file.writing("letter"):
        with game.act(f"{occasion}-write", power, reason) as note:
            note.detail["letters"] = len(people)
        act = game.last_act()
        readers = dict[LetterKey, Player | Standby]()
        for person in people:
            whose, standby = (person.power, None) if isinstance(person, Player) else ("", person.id)
            if composition.can_be_written_to(person):
                address = composition.letter_address(person)
                key = LetterKey(occasion, whose, address, act=act, standby=standby, answers=answers)
                readers[key] = person
            elif whose:
                made.unaddressed.append(whose)
        made.drafted += outbox.draft_all(
            {key: letter(person) for key, person in readers.items()}
            if letter
            else compose_letters(outbox, readers)
        )
    return made


def reminder_day(game: Game) -> str:
    """Return the day of the reminders for the deadline, "" if it is too early for them or the clock
    has jumped.

    After the deadline it is that of the notices that orders are late, which are due at once and
    then a day later each.  The day is part of the key of a letter, so that there is one for it
    however often this is called.
    """
    settings = game.settings
    at = game.deadline
    if settings["reminders"] == "no" or not at or game.find_clock_jump() is not None:
        return ""
    due = parse_iso(at)
    if is_past_deadline(game):
        due += timedelta(days=(game.now() - due).days)
    else:
        due -= timedelta(hours=int(settings["reminder_hours"]))
    return to_local(due, settings["timezone"]).date().isoformat() if due <= game.now() else ""
