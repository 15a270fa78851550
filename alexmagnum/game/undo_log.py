"""The undo log: every processing and amendment, and taking them back or putting them back.

An entry says which phase was open before and after, and which switches changed.  Nothing is ever
removed from the file: undo and redo move the open phase along the log.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from alexmagnum.errors import GameError
from alexmagnum.game.backups import keep_copy
from alexmagnum.game.closing_seal import seal_if_over
from alexmagnum.game.file import to_json
from alexmagnum.game.records import JournalRow, SettingRow, UndoRow, list_columns
from alexmagnum.game.settings import RULES
from alexmagnum.game.state import Game, Note
from alexmagnum.game.timeline import set_head

Switches = Mapping[str, str | None]
"""Switches of the rules by name; None is a switch as the map has it."""

_NONE: Switches = MappingProxyType({})

DONE, UNDONE, DROPPED = "done", "undone", "dropped"
"""The states of an entry: in effect, taken back, or out of reach of redo."""


def push_undo_entry(
    game: Game,
    action: str,
    source: int,
    target: int,
    before: Switches = _NONE,
    after: Switches = _NONE,
) -> None:
    """Add an entry: the open phase was ``source`` and is now ``target``, and switches changed.

    Entries that were undone can no longer be put back.  A copy of the file is kept first.

    Raises:
        GameError: backup-failed, game-damaged.
    """
    keep_copy(game, action)
    game.file.change("undo_log", "UPDATE undo_log SET state = ? WHERE state = ?", DROPPED, UNDONE)
    game.file.insert(
        "undo_log",
        action=action,
        state=DONE,
        source=source,
        target=target,
        rules_before=to_json(dict(before)),
        rules_after=to_json(dict(after)),
    )


def set_switches(game: Game, texts: Switches) -> dict[str, str | None]:
    """Set switches of the rules, and return how they were set before."""
    settings = {row.name: row.value for row in game.file.select(SettingRow, "ORDER BY name")}
    for name, text in texts.items():
        if text is None:
            game.file.delete("settings", "name = ?", RULES + name)
        else:
            game.file.upsert("settings", "name", name=RULES + name, value=text)
    return {name: settings.get(RULES + name) for name in texts}


@dataclass(frozen=True, slots=True)
class _Step:
    """A move along the log: the phase that opens, and the switches that are set."""

    entry: UndoRow
    state: str
    head: int
    switches: Switches


def undo(game: Game, reason: str) -> str:
    """Take back the last entry, and return the name of the phase that is open then.

    Raises:
        GameError: nothing-to-undo.
    """
    with game.act("undo", reason=reason) as note:
        entry = game.file.find(UndoRow, "WHERE state = ? ORDER BY id DESC", DONE)
        if entry is None:
            raise GameError("nothing-to-undo")
        switches = json.loads(entry.rules_before)
        return _apply_step(game, _Step(entry, UNDONE, entry.source, switches), note)


def redo(game: Game, reason: str, *, anyway: bool = False) -> str:
    """Put back the entry that was taken back last, and return the phase that is open then.

    Orders or settings that came since the undo would have no effect; ``anyway`` allows that.

    Raises:
        GameError: nothing-to-redo, redo-overrides.
    """
    with game.act("redo", reason=reason) as note:
        entry = game.file.find(UndoRow, "WHERE state = ? ORDER BY id", UNDONE)
        if entry is None:
            raise GameError("nothing-to-redo")
        overridden = _find_acts_since_undo(game)
        if overridden and not anyway:
            raise GameError("redo-overrides", what=", ".join(overridden))
        switches = json.loads(entry.rules_after)
        return _apply_step(game, _Step(entry, DONE, entry.target, switches), note)


def _find_acts_since_undo(game: Game) -> list[str]:
    """Return the powers that sent orders since the last undo, and ``set`` if a setting changed."""
    rows = game.file.query(
        JournalRow,
        f"""SELECT {list_columns(JournalRow)} FROM journal
           WHERE action IN ('submit', 'set')
             AND id > (SELECT COALESCE(MAX(id), 0) FROM journal WHERE action = 'undo')""",
    )
    return sorted({row.power or row.action for row in rows})


def _apply_step(game: Game, step: _Step, note: Note) -> str:
    keep_copy(game, "redo" if step.state == DONE else "undo")
    game.file.update("undo_log", step.entry.id, state=step.state)
    set_head(game, step.head)
    if step.switches:
        before = set_switches(game, step.switches)
        note.detail["switches"] = {
            name: {"before": was, "after": step.switches[name]} for name, was in before.items()
        }
    head = game.head()
    note.detail |= {"what": step.entry.action, "open": head.name}
    seal_if_over(game, note)
    return head.name
