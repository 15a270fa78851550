"""What each power has to send for a phase, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alexmagnum.game.required_orders import find_required_orders
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.winter import list_building_places
from alexmagnum.position import Position


def describe_required_orders(
    position: Position, sentences: Sentences, *, auto: bool = False
) -> Iterator[tuple[str, str]]:
    """By power, in the map's order, what it has to send; a power that owes nothing is left out.

    ``auto``: the house takes a retreat that is the only one open without an order.
    """
    owed = find_required_orders(position)
    for power in position.board.powers:
        if power in owed:
            yield power, _demand(position, power, owed[power], sentences, auto)


def _demand(
    position: Position, power: str, things: Sequence[str], sentences: Sentences, auto: bool
) -> str:
    """The things a power owes, as one text."""
    match position.phase.kind:
        case "movement":
            return sentences.format("due-orders", count=len(things), units=", ".join(things))
        case "retreats":
            return _retreats(position, power, sentences, auto)
        case "deployment":
            places = ", ".join(_free(position, power))
            return sentences.format("due-placing", count=len(things), places=places)
        case "winter":
            if "Remove" in things:
                return sentences.format("due-removals", count=len(things))
            places = ", ".join(list_building_places(position, power))
            return sentences.format("due-builds", count=len(things), places=places)
        case _:
            return sentences.format("due-pick")


def _retreats(position: Position, power: str, sentences: Sentences, auto: bool) -> str:
    return "; ".join(
        sentences.format(
            "due-retreat-auto" if auto and len(gone.retreats) == 1 else "due-retreat",
            unit=position.name(gone.unit),
            retreats=", ".join(gone.retreats),
        )
        for gone in position.dislodged
        if gone.unit.power == power and gone.retreats
    )


def _free(position: Position, power: str) -> list[str]:
    """The centres of a power in which nothing stands."""
    taken = {unit.province for unit in position.units}
    return [centre for centre in position.centres_of(power) if centre not in taken]
