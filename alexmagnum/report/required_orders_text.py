"""The orders that each power has to send for a phase, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alexmagnum.game.required_orders import find_required_orders
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.position import Position


def describe_required_orders(
    position: Position, sentences: Sentences, *, auto: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield each power that owes orders, in the map's order, with these orders in words.

    ``auto`` says that a retreat is taken without an order if it is the only one open.
    """
    owed = find_required_orders(position)
    for power in position.board.powers:
        if power in owed:
            yield power, _format_required(position, power, owed[power], sentences, auto)


def _format_required(
    position: Position, power: str, things: Sequence[str], sentences: Sentences, auto: bool
) -> str:
    """Return the things that a power owes as one text."""
    match position.phase.kind:
        case "movement":
            return sentences.format("due-orders", count=len(things), units=", ".join(things))
        case "retreats":
            return _format_retreats(position, power, sentences, auto)
        case "deployment":
            places = ", ".join(_vacant_centres(position, power))
            return sentences.format("due-placing", count=len(things), places=places)
        case "winter":
            if "Remove" in things:
                return sentences.format("due-removals", count=len(things))
            from alexmagnum.judge.winter import list_building_places

            places = ", ".join(list_building_places(position, power))
            return sentences.format("due-builds", count=len(things), places=places)
        case _:
            return sentences.format("due-pick")


def _format_retreats(position: Position, power: str, sentences: Sentences, auto: bool) -> str:
    """Return the dislodged units of a power with their retreats."""
    return "; ".join(
        sentences.format(
            "due-retreat-auto" if auto and len(dislodged.retreats) == 1 else "due-retreat",
            unit=position.name(dislodged.unit),
            retreats=", ".join(dislodged.retreats),
        )
        for dislodged in position.dislodged
        if dislodged.unit.power == power and dislodged.retreats
    )


def _vacant_centres(position: Position, power: str) -> list[str]:
    """Return the centres of a power without a unit."""
    taken = {unit.province for unit in position.units}
    return [centre for centre in position.centres_of(power) if centre not in taken]
