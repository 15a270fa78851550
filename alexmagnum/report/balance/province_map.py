"""The map of a balance report: the shade of a province shows how often units entered it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from alexmagnum.board.model import Board
from alexmagnum.draw.map_shapes import load_atlas
from alexmagnum.draw.paths import path_data, simplify
from alexmagnum.lab.balance_figures import ProvinceFigures
from alexmagnum.report.balance.names import BalanceWords

SHADES = 5
"""The number of shades for provinces that units entered; all other provinces are hatched."""

_SLACK = 1.2
"""The largest distance of an outline from that of a large map, in units of the drawing."""

_WIDTH = 1200.0


def draw_outlines(board: Board, ground: str) -> str:
    """Return the outlines of the provinces; all pictures of this map in the page share them.

    The id of an outline in the page begins with ``ground``.
    """
    atlas = load_atlas(board)
    scale = _WIDTH / atlas.box.width
    return "\n".join(
        f'<path id="{ground}-{escape(province.id)}" d="{path_data(rings, closed=True)}"/>'
        for province in atlas.grounds.values()
        for rings in (
            [
                [(x * scale, y * scale) for x, y in simplify(ring, _SLACK)]
                for ring in province.rings
            ],
        )
    )


def draw_use(
    board: Board,
    ground: str,
    provinces: Sequence[ProvinceFigures],
    series: str,
    words: BalanceWords,
) -> str:
    """Return the map as an SVG element without a title; provinces have titles with figures."""
    atlas = load_atlas(board)
    scale = _WIDTH / atlas.box.width
    used = {province.province: province for province in provinces}
    limits = shade_limits([province.entries for province in provinces])
    parts = []
    for id_ in atlas.grounds:
        figures = used.get(id_)
        if figures is None:
            continue
        title = escape(describe_use(figures, series, words))
        look = "sea " if board.provinces[id_].is_sea else ""
        parts.append(
            f'<use class="{look}u{shade_of_use(figures.entries, limits)}" '
            f'href="#{ground}-{escape(id_)}"><title>{title}</title></use>'
        )
    height = atlas.box.height * scale
    return (
        f'<svg class="use" viewBox="0 0 {_WIDTH:.0f} {height:.0f}">\n' + "\n".join(parts) + "</svg>"
    )


def describe_use(figures: ProvinceFigures, series: str, words: BalanceWords) -> str:
    """Return the use of a province in words."""
    return words.say(
        "province-use",
        province=words.province(series, figures.province),
        entries=words.numerals.number(figures.entries, 2),
        battles=words.numerals.number(figures.battles, 2),
    )


def shade_limits(entries: Sequence[float]) -> tuple[float, ...]:
    """Return the highest figure of each shade but the last; all have equally many provinces.

    >>> shade_limits([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    (2, 4, 6, 8)
    """
    some = sorted(figure for figure in entries if figure > 0)
    if not some:
        return ()
    return tuple(some[max(0, len(some) * k // SHADES - 1)] for k in range(1, SHADES))


def shade_of_use(entries: float, limits: Sequence[float]) -> int:
    """Return the shade of a figure: 0 if no unit entered, else 1 to 5.

    >>> [shade_of_use(n, (2, 4, 6, 8)) for n in (0, 2, 3, 9)]
    [0, 1, 2, 5]
    """
    return 0 if entries <= 0 else 1 + sum(entries > limit for limit in limits)


def list_shades(
    provinces: Sequence[ProvinceFigures], words: BalanceWords
) -> Iterator[tuple[int, str]]:
    """Yield the number of each shade on the map with its range of figures, for the legend."""
    entries = [province.entries for province in provinces]
    limits = shade_limits(entries)
    if any(figure <= 0 for figure in entries):
        yield 0, words.say("never")
    for shade in range(1, SHADES + 1):
        inside = [figure for figure in entries if shade_of_use(figure, limits) == shade]
        if inside:
            low, high = (
                words.numerals.number(end, 2 if end < 1 else 1)
                for end in (min(inside), max(inside))
            )
            yield shade, low if low == high else f"{low}–{high}"
