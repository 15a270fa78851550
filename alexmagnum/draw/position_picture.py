"""Draw a position on the map, and the sheet that every picture is drawn on."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace

from alexmagnum.draw.base_map import BaseMap, draw_provinces, letter, make_base_map
from alexmagnum.draw.crop import Crop
from alexmagnum.draw.grid import FreeSpace
from alexmagnum.draw.labels import Label
from alexmagnum.draw.legend import (
    ROSE,
    Score,
    Sign,
    count_scores,
    draw_compass,
    draw_legend,
    draw_scoreboard,
    legend_size,
    list_map_signs,
    list_unit_signs,
    scoreboard_size,
)
from alexmagnum.draw.lens import Lens
from alexmagnum.draw.order_layer import SheetLayout
from alexmagnum.draw.palette import assign_liveries
from alexmagnum.draw.paths import rectangle_path
from alexmagnum.draw.scene import Box, Inset, Layer, Scene, Shape, Token
from alexmagnum.draw.symbols import unit_token
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.position import Position, names_of

FRAME = 40.0
"""The width of the frame around the map."""

_NARROW_FRAME = 12.0

_USUAL_SIGNS = 20  # units, orders and results: more than most turns have in the legend
"""The width of the frame around a part of a map, which may be read on a telephone."""


def draw_position(
    position: Position,
    sentences: Sentences,
    *,
    title: str,
    subtitle: str = "",
    crop: Crop | None = None,
) -> Scene:
    """Return the picture of a position: units, provinces in their owners' tints, scoreboard.

    Dislodged units stand beside the place that they lost.  ``crop`` is the part of the map that is
    drawn; without it the whole map is.
    """
    base = make_base_map(position.board, sentences.lang, crop)
    position = _leave_out(position, base.atlas.beyond)
    tokens = tuple(_tokens(position, base))
    steady = crop is not None and crop.steady
    sheet = Sheet(base, position, sentences, title, subtitle, tokens, steady=steady)
    return sheet.scene((Layer("units", tokens),), count_scores(position))


def _leave_out(position: Position, beyond: Container[str]) -> Position:
    """Return a position without the units that stand outside a part of the map."""
    return replace(
        position,
        units=tuple(unit for unit in position.units if unit.province not in beyond),
        dislodged=tuple(d for d in position.dislodged if d.unit.province not in beyond),
    )


def _tokens(position: Position, base: BaseMap) -> Iterator[Token]:
    """Yield the symbols of the units on the board and of the dislodged units."""
    box = base.atlas.box
    letters = [letter for label in base.names for letter in label.boxes]
    layout = SheetLayout(position, base, Lens(box, box), letters)
    dislodged = {d.unit for d in position.dislodged}
    names = {**names_of(position.units), **names_of(dislodged)}
    marks = assign_liveries(position.board)
    for unit, at in layout.seats.items():
        state = "dislodged" if unit in dislodged else ""
        yield unit_token(unit, names[unit], marks[unit.power], at, state=state)


class Sheet:
    """A map to draw on: everything except units and orders.

    ``room`` is the space that title, legend and scoreboard leave free.  The legend has a row for
    each kind of unit among the ``tokens`` and one for each of the ``signs``.
    ``steady``: it has room for the rows of most turns, so that it stands in the same place in all.
    """

    def __init__(
        self,
        base: BaseMap,
        position: Position,
        sentences: Sentences,
        title: str,
        subtitle: str,
        tokens: Sequence[Token] = (),
        signs: Sequence[Sign] = (),
        *,
        steady: bool = False,
    ) -> None:
        self.base, self.position, self.sentences = base, position, sentences
        self.title, self.subtitle = title, subtitle
        board = position.board
        of_map = list_map_signs(board, base.atlas, sentences)
        self._signs = (*of_map, *list_unit_signs(tokens, sentences), *signs)
        rows = max(len(self._signs), len(of_map) + _USUAL_SIGNS if steady else 0)
        self.room = FreeSpace(base.atlas, base.grid)
        sheet = base.atlas.box
        self._bottom = sheet.bottom
        self._frame = _NARROW_FRAME if base.atlas.is_part else FRAME
        room = self._reserve(*legend_size(rows), (sheet.left, sheet.bottom))
        self.legend_box = replace(room, bottom=room.top + legend_size(len(self._signs))[1])
        self.score_box = Box(0.0, 0.0, 0.0, 0.0)
        if not base.atlas.is_part:
            self.score_box = self._reserve(*scoreboard_size(board), (sheet.right, sheet.top))

    def scene(
        self,
        layers: Sequence[Layer],
        rows: Sequence[Score],
        insets: Sequence[Inset] = (),
        below_names: Sequence[Layer] = (),
        names: Sequence[Label] | None = None,
    ) -> Scene:
        """Return the whole picture, with layers over the map or between the map and its names.

        ``names`` are the labels of the map if they differ from those of the empty map.
        """
        board, base, sentences = self.position.board, self.base, self.sentences
        sheet = base.atlas.box
        seas, coast, land = draw_provinces(board, base, self.position.owners, sentences.lang)
        whole = Box(sheet.left, sheet.top, sheet.right, self._bottom).grown(self._frame)
        return Scene(
            whole,
            sentences.format("map-of", title=self.title, subtitle=self.subtitle).strip(),
            " ".join(_descriptions(self.position, sentences)),
            base.outlines,
            (
                Layer("frame", tuple(_frame(sheet))),
                seas,
                coast,
                *base.below,
                land,
                *base.above,
                *below_names,
                base.lettering if names is None else letter(names),
                *layers,
                *self._edge(whole),
                draw_legend(self.legend_box, self.title, self.subtitle, self._signs),
                *self._scoreboard(rows),
                *self._compass(),
            ),
            tuple(assign_liveries(board).values()),
            tuple(insets),
        )

    def _edge(self, whole: Box) -> Iterable[Layer]:
        """Yield the paper around a part of a map, which hides what reaches out of the sheet."""
        if self.base.atlas.is_part:
            sheet = self.base.atlas.box
            data = rectangle_path(whole) + rectangle_path(sheet)
            lines = (Shape(rectangle_path(sheet), "frame-line thick"),)
            yield Layer("edge", (Shape(data, "margin around"), *lines))

    def _scoreboard(self, rows: Sequence[Score]) -> Iterable[Layer]:
        """Yield the scoreboard, if there is one: a part of a map has none."""
        if not self.base.atlas.is_part:
            yield draw_scoreboard(self.score_box, rows, self.position.board, self.sentences)

    def _compass(self) -> Iterable[Layer]:
        """Yield a compass rose if the map is of the earth and has room for it."""
        sheet, atlas = self.base.atlas.box, self.base.atlas
        near = sheet.middle[0], sheet.bottom
        box = None if atlas.flat or atlas.is_part else self.room.find_place(ROSE, ROSE, near)
        if box is not None:
            yield draw_compass(box)

    @property
    def row_of_legend(self) -> Box | None:
        """The space between legend and scoreboard if both stand below the map, else None."""
        legend, score = self.legend_box, self.score_box
        if self.base.atlas.is_part or min(legend.top, score.top) < self.base.atlas.box.bottom:
            return None
        return Box(legend.right, legend.top, score.left, max(legend.bottom, score.bottom))

    def make_room_down_to(self, bottom: float) -> None:
        """Let the paper below the map reach at least so far."""
        self._bottom = max(self._bottom, bottom)

    def row(self, height: float) -> Box:
        """Return a free row below the map, as wide as the map."""
        sheet = self.base.atlas.box
        top = self._bottom + FRAME
        self._bottom = top + height
        return Box(sheet.left, top, sheet.right, self._bottom)

    def _reserve(self, width: float, height: float, near: tuple[float, float]) -> Box:
        """Reserve a free place on the map near a point, else one in a band below the map."""
        box = self.room.find_place(width, height, near)
        if box is None:
            left = 0.0 if near[0] == 0.0 else near[0] - width
            if self.base.atlas.is_part:
                left = (self.base.atlas.width - width) / 2
            box = Box(left, self.base.atlas.height + self._frame * 0.6, left + width, 0.0)
            box = Box(box.left, box.top, box.right, box.top + height)
            self._bottom = max(self._bottom, box.bottom)
        self.room.take(box)
        return box


def _frame(sheet: Box) -> Iterable[Shape]:
    """Yield the paper under the map and the lines around it."""
    for out, look in ((0.0, "paper"), (12.0, "frame-line"), (19.0, "frame-line thick")):
        yield Shape(rectangle_path(sheet.grown(out)), look)


def _descriptions(position: Position, sentences: Sentences) -> Iterable[str]:
    """Yield a sentence with the units of each power, for people who cannot see the map."""
    names = names_of(position.units)
    for power in position.board.powers.values():
        units = ", ".join(names[unit] for unit in position.units if unit.power == power.id)
        if units:
            yield sentences.format("map-units", power=power.name(sentences.lang), units=units)
