"""The order sheet draws orders as pictures do, and warns of them as the check does.

Both scripts follow Python code; here a real browser runs them on many turns.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from random import Random

from playwright.sync_api import Page

from alexmagnum.draw.canvas import lay_out_canvas
from alexmagnum.draw.pictures import draw_turn
from alexmagnum.draw.scene import Mark, Shape
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.checking import check_orders
from alexmagnum.judge.explanation import format_reason
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.notation import order_in, write_order
from alexmagnum.orders import Order, Pick
from alexmagnum.position import Position, Unit
from alexmagnum.report.document import load_script
from alexmagnum.report.formats import MapPictures
from alexmagnum.report.sheet import SheetHeading, list_subjects, render_order_sheet
from tests.browser.chromium import Visitor
from tests.browser.random_orders import random_orders, random_positions
from tests.sizes import sampled, sized

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
    for position in random_positions(sized(6, 40), 16, kinds="movement retreats picks"):
        for power in position.board.powers:
            orders = random_orders(position, power, rng)
            if not orders:
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
    assert drawn > sized(60, 400)


def _open_scripts(visitor: Visitor, folder: Path) -> Page:
    script = load_script("order_arrows.js", "order_warnings.js")
    path = folder / "scripts.html"
    path.write_text(f"<title>scripts</title><script>{script.text}</script>", encoding="utf-8")
    return visitor.open(path)


def _picture(position: Position, power: str, orders: list[Order]) -> Mapping[str, Shapes]:
    """Return the marks of a power's orders in the picture of the turn, by layer and unit."""
    if all(isinstance(order, Pick) for order in orders):
        orders = orders[-1:]
    outcome = adjudicate(position, {power: orders})
    scene = draw_turn(outcome, load_sentences("en"), title="", orders_of=[power])
    layers = {"orders": "under", "signs": "over", "picks": "over"}
    marks = [
        (f"{layers[layer.key]} {mark.unit}", mark)
        for layer in scene.layers
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


_STROKES = re.compile("[A-Za-z]")
"""The commands of path data: moves, lines, curves, arcs, closed shapes."""


def _numbers(path: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", path)]


# -- warnings -------------------------------------------------------------------------------------

_ROWS = """rows => Object.fromEntries(rows.map(row => [
  row.querySelector("code").textContent,
  [...row.querySelectorAll(".warning")]
    .map(each => [each.matches(".doubtful"), each.textContent])]))"""

_KEEP = """orders => {
  const data = JSON.parse(document.getElementById("data").textContent);
  localStorage.setItem(data.key, JSON.stringify(orders));
}"""


@sampled
def test_the_warnings_are_those_of_the_check(visitor: Visitor, tmp_path: Path) -> None:
    """Same sentences and same severities, over random orders in a sheet, in both languages."""
    rng = Random(17)
    maps = MapPictures()
    warned = 0
    for number, position in enumerate(
        random_positions(sized(3, 10), 17, kinds="movement retreats")
    ):
        sentences = load_sentences(("en", "it")[number // 2 % 2])
        power = max(position.board.powers, key=lambda p: len(_own(position, p)))
        path = tmp_path / "sheet.html"
        svg = maps.position_svg(position, sentences, "Cyprus")
        heading = SheetHeading(f"Cyprus {number}")
        sheet = render_order_sheet(position, power, sentences, heading, svg)
        path.write_text(sheet, encoding="utf-8", newline="\n")
        page = visitor.open(path)
        for _ in range(3):
            orders = random_orders(position, power, rng)
            page.evaluate(_KEEP, _kept(position, power, orders, sentences))
            page.reload()
            found = page.locator("#subjects li:has(code)").evaluate_all(_ROWS)
            wanted = _checked(position, power, orders, sentences)
            assert found == wanted
            warned += sum(map(bool, wanted.values()))
    assert warned > sized(4, 12)


def _own(position: Position, power: str) -> list[Unit]:
    return [unit for unit in position.orderable if unit.power == power]


def _kept(
    position: Position, power: str, orders: list[Order], sentences: Sentences
) -> list[list[str]]:
    """Return orders as a sheet keeps them: the subject and the order in the reader's notation."""
    known = {subject.id for subject in list_subjects(position, power, sentences)}
    texts = [[getattr(o, "unit", ""), order_in(write_order(o), sentences.lang)] for o in orders]
    assert {unit for unit, _ in texts} <= known
    return texts


def _checked(
    position: Position, power: str, orders: list[Order], sentences: Sentences
) -> Mapping[str, list[list[bool | str]]]:
    found = {}
    for check in check_orders(position, {power: orders}):
        texts: list[list[bool | str]]
        texts = [[False, format_reason(w, position, sentences)] for w in check.warnings]
        if check.verdict == "doubtful":
            assert check.reason
            texts = [[True, format_reason(check.reason, position, sentences)]]
        assert check.verdict != "impossible"
        found[order_in(write_order(check.order), sentences.lang)] = texts
    return found
