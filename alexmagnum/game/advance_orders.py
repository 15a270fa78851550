"""Orders sent before their phase: retreats with the moves, builds during the year.

Open this to see which advance orders stand, and how a phase that opens receives them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from alexmagnum.game.fresh_start import ALL
from alexmagnum.game.mail_orders import select_fitting_orders
from alexmagnum.game.records import AdvanceRow, PhaseRow, SealRow, list_columns
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import AHEAD, AMEND, CLEAR, MAIL, read_lines
from alexmagnum.game.submissions import store_submission
from alexmagnum.game.values import PROSE
from alexmagnum.position import WINTER

_UNIT = re.compile(r"(?:Disband )?([AFG] [A-Z]\S*)(?: - |$)")
"""The beginning of a retreat: the unit."""


def find_advance_orders(game: Game, phase: int, kind: str) -> dict[str, tuple[str, ...]]:
    """Return the orders that stand for a kind of phase to come, by power, sent up to a phase.

    Orders for retreats were sent with the moves before them, orders for a winter in its year.  A
    later mail adds to an earlier one or replaces it, as the setting ``second_mail`` says.  A
    correction replaces all mails of its phase.
    """
    adds = game.settings()["second_mail"] == "merge"
    sent: dict[str, list[str]] = {}
    for row in _find_mails(game, phase, kind):
        lines = [line for line in read_lines(game, row.id) if line.ahead == kind]
        if row.fresh != ALL and not lines:
            continue
        texts = [line.order for line in lines if line.verdict == "good"]
        # A heading with nothing below it takes back what was sent.
        is_empty = all(line.verdict == PROSE for line in lines)
        is_added = adds and row.kind == MAIL and not (row.fresh or is_empty)
        sent[row.power] = _combine(sent.get(row.power, []), texts) if is_added else texts
    return {power: tuple(sent[power]) for power in game.base.powers if sent.get(power)}


def _combine(before: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return advance orders with those of a later mail: the later one for a unit counts.

    Builds of the later mail come first, because the first for which there is room count.
    """
    subjects = {_find_subject(text) for text in texts}
    return [*texts, *(text for text in before if _find_subject(text) not in subjects)]


def _find_subject(text: str) -> str:
    """Return the unit of a retreat, or the whole of another order."""
    unit = _UNIT.match(text)
    return unit[1] if unit else text


def _find_mails(game: Game, phase: int, kind: str) -> list[AdvanceRow]:
    """Return the submissions with orders for a kind of phase, or that replace all orders."""
    sources = _find_sources(game, phase, kind)
    rows = game.file.query(
        AdvanceRow,
        f"""SELECT DISTINCT {list_columns(AdvanceRow)} FROM {AdvanceRow.SOURCE}
            WHERE (orders.ahead = ? OR fresh = '{ALL}') AND kind IN ('{MAIL}', '{AMEND}', '{CLEAR}')
                AND phase IN ({", ".join(map(str, sources))})
            ORDER BY submissions.id""",
        kind,
    )
    corrections = _find_valid_corrections(game, phase)
    ordered = sorted(rows, key=lambda row: sources.index(row.phase))
    return [row for row in ordered if row.kind != AMEND or row.salt in corrections]


def _find_sources(game: Game, phase: int, kind: str) -> list[int]:
    """Return the phases whose mails may hold advance orders for a kind, oldest first."""
    row = game.phase_row(phase)
    before = game.line_to(phase)
    if kind == WINTER:
        keys = [entry.phase for entry in before if entry.year == row.year]
    else:
        keys = [entry.phase for entry in before[-1:] if row.kind == "retreats"]
    return [*keys, phase]


def _find_valid_corrections(game: Game, phase: int) -> set[str]:
    """Return the salts of the corrections that led to a phase, without those that were undone."""
    outcomes = ", ".join(str(entry.id) for entry in game.line_to(phase))
    rows = game.file.query(
        SealRow,
        f"""WITH RECURSIVE lineage(id) AS (
                SELECT id FROM outcomes WHERE id IN ({outcomes})
                UNION
                SELECT outcomes.amends FROM lineage JOIN outcomes ON outcomes.id = lineage.id
                WHERE outcomes.amends IS NOT NULL
            )
            SELECT {list_columns(SealRow)} FROM {SealRow.SOURCE}
            WHERE seals.outcome IN (SELECT id FROM lineage)""",
    )
    return {row.salt for row in rows}


def apply_advance_orders(game: Game, phase: PhaseRow, but: Collection[str] = ()) -> None:
    """Apply valid advance orders to a new phase, skipping the powers in ``but``."""
    if phase.kind not in ("retreats", "winter"):
        return
    settings = game.settings()
    if settings["ahead"] == "no":
        return
    position = game.position(phase.id)
    for power, texts in find_advance_orders(game, phase.id, phase.kind).items():
        if power in but:
            continue
        read = select_fitting_orders(position, power, texts, settings)
        if read.orders:
            store_submission(game, phase, power, read, AHEAD)


def read_advance_orders(game: Game, only: str = "") -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the orders sent for phases that are still to come, by power and kind of phase."""
    head = game.head()
    kinds = {"movement": ("retreats", WINTER), "retreats": (WINTER,)}.get(head.kind, ())
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for kind in kinds:
        for name, orders in find_advance_orders(game, head.id, kind).items():
            if only in ("", name):
                found.setdefault(name, {})[kind] = orders
    return found


def open_advance_orders(
    game: Game, power: str | None, reason: str
) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the advance orders of one power or all, and enter that in the journal.

    Raises:
        GameError: no-such-power.
    """
    only = game.power(power) if power else ""
    with game.act("open-ahead", only, reason):
        return read_advance_orders(game, only)
