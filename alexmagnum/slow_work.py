"""A folder for results of slow work that can be had again, and a listener for its progress.

A command says where its game lies and who shows how far the work is; the work itself, rooms away,
asks for both.  Results that are kept may be deleted at any time.  What does not depend on a game is
kept for all games of a user (:mod:`alexmagnum.user_cache`), if the command allows it.  A second
process is started only if the command allows that.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

ShowPart = Callable[[float], None]
"""Hears what part of the work is done, from 0 to 1."""

HearThinking = Callable[[str, str], None]
"""Hears which bot begins to think, and for which power; "" and "" when it has ended."""

_FOLDER: ContextVar[Path | None] = ContextVar("folder", default=None)
_SHARING: ContextVar[bool] = ContextVar("sharing", default=False)
_SECOND_CORE: ContextVar[bool] = ContextVar("second_core", default=False)
_HEAR: ContextVar[HearThinking | None] = ContextVar("hear", default=None)
_SHOW: ContextVar[ShowPart | None] = ContextVar("show", default=None)


def keep_results_in(folder: Path) -> AbstractContextManager[None]:
    """Let slow work within the block keep its results in a folder."""
    return _set_within_block(_FOLDER, folder)


def share_results() -> AbstractContextManager[None]:
    """Let slow work within the block keep results for all games of the user."""
    return _set_within_block(_SHARING, True)


def use_second_core() -> AbstractContextManager[None]:
    """Let slow work within the block start a process that works beside this one."""
    return _set_within_block(_SECOND_CORE, True)


def show_progress_to(show: ShowPart) -> AbstractContextManager[None]:
    """Let slow work within the block say how far it is."""
    return _set_within_block(_SHOW, show)


@contextmanager
def _set_within_block(variable: ContextVar[T], value: T) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def results_folder() -> Path | None:
    """Return the folder in which results are kept; None if they are not."""
    return _FOLDER.get()


def are_results_shared() -> bool:
    """Return whether results are kept for all games of the user."""
    return _SHARING.get()


def may_use_second_core() -> bool:
    """Return whether a second process may help: the command allows it, and a core is there."""
    if not _SECOND_CORE.get():
        return False
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) > 1
    return (os.cpu_count() or 1) > 1


def show_progress(part: float) -> None:
    """Tell the listener, if there is one, what part of the work is done."""
    show = _SHOW.get()
    if show is not None:
        show(part)


def hear_who_thinks(hear: HearThinking) -> AbstractContextManager[None]:
    """Let work within the block say which bot thinks."""
    return _set_within_block(_HEAR, hear)


@contextmanager
def tell_who_thinks(bot: str, power: str) -> Iterator[None]:
    """Tell the listener, if there is one, that a bot thinks within the block."""
    hear = _HEAR.get() or _hear_nothing
    hear(bot, power)
    try:
        yield
    finally:
        hear("", "")


def _hear_nothing(bot: str, power: str) -> None:
    """Hear nothing: nobody listens."""
