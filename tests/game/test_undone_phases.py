"""Phases that were undone: their orders wait again, and no mail is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from tests.game.desks import Clock, new_desk, submit_all

SPRING = {"France": "A PAR - BUR", "Germany": "A MUN - RUH", "Italy": "F NAP - ION"}
AUTUMN = {"Germany": "A RUH - HOL", "Italy": "F ION - TUN"}


def test_mails_for_a_phase_count_again_when_it_is_open_again(tmp_path: Path) -> None:
    """Spring is taken back and resolved otherwise: what had come for the autumn is still there."""
    with new_desk(tmp_path / "game", now=Clock()) as desk:
        submit_all(desk, SPRING)
        desk.process("1901-spring", allow_missing=True)
        submit_all(desk, AUTUMN)
        desk.undo()
        desk.submit("France", "A PAR - PIC")
        desk.process("1901-spring", allow_missing=True)
        waiting = desk.pending(reason="test")

    assert "A RUH - HOL" in waiting["Germany"]
    assert "F ION - TUN" in waiting["Italy"]


def test_mails_for_phases_after_a_correction_count_again_too(tmp_path: Path) -> None:
    """The correction stops before the autumn; its mails are taken when it is open again."""
    with new_desk(tmp_path / "game", now=Clock()) as desk:
        submit_all(desk, SPRING)
        desk.process("1901-spring", allow_missing=True)
        submit_all(desk, AUTUMN)
        desk.amend("1901-spring", "France", "A PAR - PIC")
        waiting = desk.pending(reason="test")

    assert "A RUH - HOL" in waiting["Germany"]


def test_redo_refuses_to_override_orders_that_came_since_the_undo(tmp_path: Path) -> None:
    with new_desk(tmp_path / "game", now=Clock()) as desk:
        submit_all(desk, SPRING)
        desk.process("1901-spring", allow_missing=True)
        desk.undo()
        desk.submit("France", "A PAR - PIC")
        with pytest.raises(GameError) as refusal:
            desk.redo()

        assert (refusal.value.code, refusal.value.data["what"]) == ("redo-overrides", "France")
        assert desk.redo(anyway=True) == "1901-autumn"


def test_an_undone_phase_has_no_results_to_read(tmp_path: Path) -> None:
    """Its orders wait again and may change, so nobody may read them."""
    with new_desk(tmp_path / "game", now=Clock()) as desk:
        submit_all(desk, SPRING)
        desk.process("1901-spring", allow_missing=True)
        entries = desk.history("1901-spring", unit="A PAR")
        desk.undo()

        assert [entry.detail["order"] for entry in entries] == ["A PAR - BUR"]
        assert desk.history("1901-spring", unit="A PAR") == ()
        for version in (None, 1):
            with pytest.raises(GameError) as refusal:
                desk.processed("1901-spring", version)
            assert refusal.value.code == "not-past"
