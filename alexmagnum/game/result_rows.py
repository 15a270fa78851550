"""The rows with the result of every order and unit in a phase, and the sentences that explain it.

They are stored with the outcome (table ``resolved``) and compared by ``verify``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences
from alexmagnum.judge.outcome import REPLACED, Fate, Outcome, Reason
from alexmagnum.judge.reason_text import format_reason
from alexmagnum.notation import write_order
from alexmagnum.position import Position, Unit

ResultColumns = dict[str, object]


def list_results(outcome: Outcome) -> list[ResultColumns]:
    """Return a row for each order with its result, then for the units that had none."""
    writer = _RowWriter(outcome.position)
    return [
        *_list_orders(outcome, writer),
        *_list_units(outcome, writer),
        *(
            writer.row(unit.power, writer.name(unit), "", "removed", Reason("civil-disorder"))
            for unit in outcome.removed
        ),
    ]


class _RowWriter:
    """Writes rows about one position in every language."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.catalogues: Sequence[Sentences] = tuple(load_sentences(lang) for lang in LANGUAGES)

    def name(self, unit: Unit) -> str:
        return self.position.name(unit)

    def row(self, power: str, unit: str, order: str, result: str, reason: Reason) -> ResultColumns:
        """Return the columns of one result."""
        return {
            "power": power,
            "unit": unit,
            "canonical": order,
            "result": result,
            "code": reason.code,
            "strength": reason.strength,
            "against": reason.against,
            **{
                f"sentence_{each.lang}": format_reason(reason, self.position, each)
                for each in self.catalogues
            },
        }


def _list_orders(outcome: Outcome, writer: _RowWriter) -> Iterator[ResultColumns]:
    standing = set(outcome.position.orderable)
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        # A new unit has the name under which the order builds it.
        name = getattr(entry.order, "unit", "")
        if entry.unit is not None and entry.unit in standing:
            name = writer.name(entry.unit)
        yield writer.row(entry.power, name, write_order(entry.order), entry.result, reason)


def _list_units(outcome: Outcome, writer: _RowWriter) -> Iterator[ResultColumns]:
    """List what happened to units without an order, and what else happened to those with one."""
    position = outcome.position
    if position.phase.kind not in ("movement", "retreats"):
        return
    ordered = {
        entry.unit
        for entry, reason in zip(outcome.results, outcome.reasons, strict=True)
        if entry.unit is not None and reason.code != REPLACED
    }
    for unit in position.orderable:
        fates = outcome.fates(unit)
        if unit in ordered:
            news = list(fates[1:])
        else:
            news = [fate for fate in fates if not _is_quiet(fate)]
        for fate in news:
            yield writer.row(unit.power, writer.name(unit), "", fate.result, fate.reason)


def _is_quiet(fate: Fate) -> bool:
    """Return whether the fate is that of a garrison that nobody attacked."""
    return fate.unit.power == INDEPENDENT and fate.reason.code == "unattacked"
