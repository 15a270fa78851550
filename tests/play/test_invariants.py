"""Each invariant is broken by a forged outcome, so that a soak without faults means something."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from alexmagnum import play
from alexmagnum.board import load_board
from alexmagnum.board.model import INDEPENDENT
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import PhaseOutcome
from alexmagnum.orders import Build, Move
from alexmagnum.position import Dislodged, Phase, Position, Unit
from tests.units import read_lines

BOARD = load_board("alexmagnum")


@cache
def _game() -> tuple[play.PlayedPhase, ...]:
    return tuple(play.play_game(BOARD, 8, years=6))


def _phase(
    kind: str, wanted: Callable[[play.PlayedPhase], bool] = lambda _: True
) -> play.PlayedPhase:
    """The first phase of a kind in a game, of those that are wanted."""
    return next(p for p in _game() if p.position.phase.kind == kind and wanted(p))


def _forged(played: play.PlayedPhase, **changes: object) -> play.PlayedPhase:
    """A phase with an outcome that was tampered with."""
    of = played.outcome
    copy = PhaseOutcome(
        of.position,
        of.results,
        of.reasons,
        of.units,
        of.dislodged,
        of.disbanded,
        of.destroyed,
        of.adjust,
        of.removed,
        of.nobility,
        of.picks,
    )
    return replace(played, outcome=replace(copy, **changes))  # type: ignore[arg-type]


def _played(lines: str) -> play.PlayedPhase:
    position, orders = read_lines(lines)
    return play.PlayedPhase(orders, adjudicate(position, orders), None)


def _says(check: play.Check, played: play.PlayedPhase) -> str:
    return "; ".join(check(played))


def test_a_game_as_it_is_breaks_nothing() -> None:
    for played in _game():
        for check in play.CHECKS:
            assert _says(check, played) == ""


def test_a_position_that_cannot_stand() -> None:
    moved = _phase("movement")
    afloat = (*moved.outcome.units, Unit("TOL", "A", "EGE", number=3))
    assert "army-afloat" in _says(play.check_positions, _forged(moved, units=afloat))


def test_two_units_in_one_place_and_too_many_in_a_province() -> None:
    moved = _phase("movement")
    crowd = (*moved.outcome.units, *(Unit("TOL", "F", "SUE", "", n) for n in (1, 1, 2, 3)))
    assert "2 units in SUE#1" in _says(play.check_capacity, _forged(moved, units=crowd))
    assert "4 units in SUE" in _says(play.check_capacity, _forged(moved, units=crowd))


@pytest.mark.parametrize("kind", ["movement", "retreats", "winter", "deployment", "picks"])
def test_a_unit_too_few_or_too_many(kind: str) -> None:
    played = _phase(kind)
    units = played.outcome.units
    assert "unaccounted for" in _says(play.check_balance, _forged(played, units=units[1:]))
    assert "unaccounted for" in _says(play.check_balance, _forged(played, units=(*units, units[0])))


def test_a_unit_that_is_elsewhere() -> None:
    moved = _phase("movement")
    units = list(moved.outcome.units)
    still = next(u for u in units if u in moved.position.units)
    units[units.index(still)] = replace(still, province="SUE")
    assert "did not move and is gone" in _says(
        play.check_whereabouts, _forged(moved, units=tuple(units))
    )


def test_a_garrison_that_comes_back() -> None:
    """R27"""
    moved = _phase("movement")
    back = (*moved.outcome.units, Unit(INDEPENDENT, "A", "ALE"))
    assert "garrison in ALE" in _says(play.check_garrisons, _forged(moved, units=back))


def test_a_unit_in_revolt_that_moves() -> None:
    """R3"""
    moved = _phase("movement")
    rebels = replace(moved.position, nobility=dict.fromkeys(BOARD.powers, 0))
    assert "in revolt, moved" in _says(play.check_revolts, _forged(moved, position=rebels))


def test_a_move_without_a_way() -> None:
    """Results are made to say that the impossible came about."""
    played = _played("TOL A MEN - BAB; TOL F CRE - SUE; SEL A BAB")
    results = tuple(replace(entry, result="succeeds") for entry in played.outcome.results)
    said = _says(play.check_moves, _forged(played, results=results))
    assert "A MEN - BAB: no border and no convoy" in said
    assert "F CRE - SUE: no border, river or portage" in said


def test_an_express_past_somebody_who_stays() -> None:
    """R19"""
    played = _played("TOL F FOC - TEB; SEL A NOC")
    (entry,) = played.outcome.results
    went = _forged(played, results=(replace(entry, result="succeeds"),))
    (reason,) = played.outcome.reasons
    stop = _forged(
        played, results=(replace(entry, result="stopped"),), reasons=(reason._replace(stop="TEB"),)
    )
    assert "went through NOC" in _says(play.check_moves, went)
    assert "off its way" in _says(play.check_moves, stop)


def test_an_express_past_its_own_unit() -> None:
    """R19: the railway passes a unit of its own, but does not end where one stays."""
    passed, ended = (_played(f"TOL F FOC - {to}; TOL A MEN") for to in ("TEB", "MEN"))
    attack = replace(passed.position, board=BOARD.with_rules({"express": "attack"}))
    assert _says(play.check_moves, passed) == ""
    for played in (ended, replace(passed, outcome=adjudicate(attack, passed.orders))):
        results = tuple(
            replace(entry, result="succeeds") if isinstance(entry.order, Move) else entry
            for entry in played.outcome.results
        )
        assert "went through MEN" in _says(play.check_moves, _forged(played, results=results))


def test_a_haul_past_a_raider_or_over_land_that_is_taken() -> None:
    """R23, R24"""
    raid = _played("TOL F EGI - SUE; SEL A ISR - SIS")
    taken = _played("TOL F EGI - SUE; SEL A SIS")
    assert _says(play.check_moves, raid) == _says(play.check_moves, taken) == ""

    for played, said in ((raid, "past a raider"), (taken, "not free")):
        first, *rest = played.outcome.results
        forged = _forged(played, results=(replace(first, result="succeeds"), *rest))
        assert said in _says(play.check_moves, replace(forged, outcome=replace_destroyed(forged)))
    first, *_ = taken.outcome.results
    caught = _forged(taken, results=(replace(first, result="destroyed"),))
    assert "no haul was raided" in _says(play.check_moves, caught)


def replace_destroyed(played: play.PlayedPhase) -> PhaseOutcome:
    """The same outcome with nothing destroyed."""
    assert isinstance(played.outcome, PhaseOutcome)
    return replace(played.outcome, destroyed=())


def test_a_convoy_that_was_not_there() -> None:
    played = _played("TOL A ALE - CRE; TOL F EGI C A ALE - CRE")
    assert _says(play.check_moves, played) == ""

    move, convoy = played.outcome.results
    sunk = _forged(played, results=(move, replace(convoy, result="disrupted")))
    assert "no convoy" in _says(play.check_moves, sunk)


def test_a_unit_destroyed_for_no_reason() -> None:
    moved = _phase("movement")
    victim = next(u for u in moved.position.units if u.power in BOARD.powers)
    assert "for no reason" in _says(play.check_losses, _forged(moved, destroyed=(victim,)))


def test_retreats_that_cannot_be_open() -> None:
    """R17; and a unit that nobody dislodged."""
    moved = _phase("movement")
    unit, by = [u for u in moved.position.units if u.power in BOARD.powers][:2]
    full = next(u for u in moved.outcome.units if not BOARD.provinces[u.province].is_sea)
    forged = _forged(moved, dislodged=(Dislodged(unit, by, (full.province,)),))
    assert "dislodged by nobody" in _says(play.check_retreats, forged)
    assert "which is full" in _says(play.check_retreats, forged)


def test_a_centre_that_changes_hands_in_between() -> None:
    """R29: the outcome of an autumn with retreats to come leaves the owners alone."""
    autumn = _phase("movement", lambda p: p.position.phase.season == "autumn")
    nobodys = replace(autumn, after=autumn.after and replace(autumn.after, owners={}))
    awarded = _phase("picks")
    stolen = _forged(awarded, picks=replace(awarded.outcome.picks, awards={"TOL": "LAH"}))  # type: ignore[type-var]
    assert "other owners" in _says(play.check_centres, nobodys)
    assert "LAH is TOL's, not CAN's" in _says(play.check_centres, stolen)


def test_nobility_that_goes_up_or_down_for_nothing() -> None:
    """R2"""
    moved = _phase("movement")
    for points in (11, 9):
        forged = _forged(moved, nobility={**moved.outcome.nobility, "TOL": points})
        assert f"TOL: nobility from 10 to {points}" in _says(play.check_nobility, forged)


def test_too_many_units_after_a_winter() -> None:
    """R32"""
    winter = _phase("winter")
    more = (*winter.outcome.units, *(Unit("TOL", "F", "SUE", "", n) for n in range(1, 30)))
    assert "TOL has" in _says(play.check_upkeep, _forged(winter, units=more))


def test_a_build_in_a_place_that_is_none() -> None:
    """R28"""
    winter = _phase("winter", lambda p: any(isinstance(e.order, Build) for e in p.outcome.results))
    elsewhere = tuple(
        replace(e, unit=e.unit and replace(e.unit, province="SPA")) for e in winter.outcome.results
    )
    assert "in a centre of another power" in _says(
        play.check_builds, _forged(winter, results=elsewhere)
    )


def test_a_calendar_that_skips() -> None:
    spring = _phase("movement")
    assert spring.after is not None
    late = replace(spring, after=replace(spring.after, phase=Phase(320, "spring")))
    assert "320-spring follows 322-spring" in _says(play.check_calendar, late)
    assert "not over" in _says(play.check_calendar, replace(spring, after=None))


def test_a_power_that_comes_back_after_it_was_eliminated() -> None:
    """R35"""
    moved = _phase("movement")
    watch = play.InvariantChecker(8)
    watch.check(moved)
    watch._eliminated_powers.add("TOL")

    with pytest.raises(play.BrokenInvariantError, match="TOL was eliminated and is back"):
        watch.check(moved)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_broken_is_said_with_seed_and_phase(lang: str) -> None:
    moved = _phase("movement")
    error = play.BrokenInvariantError(77, moved.position, moved.orders, ("2 units in EGE#1",))

    said = load_sentences(lang).error(error)
    assert "77" in said
    assert "322-spring" in said
    assert "2 units in EGE#1" in said


def test_a_judge_that_fails_is_blamed_with_the_turn_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(position: Position, orders: object) -> None:
        if position.phase.kind == "movement":
            raise ZeroDivisionError("no")

    monkeypatch.setattr("alexmagnum.play.adjudicate", fails)
    with pytest.raises(play.BrokenInvariantError, match="ZeroDivisionError: no") as caught:
        list(play.play_game(load_board("standard"), 7))

    assert "year: 1901" in caught.value.turn
    assert "orders:" in caught.value.turn
