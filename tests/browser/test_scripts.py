"""Scripts of pages: they draw and link as Python does; pan and zoom of a map."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from itertools import islice
from pathlib import Path
from random import Random
from string import Template

import pytest
from playwright.sync_api import Page

from alexmagnum import draw
from alexmagnum.board import load_board
from alexmagnum.board.model import Board
from alexmagnum.cases.json_values import to_json
from alexmagnum.draw.canvas import lay_out_canvas, lay_out_pieces
from alexmagnum.draw.pictures import draw_turn
from alexmagnum.draw.scene import Mark, Shape
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.notation import write_order
from alexmagnum.orders import Build, Convoy, Move, Order, Pick, Support, Waive
from alexmagnum.play import play_game
from alexmagnum.position import Position
from alexmagnum.report.document import load_script
from alexmagnum.report.sheet import SharedTable, make_fragment, read_fragment
from tests.browser.chromium import Visitor, pinch, swipe
from tests.sizes import sampled, sized

_DRAWN = """(svg) => [...svg.querySelectorAll('[data-layer="units"] > .unit')]
  .map(unit => [unit.dataset.unit, unit.dataset.power, unit.classList.contains("dislodged"),
    ...unit.getAttribute("transform").match(/[-\\d.]+/g).slice(0, 2).map(Number),
    [...unit.querySelectorAll(":scope > use, :scope > g > use")]
      .map(use => use.getAttribute("href")).join(" "),
    unit.querySelector(".body").getAttribute("fill"),
    unit.querySelector(".number + text")?.textContent || ""])"""

_START = """pieces => {
  window.drawing = makePositionDrawing(document.querySelector("svg"), pieces);
}"""

_TINTED = """(svg) => Object.fromEntries([...svg.querySelectorAll(".province[data-province]")]
  .map(each => [each.dataset.province, each.getAttribute("fill")]))"""


@sampled
def test_a_position_is_drawn_as_in_pictures(visitor: Visitor, tmp_path: Path) -> None:
    """Same units, symbols, numbers and tints; no two symbols cover each other."""
    for name in ("alexmagnum", "standard"):
        board = load_board(name)
        page = _open_map(visitor, tmp_path, name)
        page.evaluate(_START, lay_out_pieces(board, "en"))
        for position in random_positions(sized(4, 30), 19, kinds="movement retreats winter"):
            if position.board.id != name:
                continue
            page.evaluate("position => drawing.draw(position)", to_json(position))
            found = page.locator("svg.am-map").first.evaluate(_DRAWN)
            tints = page.locator("svg.am-map").first.evaluate(_TINTED)
            picture = _read_picture(position)
            assert sorted(row[:3] + row[5:] for row in found) == picture[0], str(position.phase)
            assert {k: tints[k] for k in picture[1]} == picture[1], str(position.phase)
            told = page.locator("svg.am-map > desc").first.text_content() or ""
            playing = sorted(row[0] for row in found if row[1] in board.powers)
            assert sorted(re.findall(r"[AFG] \w+(?:[#/]\w+)?", told)) == playing
            assert _find_covered(found) == [], str(position.phase)


def _open_map(visitor: Visitor, folder: Path, name: str) -> Page:
    script = load_script("position_drawing.js", "position_link.js")
    empty = Position.from_text(f"{name} 300-spring")
    svg = draw.render_svg(
        draw.draw_position(empty, load_sentences("en"), title=""), embed_fonts=False
    )
    path = folder / f"{name}.html"
    path.write_text(f"<title>map</title>{svg}<script>{script.text}</script>", encoding="utf-8")
    return visitor.open(path)


def _read_picture(position: Position) -> tuple[list[list[object]], dict[str, str]]:
    """Return the symbols and the tints of the picture that Python draws."""
    scene = draw.draw_position(position, load_sentences("en"), title="")
    svg = draw.render_svg(scene, embed_fonts=False)
    layer = svg.partition('data-layer="units">')[2].partition('<g class="layer"')[0]
    units: list[list[object]] = []
    for group in re.findall(r'<g class="unit.*?(?=<g class="unit|\Z)', layer, re.DOTALL):
        number = re.search(r'class="number"/><text[^>]*>(\d)', group)
        fill = re.search(r'class="body" fill="([^"]+)"', group)
        name, power = (re.search(f'data-{key}="([^"]*)"', group) for key in ("unit", "power"))
        assert fill
        assert name
        assert power
        units.append(
            [
                name[1],
                power[1],
                "unit dislodged" in group,
                " ".join(re.findall(r'href="([^"]+)"', group)),
                fill[1],
                number[1] if number else "",
            ]
        )
    tints = {
        province: fill
        for fill, province in re.findall(
            r'class="province" fill="(#\w+)" data-province="(\w+)"', svg
        )
    }
    return sorted(units), tints


def _find_covered(found: list[list[float]]) -> list[object]:
    return [
        (one[0], other[0])
        for i, one in enumerate(found)
        for other in found[i + 1 :]
        if abs(one[3] - other[3]) + abs(one[4] - other[4]) < 16
    ]


def test_page_and_python_read_each_others_links(visitor: Visitor, tmp_path: Path) -> None:
    path = tmp_path / "scripts.html"
    script = load_script("position_link.js")
    path.write_text(f"<title>scripts</title><script>{script.text}</script>", encoding="utf-8")
    page = visitor.open(path)
    rng = Random(5)
    for position in random_positions(sized(3, 40), 5, kinds="movement retreats winter picks"):
        orders = {power: random_orders(position, power, rng) for power in position.board.powers}
        for chosen in ({}, orders):
            fragment = make_fragment(position, chosen)
            shared = json.loads(json.dumps(read_fragment(fragment)._asdict()))
            assert page.evaluate("fragment => positionLink.read(fragment)", fragment) == shared
            written = page.evaluate("shared => positionLink.write(shared)", shared)
            assert read_fragment(written)._asdict() == {
                "position": shared["position"],
                "orders": {p: tuple(o) for p, o in shared["orders"].items()},
            }
            if fragment.startswith("t:"):
                assert written == fragment
    odd = SharedTable("my_map~2 1901-spring[a=b] Ü:A#1!.A>B+C", {})._asdict()
    again = page.evaluate("odd => positionLink.write(odd)", odd)
    assert read_fragment(again)._asdict() == odd
    assert page.evaluate("text => positionLink.find(text)", f"see x.html#{again}.") == again
    for damaged in (written[:-6], "z:%%", "z:AAAA", "t:%FF", "t:a_b~c"):
        assert page.evaluate("f => positionLink.read(f).then(() => false, () => true)", damaged)


# The order sheet draws orders as pictures do.


Shapes = list[tuple[str, str]]
"""Path data with their looks."""

_DRAW = """([canvas, power, codes]) => {
  const drawn = makeOrderArrows(canvas, power)(codes);
  const told = (layer) => drawn[layer]
    .map(([order, shapes]) => [`${layer} ${order.unit ? order.unit.name : ""}`, shapes]);
  return [...told("under"), ...told("over")];
}"""


@sampled
def test_arrows_are_those_of_the_pictures(visitor: Visitor, tmp_path: Path) -> None:
    """Every line, head, shield and wave is where Python draws it, to a fifth of a unit."""
    page = _open_scripts(visitor, tmp_path)
    rng = Random(16)
    drawn = 0
    for position in random_positions(sized(3, 40), 16, kinds="movement retreats picks"):
        for power in position.board.powers:
            if not (orders := random_orders(position, power, rng)):
                continue
            legal = legal_orders_of(position, power)
            canvas = json.loads(json.dumps(lay_out_canvas(position, power, legal, "en")))
            codes = sorted(write_order(order) for order in orders)
            marks = page.evaluate(_DRAW, [canvas, power, codes])
            found = dict(marks)
            assert len(found) == len(marks)
            wanted = _picture(position, power, orders)
            assert found.keys() == wanted.keys(), (str(position.phase), power, codes)
            for unit, shapes in wanted.items():
                assert _agree(shapes, found[unit]), (str(position.phase), power, unit, codes)
            drawn += len(wanted)
    assert drawn > sized(30, 400)


def _open_scripts(visitor: Visitor, folder: Path) -> Page:
    script = load_script("order_arrows.js")
    path = folder / "scripts.html"
    path.write_text(f"<title>scripts</title><script>{script.text}</script>", encoding="utf-8")
    return visitor.open(path)


def _picture(position: Position, power: str, orders: list[Order]) -> Mapping[str, Shapes]:
    """Return the marks of a power's orders in the picture of the turn, by layer and unit."""
    if all(isinstance(order, Pick) for order in orders):
        orders = orders[-1:]
    outcome = adjudicate(position, {power: orders})
    layers = {"orders": "under", "signs": "over", "picks": "over"}
    marks = [
        (f"{layers[layer.key]} {mark.unit}", mark)
        for layer in draw_turn(outcome, load_sentences("en"), title="", orders_of=[power]).layers
        if layer.key in layers
        for mark in layer.items
        if isinstance(mark, Mark)
    ]
    assert len(dict(marks)) == len(marks)
    return {
        key: [(shape.d, shape.look) for shape in mark.shapes if isinstance(shape, Shape)]
        for key, mark in marks
    }


def _agree(wanted: Shapes, found: list[list[str]]) -> bool:
    """Tell whether shapes have the same looks, pen strokes and points, but for rounding."""
    if [look for _, look in wanted] != [look for _, look in found]:
        return False
    for (one, _), (other, _) in zip(wanted, found, strict=True):
        if _STROKES.findall(one) != _STROKES.findall(other):
            return False
        ours, theirs = _numbers(one), _numbers(other)
        if len(ours) != len(theirs):
            return False
        if any(abs(a - b) > 0.21 for a, b in zip(ours, theirs, strict=True)):
            return False
    return True


_STROKES = re.compile("[A-Za-z]")  # the commands of path data: moves, lines, curves, arcs


def _numbers(path: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", path)]


# Random orders of one power that often belong together, for comparing pages with the judge.


BOARDS = ("alexmagnum", "standard")


def random_positions(count: int, seed: int, *, kinds: str) -> Iterator[Position]:
    """Yield positions of random games on both maps, of some kinds of phase, far apart."""
    games = [_positions(load_board(name), seed, kinds) for name in BOARDS]
    for number in range(count):
        yield next(games[number % len(games)])


def _positions(board: Board, seed: int, kinds: str) -> Iterator[Position]:
    while True:
        wanted = (p.position for p in play_game(board, seed) if p.position.phase.kind in kinds)
        yield from islice(wanted, 7, None, 5)
        seed += 1


def random_orders(position: Position, power: str, rng: Random) -> list[Order]:
    """Return at most one legal order for each unit; many supports and convoys match a move."""
    by_unit: dict[str, list[Order]] = {}
    for order in legal_orders_of(position, power):
        if not isinstance(order, (Build, Waive)):
            by_unit.setdefault("pick" if isinstance(order, Pick) else order.unit, []).append(order)
    chosen = {unit: _choose(orders, rng) for unit, orders in by_unit.items() if rng.random() < 0.9}
    moves = {(o.unit, o.to) for o in chosen.values() if isinstance(o, Move)}
    for unit, orders in by_unit.items():
        matching = [o for o in orders if _helped(o) in moves]
        if unit in chosen and matching and rng.random() < 0.5:
            chosen[unit] = rng.choice(matching)
    return list(chosen.values())


def _choose(orders: list[Order], rng: Random) -> Order:
    moves = [order for order in orders if isinstance(order, Move)]
    return rng.choice(moves if moves and rng.random() < 0.5 else orders)


def _helped(order: Order) -> tuple[str, str | None] | None:
    if isinstance(order, Support):
        return order.supported, order.to
    return (order.army, order.to) if isinstance(order, Convoy) else None


HTML = Template(Path(__file__).with_name("map_in_frame.html").read_text(encoding="utf-8"))
"""A map of 600 by 400 in a frame of half its size, 50 pixels below the top of a long page."""

TEMPLATES = files("alexmagnum.report") / "templates"
WHOLE = [10, 20, 600, 400]
MIDDLE = (150, 150)

Opening = Callable[..., Page]


@pytest.fixture
def opened(visitor: Visitor, tmp_path: Path) -> Opening:
    """Opens the map, for a mouse or for fingers."""

    def open_map(*, touch: bool = False) -> Page:
        path = tmp_path / "map.html"
        css = (TEMPLATES / "panzoom.css").read_text("utf-8")
        path.write_text(HTML.substitute(css=css, script=load_script("panzoom.js").text))
        return visitor.open(path, size=(390, 600), touch=touch)

    return open_map


def _box(shown: Page) -> list[float]:
    """Return the part of the map that is shown: left, top, width, height."""
    shown.wait_for_function("view.settled")
    return [float(value) for value in str(shown.locator("svg").get_attribute("viewBox")).split()]


def _scrolled(shown: Page) -> float:
    found: float = shown.evaluate("scrollY")
    return found


def _contains(box: list[float], x: float, y: float) -> bool:
    return box[0] <= x <= box[0] + box[2] and box[1] <= y <= box[1] + box[3]


# -- the mouse --------------------------------------------------------------------------------


def test_the_wheel_enlarges_around_the_pointer(opened: Opening) -> None:
    shown = opened()
    assert _box(shown) == WHOLE
    shown.mouse.move(225, 100)
    shown.mouse.move(75, 200)  # the middle of the lower left quarter
    shown.mouse.wheel(0, -250)

    left, top, width, height = _box(shown)
    assert width == pytest.approx(300, abs=1)
    assert (75 * width / 300 + left, 150 * height / 200 + top) == pytest.approx((160, 320), abs=1)
    assert _scrolled(shown) == 0


def test_the_wheel_leaves_to_the_page_what_is_not_meant_for_the_map(opened: Opening) -> None:
    """A scroll of a whole map, or one that began elsewhere: the map comes under a pointer that
    has not moved."""
    shown = opened()
    shown.mouse.move(150, 100)
    shown.mouse.move(*MIDDLE)
    shown.mouse.wheel(0, 100)
    shown.wait_for_function("scrollY === 100")
    assert _box(shown) == WHOLE

    shown.evaluate("scrollTo(0, 250)")
    shown.mouse.move(150, 90)
    for left in (150, 50):
        shown.mouse.wheel(0, -100)
        shown.wait_for_function(f"scrollY === {left}")
    assert _box(shown) == WHOLE


def test_a_drag_moves_an_enlarged_map_as_far_as_it_goes_and_is_no_click(opened: Opening) -> None:
    shown = opened()
    shown.get_by_text("+", exact=True).click()
    before = _box(shown)
    shown.mouse.move(*MIDDLE)
    shown.mouse.down()
    shown.mouse.move(120, 140)
    shown.mouse.move(90, 130)
    shown.mouse.up()
    after = _box(shown)

    assert after[0] - before[0] == pytest.approx(60 * before[2] / 300, abs=1)
    assert after[1] - before[1] == pytest.approx(20 * before[3] / 200, abs=1)
    assert shown.evaluate("clicks") == 0
    shown.mouse.click(*MIDDLE)
    assert shown.evaluate("clicks") == 1

    shown.mouse.down()
    shown.mouse.move(1000, 1000, steps=3)
    shown.mouse.up()
    assert _box(shown)[:2] == WHOLE[:2]  # nothing outside the map is shown


# -- fingers ----------------------------------------------------------------------------------


def test_two_fingers_enlarge_the_map_and_not_the_page(opened: Opening) -> None:
    shown = opened(touch=True)
    pinch(shown, MIDDLE, apart=60, to=180)

    assert _box(shown)[2] == pytest.approx(200, rel=0.1)
    assert shown.evaluate("visualViewport.scale") == 1
    assert _scrolled(shown) == 0
    pinch(shown, MIDDLE, apart=200, to=20)
    assert _box(shown) == WHOLE


def test_a_finger_moves_an_enlarged_map_scrolls_a_whole_one_and_taps(opened: Opening) -> None:
    shown = opened(touch=True)
    pinch(shown, MIDDLE, apart=60, to=180)
    shown.touchscreen.tap(*MIDDLE)
    assert shown.evaluate("clicks") == 1
    before = _box(shown)
    swipe(shown, MIDDLE, (150, 90))
    assert _box(shown)[1] > before[1] + 20
    assert _scrolled(shown) == 0

    pinch(shown, MIDDLE, apart=200, to=20)
    swipe(shown, MIDDLE, (150, 70))
    assert _scrolled(shown) > 40
    assert _box(shown) == WHOLE


# -- buttons and keys -------------------------------------------------------------------------


def test_buttons_enlarge_and_show_the_whole(opened: Opening) -> None:
    shown = opened()
    out = shown.get_by_text("-", exact=True)
    assert out.get_attribute("aria-disabled") == "true"
    for _ in range(2):
        shown.get_by_text("+", exact=True).click()
    assert _box(shown)[2] == pytest.approx(600 / 2.25, abs=1)
    assert out.get_attribute("aria-disabled") == "false"

    out.click()
    assert _box(shown)[2] == pytest.approx(400, abs=1)
    shown.get_by_text("0", exact=True).click()
    assert _box(shown) == WHOLE


def test_keys_move_and_enlarge_while_the_map_has_the_focus(opened: Opening) -> None:
    shown = opened()
    shown.locator("#frame").focus()
    shown.keyboard.press("ArrowDown")
    shown.wait_for_function("scrollY === 40")  # nothing more to see on the map: the page's key
    shown.evaluate("scrollTo(0, 0)")
    shown.keyboard.press("+")
    before = _box(shown)
    shown.keyboard.press("ArrowDown")

    assert _box(shown)[1] > before[1]
    assert _scrolled(shown) == 0
    shown.keyboard.press("0")
    assert _box(shown) == WHOLE


# -- what scripts ask for ---------------------------------------------------------------------


def test_a_box_is_fitted_and_one_in_sight_is_left_alone(opened: Opening) -> None:
    shown = opened()
    shown.evaluate("view.fit(view.boxOf([near]), {most: 4})")
    near = _box(shown)
    assert near[2] == pytest.approx(150, abs=1)
    assert _contains(near, 310, 210)

    shown.evaluate("view.bring(view.boxOf([near]))")
    assert _box(shown) == near
    shown.evaluate("view.bring(view.boxOf([far]))")
    far = _box(shown)
    assert far[2] == pytest.approx(150, abs=1)
    assert _contains(far, 40, 390)
    shown.evaluate("view.bring(view.boxOf([far, near]))")
    both = _box(shown)
    assert _contains(both, 40, 390)
    assert _contains(both, 310, 210)


def test_paper_shows_the_whole_map(opened: Opening) -> None:
    shown = opened()
    shown.get_by_text("+", exact=True).click()
    enlarged = _box(shown)
    left = "document.querySelector('svg').viewBox.baseVal.x"
    shown.emulate_media(media="print")
    shown.wait_for_function(f"{left} === 10")
    assert _box(shown) == WHOLE

    shown.emulate_media(media="screen")
    shown.wait_for_function(f"{left} > 10")
    assert _box(shown) == enlarged
