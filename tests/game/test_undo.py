"""Nothing is lost by taking back: undo and redo only move the head."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from alexmagnum.game.deadlines import is_undone
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player
from alexmagnum.game.mail_store import find_or_make_code
from alexmagnum.game.undo import find_lost_orders
from tests.game import desks
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


def _rows(folder: Path) -> desks.Dump:
    """Return all rows except those of the journal, which only grows."""
    return desks.dump(folder, "journal")


@drawn(1, 60, settings(suppress_health_check=[HealthCheck.too_slow]))
@given(
    seed=st.integers(0, 10_000),
    phases=st.integers(0, 9),
    board=st.sampled_from(["standard", "alexmagnum"]),
)
def test_undo_takes_back_a_processing_and_redo_takes_back_the_undo(
    tmp_path_factory: pytest.TempPathFactory, seed: int, phases: int, board: str
) -> None:
    folder = tmp_path_factory.mktemp("undo")
    with desks.new_desk(folder, board) as desk:
        desks.play(desk, phases, seed)
        desks.submit_random(desk, Random(seed))
        before, phase = _view(desk), str(desk.phase)
        rows = _rows(folder)

        desks.resolve(desk)
        after, rows_after = _view(desk), _rows(folder)
        assert desk.undo() == phase
        assert _view(desk) == before
        now = _rows(folder)
        assert {table: now[table][: len(kept)] for table, kept in rows.items()} == rows
        assert {one.state for one in desk.versions(phase)} == {"undone", "open"}

        assert ("" if desk.redo() == "" else str(desk.phase)) != phase
        assert _view(desk) == after
        assert _rows(folder) == rows_after

        desk.undo()
        assert _view(desk) == before
        assert desk.verify() == ()


def test_undo_goes_back_to_the_beginning_and_redo_to_the_end(desk: Desk) -> None:
    desks.play(desk, 6)
    whole = desk.phases()
    for _ in range(6):
        desk.undo()
    assert desks.refusal(desk.undo).code == "nothing-to-undo"
    assert str(desk.phase) == "1901-spring"
    for _ in range(6):
        desk.redo()
    assert desk.phases() == whole
    assert desks.refusal(desk.redo).code == "nothing-to-redo"


def test_processing_after_an_undo_makes_a_new_version_and_keeps_the_old(desk: Desk) -> None:
    first = desks.resolve(desk, {"France": "A PAR - BUR"})
    desk.undo("the mail was for another game")
    assert (first.version, desks.resolve(desk, {"France": "A PAR - PIC"}).version) == (1, 2)
    assert [(r.version, r.state) for r in desk.versions("1901-spring")] == [
        (1, "superseded"),
        (2, "processed"),
    ]
    assert desk.processed("1901-spring", 1).orders == {"France": ("A PAR - BUR",)}
    changed = {(c.what, c.subject) for c in desk.differences("1901-spring")}
    assert changed >= {("result", "A PAR - PIC"), ("unit", "A PIC"), ("unit", "A BUR")}
    assert desks.refusal(desk.redo).code == "nothing-to-redo"
    assert desk.verify() == ()


def test_undo_opens_a_game_that_was_over(tmp_path: Path) -> None:
    with desks.new_desk(tmp_path, settings={"rules.last_year": "1901"}) as desk:
        desks.resolve(desk)
        assert desks.resolve(desk).next == ""
        assert desk.phase is None
        assert desk.status().over
        assert desk.status().winners
        for act in (lambda: desk.submit("France", "x"), lambda: desk.process("1901-winter")):
            assert desks.refusal(act).code == "game-is-over"
        assert desk.process("1901-autumn").unchanged
        assert desk.undo() == "1901-autumn"
        assert not desk.status().over
        assert desk.redo() == ""
        assert desk.verify() == ()


# -- the clock -----------------------------------------------------------------------------------


def _clock_state(desk: Desk) -> tuple[bool, str, int | None]:
    return desk.paused, desk.deadline, desk.head().seconds_left


def _check_clock(desk: Desk, act: Callable[[], object]) -> None:
    """Resolve a phase and change the clock, and go back and forth."""
    before = _clock_state(desk)
    desks.resolve(desk)
    act()
    after = _clock_state(desk)
    assert after != before
    desk.undo()
    assert _clock_state(desk) == before
    desk.redo()
    assert _clock_state(desk) == after


def test_the_deadline_comes_back_with_the_phase(desk: Desk, clock: desks.Clock) -> None:
    before = desk.deadline
    clock.pass_by(days=1)
    _check_clock(desk, lambda: None)
    assert desk.deadline > before


def test_the_time_left_comes_back_with_the_phase(desk: Desk, clock: desks.Clock) -> None:
    desk.set_deadline(clock() + timedelta(hours=5))
    desk.pause()
    clock.pass_by(days=3)
    _check_clock(desk, lambda: None)
    assert desk.paused


def test_a_clock_that_stood_or_ran_does_so_again_after_an_undo(desk: Desk) -> None:
    _check_clock(desk, desk.pause)
    assert desk.paused
    _check_clock(desk, desk.resume)
    assert not desk.paused
    desk.undo()
    assert desk.resume()


def test_a_pause_outlasts_an_amendment(desk: Desk) -> None:
    desks.resolve(desk)
    desk.pause()
    before = _clock_state(desk)
    desk.amend("1901-spring", "France", "A PAR - BUR")
    assert _clock_state(desk) == before
    desks.resolve(desk)
    desk.amend("1901-spring", "France", "A PAR - PIC\nA MAR - BUR\nF BRE - MAO")
    assert desk.paused


# -- the switches ---------------------------------------------------------------------------------


def test_undo_leaves_switches_alone_that_were_set_later(tmp_path: Path) -> None:
    with desks.new_desk(tmp_path, settings={"rules.victory_centres": 17}) as desk:
        desks.resolve(desk)
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
    desks.resolve(desk, SPRING)
    desks.submit_all(desk, AUTUMN)
    desk.undo()
    desks.resolve(desk, {"France": "A PAR - PIC"})
    waiting = desk.pending(reason="test")
    assert "A RUH - HOL" in waiting["Germany"]
    assert "F ION - TUN" in waiting["Italy"]
    desk.amend("1901-spring", "France", "A PAR - BUR")
    assert "A RUH - HOL" in desk.pending(reason="test")["Germany"]


def test_what_came_after_a_correction_counts_in_the_version_that_an_undo_opens(desk: Desk) -> None:
    """Players have receipts for it; what does not fit is told."""
    desks.resolve(desk, SPRING)
    desks.submit_all(desk, AUTUMN)
    desk.amend("1901-spring", "France", "A PAR - PIC")
    desks.submit_all(desk, {"Italy": "F ION - GRE", "France": "A PIC - BEL"})
    desk.clear("Germany")
    desk.undo()
    assert [misfit.order for misfit in find_lost_orders(desk, "France")] == ["A PIC - BEL"]
    assert desk.redo() == desk.undo() == "1901-autumn"
    desk.submit("Turkey", "F ANK - BLA")
    desk.undo()
    desk.replace_player(Player("Germany", "Dino", "dino@example.org"))
    desks.resolve(desk)
    waiting = desk.pending(reason="test")
    sent = (waiting["Germany"], waiting["Turkey"], waiting["Italy"])
    assert sent == ((), ("F ANK - BLA",), ("F ION - GRE",))
    assert desk.verify() == ()


def test_undo_refuses_to_override_orders_for_a_phase_that_it_resolves_again(desk: Desk) -> None:
    desks.resolve(desk, SPRING)
    desks.resolve(desk, {"France": "A BUR - BEL", **AUTUMN})
    desk.amend("1901-spring", "France", "A PAR H")
    assert desks.refusal(lambda: desk.undo(unread="gone")).code == "mailbox-unread"
    desk.submit("Italy", "F ION - GRE")
    error = desks.refusal(desk.undo)
    assert (error.code, error.data["what"]) == ("undo-overrides", "Italy")
    desk.undo(anyway=True)
    assert desk.undo() == "1901-autumn"
    assert "F ION - GRE" in desk.pending(reason="test")["Italy"]


def test_redo_refuses_to_override_orders_that_came_since_the_undo(desk: Desk) -> None:
    desks.resolve(desk, SPRING)
    desk.undo()
    # Orders may lie there (an eleventh attack).
    assert desks.refusal(lambda: desk.redo(unread="gone")).code == "mailbox-unread"
    desk.submit("France", "A PAR - PIC")
    desk.clear("Germany")
    desk.vote("Italy", "wait")
    desk.replace_player(Player("Turkey", "Yan"))
    error = desks.refusal(desk.redo)
    assert (error.code, error.data["what"]) == ("redo-overrides", "France, Germany, Italy, Turkey")
    assert desk.redo(anyway=True) == "1901-autumn"
    desks.resolve(desk, AUTUMN)
    desk.undo()
    desk.clear("Italy")
    desk.undo()
    assert desk.redo(anyway=True) == "1901-autumn"
    assert desks.refusal(desk.redo).data["what"] == "Italy"


def test_advance_orders_after_an_undo_replace_those_before_it(desk: Desk) -> None:
    desks.resolve(desk, SPRING)
    desks.resolve(desk, {"Italy": f"{AUTUMN['Italy']}\nBuilds:\nF NAP"})
    desk.submit("Italy", "BUILD F NAP")
    for undone, sent, stands in (
        (1, "Builds:\nA NAP", ("Build A NAP",)),
        (1, "A VEN H", ("Build A NAP",)),
        (1, "CLEAR ALL\nF ION - TUN", ()),
        (2, "F NAP - ION\nBuilds:\nF NAP", ("Build F NAP",)),
    ):
        for _ in range(undone):
            desk.undo()
        desk.submit("Italy", sent)
        for _ in range(undone):
            desks.resolve(desk)
        assert desk.pending(reason="test")["Italy"] == stands
    assert desk.verify() == ()


def test_a_phase_opened_again_waits_for_the_game_master_unless_players_have_a_day(
    tmp_path: Path,
) -> None:
    clock = desks.Clock()
    with desks.new_desk(tmp_path, now=clock) as desk:
        desks.resolve(desk, SPRING)
        desk.undo()
        desk.redo()
        assert is_undone(desk)
        for hours, waits in ((30, False), (20, True)):
            desk.set_deadline(clock.at + timedelta(hours=hours))
            desk.amend("1901-spring", "France", "A PAR - PIC")
            assert is_undone(desk) == waits


def test_who_takes_over_while_a_phase_is_undone_has_no_orders_in_it(desk: Desk) -> None:
    desk.set_player("Italy", name="Bruno")
    desks.resolve(desk, SPRING)
    desks.submit_all(desk, AUTUMN)
    code = find_or_make_code(desk, "Italy", "1901-autumn")
    desk.undo()
    desk.replace_player(Player("Italy", "Yan"))
    desks.resolve(desk, {})
    assert desk.pending(reason="test")["Italy"] == ()
    assert desk.pending(reason="test")["Germany"] == ("A RUH - HOL",)
    assert find_or_make_code(desk, "Italy", "1901-autumn") != code


def test_an_undone_phase_has_no_results_to_read(desk: Desk) -> None:
    """Its orders wait again and may change, so nobody may read them."""
    desks.resolve(desk, SPRING)
    entries = desk.history("1901-spring", unit="A PAR")
    desk.undo()
    assert [entry.detail["order"] for entry in entries] == ["A PAR - BUR"]
    assert desk.history("1901-spring", unit="A PAR") == ()
    assert desks.refusal(lambda: desk.processed("1901-spring")).code == "not-past"
    assert desks.refusal(lambda: desk.processed("1901-spring", 1)).code == "not-past"
