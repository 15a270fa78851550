"""A real Chromium for tests of pages, which records errors and requests of the pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, Request

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
"""What a Chromium may be called; the variable ``CHROMIUM`` names another."""

ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
    *("--font-render-hinting=none", "--hide-scrollbars", "--force-color-profile=srgb"),
)
"""Nothing of its own on the network; pictures that depend on the machine as little as can be."""

REQUIRED = "ALEXMAGNUM_REQUIRE_BROWSER"
"""The variable that makes a missing Chromium a failure."""

Scheme = Literal["light", "dark"]


def find_chromium() -> str | None:
    """Return the path of an installed Chromium, or None."""
    candidates = filter(None, (os.environ.get("CHROMIUM"), *NAMES))
    return next(filter(None, map(shutil.which, candidates)), None)


@dataclass(slots=True)
class Visitor:
    """A browser that opens local files as pages.

    ``faults`` lists what a page must not do: errors on the console, exceptions, and requests for
    anything but the file itself.
    """

    browser: Browser
    faults: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    def open(
        self,
        path: Path,
        *,
        size: tuple[int, int] = (1280, 900),
        scheme: Scheme = "light",
        touch: bool = False,
        permissions: Sequence[str] = (),
    ) -> Page:
        """Open a file in a fresh profile; return its page once the page and its fonts are loaded.

        ``size`` is the window's in CSS pixels; ``touch`` makes it a telephone's.
        """
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            has_touch=touch,
            is_mobile=touch,
            reduced_motion="reduce",
            permissions=list(permissions),
        )
        self.contexts.append(context)
        page = context.new_page()
        self._watch(page, path.as_uri())
        page.goto(path.as_uri())
        page.evaluate("document.fonts.ready")
        return page

    def _watch(self, page: Page, address: str) -> None:
        def on_console(message: ConsoleMessage) -> None:
            if message.type == "error":
                self.faults.append(f"console: {message.text}")

        def on_exception(error: Error) -> None:
            self.faults.append(f"exception: {error.message}")

        def on_request(request: Request) -> None:
            if request.url.partition("#")[0] != address and not request.url.startswith("data:"):
                self.faults.append(f"request: {request.url}")

        page.on("console", on_console)
        page.on("pageerror", on_exception)
        page.on("request", on_request)

    def leave(self) -> None:
        """Close all opened pages."""
        for context in self.contexts:
            context.close()
        self.contexts.clear()
