"""A part of a map: everything is placed for it, and orders that leave it say where they go."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from alexmagnum import Phase, Position, load_board
from alexmagnum.campaign import first_position, position_after
from alexmagnum.draw import Scene, draw_position, draw_turn
from alexmagnum.draw.base_map import Crop, make_base_map
from alexmagnum.draw.insets import Excerpt, find_excerpt
from alexmagnum.draw.orders import collect_orders
from alexmagnum.draw.pictures import NARROWEST, find_front, find_surroundings
from alexmagnum.draw.scene import Box, Text, Token, square
from tests.draw.sample_scenes import (
    WORDS,
    adjudicate_lines,
    items,
    marks,
    place_units,
    sample_outcome,
    tokens,
)

OUTCOME = sample_outcome()
POSITION = OUTCOME.position
POWERS = tuple(POSITION.board.powers)


def front(power: str) -> Crop:
    found = find_front((POSITION, position_after(OUTCOME)), power)
    assert found is not None
    return found


@cache
def draw(crop: Crop | None) -> Scene:
    return draw_turn(OUTCOME, WORDS, title="Part", crop=crop)


@pytest.mark.parametrize("power", POWERS)
def test_a_front_shows_the_units_and_the_orders_of_its_power_clear_of_each_other(
    power: str,
) -> None:
    crop = front(power)
    scene = draw(crop)
    sheet = Box(0.0, 0.0, crop.width, crop.lens.frame.height)
    names = next(layer for layer in scene.layers if layer.key == "names")
    shown = {token.unit: token for token in tokens(scene)}
    whole = {mark.unit for mark in marks(draw(None)) if mark.power == power}

    assert {POSITION.name(unit) for unit in POSITION.units_of(power)} <= shown.keys()
    assert whole <= {mark.unit for mark in marks(scene)}
    assert all(sheet.holds(token.at) for token in tokens(scene))
    assert all(sheet.holds(text.at) for text in names.items if isinstance(text, Text))
    for a, b in combinations([token.at for token in tokens(scene)], 2):
        assert abs(a[0] - b[0]) > 20 or abs(a[1] - b[1]) > 20


@pytest.mark.parametrize("power", POWERS)
def test_a_front_is_drawn_in_the_phases_before_and_after(power: str) -> None:
    after = position_after(OUTCOME)
    crop = find_front((after,), power)

    assert tokens(draw_position(after, WORDS, title="", crop=crop))


def test_an_order_that_leaves_the_part_ends_at_a_tag_with_the_name_of_the_place() -> None:
    position = place_units(POSITION, "318-spring", "TOL A MEN", "SEL A BAB")
    outcome = adjudicate_lines(position, TOL="A MEN - TEB", SEL="A BAB H")
    x, y = board_slot("MEN")
    crop = Crop(Box(x - 30, y - 30, x + 30, y + 10), NARROWEST)
    scene = draw_turn(outcome, WORDS, title="", crop=crop)

    assert [mark.unit for mark in marks(scene)] == ["A MEN"]
    (gate,) = (i for i in items(scene) if isinstance(i, Text) and i.look == "gate-name")
    assert gate.text == position.board.provinces["TEB"].name("en")


@pytest.mark.parametrize("power", POWERS)
def test_tags_at_the_edge_hide_nothing_and_the_number_of_every_window_is_seen(power: str) -> None:
    crop, scene = front(power), draw(front(power))
    gates = [gate.box for gate in place_excerpt(crop).gates]
    units = [token.at for token in tokens(scene)]
    layers = {layer.key: layer for layer in scene.layers}
    numbers = [item.at for item in layers["windows"].items if isinstance(item, Text)]
    sheet = Box(0.0, 0.0, crop.width, crop.lens.frame.height).grown(-10.0)
    hiding = [*gates, *(square(at, 12.0) for at in units)]

    assert not any(a.meets(b) for a, b in combinations(gates, 2))
    assert not any(gate.holds(at) for gate in gates for at in units)
    assert len(numbers) == len(scene.insets)
    assert all(sheet.holds(at) for at in numbers)
    assert not any(box.holds(at) for box in hiding for at in numbers)


def test_orders_elsewhere_are_not_drawn() -> None:
    crop = front("CAN")

    assert {mark.power for mark in marks(draw(crop))} == {"CAN", "NEU"}
    assert {token.power for token in tokens(draw(crop))} <= {"CAN", "NEU"}


def test_orders_of_one_power_alone_reveal_no_other() -> None:
    crop = front("LIS")
    scene = draw_turn(OUTCOME, WORDS, title="", orders_of=("LIS",), crop=crop)

    assert {mark.power for mark in marks(scene)} == {"LIS"}
    assert {token.state for token in tokens(scene)} == {""}


def test_a_power_without_units_has_its_centres_shown_and_without_both_the_whole_map() -> None:
    board = POSITION.board
    lost = Position(board, Phase(318, "spring"), (), {"MEN": "TOL"})
    crop = find_front((lost,), "TOL")

    assert crop is not None
    assert crop.window.holds(board_slot("MEN"))
    assert find_front((Position(board, Phase(318, "spring"), ()),), "TOL") is None


def place_excerpt(crop: Crop) -> Excerpt:
    base = make_base_map(POSITION.board, "en", crop)
    return find_excerpt(base, POSITION, collect_orders(OUTCOME, WORDS), "en")


def board_slot(province: str) -> tuple[float, float]:
    from alexmagnum.draw.map_shapes import load_atlas

    return load_atlas(POSITION.board).grounds[province].slots[0]


def test_a_part_that_is_most_of_the_map_is_the_whole_map() -> None:
    assert find_surroundings(POSITION.board, tuple(POSITION.board.provinces), 1000.0) is None


def test_a_map_without_shapes_has_parts_too() -> None:
    position = first_position(load_board("standard"))
    crop = find_front((position,), "France")
    scene = draw_position(position, WORDS, title="", crop=crop)

    assert {"A PAR", "A MAR", "F BRE"} <= {token.unit for token in tokens(scene)}


def test_a_part_has_no_scoreboard_and_hides_what_reaches_out_of_its_sheet() -> None:
    keys = [layer.key for layer in draw(front("LIS")).layers]

    assert "scoreboard" not in keys
    assert keys.index("edge") > keys.index("orders")


def test_a_letter_of_a_name_is_large_enough_for_a_telephone() -> None:
    scene = draw(front("LIS"))
    names = next(layer for layer in scene.layers if layer.key == "names")

    pixels = 360 / scene.box.width
    assert all(item.size * pixels >= 8.0 for item in names.items if isinstance(item, Text))
    assert all(t.size * pixels >= 12.0 for t in items(scene) if isinstance(t, Token) and t.unit)


@pytest.mark.parametrize("power", POWERS)
def test_insets_of_a_part_are_much_larger_than_what_they_show(power: str) -> None:
    crop = find_front((POSITION,), power, 720.0)
    scene = draw(crop)

    for inset in scene.insets:
        assert inset.frame.width > 1.69 * inset.window.width
        assert scene.box.holds((inset.frame.right, inset.frame.bottom))
    for one, other in combinations(scene.insets, 2):
        assert not one.frame.meets(other.frame)
