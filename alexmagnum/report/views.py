"""Who may read what: the one filter that every report goes through.

A :class:`PhaseContext` is all that is known of a phase, secrets included.  A :class:`View` is
what is left of it for one reader; reports are written from views alone.  The filter names what
passes: a field that it does not name is empty in every view.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from alexmagnum.game.press import ALL, ANONYMOUS, RELAYED
from alexmagnum.game.values import Change, Player, Press, Receipt, Seal
from alexmagnum.judge.outcome import Outcome, PhaseOutcome, Picks, Reason
from alexmagnum.notation import write_order
from alexmagnum.report.outcome_blocks import publishes_awards_alone
from alexmagnum.report.phase_context import GM, PhaseContext

Secret = TypeVar("Secret")

OPEN = (
    *("game", "position", "version", "following", "deadline", "timezone", "paused"),
    *("house_rules", "passed", "tallies"),
)
"""What everybody may know at any time."""

NOT_AWARDED = "pick-not-awarded"
"""Reason of a valid pick that yields nothing where only the awards are published (R30)."""


@dataclass(frozen=True, slots=True)
class View:
    """What one reader may see: ``recipient`` is a power, :data:`GM`, or None for everybody."""

    recipient: str | None
    content: PhaseContext


def filter_context(context: PhaseContext, recipient: str | None, *, opened: bool = False) -> View:
    """What a recipient may see of a phase.

    Before a phase is processed nobody sees another's orders, the game master neither unless he
    has ``opened`` them; orders for the phases to come stay closed in the same way.  After it
    all orders resolved are public, or the awards alone if the switch ``publish_picks`` says so
    (R30); what could not be read stays between its writer and the game master.

    Raises:
        KeyError: the recipient is no power of the map.
    """
    if recipient is not None and recipient != GM:
        context.position.board.powers[recipient]
    outcome = _outcome(context.outcome, recipient)
    shown = PhaseContext(
        **{name: getattr(context, name) for name in OPEN},
        outcome=outcome,
        changes=_changes(context, recipient),
        before=_words(context.before, context, recipient),
        after=_words(context.after, context, recipient),
        gm_notes=context.gm_notes if recipient == GM else (),
        players=tuple(_player(player, context, recipient) for player in context.players),
        receipts=_receipts(context, recipient, opened),
        pending=_own(context.pending, recipient, opened),
        ahead=_own(context.ahead, recipient, opened),
        seals=tuple(_seal(seal, outcome, recipient) for seal in context.seals if outcome),
        press=tuple(_press(context, recipient)),
    )
    return View(recipient, shown)


def _own(
    by_power: Mapping[str, Secret], recipient: str | None, gm_too: bool
) -> Mapping[str, Secret]:
    """What stands under the recipient's own name; the game master sees all if ``gm_too``."""
    if recipient == GM:
        return by_power if gm_too else {}
    return {power: thing for power, thing in by_power.items() if power == recipient}


def _receipts(context: PhaseContext, recipient: str | None, opened: bool) -> Mapping[str, Receipt]:
    """One's own receipt; the game master's view of a phase processed has them all, but for the
    lines sent ahead, which are still closed."""
    mine = _own(context.receipts, recipient, opened or context.outcome is not None)
    if recipient != GM or opened:
        return mine
    return {
        power: replace(receipt, lines=tuple(line for line in receipt.lines if not line.ahead))
        for power, receipt in mine.items()
    }


def _words(texts: tuple[str, ...], context: PhaseContext, recipient: str | None) -> tuple[str, ...]:
    """The game master's words come out with the results, not while he is still writing."""
    return texts if context.outcome is not None or recipient == GM else ()


def _press(context: PhaseContext, recipient: str | None) -> Iterator[Press]:
    """What the recipient may read of the press; who wrote without a name is not named to
    anybody but himself and the game master."""
    for piece in context.press:
        if _reads(piece, context, recipient):
            named = piece.manner != ANONYMOUS or recipient in (GM, piece.sender)
            yield piece if named else replace(piece, sender="")


def _reads(piece: Press, context: PhaseContext, recipient: str | None) -> bool:
    """Press comes out with the results, to its readers and its writer; the game master sees it at
    once.  What was relayed its readers have already."""
    if recipient == GM:
        return True
    if context.outcome is None:
        return False
    to_reader = piece.state != RELAYED and not {ALL, recipient}.isdisjoint(piece.readers)
    return to_reader or piece.sender == recipient


def _player(player: Player, context: PhaseContext, recipient: str | None) -> Player:
    """Names are public, addresses if the table says so; the rest is the game master's."""
    if recipient == GM:
        return player
    return Player(player.power, player.name, player.address if context.addresses_public else "")


def _outcome(outcome: Outcome | None, recipient: str | None) -> Outcome | None:
    """The outcome; of picks that are not published, a power's own and the awards (R30)."""
    if outcome is None or recipient == GM or not publishes_awards_alone(outcome):
        return outcome
    listed = zip(outcome.results, outcome.reasons, strict=True)
    own = [(entry, _hushed(reason)) for entry, reason in listed if entry.power == recipient]
    picks = outcome.picks
    return PhaseOutcome(
        outcome.position,
        tuple(entry for entry, _ in own),
        tuple(reason for _, reason in own),
        outcome.units,
        nobility=outcome.nobility,
        picks=picks and Picks(picks.awards, (), tuple(p for p in picks.void if p == recipient)),
    )


def _hushed(reason: Reason) -> Reason:
    """A reason that names nobody else."""
    return Reason(NOT_AWARDED) if reason.powers else reason


def _changes(context: PhaseContext, recipient: str | None) -> tuple[Change, ...]:
    """The differences in this phase; none before it is processed, and no unpublished picks."""
    if context.outcome is None:
        return ()
    hidden = publishes_awards_alone(context.outcome) and recipient != GM
    phase = str(context.position.phase)
    return tuple(
        change
        for change in context.changes
        if change.phase == phase and not (hidden and change.what != "owner")
    )


def _seal(seal: Seal, outcome: Outcome | None, recipient: str | None) -> Seal:
    """A seal with its salt and orders, or without both where they would tell more than the
    results do: an order of few possibilities is found out from a digest with its salt."""
    if outcome is None or recipient in (GM, seal.power):
        return seal
    told = {write_order(e.order) for e in outcome.results if e.power == seal.power}
    return seal if told.issuperset(seal.orders) else replace(seal, salt="", orders=())
