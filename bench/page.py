"""The judge in a page: how soon it has its first result, and each further one, in Chromium.

The page is opened from a file, with the sample turn of 45 units.  Slowed down four times means that
the browser's processes rest three quarters of the time, as on a slow telephone.
"""

from __future__ import annotations

import gzip
import json
import os
import signal
import statistics
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from alexmagnum.cases.files import read_turn
from alexmagnum.cases.json_values import to_json
from alexmagnum.notation import read_orders, write_order
from alexmagnum.page_judge import load_bundle
from bench.startup import TURN
from tests.browser.chromium import ARGUMENTS, find_chromium
from tests.page_judge.judges import write_page

FURTHER = 10
"""Turns after the first; in each another power gives no orders."""

_AWAKE, _ASLEEP = 0.005, 0.015
"""Seconds in which a slowed browser runs and rests."""


def measure(rounds: int) -> list[dict[str, Any]]:
    """Return the figures of the page, as it is and slowed down; nothing without a Chromium."""
    if find_chromium() is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        page, without = Path(folder, "page.html"), Path(folder, "without.html")
        board, requests = _list_requests()
        write_page(page, board, requests)
        write_page(without, board, [], ask="window.result = {};")
        rows = [_measure_bundle()]
        for slowed in (False, True):
            rows += _measure_times(page, rounds, slowed)
        rows.append(_measure_memory(page, without))
    return rows


def _list_requests() -> tuple[Any, list[dict[str, Any]]]:
    """Return the map of the sample turn, and requests: its results, then those of other orders."""
    position = read_turn(TURN).position
    assert position is not None
    orders: dict[str, list[str]] = {}
    for path in sorted(TURN.parent.glob("*.txt")):
        reading = read_orders(path.read_text(encoding="utf-8"), position)
        for power, listed in reading.orders.items():
            orders.setdefault(power, []).extend(map(write_order, listed))
    powers = list(orders)
    sets = [orders] + [{**orders, powers[i % len(powers)]: []} for i in range(FURTHER)]
    asked: list[dict[str, Any]] = [
        {"op": "adjudicate", "orders": chosen, "want": ["results", "fates", "units", "dislodged"]}
        for chosen in sets
    ]
    asked[0]["position"] = to_json(position)
    return position.board, asked


def _measure_bundle() -> dict[str, Any]:
    text = load_bundle().encode()
    return {"what": "the bundle, bytes", "least": len(text), "median": len(gzip.compress(text))}


def _measure_times(page: Path, rounds: int, slowed: bool) -> Iterator[dict[str, Any]]:
    firsts, further = [], []
    for _ in range(rounds):
        result = _open(page, slowed)["result"]
        firsts.append(result["first"] / 1000)
        further += [time / 1000 for time in result["times"][1:]]
    name = "slowed four times: " if slowed else ""
    for what, times in (("first result", firsts), ("each further turn", further)):
        yield {
            "what": f"{name}{what}, seconds",
            "least": round(min(times), 3),
            "median": round(statistics.median(times), 3),
        }


def _measure_memory(page: Path, without: Path) -> dict[str, Any]:
    """Return the megabytes that the browser needs for the judge: beside the same page without."""
    more = [_open(page)["memory"] - _open(without)["memory"] for _ in range(2)]
    return {"what": "memory, megabytes", "least": min(more), "median": max(more)}


def _open(page: Path, slowed: bool = False) -> Mapping[str, Any]:
    """Open a page in a browser of its own; return its result, and the browser's megabytes."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=[*ARGUMENTS], timeout=120_000
        )
        tab = browser.new_context(offline=True).new_page()
        with _slow_down() if slowed else _as_it_is():
            tab.goto(page.as_uri(), timeout=120_000)
            while tab.evaluate("window.result === undefined"):
                tab.wait_for_timeout(50)
        memory = sum(_read_memory(process) for process in _list_processes())
        result = json.loads(tab.evaluate("JSON.stringify(window.result)"))
        browser.close()
    return {"result": result, "memory": round(memory / 1024)}


@contextmanager
def _as_it_is() -> Iterator[None]:
    yield


@contextmanager
def _slow_down() -> Iterator[None]:
    """Let the browser's processes run a quarter of the time."""
    done = threading.Event()

    def alternate() -> None:
        processes: list[int] = []
        for turn in count():
            if done.wait(_AWAKE):
                return
            if turn % 20 == 0:  # a page may get a process of its own
                processes = _list_processes()
            _signal_all(processes, signal.SIGSTOP)
            done.wait(_ASLEEP)
            _signal_all(processes, signal.SIGCONT)

    thread = threading.Thread(target=alternate)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _signal_all(processes: Sequence[int], what: signal.Signals) -> None:
    for process in processes:
        try:
            os.kill(process, what)
        except ProcessLookupError:
            continue


def _list_processes() -> list[int]:
    """Return the processes that draw pages and run their scripts: of this process's children."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        parents.setdefault(parent, []).append(int(folder.name))
    found, todo = [], [os.getpid()]
    while todo:
        children = parents.get(todo.pop(), [])
        todo += children
        found += [child for child in children if _is_renderer(child)]
    return found


def _is_renderer(process: int) -> bool:
    try:
        return b"--type=renderer" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


def _read_memory(process: int) -> int:
    """Return the kilobytes of memory that a process has for itself."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    private = ("Private_Dirty:", "Private_Clean:")
    return sum(int(line.split()[1]) for line in lines if line.startswith(private))


def table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the figures as lines."""
    lines = [f"{'the judge in a page, 45 units':<46}{'least':>11}{'median':>11}"]
    lines += ["{what:<46}{least:>11,}{median:>11,}".format_map(row) for row in rows]
    return [*lines, "the bundle: as it is, and compressed; memory: least and most"]
