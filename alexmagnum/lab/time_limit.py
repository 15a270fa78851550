"""A limit of time for a call that may never return, as those of users' own bots."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread, get_ident
from time import thread_time
from typing import Any

Answer = tuple[Any, BaseException | None, float]
"""What a call returned, what it raised, and its processor time."""


class NoAnswerError(Exception):
    """A call took longer than its limit, or ended as if the whole program were to end."""


class _StoppedError(BaseException):
    """Raised within a call that is not waited for any longer."""


class TimeLimit:
    """Calls functions in a thread of their own, and leaves those behind that take too long.

    Such a call is stopped as soon as it runs Python code.  One that sleeps, or waits for the
    network, is left alone until it wakes.  ``used``: the processor time of all calls that returned.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.used = 0.0
        self._thread: _CallingThread | None = None

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function returns, or raise what it raises.

        Raises:
            NoAnswerError: it took longer than the limit, or raised what would end this process,
                such as KeyboardInterrupt.
        """
        if self._thread is None:
            self._thread = _CallingThread()
            self._thread.start()
        self._thread.calls.put((function, arguments))
        try:
            result, error, used = self._thread.answers.get(timeout=self.seconds)
        except Empty:
            self._thread.stop()
            self._thread = None
            raise NoAnswerError(f"no answer within {self.seconds:g} seconds") from None
        self.used += used
        if error is None:
            return result
        if isinstance(error, (Exception, SystemExit)):
            raise error
        raise NoAnswerError(f"{type(error).__name__}: {error}")

    def close(self) -> None:
        """End the thread."""
        if self._thread is not None:
            self._thread.calls.put(None)
            self._thread = None


class _CallingThread(Thread):
    """A thread that makes one call after another."""

    def __init__(self) -> None:
        super().__init__(name="time limit", daemon=True)
        self.calls: SimpleQueue[tuple[Callable[..., Any], tuple[Any, ...]] | None] = SimpleQueue()
        self.answers: SimpleQueue[Answer] = SimpleQueue()
        self._ident = 0

    def run(self) -> None:
        self._ident = get_ident()
        try:
            while (asked := self.calls.get()) is not None:
                function, arguments = asked
                result, raised, begun = None, None, thread_time()
                try:
                    result = function(*arguments)
                except _StoppedError:
                    raise
                # Broad on purpose: whatever ended this thread would look like no answer.
                except BaseException as error:
                    raised = error
                self.answers.put((result, raised, thread_time() - begun))
        except _StoppedError:
            pass

    def stop(self) -> None:
        """Raise an error in whatever the thread calls now, and end the thread."""
        self.calls.put(None)
        stopped = ctypes.py_object(_StoppedError)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._ident), stopped)
