"""Corrections of the past: what follows is played again, the old version is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.bots.random_player import random_orders
from alexmagnum.errors import GameError
from alexmagnum.game import Desk
from alexmagnum.game.game import position_json
from alexmagnum.notation import write_order
from tests.game.desks import Clock, new_desk, submit_all
from tests.sizes import drawn

SPRING = {
    "France": "A PAR - BUR\nA MAR - SPA\nF BRE - MAO",
    "Germany": "A MUN - RUH\nA BER - KIE\nF KIE - DEN",
    "Italy": "A VEN H\nA ROM H\nF NAP - ION",
}
AUTUMN = {
    "France": "A BUR - BEL\nA SPA H\nF MAO - POR",
    "Germany": "A RUH - HOL\nA KIE H\nF DEN H",
    "Italy": "A VEN H\nA ROM - APU\nF ION - TUN",
}


def _played(folder: Path, spring: dict[str, str], autumn: dict[str, str]) -> Desk:
    desk = new_desk(folder, now=Clock())
    for phase, orders in (("1901-spring", spring), ("1901-autumn", autumn)):
        submit_all(desk, orders)
        desk.process(phase, allow_missing=True)
    return desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with _played(tmp_path, SPRING, AUTUMN) as opened:
        yield opened


def _story(desk: Desk) -> list[object]:
    """Return the results phase by phase, and what is open; leave out versions."""
    told: list[object] = [
        (
            r.name,
            r.state,
            desk.processed(r.name).orders,
            position_json(desk.position_before(r.name)),
        )
        for r in desk.phases()
        if r.processed
    ]
    return [*told, str(desk.phase), position_json(desk.position)]


def test_amending_is_as_if_it_had_been_played_right(tmp_path: Path) -> None:
    """Amend an order of the first spring that has no bearing on later orders."""
    right = {**SPRING, "Italy": "A VEN H\nA ROM H\nF NAP - ION\n"}
    wrong = {**SPRING, "Italy": "A VEN S A ROM\nA ROM H\nF NAP - ION"}
    with _played(tmp_path / "a", wrong, AUTUMN) as desk:
        amended = desk.amend("1901-spring", "Italy", right["Italy"], reason="misread")
        with _played(tmp_path / "b", right, AUTUMN) as other:
            assert _story(desk) == _story(other)
        assert amended.replayed == ("1901-spring", "1901-autumn")
        assert amended.stopped_at == ""
        assert {c.subject for c in amended.changes} == {"A VEN S A ROM", "A VEN H"}
        assert desk.verify() == ()


@drawn(3, 10)
@given(seed=st.integers(0, 10_000))
def test_a_replay_goes_on_as_far_as_it_equals_a_game_played_right(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """Other orders of one power in the first spring; up to where orders have to be asked anew,
    everything is what it would be if they had been sent at once."""
    folder = tmp_path_factory.mktemp("amend")
    rng = Random(seed)
    with new_desk(folder / "a") as desk, new_desk(folder / "b") as other:
        other_orders = random_orders(desk.position, Random(seed + 1))
        power = rng.choice(sorted(other_orders))
        corrected = "\n".join(map(write_order, other_orders[power]))
        sent: dict[str, dict[str, str]] = {}
        for _ in range(5):
            name = str(desk.phase)
            sent[name] = {
                who: "\n".join(map(write_order, listed))
                for who, listed in random_orders(desk.position, rng).items()
            }
            submit_all(desk, sent[name])
            desk.process(name, allow_missing=True)
        last = str(desk.phase)
        amended = desk.amend("1901-spring", power, corrected)

        sent["1901-spring"][power] = corrected
        while str(other.phase) not in (amended.stopped_at, last):
            submit_all(other, sent[str(other.phase)])
            other.process(str(other.phase), allow_missing=True)
        assert _story(desk) == _story(other)
        assert desk.verify() == ()


def test_orders_that_no_longer_fit_are_asked_anew(desk: Desk) -> None:
    """The army never went to Burgundy, so it has no order for the autumn."""
    amended = desk.amend("1901-spring", "France", "A PAR H\nA MAR - SPA\nF BRE - MAO")

    assert amended.stopped_at == "1901-autumn"
    assert str(desk.phase) == "1901-autumn"
    receipt = desk.receipt("France")
    assert receipt is not None
    assert receipt.missing == ("A PAR",)
    assert receipt.orders == ("A SPA H", "F MAO - POR")
    whole = desk.receipt("Germany")
    assert whole is not None
    assert whole.missing == ()
    assert desk.status().blocks == ("block-orders-missing",)


def test_the_old_version_is_kept_and_the_difference_told(desk: Desk) -> None:
    amended = desk.amend("1901-autumn", "Italy", "A VEN H\nA ROM H\nF ION H")

    assert amended.version == 2
    assert desk.processed("1901-autumn", 1).orders["Italy"][1] == "A ROM - APU"
    assert desk.processed("1901-autumn").orders["Italy"] == ("A VEN H", "A ROM H", "F ION H")
    assert {c for c in amended.changes if c.what == "owner"} == {
        ("1901-autumn", "owner", "TUN", "Italy", "")
    }
    assert desk.differences("1901-autumn") == amended.changes
    assert [r.state for r in desk.versions("1901-autumn")] == ["superseded", "processed"]


def test_an_amendment_can_be_taken_back(desk: Desk) -> None:
    before = _story(desk)
    desk.amend("1901-spring", "France", "A PAR H")
    after = _story(desk)

    assert desk.undo() == "1901-winter"
    assert _story(desk) == before
    desk.redo()
    assert _story(desk) == after


def test_mails_for_the_open_phase_stay_when_a_past_one_is_amended(desk: Desk) -> None:
    desk.submit("France", "Build A PAR")
    before = desk.receipt("France")
    desk.amend("1901-spring", "Italy", "A VEN S A ROM\nA ROM H\nF NAP - ION")

    assert desk.receipt("France") == before
    assert desk.verify() == ()


def test_the_others_seals_stay_when_one_power_is_corrected(desk: Desk) -> None:
    before = {seal.power: seal for seal in desk.processed("1901-spring").seals}
    desk.amend("1901-spring", "Italy", "A VEN S A ROM\nA ROM H\nF NAP - ION")
    after = {seal.power: seal for seal in desk.processed("1901-spring").seals}

    assert before["France"] == after["France"]
    assert before["Italy"].digest != after["Italy"].digest


def test_a_switch_that_was_wrong_is_corrected_from_a_past_phase_on(desk: Desk) -> None:
    amended = desk.amend_settings("1901-autumn", {"victory_centres": 5}, "as agreed")

    assert amended.changes[-1] == ("1901-autumn", "winner", "France", "", "France")
    assert desk.phase is None
    assert desk.status().winners == ("France",)
    desk.undo()
    assert str(desk.phase) == "1901-winter"
    assert "rules.victory_centres" not in desk.settings
    assert desk.verify() == ()


def test_what_is_not_past_is_not_amended(desk: Desk) -> None:
    for phase, code in (
        ("1901-winter", "not-past"),
        ("1902-spring", "not-past"),
        ("winter", "unknown-phase"),
    ):
        with pytest.raises(GameError, match=code):
            desk.amend(phase, "France", "A PAR H")
    with pytest.raises(GameError, match="amend-nothing"):
        desk.amend("1901-spring", "France", "a letter without orders")


# -- orders sent ahead ----------------------------------------------------------------------------


NO_EFFECT = "A VEN S A ROM\nA ROM H\nF NAP - ION"


def _third_spring(folder: Path, ahead: str) -> Desk:
    """1902-spring is processed; France sent orders for the winter with its moves."""
    desk = _played(folder, SPRING, AUTUMN)
    desk.submit("France", "Build A PAR\nBuild F BRE")
    desk.process("1901-winter", allow_missing=True)
    desk.submit("France", f"A BEL H\n{ahead}")
    desk.process("1902-spring", allow_missing=True)
    return desk


def test_orders_sent_ahead_outlast_an_amendment_before_them(tmp_path: Path) -> None:
    with _third_spring(tmp_path, "Builds:\nA PAR") as desk:
        assert desk.ahead(reason="")["France"] == {"winter": ("Build A PAR",)}
        before = desk.receipts("1902-spring")
        amended = desk.amend("1901-spring", "Italy", NO_EFFECT)

        assert "1902-spring" in amended.replayed
        assert desk.ahead(reason="")["France"] == {"winter": ("Build A PAR",)}
        assert desk.receipts("1902-spring") == before
        assert desk.verify() == ()
        desk.undo()
        assert desk.ahead(reason="")["France"] == {"winter": ("Build A PAR",)}


def test_an_amendment_may_hold_orders_for_later(tmp_path: Path) -> None:
    """They count as long as the amendment does."""
    with _third_spring(tmp_path, "Builds:\nA PAR") as desk:
        desk.amend("1902-spring", "France", "A BEL H\nBuilds:\nA MAR")
        assert desk.ahead(reason="")["France"] == {"winter": ("Build A MAR",)}
        desk.amend("1901-spring", "Italy", NO_EFFECT)
        assert desk.ahead(reason="")["France"] == {"winter": ("Build A MAR",)}
        desk.amend("1902-spring", "France", "A BEL - HOL")
        assert desk.ahead(reason="")["France"] == {"winter": ("Build A MAR",)}
        for _ in range(3):
            desk.undo()
        assert desk.ahead(reason="")["France"] == {"winter": ("Build A PAR",)}
        desk.submit("France", "A BEL H\nBuilds:\nA MAR")
        desk.amend("1902-spring", "France", "A BEL H\nBuilds:\nF BRE")
        ahead = ("Build A MAR", "Build F BRE")
        assert desk.ahead(reason="")["France"] == {"winter": ahead}


def test_orders_for_later_in_an_amendment_reach_the_open_phase(tmp_path: Path) -> None:
    autumn = {**AUTUMN, "France": AUTUMN["France"] + "\nBuilds:\nA PAR"}
    with _played(tmp_path, SPRING, autumn) as desk:
        receipt = desk.receipt("France")
        assert receipt is not None
        assert receipt.orders == ("Build A PAR",)
        desk.amend("1901-autumn", "France", AUTUMN["France"] + "\nBuilds:\nF BRE\nA MAR")
        receipt = desk.receipt("France")
        assert receipt is not None
        assert receipt.orders == ("Build F BRE", "Build A MAR")
        desk.undo()
        receipt = desk.receipt("France")
        assert receipt is not None
        assert receipt.orders == ("Build A PAR",)
        assert desk.verify() == ()


def test_a_mail_read_again_came_when_it_came(tmp_path: Path) -> None:
    clock = Clock()
    with new_desk(tmp_path, now=clock) as desk:
        submit_all(desk, SPRING)
        desk.process("1901-spring", allow_missing=True)
        sent = desk.submit("France", AUTUMN["France"])
        clock.pass_by(days=2)
        desk.amend("1901-spring", "France", "A PAR H\nA MAR - SPA\nF BRE - MAO")
        again = desk.receipt("France")

        assert again is not None
        assert again.orders != sent.orders
        assert again.received == sent.received
        assert {p.last for p in desk.status().powers} == {"", sent.received}
