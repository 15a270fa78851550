"""The lessons for newcomers: every solution and every mistake judged, and some played by touch."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.notation import write_order
from alexmagnum.page_judge import PageJudge
from alexmagnum.position import Position
from alexmagnum.report.document import load_script
from alexmagnum.report.sandbox import load_lessons, render_lesson_pages
from tests.browser import chromium
from tests.sizes import sampled, sized

LESSONS = load_lessons()
POWER = LESSONS["power"]
TASKS = [task for step in LESSONS["steps"] for task in step.get("tasks", ())]


def _press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).locator("visible=true").tap()


def _judge(page: Page, button: str, verdict: str, *taps: str) -> None:
    """Tap provinces, and choices of which a part of the text is given, then a button; the map and
    what is said above it stay in their place, all on one screen."""
    board = chromium.box_of(page.locator("#board"))
    for tap in taps:
        if tap.isupper():
            page.touchscreen.tap(*page.evaluate(chromium.FIND_SLOT, tap))
        else:
            page.locator("#near:visible button, #choices button", has_text=tap).first.tap()
    _press(page, button)
    expect(page.locator("#verdict")).to_have_text(verdict)
    assert chromium.box_of(page.locator("#board")) == board
    expect(page.locator("nav")).to_be_in_viewport(ratio=1)
    expect(page.locator("#remark")).to_be_in_viewport(ratio=1)


def _ask(task: Mapping[str, Any], codes: list[str]) -> tuple[dict[str, Any], list[Any]]:
    """Return what follows some orders, and the fates of the reader's units, as Python judges."""
    orders = {**task.get("orders", {}), POWER: codes}
    about = {"position": f"{LESSONS['map']} {task['position']}", "orders": orders}
    judge = PageJudge("en")
    judged = judge.reply({"op": "adjudicate", "want": ["fates", "results"], **about})
    after = judge.reply({"op": "next_phase", **about})
    fates = [fate for fate in (*judged["fates"], *judged["results"]) if fate["power"] == POWER]
    return {"position": after["json"], "winners": (after["ending"] or {}).get("winners", [])}, fates


def test_solutions_reach_goals_and_mistakes_get_hints(
    visitor: chromium.Visitor, tmp_path: Path
) -> None:
    script = load_script("lesson.js").text
    (tmp_path / "goals.html").write_text(f"<title>goals</title><script>{script}</script>")
    page = visitor.open(tmp_path / "goals.html")
    reached = "([goal, next]) => lessonGoal.reached(goal, next)"
    for task in TASKS:
        position = Position.from_text(f"{LESSONS['map']} {task['position']}")
        offered = {write_order(order) for order in legal_orders_of(position, POWER)}
        assert offered.issuperset(task["solution"]), task["id"]
        assert page.evaluate(reached, [task["goal"], _ask(task, task["solution"])[0]]), task["id"]
        after, fates = _ask(task, task["mistake"])
        assert not page.evaluate(reached, [task["goal"], after]), task["id"]
        hint = page.evaluate("given => lessonGoal.hint(...given)", [task["hints"], fates])
        assert hint in [each["say"] for each in task["hints"]], task["id"]


@pytest.mark.proof
def test_every_lesson_fits_a_telephone(visitor: chromium.Visitor, tmp_path: Path) -> None:
    """Its words in full, half of the height for the map, and what it asks first."""
    pages = render_lesson_pages("learn.html", load_sentences("en"))
    for (name, text), height in zip(pages, (740, 640), strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")
        page = visitor.open(tmp_path / name, size=(360, height), touch=True)
        for number, step in enumerate(LESSONS["steps"][:-1], 1):
            for part in range(1, len(step["tasks"]) + 1):
                page.evaluate("task => { location.hash = task }", f"{number}.{part}")
                chromium.wait_until(page, "() => !document.getElementById('show').disabled")
                if height == 740:
                    chromium.check_map(page)
                expect(page.locator(".speech")).to_be_in_viewport(ratio=1)
                shown = page.locator("#asked, #choices button").locator("visible=true")
                expect(shown.nth(min(shown.count(), 2) - 1)).to_be_in_viewport(ratio=0.9)
        assert page.evaluate("document.documentElement.scrollHeight") == height


PLAYED = {
    "3": ("MEN", "TEB", "Moves", "TRO", "Supports"),
    "9.1": ("SUE",),
    "9.2": ("SIS", "North Sinai"),  # too small for a finger on a smaller map: which is meant?
    "1": ("ALE",),
    "2": ("ALE",),
    "7.2": ("CRE", "EGE", "Moves", "ICA", "Supports"),  # the fitting one stands first
}
"""The taps that solve some tasks; only ``make proof`` plays those behind the first three."""


@sampled
def test_a_newcomer_plays_by_touch_and_goes_on_later(
    visitor: chromium.Visitor, tmp_path: Path
) -> None:
    for name, text in render_lesson_pages("learn.html", load_sentences("en")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    page = visitor.open(tmp_path / "learn.html", size=(360, 740), touch=True)
    played = sorted([*PLAYED][: sized(3, len(PLAYED))])
    for task in played:
        page.evaluate("task => { location.hash = task }", task)
        page.wait_for_timeout(50)
        chromium.wait_until(page, "() => !document.getElementById('show').disabled")
        chromium.check_map(page)
        if task == "2":
            expect(page.get_by_role("button", name="Supports")).to_have_count(0)  # not taught yet
        _judge(page, "Judge", "Not yet")
        _judge(page, "Show me", "This is one way")
        _press(page, "Now try it yourself")
        if task == "9.2":
            page.locator("[data-zoom=out]").tap()
            page.wait_for_timeout(50)
        _judge(page, "Judge", "Done!", *PLAYED[task])
        expect(page.locator("#fates")).not_to_contain_text("(R")
    assert chromium.list_violations(page) == []
    _press(page, "Try again")
    expect(page.locator("#said")).to_contain_text("orders still stand")
    page.touchscreen.tap(*page.evaluate(chromium.FIND_SLOT, "SIS"))
    _press(page, "Judge")
    expect(page.locator("#said")).to_contain_text("North Sinai / ")
    expect(page.locator("#said")).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Step 13").tap()
    expect(page.locator(".mails li")).to_have_count(5)
    page.reload()
    expect(page.locator("nav a.done")).to_have_text(
        [step for step in ("1", "2", "3", "9") if step in played or f"{step}.2" in played]
    )
