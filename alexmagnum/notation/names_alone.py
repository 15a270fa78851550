"""Deciding, once a whole text is read, which names of centres that stand alone are orders in it.

A centre alone on a line is a pick or a deployment, unless it is the signature of the letter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from alexmagnum.errors import Unreadable
from alexmagnum.notation.model import Line
from alexmagnum.notation.picks import is_pickable, refuse_several
from alexmagnum.notation.signatures import Signature
from alexmagnum.orders import Build, Pick
from alexmagnum.position import Position

NAMES_ALONE = ("picks", "deployment", "winter")
"""The kinds of phase in which the name of a centre, or a letter before it, is an order."""

_ABOUT_NAMES = frozenset({"needs-verb", "kind-needed", "unknown-place", "several-places"})
"""The codes of errors that a signature may have caused."""

_NAMES_SPELT_RIGHT = frozenset({"kind-needed", "several-places"})
"""Those of them about a name that is spelt right."""


def settle_names(
    lines: Sequence[Line], signature: Signature, position: Position
) -> tuple[Line, ...]:
    """Return the lines of a text with signatures as prose, and with one pick at the most."""
    one_order = position.phase.kind == "picks"
    settled = tuple(_settle_signatures(lines, signature, one_order=one_order))
    return tuple(_settle_picks(settled, position)) if one_order else settled


def _settle_signatures(
    lines: Sequence[Line], signature: Signature, *, one_order: bool
) -> Iterator[Line]:
    """Turn names that are rather a signature into prose; ask where there is no other order."""
    ordering = [line for line in lines if line.order is not None]
    sure = [line for line in ordering if not line.bare or not _may_sign(line, signature)]
    for line in lines:
        has_other = any(other is not line for other in sure)
        is_name = signature.is_name(line.number, has_other=has_other)
        if line.bare and line.order is not None and is_name:
            yield _leave_aside(line, has_order=has_other)
        elif _is_about_name(line) and (
            is_name or (has_other and _is_beside_order(line, signature, one_order=one_order))
        ):
            yield replace(line, error=None, prose=True, bare=False)
        else:
            yield line


def _is_beside_order(line: Line, signature: Signature, *, one_order: bool) -> bool:
    """Return whether a word that is no name of a place stands below an order, and is no order.

    ``one_order``: there is one order in the phase, so that beside it no line can be meant as one.
    """
    if line.error is None or line.error.code in _NAMES_SPELT_RIGHT:
        return False
    return one_order or line.number in signature.trailing


def _may_sign(line: Line, signature: Signature) -> bool:
    """Return whether a line may be a signature, whatever else stands in the text."""
    return signature.is_name(line.number, has_other=True)


def _is_about_name(line: Line) -> bool:
    """Return whether a line is refused only for a name, which a signature may be."""
    return line.error is not None and line.error.code in _ABOUT_NAMES and line.bare


def _leave_aside(line: Line, *, has_order: bool) -> Line:
    """Return a name as prose; as a question where the text has no order that counts."""
    if has_order:
        return replace(line, order=None, prose=True, bare=False, notices=())
    error = Unreadable("name-or-centre", line.text, (_write_full(line),))
    return replace(line, order=None, error=error, bare=False, notices=())


def _write_full(line: Line) -> str:
    """Return the order of a name alone as nobody can misread it."""
    if isinstance(line.order, Pick):
        return f"Pick {line.order.centre}"
    return f"Build {line.order.unit}" if isinstance(line.order, Build) else ""


# -- one pick at the most (R30) -------------------------------------------------------------------


def _settle_picks(lines: Sequence[Line], position: Position) -> Iterator[Line]:
    """Refuse different picks of one power as ambiguous; of equal ones the last counts.

    A pick that is void does not stand against one that is not.
    """
    refused: set[tuple[int, str]] = set()
    for line in lines:
        if not isinstance(line.order, Pick):
            yield line
            continue
        rivals = _list_centres(lines, line.power, position)
        if len(rivals) > 1 and line.order.centre in rivals:
            if (line.number, line.text) not in refused:
                yield replace(line, order=None, error=refuse_several(line.text, rivals), notices=())
            refused.add((line.number, line.text))
        elif rivals and line.order.centre not in rivals:
            yield replace(line, replaced=True)
        else:
            yield line


def _list_centres(lines: Sequence[Line], power: str | None, position: Position) -> list[str]:
    """Return the different centres that a power names and could pick."""
    named = [
        line.order.centre for line in lines if isinstance(line.order, Pick) and line.power == power
    ]
    return [centre for centre in dict.fromkeys(named) if is_pickable(position, centre)]
