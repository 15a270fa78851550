"""Changing a setting, and the game master's own words in reports."""

from __future__ import annotations

import json
from collections.abc import Mapping

from alexmagnum.errors import GameError
from alexmagnum.game.anonymity import check_text_for_names
from alexmagnum.game.records import JournalRow, PhaseRow, TextRow
from alexmagnum.game.settings import RULES, check_setting, read_switches
from alexmagnum.game.state import Game, write_switches
from alexmagnum.game.stored_orders import require_open_phase

PLACES = ("before", "after")
"""The places for those words in a report: above the results, or below them."""


def change_setting(game: Game, name: str, value: object, reason: str) -> None:
    """Set a house rule or a switch of the rules, from the open phase on.

    Raises:
        GameError: unknown-setting, bad-setting; game-is-over for a switch of the rules.
        BadSwitches: with this switch the game could not be played.
    """
    text = check_setting(name, value)
    with game.act("set", reason=reason) as note:
        settings = game.settings()
        if name.startswith(RULES):
            from alexmagnum.game.switch_check import check_switches

            require_open_phase(game)
            rules = write_switches(read_switches({**settings, name: text}))
            check_switches(game, game.head().id, rules, {name.removeprefix(RULES): text})
        note.detail |= {"name": name, "before": settings.get(name, ""), "value": text}
        game.file.upsert("settings", "name", name=name, value=text)


def read_setting_changes(game: Game, phase: str) -> Mapping[str, tuple[str, str]]:
    """Return the settings that changed while a phase was open: by name, the old and the new value.

    In the first phase only changes after the first mail count: before it the game is set up.
    """
    rest = "WHERE action = ? AND phase = ? ORDER BY id"
    since = 0
    first = game.file.find(PhaseRow, "ORDER BY phases.id LIMIT 1")
    if first is not None and phase == first.name:
        mail = game.file.find(JournalRow, "WHERE action = ? ORDER BY id LIMIT 1", "mail-send")
        if mail is None:
            return {}
        since = mail.id
    changes: dict[str, tuple[str, str]] = {}
    for row in game.file.select(JournalRow, rest, "set", phase):
        if row.id > since:
            change = json.loads(row.detail)
            before, _ = changes.get(change["name"], (change["before"], ""))
            changes[change["name"]] = before, change["value"]
    return {name: change for name, change in changes.items() if change[0] != change[1]}


def add_text(game: Game, phase: str, where: str, text: str) -> None:
    """Add the game master's words to the report of a phase; an empty text removes them.

    Raises:
        GameError: unknown-phase, not-past, bad-place, names-are-hidden.
    """
    name = game.phase_name(phase)
    if name not in {game.head().name, *(row.name for row in game.line())}:
        raise GameError("not-past", asked=name, current=game.head().name)
    if where not in PLACES:
        raise GameError("bad-place", where=where, allowed=", ".join(PLACES))
    check_text_for_names(game, text)
    with game.act("text") as note:
        note.phase = name
        note.detail |= {"where": where, "length": len(text)}
        if text.strip():
            game.file.insert("texts", phase=name, place=where, text=text, written=game.stamp())
        else:
            game.file.delete("texts", "phase = ? AND place = ?", name, where)


def read_texts(game: Game, phase: str) -> Mapping[str, tuple[str, ...]]:
    """Return the game master's words for a phase, by place.

    Raises:
        GameError: unknown-phase.
    """
    rows = game.file.select(TextRow, "WHERE phase = ? ORDER BY id", game.phase_name(phase))
    return {place: tuple(row.text for row in rows if row.place == place) for place in PLACES}
