"""Nothing is lost by taking back: undo and redo only move the head."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from alexmagnum.errors import GameError
from alexmagnum.game import Desk
from tests.game.desks import Clock, Dump, dump, new_desk, play, submit_all, submit_random
from tests.sizes import drawn


def _view(desk: Desk) -> object:
    """Return everything that the game shows in its present state."""
    return (
        desk.status(),
        desk.position,
        [replace(record, version=0) for record in desk.phases()[-1:]],  # the next will be another
        desk.phases()[:-1],
        desk.settings,
        desk.players,
        [desk.receipt(power) for power in desk.board.powers],
        [desk.processed(record.name).orders for record in desk.phases() if record.processed],
    )


def _rows(folder: Path) -> Dump:
    """Return all rows except those of the journal, which only grows."""
    return dump(folder, "journal")


@drawn(4, 60, settings(suppress_health_check=[HealthCheck.too_slow]))
@given(
    seed=st.integers(0, 10_000),
    phases=st.integers(0, 9),
    board=st.sampled_from(["standard", "alexmagnum"]),
)
def test_undo_takes_back_a_processing_and_redo_takes_back_the_undo(
    tmp_path_factory: pytest.TempPathFactory, seed: int, phases: int, board: str
) -> None:
    folder = tmp_path_factory.mktemp("undo")
    with new_desk(folder, board) as desk:
        play(desk, phases, seed)
        submit_random(desk, Random(seed))
        before, phase = _view(desk), str(desk.phase)
        rows = _rows(folder)

        desk.process(phase, allow_missing=True)
        after, rows_after = _view(desk), _rows(folder)
        assert desk.undo() == phase
        assert _view(desk) == before
        _check_kept(rows, _rows(folder))
        assert {one.state for one in desk.versions(phase)} == {"undone", "open"}

        following = "" if desk.redo() == "" else str(desk.phase)
        assert following != phase
        assert _view(desk) == after
        assert _rows(folder) == rows_after

        desk.undo()
        assert _view(desk) == before
        assert desk.verify() == ()


def _check_kept(before: Dump, now: Dump) -> None:
    """Check that old rows are unchanged."""
    for table, rows in before.items():
        assert now[table][: len(rows)] == rows, table


def test_undo_goes_back_to_the_beginning_and_redo_to_the_end(desk: Desk) -> None:
    play(desk, 6)
    whole = desk.phases()
    for _ in range(6):
        desk.undo()
    with pytest.raises(GameError, match="nothing-to-undo"):
        desk.undo()
    assert str(desk.phase) == "1901-spring"
    for _ in range(6):
        desk.redo()
    assert desk.phases() == whole
    with pytest.raises(GameError, match="nothing-to-redo"):
        desk.redo()


def test_processing_after_an_undo_makes_a_new_version_and_keeps_the_old(desk: Desk) -> None:
    desk.submit("France", "A PAR - BUR")
    first = desk.process("1901-spring", allow_missing=True)
    desk.undo("the mail was for another game")
    desk.submit("France", "A PAR - PIC")
    second = desk.process("1901-spring", allow_missing=True)

    assert (first.version, second.version) == (1, 2)
    assert [(r.version, r.state) for r in desk.versions("1901-spring")] == [
        (1, "superseded"),
        (2, "processed"),
    ]
    assert desk.processed("1901-spring", 1).orders == {"France": ("A PAR - BUR",)}
    changed = {(c.what, c.subject) for c in desk.differences("1901-spring")}
    assert changed >= {("result", "A PAR - PIC"), ("unit", "A PIC"), ("unit", "A BUR")}
    with pytest.raises(GameError, match="nothing-to-redo"):
        desk.redo()
    assert desk.verify() == ()


def test_undo_opens_a_game_that_was_over(tmp_path: Path) -> None:
    rules = {"rules.last_year": "1901"}
    with new_desk(tmp_path, settings=rules) as desk:
        desk.process("1901-spring", allow_missing=True)
        assert desk.process("1901-autumn", allow_missing=True).next == ""
        assert desk.phase is None
        assert desk.status().over
        assert desk.status().winners
        for act in (lambda: desk.submit("France", "x"), lambda: desk.process("1901-winter")):
            with pytest.raises(GameError, match="game-is-over"):
                act()
        assert desk.process("1901-autumn").unchanged
        assert desk.undo() == "1901-autumn"
        assert not desk.status().over
        assert desk.redo() == ""
        assert desk.verify() == ()


def test_the_deadline_comes_back_with_the_phase(desk: Desk, clock: Clock) -> None:
    before = desk.deadline
    clock.pass_by(days=1)
    desk.process("1901-spring", allow_missing=True)
    after = desk.deadline
    assert after > before
    desk.undo()
    assert desk.deadline == before
    desk.redo()
    assert desk.deadline == after


# -- the pause ------------------------------------------------------------------------------------


def _pause_state(desk: Desk) -> tuple[bool, str, int | None]:
    return desk.paused, desk.deadline, desk.head().seconds_left


def test_the_time_left_comes_back_with_the_phase(desk: Desk, clock: Clock) -> None:
    desk.set_deadline(clock() + timedelta(hours=5))
    desk.pause()
    before = _pause_state(desk)
    clock.pass_by(days=3)
    desk.process("1901-spring", allow_missing=True)
    after = _pause_state(desk)
    assert after[0]
    assert after[2] != before[2]
    desk.undo()
    assert _pause_state(desk) == before
    desk.redo()
    assert _pause_state(desk) == after


def test_a_clock_let_run_on_later_stands_again_after_an_undo(desk: Desk) -> None:
    desk.pause()
    before = _pause_state(desk)
    desk.process("1901-spring", allow_missing=True)
    desk.resume()
    after = _pause_state(desk)
    assert not after[0]
    desk.undo()
    assert _pause_state(desk) == before
    assert desk.resume()
    desk.redo()
    assert _pause_state(desk) == after


def test_a_clock_stopped_later_runs_again_after_an_undo(desk: Desk) -> None:
    before = _pause_state(desk)
    desk.process("1901-spring", allow_missing=True)
    desk.pause()
    after = _pause_state(desk)
    desk.undo()
    assert _pause_state(desk) == before
    assert not desk.paused
    desk.redo()
    assert _pause_state(desk) == after


def test_a_pause_outlasts_an_amendment(desk: Desk) -> None:
    desk.process("1901-spring", allow_missing=True)
    desk.pause()
    before = _pause_state(desk)
    desk.amend("1901-spring", "France", "A PAR - BUR")
    assert _pause_state(desk) == before
    desk.process("1901-autumn", allow_missing=True)
    desk.amend("1901-spring", "France", "A PAR - PIC\nA MAR - BUR\nF BRE - MAO")
    assert desk.paused


# -- the switches ---------------------------------------------------------------------------------


def test_undo_leaves_switches_alone_that_were_set_later(tmp_path: Path) -> None:
    with new_desk(tmp_path, settings={"rules.victory_centres": 17}) as desk:
        desk.process("1901-spring", allow_missing=True)
        desk.amend_settings("1901-spring", {"victory_centres": 16, "sea_capacity": 2})
        desk.set("rules.last_year", 1910)
        desk.undo("wrong after all")

        assert desk.settings["rules.last_year"] == "1910"
        assert desk.settings["rules.victory_centres"] == "17"
        assert "rules.sea_capacity" not in desk.settings
        assert desk.history()[-1].detail["switches"] == {
            "victory_centres": {"before": "16", "after": "17"},
            "sea_capacity": {"before": "2", "after": None},
        }
        desk.redo()
        assert desk.settings["rules.last_year"] == "1910"
        assert desk.settings["rules.victory_centres"] == "16"
        assert desk.settings["rules.sea_capacity"] == "2"
        assert desk.verify() == ()


# -- phases that were undone: their orders wait again, and no mail is lost -----------------------

SPRING = {"France": "A PAR - BUR", "Germany": "A MUN - RUH", "Italy": "F NAP - ION"}
AUTUMN = {"Germany": "A RUH - HOL", "Italy": "F ION - TUN"}


def test_mails_for_a_phase_count_again_when_it_is_open_again(desk: Desk) -> None:
    """Spring is taken back and resolved otherwise: what had come for the autumn is still there."""
    submit_all(desk, SPRING)
    desk.process("1901-spring", allow_missing=True)
    submit_all(desk, AUTUMN)
    desk.undo()
    desk.submit("France", "A PAR - PIC")
    desk.process("1901-spring", allow_missing=True)
    waiting = desk.pending(reason="test")

    assert "A RUH - HOL" in waiting["Germany"]
    assert "F ION - TUN" in waiting["Italy"]


def test_mails_for_phases_after_a_correction_count_again_too(desk: Desk) -> None:
    """The correction stops before the autumn; its mails are taken when it is open again."""
    submit_all(desk, SPRING)
    desk.process("1901-spring", allow_missing=True)
    submit_all(desk, AUTUMN)
    desk.amend("1901-spring", "France", "A PAR - PIC")
    waiting = desk.pending(reason="test")

    assert "A RUH - HOL" in waiting["Germany"]


def test_redo_refuses_to_override_orders_that_came_since_the_undo(desk: Desk) -> None:
    submit_all(desk, SPRING)
    desk.process("1901-spring", allow_missing=True)
    desk.undo()
    desk.submit("France", "A PAR - PIC")
    with pytest.raises(GameError) as refusal:
        desk.redo()

    assert (refusal.value.code, refusal.value.data["what"]) == ("redo-overrides", "France")
    assert desk.redo(anyway=True) == "1901-autumn"


def test_an_undone_phase_has_no_results_to_read(desk: Desk) -> None:
    """Its orders wait again and may change, so nobody may read them."""
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
