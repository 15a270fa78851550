"""Processing a phase does everything once: it adjudicates once, and reads the file a few times."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import Desk, outcome_store, resolution, state
from alexmagnum.game.folder import FILE
from alexmagnum.game.values import Player
from alexmagnum.workflow.process import process_phase
from tests.game.desks import new_desk, open_desk, play, submit_random

READS = 60
"""How many times a processing may read the file."""


def _count_calls(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> list[object]:
    """Return a list that gets an entry for every call of a function of a module."""
    calls: list[object] = []
    function = getattr(module, name)

    def count(*args: object) -> object:
        calls.append(args)
        return function(*args)

    monkeypatch.setattr(module, name, count)
    return calls


def test_a_phase_is_adjudicated_once_and_the_map_parsed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_desk(tmp_path, "alexmagnum") as desk:
        play(desk, 8)
        submit_random(desk, Random(3))
        phase = str(desk.phase)
    replayed = _count_calls(monkeypatch, outcome_store, "adjudicate")
    adjudicated = _count_calls(monkeypatch, resolution, "adjudicate")
    parsed = _count_calls(monkeypatch, state, "read_map_text")

    with open_desk(tmp_path) as desk:
        done = desk.process(phase, allow_missing=True)
        assert desk.processed(phase).outcome is done.outcome
        assert desk.position == done.after
        assert desk.settings == done.settings
    assert (len(adjudicated), len(replayed), len(parsed)) == (1 + len(done.passed), 0, 1)


def test_a_processing_reads_the_file_less_than_sixty_times(tmp_path: Path) -> None:
    statements: list[str] = []
    with new_desk(tmp_path, "alexmagnum") as desk:
        play(desk, 8)
        submit_random(desk, Random(3))
        desk.game.file.db.conn.set_trace_callback(statements.append)
        desk.process(str(desk.phase), allow_missing=True)
    reads = [sql for sql in statements if sql.split()[0].upper() in ("SELECT", "WITH")]
    assert len(reads) < READS


def test_a_processing_with_letters_reads_the_file_less_than_sixty_times(tmp_path: Path) -> None:
    statements: list[str] = []
    powers = ("TOL", "CAS", "LIS", "AUT", "SEL", "CAN")
    players = [Player(power, power.title(), f"{power}@example.org") for power in powers]
    settings = {"mail_address": "perdicca@example.org", "pictures": "no"}
    with new_desk(tmp_path, "alexmagnum", players=players, settings=settings) as desk:
        play(desk, 8)
        submit_random(desk, Random(3))
        desk.game.file.db.conn.set_trace_callback(statements.append)
        done = process_phase(desk, str(desk.phase), allow_missing=True)
    reads = [sql for sql in statements if sql.split()[0].upper() in ("SELECT", "WITH")]
    assert len(done.published.letters.drafted) == len(powers)
    assert len(reads) < READS


def test_what_another_program_changes_is_read_again(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        assert desk.settings["days_movement"] == "7"
        other = sqlite3.connect(tmp_path / FILE)
        with other:
            other.execute("UPDATE settings SET value = '9' WHERE name = 'days_movement'")
        other.close()
        assert desk.settings["days_movement"] == "9"


def _process_and_fail(desk: Desk) -> None:
    desk.process("1901-spring", allow_missing=True)
    assert desk.status().phase == "1901-autumn"
    raise KeyError


def test_what_a_failed_act_changed_is_forgotten(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        with pytest.raises(KeyError), desk.game.act("mail"):
            _process_and_fail(desk)
        assert desk.status().phase == "1901-spring"
        with pytest.raises(GameError, match="not-past"):
            desk.processed("1901-spring")
        desk.submit("France", "A PAR - BUR")
        outcome = desk.process("1901-spring", allow_missing=True).outcome
        assert "A BUR" in {str(unit) for unit in outcome.units}
