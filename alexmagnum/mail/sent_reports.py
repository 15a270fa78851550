"""What the letters that have gone told their players of each phase, and what would be news."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from alexmagnum.game.phase_records import find_outcome, list_differences, list_versions
from alexmagnum.game.values import Change, Player
from alexmagnum.mail.letters.phase_section import mark
from alexmagnum.mail.outbox import SENDING, SENT, UNCERTAIN, Mailing, Outbox

REPORT, TAKEN = "report", "taken"
"""What the keys of letters begin with that report an outcome, or say that it was taken back."""


def outcomes_of(mailing: Mailing) -> tuple[int, ...]:
    """The outcomes that a letter reports or takes back, out of its key; none for other letters."""
    kind, _, rest = mailing.key.partition(":")
    about = rest.partition(":")[0]
    return tuple(map(int, about.split("+"))) if kind in (REPORT, TAKEN) else ()


def phases_of(outbox: Outbox) -> Mapping[int, str]:
    """The phase of every outcome."""
    rows = outbox.file.rows(
        "SELECT outcomes.id, name FROM outcomes JOIN phases ON phases.id = outcomes.phase"
    )
    return {row["id"]: row["name"] for row in rows}


@dataclass(frozen=True, slots=True)
class Told:
    """What a player was told of a phase: the outcomes reported to him, in their order; ``stands``:
    he was not told that the last of them was taken back."""

    outcomes: tuple[int, ...] = ()
    stands: bool = False


class ToldSoFar:
    """What each player was told of each phase, by the letters that have gone or may have."""

    def __init__(self, outbox: Outbox) -> None:
        self._told: dict[str, dict[str, Told]] = defaultdict(dict)
        names = phases_of(outbox)
        for mailing in outbox.listed((SENDING, SENT, UNCERTAIN)):
            for outcome in outcomes_of(mailing):
                self._add(mailing.key, outcome, names[outcome])

    def _add(self, key: str, outcome: int, phase: str) -> None:
        kind, _, power, marked, *_ = key.split(":")
        told = self._told[f"{power}:{marked}"]
        before = told.get(phase, Told()).outcomes
        told[phase] = Told((*before, outcome) if kind == REPORT else before, kind == REPORT)

    def of(self, player: Player) -> Mapping[str, Told]:
        """What a player was told, by phase; under another address he is another."""
        return self._told.get(_whose(player), {})

    @property
    def phases(self) -> frozenset[str]:
        """The phases of which anybody was told."""
        return frozenset(phase for told in self._told.values() for phase in told)


def _whose(player: Player) -> str:
    return f"{player.power}:{mark(player)}"


def _key(kind: str, outcomes: Collection[int], player: Player, count: int) -> str:
    """The key of a letter about outcomes; ``count`` tells it from another about the same."""
    about = "+".join(map(str, sorted(outcomes)))
    return f"{kind}:{about}:{_whose(player)}" + (f":{count}" if count else "")


class Reports:
    """The report of a phase processed, beside those of it that each player has.

    Versions that did not reach him are none: what was taken back in time may have come of orders
    that do not count, and that nobody is to read.
    """

    def __init__(self, outbox: Outbox, phase: str, told: ToldSoFar) -> None:
        self._game, self._phase, self._told = outbox.game, phase, told
        self._outcome = find_outcome(self._game, phase, None).id
        self._versions = {one.id: one.version for one in list_versions(self._game, phase)}
        self._changes: dict[int, tuple[Change, ...]] = {}

    def key(self, player: Player) -> str:
        """The key of the letter to a player, "" if he has had one and nothing has changed since."""
        known = self._of(player)
        if known.stands and known.outcomes[-1] != self._outcome and not self.changes(player):
            return ""
        again = self._outcome in known.outcomes and not self._is_last(known)
        return _key(REPORT, [self._outcome], player, len(known.outcomes) if again else 0)

    def _is_last(self, known: Told) -> bool:
        return known.stands and known.outcomes[-1] == self._outcome

    def version(self, player: Player) -> int:
        """Which of the reports that he gets it is; the first is 1."""
        return len(self._of(player).outcomes) + 1

    def changes(self, player: Player) -> Sequence[Change]:
        """What came out otherwise than in the last that he has."""
        known = self._of(player).outcomes
        return self._since(known[-1]) if known else ()

    def _of(self, player: Player) -> Told:
        return self._told.of(player).get(self._phase, Told())

    def _since(self, outcome: int) -> tuple[Change, ...]:
        if outcome not in self._changes:
            since = self._versions[outcome]
            self._changes[outcome] = list_differences(self._game, self._phase, None, since=since)
        return self._changes[outcome]


def taken_key(outbox: Outbox, player: Player, told: ToldSoFar) -> str:
    """The key of the letter that says that reports were taken back, "" if he has none of those."""
    standing = {row.name for row in outbox.game.line()}
    wrong = [t for phase, t in told.of(player).items() if t.stands and phase not in standing]
    if not wrong:
        return ""
    return _key(TAKEN, [t.outcomes[-1] for t in wrong], player, sum(len(t.outcomes) for t in wrong))
