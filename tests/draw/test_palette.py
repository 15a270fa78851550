"""The powers' colours keep apart for the colour-blind, and in black and white."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from daltonlens.simulate import Deficiency, Simulator_Machado2009
from numpy.typing import NDArray

from alexmagnum import load_board
from alexmagnum.board.model import INDEPENDENT
from alexmagnum.draw.base_map import PARCHMENT, TINT, make_base_map
from alexmagnum.draw.scene import (
    NOBODY,
    SPARE,
    assign_letters,
    assign_liveries,
    choose_ink,
    luminance,
    mix_colors,
)

MAPS = ["alexmagnum", "standard"]

SIGHTS = {
    "normal": None,
    "without red": Deficiency.PROTAN,
    "without green": Deficiency.DEUTAN,
    "without blue": Deficiency.TRITAN,
}

APART = {"alexmagnum": (25.0, 12.0), "standard": (10.0, 4.0)}
"""The least difference of two colours, and of two tints: CIE 1976, where 2.3 is just seen."""


def _simulate_sight(colors: list[str], deficiency: Deficiency | None) -> NDArray[np.float64]:
    """Return the colours as somebody sees them, in CIE L*a*b*: shape (colours, 3)."""
    rgb = np.array([[[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in colors]], dtype=np.uint8)
    if deficiency is not None:
        rgb = Simulator_Machado2009().simulate_cvd(rgb, deficiency, severity=1.0)
    part = rgb[0] / 255.0
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = linear @ to_xyz.T / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    lab = [116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])]
    return np.stack(lab, axis=1)


def _least(colors: list[str], deficiency: Deficiency | None) -> float:
    lab = _simulate_sight(colors, deficiency)
    return min(float(np.linalg.norm(a - b)) for a, b in combinations(lab, 2))


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", MAPS)
def test_the_colours_of_the_powers_keep_apart_for_every_kind_of_sight(
    name: str, sight: str
) -> None:
    board = load_board(name)
    marks = assign_liveries(board)
    colors = [marks[power].color for power in board.powers]

    assert _least(colors, SIGHTS[sight]) > APART[name][0]


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", MAPS)
def test_the_tints_of_their_centres_keep_apart_too(name: str, sight: str) -> None:
    board = load_board(name)
    marks = assign_liveries(board)
    tints = [mix_colors(marks[power].color, PARCHMENT[0], TINT) for power in board.powers]

    assert _least(tints, SIGHTS[sight]) > APART[name][1]


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", MAPS)
def test_neighbouring_seas_differ_for_every_kind_of_sight(name: str, sight: str) -> None:
    board = load_board(name)
    shades = make_base_map(board, "en").shades
    pairs = {
        (shades[a], shades[b])
        for border in board.borders
        for a, b in [(board.province_of(border.a).id, board.province_of(border.b).id)]
        if board.provinces[a].is_sea and board.provinces[b].is_sea
    }

    assert pairs
    assert min(_least(list(pair), SIGHTS[sight]) for pair in pairs) > 4.0


def test_colours_that_only_differ_in_red_and_green_would_be_found() -> None:
    """Check that the measure can fail: many people cannot tell red and green of one lightness."""
    assert _least(["#B06A2E", "#7F8030"], None) > 25.0
    assert _least(["#B06A2E", "#7F8030"], Deficiency.DEUTAN) < 20.0


@pytest.mark.parametrize("name", MAPS)
def test_without_colour_a_letter_and_a_pattern_tell_each_power(name: str) -> None:
    board = load_board(name)
    marks = [assign_liveries(board)[power] for power in board.powers]

    assert len({mark.letter for mark in marks}) == len(board.powers)
    assert len({mark.pattern for mark in marks}) == len(board.powers)


def test_a_letter_that_is_taken_gives_way_to_the_next_of_the_name() -> None:
    letters = assign_letters(load_board("alexmagnum"))

    assert (letters["CAS"], letters["CAN"]) == ("C", "N")  # the A is that of AUT


@pytest.mark.parametrize("color", [*SPARE, "#7F7F7F", "#E1C328"])
def test_the_ink_on_a_colour_is_read_easily(color: str) -> None:
    """Require a contrast of 4.5 to 1, as WCAG 2 does of text (level AA)."""
    dark, light = sorted((luminance(color), luminance(choose_ink(color))))

    assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_the_independents_and_the_legend_have_a_livery_of_their_own() -> None:
    marks = assign_liveries(load_board("alexmagnum"))

    assert marks[INDEPENDENT].color != marks[NOBODY].color
    assert not marks[INDEPENDENT].pattern
