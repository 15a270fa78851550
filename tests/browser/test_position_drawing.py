"""Scripts that draw positions and write links do in the page as Python does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

from playwright.sync_api import Page

from alexmagnum import draw
from alexmagnum.board import load_board
from alexmagnum.cases.json_values import to_json
from alexmagnum.draw.canvas import lay_out_pieces
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.position import Position
from alexmagnum.report.document import load_script
from alexmagnum.report.sheet import SharedTable, make_fragment, read_fragment
from tests.browser.chromium import Visitor
from tests.browser.random_orders import random_orders, random_positions
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
        pieces = lay_out_pieces(board, "en")
        page.evaluate(_START, pieces)
        for position in random_positions(sized(8, 60), 19, kinds="movement retreats winter"):
            if position.board.id != name:
                continue
            page.evaluate("position => drawing.draw(position)", to_json(position))
            found = page.locator("svg.am-map").first.evaluate(_DRAWN)
            tints = page.locator("svg.am-map").first.evaluate(_TINTED)
            picture = _read_picture(position)
            assert sorted(row[:3] + row[5:] for row in found) == picture[0], str(position.phase)
            assert {k: tints[k] for k in picture[1]} == picture[1], str(position.phase)
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
        look = " ".join(re.findall(r'href="([^"]+)"', group))
        units.append(
            [
                name[1],
                power[1],
                "unit dislodged" in group,
                look,
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
    for position in random_positions(sized(6, 40), 5, kinds="movement retreats winter picks"):
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
