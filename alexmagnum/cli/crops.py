"""The options that choose a part of the map for a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from alexmagnum.cli.output import Command, find_powers
from alexmagnum.errors import BadPicture
from alexmagnum.notation import find_province

if TYPE_CHECKING:
    from alexmagnum.board.model import Board
    from alexmagnum.draw.crop import Crop
    from alexmagnum.position import Position

WIDTH = 1080
"""The width in pixels of a picture of a part of the map, if nothing else is asked for."""


class CropRequest:
    """The part of the map that somebody asks for, as the options have it."""

    def __init__(self, around: str, region: str, front: str = "", width: int | None = None) -> None:
        self.around, self.region, self.front = around, region, front
        self.width = min(max(width or WIDTH, 1), 2400)

    @classmethod
    def of(cls, options: Mapping[str, Any], width: int | None = None) -> CropRequest | None:
        """Return the request in the options of a command; None for the whole map.

        Raises:
            click.UsageError: there are several.
        """
        names = {"around": "--around", "front": "--for", "region": "--region"}
        given = {key: options[key] for key in names if options.get(key)}
        if len(given) > 1:
            raise click.UsageError(
                f"{' and '.join(names[key] for key in given)} choose different parts of the map:"
                " give one of them."
            )
        if not given:
            return None
        return cls(given.get("around", ""), given.get("region", ""), given.get("front", ""), width)

    def find(self, positions: Sequence[Position]) -> Crop | None:
        """Return the part of the map; None if it is so large that the whole map serves better.

        ``positions`` are those that the picture shows, such as before and after the phase.

        Raises:
            Ambiguous, Unreadable: there is no such province.
            GameError: no-such-power.
            BadPicture: no-such-region, no-regions, no-place-named.
        """
        from alexmagnum.draw.crop_windows import find_extent, find_front, find_surroundings

        board = positions[0].board
        if self.around:
            provinces = [find_province(name, board) for name in _split(self.around, board)]
            return find_surroundings(board, provinces, self.width)
        if self.region:
            return find_extent(board, _find_regions(self.region, board), self.width)
        (power,) = find_powers(board, (self.front,))
        return find_front(positions, power, self.width)


def crop_options(command: Command) -> Command:
    """``--around`` and ``--region``: the part of the map to draw."""
    command = click.option(
        "--region",
        default="",
        metavar="NAMES",
        help="Draw only some regions: headings of 'map show', separated by commas.",
    )(command)
    return click.option(
        "--around",
        default="",
        metavar="PROVINCES",
        help="Draw only these provinces and their neighbours, separated by commas.",
    )(command)


def front_option(command: Command) -> Command:
    """``--for``: draw the front of a power."""
    return click.option(
        "--for",
        "front",
        default="",
        metavar="POWER",
        help="Draw only the units of this power and their neighbours.",
    )(command)


def _split(names: str, board: Board) -> list[str]:
    """Return the names in a list with commas.

    Raises:
        BadPicture: no-place-named.
    """
    found = [name.strip() for name in names.split(",") if name.strip()]
    if not found:
        raise BadPicture("no-place-named", example=",".join([*board.provinces][:2]))
    return found


def _find_regions(names: str, board: Board) -> list[str]:
    """Return the provinces of the regions that some texts name, or begin to name.

    Raises:
        BadPicture: no-such-region, no-regions.
    """
    provinces = board.provinces.values()
    headings = {p.region.casefold(): p.region for p in provinces if p.region}
    headings |= {
        p.area.casefold(): p.area for p in provinces if p.area and p.area.casefold() not in headings
    }
    if not headings:
        raise BadPicture("no-regions", map=board.id)
    found: list[str] = []
    for name in _split(names, board):
        spelt = name.casefold()
        wanted = [spelt] if spelt in headings else [h for h in headings if spelt in h]
        if not wanted:
            known = "; ".join(sorted(headings.values()))
            raise BadPicture("no-such-region", text=name, known=known)
        found += [p.id for p in provinces if {p.region.casefold(), p.area.casefold()} & {*wanted}]
    return list(dict.fromkeys(found))
