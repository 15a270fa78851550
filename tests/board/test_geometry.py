"""Which shapes touch."""

from __future__ import annotations

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board.map_check import Ring, Shape, find_contacts
from tests.sizes import drawn


def _shape(name: str, *points: tuple[float, float]) -> Shape:
    return Shape(name, "province", ((*points, points[0]),))


def _box(name: str, west: float, south: float, east: float, north: float) -> Shape:
    return _shape(name, (west, south), (east, south), (east, north), (west, north))


def _touch(*shapes: Shape) -> dict[tuple[str, str], float]:
    return find_contacts({shape.id: shape for shape in shapes})


def test_shapes_that_share_vertices_touch_along_the_common_outline() -> None:
    assert _touch(_box("A", 0, 0, 1, 1), _box("B", 1, 0, 2, 1)) == {("A", "B"): 1.0}


def test_shapes_that_meet_at_a_corner_do_not_touch() -> None:
    assert _touch(_box("A", 0, 0, 1, 1), _box("B", 1, 1, 2, 2)) == {}


def test_a_straight_border_may_be_divided_differently_on_its_two_sides() -> None:
    found = _touch(_box("A", 0, 0, 3, 1), _box("B", 0.5, 1, 1.5, 2), _box("C", 1.5, 1, 4, 2))
    assert found == pytest.approx({("A", "B"): 1.0, ("A", "C"): 1.5, ("B", "C"): 1.0})


@pytest.mark.parametrize(("gap", "touching"), [(0.0005, True), (-0.0005, True), (0.05, False)])
def test_outlines_drawn_a_little_apart_still_touch(gap: float, touching: bool) -> None:
    found = _touch(_box("A", 0, 0, 1, 1), _box("B", 1 + gap, 0.001, 2, 1.001))
    assert bool(found) == touching


def test_a_shape_in_a_hole_touches_the_shape_around_it() -> None:
    hole: Ring = ((1, 1), (2, 1), (2, 2), (1, 2), (1, 1))
    sea = Shape("SEA", "province", (*_box("SEA", 0, 0, 3, 3).rings, hole))
    assert _touch(sea, Shape("ISL", "province", (hole,))) == {("ISL", "SEA"): 4.0}
    assert not sea.holds((1.5, 1.5))
    assert sea.holds((0.5, 0.5))


_NUMBER = st.integers(-8, 8).map(float)


@drawn(40, 1000)
@given(st.lists(st.tuples(_NUMBER, _NUMBER), min_size=3, max_size=8, unique=True), _NUMBER, _NUMBER)
def test_a_point_lies_inside_as_shapely_says(
    points: list[tuple[float, float]], x: float, y: float
) -> None:
    polygon = shapely.Polygon(points).convex_hull
    if polygon.geom_type == "Polygon":
        shape = _shape("A", *[(a, b) for a, b in polygon.exterior.coords[:-1]])
        point = (x + 0.37, y + 0.11)
        if polygon.boundary.distance(shapely.Point(point)) > 1e-9:
            assert shape.holds(point) == polygon.contains(shapely.Point(point))
