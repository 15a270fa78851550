"""From an open phase to the next: resolve, record why, open what follows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import ending, homes_after, next_position, owners_after
from alexmagnum.cases.schema_writer import canonical
from alexmagnum.errors import GameError
from alexmagnum.game import clock
from alexmagnum.game.file import Row, to_json
from alexmagnum.game.required_orders import (
    find_automatic_orders,
    find_missing_orders,
    find_required_orders,
    is_idle,
    join_orders,
)
from alexmagnum.game.state import OVER, Game, digest, phase_columns, position_json
from alexmagnum.game.submissions import (
    Inputs,
    apply_advance_orders,
    carry_over_mails,
    parse_inputs,
    read_inputs,
)
from alexmagnum.i18n import zones
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import REPLACED, Fate, Outcome, Reason
from alexmagnum.judge.reason_text import format_reason
from alexmagnum.notation import write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position, names_of

Orders = Mapping[str, Sequence[Order]]


@dataclass(frozen=True, slots=True)
class Resolved:
    """A phase resolved, not yet written down: ``added`` are the orders of house rules."""

    outcome: Outcome
    inputs: Mapping[str, Inputs]
    added: Mapping[str, tuple[Order, ...]]

    @property
    def orders(self) -> dict[str, tuple[str, ...]]:
        """Every order that counted, by power."""
        return {
            power: (
                *self.inputs.get(power, Inputs()).orders,
                *map(write_order, self.added.get(power, ())),
            )
            for power in dict.fromkeys((*self.inputs, *self.added))
        }


def resolve(
    position: Position, found: Mapping[str, Inputs], settings: Mapping[str, str]
) -> Resolved:
    """Resolve a phase, with what the house rules add."""
    orders = parse_inputs(position, found)
    added = find_automatic_orders(position, settings, orders)
    return Resolved(adjudicate(position, join_orders(orders, added)), found, added)


@dataclass(frozen=True, slots=True)
class OpenPhase:
    """The open phase with what was sent for it: ``orders`` as read, ``added`` by house rules,
    ``lacking`` what is still missing by power."""

    position: Position
    settings: Mapping[str, str]
    inputs: Mapping[str, Inputs]
    orders: Mapping[str, tuple[Order, ...]]
    added: Mapping[str, tuple[Order, ...]]
    lacking: Mapping[str, tuple[str, ...]]

    @property
    def counted(self) -> dict[str, tuple[Order, ...]]:
        """Every order that would count now, by power."""
        return join_orders(self.orders, self.added)

    def resolve(self) -> Resolved:
        """What it would come to now."""
        return Resolved(adjudicate(self.position, self.counted), self.inputs, self.added)


def read_open_phase(game: Game) -> OpenPhase:
    """The open phase as it is.

    Raises:
        GameError: game-is-over.
    """
    head = game.head()
    if head["kind"] == OVER:
        raise GameError("game-is-over")
    return _opened(game.position(head["id"]), game.settings(), read_inputs(game, head["id"]))


def _opened(
    position: Position, settings: Mapping[str, str], found: Mapping[str, Inputs]
) -> OpenPhase:
    orders = parse_inputs(position, found)
    added = find_automatic_orders(position, settings, orders)
    left = find_missing_orders(position, join_orders(orders, added))
    return OpenPhase(position, settings, found, orders, added, left)


def find_next_position(outcome: Outcome) -> tuple[Position, bool]:
    """The position before the next phase, as it is kept; at the end of the game the last one,
    and True."""
    after = next_position(outcome)
    if after is not None:
        return canonical(after), False
    last = Position(
        outcome.position.board,
        outcome.position.phase,
        outcome.units,
        owners_after(outcome),
        homes_after(outcome),
        outcome.nobility,
        (),
    )
    return canonical(last), True


def resolve_idle_phases(position: Position, settings: Mapping[str, str]) -> Iterator[Resolved]:
    """The phases from a position on in which nothing is to be decided, each resolved."""
    over = False
    while not over and is_idle(position, settings):
        resolved = resolve(position, {}, settings)
        yield resolved
        position, over = find_next_position(resolved.outcome)


# -- writing it down ------------------------------------------------------------------------------


def record_outcome(
    game: Game, phase: Row, resolved: Resolved, *, rules: str, amends: int = 0
) -> Row:
    """Write an outcome down and make the row of the phase that follows."""
    key = game.file.insert(
        "outcomes",
        phase=phase["id"],
        version=_version(game, phase["name"]),
        state="processed",
        passed=0,
        processed=game.stamp(),
        rules=rules,
        amends=amends or None,
        digest=digest_outcome(resolved.outcome),
    )
    game.file.insert_all("seals", _seals(key, resolved))
    game.file.insert_all(
        "resolved", [{"outcome": key, **row} for row in list_results(resolved.outcome)]
    )
    position, over = find_next_position(resolved.outcome)
    return create_phase(game, position, key, over=over, previous=phase["deadline"])


def _version(game: Game, name: str) -> int:
    row = game.file.row(
        """SELECT COUNT(*) AS n FROM outcomes JOIN phases ON phases.id = outcomes.phase
           WHERE phases.name = ?""",
        name,
    )
    return int(row["n"]) + 1 if row else 1


def _seals(outcome: int, resolved: Resolved) -> Iterator[dict[str, object]]:
    for power in dict.fromkeys((*resolved.inputs, *resolved.added)):
        found = resolved.inputs.get(power, Inputs())
        yield {
            "outcome": outcome,
            "power": power,
            "salt": found.salt,
            "digest": found.digest,
            "orders": to_json(found.orders),
            "added": to_json([write_order(order) for order in resolved.added.get(power, ())]),
        }


def create_phase(
    game: Game, position: Position, parent: int | None, *, over: bool = False, previous: str = ""
) -> Row:
    """Make the row of a phase, with its position; ``previous`` is the deadline before it."""
    columns = phase_columns(position.phase)
    if over:
        columns |= {"name": "", "kind": OVER}
    key = game.file.insert(
        "phases",
        parent=parent,
        state="open",
        opened=game.stamp(),
        deadline=previous,
        **columns,
    )
    text = position_json(position)
    game.file.insert("positions", phase=key, data=text, digest=digest(text))
    _list_position(game, key, position)
    return game.phase_row(key)


def _list_position(game: Game, phase: int, position: Position) -> None:
    """The position once more in tables, for whoever reads the file."""
    on_board = [(unit, "", "") for unit in position.units]
    off = [(d.unit, str(d.by), ", ".join(d.retreats)) for d in position.dislodged]
    game.file.insert_all(
        "units",
        [
            {
                "phase": phase,
                "power": unit.power,
                "kind": unit.kind,
                "province": unit.province,
                "coast": unit.coast,
                "number": unit.number,
                "dislodged_by": by,
                "retreats": retreats,
            }
            for unit, by, retreats in (*on_board, *off)
        ],
    )
    game.file.insert_all(
        "centres",
        [
            {"phase": phase, "centre": centre, "power": position.owners[centre]}
            for centre in position.board.centres
            if centre in position.owners
        ],
    )
    game.file.insert_all(
        "nobility",
        [
            {"phase": phase, "power": power, "points": points}
            for power, points in position.nobility.items()
        ],
    )


# -- what is told of an outcome -------------------------------------------------------------------


def list_results(outcome: Outcome) -> list[dict[str, object]]:
    """Every order with its result and the sentence why, then the units that had none."""
    catalogues = tuple(load_sentences(lang) for lang in LANGUAGES)
    position = outcome.position
    rows: list[dict[str, object]] = []
    ordered, standing = set(), set(position.orderable)
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.unit is not None and reason.code != REPLACED:
            ordered.add(entry.unit)
        # A new unit has the name under which the order builds it.
        name = getattr(entry.order, "unit", "")
        if entry.unit is not None and entry.unit in standing:
            name = position.name(entry.unit)
        fate = (entry.power, name, write_order(entry.order), entry.result)
        rows.append(_row(fate, reason, position, catalogues))
    if position.phase.kind in ("movement", "retreats"):
        for unit in position.orderable:
            skip = 1 if unit in ordered else 0
            rows += [
                _row(
                    (unit.power, position.name(unit), "", fate.result),
                    fate.reason,
                    position,
                    catalogues,
                )
                for fate in outcome.fates(unit)[skip:]
                if skip or not _is_quiet(fate)
            ]
    rows += [
        _row(
            (unit.power, position.name(unit), "", "removed"),
            Reason("civil-disorder"),
            position,
            catalogues,
        )
        for unit in outcome.removed
    ]
    return rows


def _is_quiet(fate: Fate) -> bool:
    """A garrison that nobody came near is no news."""
    return fate.unit.power == INDEPENDENT and fate.reason.code == "unattacked"


def _row(
    fate: tuple[str, str, str, str],
    reason: Reason,
    position: Position,
    catalogues: Sequence[Sentences],
) -> dict[str, object]:
    power, unit, order, result = fate
    return {
        "power": power,
        "unit": unit,
        "canonical": order,
        "result": result,
        "code": reason.code,
        "strength": reason.strength,
        "against": reason.against,
        **{f"sentence_{w.lang}": format_reason(reason, position, w) for w in catalogues},
    }


def digest_outcome(outcome: Outcome) -> str:
    """What an outcome is compared by when it is worked out again."""
    picks, end = outcome.picks, ending(outcome)
    return digest(
        to_json(
            {
                "results": [[e.power, write_order(e.order), e.result] for e in outcome.results],
                "reasons": [[r.code, r.strength, r.against] for r in outcome.reasons],
                "units": sorted(f"{u.power} {n}" for u, n in names_of(outcome.units).items()),
                "dislodged": sorted(
                    [d.unit.power, str(d.unit), d.unit.place, str(d.by), *d.retreats]
                    for d in outcome.dislodged
                ),
                "lost": sorted(
                    [kind, unit.power, str(unit), unit.place]
                    for kind in ("destroyed", "disbanded", "removed")
                    for unit in getattr(outcome, kind)
                ),
                "nobility": dict(outcome.nobility),
                "owners": dict(owners_after(outcome)),
                "picks": [dict(picks.awards), list(picks.contested), list(picks.void)]
                if picks
                else None,
                "winners": list(end.winners) if end else None,
            }
        )
    )


# -- what follows ---------------------------------------------------------------------------------


def pass_idle_phases(game: Game, phase: Row, rules: str) -> tuple[Row, tuple[str, ...]]:
    """Resolve the phases in which nothing is to be decided: the first in which there is, and the
    names of those passed over."""
    passed: list[str] = []
    if phase["kind"] == OVER:
        return phase, ()
    for resolved in resolve_idle_phases(game.position(phase["id"], rules), game.settings()):
        after = record_outcome(game, phase, resolved, rules=rules)
        game.file.db.execute("UPDATE outcomes SET passed = 1 WHERE id = ?", [after["parent"]])
        passed.append(phase["name"])
        phase = after
    return phase, tuple(passed)


def set_head(game: Game, phase: Row) -> None:
    """Make a phase the open one."""
    game.file.update("games", 1, head=phase["id"])
    update_states(game)


def update_states(game: Game) -> None:
    """Say of every phase and outcome whether it is part of the game as it stands, was undone,
    or has been superseded."""
    head = game.head()
    line = game.line()
    undone = [
        row["target"]
        for row in game.file.rows("SELECT target FROM undo_log WHERE state = 'undone'")
    ]
    ahead = [entry for target in undone for entry in game.line_to(target)]
    _restate_outcomes(game, {e["id"] for e in line}, {e["id"] for e in ahead})
    closed = {e["phase"] for e in line}
    waiting = {e["phase"] for e in ahead} | set(undone)
    for row in game.file.rows("SELECT id, state FROM phases"):
        state = "superseded"
        if row["id"] == head["id"]:
            state = "open"
        elif row["id"] in closed:
            state = "closed"
        elif row["id"] in waiting:
            state = "undone"
        if state != row["state"]:
            game.file.update("phases", row["id"], state=state)


def _restate_outcomes(game: Game, line: set[int], ahead: set[int]) -> None:
    for row in game.file.rows("SELECT id, state, passed FROM outcomes"):
        state = "passed" if row["passed"] else "processed"
        if row["id"] not in line:
            state = "undone" if row["id"] in ahead else "superseded"
        if state != row["state"]:
            game.file.update("outcomes", row["id"], state=state)


def start_clock(game: Game, phase: Row, previous: Row | None) -> None:
    """Give a phase that has just opened its deadline, or the time it has while the clock stands;
    ``previous`` is the phase that was open before."""
    if phase["kind"] == OVER:
        game.file.update("phases", phase["id"], deadline="")
        return
    # Where the phase before had none, the last that was scheduled counts: none is ever earlier.
    scheduled = [row["deadline"] for row in game.line()] if previous else []
    before = max([*scheduled, previous["deadline"] if previous else ""])
    at = clock.next_deadline(
        zones.parse_iso(before) if before else None,
        phase["kind"],
        clock.Timing.of(game.settings()),
        game.now(),
        _absences(game, phase["id"]),
    )
    if previous and previous["seconds_left"] is not None:
        left = int(clock.remaining(at, game.now()).total_seconds())
        game.file.update("phases", phase["id"], deadline="", seconds_left=left)
    else:
        game.file.update("phases", phase["id"], deadline=zones.format_iso(at))


def _absences(game: Game, phase: int) -> list[tuple[date, date]]:
    """The absences that put a deadline off: of players whose powers owe something in the phase."""
    rows = game.file.rows(
        """SELECT power, absent_from, absent_until FROM players
           WHERE until = '' AND absent_from != ''"""
    )
    owing = find_required_orders(game.position(phase)) if rows else {}
    return [
        (date.fromisoformat(row["absent_from"]), date.fromisoformat(row["absent_until"]))
        for row in rows
        if row["power"] in owing
    ]


def begin_phase(game: Game, phase: Row, previous: Row | None) -> None:
    """Open a phase for the players: its deadline, and the orders that were sent ahead for it.

    A phase that was open before, until something earlier was taken back or corrected, keeps the
    mails that came for it, as far as they fit.
    """
    set_head(game, phase)
    start_clock(game, phase, previous)
    before = game.file.row(
        """SELECT phases.id FROM phases JOIN submissions ON submissions.phase = phases.id
           WHERE phases.name = ? AND phases.id != ? ORDER BY phases.id DESC""",
        phase["name"],
        phase["id"],
    )
    if before is None:
        apply_advance_orders(game, phase)
    else:
        carry_over_mails(game, before["id"], phase)


def read_sealed_inputs(game: Game, outcome: int) -> dict[str, Inputs]:
    """The sealed orders of an outcome, by power; those that house rules added are left out."""
    rows = game.file.rows("SELECT * FROM seals WHERE outcome = ?", outcome)
    found = {
        row["power"]: Inputs(tuple(json.loads(row["orders"])), row["salt"], row["digest"])
        for row in rows
    }
    return {power: found[power] for power in game.base.powers if power in found}


def read_counted_orders(game: Game, outcome: int) -> dict[str, tuple[str, ...]]:
    """Every order that counted in an outcome, those added included."""
    rows = game.file.rows("SELECT * FROM seals WHERE outcome = ?", outcome)
    found = {row["power"]: (*json.loads(row["orders"]), *json.loads(row["added"])) for row in rows}
    return {power: found[power] for power in game.base.powers if power in found}


def replay_outcome(game: Game, outcome: Row, position: Position | None = None) -> Outcome:
    """Work an outcome out again from its stored inputs."""
    position = game.position(outcome["phase"], outcome["rules"]) if position is None else position
    orders = {
        power: Inputs(texts) for power, texts in read_counted_orders(game, outcome["id"]).items()
    }
    return adjudicate(position, parse_inputs(position, orders))
