"""The command ``publish`` and the setting ``site_dir``, as a game master uses them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from alexmagnum.site.site import MANIFEST
from tests.commands import run_command
from tests.site.games import played_game, read_site


@pytest.fixture
def folder(built_once: Callable[..., Path], tmp_path: Path) -> Path:
    """Return the folder of a copy of a game of seven phases."""
    built = built_once("site-command", lambda folder: played_game(folder / "g", 7).close())
    return Path(shutil.copytree(built / "g", tmp_path / "g"))


def test_the_command_publishes_the_game_stood_in_or_named(folder: Path, tmp_path: Path) -> None:
    said = run_command("publish", str(tmp_path / "site"), cwd=folder).out
    again = run_command("publish", str(folder), str(tmp_path / "site"), "--json", cwd=tmp_path).data

    assert str(tmp_path / "site" / "index.html") in said
    assert (again["written"], again["removed"]) == ([], [])
    assert again["unchanged"] == len(read_site(tmp_path / "site"))


def test_the_pages_are_in_the_language_asked_for(folder: Path, tmp_path: Path) -> None:
    run_command("publish", str(tmp_path / "en"), "--lang", "en", cwd=folder)
    run_command("publish", str(tmp_path / "it"), cwd=folder)

    assert "Who attacks whom" in (tmp_path / "en" / "charts.html").read_text(encoding="utf-8")
    assert "Chi attacca chi" in (tmp_path / "it" / "charts.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "Name the folder"),
        (["a", "b", "c"], "Name the folder"),
        (["site", "--gm", "--for", "TOL"], "exclude"),
        (["site", "--for", "Rome"], "Rome"),
        (["nowhere", "site"], "nowhere"),
        ([".."], ".."),
        (["site", "--all"], "finita|end|fine"),
        (["site", "--phase", "323-1"], "--single"),
        (["--single", "site", "--phase", "301-spring"], "301-spring"),
    ],
)
def test_what_cannot_be_published_is_refused_with_the_reason(
    folder: Path, arguments: list[str], why: str
) -> None:
    refused = run_command("publish", *arguments, cwd=folder, status=None)

    assert refused.status in (1, 2)
    assert re.search(why, refused.err)
    assert not (folder / "site").exists()


def test_one_phase_is_one_page(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "one.html"
    said = run_command("publish", "--single", str(page), "--phase", "323-2", cwd=folder).out
    text = page.read_text(encoding="utf-8")

    assert str(page) in said
    assert 'data-article="323-2"' in text
    assert 'data-article="323-1"' not in text
    run_command("publish", str(folder), "--single", str(page), cwd=tmp_path)
    assert page.read_text(encoding="utf-8").count("data-article=") == 7


def test_processing_keeps_the_site_of_the_setting(folder: Path) -> None:
    run_command("settings", "site_dir", "site", cwd=folder)
    phase = run_command("status", "--json", cwd=folder).data["phase"]
    said = run_command("process", phase, "--allow-missing", cwd=folder).out
    page = folder / "site" / "phases" / f"{phase}.html"

    assert str(Path("site")) in said
    assert page.exists()
    run_command("undo", cwd=folder)
    assert not page.exists()


def test_a_site_that_cannot_be_written_spoils_no_processing_and_is_tried_again(
    folder: Path, tmp_path: Path
) -> None:
    (folder / "site").write_text("in the way")
    run_command("settings", "site_dir", "site", cwd=folder)
    phase = run_command("status", "--json", cwd=folder).data["phase"]
    done = run_command("process", phase, "--allow-missing", cwd=folder)

    assert "site" in done.err
    assert run_command("status", "--json", cwd=folder).data["phase"] != phase
    assert (folder / "reports" / phase).is_dir()
    failed = run_command("tick", cwd=folder, status=1)
    assert "site" in failed.err + failed.out
    (folder / "site").unlink()
    run_command("tick", cwd=folder)
    assert (folder / "site" / "phases" / f"{phase}.html").exists()


def test_a_tick_without_news_leaves_the_site_alone(folder: Path) -> None:
    run_command("settings", "site_dir", "site", cwd=folder)
    run_command("tick", cwd=folder)
    index = folder / "site" / "index.html"
    index.write_text("mine")
    run_command("tick", cwd=folder)

    assert index.read_text() == "mine"


def test_names_that_are_hidden_leave_the_site_of_the_setting_at_once(folder: Path) -> None:
    run_command("player", "set", "TOL", "Zenobia Quartz", cwd=folder)
    run_command("settings", "site_dir", "site", cwd=folder)
    named = "\n".join(read_site(folder / "site").values())
    run_command("settings", "names", "hidden", cwd=folder)

    assert "Zenobia" in named
    assert "Zenobia" not in "\n".join(read_site(folder / "site").values())


@pytest.mark.parametrize(
    ("act", "page", "shown"),
    [
        (["player", "set", "TOL", "Zenobia Quartz"], "rules.html", "Zenobia Quartz"),
        (["report", "323-1", "--after", "A dry year."], "press.html", "A dry year."),
        (["deadline", "pause"], "index.html", ""),
        (["settings", "addresses", "public"], "rules.html", ""),
    ],
)
def test_the_site_of_the_setting_follows_what_it_shows(
    folder: Path, act: list[str], page: str, shown: str
) -> None:
    run_command("settings", "pictures", "no", cwd=folder)
    run_command("settings", "site_dir", "site", cwd=folder)
    before = read_site(folder / "site")[page]
    run_command(*act, cwd=folder)
    after = read_site(folder / "site")[page]

    assert after != before
    assert shown in after


def test_words_for_the_open_phase_leave_the_site_alone(folder: Path) -> None:
    run_command("settings", "site_dir", "site", cwd=folder)
    said = run_command("report", "--after", "zqsecretqz", cwd=folder).out
    manifest = (folder / "site" / MANIFEST).read_text(encoding="utf-8")
    run_command("tick", cwd=folder)

    assert "index.html" not in said
    assert (folder / "site" / MANIFEST).read_text(encoding="utf-8") == manifest


def test_a_game_that_ended_before_its_first_phase_has_no_site_and_no_failure(
    tmp_path: Path,
) -> None:
    run_command("new", "g", "--lang", "en", "--set", "pictures=no", cwd=tmp_path)
    run_command("settings", "site_dir", "site", cwd=tmp_path / "g")
    run_command("end", "--abandon", cwd=tmp_path / "g")

    assert run_command("tick", cwd=tmp_path / "g").err == ""


def test_a_page_does_not_take_the_place_of_a_game(folder: Path) -> None:
    before = (folder / "game.db").read_bytes()
    refused = run_command("publish", "--single", "game.db", cwd=folder, status=1)

    assert "game.db" in refused.err
    assert (folder / "game.db").read_bytes() == before
