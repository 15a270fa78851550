"""Publishing again, by the library and the command: what changed is written, all else stays."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from alexmagnum.files import write_whole
from alexmagnum.game.desk import Desk
from alexmagnum.site.site import MANIFEST
from tests.commands import run_command
from tests.game.desks import open_desk, play
from tests.site.games import find_refusal, played_game, publish, read_site, read_times


@pytest.fixture
def game(built_once: Callable[..., Path], tmp_path: Path) -> Desk:
    """Return a copy of a game of nine phases."""

    shutil.copytree(built_once("site-game", _build) / "g", tmp_path / "g")
    return open_desk(tmp_path / "g")


@pytest.fixture
def site(built_once: Callable[..., Path], tmp_path: Path) -> Path:
    """Return the folder of a copy of its site."""
    return shutil.copytree(built_once("site-game", _build) / "site", tmp_path / "site")


def _build(folder: Path) -> None:
    with played_game(folder / "g") as desk:
        publish(desk, folder / "site")


def test_publishing_again_writes_what_is_lost_and_nothing_else(game: Desk, site: Path) -> None:
    before = read_times(site)
    changes = publish(game, site)

    assert (changes.written, changes.removed) == ((), ())
    assert read_times(site) == before
    (site / "charts.html").unlink()
    assert publish(game, site).written == ("charts.html",)


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


def test_a_page_changed_by_hand_is_written_anew_but_never_removed(game: Desk, site: Path) -> None:
    """Foreign files beside the site stay."""
    index, last = site / "index.html", site / f"phases/{game.phase_rows()[-2].name}.html"
    mine = [last, site / "CNAME", site / "phases" / "mine.txt"]
    for path in (index, *mine):
        path.write_text(f"my {path.name}")
    game.undo()
    changes = publish(game, site)

    assert "index.html" in changes.written
    assert changes.removed == ()
    assert [path.read_text() for path in mine] == [f"my {path.name}" for path in mine]


def test_a_folder_with_foreign_files_is_refused_and_left_alone(game: Desk, tmp_path: Path) -> None:
    """So is a file, and a folder in which the game keeps its files."""
    folder = tmp_path / "photos"
    folder.mkdir()
    index = folder / "index.html"
    index.write_text("my photos")

    for used in (folder, game.folder):
        assert find_refusal(game, used) == "site-folder-used"
    assert list(folder.iterdir()) == [index]
    assert index.read_text() == "my photos"
    assert find_refusal(game, index) == "site-is-file"
    for place in ("reports", "drafts/site", "backups", "outbox"):
        assert find_refusal(game, game.folder / place) == "site-folder-of-game"


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

    assert find_refusal(game, site) == "site-foreign-file"
    assert (site / "phases" / f"{following}.html").read_text() == "mine"


def test_another_audience_language_or_game_does_not_replace_the_site(
    game: Desk, site: Path, tmp_path: Path
) -> None:
    before = read_site(site)

    for audience, lang in (("TOL", "en"), ("gm", "en"), (None, "it")):
        assert find_refusal(game, site, audience, lang) == "site-of-another"
    with played_game(tmp_path / "other", 1) as other:
        assert find_refusal(other, site) == "site-of-another"
    assert read_site(site) == before


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


def test_a_manifest_that_is_damaged_or_names_files_elsewhere_stops_publishing(
    game: Desk, site: Path
) -> None:
    """Otherwise the next publication would remove them."""
    outside = site.parent / "outside.txt"
    outside.write_text("mine")
    text = (site / MANIFEST).read_text(encoding="utf-8")
    elsewhere = text.replace('"charts.html"', '"../outside.txt"')
    before = read_site(site)

    for content in ("", "[]", '{"format": 1}', '{"format": 99}', elsewhere):
        (site / MANIFEST).write_text(content)
        assert find_refusal(game, site) == "site-manifest-bad"
        assert read_site(site) == before
    assert outside.read_text() == "mine"


@pytest.fixture
def folder(built_once: Callable[..., Path], tmp_path: Path) -> Path:
    """Return the folder of a copy of a game of seven phases."""
    built = built_once("site-command", lambda folder: played_game(folder / "g", 7).close())
    return Path(shutil.copytree(built / "g", tmp_path / "g"))


def test_the_command_publishes_the_game_stood_in_or_named(folder: Path, tmp_path: Path) -> None:
    """Its pages are in the language asked for."""
    said = run_command("publish", str(tmp_path / "site"), cwd=folder).out
    again = run_command("publish", str(folder), str(tmp_path / "site"), "--json", cwd=tmp_path).data
    run_command("publish", str(tmp_path / "en"), "--lang", "en", cwd=folder)
    charts = [(tmp_path / name / "charts.html").read_text("utf-8") for name in ("site", "en")]

    assert str(tmp_path / "site" / "index.html") in said
    assert (again["written"], again["removed"]) == ([], [])
    assert again["unchanged"] == len(read_site(tmp_path / "site"))
    assert "Chi attacca chi" in charts[0]
    assert "Who attacks whom" in charts[1]


REFUSED = [
    ([], "Name the folder"),
    (["a", "b", "c"], "Name the folder"),
    (["site", "--gm", "--for", "TOL"], "exclude"),
    (["site", "--for", "Rome"], "Rome"),
    (["nowhere", "site"], "nowhere"),
    ([".."], ".."),
    (["site", "--all"], "finita|end|fine"),
    (["site", "--phase", "323-1"], "--single"),
    (["--single", "site", "--phase", "301-spring"], "301-spring"),
    (["--single", "game.db"], "game.db"),
]


def test_what_cannot_be_published_is_refused_with_the_reason(folder: Path) -> None:
    before = (folder / "game.db").read_bytes()
    for arguments, why in REFUSED:
        refused = run_command("publish", *arguments, cwd=folder, status=None)
        assert refused.status in (1, 2)
        assert re.search(why, refused.err)
        assert not (folder / "site").exists()
    assert (folder / "game.db").read_bytes() == before


def test_one_phase_is_one_page(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "one.html"
    said = run_command("publish", "--single", str(page), "--phase", "323-2", cwd=folder).out
    text = page.read_text(encoding="utf-8")

    assert str(page) in said
    assert 'data-article="323-2"' in text
    assert 'data-article="323-1"' not in text
    run_command("publish", str(folder), "--single", str(page), cwd=tmp_path)
    assert page.read_text(encoding="utf-8").count("data-article=") == 7


def _keep_site(folder: Path) -> str:
    """Set where the site of a game is kept; return the phase that is open."""
    run_command("settings", "site_dir", "site", cwd=folder)
    phase: str = run_command("status", "--json", cwd=folder).data["phase"]
    return phase


def test_processing_keeps_the_site_of_the_setting(folder: Path) -> None:
    phase = _keep_site(folder)
    said = run_command("process", phase, "--allow-missing", cwd=folder).out
    page = folder / "site" / "phases" / f"{phase}.html"

    assert str(Path("site")) in said
    assert page.exists()
    run_command("undo", cwd=folder)
    assert not page.exists()


def test_a_site_that_cannot_be_written_spoils_no_processing_and_is_tried_again(
    folder: Path,
) -> None:
    (folder / "site").write_text("in the way")
    phase = _keep_site(folder)
    done = run_command("process", phase, "--allow-missing", cwd=folder)

    assert "site" in done.err
    assert run_command("status", "--json", cwd=folder).data["phase"] != phase
    assert (folder / "reports" / phase).is_dir()
    failed = run_command("tick", cwd=folder, status=1)
    assert "site" in failed.err + failed.out
    (folder / "site").unlink()
    run_command("tick", cwd=folder)
    assert (folder / "site" / "phases" / f"{phase}.html").exists()


def test_a_tick_without_news_and_words_for_the_open_phase_leave_the_site_alone(
    folder: Path,
) -> None:
    _keep_site(folder)
    run_command("tick", cwd=folder)
    index, manifest = folder / "site" / "index.html", folder / "site" / MANIFEST
    index.write_text("mine")
    said = run_command("report", "--after", "zqsecretqz", cwd=folder).out
    before = manifest.read_text(encoding="utf-8")
    run_command("tick", cwd=folder)

    assert index.read_text() == "mine"
    assert "index.html" not in said
    assert manifest.read_text(encoding="utf-8") == before


FOLLOWED = [
    (["player", "set", "TOL", "Zenobia Quartz"], "rules.html", "Zenobia Quartz"),
    (["report", "323-1", "--after", "A dry year."], "press.html", "A dry year."),
    (["deadline", "pause"], "index.html", ""),
    (["settings", "addresses", "public"], "rules.html", ""),
]
"""Commands, a page of the site that they change, and what it then shows."""


def test_the_site_of_the_setting_follows_what_it_shows(folder: Path) -> None:
    """Names that are hidden leave it at once."""
    run_command("settings", "pictures", "no", cwd=folder)
    _keep_site(folder)
    for act, page, shown in FOLLOWED:
        before = (folder / "site" / page).read_text(encoding="utf-8")
        run_command(*act, cwd=folder)
        after = (folder / "site" / page).read_text(encoding="utf-8")
        assert after != before
        assert shown in after
    run_command("settings", "names", "hidden", cwd=folder)
    assert "Zenobia" not in "\n".join(read_site(folder / "site").values())


def test_a_game_that_ended_before_its_first_phase_has_no_site_and_no_failure(
    tmp_path: Path,
) -> None:
    run_command("new", "g", "--lang", "en", "--set", "pictures=no", cwd=tmp_path)
    run_command("settings", "site_dir", "site", cwd=tmp_path / "g")
    run_command("end", "--abandon", cwd=tmp_path / "g")

    assert run_command("tick", cwd=tmp_path / "g").err == ""
