"""Areas that are cut for an inset look the same inside it."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.draw.scene import Box, Point, cut_ring
from tests.sizes import drawn

BOX = Box(-10, -10, 10, 10)

points = st.tuples(st.integers(-40, 40), st.integers(-40, 40))


def holds(ring: tuple[Point, ...], at: Point) -> bool:
    """Return whether a point lies in a ring: its sides are crossed an odd number of times."""
    x, y = at
    crossed = 0
    for (x1, y1), (x2, y2) in pairwise((*ring, *ring[:1])):
        if (y1 > y) != (y2 > y):
            crossed += x1 + (y - y1) * (x2 - x1) / (y2 - y1) < x
    return crossed % 2 == 1


@drawn(60, 3000)
@given(st.lists(points, min_size=3, max_size=12))
def test_a_cut_area_is_the_same_inside_the_box(outline: list[Point]) -> None:
    ring = tuple(outline)
    cut = cut_ring(ring, BOX)

    middles = [(x + 0.37, y + 0.41) for x in range(-10, 10, 2) for y in range(-10, 10, 2)]
    assert [holds(cut, at) for at in middles] == [holds(ring, at) for at in middles]


@drawn(60, 3000)
@given(st.lists(points, min_size=3, max_size=12))
def test_sides_that_meet_the_box_stay_whole(outline: list[Point]) -> None:
    ring = tuple(outline)
    cut = cut_ring(ring, BOX)

    sides = set(pairwise((*ring, ring[0])))
    crossing = {(a, b) for a, b in sides if any(_near(a, b, i / 50) for i in range(51))}
    assert crossing <= set(pairwise((*cut, *cut[:1])))


def _near(a: Point, b: Point, share: float) -> bool:
    return BOX.holds((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))


def test_an_area_far_from_the_box_leaves_nothing() -> None:
    assert cut_ring([(20, 20), (30, 20), (30, 30)], BOX) == ()


def test_an_area_around_the_box_leaves_the_box() -> None:
    ring = [(-90, -90), (90, -90), (90, 90), (-90, 90)]

    assert set(cut_ring(ring, BOX)) == {(-10, -10), (10, -10), (10, 10), (-10, 10)}
