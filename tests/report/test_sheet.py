"""Order sheets: what stands in them, their choices, and links that open a position."""

import json
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from typing import Any

import pytest
from hypothesis import given

from alexmagnum.board import load_board
from alexmagnum.errors import AlexMagnumError, BadPositionText
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.notation import describe_order, order_in, write_order
from alexmagnum.orders import Order, Waive
from alexmagnum.play import play_game
from alexmagnum.position import Phase, Position, Unit
from alexmagnum.report import sheet
from alexmagnum.report.formats import draw_position_map
from tests.scenarios import SETTINGS, Scenario, scenarios
from tests.sizes import drawn
from tools.pictures import sample_turn

BOARD = load_board("alexmagnum")
POSITION = Position(
    BOARD,
    Phase(318, "spring"),
    (Unit("TOL", "F", "CRE"), Unit("TOL", "A", "MEN"), Unit("SEL", "F", "EGE")),
)
OCCASION = sheet.SheetHeading("Cyprus", "referee@example.org")


def _sheet(
    occasion: sheet.SheetHeading = OCCASION, lang: str = "en", position: Position = POSITION
) -> str:
    sentences = load_sentences(lang)
    drawn = draw_position_map(position, sentences, occasion.game)
    return sheet.render_order_sheet(position, "TOL", sentences, occasion, drawn)


def _data(page: str) -> Any:
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert match
    return json.loads(match[1])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_speaks_the_players_language(lang: str) -> None:
    page = _sheet(lang=lang)
    assert f'<html lang="{lang}">' in page
    assert load_sentences(lang).format("sheet-title") in page
    assert _data(page)["subjects"][0]["label"] in page


def test_the_page_runs_one_script_asks_for_nothing_and_has_the_game_masters_address_alone() -> None:
    """No address in it but names of formats, and no event handler in a tag."""
    page = _sheet()
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert f"script-src 'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" in page
    assert "default-src 'none'" in page
    assert "unsafe-eval" not in page
    assert page.count("<script") == 2
    assert set(re.findall(r"https?://[^\s\"'<>]+", page)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<[^>]+\s(on\w+|src)=", page)
    assert set(re.findall(r"[\w.]+@[\w.]+\.\w+", page)) == {"referee@example.org"}
    without = _sheet(sheet.SheetHeading("Cyprus"))
    assert not re.search(r"[\w.]+@[\w.]+\.\w+|<p class=.brief|<d[dt] class=.until", without)


def test_a_name_can_break_nothing() -> None:
    """Whatever the game is called, it is text."""
    name = "</script><script>alert(1)</script> & \"x\" '%'"
    page = _sheet(sheet.SheetHeading(name))
    assert page.count("<script") == 2
    assert "alert(1)</script>" not in page
    assert name in _data(page)["subject"]


def test_the_sheet_marks_units_and_provinces_and_tells_the_deadline_if_there_is_one() -> None:
    page = _sheet()
    assert 'data-unit="F CRE" data-power="TOL"' in page
    assert 'data-province="MEN"' in page
    assert "Deadline" not in page
    timed = _sheet(replace(OCCASION, deadline="Sunday", brief="22 Nov 23:59"))
    assert '<dt class="until">Deadline</dt><dd class="until">Sunday</dd>' in timed
    assert '<p class="brief">by 22 Nov 23:59</p>' in timed
    assert page == _sheet()
    assert _data(page) == _data(_sheet(position=replace(POSITION, units=POSITION.units[::-1])))


def test_a_power_with_nothing_to_order_has_no_script() -> None:
    page = sheet.render_order_sheet(POSITION, "CAN", load_sentences("en"), OCCASION, "<svg/>")
    assert "You have nothing to order in this phase." in page
    assert "<script" not in page


TWO_PLACES = BOARD.with_rules({"major_city_capacity": 2})
ENGLISH = load_sentences("en")


def leaves(choices: Iterable[sheet.Choice]) -> Iterator[sheet.Choice]:
    """Yield the choices that are orders."""
    for choice in choices:
        if choice.order:
            yield choice
        yield from leaves(choice.then)


def _levels(choices: tuple[sheet.Choice, ...]) -> Iterator[tuple[sheet.Choice, ...]]:
    """Yield the choices of every level."""
    yield choices
    for choice in choices:
        if choice.then:
            yield from _levels(choice.then)


def _texts(position: Position, power: str, lang: str) -> dict[str, str]:
    """Return every legal order in a language, with its meaning."""
    return {
        order_in(write_order(order), lang): describe_order(order, position.board, lang)
        for order in legal_orders_of(position, power)
    }


def _agrees(position: Position, power: str, lang: str) -> None:
    offered = [
        leaf
        for s in sheet.list_subjects(position, power, load_sentences(lang))
        for leaf in leaves(s.then)
    ]

    assert {leaf.order: leaf.meaning for leaf in offered} == _texts(position, power, lang)


@drawn(7, 60, SETTINGS)
@given(scenarios())
def test_in_movement_the_choices_end_in_the_legal_orders_and_differ_in_name(
    scenario: Scenario,
) -> None:
    """So that a player, and a reader of the screen, can tell those of one level apart."""
    for power in scenario.position.board.powers:
        _agrees(scenario.position, power, "it")
        for subject in sheet.list_subjects(scenario.position, power, ENGLISH):
            for level in _levels(subject.then):
                assert max(Counter(choice.label for choice in level).values(), default=1) == 1


@pytest.mark.parametrize("lang", ["it", "en"])
def test_in_every_kind_of_phase_the_choices_end_in_the_legal_orders(lang: str) -> None:
    kinds = set()
    for played in islice(play_game(TWO_PLACES, 6), 1, 50, 4):
        kinds.add(played.position.phase.kind)
        for power in TWO_PLACES.powers:
            _agrees(played.position, power, lang)
    assert kinds == {"picks", "deployment", "movement", "retreats", "winter"}


def _of(position: Position, subject: str) -> dict[str, sheet.Choice]:
    """Return the first choices of one unit of Tolomeo, by name."""
    (found,) = [s for s in sheet.list_subjects(position, "TOL", ENGLISH) if s.id == subject]
    return {choice.label: choice for choice in found.then}


AEGEAN = Position(
    BOARD,
    Phase(318, "spring"),
    (Unit("TOL", "F", "CRE"), Unit("SEL", "F", "EGE"), Unit("TOL", "F", "EGE", number=3)),
)


def test_a_sea_with_fleets_asks_whether_one_is_named() -> None:
    """R9, R11; an empty sea is entered at once, and one's own units come first as supported."""
    crete = _of(AEGEAN, "F CRE")
    ways = {to.at: to for to in crete["Moves"].then}
    assert {choice.label: choice.order for choice in ways["EGE"].then} == {
        "naming nobody": "F CRE - EGE",
        "against F EGE#1 Aegean Sea (Seleucus)": "F CRE - EGE#1",
        "against F EGE#3 Aegean Sea": "F CRE - EGE#3",
    }
    assert ways["LIB"].order == "F CRE - LIB"
    assert [whom.unit for whom in crete["Supports"].then] == ["F EGE#3", "F EGE#1"]


def test_an_army_that_can_walk_and_sail_is_asked_which() -> None:
    units = (Unit("England", "A", "BEL"), Unit("England", "F", "NTH"))
    position = Position(load_board("standard"), Phase(1901, "spring"), units)
    (army, _) = sheet.list_subjects(position, "England", load_sentences("it"))
    (holland,) = [to for to in army.then[0].then if to.at == "HOL"]
    assert {choice.label: choice.order for choice in holland.then} == {
        "via terra": "A BEL - HOL",
        "con trasporto": "A BEL - HOL con trasporto",
    }


def test_a_winter_offers_a_city_of_two_places_twice_each_waiver_and_one_general() -> None:
    """R1, R26, R32."""
    position = Position(TWO_PLACES, Phase(318, "winter"), (), owners={"ALE": "TOL"})
    offered = sheet.list_subjects(position, "TOL", ENGLISH)
    assert [s.label for s in offered] == ["Alexandria"] * 2 + ["Waive a build"] * 2
    assert len({s.id for s in offered}) == 4
    assert sheet.count_orders_due(position, "TOL") == 2
    assert [choice.order for choice in offered[0].then if choice.once] == ["Build G ALE"]


def test_nothing_is_offered_where_nothing_is_due() -> None:
    position = Position(BOARD, Phase(318, "winter"), (Unit("TOL", "A", "MEN"),), {"MEN": "TOL"})
    assert sheet.list_subjects(position, "TOL", ENGLISH) == ()
    assert Waive() not in legal_orders_of(position, "TOL")


SMALL = "standard 1901-spring Austria:AVIE Italy:FADR,AVEN"
SPECIAL = (
    "alexmagnum[sea_capacity=2] 318-spring-retreats"
    " SEL:AMEN TOL:GALE,FEGI#2,AMEN!SEL.ATEB>SIW:ALE:CIP:2"
)


@pytest.mark.parametrize("text", [SMALL, SPECIAL])
def test_a_small_position_can_be_read_in_its_link(text: str) -> None:
    fragment = sheet.make_fragment(Position.from_text(text))
    assert fragment.startswith("t:" + text.partition("[")[0].partition(" ")[0])
    assert re.fullmatch(r"[\w.!~*'()%/:;,=+-]+", fragment)
    assert sheet.read_fragment(fragment) == sheet.SharedTable(text, {})


def _write(orders: Mapping[str, Iterable[Order]]) -> dict[str, tuple[str, ...]]:
    texts = {power: tuple(map(write_order, listed)) for power, listed in orders.items()}
    return {power: listed for power, listed in texts.items() if listed}


def test_a_turn_with_all_its_orders_comes_back_from_a_short_link() -> None:
    position, orders = sample_turn()
    fragment = sheet.make_fragment(position, orders)
    shared = sheet.read_fragment(fragment)
    assert fragment.startswith("z:")
    assert len(fragment) < 1200
    assert Position.from_text(shared.position) == position
    assert shared.orders == _write(orders)


def test_the_length_decides_which_form_a_link_has() -> None:
    """A map whose id has underscores comes back."""
    text = "standard 1901-spring Austria:"
    below = sheet.SharedTable(text + "A" * (sheet.LONG - len(text) - 2), {})
    above = sheet.SharedTable(text + "A" * (sheet.LONG - len(text) - 1), {})
    assert sheet.write_fragment(below).startswith("t:")
    assert sheet.write_fragment(above).startswith("z:")
    for shared in (below, above, sheet.SharedTable("my_map~2 1901-spring Austria:AVIE", {})):
        assert sheet.read_fragment(sheet.write_fragment(shared)) == shared


@pytest.mark.parametrize(
    "text",
    [
        SPECIAL,
        "alexmagnum 318-winter SEL:ABAB:BAB TOL:GALE,FEGI#2:ALE,MEN,TEB:CIP:2",
        "alexmagnum 323-2 TOL:::ALE",
        "standard 1901-autumn England:FNTH,AYOR France:FENG,APIC",
    ],
)
def test_orders_of_every_kind_of_phase_come_back(text: str) -> None:
    position = Position.from_text(text)
    orders = {power: legal_orders_of(position, power) for power in position.board.powers}
    assert any(orders.values())
    assert sheet.read_fragment(sheet.make_fragment(position, orders)).orders == _write(orders)


def test_a_link_is_found_in_what_people_paste() -> None:
    fragment = sheet.make_fragment(Position.from_text(SMALL))
    assert sheet.find_fragment(f"Look at https://example.org/sandbox.html#{fragment}.") == fragment
    assert sheet.find_fragment(f"<file:///home/ada/sandbox.html#{fragment}>") == fragment
    assert sheet.find_fragment(fragment) == fragment
    assert sheet.find_fragment(SMALL) == ""
    assert sheet.find_fragment("see https://example.org/#top") == ""


def test_a_line_break_in_a_position_counts_as_a_blank() -> None:
    orders = "Austria: A VIE - TYR;  F ADR H\nItaly: A VEN H"
    assert sheet.read_table_text(
        SMALL.replace(" Italy", "\nItaly") + "\n" + orders
    ) == sheet.SharedTable(SMALL, {"Austria": ("A VIE - TYR", "F ADR H"), "Italy": ("A VEN H",)})


def test_a_long_line_of_a_link_is_read_at_once() -> None:
    """Words without blanks could be cut in more ways than there are atoms."""
    assert "1" in sheet.read_table_text("x\n" + "1:1" * 5000 + " x").orders


def test_what_is_cut_off_or_damaged_is_refused() -> None:
    fragment, long = sheet.make_fragment(*sample_turn()), "t:" + "AVIE," * 40_001
    with pytest.raises(BadPositionText, match="position-text-long"):
        Position.from_text("standard 1901-spring Austria:" + "AVIE," * 40_000)
    odd = ("z:" + "A" * 50, "z:%%%", "t:%FF%FE", "t:a_b~c", long)
    for damaged in (fragment[:-5], fragment[:40], *odd):
        with pytest.raises(AlexMagnumError, match="link-unreadable"):
            sheet.read_fragment(damaged)
