"""PNGs made by a second process are those that this process makes, and none is ever missing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from alexmagnum import slow_work
from alexmagnum.draw import png_process, raster
from alexmagnum.draw.png_process import PngQueue


def _square(color: str) -> str:
    box = f'<rect width="9" height="9" fill="{color}"/><text y="8">a</text>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12 12">{box}</svg>'


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Iterator[PngQueue]:
    """A queue in a command, on a computer with two cores."""
    monkeypatch.setattr(slow_work, "may_use_second_core", lambda: True)
    queue = PngQueue()
    yield queue
    queue.close()


def test_the_second_process_makes_the_same_pictures(
    queue: PngQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    colors = ("red", "green", "blue")
    here = [raster.render_png(_square(color), 40, 16) for color in colors]
    monkeypatch.setattr(raster, "render_png", None)  # this process makes none any more
    requests = [queue.add(_square(color), 40, 16) for color in colors]
    assert all(request.done.wait(30) for request in requests)
    assert [queue.get(request) for request in requests] == here


def test_pictures_that_nobody_has_begun_are_made_by_whoever_needs_them(queue: PngQueue) -> None:
    last = [queue.add(_square(color), 40) for color in ("red", "green", "blue")][-1]
    queue.close()
    assert queue.get(last) == raster.render_png(_square("blue"), 40)


@pytest.mark.parametrize("program", ["pass", "import sys; sys.stdin.buffer.read(9)"])
def test_a_process_that_ends_early_costs_no_picture(
    queue: PngQueue, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    monkeypatch.setattr(
        png_process,
        "_start_process",
        lambda: subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ),
    )
    drawings = [_square(color) for color in ("red", "green", "blue")]
    requests = [queue.add(drawing, 40) for drawing in drawings]
    made = [queue.get(request) for request in requests]
    assert made == [raster.render_png(drawing, 40) for drawing in drawings]


def test_without_a_second_core_no_process_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png_process, "_start_process", None)
    queue = PngQueue()
    request = queue.add(_square("red"), 40)
    assert not request.done.is_set()
    assert queue.get(request) == queue.get(request) == raster.render_png(_square("red"), 40)
