"""Deadlines: what a game master writes, how they follow each other, and the clocks of Rome.

The clocks go forward on 2026-03-29 (02:00 becomes 03:00) and back on 2026-10-25 (03:00 becomes
02:00).
"""

import contextlib
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.errors import AlexMagnumError, GameError
from alexmagnum.game import deadlines
from alexmagnum.game.deadlines import NOTICE, find_usual_time, next_deadline, remaining
from alexmagnum.game.settings import Slot, default_settings, parse_slots
from alexmagnum.i18n import dates
from alexmagnum.i18n.sentences import load_sentences
from tests.case_library import read_yaml
from tests.each import check_each
from tests.game.desks import refusal
from tests.sizes import drawn

CALENDAR = read_yaml(Path(__file__).with_name("calendar.yaml"))
"""What people write for deadlines and absences."""

ROME = "Europe/Rome"
NOW = datetime(2026, 11, 21, 8, 30, 15, tzinfo=UTC)  # a Saturday, 09:30 in Rome
Timing = Mapping[str, str]
USUAL = default_settings()
WEEKLY = USUAL | {"slots": "mon 19:00, thu 19:00"}
FIXED = USUAL | {"next_deadline": "deadline"}
"""A calendar on which each deadline is counted from the one before."""


def read(text: str, now: datetime = NOW, zone: str = ROME) -> str:
    """Read a deadline as the clocks of the place show it."""
    return dates.to_local(dates.parse_deadline(text, zone, now).at, zone).strftime("%Y-%m-%d %H:%M")


def written(kind: str) -> list[tuple[str, str]]:
    """Return what people write, with what it means."""
    return [(text, meant) for meant, texts in CALENDAR[kind].items() for text in texts]


def read_utc(text: str, now: datetime = NOW) -> str:
    return dates.format_iso(dates.parse_deadline(text, ROME, now).at)


def refused(text: str, now: datetime = NOW) -> AlexMagnumError:
    return refusal(lambda: dates.parse_deadline(text, ROME, now))


def rome(text: str) -> datetime:
    """Return an instant by the clocks of Rome."""
    return dates.to_utc(datetime.fromisoformat(text), ROME)


def roman_time(at: datetime) -> str:
    return dates.to_local(at, ROME).strftime("%Y-%m-%d %H:%M")


def following(
    previous: datetime | None, kind: str, timing: Timing, now: datetime, *rest: Any
) -> str:
    """Return the next deadline by the clocks of Rome."""
    return roman_time(next_deadline(previous, kind, timing, now, *rest))


# -- reading ---------------------------------------------------------------------------------------


def test_a_deadline_is_read_as_people_write_it() -> None:
    def check(text: str, meant: str) -> None:
        assert read(text) == meant
        assert read(text.upper()) == meant

    check_each(written("deadlines"), check)


def test_the_example_of_a_year_ago_fell_on_a_sunday() -> None:
    then = datetime(2025, 11, 18, 12, tzinfo=UTC)
    assert read("dom 23/11 ore 23:59", then) == "2025-11-23 23:59"
    assert read_utc("dom 23/11 ore 23:59", then) == "2025-11-23T22:59:00Z"


def test_the_29th_of_february_is_a_day_of_leap_years() -> None:
    in_winter = datetime(2027, 11, 18, 12, tzinfo=UTC)
    assert read("29/2 20:00", in_winter) == read("29 feb 20:00", in_winter) == "2028-02-29 20:00"
    assert refused("29/2 20:00").code == "deadline-unreadable"


PUT_OFF_FOR_YEARS = ("9999 weeks", "9999w" * 70, "9999h" * 9000, "2 weeks 102 weeks")


def test_what_is_no_deadline_or_gone_by_or_too_far_is_refused() -> None:
    for code, texts in CALENDAR["refused"].items():
        for text in texts:
            assert refused(text).code == f"deadline-{code}", text
    assert refused("+" + "9999w" * 70).code == "deadline-far"
    wrong_day = refused("dom 23/11 ore 23:59")
    assert (wrong_day.code, wrong_day.data["nearest"]) == ("deadline-weekday", "2026-11-22")


def test_a_deadline_is_put_off_by_what_is_written_but_not_for_years() -> None:
    assert dates.parse_extension("2 days", NOW, ROME, NOW) == NOW + timedelta(days=2)
    for text in PUT_OFF_FOR_YEARS:
        with pytest.raises(GameError, match="deadline-far"):
            dates.parse_extension(text, NOW + timedelta(days=30), ROME, NOW)


def test_an_unknown_place_is_refused() -> None:
    for name in ("Europe/Atlantis", "", "/etc/passwd", "../x"):
        with pytest.raises(GameError, match="unknown-timezone"):
            dates.check_zone(name)


def test_an_hour_that_is_left_out_is_refused_with_the_nearest() -> None:
    spring = datetime(2026, 3, 20, tzinfo=UTC)
    error = refused("2026-03-29 02:30", spring)
    assert (error.code, error.data["nearest"]) == ("deadline-left-out", "2026-03-29 03:00")
    assert read("2026-03-29 03:00", spring) == "2026-03-29 03:00"
    assert read_utc("29/3 ore 3", spring) == "2026-03-29T01:00:00Z"
    assert read_utc("29/3 01:59", spring) == "2026-03-29T00:59:00Z"


def test_of_an_hour_that_comes_twice_the_second_is_taken_and_said() -> None:
    autumn = datetime(2026, 10, 20, tzinfo=UTC)
    taken = dates.parse_deadline("25/10 ore 02:30", ROME, autumn)
    assert dates.format_iso(taken.at) == "2026-10-25T01:30:00Z"
    assert (taken.notice, taken.data) == ("deadline-twice", {"taken": "CET", "other": "CEST"})
    assert "CET" in load_sentences("it").format(taken.notice, **taken.data)
    for text, at in (("02:30 CEST", "00:30"), ("02:30 CET", "01:30"), ("02:30 (CEST)", "00:30")):
        named = dates.parse_deadline(f"25/10 {text}", ROME, autumn)
        assert (dates.format_iso(named.at), named.notice) == (f"2026-10-25T{at}:00Z", "")
    assert dates.parse_deadline("25/10 ore 03:00", ROME, autumn).notice == ""
    assert refused("2026-11-23 20:00 CEST", autumn).code == "deadline-unreadable"


def test_hours_pass_and_days_are_counted_on_the_calendar() -> None:
    """2026-10-25 has 25 hours, 2026-03-29 has 23."""
    autumn, spring = rome("2026-10-24 20:00"), rome("2026-03-28 20:00")
    assert read("+24h", autumn) == "2026-10-25 19:00"
    assert read("+1d", autumn) == "2026-10-25 20:00"
    assert read("+24h", spring) == "2026-03-29 21:00"
    assert read("in 1 day", spring) == "2026-03-29 20:00"
    assert (
        roman_time(dates.extend(spring, dates.parse_span("2 giorni"), ROME)) == "2026-03-30 20:00"
    )


def test_a_span_is_read() -> None:
    for text, span in {
        "2 days": dates.Span(2),
        "2d": dates.Span(2),
        "+1w": dates.Span(7),
        "1 settimana": dates.Span(7),
        "48h": dates.Span(0, timedelta(hours=48)),
        "1d6h": dates.Span(1, timedelta(hours=6)),
        "90 minuti": dates.Span(0, timedelta(minutes=90)),
    }.items():
        assert dates.parse_span(text) == span
    for text in ("", "-1 day", "0 days", "two days", "3", "1.5 days", "3 dogs"):
        with pytest.raises(GameError, match="span-unreadable"):
            dates.parse_span(text)


def test_an_absence_is_read_and_refused_if_it_is_over_or_none() -> None:
    def check(text: str, meant: str) -> None:
        if "absence" in meant:
            assert refusal(lambda: dates.parse_absence(text, ROME, NOW)).code == meant
        else:
            assert " ".join(map(str, dates.parse_absence(text, ROME, NOW))) == meant

    check_each(written("absences"), check)


def test_slots_are_read_in_both_languages() -> None:
    both = (Slot(0, time(19)), Slot(3, time(19)))
    assert parse_slots("mon 19:00, thu 19:00") == both
    assert parse_slots("giovedì ore 19; lun 19.00, Monday 19:00") == both
    assert parse_slots("") == ()
    for wrong in ("mon", "19:00", "xyz 19:00", "mon 25:00", "mon 19:00 19:30"):
        with pytest.raises(GameError, match="slots-unreadable"):
            parse_slots(wrong)


# -- following each other --------------------------------------------------------------------------


def test_it_is_counted_from_the_deadline_in_force_if_the_table_wants_that() -> None:
    """Check that deadlines do not drift if the game master is early or late."""
    days = {"movement": 29, "retreats": 24, "winter": 25, "picks": 25, "deployment": 25}
    for kind, day in days.items():
        for processed in ("2026-11-22 20:00", "2026-11-23 00:05", "2026-11-23 21:00"):
            found = following(rome("2026-11-22 23:59"), kind, FIXED, rome(processed))
            assert found == f"2026-11-{day} 23:59", (kind, processed)


def test_it_is_counted_from_the_processing_and_keeps_the_hour() -> None:
    for processed, meant in {
        "2026-11-18 09:00": "2026-11-25 23:59",  # all orders were in
        "2026-11-22 20:00": "2026-11-29 23:59",
        "2026-11-22 23:59": "2026-11-29 23:59",
        "2026-11-23 00:05": "2026-11-29 23:59",  # on time: the calendar keeps its day
        "2026-11-23 11:30": "2026-11-29 23:59",
        "2026-11-23 12:00": "2026-11-30 23:59",
        "2026-12-10 12:00": "2026-12-17 23:59",
    }.items():
        assert following(rome("2026-11-22 23:59"), "movement", USUAL, rome(processed)) == meant


def test_a_phase_of_one_day_does_not_lose_a_day_to_a_few_minutes() -> None:
    """Also on the day before summer time begins, which is followed by one of 23 hours."""
    for base in ("now", "deadline"):
        daily = USUAL | {"days_retreats": "1", "next_deadline": base}
        for day, after in (("2026-11-22", "2026-11-23"), ("2026-03-28", "2026-03-29")):
            found = following(rome(f"{day} 20:00"), "retreats", daily, rome(f"{day} 20:10"))
            assert found == f"{after} 20:00"


@pytest.mark.parametrize("timing", [USUAL, FIXED, WEEKLY], ids=["now", "deadline", "slots"])
def test_a_game_of_fast_players_does_not_run_ahead_of_its_calendar(timing: Timing) -> None:
    """Every phase is processed an hour after it opened, for months of phases."""
    now = at = rome("2026-11-22 12:00")
    for number in range(100):
        now += timedelta(hours=1)
        at = next_deadline(at, ("movement", "retreats", "winter")[number % 3], timing, now)
        assert timedelta(hours=22) <= at - now <= timedelta(weeks=5 if timing is FIXED else 1.2)


def test_a_deadline_that_was_moved_pulls_those_that_follow() -> None:
    moved, now = rome("2026-11-24 20:00"), rome("2026-11-24 20:01")

    for timing in (USUAL, FIXED):
        assert following(moved, "movement", timing, now) == "2026-12-01 20:00"


def test_it_keeps_its_hour_when_the_clocks_change() -> None:
    for day, after in (("03-22", "03-29T21:59"), ("10-18", "10-25T22:59")):
        previous = rome(f"2026-{day} 23:59")
        found = next_deadline(previous, "movement", USUAL, previous)
        assert dates.format_iso(found) == f"2026-{after}:00Z"
        assert roman_time(found) == f"2026-{after[:5]} 23:59"
    sunday = USUAL | {"slots": "dom 20:00"}
    found = next_deadline(rome("2026-10-18 20:00"), "movement", sunday, rome("2026-10-18 20:00"))
    assert dates.format_iso(found) == "2026-10-25T19:00:00Z"


def test_computed_hours_that_are_left_out_or_come_twice_are_still_hours() -> None:
    spring = next_deadline(rome("2026-03-22 02:30"), "movement", USUAL, rome("2026-03-22 03:00"))
    autumn = next_deadline(rome("2026-10-18 02:30"), "movement", USUAL, rome("2026-10-18 03:00"))
    assert dates.format_iso(spring) == "2026-03-29T01:30:00Z"  # 03:30, the hour after
    assert dates.format_iso(autumn) == "2026-10-25T01:30:00Z"  # the second


def test_a_late_game_master_leaves_the_players_time() -> None:
    late = rome("2026-12-10 12:00")
    found = next_deadline(rome("2026-11-22 23:59"), "movement", FIXED, late)
    assert roman_time(found) == "2026-12-11 23:59"
    assert found - late >= NOTICE


def test_a_far_deadline_is_not_brought_forward_by_processing_early() -> None:
    early, far = rome("2026-11-30 12:00"), rome("2027-01-10 23:59")
    assert following(rome("2026-12-24 23:59"), "retreats", FIXED, early) == "2026-12-26 23:59"
    assert next_deadline(far, "movement", FIXED, early) == far


def test_the_usual_time_outlives_a_night_on_which_the_clocks_skip_it() -> None:
    before, after = rome("2026-03-22 02:30"), rome("2026-03-29 02:30")
    usual = time(2, 30)
    assert roman_time(after) == "2026-03-29 03:30"
    assert find_usual_time([after, before], ROME) == usual
    assert find_usual_time([after, rome("2026-03-22 20:00")], ROME) == time(3, 30)
    assert find_usual_time([], ROME) is None
    assert following(after, "movement", USUAL, after, (), usual) == "2026-04-05 02:30"


def test_the_first_deadline_is_at_the_end_of_a_day() -> None:
    assert following(None, "picks", USUAL, NOW) == "2026-11-24 23:59"


def test_weekly_slots_take_the_place_of_days_and_one_too_near_is_passed_over() -> None:
    monday, late = rome("2026-11-23 19:00"), rome("2026-11-25 20:00")
    assert following(None, "movement", WEEKLY, NOW) == "2026-11-23 19:00"
    assert following(monday, "movement", WEEKLY, monday) == "2026-11-26 19:00"
    assert following(monday, "retreats", WEEKLY, monday) == "2026-11-26 19:00"
    assert following(monday, "movement", WEEKLY, late) == "2026-11-30 19:00"


def test_an_absence_moves_the_next_deadline_behind_it() -> None:
    previous, day = rome("2026-12-20 23:59"), rome("2026-12-21 12:00")
    away = (date(2026, 12, 24), date(2027, 1, 6))
    two = [away, (date(2027, 1, 7), date(2027, 1, 8))]
    slot = rome("2026-12-24 19:00")
    assert following(previous, "movement", FIXED, day, [away]) == "2027-01-07 23:59"
    assert following(previous, "retreats", FIXED, day, [away]) == "2026-12-22 23:59"
    assert following(previous, "movement", FIXED, day, two) == "2027-01-09 23:59"
    assert following(slot, "movement", WEEKLY, day, [away]) == "2027-01-07 19:00"


def test_a_pause_keeps_what_is_left() -> None:
    deadline = rome("2026-11-22 23:59")
    left = remaining(deadline, rome("2026-11-21 23:00"))
    resumed = deadlines.compute_resumed_deadline(left, rome("2026-12-01 12:00"))
    assert left == timedelta(hours=24, minutes=59)
    assert roman_time(resumed) == "2026-12-02 12:59"
    assert remaining(deadline, rome("2026-11-23 00:00")) == timedelta()
    soon = deadlines.compute_resumed_deadline(timedelta(seconds=30), NOW)
    assert soon == datetime(2026, 11, 21, 8, 31, tzinfo=UTC)
    exact = deadlines.compute_resumed_deadline(
        timedelta(hours=1, microseconds=-1), NOW.replace(second=0)
    )
    assert exact == datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


ZONES = ("Europe/Rome", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC")
KINDS = ("picks", "deployment", "movement", "retreats", "winter")


@st.composite
def calendars(draw: st.DrawFn) -> tuple[Timing, datetime, list[tuple[str, timedelta]]]:
    """Draw a timing, a first deadline, and phases with the time from opening to end."""
    days = {f"days_{kind}": str(draw(st.integers(1, 14))) for kind in KINDS if kind != "deployment"}
    slots = draw(
        st.lists(st.sampled_from(["mon 19:00", "wed 02:30", "thu 23:59", "sun 0:00"]), max_size=3)
    )
    base = draw(st.sampled_from(["now", "deadline"]))
    zone = draw(st.sampled_from(ZONES))
    timing = {**USUAL, **days, "slots": ", ".join(slots), "next_deadline": base, "timezone": zone}
    first = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(
        minutes=5 * draw(st.integers(0, 12 * 24 * 365))
    )
    ends = st.timedeltas(timedelta(), timedelta(days=20))
    return timing, first, draw(st.lists(st.tuples(st.sampled_from(KINDS), ends), max_size=12))


@drawn(27, 1500)
@given(calendars())
def test_on_any_calendar_deadlines_keep_their_hour_and_never_run_away(
    calendar: tuple[Timing, datetime, list[tuple[str, timedelta]]],
) -> None:
    timing, first, phases = calendar
    zone, slots = timing["timezone"], parse_slots(timing["slots"])
    usual = dates.wall_time(first, zone).time()
    deadlines, now = [first], first - timedelta(days=2)
    days = {
        kind: timedelta(days=int(timing[f"days_{kind}"])) for kind in KINDS if kind != "deployment"
    }
    days["deployment"] = days["picks"]
    longest = max(days.values())
    for kind, passes in phases:
        now += passes
        before = deadlines[-1]
        expected = find_usual_time(reversed(deadlines), zone)
        found = next_deadline(before, kind, timing, now, (), expected)
        deadlines.append(found)

        left = dates.wall_time(found, zone) - dates.wall_time(now, zone)
        assert left >= NOTICE - timedelta(minutes=1)
        if timing["next_deadline"] == "now":
            assert left <= (timedelta(days=7) if slots else days[kind]) + timedelta(days=2)
        else:
            assert found >= before
            assert found - now <= max(before - now, timedelta(weeks=4), 2 * longest) + max(
                longest, timedelta(days=8)
            )
        wall = dates.wall_time(found, zone)
        if found != before and slots:
            assert any(
                wall.weekday() == slot.weekday and _is_at(wall, slot.at, zone) for slot in slots
            )
        elif found != before:
            assert _is_at(wall, usual, zone)


def _is_at(wall: datetime, at: time, zone: str) -> bool:
    """Tell whether local clocks show a time, or skipped it on that day."""
    meant = datetime.combine(wall, at)
    return (
        wall.time() == at
        or dates.is_skipped(meant, zone)
        or dates.wall_time(dates.to_utc(meant, zone), zone) == wall
    )


# -- in words ----------------------------------------------------------------------------------


def test_a_deadline_in_words_is_local_and_utc() -> None:
    at = rome("2026-11-22 23:59")
    assert dates.format_instant(at, ROME, load_sentences("en"), NOW) == (
        "Sunday 22 November 2026, 23:59 (Europe/Rome) = 22:59 UTC, in 38 h"
    )
    assert dates.format_instant(dates.format_iso(at), ROME, load_sentences("it"), NOW) == (
        "domenica 22 novembre 2026, ore 23:59 (Europe/Rome) = 22:59 UTC, tra 38 ore"
    )
    assert dates.format_briefly(at, ROME, load_sentences("it")) == "22 nov 23:59"
    assert "= 22 November 23:30 UTC" in dates.format_instant(
        rome("2026-11-23 00:30"), ROME, load_sentences("en")
    )


def test_the_distance_in_words() -> None:
    for left, english, italian in (
        (timedelta(seconds=20), "now", "adesso"),
        (timedelta(minutes=35), "in 35 min", "tra 35 min"),
        (timedelta(hours=9, minutes=10), "in 9 h", "tra 9 ore"),
        (timedelta(hours=1), "in 1 h", "tra 1 ora"),
        (timedelta(days=3, hours=5), "in 3 days", "tra 3 giorni"),
        (timedelta(hours=-2), "2 h ago", "2 ore fa"),
        (timedelta(days=-4), "4 days ago", "4 giorni fa"),
        (timedelta(minutes=-5), "5 min ago", "5 min fa"),
    ):
        assert dates.format_distance(NOW + left, NOW, load_sentences("en")) == english
        assert dates.format_distance(NOW + left, NOW, load_sentences("it")) == italian


# -- for all times -----------------------------------------------------------------------------

_MOMENTS = st.datetimes(datetime(2025, 1, 1), datetime(2028, 1, 1), timezones=st.just(UTC))
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_TIMINGS = st.builds(
    lambda **chosen: USUAL | chosen,
    timezone=st.sampled_from([ROME, "UTC", "America/New_York", "Australia/Lord_Howe"]),
    slots=st.lists(
        st.builds("{} {:%H:%M}".format, st.sampled_from(WEEKDAYS), st.times()), max_size=3
    ).map(", ".join),
    next_deadline=st.sampled_from(["now", "deadline"]),
)


@given(st.none() | _MOMENTS, st.sampled_from(KINDS), _TIMINGS, _MOMENTS)
def test_a_computed_deadline_leaves_notice_and_in_a_fixed_calendar_never_goes_back(
    previous: datetime | None, kind: str, timing: Timing, now: datetime
) -> None:
    found, zone = next_deadline(previous, kind, timing, now), timing["timezone"]

    notice = dates.wall_time(found, zone) - dates.wall_time(now, zone)
    assert notice >= NOTICE - timedelta(hours=1) * dates.is_skipped(
        dates.wall_time(now, zone) + NOTICE, zone
    )
    assert timing["next_deadline"] == "now" or previous is None or found >= previous
    assert not dates.is_skipped(dates.to_local(found, zone).replace(tzinfo=None), zone)


@given(st.datetimes(datetime(2025, 1, 1), datetime(2028, 1, 1)))
def test_an_instant_shows_the_time_it_was_made_from(wall: datetime) -> None:
    back = dates.to_local(dates.to_utc(wall, ROME), ROME).replace(tzinfo=None)
    assert (back == wall) != dates.is_skipped(wall, ROME)
    assert not (dates.is_skipped(wall, ROME) and dates.is_repeated(wall, ROME))
    assert dates.parse_iso(dates.format_iso(dates.to_utc(wall, ROME))) == dates.to_utc(
        wall, ROME
    ).replace(microsecond=0)


@given(st.text(max_size=40))
def test_no_text_brings_it_down(text: str) -> None:
    for call in (dates.parse_deadline, dates.parse_absence):
        with contextlib.suppress(GameError):
            call(text, ROME, NOW)
