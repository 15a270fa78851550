"""Processing a phase does everything once: it adjudicates once, and reads the file a few times."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from alexmagnum.bots.random_player import random_orders
from alexmagnum.game import game, phases
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player
from alexmagnum.game.mail_store import DRAFT
from alexmagnum.game.orders import find_required_orders
from alexmagnum.mail.outbox import Outbox
from alexmagnum.notation import write_order
from alexmagnum.report.formats import MapPictures, PageMap
from alexmagnum.workflow.materials import sheets_folder, submit_orders
from alexmagnum.workflow.publish import process_phase
from tests.game.desks import (
    change_by_hand,
    new_desk,
    open_desk,
    play,
    refusal,
    resolve,
    submit_random,
)

READS = 200
"""A processing reads the tables of the game fewer times than this, however many orders there are.

The settings and the open phase do not count: they are a row or two, and looked up where needed.
Each act reads the rows that it changed once more, for the change log.
"""

LOOK_UPS = ("sqlite_master", "FROM settings", "SELECT head FROM games")


def _count_calls(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> list[object]:
    """Return a list that gets an entry for every call of a function of a module."""
    calls: list[object] = []
    function = getattr(module, name)

    def count(*args: object) -> object:
        calls.append(args)
        return function(*args)

    monkeypatch.setattr(module, name, count)
    return calls


def _trace_reads(desk: Desk) -> list[str]:
    """Return a list that gets an entry for every read of the game's file from now on."""
    reads: list[str] = []

    def note(sql: str) -> None:
        is_read = sql.split(maxsplit=1)[0].upper() in ("SELECT", "WITH")
        if is_read and not any(look_up in sql for look_up in LOOK_UPS):
            reads.append(sql)

    desk.file.db.conn.set_trace_callback(note)
    return reads


def test_a_phase_is_adjudicated_once_the_map_parsed_once_and_the_file_read_a_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_desk(tmp_path, "alexmagnum") as desk:
        play(desk, 8)
        submit_random(desk, Random(3))
        phase = str(desk.phase)
    adjudicated = _count_calls(monkeypatch, phases, "adjudicate")
    parsed = _count_calls(monkeypatch, game, "read_map_text")

    with open_desk(tmp_path) as desk:
        reads = _trace_reads(desk)
        done = resolve(desk)
        assert len(reads) < READS
        assert desk.processed(phase).outcome is done.outcome
        assert desk.position == done.after
        assert desk.settings == done.settings
    assert (len(adjudicated), len(parsed)) == (1 + len(done.passed), 1)


def _stop_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put an empty drawing in place of every map: drawing one reads nothing."""
    monkeypatch.setattr(MapPictures, "page", lambda *_: PageMap("<svg></svg>", {}))
    monkeypatch.setattr(MapPictures, "png", lambda *_: b"PNG" * 1000)
    for name in ("svg", "position_svg"):
        monkeypatch.setattr(MapPictures, name, lambda *_: "<svg></svg>")


@pytest.mark.parametrize("kind", ["movement", "winter"])
def test_a_processing_with_sheets_and_letters_reads_the_file_a_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    powers = ("TOL", "CAS", "LIS", "AUT", "SEL", "CAN")
    players = [Player(power, power.title(), f"{power}@example.org") for power in powers]
    settings = {"mail_address": "perdicca@example.org"}
    _stop_drawing(monkeypatch)
    with new_desk(tmp_path, "alexmagnum", players=players, settings=settings) as desk:
        while desk.position.phase.kind != kind:
            play(desk, 1)
        for power, orders in random_orders(desk.position, Random(3)).items():
            submit_orders(desk, power, "\n".join(map(write_order, orders)))
        owed = len(find_required_orders(desk.position))
        assert len(Outbox(desk).list_letters((DRAFT,))) >= owed
        reads = _trace_reads(desk)
        _, done = process_phase(desk, str(desk.phase), allow_missing=True)
        sheets = [*sheets_folder(desk, str(desk.phase)).iterdir()]
        assert len(sheets) == len(find_required_orders(desk.position)) > 1
    assert len(done.letters.drafted) == len(powers)
    assert len(reads) < READS


def test_what_another_program_changes_is_read_again(desk: Desk, tmp_path: Path) -> None:
    assert desk.settings["days_movement"] == "7"
    change_by_hand(tmp_path, "UPDATE settings SET value = '9' WHERE name = 'days_movement'")
    assert desk.settings["days_movement"] == "9"


def _process_and_fail(desk: Desk) -> None:
    resolve(desk)
    assert desk.status().phase == "1901-autumn"
    raise KeyError


def test_what_a_failed_act_changed_is_forgotten(desk: Desk) -> None:
    with pytest.raises(KeyError), desk.act("mail"):
        _process_and_fail(desk)
    assert desk.status().phase == "1901-spring"
    assert refusal(lambda: desk.processed("1901-spring")).code == "not-past"
    outcome = resolve(desk, {"France": "A PAR - BUR"}).outcome
    assert "A BUR" in {str(unit) for unit in outcome.units}
