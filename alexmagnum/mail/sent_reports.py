"""Reports that each player has received, and which reports and retractions are still to be drafted.

Open this for when a corrected report goes out, and what it is compared with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from alexmagnum.game.outbox_store import (
    DROPPED,
    OPENING,
    REPORT,
    RETRACTION,
    SENDING,
    SENT,
    UNCERTAIN,
    WELCOME,
    LetterKey,
    Mailing,
)
from alexmagnum.game.phase_records import find_outcome, list_differences, list_versions
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import read_receipt
from alexmagnum.game.takeovers import find_takeover, took_over_after
from alexmagnum.game.values import Change, Player
from alexmagnum.mail.letters.envelope import letter_address
from alexmagnum.mail.outbox import Outbox


@dataclass(frozen=True, slots=True)
class Received:
    """The reports that a player received about one phase.

    ``outcomes`` are those reported, in their order.  ``stands`` is False if the player was told
    since that the last of them was taken back.
    """

    outcomes: tuple[int, ...] = ()
    stands: bool = False


class SentReports:
    """The reports each player received about each phase, by letters that were or may be sent.

    A player with a new address counts as another player.
    """

    def __init__(self, outbox: Outbox) -> None:
        self._received: dict[tuple[str, str], dict[str, Received]] = defaultdict(dict)
        names = outbox.game.phases_of_outcomes()
        for mailing in outbox.list_letters((SENDING, SENT, UNCERTAIN)):
            for outcome in mailing.key.outcomes:
                self._add(mailing, outcome, names[outcome])

    def _add(self, mailing: Mailing, outcome: int, phase: str) -> None:
        received = self._received[mailing.power, mailing.key.address]
        before = received.get(phase, Received()).outcomes
        reports = mailing.key.occasion in (REPORT, WELCOME)
        received[phase] = Received((*before, outcome) if reports else before, reports)

    def by_phase(self, player: Player) -> Mapping[str, Received]:
        """Return what a player received, by phase."""
        return self._received.get((player.power, letter_address(player)), {})

    @property
    def phases(self) -> frozenset[str]:
        """The phases about which anybody received a report."""
        return frozenset(phase for received in self._received.values() for phase in received)


def _key(occasion: str, outcomes: Collection[int], player: Player, times: int) -> LetterKey:
    """Return the key of a letter about outcomes; ``times`` tells it from another about the same."""
    return LetterKey(
        occasion,
        player.power,
        address=letter_address(player),
        outcomes=tuple(sorted(outcomes)),
        times=times,
    )


class PhaseReports:
    """The report of one processed phase, compared with those that each player has received.

    Versions that a player never received do not count: what was taken back in time may have come
    of orders that do not count, and that nobody is to read.
    """

    def __init__(self, outbox: Outbox, phase: str, sent: SentReports) -> None:
        self._outbox, self._game = outbox, outbox.game
        self._phase, self._sent = phase, sent
        self._outcome = find_outcome(self._game, phase, None).id
        self._versions = {one.id: one.version for one in list_versions(self._game, phase)}
        self._changes: dict[int, tuple[Change, ...]] = {}

    def key(self, player: Player) -> LetterKey | None:
        """Return the key of the letter to a player.

        Return None if the player has a report and nothing has changed since, and for a player who
        took over when the phase was over: their welcome has the position.  A player who came back
        gets the report that was drafted for them before they left.
        """
        known = self._find_received(player)
        is_settled = not known.outcomes or (known.stands and known.outcomes[-1] == self._outcome)
        again = self._outcome in known.outcomes and not self._is_last(known)
        key = _key(REPORT, [self._outcome], player, len(known.outcomes) if again else 0)
        if is_settled and took_over_after(self._game, player.power, self._phase):
            return key if self._outbox.by_key(key) else None
        if known.stands and known.outcomes[-1] != self._outcome and not self.changes(player):
            return None
        return key

    def _is_last(self, known: Received) -> bool:
        return known.stands and known.outcomes[-1] == self._outcome

    def version(self, player: Player) -> int:
        """Return which of the reports of the phase this is for a player; the first is 1."""
        return len(self._find_received(player).outcomes) + 1

    def changes(self, player: Player) -> Sequence[Change]:
        """Return what differs from the last report that a player has received."""
        known = self._find_received(player).outcomes
        return self._changes_since(known[-1]) if known else ()

    def _find_received(self, player: Player) -> Received:
        return self._sent.by_phase(player).get(self._phase, Received())

    def _changes_since(self, outcome: int) -> tuple[Change, ...]:
        if outcome not in self._changes:
            since = self._versions[outcome]
            self._changes[outcome] = list_differences(self._game, self._phase, None, since=since)
        return self._changes[outcome]


def retraction_key(outbox: Outbox, player: Player, sent: SentReports) -> LetterKey | None:
    """Return the key of the letter that retracts reports; None if the player has none of those."""
    current = {row.name for row in outbox.game.line()}
    wrong = [
        received
        for phase, received in sent.by_phase(player).items()
        if received.stands and phase not in current
    ]
    if not wrong:
        return None
    outcomes = [received.outcomes[-1] for received in wrong]
    times = sum(len(received.outcomes) for received in wrong)
    return _key(RETRACTION, outcomes, player, times)


# -- welcomes --------------------------------------------------------------------------------------

_INFORMS = frozenset({REPORT, RETRACTION, OPENING, WELCOME})
"""Occasions of letters from which a player knows the position."""


def make_welcome_key(game: Game, player: Player) -> LetterKey:
    """Return the key of the letter that welcomes a player as things stand now.

    It changes with the open phase, with what led to it, and with the orders in force.
    """
    head = game.head()
    receipt = None if head.is_over else read_receipt(game, head, player.power)
    resolved = [row.id for row in game.line() if not row.passed]
    return LetterKey(
        WELCOME,
        player.power,
        address=letter_address(player),
        outcomes=tuple(resolved[-1:]),
        opened=int(head.id),
        seal=receipt.digest if receipt else "",
    )


def welcome_key(outbox: Outbox, player: Player) -> LetterKey | None:
    """Return the key of the letter that welcomes a player; None if they need no welcome.

    Players who have had their power from the beginning need none, nor do those who know the
    position from another letter, or whose welcome the game master has dropped.
    """
    game = outbox.game
    if game.head().is_over or not find_takeover(game, player.power):
        return None
    address = letter_address(player)
    for mailing in outbox.list_letters((SENDING, SENT, UNCERTAIN, DROPPED)):
        is_known = mailing.key.occasion in _INFORMS and mailing.state != DROPPED
        is_unwanted = mailing.key.occasion == WELCOME and mailing.problem is None
        to_them = (mailing.power, mailing.key.address) == (player.power, address)
        if to_them and mailing.created >= player.since and (is_known or is_unwanted):
            return None
    return make_welcome_key(game, player)


def has_welcome(outbox: Outbox, player: Player, phase: int) -> bool:
    """Return whether a player has, or is about to get, a welcome with what a phase asks for."""
    return any(
        mailing.key.occasion == WELCOME
        and mailing.key.opened == phase
        and (mailing.power, mailing.key.address) == (player.power, letter_address(player))
        and mailing.created >= player.since
        for mailing in outbox.list_letters()
        if mailing.state != DROPPED
    )
