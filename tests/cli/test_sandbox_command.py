"""``sandbox``: what it writes, and what it says of what it cannot open."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.cases.json_values import from_json
from alexmagnum.position import Position
from alexmagnum.report.sheet import make_fragment, read_fragment
from tests.case_library import cases_in
from tests.commands import run_command
from tests.test_rulebook import EXAMPLES
from tools.build_examples import FILE, build_examples
from tools.pictures import SAMPLE_TURN, sample_turn

ALPS = "standard 1901-spring Austria:AVIE Italy:AVEN"


def _write(folder: Path, *words: str) -> str:
    """Write a page and return it."""
    run_command("sandbox", *words, "-o", "page.html", cwd=folder)
    return (folder / "page.html").read_text(encoding="utf-8")


def _data(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def _maps(page: str) -> list[str]:
    return [table["facts"]["map"] for table in _data(page)["tables"]]


def test_a_page_has_the_maps_of_the_package_on_a_turn_worth_looking_at(tmp_path: Path) -> None:
    page = _write(tmp_path)
    assert _maps(page) == ["alexmagnum", "standard"]
    first, standard = _data(page)["tables"]
    assert from_json(first["position"]) == sample_turn()[0]
    assert standard["position"] == standard["facts"]["start"]
    assert all(len(table["orders"]) > 5 for table in (first, standard))


def test_the_shelf_has_the_examples_of_the_rulebook_and_every_datc_case() -> None:
    """If this fails: python -m tools.build_examples"""
    assert FILE.read_text(encoding="utf-8") == build_examples()
    shelves = json.loads(FILE.read_text(encoding="utf-8"))
    assert len(shelves["alexmagnum"]["examples"]) == len(EXAMPLES)
    assert len(shelves["standard"]["examples"]) == len(cases_in("datc"))


def test_a_page_fetches_nothing(tmp_path: Path) -> None:
    page = _write(tmp_path, "standard")
    addresses = set(re.findall(r"https?://[^\s\"'<>`)]+", page))
    assert {a for a in addresses if not a.startswith("http://www.w3.org/")} == set()
    assert "default-src 'none'" in page


@pytest.mark.parametrize("lang", ["en", "it"])
def test_a_page_speaks_one_language_and_knows_names_in_all(tmp_path: Path, lang: str) -> None:
    page = _write(tmp_path, "alexmagnum", "--lang", lang)
    provinces = _data(page)["tables"][0]["facts"]["provinces"]
    names = {"en": "Memphis", "it": "Menfi"}
    assert f'<html lang="{lang}">' in page
    assert provinces["MEN"]["name"] == names[lang]
    assert names["it" if lang == "en" else "en"] in provinces["MEN"]["also"]


def test_a_page_opens_with_a_turn_and_its_orders(tmp_path: Path) -> None:
    (table,) = _data(_write(tmp_path, "--from", str(SAMPLE_TURN)))["tables"]
    assert from_json(table["position"]) == sample_turn()[0]
    assert Position.from_text(read_fragment(table["fragment"]).position) == sample_turn()[0]


def test_a_page_opens_with_the_text_of_a_position(tmp_path: Path) -> None:
    (table,) = _data(_write(tmp_path, "--from", ALPS))["tables"]
    assert from_json(table["position"]) == Position.from_text(ALPS)


def test_a_page_opens_with_a_link_and_its_orders(tmp_path: Path) -> None:
    position, orders = sample_turn()
    link = f"https://example.org/table.html#{make_fragment(position, orders)}"

    first, second = _data(_write(tmp_path, "standard", "alexmagnum", "--from", link))["tables"]
    assert (first["facts"]["map"], second["facts"]["map"]) == ("alexmagnum", "standard")
    assert first["orders"] == {
        power: list(texts)
        for power, texts in read_fragment(make_fragment(position, orders)).orders.items()
    }


def test_a_map_of_ones_own_without_shapes_has_a_page(tmp_path: Path) -> None:
    from alexmagnum.board.map_file import find_map

    data = json.loads(find_map("standard").read_text(encoding="utf-8"))
    (tmp_path / "mine.json").write_text(json.dumps({**data, "id": "mine"}), encoding="utf-8")

    page = _write(tmp_path, "mine.json", "--from", ALPS.replace("standard", _own_map(tmp_path)))

    assert _maps(page) == ["mine"]
    assert _data(page)["tables"][0]["position"]["units"]


def _own_map(folder: Path) -> str:
    """Return the map in the text of a position on the map of a folder: with all its switches."""
    from alexmagnum.board import load_board

    board = load_board(str(folder / "mine.json"))
    return Position(board, Position.from_text(ALPS).phase, ()).to_text().partition(" ")[0]


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ("nowhere.yaml", "there is no file nowhere.yaml, and it is no position"),
        ("standard 1901-spring Austria:AVIX", "there is no province AVIX"),
        ("standard 1901-spring Austria:AVIE,AVIE", "VIE"),
        ("standard 1901-summer Austria:AVIE", "1901-summer"),
        ("atlantis 1901-spring", "there is no map atlantis"),
        ("page.html#z:q1YqVg", "the link is cut off or damaged"),
        ("#t:standard_1901-spring_Austria:AVIE~Narnia:_A_VIE_H", "Narnia"),
        ("#t:standard_1901-spring_Austria:AVIE~Austria:_A_VIX_H", "VIX"),
    ],
)
def test_what_cannot_be_opened_is_named(tmp_path: Path, start: str, words: str) -> None:
    done = run_command("sandbox", "--from", start, "-o", "page.html", cwd=tmp_path, status=2)
    assert words in done.err
    assert not (tmp_path / "page.html").exists()


def test_a_position_on_a_map_that_was_not_asked_for_is_refused(tmp_path: Path) -> None:
    done = run_command(
        "sandbox", "alexmagnum", "--from", ALPS, "-o", "page.html", cwd=tmp_path, status=2
    )
    assert "the position is on the map standard" in done.err


def test_lessons_are_written_in_both_languages(tmp_path: Path) -> None:
    run_command("sandbox", "--learn", "-o", "learn.html", "--lang", "it", cwd=tmp_path)
    assert 'href="learn.en.html"' in (tmp_path / "learn.html").read_text("utf-8")
    assert 'href="learn.html"' in (tmp_path / "learn.en.html").read_text("utf-8")
    run_command("sandbox", "standard", "--learn", "-o", "a.html", cwd=tmp_path, status=2)


def test_the_file_has_to_be_a_page(tmp_path: Path) -> None:
    assert ".html" in run_command("sandbox", "-o", "page.pdf", cwd=tmp_path, status=2).err
