"""Restoring a copy of the game file, while no other command fetches or sends mail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from alexmagnum.game.backups import Copy, read_copies
from alexmagnum.game.restore import Restored, restore_copy
from alexmagnum.game.state import Entropy, Now
from alexmagnum.mail.lock import hold_lock
from alexmagnum.workflow.reports import withdraw_final_report


@dataclass(frozen=True, slots=True)
class ListedCopy:
    """A copy of the list: its ``size`` in bytes on the disk, and whether it can be restored."""

    copy: Copy
    size: int
    sound: bool


def list_restorable(folder: Path) -> Iterator[ListedCopy]:
    """Yield the copies of a game, the newest first."""
    for copy, data in read_copies(folder):
        yield ListedCopy(copy, copy.path.stat().st_size, data is not None)


def restore(
    folder: Path, number: int, now: Now, entropy: Entropy, actor: str, reason: str = ""
) -> Restored:
    """Put a copy in the place of the game file, which is kept aside.

    A final report of the replaced file is removed if the game goes on in the copy.

    Raises:
        GameError: no-backup, backup-damaged; game-busy, mail-busy; cannot-write.
    """
    with ExitStack() as locks:
        for command in ("tick", "send"):
            locks.enter_context(hold_lock(folder, command))
        restored = restore_copy(folder, number, now, entropy, actor, reason)
        if not restored.is_over:
            withdraw_final_report(folder)
        return restored
