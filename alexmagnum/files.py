"""Writing files whole or not at all, slow work and its progress, and the making of templates."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from alexmagnum.errors import GameError

if TYPE_CHECKING:
    from jinja2 import Environment

# Writing a file whole, or leaving the old one as it was.


PRIVATE, SHARED = 0o600, 0o644
"""The rights of a file with secrets, and of one that others may read; Windows has neither."""

PART, _OLD = ".part", 3600
"""How the name of a file that is being written ends; after so many seconds nobody writes it."""

_DATABASE = b"SQLite format 3\x00"
"""The beginning of a game's file."""


def write_whole(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file as a whole, a text in UTF-8, and wait until it is on the disk.

    A command that is killed, or a power cut, leaves the file as it was.  Only its owner can read a
    ``private`` file.

    Raises:
        GameError: ``cannot-write``; ``is-a-database``: the file is that of a game, which only
            another such file may replace.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if not data.startswith(_DATABASE) and path.is_file():
            with path.open("rb") as stream:
                if stream.read(len(_DATABASE)) == _DATABASE:  # somebody may name it by mistake
                    raise GameError("is-a-database", path=str(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(PART, f".{path.name}.", path.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(name).chmod(PRIVATE if private else SHARED)
            Path(name).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise GameError("cannot-write", path=str(path), why=error.strerror or "") from None


def remove_leftovers(folder: Path) -> None:
    """Remove what killed commands had begun to write in a folder and below it."""
    for path in folder.rglob(f".*{PART}"):
        with suppress(OSError):  # another command was quicker
            if path.stat().st_mtime < time.time() - _OLD:
                path.unlink()


# Listeners for slow work.
#
# A command says who shows how far the work is; the work itself, rooms away, tells them.


T = TypeVar("T")

ShowPart = Callable[[float], None]
"""Hears what part of the work is done, from 0 to 1."""

HearThinking = Callable[[str, str], None]
"""Hears which bot begins to think, and for which power; "" and "" when it has ended."""

_HEAR: ContextVar[HearThinking | None] = ContextVar("hear", default=None)
_SHOW: ContextVar[ShowPart | None] = ContextVar("show", default=None)


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
    hear = _HEAR.get()
    if hear is None:
        yield
        return
    hear(bot, power)
    try:
        yield
    finally:
        hear("", "")


# The making of Jinja environments: every page, text and picture is laid out by the same rules.


def make_environment(
    *packages: str, escape: bool = True, **filters: Callable[..., Any]
) -> Environment:
    """Return an environment with the templates in the folders ``templates/`` of some packages.

    Keep it: it compiles a template when it is first needed, and then holds it.  ``escape`` makes
    every text safe in HTML and SVG.  A name that a template does not know is an error.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined  # only for pages

    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in packages]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=escape,
    )
    environment.filters.update(filters)
    return environment
