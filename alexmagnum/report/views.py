"""The filter that every report goes through: it decides what each reader may see of a phase.

A :class:`PhaseContext` holds everything about a phase, secrets included.  A :class:`View` holds
what one reader may see of it, and reports are written from views alone.  The filter lists what
passes: a field that it does not list is empty in every view.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from alexmagnum.game.press import ALL, ANONYMOUS, MASTER, RELAYED
from alexmagnum.game.values import SOME_BOT, Change, Player, Press, Receipt, Seal
from alexmagnum.judge.outcome import Outcome, PhaseOutcome, Picks, Reason
from alexmagnum.notation import write_order
from alexmagnum.report.outcome_blocks import publishes_awards_alone
from alexmagnum.report.phase_context import GM, PhaseContext

Secret = TypeVar("Secret")

OPEN = (
    "game",
    "position",
    "version",
    "following",
    "deadline",
    "timezone",
    "paused",
    "house_rules",
    "setting_changes",
    "lists_house_rules",
    "passed",
    "centre_counts",
)
"""The fields that everybody may see at any time."""

NOT_AWARDED = "pick-not-awarded"
"""The reason of a valid pick that got nothing, if only the awards are published (R30)."""


@dataclass(frozen=True, slots=True)
class View:
    """The parts of a phase that one reader may see.

    ``recipient`` is a power, :data:`GM`, or None for what everybody may see.
    """

    recipient: str | None
    content: PhaseContext


def filter_context(context: PhaseContext, recipient: str | None, *, opened: bool = False) -> View:
    """Return what a recipient may see of a phase.

    Before a phase is processed, nobody sees another player's orders; the game master sees them
    only if they have ``opened`` them.  Orders for later phases stay closed in the same way.  After
    processing, all resolved orders are public, or the awards alone if the switch
    ``publish_picks`` says so (R30).  Lines that could not be read stay between their writer and
    the game master.

    Raises:
        KeyError: the recipient is not a power of the map.
    """
    if recipient is not None and recipient != GM:
        context.position.board.powers[recipient]
    outcome = _outcome(context.outcome, recipient)
    content = PhaseContext(
        **{name: getattr(context, name) for name in OPEN},
        outcome=outcome,
        changes=_changes(context, recipient),
        before=_public_text(context.before, context, recipient),
        after=_public_text(context.after, context, recipient),
        gm_notes=context.gm_notes if recipient == GM else (),
        players=_players(context, recipient),
        bots=_bots(context, recipient),
        receipts=_receipts(context, recipient, opened),
        pending=_visible_to(context.pending, recipient, opened),
        ahead=_visible_to(context.ahead, recipient, opened),
        seals=tuple(_seal(seal, outcome, recipient) for seal in context.seals if outcome),
        press=tuple(_press(context, recipient)),
    )
    return View(recipient, content)


def disclose_context(context: PhaseContext) -> View:
    """Return what everybody may see of a phase once a game is over and its game master opens it.

    Picks that were not published, the salts of all seals and what players wrote to each other are
    added to what everybody sees.  What stays closed: press to the game master alone, who sent
    anonymous press, the game master's notes, the lines of mails, addresses, hidden names.
    """
    view = filter_context(context, None)
    full = filter_context(context, GM).content
    pieces = (
        replace(
            piece,
            sender="" if piece.manner == ANONYMOUS else piece.sender,
            text=context.nameless.get(piece.text, piece.text),
        )
        for piece in context.press
        if {*piece.readers} != {MASTER} and context.outcome is not None
    )
    content = replace(
        view.content,
        outcome=full.outcome,
        changes=full.changes,
        seals=full.seals,
        press=tuple(pieces),
    )
    return View(None, content)


def _visible_to(
    by_power: Mapping[str, Secret], recipient: str | None, gm_too: bool
) -> Mapping[str, Secret]:
    """Return what belongs to the recipient; the game master sees everything if ``gm_too``."""
    if recipient == GM:
        return by_power if gm_too else {}
    return {power: secret for power, secret in by_power.items() if power == recipient}


def _receipts(context: PhaseContext, recipient: str | None, opened: bool) -> Mapping[str, Receipt]:
    """Return the receipts that the recipient may see.

    Players see their own, without what a former player wrote.  The game master sees all receipts of
    a processed phase, without the lines for later phases, which are still closed.
    """
    visible = _visible_to(context.receipts, recipient, opened or context.outcome is not None)
    if recipient != GM:
        present = {player.power: player for player in context.players}
        return {
            power: receipt.shown_to(present[power]) if power in present else receipt
            for power, receipt in visible.items()
        }
    if opened:
        return visible
    return {
        power: replace(receipt, lines=tuple(line for line in receipt.lines if not line.ahead))
        for power, receipt in visible.items()
    }


def _public_text(
    texts: tuple[str, ...], context: PhaseContext, recipient: str | None
) -> tuple[str, ...]:
    """Return texts of the game master, which are public only when the phase is processed."""
    if recipient == GM:
        return texts
    shown = texts if context.outcome is not None else ()
    return tuple(context.nameless.get(text, text) for text in shown)


def _press(context: PhaseContext, recipient: str | None) -> Iterator[Press]:
    """Yield the press that the recipient may read.

    Only its sender and the game master see who sent an anonymous piece.
    """
    for piece in context.press:
        if _may_read(piece, context, recipient):
            wrote = _has_written(piece, context, recipient)
            knows_sender = piece.manner != ANONYMOUS or recipient == GM or wrote
            text = piece.text
            if recipient != GM and not wrote:
                text = context.nameless.get(text, text)
            yield replace(piece, sender=piece.sender if knows_sender else "", text=text)


def _may_read(piece: Press, context: PhaseContext, recipient: str | None) -> bool:
    """Return whether the recipient may read a piece of press in a report.

    Its readers and its sender see it with the results, the game master at once.  Readers already
    have press that was relayed, so it is not repeated to them.
    """
    if recipient == GM:
        return True
    if context.outcome is None:
        return False
    to_reader = piece.state != RELAYED and not {ALL, recipient}.isdisjoint(piece.readers)
    return to_reader or _has_written(piece, context, recipient)


def _has_written(piece: Press, context: PhaseContext, recipient: str | None) -> bool:
    """Return whether the recipient wrote a piece of press, and not a former player of the power."""
    since = (player.since for player in context.players if player.power == recipient)
    return piece.sender == recipient and piece.written >= next(since, "")


def _players(context: PhaseContext, recipient: str | None) -> tuple[Player, ...]:
    """Return the players as the recipient may see them: if names are hidden only that bots play."""
    if context.names_hidden and recipient != GM:
        return tuple(Player(p.power, "", bot=SOME_BOT) for p in context.players if p.bot)
    return tuple(_player(player, context, recipient) for player in context.players)


def _player(player: Player, context: PhaseContext, recipient: str | None) -> Player:
    """Return a player without the fields that the recipient may not see.

    Names are public, addresses if a setting says so; the game master sees everything.
    """
    if recipient == GM:
        return player
    if not context.addresses_public:
        player = replace(player, address="", other_addresses=())
    return Player(
        player.power,
        player.name,
        player.address,
        other_addresses=player.other_addresses,
        bot=player.bot,
        stand_in=player.stand_in,
    )


def _bots(context: PhaseContext, recipient: str | None) -> Mapping[str, str]:
    """Return the bots that gave orders, without their names if names are hidden."""
    if context.names_hidden and recipient != GM:
        return dict.fromkeys(context.bots, SOME_BOT)
    return context.bots


def _outcome(outcome: Outcome | None, recipient: str | None) -> Outcome | None:
    """Return the outcome or, if picks are not published, the awards and the reader's own (R30)."""
    if outcome is None or recipient == GM or not publishes_awards_alone(outcome):
        return outcome
    entries = zip(outcome.results, outcome.reasons, strict=True)
    own = [(entry, _hide_rivals(reason)) for entry, reason in entries if entry.power == recipient]
    picks = outcome.picks
    return PhaseOutcome(
        outcome.position,
        tuple(entry for entry, _ in own),
        tuple(reason for _, reason in own),
        outcome.units,
        nobility=outcome.nobility,
        picks=picks and Picks(picks.awards, (), tuple(p for p in picks.void if p == recipient)),
    )


def _hide_rivals(reason: Reason) -> Reason:
    """Return a reason that names no other power."""
    return Reason(NOT_AWARDED) if reason.powers else reason


def _changes(context: PhaseContext, recipient: str | None) -> tuple[Change, ...]:
    """Return the changes in this phase, without unpublished picks; none before it is processed."""
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
    """Return a seal, without salt and orders if they would reveal more than the results do.

    Anybody can find an order with few possible values from a digest and its salt.
    """
    if outcome is None or recipient in (GM, seal.power):
        return seal
    public = {write_order(e.order) for e in outcome.results if e.power == seal.power}
    return seal if public.issuperset(seal.orders) else replace(seal, salt="", orders=())
