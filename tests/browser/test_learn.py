"""The lessons for newcomers: every solution and every mistake judged, and some played by touch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.notation import write_order
from alexmagnum.page_judge import PageJudge
from alexmagnum.position import Position
from alexmagnum.report.document import load_script
from alexmagnum.report.learn import load_lessons, render_lesson_pages
from tests.browser.chromium import Visitor, check_map, list_violations, wait_until
from tests.sizes import sampled, sized

LESSONS = load_lessons()
POWER = LESSONS["power"]
TASKS = {
    f"{number}.{part}": task
    for number, step in enumerate(LESSONS["steps"], 1)
    for part, task in enumerate(step.get("tasks", ()), 1)
}
PLACE = """province => {
  const { table } = JSON.parse(document.getElementById("data").textContent);
  const matrix = document.querySelector("#board svg").getScreenCTM();
  const at = new DOMPoint(...table.pieces.slots[province][0]).matrixTransform(matrix);
  return [at.x, at.y];
}"""


def _open(visitor: Visitor, folder: Path, lang: str, **window: Any) -> Page:
    for name, text in render_lesson_pages("learn.html", load_sentences(lang)):
        (folder / name).write_text(text, encoding="utf-8")
    return visitor.open(folder / "learn.html", **window)


def _go(page: Page, task: str) -> None:
    page.evaluate("task => { location.hash = task }", task)
    page.wait_for_timeout(50)
    wait_until(page, "() => !document.getElementById('show').disabled")


def _play(page: Page, *taps: str) -> str:
    """Tap provinces, and buttons of which a part of the text is given; return the verdict."""
    for tap in taps:
        if tap.isupper():
            page.touchscreen.tap(*page.evaluate(PLACE, tap))
        else:
            page.locator("#near:visible button, #choices button", has_text=tap).first.tap()
    page.locator(".judge-it:visible").tap()
    return _read_verdict(page)


def _read_verdict(page: Page) -> str:
    wait_until(page, "() => document.body.classList.contains('judged')")
    return page.inner_text("#verdict")


def _ask(task: Mapping[str, Any], codes: list[str]) -> tuple[dict[str, Any], list[Any]]:
    """Return what follows some orders, and the fates of the reader's units, as Python judges."""
    orders = {**task.get("orders", {}), POWER: codes}
    about = {"position": f"{LESSONS['map']} {task['position']}", "orders": orders}
    judge = PageJudge("en")
    judged = judge.reply({"op": "adjudicate", "want": ["fates", "results"], **about})
    after = judge.reply({"op": "next_phase", **about})
    fates = [fate for fate in (*judged["fates"], *judged["results"]) if fate["power"] == POWER]
    return {"position": after["json"], "winners": (after["ending"] or {}).get("winners", [])}, fates


def test_solutions_reach_goals_and_mistakes_get_hints(visitor: Visitor, tmp_path: Path) -> None:
    script = load_script("lesson.js").text
    (tmp_path / "goals.html").write_text(f"<title>goals</title><script>{script}</script>")
    page = visitor.open(tmp_path / "goals.html")
    reached = "([goal, next]) => lessonGoal.reached(goal, next)"
    for task in TASKS.values():
        position = Position.from_text(f"{LESSONS['map']} {task['position']}")
        offered = {write_order(order) for order in legal_orders_of(position, POWER)}
        assert offered.issuperset(task["solution"]), task["id"]
        assert page.evaluate(reached, [task["goal"], _ask(task, task["solution"])[0]]), task["id"]
        after, fates = _ask(task, task["mistake"])
        assert not page.evaluate(reached, [task["goal"], after]), task["id"]
        hint = page.evaluate("given => lessonGoal.hint(...given)", [task["hints"], fates])
        assert hint in [each["say"] for each in task["hints"]], task["id"]


def test_a_newcomer_plays_by_touch_and_goes_on_later(visitor: Visitor, tmp_path: Path) -> None:
    page = _open(visitor, tmp_path, "en", size=(360, 740), touch=True)
    for task, taps in {
        "1": ("ALE",),
        "3": ("MEN", "TEB", "Moves", "TRO", "Supports"),
        "9.2": ("SIS", "North Sinai"),  # too small for a finger: it is asked which one is meant
    }.items():
        _go(page, task)
        check_map(page)
        assert _play(page) == "Not yet", task
        page.get_by_role("button", name="Try again").tap()
        assert _play(page, *taps) == "Done!", task
    assert list_violations(page) == []
    page.reload()
    expect(page.locator("nav a.done")).to_have_text(["1", "3"])


@sampled
def test_lessons_show_their_solutions(visitor: Visitor, tmp_path: Path) -> None:
    page = _open(visitor, tmp_path, "it", size=(1366, 768))
    for task in list(TASKS)[:: sized(7, 1)]:
        _go(page, task)
        page.click("#show")
        assert _read_verdict(page) == "Un modo è questo", task
        assert page.locator(".answer.good").count() == 1, task
    page.get_by_role("link", name="Passo 13").click()
    expect(page.locator(".mails li")).to_have_count(5)
    assert list_violations(page) == []
