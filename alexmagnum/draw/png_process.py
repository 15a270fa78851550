"""Make PNGs in a second process, on a core that has nothing else to do.

The library that draws pixels holds Python's lock while it works, so threads would wait for each
other.  :class:`PngQueue` takes requests; ``python -m alexmagnum.draw.png_process`` is the second
process.  Where there is one core only, or the process cannot be had, whoever needs a PNG makes it.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections import deque
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import IO

from alexmagnum import slow_work
from alexmagnum.draw import raster

_REQUEST = struct.Struct(">QII")  # bytes of the SVG, width in pixels, colours
_ANSWER = struct.Struct(">Q")  # bytes of the PNG


class PngRequest:
    """A PNG that somebody will need: one process makes it, once."""

    def __init__(self, svg_text: str, width: int, colours: int) -> None:
        self.svg_text = svg_text
        self.width = width
        self.colours = colours
        self.done = Event()
        self._png: bytes | None = None
        self._begun = Lock()

    def begin(self) -> bool:
        """Return whether the caller has to make the PNG: True the first time only."""
        return self._begun.acquire(blocking=False)

    def finish(self, png: bytes | None) -> None:
        """Keep the PNG; None if it could not be made."""
        self._png = png
        self.done.set()

    def make(self) -> bytes:
        """Make the PNG in this process.

        Raises:
            BadPicture: ``picture-width``.
        """
        try:
            self._png = raster.render_png(self.svg_text, self.width, self.colours)
        finally:
            self.done.set()
        return self._png

    def wait(self) -> bytes:
        """Return the PNG when it is done; one that failed elsewhere is made here."""
        self.done.wait()
        return self.make() if self._png is None else self._png


class PngQueue:
    """Requests for PNGs, which a second process makes one after the other.

    Close it: this ends the process.
    """

    def __init__(self) -> None:
        self._waiting: deque[PngRequest] = deque()
        self._requests: SimpleQueue[PngRequest | None] = SimpleQueue()
        self._thread: Thread | None = None

    def add(self, svg_text: str, width: int = raster.MAIL, colours: int = 256) -> PngRequest:
        """Request a PNG; the arguments are those of :func:`alexmagnum.draw.raster.render_png`."""
        request = PngRequest(svg_text, width, colours)
        if slow_work.may_use_second_core():
            self._waiting.append(request)
            self._requests.put(request)
            if self._thread is None:
                self._thread = Thread(target=_make_pngs, args=(self._requests,), daemon=True)
                self._thread.start()
        return request

    def get(self, request: PngRequest) -> bytes:
        """Return a PNG.  While the second process makes it, make others that were requested.

        Raises:
            BadPicture: ``picture-width``.
        """
        if request.begin():
            return request.make()
        while self._waiting and not request.done.is_set():
            other = self._waiting.pop()
            if other.begin():
                other.make()
        return request.wait()

    def close(self) -> None:
        """End the second process; a request that is not begun is made by whoever needs it."""
        if self._thread is not None:
            while not self._requests.empty():
                self._requests.get()
            self._requests.put(None)
            self._thread.join()
            self._thread = None


def _make_pngs(requests: SimpleQueue[PngRequest | None]) -> None:
    """Start the second process and let it make PNGs until the request is None or it fails."""
    try:
        with _start_process() as process:
            for request in iter(requests.get, None):
                if request.begin():
                    _make_there(request, process)
    except OSError:  # no process, or it has ended: whoever needs a PNG makes it
        return


def _start_process() -> subprocess.Popen[bytes]:
    """Start the second process, which finds its modules where this one does."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "alexmagnum.draw.png_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )


def _make_there(request: PngRequest, process: subprocess.Popen[bytes]) -> None:
    """Let the second process make a PNG.

    Raises:
        OSError: it has ended.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    png = None
    try:
        text = request.svg_text.encode()
        process.stdin.write(_REQUEST.pack(len(text), request.width, request.colours) + text)
        process.stdin.flush()
        (size,) = _ANSWER.unpack(_read_all(process.stdout, _ANSWER.size))
        png = _read_all(process.stdout, size)
    finally:
        request.finish(png)


def _read_all(stream: IO[bytes], size: int) -> bytes:
    """Return so many bytes of a stream.

    Raises:
        OSError: it ends before.
    """
    content = stream.read(size)
    if len(content) < size:
        raise BrokenPipeError
    return content


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Make a PNG for each request, until there are no more."""
    while len(head := requests.read(_REQUEST.size)) == _REQUEST.size:
        size, width, colours = _REQUEST.unpack(head)
        png = raster.render_png(_read_all(requests, size).decode(), width, colours)
        answers.write(_ANSWER.pack(len(png)) + png)
        answers.flush()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
