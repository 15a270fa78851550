"""Fingers on a touch screen: what the browser makes of their touches is what it does on a phone."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Page

Point = tuple[float, float]

STEPS = 8
"""Movements of a finger from one point to another."""


def swipe(page: Page, start: Point, end: Point) -> None:
    """Draw one finger over the screen."""
    move_fingers(page, [(start, end)])


def pinch(page: Page, middle: Point, *, apart: float, to: float) -> None:
    """Move two fingers, ``apart`` CSS pixels from each other, until they are ``to`` apart."""
    x, y = middle
    fingers = [((x + s * apart / 2, y), (x + s * to / 2, y)) for s in (-1, 1)]
    move_fingers(page, fingers)


def move_fingers(page: Page, ways: Sequence[tuple[Point, Point]]) -> None:
    """Put fingers down together, move each from its start to its end, and lift them."""
    session = page.context.new_cdp_session(page)

    def send(kind: str, share: float) -> None:
        points = [
            {"x": a[0] + (b[0] - a[0]) * share, "y": a[1] + (b[1] - a[1]) * share, "id": number}
            for number, (a, b) in enumerate(ways)
        ]
        touches = [] if kind == "touchEnd" else points
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    send("touchStart", 0)
    for step in range(1, STEPS + 1):
        send("touchMove", step / STEPS)
    send("touchEnd", 1)
    session.detach()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
