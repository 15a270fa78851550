"""All that the game knows of a phase, gathered from the desk for its reports.

Each function gathers inside one reading of the game file, so that another command working at the
same time cannot leave a mixture.  Waiting orders are not read unless the game master opens them.
:mod:`alexmagnum.report.views` decides what each reader may see of a context.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from alexmagnum.campaign import centres_change, next_position, owners_after
from alexmagnum.game.anonymity import hides_names, leave_names_out
from alexmagnum.game.desk import Desk
from alexmagnum.game.press import HELD, PUBLISHED, RELAYED, read_press
from alexmagnum.game.settings import select_house_rules
from alexmagnum.game.values import Change, Player, Press, Processed, Receipt, Seal
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import Outcome
from alexmagnum.position import AUTUMN, PICKS, Phase, Position, parse_phase
from alexmagnum.report.centre_counts import CentreCount, count_centres

GM = "gm"
"""The recipient who stands for the game master."""

_TO_PRINT = (HELD, PUBLISHED, RELAYED)
"""The states of press that a report contains."""


@dataclass(frozen=True, slots=True)
class PhaseContext:
    """All that the game knows of one phase, secrets included.

    Attributes:
        position: the position before the phase.
        outcome: None until the phase is processed.
        changes: the differences from the version before.
        before: the game master's words above the results.
        after: the game master's words below the results.
        gm_notes: notes that only the game master reads.
        following: the position that is open next; None if the game is over.
        deadline: the deadline of the following phase, or of this one before it is processed
            (ISO, UTC; "" for none).
        house_rules: the settings by name.
        setting_changes: the settings that changed during the phase, with the old and the new value.
        lists_house_rules: people read the house rules here; elsewhere, where they find them.
        names_hidden: nobody but the game master sees who the players are.
        bots: the names of the bots that gave the orders of a processed phase, by power.
        receipts: the last receipt of each power for the phase.
        pending: the orders waiting for the open phase, by power.
        ahead: the orders kept for later phases, by power and kind of phase.
        passed: the names of the phases that were skipped after this one.
        centre_counts: the centres of the powers from the beginning of the game to this phase.
        press: what players wrote to each other during the phase.
        nameless: how players read texts that name somebody whose name is hidden.
    """

    game: str
    position: Position
    outcome: Outcome | None = None
    version: int = 1
    changes: tuple[Change, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    gm_notes: tuple[str, ...] = ()
    following: Position | None = None
    deadline: str = ""
    timezone: str = "Europe/Rome"
    paused: bool = False
    house_rules: Mapping[str, str] = field(default_factory=dict)
    setting_changes: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    lists_house_rules: bool = False
    players: tuple[Player, ...] = ()
    addresses_public: bool = False
    names_hidden: bool = False
    bots: Mapping[str, str] = field(default_factory=dict)
    receipts: Mapping[str, Receipt] = field(default_factory=dict)
    pending: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ahead: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    seals: tuple[Seal, ...] = ()
    passed: tuple[str, ...] = ()
    centre_counts: tuple[CentreCount, ...] = ()
    press: tuple[Press, ...] = ()
    nameless: Mapping[str, str] = field(default_factory=dict)


def gather_past_phase(desk: Desk, phase: str, version: int | None = None) -> PhaseContext:
    """Gather what the game knows of a processed phase; waiting orders are left out.

    Raises:
        GameError: ``unknown-phase``, ``not-past``, ``unknown-version``.
    """
    with desk.reading():
        done = desk.processed(phase, version)
        texts = desk.texts(done.phase)
        press = read_press(desk.game, done.phase, _TO_PRINT)
        receipts = desk.receipts(done.phase, version)
        return PhaseContext(
            game=desk.name,
            position=done.outcome.position,
            outcome=done.outcome,
            version=done.version,
            changes=desk.differences(done.phase, version),
            before=texts["before"],
            after=texts["after"],
            gm_notes=_notes(desk),
            following=_find_next_position(desk, done, version),
            deadline=_deadline(desk, done.next),
            timezone=desk.settings["timezone"],
            paused=desk.paused and done.next == str(desk.phase),
            house_rules=select_house_rules(desk.settings),
            setting_changes=desk.setting_changes(done.phase),
            lists_house_rules=_tell_house_rules(desk, done.outcome.position.phase, resolved=True),
            players=desk.players,
            addresses_public=desk.settings["addresses"] == "public",
            names_hidden=hides_names(desk.game),
            bots=_find_bots(receipts),
            receipts=receipts,
            seals=done.seals,
            passed=done.passed,
            centre_counts=tuple(_count_after_phases(desk, done.outcome.position, done.outcome)),
            press=press,
            nameless=leave_names_out(desk.game, (*texts["before"], *texts["after"]), press),
        )


def gather_open_phase(
    desk: Desk, opened_for: str | None = None, *, reason: str = ""
) -> PhaseContext:
    """Gather what may be known of the open phase.

    ``opened_for`` opens the waiting orders of a power, or all of them for the game master.  The
    journal records that, so it happens before the rest is read.
    """
    only = None if opened_for == GM else opened_for
    opened = desk.pending(only, reason=reason) if opened_for else {}
    ahead = desk.ahead(only, reason=reason) if opened_for else {}
    with desk.reading():
        texts = desk.texts(str(desk.phase))
        powers = desk.board.powers if opened_for == GM else filter(None, (opened_for,))
        receipts = {power: desk.receipt(power) for power in powers}
        return PhaseContext(
            game=desk.name,
            position=desk.position,
            before=texts["before"],
            after=texts["after"],
            gm_notes=_notes(desk),
            deadline=desk.deadline,
            timezone=desk.settings["timezone"],
            paused=desk.paused,
            house_rules=select_house_rules(desk.settings),
            lists_house_rules=_tell_house_rules(desk, desk.position.phase, resolved=False),
            players=desk.players,
            addresses_public=desk.settings["addresses"] == "public",
            names_hidden=hides_names(desk.game),
            receipts={power: receipt for power, receipt in receipts.items() if receipt},
            pending={power: opened.get(power, ()) for power in receipts},
            ahead={power: ahead.get(power, {}) for power in receipts},
            centre_counts=tuple(_count_after_phases(desk, desk.position)),
            press=read_press(desk.game, str(desk.phase), _TO_PRINT),
        )


def gather_preview(desk: Desk, done: Processed) -> PhaseContext:
    """Gather the report of the open phase as it would be if it were processed now."""
    with desk.reading():
        return PhaseContext(
            game=desk.name,
            position=done.outcome.position,
            outcome=done.outcome,
            following=_played_on(done),
            timezone=desk.settings["timezone"],
            house_rules=select_house_rules(desk.settings),
            setting_changes=desk.setting_changes(done.phase),
            lists_house_rules=_tell_house_rules(desk, done.outcome.position.phase, resolved=True),
            players=desk.players,
            names_hidden=hides_names(desk.game),
            bots=_find_bots(desk.open_receipts()),
            seals=done.seals,
            passed=done.passed,
            centre_counts=tuple(_count_after_phases(desk, done.outcome.position, done.outcome)),
        )


def _find_bots(receipts: Mapping[str, Receipt]) -> dict[str, str]:
    """Return the bots that gave the orders of some receipts, by power."""
    return {power: receipt.bot for power, receipt in receipts.items() if receipt.bot}


def _tell_house_rules(desk: Desk, phase: Phase, *, resolved: bool) -> bool:
    """Tell whether a report lists the house rules: on the first phase of the game, before it is
    resolved if the players get mail about it."""
    resolved_phases = desk.game.line()
    is_first = not resolved_phases or str(phase) == resolved_phases[0].name
    return is_first and not (resolved and desk.settings["mail_address"])


def _notes(desk: Desk) -> tuple[str, ...]:
    """Return the game master's notes on the players."""
    return tuple(f"{player.name}: {player.note}" for player in desk.players if player.note)


def _find_next_position(desk: Desk, done: Processed, version: int | None) -> Position | None:
    """Return the position of the next open phase: the desk's, or that of an older version."""
    if not done.next:
        return None
    return desk.position_before(done.next) if version is None else _played_on(done)


def _played_on(done: Processed) -> Position | None:
    """Return the position after a phase and the phases skipped behind it."""
    position = next_position(done.outcome)
    while position is not None and str(position.phase) != done.next:
        position = next_position(adjudicate(position, {}))
    return position


def _count_after_phases(
    desk: Desk, until: Position, outcome: Outcome | None = None
) -> Iterator[CentreCount]:
    """Yield the centres at the beginning of the game, after every phase in which they may have
    changed, and after the outcome of the last."""
    board, names = until.board, [record.name for record in desk.phases()]
    before = names[: names.index(str(until.phase))] if str(until.phase) in names else []
    yield count_centres(
        None, board, desk.position_before(before[0]).owners if before else until.owners
    )
    phases = [parse_phase(name, board.rules.picks) for name in (*before, str(until.phase))]
    for phase, following in pairwise(phases):
        if phase.season == PICKS or (phase.season == AUTUMN and following.season != AUTUMN):
            owners = desk.position_before(str(following)).owners
            yield count_centres(replace(phase, retreats=False), board, owners)
    if outcome is not None and (outcome.picks is not None or centres_change(outcome)):
        yield count_centres(replace(until.phase, retreats=False), board, owners_after(outcome))


def _deadline(desk: Desk, phase: str) -> str:
    """Return the deadline of a phase, "" if it has none."""
    return next((record.deadline for record in desk.phases() if record.name == phase), "")
