"""A turn as a scene: every order is seen, results differ in shape, and secrets are kept."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board import load_board
from alexmagnum.bots.random_player import random_orders
from alexmagnum.campaign import first_position
from alexmagnum.cases.files import resolve_turn
from alexmagnum.draw import draw_turn, render_svg
from alexmagnum.draw.atlas import APART, RADIUS
from alexmagnum.draw.base_map import make_base_map
from alexmagnum.draw.map_shapes import load_atlas
from alexmagnum.draw.orders import (
    collect_flags,
    collect_orders,
    line_length,
    nearest_length,
    point_along,
)
from alexmagnum.draw.scene import Box, Mark, Scene, Shape, Text, Token, distance
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import ILLEGAL, Outcome
from alexmagnum.notation import write_order
from alexmagnum.orders import Pick, Waive
from alexmagnum.play import play_game
from alexmagnum.position import Phase, Position
from tests.case_library import cases_in
from tests.draw.sample_scenes import (
    WORDS,
    adjudicate_lines,
    lay_out_orders,
    marks,
    place_units,
    sample_outcome,
    sample_scene,
    sample_turn,
    shape_classes,
    tokens,
)
from tests.each import check_each
from tests.sizes import drawn, one_in

CASES = {case.id: case for case in cases_in("cases")}
POSITION, ORDERS = sample_turn()
STILL = place_units(POSITION, "318-spring", "TOL A MEN")


def scene_of(outcome: Outcome, *, orders_of: tuple[str, ...] | None = None) -> Scene:
    return draw_turn(outcome, WORDS, title="Turn", orders_of=orders_of)


def the_mark(scene: Scene, unit: str) -> Mark:
    (found,) = (mark for mark in marks(scene) if mark.unit == unit)
    return found


# -- every order is seen --------------------------------------------------------------------------


def _check_orders_drawn(name: str) -> None:
    outcome = resolve_turn(CASES[name].turn).outcome
    legal = Counter(
        write_order(entry.order)
        for entry in outcome.results
        if entry.result != ILLEGAL and not isinstance(entry.order, (Pick, Waive))
    )
    drawn = Counter(deed.order for deed in collect_orders(outcome, WORDS))

    assert not legal - drawn


def test_every_legal_order_of_the_cases_is_drawn() -> None:
    check_each([(name,) for name in CASES], _check_orders_drawn)


def test_every_deed_of_the_sample_turn_has_a_mark() -> None:
    found = collect_orders(sample_outcome(), WORDS)

    assert Counter((d.name, d.look) for d in found) == Counter(
        (mark.unit, mark.look) for mark in marks(sample_scene())
    )


def test_a_mark_and_its_unit_say_the_order_and_why_it_came_out_so() -> None:
    mark = the_mark(sample_scene(), "F TIR")
    (token,) = (t for t in tokens(sample_scene()) if t.unit == "G CIL")

    assert (mark.power, mark.look, mark.result) == ("TOL", "hold", "stands")
    assert mark.title.startswith("F TIR H: ")
    assert (token.order, token.result) == ("G CIL - CAP", "succeeds")
    assert token.title.startswith("G CIL - CAP: ")


def test_every_phase_of_a_game_can_be_drawn() -> None:
    kinds = set()
    for played in play_game(POSITION.board, 1, years=2):
        text = render_svg(scene_of(played.outcome), embed_fonts=False)
        kinds.add(played.position.phase.kind)

        assert text.endswith("</svg>\n")
    assert kinds == {"picks", "deployment", "movement", "retreats", "winter"}


# -- what came out --------------------------------------------------------------------------------


def test_success_and_failure_differ_in_shape_and_a_standoff_is_marked_in_its_place() -> None:
    """Both bursts lie on the place that neither unit got."""
    outcome = adjudicate_lines(
        place_units(POSITION, "318-spring", "TOL A MEN", "SEL A BAB", "AUT A SUS"),
        TOL="A MEN - NOC",
        SEL="A BAB - OPI",
        AUT="A SUS - OPI",
    )
    scene = scene_of(outcome)
    failed = [the_mark(scene, unit) for unit in ("A BAB", "A SUS")]
    bursts = [s.d for m in failed for s in m.shapes if isinstance(s, Shape) and s.look == "burst"]

    assert {"open", "burst"} & shape_classes(the_mark(scene, "A MEN")) == set()
    assert all({"open", "core", "burst"} <= shape_classes(mark) for mark in failed)
    assert len(bursts) == 2
    assert len(set(bursts)) == 1


@pytest.mark.parametrize(
    ("unit", "shown", "hidden"),
    [
        ("A ISR", {"slash"}, set()),  # a support that was cut
        ("A NIS", set(), {"slash"}),  # a support that was given
        ("A PER", {"nothing"}, {"head"}),  # an order that counts for nothing
        ("F FOI", {"burst", "open", "nothing"}, set()),  # an express that was stopped
    ],
)
def test_what_came_out_of_an_order_shows_in_its_mark(
    unit: str, shown: set[str], hidden: set[str]
) -> None:
    found = shape_classes(the_mark(sample_scene(), unit))

    assert shown <= found
    assert not hidden & found


def test_dislodged_units_look_so_and_what_is_destroyed_is_crossed_out() -> None:
    states = {token.unit: token.state for token in tokens(sample_scene())}
    lost = {mark.unit for mark in marks(sample_scene()) if mark.look == "lost"}

    assert (states["F CRE"], states["A ASS"], states["F TIR"]) == ("dislodged", "dislodged", "")
    assert lost == {"A SPA", "A CAP", "A PAT", "F FEN#2"}


def test_in_a_retreat_phase_the_dislodged_stand_beside_who_took_their_place() -> None:
    for played in play_game(POSITION.board, 3, years=6):
        for dislodged in played.position.dislodged:
            stage, _ = lay_out_orders(played.outcome)
            at = stage.seats[dislodged.unit]
            around = [
                stage.seats[unit]
                for unit in played.position.units
                if unit.place == dislodged.unit.place
            ]

            assert all(APART - 2 < distance(at, other) < 2.2 * APART for other in around)


def test_builds_are_ghosts_with_a_plus_and_removals_crossed_out() -> None:
    position = place_units(POSITION, "318-winter", "TOL A TEB")
    position = replace(position, owners={"ALE": "TOL", "MEN": "TOL"})
    scene = scene_of(adjudicate_lines(position, TOL="Build F ALE"))
    (built,) = (token for token in tokens(scene) if token.state == "ghost")

    assert built.unit == "F ALE"
    assert "plus" in shape_classes(the_mark(scene, "F ALE"))
    removed = scene_of(adjudicate_lines(replace(position, owners={}), TOL="Remove A TEB"))
    assert "cross" in shape_classes(the_mark(removed, "A TEB"))


# -- ways -----------------------------------------------------------------------------------------


def test_an_express_runs_along_its_river() -> None:
    position = place_units(POSITION, "318-spring", "TOL F FOC")
    stage, found = lay_out_orders(adjudicate_lines(position, TOL="F FOC - TEB"))
    (line,) = found.lines.values()
    river = stage.river(("FOC", "NOC", "MEN", "TEB"))
    middle = line[len(line) // 4 : -len(line) // 4]

    assert all(distance(p, point_along(river, nearest_length(river, p))[0]) < 8 for p in middle)


def test_a_haul_runs_over_the_land_with_rollers() -> None:
    outcome = adjudicate_lines(place_units(POSITION, "318-spring", "TOL F FEN"), TOL="F FEN - SUE")
    stage, found = lay_out_orders(outcome)
    (line,) = found.lines.values()

    assert "rollers" in shape_classes(the_mark(scene_of(outcome), "F FEN"))
    for point in stage.portage("SIS"):
        assert min(distance(point, p) for p in line) < 6


def test_a_convoy_passes_by_every_fleet_that_carries() -> None:
    position = place_units(
        POSITION, "318-spring", "TOL A ALE", "TOL F EGI", "TOL F PAN", "AUT F FEN"
    )
    outcome = adjudicate_lines(
        position,
        TOL="A ALE - LIC via convoy;F EGI C A ALE - LIC;F PAN C A ALE - LIC",
    )
    stage, found = lay_out_orders(outcome)
    line = next(line for unit, line in found.lines.items() if unit.kind == "A")
    near = {
        unit.province: min(distance(stage.seats[unit], p) for p in line)
        for unit in position.units
        if unit.kind == "F"
    }

    assert RADIUS < near["EGI"] < 2.2 * RADIUS
    assert RADIUS < near["PAN"] < 2.2 * RADIUS


def test_a_support_to_move_ends_on_the_arrow_that_it_supports() -> None:
    _, found = lay_out_orders(sample_outcome())
    arrow = next(line for unit, line in found.lines.items() if str(unit) == "A UJJ")
    knob = next(s for s in the_mark(sample_scene(), "A MAT").shapes if s.look == "knob")
    assert not isinstance(knob, Text)
    x, y = (float(v) for v in knob.d[1:].split("a")[0].split(","))

    assert min(distance((x + 3.4, y), point) for point in arrow) < 5


# -- clear to see ---------------------------------------------------------------------------------


def overlapping(found: list[Token]) -> list[tuple[str, str]]:
    return [(a.unit, b.unit) for a, b in combinations(found, 2) if distance(a.at, b.at) < 27]


def test_no_symbol_covers_another() -> None:
    assert overlapping(tokens(sample_scene())) == []
    for inset in sample_scene().insets:
        found = [i for layer in inset.layers for i in layer.items if isinstance(i, Token)]
        assert overlapping(found) == []


@pytest.mark.parametrize("seed", one_in(3, range(3)))
def test_no_symbol_covers_another_in_games_of_chance(seed: int) -> None:
    board = POSITION.board.with_rules({"major_city_capacity": 2})
    for played in play_game(board, seed, years=4):
        assert overlapping(tokens(scene_of(played.outcome))) == []


def test_arrows_keep_clear_of_the_units_that_they_have_nothing_to_do_with() -> None:
    """But for hauls and expresses, which keep to their way, whoever stands on it."""
    stage, found = lay_out_orders(sample_outcome())
    bound = {d.unit for d in collect_orders(sample_outcome(), WORDS) if d.over or d.course}
    touched = [
        (str(unit), str(other))
        for unit, line in found.lines.items()
        if unit not in bound
        for other, at in stage.seats.items()
        if other != unit and any(distance(point, at) < RADIUS - 1 for point in line)
    ]

    assert touched == []


def test_few_arrows_run_under_names() -> None:
    """Names are drawn over the arrows; at most an eighth of the arrows' length is under them."""
    stage, found = lay_out_orders(sample_outcome())
    points = [p for line in found.lines.values() for p in line]
    hidden = [p for p in points if any(box.grown(-1).holds(p) for box in stage.names)]

    assert len(hidden) < len(points) / 8


def test_units_that_change_places_do_so_on_different_ways() -> None:
    position = place_units(POSITION, "318-spring", "TOL F EGI", "TOL F FEN")
    outcome = adjudicate_lines(position, TOL="F EGI - FEN#1;F FEN - EGI#1")
    there, back = lay_out_orders(outcome)[1].lines.values()

    middles = [line[len(line) // 2] for line in (there, back)]
    assert distance(*middles) > 12


def test_arrows_end_at_the_unit_that_they_attack() -> None:
    stage, found = lay_out_orders(sample_outcome())
    by_name = {str(unit): unit for unit in stage.seats}
    line = found.lines[by_name["A UJJ"]]

    assert RADIUS < distance(line[-1], stage.seats[by_name["A PAT"]]) < RADIUS + 6
    assert line_length(line) > 40


def test_an_arrow_to_a_fellow_in_a_city_of_two_places_ends_before_it() -> None:
    board = POSITION.board.with_rules({"major_city_capacity": 2})
    position = place_units(replace(POSITION, board=board), "318-spring", "TOL A MEN", "TOL A ALE")
    stage, found = lay_out_orders(adjudicate_lines(position, TOL="A MEN - ALE"))
    (line,) = found.lines.values()
    fellow = next(unit for unit in stage.seats if unit.province == "ALE")

    assert RADIUS < distance(line[-1], stage.seats[fellow]) < RADIUS + 6


def test_insets_show_units_and_orders_again_beside_panels_on_a_ground_that_is_cut() -> None:
    """What lies outside a window takes time to render, though nobody sees it."""
    scene = sample_scene()

    assert scene.insets
    for one, other in combinations(scene.insets, 2):
        assert not one.frame.meets(other.frame)
    for inset in scene.insets:
        assert scene.box.encloses(inset.frame)
        layers = {layer.key: layer for layer in inset.layers}
        assert sum(isinstance(item, Token) for item in layers["units"].items) > 1
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
    empty = first_position(load_board("standard"))
    units = ("England F SKA", "England F NTH", "Germany F DEN", "Germany F HEL", "Germany F KIE")
    position = place_units(empty, "1904-spring", *units)
    scene = scene_of(
        adjudicate_lines(
            position, England="F SKA - DEN;F NTH - HEL", Germany="F DEN - SKA;F KIE - DEN;F HEL H"
        )
    )

    assert scene.insets
    for inset in scene.insets:
        assert inset.frame.top > load_atlas(empty.board).box.bottom
        assert scene.box.holds((inset.frame.right, inset.frame.bottom))
        assert inset.frame.width > 1.7 * inset.window.width


def test_a_short_arrow_that_a_support_hides_has_an_inset_on_empty_ground() -> None:
    units = ("CAS F ADR#1", "CAS F ILL", "LIS F ADR#2")
    outcome = adjudicate_lines(
        place_units(POSITION, "318-spring", *units), CAS="F ADR#1 - ADR#2;F ILL S F ADR#1 - ADR#2"
    )
    (inset,) = scene_of(outcome).insets

    layers = {layer.key: layer for layer in inset.layers}
    assert "F ADR#1" in {m.unit for m in layers["orders"].items if isinstance(m, Mark)}
    assert make_base_map(POSITION.board, "en").grid.is_bare(inset.frame)


@pytest.mark.parametrize(
    ("units", "orders"),
    [
        (("TOL A PAF", "TOL A GOR", "LIS A CAP"), "A PAF - CAP;A GOR S A PAF - CAP"),
        (("TOL A SIW", "TOL A NOC", "LIS A MEN"), "A SIW - MEN;A NOC S A SIW - MEN"),
        (("TOL G LIC", "LIS A CAR"), "G LIC - CAR"),
    ],
)
def test_the_only_dislodgement_of_a_turn_has_an_inset_that_hides_no_province(
    units: tuple[str, ...], orders: str
) -> None:
    outcome = adjudicate_lines(place_units(POSITION, "318-spring", *units), TOL=orders)
    grid = make_base_map(POSITION.board, "en").grid
    (inset,) = scene_of(outcome).insets
    shown = {
        item.unit
        for layer in inset.layers
        if layer.key == "units"
        for item in layer.items
        if isinstance(item, Token)
    }

    assert outcome.dislodged
    assert len(shown) == len(units)
    assert inset.frame.width > 1.69 * inset.window.width
    assert grid.is_bare(inset.frame)


def test_a_turn_that_can_be_read_from_afar_has_no_inset() -> None:
    units = ("CAN A UJJ", "CAN G MAT", "LIS A PAT")
    dislodging = adjudicate_lines(
        place_units(POSITION, "318-spring", *units), CAN="A UJJ - PAT;G MAT S A UJJ - PAT"
    )

    assert dislodging.dislodged
    assert scene_of(dislodging).insets == ()
    assert scene_of(adjudicate_lines(STILL, TOL="A MEN - NOC")).insets == ()


def test_names_in_an_inset_are_whole_and_clear_of_each_other_and_of_units() -> None:
    board = POSITION.board
    whole = {province.name("en") for province in board.provinces.values()}
    for inset in sample_scene().insets:
        layers = {layer.key: layer for layer in inset.layers}
        names = [item for item in layers["names"].items if isinstance(item, Text)]
        boxes = [
            Box(n.at[0] - len(n.text) * 4, n.at[1] - 10, n.at[0] + len(n.text) * 4, n.at[1])
            for n in names
        ]

        assert {name.text for name in names} <= whole
        assert not any(a.meets(b) for a, b in combinations(boxes, 2))
        for unit in layers["units"].items:
            assert isinstance(unit, Token)
            assert not any(box.grown(3).holds(unit.at) for box in boxes)


# -- the same input, the same picture --------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_listing_makes_no_difference(seed: int) -> None:
    rng = Random(seed)
    units, powers = list(POSITION.units), list(ORDERS)
    rng.shuffle(units)
    rng.shuffle(powers)
    orders = {power: rng.sample(ORDERS[power], len(ORDERS[power])) for power in powers}
    outcome = adjudicate(replace(POSITION, units=tuple(units)), orders)
    text = render_svg(scene_of(outcome), embed_fonts=False)

    def undescribed(text: str) -> str:
        return "\n".join(line for line in text.splitlines() if not line.startswith("<desc"))

    assert undescribed(text) == undescribed(
        render_svg(scene_of(sample_outcome()), embed_fonts=False)
    )


# -- secrets --------------------------------------------------------------------------------------


@drawn(2, 24)
@given(st.integers(0, 10**6))
def test_the_orders_of_one_power_tell_nothing_of_the_others(seed: int) -> None:
    """Whatever the others order, the picture is the same to the letter."""
    others = random_orders(POSITION, Random(seed))
    mixed = {**others, "TOL": ORDERS["TOL"]}
    one = scene_of(adjudicate(POSITION, mixed), orders_of=("TOL",))
    other = scene_of(sample_outcome(), orders_of=("TOL",))

    assert render_svg(one, embed_fonts=False) == render_svg(other, embed_fonts=False)


@pytest.mark.parametrize("kind", ["picks", "deployment", "retreats", "winter"])
def test_the_orders_of_one_power_tell_nothing_in_the_other_phases(kind: str) -> None:
    played = next(
        p
        for p in play_game(POSITION.board, 3)
        if p.position.phase.kind == kind and sum(map(bool, p.orders.values())) > 1
    )
    power = next(power for power, orders in played.orders.items() if orders)
    alone = adjudicate(played.position, {power: played.orders[power]})
    pictures = {
        render_svg(scene_of(outcome, orders_of=(power,)), embed_fonts=False)
        for outcome in (alone, played.outcome)
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
    board = POSITION.board.with_rules(rules) if rules else POSITION.board
    position = Position(board, place_units(POSITION, "323-1").phase, ())
    return adjudicate_lines(position, TOL="Pick ALE", SEL="Pick BAB", AUT="Pick BAB")


def test_picks_are_flags_on_their_centres_and_contested_ones_are_struck_out() -> None:
    scene = scene_of(picked())
    found = {(mark.power, mark.to): mark.result for mark in marks(scene) if mark.look == "pick"}
    struck = {mark.power for mark in marks(scene) if "cross" in shape_classes(mark)}

    assert found == {("TOL", "ALE"): "succeeds", ("SEL", "BAB"): "fails", ("AUT", "BAB"): "fails"}
    assert struck == {"SEL", "AUT"}

    mark = next(m for m in marks(scene) if m.power == "TOL")
    city = load_atlas(POSITION.board).grounds["ALE"].city
    letter = next(shape for shape in mark.shapes if isinstance(shape, Text))
    assert city is not None
    assert distance(letter.at, city) < 40
    assert letter.text == "T"


def test_where_picks_are_not_published_the_awards_alone_are_drawn() -> None:
    found = collect_flags(picked(publish_picks="own"), WORDS)

    assert [(flag.power, flag.centre) for flag in found] == [("TOL", "ALE")]


_OF_PHASES = {"built", "removed", "picked", "named by several"}


def _rows(scene: Scene) -> set[str]:
    legend = next(layer for layer in scene.layers if layer.key == "legend")
    return {item.text for item in legend.items if isinstance(item, Text)} & _OF_PHASES


@pytest.mark.parametrize(("season", "period"), [("winter", 0), ("picks", 1), ("deployment", 6)])
def test_the_legend_of_a_phase_without_orders_explains_no_marks(season: str, period: int) -> None:
    position = replace(POSITION, phase=Phase(323, season, period=period), units=())

    assert _rows(scene_of(adjudicate_lines(position))) == set()


def test_the_legend_of_picks_and_of_a_winter_explains_what_they_show() -> None:
    winter = place_units(POSITION, "318-winter", "TOL A TEB", "TOL A NUB")

    assert _rows(scene_of(picked())) == {"picked", "named by several"}
    assert _rows(scene_of(adjudicate_lines(winter, TOL="Remove A TEB"))) == {"removed"}
