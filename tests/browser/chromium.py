"""A real Chromium for tests of pages, which records errors and requests of the pages."""

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Error, FloatRect, Locator, Page, Request

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
"""What a Chromium may be called; the variable ``CHROMIUM`` names another."""

ARGUMENTS = tuple(
    """
    --no-sandbox --disable-gpu --disable-background-networking --disable-component-update
    --disable-sync --no-first-run --font-render-hinting=none --hide-scrollbars
    --force-color-profile=srgb --default-tile-width=1024 --default-tile-height=1024
    """.split()  # noqa: SIM905 (11 quoted words would be as many lines)
)
"""Nothing of its own on the network; pictures that depend on the machine as little as can be; few
large tiles, because each that a map lies in draws all paths of the map that reach into it."""

REQUIRED = "ALEXMAGNUM_REQUIRE_BROWSER"  # the variable that makes a missing Chromium a failure

PATIENCE = 120_000
"""Milliseconds for the browser to start and for each thing that a test waits for: other tests keep
the machine busy."""

Scheme = Literal["light", "dark"]


def find_chromium() -> str | None:
    """Return the path of an installed Chromium, or None."""
    candidates = filter(None, (os.environ.get("CHROMIUM"), *NAMES))
    return next(filter(None, map(shutil.which, candidates)), None)


def list_violations(page: Page) -> list[Any]:
    """Return what axe finds against the rules of accessible pages: nothing else, which takes half
    the time, and without fetching style sheets, which the pages' policy forbids."""
    found = Axe().run(page, options={"resultTypes": ["violations"], "preload": False})
    violations: list[Any] = found.response["violations"]
    return violations


def wait_until(page: Page, condition: str, arg: object = None) -> None:
    """Wait until a function of JavaScript returns true; a page's policy may let no text run."""
    for _ in range(PATIENCE // 50):
        if page.evaluate(condition, arg):
            return
        page.wait_for_timeout(50)
    raise AssertionError(condition)


FIND_SLOT = Path(__file__).with_name("find_slot.js").read_text("utf-8")
"""Finds where on the screen units stand in a province."""

_FOCUSABLE = """() => [...document.querySelectorAll("svg.am-map, svg.am-map *")].filter((part) => {
  part.focus?.();
  return document.activeElement === part;
}).map((part) => part.outerHTML.slice(0, 80))"""


def check_map(page: Page) -> None:
    """Check that the map is in sight with its tools, at full width and in half of the height of
    an upright screen, and that no shape of it is a Tab stop: a listener is enough for one."""
    size = page.viewport_size
    assert size
    frame, tools = (box_of(page.locator(part)) for part in (".pan-zoom", ".map-tools"))
    assert frame["y"] + frame["height"] <= size["height"]
    if size["width"] < min(960, size["height"]):
        assert (frame["x"], frame["width"]) == (0, size["width"])
        assert frame["height"] >= 0.5 * size["height"]
        assert frame["y"] + frame["height"] <= tools["y"]
        assert tools["y"] + tools["height"] <= 0.9 * size["height"]
    assert page.evaluate(_FOCUSABLE) == []


def box_of(found: Locator) -> FloatRect:
    """Return where a part of a page is, in CSS pixels of the window."""
    box = found.bounding_box()
    assert box
    return box


def _is_own(address: str) -> bool:
    """Tell whether a request stays in the page: data that it holds, or a worker that it made."""
    return address.startswith(("data:", "blob:"))


_PAINTED = """async () => {
  await document.fonts.ready;
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
}"""
"""Waits for the fonts and what a page's script does once it has been laid out."""


@dataclass(frozen=True)
class Profile:
    """The kind of browser that opens a page."""

    size: tuple[int, int]
    scheme: Scheme
    touch: bool
    permissions: tuple[str, ...]


@dataclass
class Tabs:
    """The tabs of a browser, one for each profile that was asked for, since a tab for each page
    takes longer than most tests; one that is given back forgets what the page kept."""

    browser: Browser
    _free: dict[Profile, list[Page]] = field(default_factory=dict)

    def take(self, profile: Profile) -> Page:
        """Return an empty tab."""
        free = self._free.setdefault(profile, [])
        return free.pop() if free else self._new(profile)

    def give_back(self, profile: Profile, page: Page) -> None:
        """Empty a tab; the page goes first, or Chromium would paint it for every change."""
        page.evaluate("try { localStorage.clear() } catch {}")
        page.goto("about:blank")
        page.context.clear_cookies()
        page.emulate_media(media="null", color_scheme=profile.scheme)
        page.set_viewport_size({"width": profile.size[0], "height": profile.size[1]})
        page.mouse.move(0, 0)
        self._free[profile].append(page)

    def _new(self, profile: Profile) -> Page:
        context = self.browser.new_context(
            viewport={"width": profile.size[0], "height": profile.size[1]},
            color_scheme=profile.scheme,
            has_touch=profile.touch,
            is_mobile=profile.touch,
            reduced_motion="reduce",
            permissions=list(profile.permissions),
        )
        context.set_default_timeout(PATIENCE)
        return context.new_page()


@dataclass(slots=True)
class Visitor:
    """A browser that opens local files as pages; ``faults`` lists what a page must not do: errors
    on the console, exceptions, and requests for anything but the file itself."""

    tabs: Tabs
    faults: list[str] = field(default_factory=list)
    opened: list[tuple[Profile, Page]] = field(default_factory=list)
    watched: list[tuple[Page, str, Callable[..., None]]] = field(default_factory=list)
    altered: list[Page] = field(default_factory=list)

    def open(
        self,
        path: Path,
        *,
        size: tuple[int, int] = (1280, 900),
        scheme: Scheme = "light",
        touch: bool = False,
        permissions: Sequence[str] = (),
        fragment: str = "",
        before: str = "",
    ) -> Page:
        """Open a file in an empty tab; return its page once it is painted with its fonts.

        ``size`` is the window's in CSS pixels; ``touch`` makes it a telephone's;
        ``fragment`` stands behind the ``#`` of the address; ``before`` is JavaScript that runs
        before the page's own.
        """
        profile = Profile(size, scheme, touch, tuple(permissions))
        page = self.tabs.take(profile)
        self.opened.append((profile, page))
        if before:
            page.add_init_script(before)
            self.altered.append(page)
        self._watch(page, path.as_uri())
        page.goto(path.as_uri() + (f"#{fragment}" if fragment else ""))
        page.evaluate(_PAINTED)
        return page

    def _watch(self, page: Page, address: str) -> None:
        def on_console(message: ConsoleMessage) -> None:
            if message.type == "error":
                self.faults.append(f"console: {message.text}")

        def on_exception(error: Error) -> None:
            self.faults.append(f"exception: {error.message}")

        def on_request(request: Request) -> None:
            if request.url.partition("#")[0] != address and not _is_own(request.url):
                self.faults.append(f"request: {request.url}")

        listeners: dict[Any, Callable[..., None]] = {
            "console": on_console,
            "pageerror": on_exception,
            "request": on_request,
        }
        for event, listener in listeners.items():
            page.on(event, listener)
            self.watched.append((page, event, listener))

    def leave(self) -> None:
        """Give back all tabs, and close those that would run a script in the next page too."""
        for page, event, listener in self.watched:
            page.remove_listener(event, listener)
        self.watched.clear()
        for profile, page in self.opened:
            if page in self.altered:
                page.context.close()
            else:
                self.tabs.give_back(profile, page)
        self.altered.clear()
        self.opened.clear()


Point = tuple[float, float]

STEPS = 8  # movements of a finger from one point to another


def swipe(page: Page, start: Point, end: Point) -> None:
    """Draw one finger over the screen."""
    move_fingers(page, [(start, end)])


def pinch(page: Page, middle: Point, *, apart: float, to: float) -> None:
    """Move two fingers, ``apart`` CSS pixels from each other, until they are ``to`` apart."""
    x, y = middle
    move_fingers(page, [((x + s * apart / 2, y), (x + s * to / 2, y)) for s in (-1, 1)])


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
