"""The values that the desk returns: frozen, and not yet put into words.

Powers, phases, units and orders are named as the notation names them (``TOL``, ``318-autumn``,
``F EGE#2``, ``A MEN - TEB``); instants are ISO texts in UTC, "" where there is none; codes name
sentences of the catalogues.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from alexmagnum.position import Position

if TYPE_CHECKING:
    from alexmagnum.judge.outcome import Outcome


RETURN = "return"
"""How long a bot stands in for a player: until they send orders themselves."""


SOME_BOT = "?"
"""The name of a bot for readers who must not know who plays."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person or a bot that plays a power; ``until`` is set once somebody else took over.

    Letters go to ``address``; mails are taken from the ``other_addresses`` as well.
    ``absent_from`` and ``absent_until`` are days (``2026-12-24``), ``note`` is the game master's.
    ``bot`` is the name of the bot that gives the orders, "" if a person does.  ``stand_in`` is ""
    if the bot is the player, who has no name and no address then; else the bot stands in for the
    person until they send orders (:data:`RETURN`), or in the phase of that name alone.
    """

    power: str
    name: str
    address: str = ""
    lang: str = ""
    since: str = ""
    until: str = ""
    absent_from: str = ""
    absent_until: str = ""
    note: str = ""
    other_addresses: tuple[str, ...] = ()
    bot: str = ""
    stand_in: str = ""

    @property
    def is_bot(self) -> bool:
        """Tell whether a bot is the player, and no person."""
        return bool(self.bot) and not self.stand_in

    def has_bot_in(self, phase: str) -> bool:
        """Tell whether a bot gives the orders in a phase that is open or yet to come."""
        return bool(self.bot) and self.stand_in in ("", RETURN, phase)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Return every address from which the player writes, the preferred one first."""
        return tuple(filter(None, (self.address, *self.other_addresses)))

    def writes_from(self, addresses: Collection[str]) -> bool:
        """Return whether one of some addresses, in lower case, is the player's."""
        return any(address.casefold() in addresses for address in self.addresses)


@dataclass(frozen=True, slots=True)
class Standby:
    """A person who is ready to take over a power, or was: ``until`` is set once they are off the
    list, and ``power`` if they took one over."""

    id: int
    name: str
    address: str
    other_addresses: tuple[str, ...] = ()
    lang: str = ""
    since: str = ""
    until: str = ""
    power: str = ""
    note: str = ""

    @property
    def addresses(self) -> tuple[str, ...]:
        """Return every address from which the person writes, the preferred one first."""
        return (self.address, *self.other_addresses)


DOUBTFUL, PROSE, UNTAKEN = "doubtful", "prose", "untaken"

BOT_FAILED, BOT_NONSENSE = "bot-failed", "bot-nonsense"
"""The codes of what a bot gave in place of orders: an error, or what is no order of its power."""

NEEDS_A_LOOK = frozenset({DOUBTFUL, "impossible", "unreadable", "ambiguous"})
"""The verdicts on lines for which a game master should look at a mail."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """The contents of a game to be created.

    ``board_source`` is the map by id or path.  The game begins with the position ``start``, or as
    its map says.
    """

    board_source: str
    name: str = ""
    lang: str = "it"
    players: Sequence[Player] = ()
    start: Position | None = None
    settings: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


class Understood(NamedTuple):
    """A line of a mail, as it was understood.

    ``order`` is in canonical notation, "" if the line is none; ``verdict`` is good, doubtful (it
    counts, but look at it), impossible, unreadable, ambiguous, replaced, prose, or untaken (prose
    that names a unit or a place, so that it may have been meant as an order); ``code`` and
    ``data`` say why; ``ahead`` is the kind of later phase that an advance order is for, retreats
    or winter.
    """

    text: str
    order: str
    verdict: str
    code: str
    data: Mapping[str, str]
    ahead: str = ""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The receipt of a mail with orders.

    ``number`` counts the power's mails for the phase; ``orders`` are those that now count,
    ``missing`` what has no order yet; ``replaces``: orders that counted before count no more;
    ``digest`` seals ``orders``; ``earlier`` are the orders that counted before the mail.
    ``fresh``: the mail withdrew everything sent before (``phase`` or ``all``), "" if it adds.
    ``bot`` is the name of the bot that gave the orders, "" if a person did, and ``earlier_bot`` of
    the one that gave those before.
    """

    power: str
    phase: str
    number: int
    received: str
    lines: tuple[Understood, ...]
    orders: tuple[str, ...]
    missing: tuple[str, ...]
    digest: str
    replaces: bool
    earlier: tuple[str, ...] = ()
    fresh: str = ""
    bot: str = ""
    earlier_bot: str = ""

    def shown_to(self, player: Player) -> Receipt:
        """Return the receipt as a player reads it: without the lines that a former one wrote."""
        return self if self.received >= player.since else replace(self, lines=())


@dataclass(frozen=True, slots=True)
class ComingDeadline:
    """The deadline that a phase will have if every phase until then is resolved at its deadline.

    ``deadline`` is without any retreats before it, ``latest`` with all retreats.
    ``if_dislodged`` says that the phase is played only if a unit is dislodged.
    """

    phase: str
    kind: str
    deadline: str
    latest: str
    if_dislodged: bool


@dataclass(frozen=True, slots=True)
class PhaseRecord:
    """A phase in the file.  ``state`` is open, processed, passed (nobody had anything to decide),
    superseded (an amendment took its place) or undone (``redo`` puts it back)."""

    id: int
    name: str
    version: int
    state: str
    deadline: str
    opened: str
    processed: str


@dataclass(frozen=True, slots=True)
class PowerStatus:
    """The progress of a power: it has sent ``given`` of ``wanted`` orders.  ``doubtful`` counts the
    lines that need a look; ``state`` is playing, revolt or eliminated; ``pace`` wait, ready, or ""
    if the player has said neither.  ``bot`` is the bot that gave the orders in force, or else plays
    the power; where it gave them (``bot_has_ordered``), nothing is waited for.
    ``bot_fault`` is the code of what went wrong with them, ``bot_error`` the error of the bot."""

    power: str
    player: str
    given: int
    wanted: int
    doubtful: int
    submissions: int
    last: str
    absent: bool
    state: str
    pace: str = ""
    bot: str = ""
    bot_has_ordered: bool = False
    bot_fault: str = ""
    bot_error: str = ""

    @property
    def is_lacking(self) -> bool:
        """Tell whether orders of a person are missing."""
        return self.given < self.wanted and not self.bot_has_ordered


@dataclass(frozen=True, slots=True)
class Status:
    """The desk at a glance: counts and no orders.  ``phase`` and ``kind`` are "" if the game
    is over; ``blocks`` are the codes of what prevents processing; ``tally``
    counts the votes for each end of the game (``draw``, ``concede TOL``), ``voters`` are the powers
    that have a vote, and ``agreed`` is the end that all of them want (``draw TOL SEL``), "" if
    there is none; ``end`` is how the game ended."""

    game: str
    phase: str
    kind: str
    deadline: str
    paused: bool
    powers: tuple[PowerStatus, ...]
    blocks: tuple[str, ...]
    winners: tuple[str, ...]
    over: bool
    tally: Mapping[str, int] = field(default_factory=dict)
    voters: tuple[str, ...] = ()
    agreed: str = ""
    end: GameEnd | None = None


DECLARED_ENDS = ("draw", "concede", "solo", "abandon")
"""The ends of a game that the game master declares."""


@dataclass(frozen=True, slots=True)
class GameEnd:
    """The end of a game.

    ``kind``: ``centres`` (R33), ``nobility`` (R34), or what the game master declared: ``draw``,
    ``concede``, ``solo``, ``abandon``.  ``reason`` is what the game master said about it.
    """

    kind: str
    winners: tuple[str, ...]
    reason: str = ""

    @property
    def is_declared(self) -> bool:
        """Tell whether the game master ended the game, and not the rules."""
        return self.kind in DECLARED_ENDS


@dataclass(frozen=True, slots=True)
class Seal:
    """The orders of a power that were resolved, with the salt and the digest of its receipt."""

    power: str
    digest: str
    salt: str
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Processed:
    """A phase that was resolved.

    ``orders`` are those that counted, by power.  ``passed`` are the phases after it in which nobody
    had anything to decide; ``next`` is the phase that was open then ("" if the game was over), and
    ``after`` the position before it, or the last one.  ``settings`` are the house rules in force
    when this was read.  ``unchanged``: it had been processed before, and nothing was done now.
    """

    phase: str
    version: int
    outcome: Outcome
    orders: Mapping[str, tuple[str, ...]]
    passed: tuple[str, ...]
    next: str
    seals: tuple[Seal, ...]
    unchanged: bool
    after: Position
    settings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Press:
    """A message from a player to others: ``readers`` are powers, ``all``, ``gm``; ``manner`` is
    signed or anonymous; ``state`` held (for the report of its phase), published (in it), relayed
    (at once) or dropped.  ``sender`` is "" for a reader who must not know."""

    id: int
    phase: str
    sender: str
    readers: tuple[str, ...]
    manner: str
    text: str
    state: str
    written: str


class Change(NamedTuple):
    """One difference between two versions; ``what`` is unit, result, owner, nobility, dislodged
    or winner, ``before`` and ``after`` are "" where there was or is nothing."""

    phase: str
    what: str
    subject: str
    before: str
    after: str


class Misfit(NamedTuple):
    """An order that no longer fits after a correction, or a thing that lacks an order now.

    ``order`` is the order in canonical notation, or the unit or the thing; ``code`` and ``data``
    say why.
    """

    power: str
    order: str
    code: str
    data: Mapping[str, str]


class VoidPhase(NamedTuple):
    """A phase whose outcome no longer counts, and the powers whose orders it was resolved with."""

    phase: str
    powers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Amendment:
    """A past phase that was corrected: the phases that were replayed, and everything that changed.

    ``stopped_at`` is the phase from which orders have to be sent again because the old ones no
    longer fit, "" if there is none; ``misfits`` are those orders.  ``went_on_to`` is the phase that
    opens behind the one that was open, where nobody has anything to decide in that one now, ""
    otherwise.  ``void`` are the phases that had been resolved and were not replayed.
    """

    phase: str
    version: int
    replayed: tuple[str, ...]
    stopped_at: str
    changes: tuple[Change, ...]
    misfits: tuple[Misfit, ...] = ()
    void: tuple[VoidPhase, ...] = ()
    went_on_to: str = ""


class Entry(NamedTuple):
    """An act in the journal: the action, who did it, and the reason."""

    id: int
    at: str
    actor: str
    action: str
    phase: str
    power: str
    reason: str
    detail: Mapping[str, object]


class Finding(NamedTuple):
    """A difference that ``verify`` found between the file and the game resolved again."""

    phase: str
    what: str
    code: str
    data: Mapping[str, str]
