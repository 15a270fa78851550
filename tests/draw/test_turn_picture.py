"""A turn as a scene, whole and in part, with its legend: every order is seen, secrets are kept."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board import load_board
from alexmagnum.bots.random_player import random_orders
from alexmagnum.campaign import first_position, position_after
from alexmagnum.cases.files import read_turn, resolve_turn
from alexmagnum.draw import draw_position, draw_turn, orders, render_svg
from alexmagnum.draw import scene as scenes
from alexmagnum.draw.atlas import APART, RADIUS
from alexmagnum.draw.base_map import Crop, Score, count_scores, make_base_map
from alexmagnum.draw.map_shapes import load_atlas
from alexmagnum.draw.orders import collect_orders, line_length, nearest_length, point_along
from alexmagnum.draw.pictures import NARROWEST, find_front, find_surroundings
from alexmagnum.draw.positions import Excerpt, MapPage, find_excerpt
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import ILLEGAL, Outcome
from alexmagnum.notation import write_order
from alexmagnum.orders import Hold, Pick, Waive
from alexmagnum.play import play_game
from alexmagnum.position import Dislodged, Phase, Position, Unit
from tests.case_library import cases_in
from tests.draw.sample_scenes import (
    WORDS,
    adjudicate_lines,
    items,
    lay_out_orders,
    marks,
    sample_outcome,
    sample_scene,
    sample_turn,
    shape_classes,
    tokens,
)
from tests.each import check_each
from tests.scenarios import PROFILES
from tests.sizes import drawn, one_in
from tests.units import judge_lines, place_units

CASES = {case.id: case for case in cases_in("cases")}
POSITION, ORDERS = sample_turn()


def scene_of(outcome: Outcome, *, orders_of: tuple[str, ...] | None = None) -> scenes.Scene:
    return draw_turn(outcome, WORDS, title="Turn", orders_of=orders_of)


def the_mark(scene: scenes.Scene, unit: str) -> scenes.Mark:
    (found,) = (mark for mark in marks(scene) if mark.unit == unit)
    return found


# -- every order is seen --------------------------------------------------------------------------


def _check_orders_drawn(name: str) -> None:
    outcome = resolve_turn(CASES[name].turn).outcome
    assert not Counter(
        write_order(entry.order)
        for entry in outcome.results
        if entry.result != ILLEGAL and not isinstance(entry.order, (Pick, Waive))
    ) - Counter(deed.order for deed in collect_orders(outcome, WORDS))


@pytest.mark.proof
def test_every_legal_order_of_the_cases_is_drawn() -> None:
    check_each([(name,) for name in CASES], _check_orders_drawn)


def test_every_deed_of_the_sample_turn_has_a_mark_which_says_the_order_and_why() -> None:
    """A mark and its unit say how the order came out."""
    drawn = Counter((mark.unit, mark.look) for mark in marks(sample_scene()))
    mark = the_mark(sample_scene(), "F TIR")
    (token,) = (t for t in tokens(sample_scene()) if t.unit == "G CIL")

    assert Counter((d.name, d.look) for d in collect_orders(sample_outcome(), WORDS)) == drawn
    assert (mark.power, mark.look, mark.result) == ("TOL", "hold", "stands")
    assert mark.title.startswith("F TIR H: ")
    assert (token.order, token.result) == ("G CIL - CAP", "succeeds")
    assert token.title.startswith("G CIL - CAP: ")


@pytest.mark.proof
def test_every_phase_of_a_game_can_be_drawn() -> None:
    kinds = set()
    for played in play_game(POSITION.board, 1, years=2):
        kinds.add(played.position.phase.kind)

        assert render_svg(scene_of(played.outcome), embed_fonts=False).endswith("</svg>\n")
    assert kinds == {"picks", "deployment", "movement", "retreats", "winter"}


# -- what came out --------------------------------------------------------------------------------


def test_success_and_failure_differ_in_shape_and_a_standoff_is_marked_in_its_place() -> None:
    """Both bursts lie on the place that neither unit got."""
    scene = scene_of(judge_lines("TOL A MEN - NOC; SEL A BAB - OPI; AUT A SUS - OPI"))
    failed = [the_mark(scene, unit) for unit in ("A BAB", "A SUS")]
    bursts = [
        s.d for m in failed for s in m.shapes if isinstance(s, scenes.Shape) and s.look == "burst"
    ]

    assert {"open", "burst"} & shape_classes(the_mark(scene, "A MEN")) == set()
    assert all({"open", "core", "burst"} <= shape_classes(mark) for mark in failed)
    assert len(bursts) == 2
    assert len(set(bursts)) == 1


SHOWN: dict[str, tuple[set[str], set[str]]] = {
    "A ISR": ({"slash"}, set()),  # a support that was cut
    "A NIS": (set(), {"slash"}),  # a support that was given
    "A PER": ({"nothing"}, {"head"}),  # an order that counts for nothing
    "F FOI": ({"burst", "open", "nothing"}, set()),  # an express that was stopped
}
"""By unit: shapes that its mark has, and others that it has not."""


def test_what_came_out_of_an_order_shows_in_its_mark_and_its_unit() -> None:
    """Dislodged units look so; what is destroyed is crossed out."""
    for unit, (shown, hidden) in SHOWN.items():
        found = shape_classes(the_mark(sample_scene(), unit))
        assert shown <= found
        assert not hidden & found
    states = {token.unit: token.state for token in tokens(sample_scene())}
    lost = {mark.unit for mark in marks(sample_scene()) if mark.look == "lost"}
    assert (states["F CRE"], states["F ADR#2"], states["A ASS"]) == ("dislodged", "dislodged", "")
    assert lost == {"A SPA", "A CAP", "A PAT", "F FEN#2"}
    assert {states[unit] for unit in lost} == {""}


def test_in_a_retreat_phase_the_dislodged_stand_beside_who_took_their_place() -> None:
    for played in play_game(POSITION.board, 3, years=6):
        for dislodged in played.position.dislodged:
            stage, _ = lay_out_orders(played.outcome)
            at = stage.seats[dislodged.unit]
            there = [u for u in played.position.units if u.place == dislodged.unit.place]
            around = [stage.seats[unit] for unit in there]
            assert all(APART - 2 < scenes.distance(at, other) < 2.2 * APART for other in around)


def test_builds_are_ghosts_with_a_plus_and_removals_crossed_out() -> None:
    position = place_units("TOL A TEB", phase="318-winter", owners={"ALE": "TOL", "MEN": "TOL"})
    scene = scene_of(adjudicate_lines(position, TOL="Build F ALE"))
    (built,) = (token for token in tokens(scene) if token.state == "ghost")

    assert built.unit == "F ALE"
    assert "plus" in shape_classes(the_mark(scene, "F ALE"))
    removed = scene_of(adjudicate_lines(replace(position, owners={}), TOL="Remove A TEB"))
    assert "cross" in shape_classes(the_mark(removed, "A TEB"))


# -- ways -----------------------------------------------------------------------------------------


def test_an_express_runs_along_its_river() -> None:
    stage, found = lay_out_orders(judge_lines("TOL F FOC - TEB"))
    (line,) = found.lines.values()
    river = stage.river(("FOC", "NOC", "MEN", "TEB"))
    middle = line[len(line) // 4 : -len(line) // 4]

    assert all(
        scenes.distance(p, point_along(river, nearest_length(river, p))[0]) < 8 for p in middle
    )


def test_a_haul_runs_over_the_land_with_rollers() -> None:
    outcome = judge_lines("TOL F FEN - SUE")
    stage, found = lay_out_orders(outcome)
    (line,) = found.lines.values()

    assert "rollers" in shape_classes(the_mark(scene_of(outcome), "F FEN"))
    for point in stage.portage("SIS"):
        assert min(scenes.distance(point, p) for p in line) < 6


def test_fleets_hauled_over_one_portage_go_side_by_side_and_have_an_inset() -> None:
    outcome = judge_lines("TOL F EGI - SUE; TOL F FEN - SUE; SEL F SUE - SIS")
    stage, found = lay_out_orders(outcome)
    (x, y), *_ = stage.portage("SIS")
    near = [min(scenes.distance((x, y + 9.0), p) for p in line) for line in found.lines.values()]
    windows = [inset.window for inset in scene_of(outcome).insets]

    assert len({round(far) for far in near}) == 3
    shown = [*stage.portage("SIS"), *(line[-1] for line in found.lines.values())]
    assert any(all(map(window.holds, shown)) for window in windows)


def test_a_support_beside_an_express_keeps_off_its_route() -> None:
    outcome = judge_lines("TOL F NOC - TEB; TOL A MEN S F NOC - TEB; SEL F TEB H")
    _, found = lay_out_orders(outcome)
    (route,) = found.lines.values()
    mark = the_mark(scene_of(outcome), "A MEN")
    dashed = next(s for s in mark.shapes if isinstance(s, scenes.Shape) and s.look == "line dashed")
    line = [(float(x), float(y)) for x, y in re.findall(r"([\d.]+),([\d.]+)", dashed.d)]

    assert all(min(scenes.distance(p, at) for p in route) > 6 for at in line[1 : len(line) // 2])


def test_a_convoy_passes_by_every_fleet_that_carries() -> None:
    outcome = judge_lines(
        "TOL A ALE - LIC via convoy; TOL F EGI C A ALE - LIC; TOL F PAN C A ALE - LIC; AUT F FEN"
    )
    stage, found = lay_out_orders(outcome)
    line = next(line for unit, line in found.lines.items() if unit.kind == "A")
    near = {
        unit.province: min(scenes.distance(stage.seats[unit], p) for p in line)
        for unit in outcome.position.units
        if unit.kind == "F"
    }

    assert RADIUS < near["EGI"] < 2.2 * RADIUS
    assert RADIUS < near["PAN"] < 2.2 * RADIUS


def test_a_support_to_move_ends_on_the_arrow_that_it_supports() -> None:
    _, found = lay_out_orders(sample_outcome())
    arrow = next(line for unit, line in found.lines.items() if str(unit) == "A UJJ")
    knob = next(s for s in the_mark(sample_scene(), "A MAT").shapes if s.look == "knob")
    assert not isinstance(knob, scenes.Text)
    x, y = (float(v) for v in knob.d[1:].split("a")[0].split(","))

    assert min(scenes.distance((x + 3.4, y), point) for point in arrow) < 5


# -- clear to see ---------------------------------------------------------------------------------


def overlapping(found: list[scenes.Token]) -> list[tuple[str, str]]:
    return [(a.unit, b.unit) for a, b in combinations(found, 2) if scenes.distance(a.at, b.at) < 27]


@pytest.mark.parametrize("seed", one_in(3, range(3)))
def test_no_symbol_covers_another_in_games_of_chance(seed: int) -> None:
    for played in play_game(POSITION.board.with_rules({"major_city_capacity": 2}), seed, years=4):
        assert overlapping(tokens(scene_of(played.outcome))) == []


def test_arrows_keep_clear_of_units_that_they_have_nothing_to_do_with_and_of_most_names() -> None:
    """But for hauls and expresses, which keep to their way, whoever stands on it; names are drawn
    over the arrows, and at most an eighth of the arrows' length is under them."""
    stage, found = lay_out_orders(sample_outcome())
    bound = {d.unit for d in collect_orders(sample_outcome(), WORDS) if d.over or d.course}
    touched = [
        (str(unit), str(other))
        for unit, line in found.lines.items()
        if unit not in bound
        for other, at in stage.seats.items()
        if other != unit and any(scenes.distance(point, at) < RADIUS - 1 for point in line)
    ]
    points = [p for line in found.lines.values() for p in line]
    hidden = [p for p in points if any(box.grown(-1).holds(p) for box in stage.names)]

    assert touched == []
    assert len(hidden) < len(points) / 8


def test_units_that_change_places_do_so_on_different_ways() -> None:
    outcome = judge_lines("TOL F EGI - FEN#1; TOL F FEN - EGI#1")
    there, back = lay_out_orders(outcome)[1].lines.values()

    assert scenes.distance(*[line[len(line) // 2] for line in (there, back)]) > 12


def test_arrows_end_at_the_unit_that_they_attack_and_before_a_fellow_in_a_city() -> None:
    """A city of two places."""
    stage, found = lay_out_orders(sample_outcome())
    by_name = {str(unit): unit for unit in stage.seats}
    line = found.lines[by_name["A UJJ"]]
    assert RADIUS < scenes.distance(line[-1], stage.seats[by_name["A PAT"]]) < RADIUS + 6
    assert line_length(line) > 40

    board = POSITION.board.with_rules({"major_city_capacity": 2})
    stage, found = lay_out_orders(judge_lines("TOL A MEN - ALE; TOL A ALE", board))
    (line,) = found.lines.values()
    fellow = next(unit for unit in stage.seats if unit.province == "ALE")
    assert RADIUS < scenes.distance(line[-1], stage.seats[fellow]) < RADIUS + 6


def test_insets_show_units_and_orders_again_beside_panels_on_a_ground_that_is_cut() -> None:
    """What lies outside a window takes time to render, though nobody sees it."""
    scene = sample_scene()

    assert scene.insets
    for one, other in combinations(scene.insets, 2):
        assert not one.frame.meets(other.frame)
    for inset in scene.insets:
        assert scene.box.encloses(inset.frame)
        layers = {layer.key: layer for layer in inset.layers}
        assert sum(isinstance(item, scenes.Token) for item in layers["units"].items) > 1
        assert layers["orders"].items
        near = inset.window.grown(60.0)
        starts = [
            (float(x), float(y))
            for shape in inset.ground
            for x, y in re.findall(r"M(-?[\d.]+)[ ,]?(-?[\d.]+)", shape.d)
        ]
        assert not [shape for shape in inset.ground if shape.d.startswith("#")]
        assert starts
        assert all(near.holds(start) for start in starts)


def test_insets_stand_beside_a_legend_below_the_map_and_hide_nothing_of_it() -> None:
    board = load_board("standard")
    fleets = (
        "England F SKA - DEN; England F NTH - HEL;"
        "Germany F DEN - SKA; Germany F HEL H; Germany F KIE - DEN"
    )
    scene = scene_of(judge_lines(fleets, board, phase="1904-spring"))

    assert scene.insets
    for inset in scene.insets:
        assert inset.frame.top > load_atlas(board).box.bottom
        assert scene.box.holds((inset.frame.right, inset.frame.bottom))
        assert inset.frame.width > 1.7 * inset.window.width


def test_a_short_arrow_that_a_support_hides_has_an_inset_on_empty_ground() -> None:
    outcome = judge_lines("CAS F ADR#1 - ADR#2; CAS F ILL S F ADR#1 - ADR#2; LIS F ADR#2")
    (inset,) = scene_of(outcome).insets

    layers = {layer.key: layer for layer in inset.layers}
    assert "F ADR#1" in {m.unit for m in layers["orders"].items if isinstance(m, scenes.Mark)}
    assert make_base_map(POSITION.board, "en").grid.is_bare(inset.frame)


@pytest.mark.parametrize(
    "lines",
    [
        "TOL A PAF - CAP; TOL A GOR S A PAF - CAP; LIS A CAP",
        "TOL A SIW - MEN; TOL A NOC S A SIW - MEN; LIS A MEN",
        "TOL G LIC - CAR; LIS A CAR",
    ],
)
def test_the_only_dislodgement_of_a_turn_has_an_inset_that_hides_no_province(lines: str) -> None:
    outcome = judge_lines(lines)
    (inset,) = scene_of(outcome).insets
    layers = {layer.key: layer for layer in inset.layers}
    shown = {item.unit for item in layers["units"].items if isinstance(item, scenes.Token)}

    assert outcome.dislodged
    assert len(shown) == len(outcome.position.units)
    assert inset.frame.width > 1.69 * inset.window.width
    assert make_base_map(POSITION.board, "en").grid.is_bare(inset.frame)


def test_a_turn_that_can_be_read_from_afar_has_no_inset() -> None:
    dislodging = judge_lines("CAN A UJJ - PAT; CAN G MAT S A UJJ - PAT; LIS A PAT")

    assert dislodging.dislodged
    assert scene_of(dislodging).insets == ()
    assert scene_of(judge_lines("TOL A MEN - NOC")).insets == ()


def test_names_in_an_inset_are_whole_and_clear_of_each_other_and_of_units() -> None:
    whole = {province.name("en") for province in POSITION.board.provinces.values()}
    for inset in sample_scene().insets:
        layers = {layer.key: layer for layer in inset.layers}
        names = [item for item in layers["names"].items if isinstance(item, scenes.Text)]
        boxes = [
            scenes.Box(n.at[0] - len(n.text) * 4, n.at[1] - 10, n.at[0] + len(n.text) * 4, n.at[1])
            for n in names
        ]

        assert {name.text for name in names} <= whole
        assert not any(a.meets(b) for a, b in combinations(boxes, 2))
        for unit in layers["units"].items:
            assert isinstance(unit, scenes.Token)
            assert not any(box.grown(3).holds(unit.at) for box in boxes)


# -- the same input, the same picture --------------------------------------------------------------


@pytest.mark.parametrize("seed", one_in(3, range(3)))
def test_the_order_of_listing_makes_no_difference(seed: int) -> None:
    rng = Random(seed)
    units, powers = list(POSITION.units), list(ORDERS)
    rng.shuffle(units)
    rng.shuffle(powers)
    orders = {power: rng.sample(ORDERS[power], len(ORDERS[power])) for power in powers}
    first, second = (
        render_svg(scene_of(each), embed_fonts=False).splitlines()
        for each in (adjudicate(replace(POSITION, units=tuple(units)), orders), sample_outcome())
    )

    assert [line for line in first if not line.startswith("<desc")] == [
        line for line in second if not line.startswith("<desc")
    ]


# -- secrets --------------------------------------------------------------------------------------


@drawn(2, 24)
@given(st.integers(0, 10**6))
def test_the_orders_of_one_power_tell_nothing_of_the_others(seed: int) -> None:
    """Whatever the others order, the picture is the same to the letter."""
    others = random_orders(POSITION, Random(seed))
    one = scene_of(adjudicate(POSITION, {**others, "TOL": ORDERS["TOL"]}), orders_of=("TOL",))
    other = scene_of(sample_outcome(), orders_of=("TOL",))

    assert render_svg(one, embed_fonts=False) == render_svg(other, embed_fonts=False)


@pytest.mark.parametrize("kind", one_in(4, ["picks", "deployment", "retreats", "winter"]))
def test_the_orders_of_one_power_tell_nothing_in_the_other_phases(kind: str) -> None:
    played = next(
        p
        for p in play_game(POSITION.board, 3)
        if p.position.phase.kind == kind and sum(map(bool, p.orders.values())) > 1
    )
    power = next(power for power, orders in played.orders.items() if orders)
    pictures = {
        render_svg(scene_of(outcome, orders_of=(power,)), embed_fonts=False)
        for outcome in (adjudicate(played.position, {power: played.orders[power]}), played.outcome)
    }

    assert len(pictures) == 1


def test_one_power_s_orders_are_drawn_as_written() -> None:
    scene = scene_of(sample_outcome(), orders_of=("TOL",))

    assert {mark.power for mark in marks(scene)} == {"TOL"}
    assert {mark.result for mark in marks(scene)} == {""}
    assert {token.state for token in tokens(scene)} == {""}
    assert not any("burst" in shape_classes(mark) for mark in marks(scene))
    assert len(marks(scene)) == len({order for order in ORDERS["TOL"] if is_own(order)})


def is_own(order: object) -> bool:
    return getattr(order, "unit", "") in {POSITION.name(unit) for unit in POSITION.units_of("TOL")}


# -- picks ----------------------------------------------------------------------------------------


def picked(**rules: str) -> Outcome:
    position = place_units(board=POSITION.board.with_rules(rules), phase="323-1")
    return adjudicate_lines(position, TOL="Pick ALE", SEL="Pick BAB", AUT="Pick BAB")


def test_picks_are_flags_on_their_centres_and_contested_ones_are_struck_out() -> None:
    scene = scene_of(picked())
    found = {(mark.power, mark.to): mark.result for mark in marks(scene) if mark.look == "pick"}

    assert found == {("TOL", "ALE"): "succeeds", ("SEL", "BAB"): "fails", ("AUT", "BAB"): "fails"}
    assert {mark.power for mark in marks(scene) if "cross" in shape_classes(mark)} == {"SEL", "AUT"}

    mark = next(m for m in marks(scene) if m.power == "TOL")
    city = load_atlas(POSITION.board).grounds["ALE"].city
    letter = next(shape for shape in mark.shapes if isinstance(shape, scenes.Text))
    assert city is not None
    assert scenes.distance(letter.at, city) < 40
    assert letter.text == "T"

    secret = orders.collect_flags(picked(publish_picks="own"), WORDS)  # the awards alone
    assert [(flag.power, flag.centre) for flag in secret] == [("TOL", "ALE")]


_OF_PHASES = {"built", "removed", "picked", "named by several"}


def _rows(scene: scenes.Scene) -> set[str]:
    return {*_texts(scene, "legend")} & _OF_PHASES


def test_the_legend_of_a_phase_without_orders_explains_no_marks_but_those_that_are_drawn() -> None:
    for season, period in (("winter", 0), ("picks", 1), ("deployment", 6)):
        position = replace(POSITION, phase=Phase(323, season, period=period), units=())
        assert _rows(scene_of(adjudicate_lines(position))) == set()
    winter = place_units("TOL A TEB", "TOL A NUB", phase="318-winter")
    assert _rows(scene_of(picked())) == {"picked", "named by several"}
    assert _rows(scene_of(adjudicate_lines(winter, TOL="Remove A TEB"))) == {"removed"}


OUTCOME = sample_outcome()

POWERS = tuple(POSITION.board.powers)


def front(power: str) -> Crop:
    found = find_front((POSITION, position_after(OUTCOME)), power)
    assert found is not None
    return found


@cache
def draw(crop: Crop | None) -> scenes.Scene:
    return draw_turn(OUTCOME, WORDS, title="Part", crop=crop)


@pytest.mark.parametrize("power", one_in(6, POWERS))
def test_a_front_shows_the_units_and_the_orders_of_its_power_clear_of_each_other(
    power: str,
) -> None:
    crop = front(power)
    scene = draw(crop)
    sheet = scenes.Box(0.0, 0.0, crop.width, crop.lens.frame.height)
    names = _layer(scene, "names")
    shown = {token.unit: token for token in tokens(scene)}
    whole = {mark.unit for mark in marks(draw(None)) if mark.power == power}

    assert {POSITION.name(unit) for unit in POSITION.units_of(power)} <= shown.keys()
    assert whole <= {mark.unit for mark in marks(scene)}
    assert all(sheet.holds(token.at) for token in tokens(scene))
    assert all(sheet.holds(text.at) for text in names.items if isinstance(text, scenes.Text))
    for a, b in combinations([token.at for token in tokens(scene)], 2):
        assert abs(a[0] - b[0]) > 20 or abs(a[1] - b[1]) > 20
    after = position_after(OUTCOME)
    assert tokens(draw_position(after, WORDS, title="", crop=find_front((after,), power)))


def test_an_order_that_leaves_the_part_ends_at_a_tag_with_the_name_of_the_place() -> None:
    x, y = board_slot("MEN")
    crop = Crop(scenes.Box(x - 30, y - 30, x + 30, y + 10), NARROWEST)
    scene = draw_turn(judge_lines("TOL A MEN - TEB; SEL A BAB H"), WORDS, title="", crop=crop)

    assert [mark.unit for mark in marks(scene)] == ["A MEN"]
    (gate,) = (i for i in items(scene) if isinstance(i, scenes.Text) and i.look == "gate-name")
    assert gate.text == POSITION.board.provinces["TEB"].name("en")


@pytest.mark.parametrize("power", POWERS)
def test_tags_at_the_edge_hide_nothing_and_the_number_of_every_window_is_seen(power: str) -> None:
    crop, scene = front(power), draw(front(power))
    gates = [gate.box for gate in place_excerpt(crop).gates]
    units = [token.at for token in tokens(scene)]
    layers = {layer.key: layer for layer in scene.layers}
    numbers = [item.at for item in layers["windows"].items if isinstance(item, scenes.Text)]
    sheet = scenes.Box(0.0, 0.0, crop.width, crop.lens.frame.height).grown(-10.0)
    hiding = [*gates, *(scenes.square(at, 12.0) for at in units)]

    assert not any(a.meets(b) for a, b in combinations(gates, 2))
    assert not any(gate.holds(at) for gate in gates for at in units)
    assert len(numbers) == len(scene.insets)
    assert all(sheet.holds(at) for at in numbers)
    assert not any(box.holds(at) for box in hiding for at in numbers)


def test_orders_elsewhere_are_not_drawn_and_those_of_one_power_alone_reveal_no_other() -> None:
    near, crop = draw(front("CAN")), front("LIS")
    alone = draw_turn(OUTCOME, WORDS, title="", orders_of=("LIS",), crop=crop)

    assert {mark.power for mark in marks(near)} == {"CAN", "NEU"}
    assert {token.power for token in tokens(near)} <= {"CAN", "NEU"}
    assert {mark.power for mark in marks(alone)} == {"LIS"}
    assert {token.state for token in tokens(alone)} == {""}


def test_a_power_without_units_has_its_centres_shown_and_without_both_the_whole_map() -> None:
    board = POSITION.board
    crop = find_front((Position(board, Phase(318, "spring"), (), {"MEN": "TOL"}),), "TOL")

    assert crop is not None
    assert crop.window.holds(board_slot("MEN"))
    assert find_front((Position(board, Phase(318, "spring"), ()),), "TOL") is None


def place_excerpt(crop: Crop) -> Excerpt:
    base = make_base_map(POSITION.board, "en", crop)
    return find_excerpt(base, POSITION, collect_orders(OUTCOME, WORDS))


def board_slot(province: str) -> tuple[float, float]:
    return load_atlas(POSITION.board).grounds[province].slots[0]


def test_a_map_without_shapes_has_parts_too_and_one_that_is_most_of_it_is_the_whole() -> None:
    position = first_position(load_board("standard"))
    scene = draw_position(position, WORDS, title="", crop=find_front((position,), "France"))

    assert {"A PAR", "A MAR", "F BRE"} <= {token.unit for token in tokens(scene)}
    assert find_surroundings(POSITION.board, tuple(POSITION.board.provinces), 1000.0) is None


def test_a_part_has_no_scoreboard_and_letters_large_enough_for_a_telephone() -> None:
    """It hides what reaches out of its sheet."""
    scene = draw(front("LIS"))
    keys = [layer.key for layer in scene.layers]
    names = _layer(scene, "names")

    assert "scoreboard" not in keys
    assert keys.index("edge") > keys.index("orders")
    pixels = 360 / scene.box.width
    assert all(item.size * pixels >= 8.0 for item in names.items if isinstance(item, scenes.Text))
    assert all(
        t.size * pixels >= 12.0 for t in items(scene) if isinstance(t, scenes.Token) and t.unit
    )


@pytest.mark.parametrize("power", one_in(6, POWERS))
def test_insets_of_a_part_are_much_larger_than_what_they_show(power: str) -> None:
    scene = draw(find_front((POSITION,), power, 720.0))

    for inset in scene.insets:
        assert inset.frame.width > 1.69 * inset.window.width
        assert scene.box.holds((inset.frame.right, inset.frame.bottom))
    for one, other in combinations(scene.insets, 2):
        assert not one.frame.meets(other.frame)


BOARD = load_board("alexmagnum")
SMALL = place_units(
    *("TOL A MEN", "TOL G ALE", "SEL A BAB"),
    owners={"MEN": "TOL", "ALE": "TOL", "BAB": "SEL"},
    nobility={"SEL": 7},
)


def _layer(scene: scenes.Scene, key: str) -> scenes.Layer:
    return next(layer for layer in scene.layers if layer.key == key)


def _list_texts(scene: scenes.Scene, key: str) -> list[scenes.Text]:
    return [item for item in _layer(scene, key).items if isinstance(item, scenes.Text)]


def _texts(scene: scenes.Scene, key: str) -> list[str]:
    return [text.text for text in _list_texts(scene, key)]


def test_the_scores_count_centres_units_and_nobility() -> None:
    """A unit that has yet to retreat counts."""
    found = {score.power: score for score in count_scores(SMALL)}
    away = Dislodged(Unit("TOL", "A", "TEB"), Unit("SEL", "A", "NUB"), ("MEN",))
    retreating = count_scores(replace(SMALL, dislodged=(away,)))

    assert found["TOL"] == Score("TOL", 2, 2, 10)
    assert found["SEL"] == Score("SEL", 1, 1, 7)
    assert found["CAN"] == Score("CAN", 0, 0, 10)
    assert {score.power: score.units for score in retreating}["TOL"] == 3


def test_the_scoreboard_lists_the_strongest_first_in_the_readers_language() -> None:
    said = _texts(draw_position(SMALL, load_sentences("en"), title="T"), "scoreboard")

    assert said[:3] == ["Centres", "Units", "Nobility"]
    assert said.index("Ptolemy") < said.index("Seleucus") < said.index("Chandragupta")


def _title(text: str) -> scenes.Text:
    scene = draw_position(SMALL, load_sentences("it"), title=text)
    return next(text for text in _list_texts(scene, "legend") if text.look == "title")


def test_a_long_title_is_set_smaller_and_one_without_end_is_cut_and_stays_in_its_box() -> None:
    box = MapPage(make_base_map(BOARD, "it"), SMALL, load_sentences("it"), "T", "").legend_box
    title = _title("Perdicca & Alessandro " * 20)

    assert _title("Perdicca").size == 40.0
    assert _title("Il lungo regno di Perdicca reggente").size < 25.0
    assert title.text.endswith("…")
    assert title.size > 12
    assert scenes.width(title.text, title.size, "semibold") + 2.5 * len(title.text) < box.width


def test_a_long_name_of_a_power_ends_before_its_figures() -> None:
    powers = {**BOARD.powers}
    powers["TOL"] = replace(powers["TOL"], names={"en": "Ptolemy son of Lagus, called Saviour"})
    position = replace(SMALL, board=replace(BOARD, powers=powers))
    texts = _list_texts(draw_position(position, load_sentences("en"), title="T"), "scoreboard")
    name = next(item for item in texts if item.text.startswith("Ptolemy"))
    figure = next(item for item in texts if item.look == "figure")

    assert name.at[0] + scenes.width(name.text, name.size, "semibold") < figure.at[0] - 8


def test_title_and_scoreboard_stand_on_no_province() -> None:
    plate = make_base_map(BOARD, "it")
    sheet = MapPage(plate, SMALL, load_sentences("it"), "T", "")

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


@pytest.mark.parametrize("seed", one_in(12, range(12)))
def test_the_legend_shows_the_marks_of_a_turn_and_no_others(seed: int) -> None:
    words = load_sentences("en")
    for profile in ("battle", "river", "portage", "convoy"):
        scenario = PROFILES[profile](Random(seed))
        scene = draw_turn(adjudicate(scenario.position, scenario.orders), words, title="T")
        marks = [i for layer in scene.layers for i in layer.items if isinstance(i, scenes.Mark)]
        tokens = [i for layer in scene.layers for i in layer.items if isinstance(i, scenes.Token)]
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


@pytest.mark.parametrize("seed", one_in(12, range(12)))
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


def test_the_way_of_an_army_that_no_fleet_carries_is_an_attempt_and_has_a_row() -> None:
    scene = draw_turn(judge_lines("TOL A CRE - ROD"), WORDS, title="T", orders_of=["TOL"])

    assert "nothing" in shape_classes(the_mark(scene, "A CRE"))
    assert WORDS.format("sign-attempt") in _texts(scene, "legend")


def test_the_sample_turn_explains_what_came_out_and_keeps_the_signs_of_the_map() -> None:
    said = _texts(draw_turn(sample_outcome(), WORDS, title="T"), "legend")
    outcomes = ("sign-haul", "sign-stopped", "sign-void", "sign-caught", "sign-destroyed")
    signs = ("sign-portage", "sign-crossing", "sign-wild", "sign-fixed")

    assert {WORDS.format(row) for row in (*outcomes, *signs)} <= {*said}


def test_the_legend_of_a_part_explains_only_what_is_in_it() -> None:
    words = load_sentences("en")
    outcome = sample_outcome()
    inland = find_surroundings(outcome.position.board, ["SUS"], NARROWEST)
    said = _texts(draw_turn(outcome, words, title="T", crop=inland), "legend")

    assert words.format("sign-river") in said
    for row in ("sign-fixed", "sign-portage", "sign-crossing", "sign-garrison"):
        assert words.format(row) not in said


@pytest.mark.proof
def test_units_that_differ_between_plans_have_a_row_of_their_own() -> None:
    outcome = sample_outcome()
    row = WORDS.format("sign-lit")

    compared = draw_turn(outcome, WORDS, title="Plan", lit={"F CAR"})

    assert row not in _texts(draw_turn(outcome, WORDS, title="Plan"), "legend")
    assert row in _texts(compared, "legend")
    assert len(_layer(compared, "lights").items) == 1
