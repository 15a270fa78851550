"""Every kind of page in three engines: no error, no Tab stop in a map, ids of its own, and an
accessibility tree that tells what is seen and nothing else."""

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from alexmagnum.board import load_board
from alexmagnum.campaign import first_position
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.position import Position
from alexmagnum.report.formats import MapPictures, format_report
from alexmagnum.report.sandbox import SandboxTable, render_sandbox
from alexmagnum.report.sheet import Sandbox, SheetHeading, render_order_sheet
from tests.browser.chromium import Visitor, wait_until
from tests.browser.test_report_page import with_history, write_page
from tests.browser.test_sheet import SAMPLE
from tests.browser.test_site_pages import KINDS, build_site
from tests.page_judge.engines import do_without, find_program, open_pages
from tests.page_judge.judges import NODE, needs_node
from tests.report import phase_contexts
from tests.report.test_balance_report import render_full_report
from tests.sizes import one_in

PRESSED = {
    "sheet.html": "#try",
    "picks.html": "#choices button",
    "sandbox.html": "#tab-play",
    "share.html": "#tab-share",
    "sample.html": ".orders .line",
    "learn.it.html": ".judge-it",
}
"""The part of each page that the test presses first, as a selector."""

OTHERS = ("sheet.html", "picks.html", "sandbox.html", "share.html", "sample.html", "balance.html")
PAGES = (*KINDS, "learn.it.html", *OTHERS)  # those beside the site are in Italian

HERE = Path(__file__).parent


def _build(folder: Path) -> None:
    italian = load_sentences("it")
    heading = SheetHeading("Cipro", "arbitro@example.org", "domenica 22 novembre", "22 nov 23:59")
    picks = Position.from_text("alexmagnum 323-2 TOL::BAT")
    for name, position in (("sheet.html", SAMPLE), ("picks.html", picks)):
        drawn = MapPictures().position_svg(position, italian, heading.game)
        sheet = render_order_sheet(position, "TOL", italian, heading, drawn, Sandbox("yes"))
        (folder / name).write_text(sheet, encoding="utf-8")
    tables = [SandboxTable(first_position(load_board(name))) for name in ("alexmagnum", "standard")]
    for name in ("sandbox.html", "share.html"):
        (folder / name).write_text(render_sandbox(tables, italian), encoding="utf-8")
    write_page(folder, "sample", "TOL", "it")
    (folder / "balance.html").write_text(render_full_report("it"), encoding="utf-8")


@pytest.fixture
def pages(built_once: Callable[..., Path], tmp_path: Path) -> Path:
    """Return a folder with all pages."""
    folder = Path(
        shutil.copytree(built_once("site-in-browser", build_site) / "site", tmp_path / "p")
    )
    shutil.copytree(built_once("every-page", _build), folder, dirs_exist_ok=True)
    return folder


def _add_script(page: Path, script: str) -> None:
    text = page.read_text("utf-8").replace("<head>", f"<head><script>{script}</script>", 1)
    page.write_text(text, "utf-8")


def _add_look(folder: Path, name: str) -> Path:
    """Let a page say what it shows."""
    script = (HERE / "seen.js").read_text("utf-8")
    _add_script(folder / name, script.replace('"PRESS"', json.dumps(PRESSED.get(name, ""))))
    return folder / name


@pytest.mark.parametrize("name", one_in(8, PAGES))
def test_the_tree_has_the_texts_in_sight_and_no_others_and_ids_are_where_they_are_named(
    visitor: Visitor, pages: Path, name: str
) -> None:
    page = visitor.open(_add_look(pages, name), size=(360, 740), touch=True)
    wait_until(page, "() => Boolean(window.result)")
    seen = page.evaluate("window.result")
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    told = [
        " ".join(n["name"]["value"].split()) for n in tree if n["role"]["value"] == "StaticText"
    ]
    visitor.faults[:] = [
        fault for fault in visitor.faults if not fault.startswith("request: file:")
    ]

    assert seen["faults"] == []
    assert _count_words(told) == _count_words(seen["texts"])


def _count_words(texts: list[str]) -> Counter[str]:
    """Count the words in texts, without signs that a style adds."""
    words = (word for text in texts for word in text.split())
    return Counter(word for word in words if any(map(str.isalnum, word)))


SAME_ROLES = {"image": {"image", "img"}, "combobox": {"combobox", "button", "textbox"}}
"""Roles that engines call differently."""


@pytest.mark.proof
@pytest.mark.parametrize("engine", ["chromium", "firefox", "webkit"])
def test_each_engine_tells_role_and_name_of_what_is_seen_and_nothing_of_the_rest(
    pages: Path, engine: str
) -> None:
    """It is asked for controls, pictures and headings.  WebKit also names what is hidden by now."""
    looks = open_pages(engine, *[_add_look(pages, name) for name in PAGES], told="[data-part]")
    described = zip(PAGES, looks, strict=True)
    changed = [name for name, (seen, told) in described if len(seen["parts"]) != len(told)]
    assert changed == [], "these pages changed while they were described"
    assert {
        (name, str(part), told)
        for name, (seen, all_told) in zip(PAGES, looks, strict=True)
        for part, told in zip(seen["parts"], all_told, strict=True)
        if not (_is_told(part, *told) if part["seen"] else _is_silent(*told) or engine == "webkit")
    } == set()


def _is_told(part: dict[str, object], role: str, name: str) -> bool:
    wanted, words = str(part["role"]), part["words"]
    assert isinstance(words, list)
    plain = "".join(name.split())
    is_named = bool(plain) and all("".join(word.split()) in plain for word in words)
    return is_named and (not wanted or role in SAME_ROLES.get(wanted, {wanted}))


def _is_silent(role: str, name: str) -> bool:
    return not name and role in ("", "none", "generic")


@pytest.mark.proof
@pytest.mark.parametrize("engine", ["chromium", "firefox", "webkit"])
def test_no_page_has_an_error_a_tab_stop_in_a_map_or_more_than_its_width(
    pages: Path, engine: str
) -> None:
    """At three widths, those of the site with some of each folder."""
    walk, script = ((HERE / f"walk.{kind}").read_text("utf-8") for kind in ("html", "js"))
    folders = [folder for folder in pages.iterdir() if folder.is_dir()]
    some = [page for folder in folders for page in sorted(folder.glob("*.html"))[:2]]
    walked = [*sorted(pages.glob("*.html")), *some]
    for page in walked:
        _add_script(page, script)
    names = [page.relative_to(pages).as_posix() for page in walked]
    path, widths = pages / "walk.html", (360, 768, 1366)
    path.write_text(walk.replace("WALK", json.dumps([widths, names]), 1), "utf-8")

    assert open_pages(engine, path) == [{"opened": len(walked) * 3, "faults": []}]


def _install_player(folder: Path) -> None:
    """Copy the script that plays the tasks, with what it needs from npm."""
    shutil.copytree(HERE / "tasks", folder / "tasks")
    for name in ("find_spot.js", "find_slot.js"):
        shutil.copy(HERE / name, folder)
    npm = ["npm", "ci", "--silent", "--no-audit", "--no-fund"]
    subprocess.run(npm, cwd=folder / "tasks", check=True, timeout=300)


@needs_node
@pytest.mark.proof
@pytest.mark.parametrize("way", ["telephone", "tablet", "mouse", "keyboard"])
@pytest.mark.parametrize("engine", ["chromium", "firefox"])
def test_players_do_what_they_came_for_by_touch_with_the_mouse_and_by_keys(
    pages: Path, built_once: Callable[..., Path], engine: str, way: str
) -> None:
    """``tasks/tasks.mjs`` has what they do, at the sizes that ``tasks/play.mjs`` names."""
    context = with_history(phase_contexts.ALL["sample"]())
    report = format_report(context, "TOL", "text", load_sentences("it"))
    (pages / "report.txt").write_text(report, "utf-8")
    script = built_once("player", _install_player) / "tasks" / "play.mjs"

    done = subprocess.run(
        [str(NODE), script, engine, find_program(engine), way, pages],
        check=False,
        capture_output=True,
        text=True,
        timeout=580,
    )
    if done.returncode == 3:
        do_without(engine, done.stderr)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
