"""Publishing again: what changed is written, what was taken back goes, all else stays."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.game.desk import Desk
from alexmagnum.site.site import MANIFEST
from tests.game.desks import open_desk, play
from tests.site.games import played_game, publish, read_site, read_times


@pytest.fixture
def game(built_once: Callable[..., Path], tmp_path: Path) -> Desk:
    """Return a copy of a game of nine phases."""

    def build(folder: Path) -> None:
        played_game(folder / "g").close()

    shutil.copytree(built_once("site-game", build) / "g", tmp_path / "g")
    return open_desk(tmp_path / "g")


@pytest.fixture
def site(game: Desk, tmp_path: Path) -> Path:
    """Return the folder of its site."""
    publish(game, tmp_path / "site")
    return tmp_path / "site"


def test_publishing_again_writes_nothing(game: Desk, site: Path) -> None:
    before = read_times(site)
    changes = publish(game, site)

    assert (changes.written, changes.removed) == ((), ())
    assert read_times(site) == before


def test_a_new_phase_writes_its_pages_and_leaves_those_of_earlier_phases(
    game: Desk, site: Path
) -> None:
    before = read_times(site)
    names = [record.name for record in game.phase_rows()]
    play(game, 1, seed=5)
    written = set(publish(game, site).written)

    *earlier, last, opened = (f"phases/{name}.html" for name in names)
    assert {"index.html", "feed.xml", "replay.html", last, opened} <= written
    assert not written & {*earlier, "assets/style.css", "rules.html", "text-rules.html"}
    after = read_times(site)
    assert {name for name in before if after[name] != before[name]} == written & before.keys()


def test_what_undo_took_back_is_removed_and_comes_back_with_redo(game: Desk, site: Path) -> None:
    before = read_site(site)
    last = f"phases/{game.phase_rows()[-2].name}.html"
    game.undo()
    assert last in publish(game, site).removed
    assert not (site / last).exists()
    assert last not in (site / "index.html").read_text(encoding="utf-8")
    game.redo()
    publish(game, site)
    assert read_site(site) == before


def test_foreign_files_beside_the_site_stay(game: Desk, site: Path) -> None:
    (site / "CNAME").write_text("games.example.org")
    (site / "phases" / "mine.txt").write_text("my notes")
    game.undo()
    publish(game, site)

    assert (site / "CNAME").read_text() == "games.example.org"
    assert (site / "phases" / "mine.txt").read_text() == "my notes"


def test_a_page_changed_by_hand_is_written_anew_but_never_removed(game: Desk, site: Path) -> None:
    index, last = site / "index.html", site / f"phases/{game.phase_rows()[-2].name}.html"
    index.write_text("mine")
    last.write_text("mine too")
    game.undo()
    changes = publish(game, site)

    assert "index.html" in changes.written
    assert changes.removed == ()
    assert last.read_text() == "mine too"


def test_a_lost_file_is_written_again(game: Desk, site: Path) -> None:
    (site / "charts.html").unlink()

    assert publish(game, site).written == ("charts.html",)


def test_a_folder_with_foreign_files_is_refused_and_left_alone(game: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "index.html").write_text("my photos")
    with pytest.raises(GameError) as refusal:
        publish(game, folder)

    assert refusal.value.code == "site-folder-used"
    assert [path.name for path in folder.iterdir()] == ["index.html"]
    assert (folder / "index.html").read_text() == "my photos"


def test_the_folder_of_the_game_is_refused(game: Desk) -> None:
    with pytest.raises(GameError) as refusal:
        publish(game, game.folder)

    assert refusal.value.code == "site-folder-used"


@pytest.mark.parametrize("place", ["reports", "drafts/site", "backups", "outbox"])
def test_a_folder_in_which_the_game_keeps_its_files_is_refused(game: Desk, place: str) -> None:
    with pytest.raises(GameError) as refusal:
        publish(game, game.folder / place)

    assert refusal.value.code == "site-folder-of-game"


def test_two_publications_at_once_wait_for_each_other(game: Desk, tmp_path: Path) -> None:
    def publish_another_desk(number: int) -> int:
        with open_desk(game.folder) as desk:
            return len(publish(desk, tmp_path / "site").written)

    with ThreadPoolExecutor() as pool:
        written = sorted(pool.map(publish_another_desk, range(3)))

    assert written == [0, 0, len(read_site(tmp_path / "site"))]


def test_a_foreign_file_in_the_way_of_a_page_is_refused(game: Desk, site: Path) -> None:
    following = str(game.phase)
    (site / "phases" / f"{following}.html").write_text("mine")
    play(game, 1, seed=5)
    with pytest.raises(GameError) as refusal:
        publish(game, site)

    assert refusal.value.code == "site-foreign-file"
    assert (site / "phases" / f"{following}.html").read_text() == "mine"


@pytest.mark.parametrize(("audience", "lang"), [("TOL", "en"), ("gm", "en"), (None, "it")])
def test_another_audience_or_language_does_not_replace_the_site(
    game: Desk, site: Path, audience: str | None, lang: str
) -> None:
    before = read_site(site)
    with pytest.raises(GameError) as refusal:
        publish(game, site, audience, lang)

    assert refusal.value.code == "site-of-another"
    assert read_site(site) == before


def test_another_game_does_not_replace_the_site(site: Path, tmp_path: Path) -> None:
    with played_game(tmp_path / "other", 1) as other, pytest.raises(GameError) as refusal:
        publish(other, site)

    assert refusal.value.code == "site-of-another"


def test_publishing_goes_on_where_it_was_interrupted(
    game: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = 0

    def fail_late(path: Path, content: str, *, private: bool) -> None:
        nonlocal written
        written += 1
        if written > 20:
            raise KeyboardInterrupt
        write_whole(path, content, private=private)

    with monkeypatch.context() as patched:
        patched.setattr("alexmagnum.site.site.write_whole", fail_late)
        with pytest.raises(KeyboardInterrupt):
            publish(game, tmp_path / "site")
    publish(game, tmp_path / "site")
    publish(game, tmp_path / "whole")

    assert read_site(tmp_path / "site") == read_site(tmp_path / "whole")


@pytest.mark.parametrize("content", ["", "[]", '{"format": 1}', '{"format": 99}'])
def test_a_damaged_manifest_stops_publishing(game: Desk, site: Path, content: str) -> None:
    (site / MANIFEST).write_text(content)
    before = read_site(site)
    with pytest.raises(GameError) as refusal:
        publish(game, site)

    assert refusal.value.code == "site-manifest-bad"
    assert read_site(site) == before


def test_a_manifest_that_names_files_elsewhere_is_not_believed(game: Desk, site: Path) -> None:
    """Otherwise the next publication would remove them."""
    outside = site.parent / "outside.txt"
    outside.write_text("mine")
    text = (site / MANIFEST).read_text(encoding="utf-8")
    (site / MANIFEST).write_text(text.replace('"charts.html"', '"../outside.txt"'))
    with pytest.raises(GameError) as refusal:
        publish(game, site)

    assert refusal.value.code == "site-manifest-bad"
    assert outside.read_text() == "mine"


def test_a_file_in_place_of_the_folder_is_refused(game: Desk, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(GameError) as refusal:
        publish(game, tmp_path / "file")

    assert refusal.value.code == "site-is-file"
