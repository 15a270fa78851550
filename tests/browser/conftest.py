"""Fixtures of the tests in a browser: ``visitor`` opens pages, ``pictured`` compares what they
look like."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser import chromium
from tests.browser.pictures import check

Pictured = Callable[[bytes, str], None]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start an installed headless Chromium; without one the test is skipped, or fails if
    :data:`REQUIRED` is set."""
    if (executable := chromium.find_chromium()) is None:
        reason = f"no Chromium found: install one, or name it in CHROMIUM (tried {chromium.NAMES})"
        (pytest.fail if os.environ.get(chromium.REQUIRED) else pytest.skip)(reason)
    expect.set_options(timeout=chromium.PATIENCE)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=executable, args=[*chromium.ARGUMENTS], timeout=chromium.PATIENCE
        )
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def tabs(browser: Browser) -> chromium.Tabs:
    """Return the tabs that the tests of a run share, one after the other."""
    return chromium.Tabs(browser)


@pytest.fixture
def visitor(tabs: chromium.Tabs) -> Iterator[chromium.Visitor]:
    """Yield a visitor that opens pages; fail if a page had an error or made a request."""
    guest = chromium.Visitor(tabs)
    yield guest
    guest.leave()
    assert guest.faults == []


@pytest.fixture
def pictured(tmp_path: Path) -> Pictured:
    """Return a function that compares a screenshot (PNG) with the approved one of a name."""

    def compare(screenshot: bytes, name: str) -> None:
        check(screenshot, name, tmp_path)

    return compare
