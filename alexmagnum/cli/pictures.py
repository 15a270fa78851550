"""Options for pictures and for parts of a map, and writing pictures to files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from alexmagnum.cli.base import PATH, Decorated, find_powers
from alexmagnum.errors import BadPicture
from alexmagnum.files import write_whole
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation import find_province
from alexmagnum.report.words import phase_name

if TYPE_CHECKING:
    from alexmagnum.board.model import Board
    from alexmagnum.draw import Scene
    from alexmagnum.draw.base_map import Crop
    from alexmagnum.orders import Order
    from alexmagnum.position import Position
    from alexmagnum.whatif.plans import Comparison


# The options that choose a part of the map for a picture.


WIDTH = 1080
"""The width in pixels of a picture of a part of the map, if nothing else is asked for."""


class CropRequest(NamedTuple):
    """The part of the map that somebody asks for, as the options have it: one of them is given."""

    around: str
    region: str
    front: str
    width: int

    @classmethod
    def of(cls, options: Mapping[str, Any], width: int | None = None) -> CropRequest | None:
        """Return the request in the options of a command; None for the whole map.

        Raises:
            click.UsageError: there are several.
        """
        names = {"around": "--around", "front": "--for", "region": "--region"}
        asked = {key: str(options.get(key) or "") for key in names}
        if len(given := [names[key] for key, text in asked.items() if text]) > 1:
            raise click.UsageError(
                f"{' and '.join(given)} choose different parts of the map: give one of them."
            )
        return cls(**asked, width=min(max(width or WIDTH, 1), 2400)) if given else None

    def find(self, positions: Sequence[Position]) -> Crop | None:
        """Return the part of the map; None if it is so large that the whole map serves better.

        ``positions`` are those that the picture shows, such as before and after the phase.
        """
        from alexmagnum.draw.pictures import find_extent, find_front, find_surroundings

        board = positions[0].board
        if self.around:
            provinces = [find_province(name, board) for name in _split(self.around, board)]
            return find_surroundings(board, provinces, self.width)
        if self.region:
            return find_extent(board, _find_regions(self.region, board), self.width)
        (power,) = find_powers(board, (self.front,))
        return find_front(positions, power, self.width)


def crop_options(command: Decorated) -> Decorated:
    """``--around`` and ``--region``: the part of the map to draw."""
    around = click.option(
        "--around",
        default="",
        metavar="PROVINCES",
        help="Draw only these provinces and their neighbours, separated by commas.",
    )
    region = click.option(
        "--region",
        default="",
        metavar="NAMES",
        help="Draw only some regions: headings of 'map show', separated by commas.",
    )
    return around(region(command))


front_option = click.option(
    "--for",
    "front",
    default="",
    metavar="POWER",
    help="Draw only the units of this power and their neighbours.",
)

orders_of_option = click.option(
    "--orders-of",
    multiple=True,
    metavar="POWER",
    help="Draw the orders of this power only, as written: others learn nothing from it."
    "  Can be given again.",
)


def _split(names: str, board: Board) -> list[str]:
    if not (found := [name.strip() for name in names.split(",") if name.strip()]):
        raise BadPicture("no-place-named", example=",".join([*board.provinces][:2]))
    return found


def _find_regions(names: str, board: Board) -> list[str]:
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


# Pictures of maps and turns, as the commands write them.


SVG, PNG, PDF = ".svg", ".png", ".pdf"
"""The endings of picture files, which tell the format."""


def picture_option(*names: str, required: bool = False) -> Callable[[Decorated], Decorated]:
    """Return an option for the file of a picture, which refuses unknown file endings."""
    return click.option(
        *names,
        required=required,
        type=PATH,
        callback=_picture_file,
        metavar="FILE",
        help="Where the picture goes: a file that ends in .svg, .png or .pdf.",
    )


def _picture_file(ctx: click.Context, param: click.Parameter, path: Path | None) -> Path | None:
    if path is not None and path.suffix.lower() not in (SVG, PNG, PDF):
        raise BadPicture("picture-ending", path=str(path), known=", ".join((SVG, PNG, PDF)))
    return path


def turn_picture(
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    sentences: Sentences,
    *,
    title: str = "",
    orders_of: Sequence[str] = (),
    part: CropRequest | None = None,
) -> Scene:
    """Draw a phase with its results; with ``orders_of``, draw only the orders of those powers.

    The judge does not see the orders of the other powers, so the picture cannot reveal them.
    Neither can the choice of the ``part`` of the map.
    """
    from alexmagnum.campaign import position_after
    from alexmagnum.draw import draw_turn
    from alexmagnum.judge import adjudicate

    powers = find_powers(position.board, orders_of)
    shown = {power: orders.get(power, ()) for power in powers} if powers else orders
    outcome = adjudicate(position, shown)
    seen = (position,) if powers else (position, position_after(outcome))
    return draw_turn(
        outcome,
        sentences,
        title=title or position.board.name(sentences.lang),
        subtitle=phase_name(position.phase, position.board, sentences),
        orders_of=powers or None,
        crop=part.find(seen) if part else None,
    )


def comparison_pictures(
    comparison: Comparison, sentences: Sentences, part: CropRequest | None = None
) -> Sequence[Scene]:
    """Draw the plans of a comparison, each on the part of the map where they differ.

    Units whose orders or results differ are lit, and all other orders are dim.
    """
    from alexmagnum.draw import draw_turn
    from alexmagnum.draw.pictures import find_surroundings

    position = comparison.position
    board, units = position.board, {row.unit for row in comparison.differences}
    words = {w for row in comparison.differences for w in (row.unit, *(s.order for s in row.sides))}
    names = (re.split(r"[/#]", name)[0] for text in words for name in text.split())
    places = dict.fromkeys(name for name in sorted(names) if name in board.provinces)
    crop = find_surroundings(board, places, 900.0) if places else None
    if part is not None:
        crop = part.find((position,))
    crop = crop and replace(crop, insets=False)
    subtitle = phase_name(position.phase, board, sentences)
    return [
        draw_turn(outcome, sentences, title=name, subtitle=subtitle, crop=crop, lit=units)
        for name, outcome in comparison.outcomes.items()
    ]


def position_picture(
    position: Position, sentences: Sentences, *, title: str = "", part: CropRequest | None = None
) -> Scene:
    """Draw a position without orders, or a part of it."""
    from alexmagnum.draw import draw_position

    return draw_position(
        position,
        sentences,
        title=title or position.board.name(sentences.lang),
        subtitle=phase_name(position.phase, position.board, sentences),
        crop=part.find((position,)) if part else None,
    )


def write_picture(
    path: Path, scene: Scene, width: int | None = None, *, private: bool = False
) -> None:
    """Write a picture in the format of the file's ending, as a whole or not at all.

    ``width`` is in pixels, for PNG alone; ``private``: only its owner may read the file.
    """
    from alexmagnum.draw import render_svg
    from alexmagnum.draw.positions import FRAME
    from alexmagnum.draw.scene import MAIL

    pixels = MAIL if scene.box.width > WIDTH + 2 * FRAME else WIDTH
    _write(path, lambda fonts: render_svg(scene, embed_fonts=fonts), pixels, width, private)


def write_comparison(path: Path, scenes: Sequence[Scene]) -> None:
    """Write pictures side by side in the format of the file's ending."""
    from alexmagnum.draw.pictures import render_side_by_side
    from alexmagnum.draw.scene import MAIL

    _write(path, lambda fonts: render_side_by_side(scenes, embed_fonts=fonts), MAIL)


def _write(
    path: Path,
    draw: Callable[[bool], str],
    usual: int,
    width: int | None = None,
    private: bool = False,
) -> None:
    """Write a drawing, made with fonts inside or without them; PNG is ``usual`` pixels wide."""
    from alexmagnum.draw import render_pdf, render_png

    if (ending := path.suffix.lower()) == PNG:
        data = render_png(draw(False), usual if width is None else width)
    elif width is not None:
        raise BadPicture("width-without-pixels", ending=ending)
    else:
        data = render_pdf(draw(False)) if ending == PDF else draw(True).encode()
    write_whole(path, data, private=private)
