"""The words, links and sizes of a site: news, who stood where, texts for players, the feed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from justhtml import JustHTML

from alexmagnum.board.map_file import load_board
from alexmagnum.site.frame import load_rule_texts
from bench.site import play_desk
from tests.game.desks import new_desk, open_desk, play
from tests.site.games import publish, read_site


def test_the_replay_and_the_feed_name_units_that_were_built(tmp_path: Path) -> None:
    with new_desk(tmp_path / "g", settings={"pictures": "no"}) as desk:
        while desk.phase is None or desk.phase.season != "winter":
            play(desk, 1, seed=4)
        desk.submit("France", "build A PAR\nbuild A MAR\nbuild F BRE")
        desk.process(str(desk.phase), allow_missing=True)
        publish(desk, tmp_path / "site")
    pages = read_site(tmp_path / "site")

    assert re.search(r'data-summary="Built: (\d)"', pages["replay.html"])
    assert "Built: A " in pages["feed.xml"]
    assert re.search(r"<li>Built: [AF] .*\(France\)</li>", pages["index.html"])


def test_a_unit_that_left_in_the_last_phase_stands_there_no_longer(tmp_path: Path) -> None:
    with new_desk(tmp_path / "g", settings={"pictures": "no"}) as desk:
        desk.submit("France", "A PAR - BUR\nA MAR H")
        desk.process("1901-spring", allow_missing=True)
        publish(desk, tmp_path / "site")
    pages = read_site(tmp_path / "site")

    assert "today" not in pages["provinces/PAR.html"].partition('id="stays"')[2]
    assert "today" in pages["provinces/MAR.html"].partition('id="stays"')[2]


@pytest.mark.parametrize("address", ["https://a.org/game", "https://a.org/game/index.html"])
def test_the_feed_of_a_site_with_an_address_has_whole_links(tmp_path: Path, address: str) -> None:
    settings = {"pictures": "no", "site_address": address}
    with new_desk(tmp_path / "g", settings=settings) as desk:
        play(desk, 1)
        publish(desk, tmp_path / "site")
        publish(desk, tmp_path / "private", "France")
    links = set(re.findall(r'href="([^"]+)"', read_site(tmp_path / "site")["feed.xml"]))

    pages = ("feed.xml", "index.html", "phases/1901-spring.html")
    assert links == {f"https://a.org/game/{page}" for page in pages}
    assert "https://a.org" not in read_site(tmp_path / "private")["feed.xml"]


@pytest.mark.parametrize("lang", ["en", "it"])
def test_texts_for_players_name_each_other_by_title(lang: str) -> None:
    texts = load_rule_texts(load_board("alexmagnum"), lang)
    links = re.findall(r'<a href="text-[^"]*">([^<]*)</a>', "".join(text.html for text in texts))

    assert links
    assert not any(".md" in link for link in links)
    assert not any(re.search(r"[Ii]n (inglese|Italian)\.", text.html) for text in texts)


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
