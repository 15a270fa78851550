"""Finding a bot by its name: one of the package, or ``module:object`` of a user's own."""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from alexmagnum.board.switches import near
from alexmagnum.bots import BOTS, Bot, load_bot
from alexmagnum.errors import AlexMagnumError


def is_own(name: str) -> bool:
    """Tell whether a name is that of a user's own bot: ``module:object``."""
    return ":" in name


def make_bot(name: str) -> Bot:
    """Return a new bot.

    The object of a user's own bot is called if it is a class or a function; it is taken as it is
    if it has ``orders`` already.

    Raises:
        AlexMagnumError: ``lab-no-bot``, ``lab-bot-unusable``, with the reason.
    """
    if not is_own(name):
        if name not in BOTS:
            data = {"bot": name, "known": ", ".join(BOTS), "near": near(name, tuple(BOTS))}
            raise AlexMagnumError("lab-no-bot", **data)
        return load_bot(name)
    module, _, attribute = name.partition(":")
    try:
        made = getattr(importlib.import_module(module), attribute)
        if isinstance(made, type) or not hasattr(made, "orders"):
            made = made()
    except Exception as error:  # a user's module may fail in any way
        reason = f"{type(error).__name__}: {error}"
        raise AlexMagnumError("lab-bot-unusable", bot=name, why=reason) from error
    if not callable(getattr(made, "orders", None)):
        raise AlexMagnumError("lab-bot-unusable", bot=name, why="it has no method orders")
    return cast(Bot, made)


def digest_bot(name: str) -> str:
    """Return a digest of the file of a user's own bot; "" for a bot of the package."""
    if not is_own(name):
        return ""
    make_bot(name)
    source = getattr(sys.modules[name.partition(":")[0]], "__file__", None)
    return hashlib.sha256(Path(source).read_bytes()).hexdigest() if source else ""


@contextmanager
def modules_in(folder: Path) -> Iterator[None]:
    """Let modules of a folder be imported, after all others, if the folder is there."""
    path = str(folder)
    if path in sys.path or not folder.is_dir():
        yield
        return
    sys.path.append(path)
    try:
        yield
    finally:
        sys.path.remove(path)
