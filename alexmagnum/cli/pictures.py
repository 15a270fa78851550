"""Pictures of maps and turns, as the commands write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from alexmagnum.cli.crops import WIDTH, CropRequest
from alexmagnum.cli.output import Command, find_powers
from alexmagnum.errors import BadPicture
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.report.names import phase_name

if TYPE_CHECKING:
    from alexmagnum.draw import Scene
    from alexmagnum.orders import Order
    from alexmagnum.position import Position
    from alexmagnum.whatif.plans import Comparison

COMPARED = 900.0
"""The greatest width of each of several compared pictures, in drawing units."""

SVG, PNG, PDF = ".svg", ".png", ".pdf"
"""The endings of picture files, which tell the format."""


def picture_option(*names: str, required: bool = False) -> Callable[[Command], Command]:
    """Return an option for the file of a picture, which refuses unknown file endings."""
    return click.option(
        *names,
        required=required,
        type=click.Path(path_type=Path),
        callback=_picture_file,
        metavar="FILE",
        help="Where the picture goes: a file that ends in .svg, .png or .pdf.",
    )


def orders_of_option(command: Command) -> Command:
    """``--orders-of``: the powers whose orders are drawn."""
    return click.option(
        "--orders-of",
        multiple=True,
        metavar="POWER",
        help="Draw the orders of this power only, as written: others learn nothing from it."
        "  Can be given again.",
    )(command)


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

    Raises:
        GameError: no-such-power.
        AlexMagnumError: there is no such part.
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

    Raises:
        AlexMagnumError: there is no such part.
    """
    from alexmagnum.draw import draw_turn
    from alexmagnum.draw.crop_windows import find_surroundings

    position = comparison.position
    board, units = position.board, {row.unit for row in comparison.differences}
    words = {w for row in comparison.differences for w in (row.unit, *(s.order for s in row.sides))}
    names = (re.split(r"[/#]", name)[0] for text in words for name in text.split())
    places = dict.fromkeys(name for name in sorted(names) if name in board.provinces)
    crop = find_surroundings(board, places, COMPARED) if places else None
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
    """Draw a position without orders, or a part of it.

    Raises:
        AlexMagnumError: there is no such part.
    """
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

    Raises:
        BadPicture: picture-width, width-without-pixels, pdf-unavailable.
        GameError: cannot-write.
    """
    from alexmagnum.draw import render_svg
    from alexmagnum.draw.raster import MAIL
    from alexmagnum.draw.scene import SHEET

    pixels = MAIL if scene.box.width > SHEET else WIDTH
    _write_svg(
        path,
        lambda fonts: render_svg(scene, embed_fonts=fonts),
        _Size(width, pixels),
        private=private,
    )


def write_comparison(path: Path, scenes: Sequence[Scene]) -> None:
    """Write pictures side by side in the format of the file's ending.

    Raises:
        BadPicture: pdf-unavailable.
        GameError: cannot-write.
    """
    from alexmagnum.draw.raster import MAIL
    from alexmagnum.draw.side_by_side import render_side_by_side

    _write_svg(
        path,
        lambda fonts: render_side_by_side(scenes, embed_fonts=fonts),
        _Size(None, MAIL),
        private=False,
    )


class _Size(NamedTuple):
    """The width in pixels that was asked for, if any, and the usual one."""

    wanted: int | None
    usual: int


def _write_svg(path: Path, draw: Callable[[bool], str], size: _Size, *, private: bool) -> None:
    """Write a drawing, made with fonts inside or without them."""
    from alexmagnum.draw import render_pdf, render_png
    from alexmagnum.files import write_whole

    ending = path.suffix.lower()
    if ending == PNG:
        data = render_png(draw(False), size.usual if size.wanted is None else size.wanted)
    elif size.wanted is not None:
        raise BadPicture("width-without-pixels", ending=ending)
    else:
        data = render_pdf(draw(False)) if ending == PDF else draw(True).encode()
    write_whole(path, data, private=private)
