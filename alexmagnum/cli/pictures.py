"""Pictures of maps and turns, as the commands write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

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
    from alexmagnum.draw import render_pdf, render_png, render_svg
    from alexmagnum.draw.raster import MAIL
    from alexmagnum.draw.scene import SHEET
    from alexmagnum.files import write_whole

    ending = path.suffix.lower()
    if ending == PNG:
        pixels = (MAIL if scene.box.width > SHEET else WIDTH) if width is None else width
        data = render_png(render_svg(scene, embed_fonts=False), pixels)
    elif width is not None:
        raise BadPicture("width-without-pixels", ending=ending)
    else:
        data = (
            render_pdf(render_svg(scene, embed_fonts=False))
            if ending == PDF
            else render_svg(scene).encode()
        )
    write_whole(path, data, private=private)
