"""Three browser engines that open a page and say what its script found: Chromium, Firefox, WebKit.

Each is driven by what it comes with: Chromium by Playwright as all tests of pages, Firefox by
WebDriver BiDi, WebKitGTK by WebDriver.  A test opens pages by :func:`open_pages`, and is skipped if
the machine does not have it or cannot start it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn
from urllib.request import Request, urlopen

import pytest

from tests.browser.chromium import ARGUMENTS, PATIENCE, find_chromium

REQUIRED = "ALEXMAGNUM_REQUIRE_ENGINES"
"""The variable with the engines, with commas, that must not be missing."""

SECONDS = 120
"""How long an engine may take to start, and a page to have its result."""

RESULT = "window.result === undefined ? null : JSON.stringify(window.result)"
"""What a page's script leaves behind when it is done."""

Ask = Callable[[str], Any]
"""Evaluates an expression in a page."""

Visit = Callable[[str], Ask]
"""Opens an address."""


def open_pages(engine: str, *pages: Path) -> list[Any]:
    """Return what the scripts of pages leave in ``window.result``, in a browser engine.

    The test is skipped if the machine does not have it, and fails if :data:`REQUIRED` names it.
    A thread of its own does it: Playwright runs once in a thread, and the tests of pages share one.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_open_pages, engine, pages).result()


def _open_pages(engine: str, pages: Sequence[Path]) -> list[Any]:
    with _ENGINES[engine](pages[0].parent) as visit:
        results = []
        for page in pages:
            ask = visit(page.as_uri())
            results.append(_wait_for(partial(ask, RESULT), f"{engine}: no result", pytest.fail))
        return results


def _wait_for(find: Callable[[], Any], complaint: str, miss: Callable[[str], Any]) -> Any:
    """Return what a function finds in the end; call ``miss`` if that takes too long."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        found = find()
        if found is not None:
            return json.loads(found) if isinstance(found, str) else found
        time.sleep(0.1)
    return miss(complaint)


def _require(engine: str, *commands: str | None) -> list[str]:
    """Return the paths of commands; skip the test if one is missing."""
    if None in commands:
        _do_without(engine, f"no {engine} on this machine")
    return [str(command) for command in commands]


def _do_without(engine: str, reason: str) -> NoReturn:
    """Skip the test, or fail it if :data:`REQUIRED` names the engine."""
    (pytest.fail if engine in os.environ.get(REQUIRED, "").split(",") else pytest.skip)(reason)


@contextmanager
def _open_chromium(folder: Path) -> Iterator[Visit]:
    from playwright.sync_api import sync_playwright

    (executable,) = _require("chromium", find_chromium())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=[*ARGUMENTS], timeout=PATIENCE
        )
        tab = browser.new_context(offline=True).new_page()

        def visit(address: str) -> Ask:
            tab.goto(address)
            return tab.evaluate

        yield visit
        browser.close()


@contextmanager
def _run(command: list[str], folder: Path) -> Iterator[Path]:
    """Run a program in the background; yield the file with what it writes."""
    log = folder / "engine.log"
    with log.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, start_new_session=True)
        try:
            yield log
        finally:  # with all that it has started
            for signal in (15, 9):
                with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                    os.killpg(process.pid, signal)
                    process.wait(10)


# -- Firefox ---------------------------------------------------------------------------------------


@contextmanager
def _open_firefox(folder: Path) -> Iterator[Visit]:
    from websockets.sync.client import connect

    found = shutil.which("firefox-esr") or shutil.which("firefox")
    (executable,) = _require("firefox", found)
    profile = folder / "firefox"
    profile.mkdir(exist_ok=True)
    command = [executable, "--headless", "--no-remote", "--profile", str(profile)]
    with _run([*command, "--remote-debugging-port", "0"], folder) as log:
        address = _wait_for(
            lambda: _find_address(log), "Firefox does not start", partial(_do_without, "firefox")
        )
        with connect(f"{address}/session", max_size=None) as connection:
            bidi = _Bidi(connection)
            bidi.ask("session.new", capabilities={})
            context = bidi.ask("browsingContext.getTree")["contexts"][0]["context"]

            def visit(address: str) -> Ask:
                bidi.ask("browsingContext.navigate", context=context, url=address, wait="complete")
                return partial(bidi.evaluate, context)

            yield visit


def _find_address(log: Path) -> list[str] | str | None:
    found = re.search(r"BiDi listening on (ws://\S+)", log.read_text(errors="replace"))
    return json.dumps(found[1]) if found else None


class _Bidi:
    """A session of WebDriver BiDi: numbered commands in, answers out; events are passed over."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.number = 0

    def ask(self, method: str, **params: Any) -> Any:
        self.number += 1
        self.connection.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            answer = json.loads(self.connection.recv(timeout=SECONDS))
            if answer.get("id") == self.number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def evaluate(self, context: str, expression: str) -> Any:
        asked = {"expression": expression, "target": {"context": context}, "awaitPromise": False}
        found = self.ask("script.evaluate", **asked)
        return found["result"].get("value")


# -- WebKitGTK -------------------------------------------------------------------------------------


@contextmanager
def _open_webkit(folder: Path) -> Iterator[Visit]:
    browsers = sorted(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"))
    driver, screen, browser = _require(
        "webkit",
        shutil.which("WebKitWebDriver"),
        shutil.which("xvfb-run"),
        str(browsers[-1]) if browsers else None,
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [screen, "-a", driver, f"--port={port}", "--host=127.0.0.1"]
    with _run(command, folder):
        options = {"binary": browser, "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        base = f"http://127.0.0.1:{port}/session"
        session = _wait_for(
            lambda: _try_post(base, wanted), "WebKit does not start", partial(_do_without, "webkit")
        )
        here = f"{base}/{session['sessionId']}"

        def evaluate(script: str) -> Any:
            return _post(f"{here}/execute/sync", {"script": f"return {script}", "args": []})

        def visit(address: str) -> Ask:
            _post(f"{here}/url", {"url": address})
            return evaluate

        yield visit


def _try_post(address: str, data: Any) -> Any:
    with suppress(OSError):
        return _post(address, data)
    return None


def _post(address: str, data: Any) -> Any:
    headers = {"Content-Type": "application/json"}
    request = Request(address, json.dumps(data).encode(), headers)
    with urlopen(request, timeout=SECONDS) as answer:
        return json.load(answer)["value"]


_ENGINES = {"chromium": _open_chromium, "firefox": _open_firefox, "webkit": _open_webkit}
