"""The calendar of a game: what is foretold comes, moved deadlines pull the others, pauses."""

from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pytest

from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player
from alexmagnum.i18n.dates import parse_iso, to_local, to_utc
from tests.game.desks import NOON, Clock, new_desk, resolve
from tests.sizes import one_in

ROME = "Europe/Rome"


def local(at: str) -> str:
    return to_local(parse_iso(at), ROME).strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize("base", one_in(2, ["now", "deadline"]))
@pytest.mark.parametrize("slots", ["", "mon 19:00, thu 19:00"])
@pytest.mark.parametrize("begins", [NOON, datetime(2026, 3, 20, 12, tzinfo=UTC)])
def test_the_deadlines_that_are_foretold_come_true(
    tmp_path: Path, base: str, slots: str, begins: datetime
) -> None:
    """Each phase is processed five minutes after its deadline; in March the clocks change."""
    clock = Clock(begins)
    settings = {"next_deadline": base, "slots": slots}
    away = Player("TOL", "Anna", absent_from="2026-12-01", absent_until="2026-12-03")
    with new_desk(tmp_path, "alexmagnum", now=clock, settings=settings, players=[away]) as desk:
        foretold = desk.coming_deadlines(6)
        came = []
        for _ in foretold:
            clock.at = parse_iso(desk.deadline) + timedelta(minutes=5)
            resolve(desk)
            came.append((str(desk.phase), desk.deadline))
    assert [(each.phase, each.deadline) for each in foretold] == came
    assert [each.phase for each in foretold][-1] == "322-spring"


def test_retreats_are_foretold_where_they_may_come_and_put_off_what_follows(desk: Desk) -> None:
    coming = desk.coming_deadlines(6)

    assert [(each.phase, each.if_dislodged, local(each.deadline)[:10]) for each in coming] == [
        ("1901-spring-retreats", True, "2026-11-29"),
        ("1901-autumn", False, "2026-12-04"),
        ("1901-autumn-retreats", True, "2026-12-06"),
        ("1901-winter", False, "2026-12-07"),
        ("1902-spring", False, "2026-12-14"),
        ("1902-spring-retreats", True, "2026-12-16"),
    ]
    assert [local(each.latest)[:10] for each in coming] == [
        "2026-11-29",
        "2026-12-06",
        "2026-12-08",
        "2026-12-11",
        "2026-12-18",
        "2026-12-20",
    ]


def test_nothing_comes_after_the_last_year(tmp_path: Path) -> None:
    with new_desk(tmp_path, settings={"rules.last_year": 1901}) as desk:
        names = [each.phase for each in desk.coming_deadlines(50)]
    assert names == ["1901-spring-retreats", "1901-autumn", "1901-autumn-retreats"]


@pytest.mark.parametrize("base", ["now", "deadline"])
def test_a_deadline_that_is_set_pulls_those_that_follow_in_both_directions(
    tmp_path: Path, base: str
) -> None:
    clock = Clock()
    with new_desk(tmp_path, now=clock, settings={"next_deadline": base}) as desk:
        for days in (2, 20):
            moved = clock() + timedelta(days=days)
            desk.set_deadline(moved)
            following = desk.coming_deadlines(2)[-1]
            assert parse_iso(following.deadline) == moved + timedelta(days=7)
        clock.at = moved
        resolve(desk)
        assert desk.deadline == following.deadline


@pytest.mark.parametrize(("base", "farthest"), [("now", 8), ("deadline", 36)])
def test_processing_early_does_not_push_the_calendar_ahead(
    tmp_path: Path, base: str, farthest: int
) -> None:
    """Sixty days was the drift of a game whose players were quick."""
    clock, settings = Clock(), {"next_deadline": base}
    with new_desk(tmp_path, "alexmagnum", now=clock, settings=settings) as desk:
        for _ in range(12):
            clock.pass_by(hours=2)
            resolve(desk)
            left = parse_iso(desk.deadline) - clock()
            assert timedelta(hours=22) < left < timedelta(days=farthest)


@pytest.mark.parametrize("paused", one_in(2, [False, True]))
@pytest.mark.parametrize(
    ("zone", "usual", "in_that_night"),
    [
        ("Europe/Rome", "02:30", "03:30"),
        ("Asia/Beirut", "00:00", "01:00"),
        ("Australia/Lord_Howe", "02:15", "02:45"),
    ],
)
def test_a_deadline_that_the_clocks_skip_does_not_move_those_that_follow(
    tmp_path: Path, zone: str, usual: str, in_that_night: str, paused: bool
) -> None:
    """Summer time begins when the third phase of three days ends."""
    sunday = date(2026, 10, 4) if zone.startswith("Australia") else date(2027, 3, 28)
    first = to_utc(datetime.combine(sunday - timedelta(days=6), time.fromisoformat(usual)), zone)
    clock = Clock(first - timedelta(days=1))
    with new_desk(tmp_path, "alexmagnum", now=clock, settings={"timezone": zone}) as desk:
        desk.set_deadline(first)
        foretold = [each.deadline for each in desk.coming_deadlines(5)]
        came = []
        for number in range(5):
            if paused and number == 2:
                desk.pause()
                desk.resume()
            clock.at = parse_iso(desk.deadline) + timedelta(minutes=5)
            resolve(desk)
            came.append(desk.deadline)

    assert [to_local(parse_iso(at), zone).strftime("%H:%M") for at in came] == [
        *(usual, in_that_night, usual, usual, usual)
    ]
    assert foretold == came


@pytest.mark.parametrize("processed_while_paused", [True, False])
def test_after_a_pause_deadlines_return_to_the_usual_time(
    desk: Desk, clock: Clock, processed_while_paused: bool
) -> None:
    assert local(desk.deadline).endswith("23:59")
    desk.pause()
    clock.pass_by(days=10, hours=5)
    foretold = desk.coming_deadlines(2)[-1]
    if processed_while_paused:
        resolve(desk)
        assert desk.paused
    desk.resume()
    if not processed_while_paused:
        assert not local(desk.deadline).endswith("23:59")
        clock.at = parse_iso(desk.deadline)
        resolve(desk)
        assert foretold.deadline == desk.deadline
    assert local(desk.deadline).endswith("23:59")


def test_a_time_set_by_hand_after_a_pause_becomes_the_usual_one(desk: Desk, clock: Clock) -> None:
    desk.pause()
    clock.pass_by(hours=5)
    desk.resume()
    desk.set_deadline(NOON + timedelta(days=3, hours=6))
    clock.pass_by(days=3)
    resolve(desk)
    assert local(desk.deadline) == "2026-11-30 19:00"


def test_a_game_without_a_deadline_is_foretold_from_now(desk: Desk) -> None:
    assert desk.set_deadline(None) == desk.deadline == ""
    foretold = local(desk.coming_deadlines(2)[-1].deadline)
    resolve(desk)
    assert foretold == local(desk.deadline) == "2026-11-27 23:59"
