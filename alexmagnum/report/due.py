"""What each power has to send for a phase, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alexmagnum.game.dues import due
from alexmagnum.judge.winter import building_places
from alexmagnum.position import Position
from alexmagnum.report.words import Words


def demands(position: Position, words: Words, *, auto: bool = False) -> Iterator[tuple[str, str]]:
    """By power, in the map's order, what it has to send; a power that owes nothing is left out.

    ``auto``: the house takes a retreat that is the only one open without an order.
    """
    owed = due(position)
    for power in position.board.powers:
        if power in owed:
            yield power, _demand(position, power, owed[power], words, auto)


def _demand(position: Position, power: str, things: Sequence[str], words: Words, auto: bool) -> str:
    """The things a power owes, as one text."""
    match position.phase.kind:
        case "movement":
            return words.say("due-orders", count=len(things), units=", ".join(things))
        case "retreats":
            return _retreats(position, power, words, auto)
        case "deployment":
            places = ", ".join(_free(position, power))
            return words.say("due-placing", count=len(things), places=places)
        case "winter":
            if "Remove" in things:
                return words.say("due-removals", count=len(things))
            places = ", ".join(building_places(position, power))
            return words.say("due-builds", count=len(things), places=places)
        case _:
            return words.say("due-pick")


def _retreats(position: Position, power: str, words: Words, auto: bool) -> str:
    return "; ".join(
        words.say(
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
