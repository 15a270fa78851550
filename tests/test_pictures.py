"""The pictures of the documents show what the program draws today (``make pictures``)."""

import re
from pathlib import Path

import pytest

from alexmagnum.draw import render_svg
from alexmagnum.game.desk import Desk
from tools import pictures

PICTURES = pictures.scenes(lambda: pytest.fail("only the game's own picture wants the game"))
PAGES = [pictures.ROOT / "README.md", *sorted(pictures.DOCS.glob("*.md"))]


@pytest.mark.parametrize("name", [name for name in PICTURES if name != "game.png"])
def test_a_picture_is_up_to_date(name: str) -> None:
    assert pictures.source_of(pictures.DOCS / name) == pictures.digest(
        render_svg(PICTURES[name](), embed_fonts=False)
    )


def test_the_picture_of_the_sample_game_is_up_to_date(sample_game: Path) -> None:
    with Desk.open(sample_game) as desk:
        outcome = desk.processed(pictures.SAMPLE_PHASE).outcome
    assert pictures.source_of(pictures.DOCS / "game.png") == pictures.digest(
        render_svg(pictures.scenes(lambda: outcome)["game.png"](), embed_fonts=False)
    )


@pytest.mark.parametrize("name", [pictures.SANDBOX, pictures.BALANCE])
def test_the_picture_of_a_page_is_up_to_date(name: str) -> None:
    source = {pictures.SANDBOX: pictures.sandbox_source, pictures.BALANCE: pictures.balance_source}
    assert pictures.source_of(pictures.DOCS / name) == pictures.digest(source[name]())


def test_every_picture_is_shown_and_every_one_shown_is_made() -> None:
    shown = {
        Path(name).name
        for page in PAGES
        for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    }
    assert (
        shown
        == {*PICTURES, pictures.SANDBOX, pictures.BALANCE}
        == {path.name for path in pictures.DOCS.glob("*.png")}
    )
