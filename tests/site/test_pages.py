"""The words and links of a site: news of a phase, who stood where, texts for players, the feed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from alexmagnum.board.map_file import load_board
from alexmagnum.site.frame import load_rule_texts
from tests.game.desks import new_desk, play
from tests.site.games import publish, read_site


def test_the_replay_and_the_feed_name_units_that_were_built(tmp_path: Path) -> None:
    with new_desk(tmp_path / "g", settings={"pictures": "no"}) as desk:
        while desk.phase is None or desk.phase.season != "winter":
            play(desk, 1, seed=4)
        desk.submit("France", "build A PAR\nbuild A MAR\nbuild F BRE")
        desk.process(str(desk.phase), allow_missing=True)
        publish(desk, tmp_path / "site")
    pages = read_site(tmp_path / "site")
    found = re.search(r'data-summary="Built: (\d)"', pages["replay.html"])

    assert found
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
