"""The ledger of the people: phases owed, sent in time, late, in part, missed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player
from alexmagnum.i18n.dates import parse_iso
from tests.commands import run_command
from tests.game.desks import Clock, new_desk, resolve

ANNA = Player("France", "Anna")
FRANCE = "A PAR H\nA MAR H\nF BRE H"
ITALY = "A ROM H\nA VEN H\nF NAP H"


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[Desk]:
    with new_desk(tmp_path, players=(ANNA, Player("Italy", "Bruno")), now=clock) as desk:
        yield desk
        assert desk.verify() == ()


def _states(desk: Desk, power: str) -> list[tuple[str, list[str]]]:
    """Return the people of a power with the state of each phase in their accounts."""
    return [
        (account.player.name, [owed.state for owed in account.phases])
        for account in desk.ledger()
        if account.player.power == power
    ]


def _pass_deadline(desk: Desk, clock: Clock, hours: float = 1) -> None:
    clock.at = parse_iso(desk.deadline) + timedelta(hours=hours)


def _process(desk: Desk, clock: Clock) -> None:
    clock.pass_by(minutes=5)
    resolve(desk)
    clock.pass_by(minutes=5)


def test_each_phase_is_in_time_late_in_part_or_missed(desk: Desk, clock: Clock) -> None:
    desk.submit("France", FRANCE)
    _pass_deadline(desk, clock)
    desk.submit("Italy", ITALY)
    _process(desk, clock)
    desk.submit("France", "A PAR H")
    _process(desk, clock)
    accounts = {account.player.power: account for account in desk.ledger()}

    assert _states(desk, "France") == [("Anna", ["in-time", "partial"])]
    assert _states(desk, "Italy") == [("Bruno", ["late", "missed"])]
    assert [accounts["Italy"].count(s) for s in ("in-time", "late", "missed")] == [0, 1, 1]
    assert accounts["Italy"].owed == 2


def test_what_counts_for_a_phase_is_when_orders_were_complete_and_the_last_deadline(
    tmp_path: Path,
) -> None:
    def correct(desk: Desk, clock: Clock) -> None:
        desk.submit("France", FRANCE)
        _pass_deadline(desk, clock)
        desk.submit("France", FRANCE.replace("PAR H", "PAR - BUR"))

    def complete_late(desk: Desk, clock: Clock) -> None:
        desk.set("second_mail", "merge")
        desk.submit("France", "A PAR H\nA MAR H")
        _pass_deadline(desk, clock)
        desk.submit("France", "F BRE H")

    def withdraw(desk: Desk, clock: Clock) -> None:
        desk.submit("France", FRANCE)
        desk.clear("France")

    def extend(desk: Desk, clock: Clock) -> None:
        late = parse_iso(desk.deadline) + timedelta(hours=1)
        desk.extend(late + timedelta(days=1))
        clock.at = late
        desk.submit("France", FRANCE)

    def have_no_deadline(desk: Desk, clock: Clock) -> None:
        desk.set_deadline(None)
        clock.pass_by(days=90)
        desk.submit("France", FRANCE)

    for act, state in (
        (correct, "in-time"),
        (complete_late, "late"),
        (withdraw, "missed"),
        (extend, "in-time"),
        (have_no_deadline, "in-time"),
    ):
        clock = Clock()
        with new_desk(tmp_path / act.__name__, players=[ANNA], now=clock) as desk:
            act(desk, clock)
            _process(desk, clock)
            assert _states(desk, "France") == [("Anna", [state])], act.__name__


def test_who_took_over_answers_for_what_was_due_since(desk: Desk, clock: Clock) -> None:
    """Who is replaced because they missed a deadline keeps that on their account."""
    _pass_deadline(desk, clock)
    desk.replace_player(Player("France", "Carla"))
    clock.pass_by(minutes=1)
    desk.submit("France", FRANCE)
    _process(desk, clock)
    desk.submit("France", FRANCE)
    _process(desk, clock)

    assert _states(desk, "France") == [("Anna", ["late"]), ("Carla", ["in-time"])]


def test_the_open_phase_is_overdue_after_its_deadline(desk: Desk, clock: Clock) -> None:
    desk.submit("France", FRANCE)
    before = _states(desk, "Italy")
    _pass_deadline(desk, clock)

    assert before == [("Bruno", [])]
    assert _states(desk, "France") == [("Anna", [])]
    assert _states(desk, "Italy") == [("Bruno", ["overdue"])]
    assert all(account.owed == 0 for account in desk.ledger())


def test_an_undone_phase_is_not_counted_and_a_corrected_one_as_before(
    desk: Desk, clock: Clock
) -> None:
    desk.submit("France", FRANCE)
    _process(desk, clock)
    _process(desk, clock)
    desk.amend("1901-spring", "Italy", ITALY)
    corrected = _states(desk, "Italy"), _states(desk, "France")
    desk.undo()
    desk.undo()

    assert corrected == ([("Bruno", ["missed", "missed"])], [("Anna", ["in-time", "missed"])])
    assert _states(desk, "France") == [("Anna", ["in-time"])]


def test_who_owes_nothing_has_an_empty_account(desk: Desk, clock: Clock) -> None:
    """In a phase of retreats only those with a dislodged unit owe orders."""
    desk.set_player("Austria", name="Dino")
    for orders in (
        {"Italy": "A VEN - TYR\nA ROM - VEN", "France": FRANCE},
        {"Italy": "A TYR - TRI\nA VEN S A TYR - TRI", "France": FRANCE},
    ):
        for power, text in orders.items():
            desk.submit(power, text)
        _process(desk, clock)

    assert str(desk.phase) == "1901-autumn-retreats"
    _process(desk, clock)
    assert [len(states) for _, states in _states(desk, "Austria")] == [3]
    assert [len(states) for _, states in _states(desk, "France")] == [2]


def test_the_command_prints_it_with_what_the_settings_do(tmp_path: Path) -> None:
    with new_desk(tmp_path, players=(ANNA,), lang="en") as desk:
        resolve(desk)
    said = run_command("history", "--people", cwd=tmp_path).out
    data = run_command("history", "--people", "--power", "France", "--json", cwd=tmp_path).data

    assert "France: Anna. Phases owed: 1; in time 0, late 0, in part 0, missed 1." in said
    assert "1901-spring: no orders" in said
    assert "A phase with missing orders waits" in said
    assert data["people"][0]["missed"] == 1
    assert data["people"][0]["phases"][0]["state"] == "missed"
    assert data["settings"] == {"missing": "wait", "reminders": "draft", "reminder_hours": "24"}
