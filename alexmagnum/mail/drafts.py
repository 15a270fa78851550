"""Which letters there should be, and the drafts brought in line with them.

:func:`update_drafts` is the one way in: whatever changes a game calls it, and so does the next
command after one that was killed.  It compares the letters that players should have of the game as
it stands with those that there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cached_property

from alexmagnum.game.deadlines import find_clock_change
from alexmagnum.game.game import Game, Player, Standby
from alexmagnum.game.letters import (
    DEADLINE,
    DRAFT,
    DROPPED,
    ENDING,
    INVITATION,
    LETTER,
    OPENING,
    REMINDER,
    REOPENING,
    REPORT,
    RETRACTION,
    WELCOME,
    LetterKey,
    Mailing,
)
from alexmagnum.game.orders import read_open_phase, read_receipt
from alexmagnum.game.people import (
    find_power_of_act,
    find_takeover,
    read_people,
    read_players,
    read_standby,
)
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.game.records import Entry, OutcomeRow, PhaseRow
from alexmagnum.mail.composition import can_be_written_to, letter_address, plain_address
from alexmagnum.mail.letters import (
    Correspondence,
    DraftedLetters,
    PhaseReports,
    PhaseSection,
    load_player_sentences,
)
from alexmagnum.mail.notices import FOLLOWING, compose_letters, reword_answer
from alexmagnum.mail.outbox import (
    DEADLINE_CHANGED,
    SHOWN_CHANGED,
    SUPERSEDED,
    Circumstances,
    Outbox,
)

TAKEN_BACK = "letter-taken-back"
"""Why a letter was dropped that returns if the phase it reports is put back."""

OVERTAKEN = "letter-overtaken"
"""Why a letter was dropped whose phase is over, or whose reminder was obeyed."""

MOVED = "letter-moved"
"""Why a letter was dropped whose player has another address now."""

_INFORMING = (REPORT, RETRACTION, OPENING, WELCOME)
"""Occasions of letters from which a player knows the position and the deadline."""

_ASKED_FOR = (OPENING, REMINDER)
"""Occasions of letters that somebody or the clock asks for."""


def update_drafts(outbox: Outbox, *, opening: bool = False, day: str = "") -> DraftedLetters:
    """Bring the drafts in line with the game, and return what was done.

    Drafts that no longer hold are dropped: those of letters that nobody should have any more, those
    to a former address that nobody has changed, answers that have lost what they rest on.  Dropped
    ones that hold again come back as they were edited.  Drafts that show an earlier state of the
    game are composed anew, and those that are missing are drafted.

    ``opening``: every player should have a letter with what the open phase asks for.  ``day``:
    players whose orders are missing should have a reminder of this day.
    """
    told = Correspondence(outbox)
    owed = OwedLetters(told, opening=opening, day=day)
    state = _GameState(outbox, owed)
    stale, back, kept = defaultdict[str, list[Mailing]](list), list[Mailing](), list[Mailing]()
    for mailing in told.letters:
        if mailing.state == DRAFT:
            why = state.find_fault(mailing)
            (stale[why] if why else kept).append(mailing)
        elif was_dropped_by_events(mailing) and not state.find_fault(mailing):
            back.append(mailing)
    for why, mailings in stale.items():
        outbox.withdraw(mailings, why)
    outbox.bring_back(back)
    made = DraftedLetters(dropped=sum(map(len, stale.values())), back=len(back))
    if outbox.game.settings["mail_address"]:
        made.renewed += _compose_anew(outbox, [*kept, *back], state)
        _draft_missing(outbox, owed, made)
    return made


def was_dropped_by_events(mailing: Mailing) -> bool:
    """Return whether a letter was dropped that comes back when it holds again."""
    codes = (TAKEN_BACK, OVERTAKEN, MOVED)
    problem = mailing.problem
    return mailing.state == DROPPED and problem is not None and problem.code in codes


def _compose_anew(outbox: Outbox, drafts: Sequence[Mailing], now: Circumstances) -> list[int]:
    """Compose drafts anew that do not show the game as it stands; return their numbers.

    What somebody wrote into one of them is kept aside, and if nothing but people and words have
    changed since, the draft stays as it is.
    """
    keys = []
    for mailing in drafts:
        lost = now.find_lost_ground(mailing)
        if lost and mailing.key.occasion not in FOLLOWING:
            reword_answer(outbox, mailing)
        elif lost and (lost != SHOWN_CHANGED or outbox.is_as_drafted(mailing)):
            keys.append(mailing.key)
    letters = compose_letters(outbox, keys)
    # One transaction for all, begun when the pictures are drawn: others wait for it.
    with outbox.file.writing("draft") if letters else nullcontext():
        numbers = [outbox.renew(key, letter) for key, letter in letters.items()]
    return [number for number in numbers if number]


def _draft_missing(outbox: Outbox, owed: OwedLetters, made: DraftedLetters) -> None:
    """Draft the letters that were never drafted; note who cannot get one that others get now."""
    missing = [(player, key) for player, key in owed.letters if key not in owed.told.by_key]
    new = [key for player, key in missing if can_be_written_to(player)]
    letters = compose_letters(outbox, new)
    made.drafted += outbox.draft_all(letters)
    subjects = {(key.occasion, key.outcomes) for key in letters}
    unaddressed = [
        player.power
        for player, key in missing
        if not can_be_written_to(player)
        and (key.occasion in _ASKED_FOR or (key.occasion, key.outcomes) in subjects)
    ]
    made.unaddressed += dict.fromkeys(unaddressed)


# The letters that players should have.


class OwedLetters:
    """The letters that follow from the game as it stands, each with its player.

    Those that were sent, or that the game master has dropped, are among them.
    """

    def __init__(self, told: Correspondence, *, opening: bool, day: str) -> None:
        self.told, self.game = told, told.game
        self.head = self.game.head()
        self.opening, self.day = opening, day
        self.letters: list[tuple[Player, LetterKey]] = []
        people = read_people(self.game)
        for reports in self._list_reports():
            self._add(people, reports.key)
        if self.head.is_over:
            self._add(people, self._find_ending)
            return
        for find_key in (
            self._find_retraction,
            self._find_reopening,
            self._find_welcome,
            self._find_opening,
            self._find_deadline,
            self._find_reminder,
        ):
            self._add(people, find_key)

    def _add(
        self, people: Sequence[Player], find_key: Callable[[Player], LetterKey | None]
    ) -> None:
        keys = ((player, find_key(player)) for player in people)
        self.letters += [(player, key) for player, key in keys if key is not None]

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
        opened = self._opened.get(mailing.phase)
        return opened is None or mailing.created < opened

    @cached_property
    def _opened(self) -> Mapping[str, str]:
        """When each phase was opened.  After a correction the mails for a phase stay, and so do
        the letters."""
        line = self.game.line()
        amended = {row.id for row in line if row.amends}
        opened: tuple[OutcomeRow | PhaseRow, ...] = (*line, self.head)
        return {row.name: "" if row.parent in amended else row.opened for row in opened}

    def _list_reports(self) -> Iterator[PhaseReports]:
        """Yield the reports of the last phase, and of those of which there was a letter."""
        told = self.told
        known = {
            told.phases[outcome]
            for mailing in told.letters
            if mailing.key.occasion == REPORT
            for outcome in mailing.key.outcomes
        }
        done = list_processed_phases(self.game)
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
        address = letter_address(player)
        key = LetterKey(RETRACTION, player.power, address, outcomes, times=times)
        return key if wrong else None

    def _find_ending(self, player: Player) -> LetterKey | None:
        """Return the key of the letter that the game is over, one for every end."""
        news = self.told.list_news_of_end(player)
        last = news[-1].key if news else None
        if last is not None and (last.occasion, last.opened) == (ENDING, self.head.id):
            return None
        return self._make_key_of_end(ENDING, player)

    def _find_reopening(self, player: Player) -> LetterKey | None:
        """Return the key of the letter that the game goes on, to players told that it was over; a
        retraction tells them as well."""
        if not self.told.was_told_of_end(player) or self._is_owed(player, RETRACTION):
            return None
        return self._make_key_of_end(REOPENING, player)

    def _make_key_of_end(self, occasion: str, player: Player) -> LetterKey:
        news = self.told.list_news_of_end(player)
        times = sum(mailing.key.occasion == ENDING for mailing in news)
        address, opened = letter_address(player), int(self.head.id)
        return LetterKey(occasion, player.power, address, opened=opened, times=times)

    def _find_welcome(self, player: Player) -> LetterKey | None:
        """Return the key of the letter that welcomes a player; None if they need no welcome.

        Players who have had their power from the beginning need none, nor do those who know the
        position from another letter, or whose welcome the game master has dropped.  The key changes
        with the open phase, with what led to it, and with the orders in force.
        """
        if not find_takeover(self.game, player.power):
            return None
        address = letter_address(player)
        is_unwanted = any(
            one.key.occasion == WELCOME
            and one.state == DROPPED
            and one.problem is None
            and (one.power, one.address) == (player.power, address)
            and one.created >= player.since
            for one in self.told.letters
        )
        if is_unwanted or self._was_sent(player, *_INFORMING, since=player.since):
            return None
        receipt = read_receipt(self.game, self.head, player.power)
        resolved = [row.id for row in self.game.line() if not row.passed]
        return LetterKey(
            WELCOME,
            player.power,
            address=address,
            outcomes=tuple(resolved[-1:]),
            opened=int(self.head.id),
            seal=receipt.digest if receipt else "",
        )

    def _find_opening(self, player: Player) -> LetterKey | None:
        """Return the key of the letter on what the open phase asks for, if somebody asked for it.

        A player whose welcome has it gets no second letter.
        """
        since = max(player.since, self.head.opened)
        is_welcomed = self._is_owed(player, WELCOME) or self._was_sent(player, WELCOME, since=since)
        unsent, address = self._list_unsent(player, OPENING), letter_address(player)
        if is_welcomed or not (self.opening or unsent):
            return None
        opened = unsent[-1].key.opened if unsent else int(self.head.id)
        return LetterKey(OPENING, player.power, address, opened=opened)

    def _find_deadline(self, player: Player) -> LetterKey | None:
        """Return the key of the letter about a change of the deadline, to a player who owes orders.

        Players who have a later letter with the deadline get none, and nor do players who had no
        letter about the phase: the first one tells them the deadline.
        """
        change = self._clock_change
        has_letter = any(one.phase == self.head.name for one in self.told.list_sent(player))
        if change is None or not has_letter:
            return None
        knows = self._is_owed(player, *_INFORMING) or self._was_sent(
            player, *_INFORMING, since=change.at
        )
        sentences = load_player_sentences(self.game, player)
        if knows or not PhaseSection(self.game, player, sentences).demand():
            return None
        return LetterKey(DEADLINE, player.power, letter_address(player), act=change.id)

    @cached_property
    def _clock_change(self) -> Entry | None:
        """The last change of the deadline, None if the settings want no letters about it."""
        is_told = self.game.settings["announcements"] != "no"
        return find_clock_change(self.game) if is_told else None

    def _find_reminder(self, player: Player) -> LetterKey | None:
        """Return the key of the reminder to a player whose orders are missing: that of the day, or
        the last one that was not sent."""
        unsent, address = self._list_unsent(player, REMINDER), letter_address(player)
        if not self.lacking.get(player.power):
            return None
        if self.day:
            opened = int(self.head.id)
            return LetterKey(REMINDER, player.power, address, opened=opened, day=self.day)
        return replace(unsent[-1].key, address=address) if unsent else None

    @cached_property
    def lacking(self) -> Mapping[str, Sequence[str]]:
        """The orders that are still missing in the open phase, by power."""
        return read_open_phase(self.game).lacking


def is_beginning(game: Game) -> bool:
    """Return whether the first phase is open, about which nobody received a report."""
    head, is_first = game.head(), all(row.passed for row in game.line())
    if head.is_over or not is_first:
        return False
    return head.name not in Correspondence(Outbox(game)).reported_phases


# Why a letter must not be sent any more.


class _GameState(Circumstances):
    """The state that drafts are compared with: open phase, letters owed, addresses."""

    def __init__(self, outbox: Outbox, owed: OwedLetters) -> None:
        super().__init__(outbox.game)
        self.outbox = outbox
        self.owed = owed
        self.keys = {key for _, key in owed.letters}

    @cached_property
    def addresses(self) -> Mapping[str, str]:
        """The address of everybody who can be written to, by their power or number of standby."""
        people: tuple[tuple[str, Player | Standby], ...] = (
            *((player.power, player) for player in read_players(self.game)),
            *((f"standby{person.id}", person) for person in read_standby(self.game)),
        )
        return {
            reader: plain_address(person.address)
            for reader, person in people
            if can_be_written_to(person)
        }

    def find_fault(self, mailing: Mailing) -> str:
        """Return the code of why a letter must not be sent any more, "" if it may."""
        key, address = mailing.key, self.addresses.get(mailing.reader, "")
        if address != mailing.address and (
            mailing.state != DRAFT or self.outbox.is_as_drafted(mailing)
        ):
            return MOVED
        if key.occasion == LETTER:
            return ""
        if key.occasion == INVITATION:
            act = key.act or 0
            is_taken = find_takeover(self.game, find_power_of_act(self.game, act)) > act
            return OVERTAKEN if is_taken else ""
        if key.occasion in FOLLOWING:
            return "" if replace(key, address=address) in self.keys else self._why_not_owed(mailing)
        if self.owed.was_undone(mailing):
            return TAKEN_BACK
        lost = self.find_lost_ground(mailing)
        return "" if lost == DEADLINE_CHANGED and mailing.kind == "receipt" else lost

    def _why_not_owed(self, mailing: Mailing) -> str:
        """Return the code of why its player should not have a letter any more."""
        occasion, is_open = mailing.key.occasion, mailing.phase == self.head.name
        if occasion in (REPORT, ENDING, REOPENING):
            return TAKEN_BACK
        if occasion != WELCOME and self.owed.was_undone(mailing):
            return TAKEN_BACK
        if occasion == DEADLINE and is_open:
            return DEADLINE_CHANGED
        if occasion == REMINDER and is_open and mailing.power in self.owed.lacking:
            return SUPERSEDED
        return OVERTAKEN
