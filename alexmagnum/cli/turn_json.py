"""JSON output of ``adjudicate``, ``check`` and ``whatif``; ``docs/cases.md`` has the schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alexmagnum.campaign import eliminated, ending, owners_after
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge import Outcome
from alexmagnum.judge.checking import Check, list_reachable
from alexmagnum.judge.outcome import Reason
from alexmagnum.judge.reason_text import format_reason
from alexmagnum.notation import Line, write_order
from alexmagnum.orders import Move
from alexmagnum.position import Position, Unit, names_of
from alexmagnum.report.turn_report import list_void_orders
from alexmagnum.whatif.plans import Comparison


def outcome_json(
    outcome: Outcome, lines: Sequence[Line], sentences: Sentences
) -> dict[str, object]:
    """Return the outcome in the vocabulary of the case files."""
    position = outcome.position
    orders = [
        {
            "power": entry.power,
            "unit": position.name(entry.unit) if entry.unit else None,
            "order": write_order(entry.order),
            "result": entry.result,
            "reason": reason.code,
            "why": format_reason(reason, position, sentences),
            "strengths": _strengths(position, reason),
        }
        for entry, reason in zip(outcome.results, outcome.reasons, strict=True)
    ]
    return {
        "phase": str(position.phase),
        "orders": orders,
        "refused": _refused_json(lines, sentences),
        "dislodged": [
            {
                "power": d.unit.power,
                "unit": position.name(d.unit),
                "by": position.name(d.by),
                "retreats": list(d.retreats),
            }
            for d in outcome.dislodged
        ],
        "destroyed": _units_json(position, outcome.destroyed),
        "disbanded": _units_json(position, outcome.disbanded),
        "removed": _units_json(position, outcome.removed),
        "adjust": dict(outcome.adjust),
        "units_after": _by_power([(u.power, name) for u, name in names_of(outcome.units).items()]),
        "owners_after": _by_power([(p, c) for c, p in owners_after(outcome).items()]),
        "nobility": dict(outcome.nobility),
        **_picks_json(outcome),
        **_ending_json(outcome),
    }


def _picks_json(outcome: Outcome) -> dict[str, object]:
    """Return the awards of a phase of picks (R30); empty in other phases."""
    picks = outcome.picks
    return {
        "awards": dict(picks.awards) if picks else {},
        "contested": list(picks.contested) if picks else [],
        "void": list(picks.void) if picks else [],
    }


def _ending_json(outcome: Outcome) -> dict[str, object]:
    """Return the eliminated powers, and the winners if the game is over (R33 to R35)."""
    end = ending(outcome)
    return {
        "eliminated": list(eliminated(outcome)),
        "game_over": end is not None,
        "winners": list(end.winners) if end else [],
    }


def _strengths(position: Position, reason: Reason) -> dict[str, object] | None:
    """Return the two strengths that a reason compares, and the opposing unit; None without any."""
    if reason.strength < 0:
        return None
    by = position.name(reason.units[0]) if reason.units else None
    return {"own": reason.strength, "against": reason.against, "by": by}


def _units_json(position: Position, units: Sequence[Unit]) -> list[dict[str, str]]:
    return [{"power": unit.power, "unit": position.name(unit)} for unit in units]


def _by_power(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    listed: dict[str, list[str]] = {}
    for power, text in pairs:
        listed.setdefault(power, []).append(text)
    return listed


def _refused_json(lines: Sequence[Line], sentences: Sentences) -> list[dict[str, object]]:
    return [
        {
            "power": line.power,
            "line": line.text.strip(),
            "kind": line.error.kind,
            "fragment": line.error.fragment,
            "why": sentences.error(line.error),
            "suggestions": list(line.error.suggestions),
        }
        for line in lines
        if line.error is not None
    ]


def mistakes_json(
    outcome: Outcome, lines: Sequence[Line], sentences: Sentences
) -> dict[str, object]:
    """Return the lines that are no order, and the orders that are illegal."""
    position = outcome.position
    illegal = [
        {
            "power": entry.power,
            "order": write_order(entry.order),
            "reason": reason.code,
            "why": format_reason(reason, position, sentences),
        }
        for entry, reason in list_void_orders(outcome)
    ]
    return {"refused": _refused_json(lines, sentences), "illegal": illegal}


def comparison_json(
    comparison: Comparison, lines: Mapping[str, Sequence[Line]], sentences: Sentences
) -> dict[str, object]:
    """Return plans side by side: the outcome of each, and where they differ."""
    position = comparison.position
    board = position.board
    return {
        "phase": str(position.phase),
        "plans": {
            name: {
                **outcome_json(outcome, lines[name], sentences),
                "lost": _units_json(position, comparison.dislodged(name)),
                "centres": dict(comparison.centres(name)),
                "units": {power: list(comparison.units(name, power)) for power in board.powers},
            }
            for name, outcome in comparison.outcomes.items()
        },
        "differences": [
            {
                "power": row.power,
                "unit": row.unit,
                "plans": {
                    name: {
                        "order": side.order,
                        "results": list(side.results),
                        "why": [
                            format_reason(reason, position, sentences) for reason in side.reasons
                        ],
                    }
                    for name, side in zip(comparison.outcomes, row.sides, strict=True)
                },
            }
            for row in comparison.differences
        ],
    }


def _suggestions(position: Position, check: Check) -> list[str]:
    """Return what may have been meant; for an impossible move, the moves that are possible."""
    if check.suggestions:
        return [write_order(order) for order in check.suggestions]
    if check.verdict != "impossible" or check.unit is None or not isinstance(check.order, Move):
        return []
    return [f"{check.order.unit} - {to}" for to in list_reachable(position, check.unit)]


def check_json(
    position: Position, checks: Sequence[Check], lines: Sequence[Line], sentences: Sentences
) -> dict[str, object]:
    """Return every order's verdict, and the lines that are no order."""
    return {
        "phase": str(position.phase),
        "orders": [
            {
                "power": check.power,
                "order": write_order(check.order),
                "verdict": check.verdict,
                "reason": check.reason.code if check.reason else None,
                "warnings": [
                    {"code": warning.code, "why": format_reason(warning, position, sentences)}
                    for warning in check.warnings
                ],
                "suggestions": _suggestions(position, check),
            }
            for check in checks
        ],
        "refused": _refused_json(lines, sentences),
        "notices": [
            {"power": line.power, "line": line.text.strip(), "code": notice.code}
            for line in lines
            for notice in line.notices
        ],
    }
