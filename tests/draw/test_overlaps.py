"""A turn can be read off its picture: nothing covers another's meaning, in any phase."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from alexmagnum import adjudicate, load_board
from alexmagnum.draw import draw_turn
from alexmagnum.draw.scene import Mark, Scene, Shape, Token
from alexmagnum.game.desk import Desk
from alexmagnum.judge import Outcome
from alexmagnum.play import play_game
from tests.draw.overlaps import (
    is_forbidden,
    list_footprints,
    list_misplaced_symbols,
    measure_overlaps,
)
from tests.draw.sample_scenes import WORDS, sample_scene
from tests.scenarios import PROFILES
from tests.sizes import is_proof, sampled, sized

BUDGET = 60.0
"""The area in square units that the other overlaps of a picture may have on average."""

CROWDED = ("sea", "battle", "medley", "river", "portage")
"""The profiles of scenarios in which many units stand close to each other."""


def _draw(outcome: Outcome) -> Scene:
    return draw_turn(outcome, WORDS, title="T")


def _list_faults(scene: Scene) -> list[str]:
    covered = [str(overlap) for overlap in measure_overlaps(scene) if is_forbidden(overlap)]
    return covered + list_misplaced_symbols(scene)


def _sample_outcomes(folder: Path) -> Iterator[Outcome]:
    with Desk.open(folder) as desk:
        for phase in desk.phases():
            if phase.state == "processed":
                yield desk.processed(phase.name).outcome


def _random_outcomes(games: int, scenarios: int) -> Iterator[Outcome]:
    """Yield outcomes of random games, and of small positions full of battles."""
    board = load_board("alexmagnum")
    for seed in range(games):
        played = islice(play_game(board, seed), 3 + seed % 7, 60, 7)
        yield from (phase.outcome for phase in played)
    for profile in CROWDED:
        for seed in range(scenarios):
            scenario = PROFILES[profile](Random(seed))
            yield adjudicate(scenario.position, scenario.orders)


def test_nothing_is_covered_in_the_sample_turn() -> None:
    assert _list_faults(sample_scene()) == []


@sampled
def test_nothing_is_covered_in_any_phase_of_the_sample_game(sample_game: Path) -> None:
    outcomes = list(_sample_outcomes(sample_game))
    faults = {
        str(outcome.position.phase): found
        for outcome in outcomes[:: sized(4, 1)]
        if (found := _list_faults(_draw(outcome)))
    }

    assert len(outcomes) == 19
    assert faults == {}


@sampled
def test_nothing_is_covered_in_random_turns() -> None:
    outcomes = list(_random_outcomes(sized(0, 15), sized(1, 16)))
    scenes = [_draw(outcome) for outcome in outcomes]
    faults = [found for scene in scenes if (found := _list_faults(scene))]
    area = sum(overlap.area for scene in scenes for overlap in measure_overlaps(scene))

    assert len(outcomes) >= (200 if is_proof() else 5)
    assert faults == []
    assert area / len(scenes) < BUDGET


@sampled
@pytest.mark.parametrize("with_shapes", [True, False])
def test_nothing_is_covered_in_random_turns_of_the_standard_map(
    tmp_path: Path, with_shapes: bool
) -> None:
    plain = tmp_path / "plain.json"
    plain.write_bytes(Path("maps/standard.json").read_bytes())
    board = load_board("standard" if with_shapes else str(plain))
    outcomes = [
        phase.outcome
        for seed in range(sized(1, 10))
        for phase in islice(play_game(board, seed), 2 + seed, 40, sized(20, 9))
    ]

    assert [found for outcome in outcomes if (found := _list_faults(_draw(outcome)))] == []


@pytest.mark.parametrize(
    ("kind", "look"), [("burst", "burst"), ("head", "head"), ("number", "place")]
)
def test_the_measure_finds_each_kind_of_sign(kind: str, look: str) -> None:
    scene = sample_scene()
    drawn = {
        shape.look.split()[0]
        for layer in scene.layers
        for mark in layer.items
        if isinstance(mark, Mark)
        for shape in mark.shapes
        if isinstance(shape, Shape)
    }

    assert look in drawn
    assert kind in {footprint.kind for footprint in list_footprints(scene)}


def test_a_name_on_a_unit_would_be_found() -> None:
    """Check that the measure can fail."""
    scene = sample_scene()
    tokens = [i for layer in scene.layers for i in layer.items if isinstance(i, Token) and i.unit]
    moved = replace(tokens[0], at=tokens[1].at)
    layers = [
        replace(layer, items=tuple(moved if item is tokens[0] else item for item in layer.items))
        for layer in scene.layers
    ]
    faults = _list_faults(replace(scene, layers=tuple(layers)))

    assert any("symbol" in fault for fault in faults)
    assert any("outside" in fault for fault in faults)
