"""What a process plays with: the version, and a digest of all code that decides games.

Results of other code are never mixed: games played with other rules or bots are other games.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import alexmagnum
from alexmagnum.lab.bot_loading import digest_bot, modules_in

_DECIDING = (
    *("board", "bots", "campaign", "judge", "notation", "play", "whatif"),
    *("frozen.py", "orders.py", "position.py", "position_text.py"),
    *("unit_tables.py", "units.py", "values.py"),
    *("lab/game.py", "lab/move_kinds.py", "lab/plan.py", "lab/rulings.py"),
    *("lab/seated_bots.py", "lab/tables.py", "lab/tally.py"),
)
"""The rooms and files that decide how games go, and what is counted of them."""


class Identity(NamedTuple):
    """A process that plays: ``code`` is the digest of what decides, ``bots`` those by name."""

    version: str
    python: str
    code: str
    build: str
    bots: dict[str, str]


def identify(bots: Iterable[str], modules: str) -> Identity:
    """Return what this process would play with; ``modules``: where bots may lie.

    Raises:
        AlexMagnumError: ``lab-bot-unusable``: a user's own bot cannot be made here.
    """
    with modules_in(Path(modules)):
        digests = {name: digest_bot(name) for name in bots}
    return Identity(
        alexmagnum.__version__,
        ".".join(platform.python_version_tuple()[:2]),
        digest_code(),
        alexmagnum.__build__,
        digests,
    )


@cache
def digest_code() -> str:
    """Return the digest of the sources that decide games, as they were at the first call."""
    whole = hashlib.sha256()
    root = Path(alexmagnum.__file__).parent
    for path in _list_sources(root):
        whole.update(path.relative_to(root).as_posix().encode() + b"\0")
        whole.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return whole.hexdigest()


def _list_sources(root: Path) -> Iterator[Path]:
    for name in _DECIDING:
        path = root / name
        yield from sorted(path.rglob("*.py")) if path.is_dir() else (path,)
