"""Three browser engines that open a page and say what its script found: Chromium, Firefox, WebKit.

Each is driven by what it comes with: Chromium by Playwright as all tests of pages, Firefox by
Marionette, WebKitGTK by WebDriver.  A test opens pages by :func:`open_pages`, and is skipped if
the machine does not have it or cannot start it.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.browser.chromium import ARGUMENTS, PATIENCE, find_chromium

REQUIRED = "ALEXMAGNUM_REQUIRE_ENGINES"
"""The variable with the engines, with commas, that must not be missing."""

SECONDS = 120  # how long an engine may take to start, and a page to have its result

RESULT = "window.result === undefined ? null : JSON.stringify(window.result)"
"""What a page's script leaves behind when it is done."""


@dataclass(frozen=True)
class Tab:
    """A page that is open in an engine.

    ``evaluate`` returns the value of an expression of JavaScript; ``describe`` what the engine
    tells a reader of the screen about the elements of a selector: the role and the name of each.
    """

    evaluate: Callable[[str], Any]
    describe: Callable[[str], list[tuple[str, str]]]


Visit = Callable[[str], Tab]
"""Opens an address."""


def open_pages(engine: str, *pages: Path, told: str = "") -> list[Any]:
    """Return what the scripts of pages leave in ``window.result``, in a browser engine.

    ``told`` is a selector: each result then comes with the roles and names of its elements.  The
    test is skipped if the machine does not have the engine, and fails if :data:`REQUIRED` names it.
    A thread of its own does it: Playwright runs once in a thread, and the tests of pages share one.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_open_pages, engine, pages, told).result()


def _open_pages(engine: str, pages: Sequence[Path], told: str) -> list[Any]:
    with _ENGINES[engine](pages[0].parent) as visit:
        results = []
        for page in pages:
            tab = visit(page.as_uri())
            result = _wait_for(partial(tab.evaluate, RESULT), f"{engine}: no result", pytest.fail)
            results.append((result, tab.describe(told)) if told else result)
        return results


def _wait_for(find: Callable[[], Any], complaint: str, miss: Callable[[str], Any]) -> Any:
    """Return what a function finds in the end; call ``miss`` if that takes too long."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if (found := find()) is not None:
            return json.loads(found) if isinstance(found, str) else found
        time.sleep(0.1)
    return miss(complaint)


def _require(engine: str, *commands: str | None) -> list[str]:
    """Return the paths of commands; skip the test if one is missing."""
    if None in commands:
        do_without(engine, f"no {engine} on this machine")
    return [str(command) for command in commands]


def find_program(engine: str) -> str:
    """Return the path of Chromium or Firefox; skip the test without it."""
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    (program,) = _require(engine, firefox if engine == "firefox" else find_chromium())
    return program


def do_without(engine: str, reason: str) -> NoReturn:
    """Skip the test, or fail it if :data:`REQUIRED` names the engine."""
    (pytest.fail if engine in os.environ.get(REQUIRED, "").split(",") else pytest.skip)(reason)


@contextmanager
def _open_chromium(folder: Path) -> Iterator[Visit]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_program("chromium"), args=[*ARGUMENTS], timeout=PATIENCE
        )
        tab = browser.new_context(offline=True).new_page()

        tree = tab.context.new_cdp_session(tab)

        def describe(selector: str) -> list[tuple[str, str]]:
            asked = {"nodeId": tree.send("DOM.getDocument")["root"]["nodeId"], "selector": selector}
            return [tell(number) for number in tree.send("DOM.querySelectorAll", asked)["nodeIds"]]

        def tell(number: int) -> tuple[str, str]:
            asked = {"nodeId": number, "fetchRelatives": False}
            (node,) = tree.send("Accessibility.getPartialAXTree", asked)["nodes"]
            role, name = (node.get(key, {}).get("value", "") for key in ("role", "name"))
            return ("", "") if node["ignored"] else (role, name)

        def visit(address: str) -> Tab:
            tab.goto(address)
            return Tab(tab.evaluate, describe)

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
    executable = find_program("firefox")
    profile = folder / "firefox"
    profile.mkdir(exist_ok=True)
    (profile / "user.js").write_text('user_pref("marionette.port", 0);')
    where = profile / "MarionetteActivePort"
    where.unlink(missing_ok=True)
    with _run(
        [executable, "--headless", "--no-remote", "--profile", str(profile), "--marionette"], folder
    ):
        port = _wait_for(
            lambda: _read(where), "Firefox does not start", partial(do_without, "firefox")
        )
        with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
            marionette = _Marionette(connection)
            marionette.ask("NewSession")

            def visit(address: str) -> Tab:
                marionette.ask("Navigate", url=address)
                return Tab(marionette.evaluate, marionette.describe)

            yield visit


def _read(path: Path) -> str | None:
    return path.read_text() or None if path.exists() else None


class _Marionette:
    """A session with Firefox: numbered commands of WebDriver in, answers out."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.stream = connection.makefile("rb")
        self._read()  # the greeting

    def ask(self, command: str, **params: Any) -> Any:
        message = json.dumps([0, 1, f"WebDriver:{command}", params]).encode()
        self.connection.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._read()
        assert error is None, error
        return result

    def _read(self) -> Any:
        length = b"".join(iter(lambda: self.stream.read(1), b":"))
        return json.loads(self.stream.read(int(length)))

    def evaluate(self, expression: str) -> Any:
        return self.ask("ExecuteScript", script=f"return {expression}", args=[])["value"]

    def describe(self, selector: str) -> list[tuple[str, str]]:
        found = self.ask("FindElements", using="css selector", value=selector)
        keys = [key for element in found for key in element.values()]
        words = ("GetComputedRole", "GetComputedLabel")
        return [tuple(self.ask(word, id=key)["value"] for word in words) for key in keys]


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
    with _run([screen, "-a", driver, f"--port={port}", "--host=127.0.0.1"], folder):
        options = {"binary": browser, "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        base = f"http://127.0.0.1:{port}/session"
        session = _wait_for(
            lambda: _try_post(base, wanted), "WebKit does not start", partial(do_without, "webkit")
        )
        here = f"{base}/{session['sessionId']}"

        def evaluate(script: str) -> Any:
            return _post(f"{here}/execute/sync", {"script": f"return {script}", "args": []})

        def describe(selector: str) -> list[tuple[str, str]]:
            found = _post(f"{here}/elements", {"using": "css selector", "value": selector})
            paths = [f"{here}/element/{key}" for element in found for key in element.values()]
            return [(_tell(f"{p}/computedrole"), _tell(f"{p}/computedlabel")) for p in paths]

        def visit(address: str) -> Tab:
            _post(f"{here}/url", {"url": address})
            return Tab(evaluate, describe)

        yield visit


def _try_post(address: str, data: Any) -> Any:
    with suppress(OSError):
        return _post(address, data)
    return None


def _post(address: str, data: Any) -> Any:
    return _get(Request(address, json.dumps(data).encode(), {"Content-Type": "application/json"}))


def _tell(address: str) -> str:
    """Return a property of an element in the accessibility tree, "" if it is not there."""
    try:
        return str(_get(address))
    except HTTPError:
        return ""


def _get(asked: Request | str) -> Any:
    with urlopen(asked, timeout=SECONDS) as answer:
        return json.load(answer)["value"]


_ENGINES = {"chromium": _open_chromium, "firefox": _open_firefox, "webkit": _open_webkit}
