"""The title, the legend and the scoreboard."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from alexmagnum import Position, Unit, adjudicate, load_board, parse_phase
from alexmagnum.cases.files import read_turn
from alexmagnum.draw import draw_position, draw_turn
from alexmagnum.draw.base_map import Score, count_scores, make_base_map
from alexmagnum.draw.pictures import NARROWEST, find_surroundings
from alexmagnum.draw.positions import MapPage
from alexmagnum.draw.scene import Layer, Mark, Scene, Text, Token, width
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.orders import Hold
from alexmagnum.position import Dislodged
from tests.draw.sample_scenes import WORDS, sample_outcome
from tests.scenarios import PROFILES
from tests.sizes import one_in

BOARD = load_board("alexmagnum")
POSITION = Position(
    BOARD,
    parse_phase("318-spring"),
    (Unit("TOL", "A", "MEN"), Unit("TOL", "G", "ALE"), Unit("SEL", "A", "BAB")),
    {"MEN": "TOL", "ALE": "TOL", "BAB": "SEL"},
    nobility={"SEL": 7},
)


def _layer(scene: Scene, key: str) -> Layer:
    return next(layer for layer in scene.layers if layer.key == key)


def _texts(scene: Scene, key: str) -> list[str]:
    return [item.text for item in _layer(scene, key).items if isinstance(item, Text)]


def test_the_scores_count_centres_units_and_nobility() -> None:
    found = {score.power: score for score in count_scores(POSITION)}

    assert found["TOL"] == Score("TOL", 2, 2, 10)
    assert found["SEL"] == Score("SEL", 1, 1, 7)
    assert found["CAN"] == Score("CAN", 0, 0, 10)


def test_a_unit_that_has_yet_to_retreat_counts() -> None:
    away = Dislodged(Unit("TOL", "A", "TEB"), Unit("SEL", "A", "NUB"), ("MEN",))
    position = replace(POSITION, dislodged=(away,))

    assert {s.power: s.units for s in count_scores(position)}["TOL"] == 3


def test_the_scoreboard_lists_the_strongest_first_in_the_readers_language() -> None:
    said = _texts(draw_position(POSITION, load_sentences("en"), title="T"), "scoreboard")

    assert said[:3] == ["Centres", "Units", "Nobility"]
    assert said.index("Ptolemy") < said.index("Seleucus") < said.index("Chandragupta")


def test_a_long_title_is_set_smaller_and_stays_in_its_box() -> None:
    short, long = (
        next(
            item
            for item in _layer(
                draw_position(POSITION, load_sentences("it"), title=t), "legend"
            ).items
            if isinstance(item, Text) and item.look == "title"
        )
        for t in ("Perdicca", "Il lungo regno di Perdicca reggente")
    )

    assert short.size == 40.0
    assert long.size < 25.0


def test_a_title_without_end_is_cut_and_still_read() -> None:
    scene = draw_position(POSITION, load_sentences("it"), title="Perdicca & Alessandro " * 20)
    title = next(
        item
        for item in _layer(scene, "legend").items
        if isinstance(item, Text) and item.look == "title"
    )
    box = MapPage(make_base_map(BOARD, "it"), POSITION, load_sentences("it"), "T", "").legend_box

    assert title.text.endswith("…")
    assert title.size > 12
    assert width(title.text, title.size, "semibold") + 2.5 * len(title.text) < box.width


def test_a_long_name_of_a_power_ends_before_its_figures() -> None:
    powers = {**BOARD.powers}
    powers["TOL"] = replace(powers["TOL"], names={"en": "Ptolemy son of Lagus, called Saviour"})
    position = replace(POSITION, board=replace(BOARD, powers=powers))
    scene = draw_position(position, load_sentences("en"), title="T")
    texts = [item for item in _layer(scene, "scoreboard").items if isinstance(item, Text)]
    name = next(item for item in texts if item.text.startswith("Ptolemy"))
    figure = next(item for item in texts if item.look == "figure")

    assert name.at[0] + width(name.text, name.size, "semibold") < figure.at[0] - 8


def test_title_and_scoreboard_stand_on_no_province() -> None:
    plate = make_base_map(BOARD, "it")
    sheet = MapPage(plate, POSITION, load_sentences("it"), "T", "")

    for box in (sheet.legend_box, sheet.score_box):
        assert plate.atlas.box.holds(box.middle)
        assert plate.grid.is_bare(box)


def test_the_legend_explains_every_sign_of_this_map() -> None:
    position = read_turn(Path("orders/turn.yaml"), None).position
    assert position is not None
    said = _texts(draw_position(position, load_sentences("en"), title="T"), "legend")

    for sign in ("major city", "independent centre", "portage", "navigable river", "general"):
        assert sign in said


MEANINGS = {
    "burst": "sign-failure",
    "slash": "sign-cut",
    "wave": "sign-convoy",
    "stood": "sign-stood",
    "rollers": "sign-haul",
    "place": "sign-number",
    "dashed": "sign-support",
}
"""The rows of the legend by a look that only marks of this kind have."""


@pytest.mark.parametrize("seed", one_in(6, range(12)))
def test_the_legend_shows_the_marks_of_a_turn_and_no_others(seed: int) -> None:
    words = load_sentences("en")
    for profile in ("battle", "river", "portage", "convoy"):
        scenario = PROFILES[profile](Random(seed))
        outcome = adjudicate(scenario.position, scenario.orders)
        scene = draw_turn(outcome, words, title="T")
        marks = [i for layer in scene.layers for i in layer.items if isinstance(i, Mark)]
        tokens = [i for layer in scene.layers for i in layer.items if isinstance(i, Token)]
        looks = {
            look
            for mark in marks
            for shape in mark.shapes
            for look in shape.look.split()
            if not (look == "dashed" and mark.look == "convoy")
            if not (look == "burst" and mark.result == "stopped")
        }
        said = _texts(scene, "legend")

        for look, row in MEANINGS.items():
            assert (words.format(row) in said) == (look in looks), (profile, look)
        lost = any(mark.look == "lost" for mark in marks)
        assert (words.format("sign-destroyed") in said) == lost
        numbered = any(token.number for token in tokens if token.unit)
        assert (words.format("sign-fleet-number") in said) == numbered
        gone = any(token.state == "dislodged" for token in tokens if token.unit)
        assert (words.format("sign-dislodged") in said) == gone


@pytest.mark.parametrize("seed", one_in(6, range(12)))
def test_the_legend_tells_holds_under_attack_from_others_and_failed_convoys(seed: int) -> None:
    words = load_sentences("en")
    for profile in ("battle", "convoy", "medley"):
        scenario = PROFILES[profile](Random(seed))
        outcome = adjudicate(scenario.position, scenario.orders)
        said = _texts(draw_turn(outcome, words, title="T"), "legend")
        holding = {
            unit
            for unit in outcome.position.units
            if isinstance(outcome.fates(unit)[0].order, Hold | None)
            and outcome.result_of(unit) == "stands"
        }
        stood = {u for u in holding if outcome.fates(u)[0].reason.code != "unattacked"}
        calm = {e.unit for e in outcome.results if isinstance(e.order, Hold)} & holding - stood
        broken = [e for e in outcome.results if e.result == "disrupted"]

        assert (words.format("sign-stood") in said) == bool(stood), profile
        assert (words.format("sign-disrupted") in said) == bool(broken), profile
        assert not calm or words.format("sign-hold") in said, profile


def test_the_sample_turn_explains_hauls_expresses_and_orders_that_do_not_count() -> None:
    said = _texts(draw_turn(sample_outcome(), load_sentences("en"), title="T"), "legend")

    for row in ("sign-haul", "sign-stopped", "sign-void", "sign-caught", "sign-destroyed"):
        assert load_sentences("en").format(row) in said


def test_the_legend_of_a_turn_keeps_the_signs_of_the_map() -> None:
    said = _texts(draw_turn(sample_outcome(), load_sentences("en"), title="T"), "legend")

    for row in ("sign-portage", "sign-crossing", "sign-wild", "sign-fixed"):
        assert load_sentences("en").format(row) in said


def test_the_legend_of_a_part_explains_only_what_is_in_it() -> None:
    words = load_sentences("en")
    outcome = sample_outcome()
    inland = find_surroundings(outcome.position.board, ["SUS"], NARROWEST)
    said = _texts(draw_turn(outcome, words, title="T", crop=inland), "legend")

    assert words.format("sign-river") in said
    for row in ("sign-fixed", "sign-portage", "sign-crossing", "sign-garrison"):
        assert words.format(row) not in said


def test_units_that_differ_between_plans_have_a_row_of_their_own() -> None:
    outcome = sample_outcome()
    row = WORDS.format("sign-lit")

    plain = draw_turn(outcome, WORDS, title="Plan")
    compared = draw_turn(outcome, WORDS, title="Plan", lit={"F CAR"})

    assert row not in _texts(plain, "legend")
    assert row in _texts(compared, "legend")
    assert len(_layer(compared, "lights").items) == 1
