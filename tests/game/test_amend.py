"""Corrections of the past: what follows is played again, the old version is kept."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board import load_board
from alexmagnum.bots.random_player import random_orders
from alexmagnum.game.copies import list_copies
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import VoidPhase, position_json
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.notation import write_order
from alexmagnum.position import Phase, Position, Unit
from tests.game.desks import Clock, dump, new_desk, open_desk, refusal, resolve
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
STAYS = "A PAR H\nA MAR - SPA\nF BRE - MAO"
"""With this order for the spring, France's army never went to Burgundy."""
NO_EFFECT = "A VEN S A ROM\nA ROM H\nF NAP - ION"  # with a support that changes nothing


def _played(folder: Path, spring: dict[str, str], autumn: dict[str, str]) -> Desk:
    desk = new_desk(folder, now=Clock())
    for orders in (spring, autumn):
        resolve(desk, orders)
    return desk


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Desk]:
    """Return a game of which a spring and an autumn were resolved."""
    with _played(tmp_path, SPRING, AUTUMN) as opened:
        yield opened
        assert opened.verify() == ()


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


def test_what_a_correction_replays_is_stored_as_it_is_read_again(tmp_path: Path) -> None:
    """On a map whose powers stand in another sequence than their names (a seventeenth attack)."""
    units = [Unit("TOL", "A", "TEB"), Unit("AUT", "A", "PER"), Unit("SEL", "A", "BAB")]
    start = Position(load_board("alexmagnum"), Phase(318, "spring"), units)
    with new_desk(tmp_path, "alexmagnum", start=start) as desk:
        resolve(desk)
        resolve(desk)
        desk.amend("318-spring", "TOL", "A TEB H", reason="misread")
    with open_desk(tmp_path) as again:
        assert again.verify() == ()


def test_amending_is_as_if_it_had_been_played_right(played: Desk, tmp_path: Path) -> None:
    """Amend an order of the first spring that has no bearing on later orders."""
    with _played(tmp_path / "wrong", {**SPRING, "Italy": NO_EFFECT}, AUTUMN) as desk:
        amended = desk.amend("1901-spring", "Italy", SPRING["Italy"], reason="misread")
        assert _story(desk) == _story(played)
        assert amended.replayed == ("1901-spring", "1901-autumn")
        assert (amended.stopped_at, amended.misfits, amended.void) == ("", (), ())
        assert {c.subject for c in amended.changes} == {"A VEN S A ROM", "A VEN H"}
        assert desk.verify() == ()


@drawn(1, 10)
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
            resolve(desk, sent[name])
        last = str(desk.phase)
        amended = desk.amend("1901-spring", power, corrected)

        sent["1901-spring"][power] = corrected
        while str(other.phase) not in (amended.stopped_at, last):
            resolve(other, sent[str(other.phase)])
        assert _story(desk) == _story(other)
        assert desk.verify() == ()


def test_the_old_version_is_kept_and_the_difference_told(played: Desk) -> None:
    amended = played.amend("1901-autumn", "Italy", "A VEN H\nA ROM H\nF ION H")
    assert amended.version == 2
    assert played.processed("1901-autumn", 1).orders["Italy"][1] == "A ROM - APU"
    assert played.processed("1901-autumn").orders["Italy"] == ("A VEN H", "A ROM H", "F ION H")
    assert {c for c in amended.changes if c.what == "owner"} == {
        ("1901-autumn", "owner", "TUN", "Italy", "")
    }
    assert played.differences("1901-autumn") == amended.changes
    assert [r.state for r in played.versions("1901-autumn")] == ["superseded", "processed"]


def test_an_amendment_can_be_taken_back(played: Desk) -> None:
    before = _story(played)
    played.amend("1901-spring", "France", "A PAR H")
    after = _story(played)
    assert played.undo() == "1901-winter"
    assert _story(played) == before
    played.redo()
    assert _story(played) == after


def test_the_seals_of_others_and_the_mails_for_the_open_phase_stay(played: Desk) -> None:
    played.submit("France", "Build A PAR")
    waiting = played.receipt("France")
    before = {seal.power: seal for seal in played.processed("1901-spring").seals}
    played.amend("1901-spring", "Italy", NO_EFFECT)
    after = {seal.power: seal for seal in played.processed("1901-spring").seals}
    assert before["France"] == after["France"]
    assert before["Italy"].digest != after["Italy"].digest
    assert played.receipt("France") == waiting


def test_a_switch_that_was_wrong_is_corrected_from_a_past_phase_on(played: Desk) -> None:
    amended = played.amend_settings("1901-autumn", {"victory_centres": 5}, "as agreed")
    assert amended.changes[-1] == ("1901-autumn", "winner", "France", "", "France")
    assert played.phase is None
    assert played.status().winners == ("France",)
    played.undo()
    assert str(played.phase) == "1901-winter"
    assert "rules.victory_centres" not in played.settings


def test_what_is_not_past_is_not_amended(played: Desk) -> None:
    for phase, code in (
        ("1901-winter", "not-past"),
        ("1902-spring", "not-past"),
        ("winter", "unknown-phase"),
    ):
        assert refusal(lambda at=phase: played.amend(at, "France", "A PAR H")).code == code  # type: ignore[misc]
    letter = "a letter without orders"
    assert refusal(lambda: played.amend("1901-spring", "France", letter)).code == "amend-nothing"


# -- rehearsals ------------------------------------------------------------------------------------


def test_a_rehearsal_tells_what_the_amendment_does_and_changes_nothing(
    played: Desk, tmp_path: Path
) -> None:
    before, open_phase, copies = dump(tmp_path), played.phase, list_copies(tmp_path)
    told = played.amend("1901-spring", "France", STAYS, dry_run=True)
    refused = refusal(lambda: played.amend("1901-spring", "France", "nothing", dry_run=True))
    assert refused.code == "amend-nothing"
    assert dump(tmp_path) == before
    assert list_copies(tmp_path) == copies
    assert (played.phase, played.verify()) == (open_phase, ())
    assert played.amend("1901-spring", "France", STAYS) == told


def test_a_rehearsal_of_a_switch_changes_nothing(tmp_path: Path) -> None:
    with new_desk(tmp_path, "alexmagnum") as desk:
        resolve(desk, {"TOL": "Pick ALE"})
        before = dump(tmp_path)
        desk.amend_settings("323-1", {"publish_picks": "own"}, dry_run=True)
        assert dump(tmp_path) == before
        assert "rules.publish_picks" not in desk.settings


# -- orders that no longer fit ---------------------------------------------------------------------


def test_orders_that_no_longer_fit_are_named_and_asked_anew(played: Desk) -> None:
    """The army never went to Burgundy, so it can neither go on to Belgium nor hold in Paris."""
    resolve(played)
    amended = played.amend("1901-spring", "France", STAYS)

    assert amended.stopped_at == str(played.phase) == "1901-autumn"
    receipts = played.open_receipts()
    assert receipts["France"].missing == ("A PAR",)
    assert receipts["France"].orders == ("A SPA H", "F MAO - POR")
    assert receipts["Germany"].missing == ()
    assert played.status().blocks == ("block-orders-missing",)
    assert {(m.power, m.order) for m in amended.misfits} >= {("France", "A BUR - BEL")}
    assert {m.power for m in amended.misfits} == {"France"}
    for misfit in amended.misfits:
        for lang in LANGUAGES:
            assert load_sentences(lang).format(misfit.code, **misfit.data)
    assert amended.void[0] == VoidPhase("1901-autumn", ("France", "Germany", "Italy"))
    assert [void.phase for void in amended.void] == ["1901-autumn", "1901-winter"]


def test_a_unit_that_lacks_an_order_is_named(desk: Desk) -> None:
    """France had lost the order for Paris in the mail; its unit had none in the autumn either."""
    resolve(desk, {"France": "A PAR - BUR"})
    resolve(desk, {"France": "A BUR S A MAR\nA MAR H\nF BRE H"})
    amended = desk.amend("1901-spring", "France", "A PAR H")
    assert "A BUR S A MAR" in [misfit.order for misfit in amended.misfits]
    assert amended.stopped_at == "1901-autumn"


def test_retreats_that_nobody_had_are_due_now(desk: Desk) -> None:
    resolve(desk, {"France": "A PAR - BUR", "Italy": "A VEN - TYR"})
    resolve(desk, {"France": "A BUR - MUN", "Italy": "A TYR H"})
    resolve(desk)
    amended = desk.amend("1901-autumn", "Italy", "A TYR S A BUR - MUN")
    assert amended.stopped_at == "1901-autumn-retreats"
    named = [(misfit.power, misfit.order, misfit.code) for misfit in amended.misfits]
    assert named == [("Germany", "A MUN", "misfit-new-phase")]
    assert amended.void == (VoidPhase("1902-spring", ()),)


# -- orders sent ahead -----------------------------------------------------------------------------


@pytest.fixture
def ahead(played: Desk) -> Desk:
    """Resolve the spring of 1902 too; France sent a build for the winter with its moves."""
    resolve(played, {"France": "Build A PAR\nBuild F BRE"})
    resolve(played, {"France": "A BEL H\nBuilds:\nA PAR"})
    return played


def _builds(desk: Desk) -> tuple[str, ...]:
    """Return what France has sent ahead for the winter."""
    return desk.ahead(reason="")["France"]["winter"]


def test_orders_sent_ahead_outlast_an_amendment_before_them(ahead: Desk) -> None:
    assert ahead.ahead(reason="")["France"] == {"winter": ("Build A PAR",)}
    before = ahead.receipts("1902-spring")
    assert "1902-spring" in ahead.amend("1901-spring", "Italy", NO_EFFECT).replayed
    assert _builds(ahead) == ("Build A PAR",)
    assert ahead.receipts("1902-spring") == before
    assert ahead.verify() == ()
    ahead.undo()
    assert _builds(ahead) == ("Build A PAR",)


def test_an_amendment_may_hold_orders_for_later(ahead: Desk) -> None:
    """They count as long as the amendment does."""
    for phase, power, orders in (
        ("1902-spring", "France", "A BEL H\nBuilds:\nA MAR"),
        ("1901-spring", "Italy", NO_EFFECT),
        ("1902-spring", "France", "A BEL - HOL"),
    ):
        ahead.amend(phase, power, orders)
        assert _builds(ahead) == ("Build A MAR",)
    for _ in range(3):
        ahead.undo()
    assert _builds(ahead) == ("Build A PAR",)
    ahead.submit("France", "A BEL H\nBuilds:\nA MAR")
    ahead.amend("1902-spring", "France", "A BEL H\nBuilds:\nF BRE")
    assert _builds(ahead) == ("Build A MAR", "Build F BRE")


def test_orders_for_later_in_an_amendment_reach_the_open_phase(tmp_path: Path) -> None:
    autumn = {**AUTUMN, "France": AUTUMN["France"] + "\nBuilds:\nA PAR"}
    with _played(tmp_path, SPRING, autumn) as desk:
        assert desk.open_receipts()["France"].orders == ("Build A PAR",)
        desk.amend("1901-autumn", "France", AUTUMN["France"] + "\nBuilds:\nF BRE\nA MAR")
        assert desk.open_receipts()["France"].orders == ("Build F BRE", "Build A MAR")
        desk.undo()
        assert desk.open_receipts()["France"].orders == ("Build A PAR",)
        assert desk.verify() == ()


def test_a_mail_read_again_came_when_it_came(desk: Desk, clock: Clock) -> None:
    resolve(desk, SPRING)
    sent = desk.submit("France", AUTUMN["France"])
    clock.pass_by(days=2)
    desk.amend("1901-spring", "France", STAYS)
    again = desk.open_receipts()["France"]
    assert again.orders != sent.orders
    assert again.received == sent.received
    assert {p.last for p in desk.status().powers} == {"", sent.received}
