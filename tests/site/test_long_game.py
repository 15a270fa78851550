"""The site of a game of 22 years: its sizes, its HTML and its links."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from justhtml import JustHTML

from bench.site import play_desk
from tests.game.desks import open_desk
from tests.site.games import publish, read_site

MOST, LARGEST = 60_000_000, 2_000_000
"""Bytes of the whole site, and of its largest file."""


@pytest.mark.proof
def test_a_game_of_22_years_is_a_small_and_valid_site(
    built_once: Callable[..., Path], tmp_path: Path
) -> None:
    built = built_once("long-game", lambda folder: play_desk(folder / "g").close())
    site = tmp_path / "site"
    with open_desk(built / "g") as desk:
        count = len(publish(desk, site).written)
        pages = read_site(site)
        sizes = {name: len(text.encode()) for name, text in pages.items()}
        assert sum(name.startswith("phases/") for name in pages) == len(desk.phases()) >= 90
        assert sum(sizes.values()) < MOST
        assert max(sizes.values()) < LARGEST
        for name, text in pages.items():
            targets = set(re.findall(r'(?:href|src)="([^"#]+)', text))
            if name.endswith(".html"):
                assert [t for t in targets if not (site / name).parent.joinpath(t).exists()] == []
            if name.endswith(".html") and not name.startswith(("phases/", "provinces/")):
                assert JustHTML(text, collect_errors=True).errors == []
        assert publish(desk, site).written == ()
    assert count == len(pages)
