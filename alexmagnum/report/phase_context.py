"""What the desk knows of a phase, gathered for its reports.

Each is gathered inside one reading of the game file, so that a command that works meanwhile leaves
no mixture.  Orders that wait are not even asked for, unless the game master opens them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from alexmagnum.campaign import centres_change, next_position, owners_after
from alexmagnum.game.desk import Desk
from alexmagnum.game.press import HELD, PUBLISHED, RELAYED, press
from alexmagnum.game.settings import BY_MAIL, PRIVATE
from alexmagnum.game.values import Processed
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import Outcome
from alexmagnum.position import AUTUMN, PICKS, Position, parse_phase
from alexmagnum.report.centre_counts import Tally, tally
from alexmagnum.report.views import GM, SeasonContext

_TO_PRINT = (HELD, PUBLISHED, RELAYED)


def past_context(desk: Desk, phase: str, version: int | None = None) -> SeasonContext:
    """All that the desk knows of a phase processed; nothing that waits.

    Raises:
        GameError: ``unknown-phase``, ``not-past``, ``unknown-version``.
    """
    with desk.reading():
        done = desk.processed(phase, version)
        texts = desk.texts(done.phase)
        return SeasonContext(
            game=desk.name,
            position=done.outcome.position,
            outcome=done.outcome,
            version=done.version,
            changes=desk.differences(done.phase, version),
            before=texts["before"],
            after=texts["after"],
            gm_notes=_notes(desk),
            following=_following(desk, done, version),
            deadline=_deadline(desk, done.next),
            timezone=desk.settings["timezone"],
            paused=desk.paused and done.next == str(desk.phase),
            house_rules=_table_rules(desk),
            players=desk.players,
            addresses_public=desk.settings["addresses"] == "public",
            receipts=desk.receipts(done.phase, version),
            seals=done.seals,
            passed=done.passed,
            tallies=tuple(_tallies(desk, done.outcome.position, done.outcome)),
            press=press(desk.game, done.phase, _TO_PRINT),
        )


def open_context(desk: Desk, opened_for: str | None = None, *, reason: str = "") -> SeasonContext:
    """All that may be known of the open phase.

    The orders of the power named (of all for the game master) are opened, which the journal
    keeps: those are acts, and come before the rest is read.
    """
    only = None if opened_for == GM else opened_for
    opened = desk.pending(only, reason=reason) if opened_for else {}
    ahead = desk.ahead(only, reason=reason) if opened_for else {}
    with desk.reading():
        texts = desk.texts(str(desk.phase))
        powers = desk.board.powers if opened_for == GM else filter(None, (opened_for,))
        receipts = {power: desk.receipt(power) for power in powers}
        return SeasonContext(
            game=desk.name,
            position=desk.position,
            before=texts["before"],
            after=texts["after"],
            gm_notes=_notes(desk),
            deadline=desk.deadline,
            timezone=desk.settings["timezone"],
            paused=desk.paused,
            house_rules=_table_rules(desk),
            players=desk.players,
            addresses_public=desk.settings["addresses"] == "public",
            receipts={power: receipt for power, receipt in receipts.items() if receipt},
            pending={power: opened.get(power, ()) for power in receipts},
            ahead={power: ahead.get(power, {}) for power in receipts},
            tallies=tuple(_tallies(desk, desk.position)),
            press=press(desk.game, str(desk.phase), _TO_PRINT),
        )


def preview_context(desk: Desk, done: Processed) -> SeasonContext:
    """What the report would be if the open phase were processed now."""
    with desk.reading():
        return SeasonContext(
            game=desk.name,
            position=done.outcome.position,
            outcome=done.outcome,
            following=_played_on(done),
            timezone=desk.settings["timezone"],
            house_rules=_table_rules(desk),
            players=desk.players,
            seals=done.seals,
            passed=done.passed,
            tallies=tuple(_tallies(desk, done.outcome.position, done.outcome)),
        )


def _table_rules(desk: Desk) -> Mapping[str, str]:
    """The settings but for those of the game master's own mail; of press only where there is
    mail."""
    rules = desk.settings
    left_out = () if rules["mail_address"] else BY_MAIL
    return {
        name: value
        for name, value in rules.items()
        if not name.startswith(PRIVATE) and name not in left_out
    }


def _notes(desk: Desk) -> tuple[str, ...]:
    return tuple(f"{player.name}: {player.note}" for player in desk.players if player.note)


def _following(desk: Desk, done: Processed, version: int | None) -> Position | None:
    """The position that is asked for next: as the desk has it, or as an older version had it."""
    if not done.next:
        return None
    return desk.position_before(done.next) if version is None else _played_on(done)


def _played_on(done: Processed) -> Position | None:
    """The position after a phase and those passed over."""
    position = next_position(done.outcome)
    while position is not None and str(position.phase) != done.next:
        position = next_position(adjudicate(position, {}))
    return position


def _tallies(desk: Desk, until: Position, outcome: Outcome | None = None) -> Iterator[Tally]:
    """The centres at the beginning of the game, after every phase before a position's in which
    they may have changed, and after its outcome."""
    board, names = until.board, [record.name for record in desk.phases()]
    before = names[: names.index(str(until.phase))] if str(until.phase) in names else []
    yield tally(None, board, desk.position_before(before[0]).owners if before else until.owners)
    phases = [parse_phase(name, board.rules.picks) for name in (*before, str(until.phase))]
    for phase, following in pairwise(phases):
        if phase.season == PICKS or (phase.season == AUTUMN and following.season != AUTUMN):
            owners = desk.position_before(str(following)).owners
            yield tally(replace(phase, retreats=False), board, owners)
    if outcome is not None and (outcome.picks is not None or centres_change(outcome)):
        yield tally(replace(until.phase, retreats=False), board, owners_after(outcome))


def _deadline(desk: Desk, phase: str) -> str:
    return next((record.deadline for record in desk.phases() if record.name == phase), "")
