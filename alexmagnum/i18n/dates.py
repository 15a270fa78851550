"""Dates for people: local time and UTC, deadlines and lengths of time read and written."""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import cache
from zoneinfo import ZoneInfo

from alexmagnum.errors import GameError
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, fold, load_sentences

# Convert between UTC, which the program uses, and local time, which people use.
#
# Everything here is pure: callers pass ``now``. Datetimes are aware, and those returned are in
# UTC, unless a function says otherwise. Days are counted on the local calendar, so that 23:59
# stays 23:59 when summer time begins or ends; hours are counted as they pass.


def check_zone(name: str) -> str:
    """Return the name of a timezone if it exists.

    Raises:
        GameError: ``unknown-timezone``.
    """
    return _zone(name).key


def to_local(at: datetime, zone: str) -> datetime:
    """Return an instant in local time."""
    return at.astimezone(_zone(zone))


def to_utc(wall: datetime, zone: str) -> datetime:
    """Return the instant at which local clocks show ``wall`` (naive).

    An hour that comes twice means the second; an hour that is skipped counts as the hour after.
    """
    return wall.replace(tzinfo=_zone(zone), fold=1 if is_repeated(wall, zone) else 0).astimezone(
        UTC
    )


def is_repeated(wall: datetime, zone: str) -> bool:
    """Return whether local clocks show ``wall`` twice, because summer time ends."""
    first, second = (wall.replace(tzinfo=_zone(zone), fold=fold) for fold in (0, 1))
    return first.utcoffset() != second.utcoffset() and not is_skipped(wall, zone)


def is_skipped(wall: datetime, zone: str) -> bool:
    """Return whether local clocks never show ``wall``, because summer time begins."""
    there = wall.replace(tzinfo=_zone(zone), fold=0)
    return there.astimezone(UTC).astimezone(_zone(zone)).replace(tzinfo=None) != wall


def format_iso(at: datetime) -> str:
    """Return an instant as the game file keeps it: ``2026-11-22T22:59:00Z``."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def parse_iso(text: str) -> datetime:
    """Read an instant of the game file; a text without an offset counts as UTC.

    Raises:
        GameError: ``deadline-unreadable``.
    """
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise GameError("deadline-unreadable", text=text) from None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # absent; absolute or empty; a folder
        raise GameError("unknown-timezone", name=name) from None


def wall_time(at: datetime, zone: str) -> datetime:
    """Return the local time of an instant as a naive datetime."""
    return to_local(at, zone).replace(tzinfo=None)


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time: ``days`` on the local calendar, then ``rest`` as it passes."""

    days: int = 0
    rest: timedelta = timedelta()


def extend(at: datetime, span: Span, zone: str) -> datetime:
    """Return a deadline put off by a span."""
    return to_utc(wall_time(at, zone) + timedelta(days=span.days), zone) + span.rest


# Read deadlines, lengths of time and absences as people write them.
#
# Examples are ``dom 22/11 ore 23:59``, ``2026-11-22 23:59`` and ``+48h``. Days come before
# months; Italian and English mix freely. A day without an hour means its end. Times are those of
# the game's timezone. A doubtful time is refused: a date with the wrong day of the week, an hour
# that the change to summer time skips, a time in the past.


Absence = tuple[date, date]
"""The first and the last day of a player's absence, local dates."""

FARTHEST = timedelta(days=2 * 366)
"""The longest time to a deadline; beyond it the year must be mistyped."""

LONGEST_ABSENCE = timedelta(days=366)

_NEVER = str(date.max.year + 1)  # stands for a time beyond the last date that Python knows

END_OF_DAY = time(23, 59)


@dataclass(frozen=True, slots=True)
class Deadline:
    """A deadline as it was understood.

    Attributes:
        at: the instant, in UTC.
        notice: the code of a sentence about a choice that was made, "" for none.
            ``deadline-twice``: the clocks show that hour twice, and the second was taken.
        data: what fills that sentence.
    """

    at: datetime
    notice: str = ""
    data: Mapping[str, str] = field(default_factory=dict)


# -- deadlines ---------------------------------------------------------------------------------


def parse_deadline(text: str, zone: str, now: datetime) -> Deadline:
    """Read a deadline in local time.

    Raises:
        GameError: ``deadline-unreadable``; ``deadline-weekday`` if the date falls on another day
            of the week; ``deadline-left-out`` if the clocks never show that time, with the nearest
            that they show; ``deadline-past``; ``deadline-far``; ``unknown-timezone``.
    """
    plain = _plain(text)
    try:
        found = _relative(plain, zone, now) or _absolute(plain, text, zone, now)
        at = _format_local(found.at, zone)
    except OverflowError:
        raise GameError("deadline-far", text=text, at=_NEVER) from None
    if found.at <= now:
        raise GameError("deadline-past", text=text, at=at)
    if found.at > now + FARTHEST:
        raise GameError("deadline-far", text=text, at=at)
    return found


def parse_extension(text: str, deadline: datetime, zone: str, now: datetime) -> datetime:
    """Return a deadline put off by a length of time as somebody wrote it.

    Raises:
        GameError: ``span-unreadable``; ``deadline-far``; ``unknown-timezone``.
    """
    try:
        at = extend(deadline, parse_span(text), zone)
        shown = _format_local(at, zone)
    except OverflowError:
        raise GameError("deadline-far", text=text, at=_NEVER) from None
    if at > now + FARTHEST:
        raise GameError("deadline-far", text=text, at=shown)
    return at


def _format_local(at: datetime, zone: str) -> str:
    return to_local(at, zone).strftime("%Y-%m-%d %H:%M")


def _plain(text: str) -> str:
    """Fold a text; drop commas, doubled blanks and first words without a meaning for a date."""
    bare = re.sub(r"[,\s]+", " ", fold(text)).strip()
    return re.sub(r"^(?:on|by|il|entro|per|next|prossim[ao]|the) ", "", bare)


_SPAN = re.compile(
    r"(\d{1,4}) ?(?:(?P<weeks>w|weeks?|settiman[ae]|sett)|(?P<days>d|days?|g|gg|giorn[oi])"
    r"|(?P<hours>h|hrs?|hours?|or[ae])|(?P<minutes>m|mins?|minut[eio]|minutes?))(?= |\d|$)"
    r"(?: (?:and|e) )? ?"
)
_RELATIVE = re.compile(r"(?:\+ ?|in |tra |fra )(.*?)(?: ((?:at|alle|ore|@) ?\d.*))?")


def parse_span(text: str) -> Span:
    """Read a length of time: ``2 days``, ``48h``, ``1 giorno e 6 ore``, ``+1w``.

    >>> parse_span("1 giorno e 6 ore")
    Span(days=1, rest=datetime.timedelta(seconds=21600))

    Raises:
        GameError: ``span-unreadable``.
    """
    if (span := _match_span(_plain(text).removeprefix("+").removeprefix("in ").strip())) is None:
        raise GameError("span-unreadable", text=text)
    return span


def _match_span(plain: str) -> Span | None:
    days, rest, at = 0, timedelta(), 0
    while at < len(plain):
        if (match := _SPAN.match(plain, at)) is None:
            return None
        count, at = int(match[1]), match.end()
        if (unit := match.lastgroup) in ("weeks", "days"):
            days += count * (7 if unit == "weeks" else 1)
        else:
            rest += timedelta(hours=count) if unit == "hours" else timedelta(minutes=count)
    return Span(days, rest) if days or rest else None


def _relative(plain: str, zone: str, now: datetime) -> Deadline | None:
    match = _RELATIVE.fullmatch(plain)
    span = _match_span(match[1]) if match else None
    if match is None or span is None:
        return None
    at = extend(now.replace(second=0, microsecond=0), span, zone)
    if not match[2]:
        return Deadline(at)
    if (hour := _parse_time(match[2])) is None:
        return None
    return _resolve(_at(to_local(at, zone).date(), hour.at), hour.zone, zone, plain)


def _absolute(plain: str, text: str, zone: str, now: datetime) -> Deadline:
    for day, rest in _days(plain, to_local(now, zone).date(), text):
        if (hour := _parse_time(rest)) is None:
            continue
        wall = _at(day.date, hour.at)
        found = _resolve(wall, hour.zone, zone, text)
        if day.again and found.at <= now:  # "sunday 20:00" on a Sunday at 21:00
            wall += timedelta(days=day.again)
            found = _resolve(wall, hour.zone, zone, text)
        return found
    raise GameError("deadline-unreadable", text=text)


def _at(day: date, at: time | None) -> datetime:
    if at is None:
        return datetime.combine(day + timedelta(days=1), time())
    return datetime.combine(day, at)


def _resolve(wall: datetime, named: str, zone: str, text: str) -> Deadline:
    """Return the instant of a local time; ``named`` is the zone written with it, "" for none."""
    if (offset := _offset(named)) is not None:
        return Deadline((wall - offset).replace(tzinfo=UTC))
    if is_skipped(wall, zone):
        near = wall
        while is_skipped(near, zone):
            near += timedelta(minutes=1)
        raise GameError("deadline-left-out", text=text, nearest=near.strftime("%Y-%m-%d %H:%M"))
    later = to_utc(wall, zone)
    earlier = later - timedelta(hours=1) if is_repeated(wall, zone) else later
    names = [str(to_local(at, zone).tzname()) for at in (earlier, later)]
    if named:
        if named not in map(str.lower, names):
            raise GameError("deadline-unreadable", text=text)
        return Deadline(earlier if named == names[0].lower() else later)
    if earlier == later:
        return Deadline(later)
    return Deadline(later, "deadline-twice", {"taken": names[1], "other": names[0]})


# -- days --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Day:
    """A day that may be meant; ``again`` is the days until it recurs, 0 for a single date."""

    date: date
    again: int = 0


_WORD = re.compile(r"([a-z]{3,})\.?(?: |$)")
_ISO = re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?:t(?=\d)| |$)")
_NUMBERS = re.compile(
    r"(?P<day>\d{1,2})(?P<sep>[/.-])(?P<month>\d{1,2})(?:(?P=sep)(?P<year>\d{4}|\d{2}))?(?: |$)"
)
_NAMED = re.compile(
    r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th|o)? (?:of |di )?(?P<name>[a-z]{3,})"
    r"|(?P<name2>[a-z]{3,}) (?P<day2>\d{1,2})(?:st|nd|rd|th)?)\.?(?: (?P<year>\d{4}))?(?: |$)"
)
_NEAR_DAYS = {
    **dict.fromkeys(("today", "oggi", "tonight", "stasera", "stanotte"), 0),
    **dict.fromkeys(("tomorrow", "domani"), 1),
    **dict.fromkeys(("dopodomani",), 2),
}


def _days(plain: str, today: date, text: str) -> Iterator[tuple[_Day, str]]:
    """Yield the days that the beginning of a text may mean, each with the rest of the text."""
    if (word := _WORD.match(plain)) and word[1] in _NEAR_DAYS:
        yield _Day(today + timedelta(days=_NEAR_DAYS[word[1]])), plain[word.end() :]
    weekday = parse_weekday(word[1]) if word else None
    rest = plain[word.end() :] if word and weekday is not None else plain
    for day, left in _dates(rest, today):
        if weekday is not None and day.weekday() != weekday and _parse_time(left):
            ahead = (weekday - day.weekday()) % 7
            near = day + timedelta(days=ahead if ahead <= 3 else ahead - 7)
            raise GameError("deadline-weekday", text=text, date=str(day), nearest=str(near))
        yield _Day(day), left
    if weekday is not None:
        yield _Day(today + timedelta(days=(weekday - today.weekday()) % 7), 7), rest
    elif plain:
        yield _Day(today, 1), plain  # a time alone


def _dates(plain: str, today: date) -> Iterator[tuple[date, str]]:
    """Yield the dates that a text may begin with, each with the rest of the text."""
    for pattern in (_ISO, _NUMBERS, _NAMED):
        match = pattern.match(plain)
        found = _date(match.groupdict(), today) if match else None
        if match and found:
            yield found, plain[match.end() :]


def _date(parts: Mapping[str, str | None], today: date) -> date | None:
    """Return the date of some parts, the nearest to today without a year; None if there is none."""
    name = parts.get("name") or parts.get("name2")
    month = parse_month(name) if name else int(parts["month"] or 0)
    day = int(parts.get("day") or parts.get("day2") or 0)
    written = parts.get("year")
    try:
        if written:
            return date(int(written) + (2000 if len(written) == 2 else 0), month, day)
        years = [today.year + more for more in (-1, 0, 1)]
        if (month, day) == (2, 29):
            years = list(filter(isleap, years))
        return min((date(y, month, day) for y in years), key=lambda d: abs(d - today))
    except ValueError:  # no such day or month
        return None


def parse_month(word: str) -> int:
    """Return the number of a month from its folded name or the beginning of it, 0 for none."""
    return _find_name(word, "month", range(1, 13)) or 0


# -- hours -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Hour:
    """A time of day, None for midnight at the end of the day, and the zone written with it."""

    at: time | None
    zone: str = ""


_TIME = re.compile(
    r"(?:(?P<said>at|alle|all'|ore|h|hr|@|ore alle|alle ore)\.? ?)?"
    r"(?:(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2})(?::\d{2}(?:\.\d+)?)?)? ?(?P<half>am|pm)?h?"
    r"|(?P<word>midnight|mezzanotte|noon|mezzogiorno))"
    r"(?: ?(?P<zone>utc|gmt|z|[+-]\d{2}:?\d{2})| \(?(?P<name>[a-z]{3,5})\)?)?"
)
_OFFSET = re.compile(r"([+-])(\d{2}):?(\d{2})")


def _parse_time(plain: str) -> _Hour | None:
    """Return the time of day of a text: the end of the day if empty, None if it is no time."""
    if not plain:
        return _Hour(END_OF_DAY)
    if (match := _TIME.fullmatch(plain)) is None:
        return None
    zone = match["zone"] or match["name"] or ""
    if match["word"]:
        return _Hour(time(12) if match["word"] in ("noon", "mezzogiorno") else None, zone)
    if not (match["said"] or match["minute"] or match["half"]):
        return None  # a number alone
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"] == "pm" else 0)
    if (hour, minute) == (24, 0):
        return _Hour(None, zone)
    return _Hour(time(hour, minute), zone) if hour < 24 and minute < 60 else None


def _offset(zone: str) -> timedelta | None:
    """Return how far a zone is ahead of UTC; None if it is empty or a name."""
    if zone in ("utc", "gmt", "z"):
        return timedelta()
    if (match := _OFFSET.fullmatch(zone)) is None or int(match[2]) > 14 or int(match[3]) > 59:
        return None
    ahead = timezone(timedelta(hours=int(match[2]), minutes=int(match[3]))).utcoffset(None)
    return ahead if match[1] == "+" else -ahead


# -- absences ----------------------------------------------------------------------------------

_SINCE = re.compile(r"^(?:from|dal|da|since|between|tra|fra) ")
_UNTIL = re.compile(r"^(?:until|till|fino al?|sino al?) ")
_BETWEEN = re.compile(
    r" ?(?:\.\.+|[-–—]| (?:to|al|a|until|till|through|and|ed?|[fs]ino al?) ) ?|(?:to|al|until) "
)


def parse_absence(text: str, zone: str, now: datetime) -> Absence:
    """Read an absence: ``24/12-6/1``, ``dal 24 al 28 dicembre``, ``until 6 January``, one day.

    Raises:
        GameError: ``absence-unreadable``; ``absence-past`` if it is over; ``bad-absence`` if it
            lasts more than a year.
    """
    plain = _SINCE.sub("", _plain(text))
    today = to_local(now, zone).date()
    until = _whole_date(_UNTIL.sub("", plain), today) if _UNTIL.match(plain) else None
    if until and until >= today:
        return check_absence(today, until)
    found = _BETWEEN.finditer(plain)
    splits = [(plain[: m.start()].strip(), plain[m.end() :].strip()) for m in found]
    for first_text, last_text in ((plain, plain), *splits):
        first = _whole_date(first_text, today) or _day_of(first_text, last_text, today)
        last = first and _whole_date(last_text, first)
        if first and last:
            if last < max(first, today):
                raise GameError("absence-past", text=text, first=str(first), last=str(last))
            return check_absence(first, last)
    raise GameError("absence-unreadable", text=text)


def check_absence(first: date, last: date) -> Absence:
    """Return an absence; refuse one that ends before it begins, or lasts more than a year."""
    if not timedelta() <= last - first <= LONGEST_ABSENCE:
        raise GameError("bad-absence", start=str(first), end=str(last))
    return first, last


def _whole_date(text: str, near: date) -> date | None:
    """Return the date in a text, nearest to another, or None; a weekday before it is ignored."""
    plain = re.sub(r"^(?:the|il|l') ?", "", text)
    if (word := _WORD.match(plain)) and parse_weekday(word[1]) is not None:
        plain = plain[word.end() :]
    return next((day for day, rest in _dates(plain, near) if not rest), None)


def _day_of(first: str, last: str, today: date) -> date | None:
    """Return the first of two dates that share the month of the second: ``24 to 28 December``."""
    end = _whole_date(last, today)
    day = re.fullmatch(r"([0-9]{1,2})(?:st|nd|rd|th|o)?", first)
    return end.replace(day=int(day[1])) if end and day and 1 <= int(day[1]) <= end.day else None


def parse_weekday(word: str) -> int | None:
    """Return the number of a day of the week, 0 for Monday, from its folded name or the beginning
    of it."""
    return _find_name(word, "weekday", range(7))


def _find_name(word: str, kind: str, numbers: Iterable[int]) -> int | None:
    """Return the number whose name in any language begins with a word of three letters or more;
    ``kind`` begins the names' codes.  None if not just one does."""
    if len(word) < 3:
        return None
    names = {(n, name) for n in numbers for name in _names(f"{kind}-{n}")}
    found = {n for n, name in names if name.startswith(word)}
    return found.pop() if len(found) == 1 else None


@cache
def _names(code: str) -> tuple[str, ...]:
    return tuple(fold(load_sentences(lang).format(code)) for lang in LANGUAGES)


# Write deadlines and days for people: local time, UTC, and the time that is left.


def format_instant(
    at: datetime | str, zone: str, sentences: Sentences, now: datetime | None = None
) -> str:
    """Return an instant in words.

    For example ``Sunday 22 November 2026, 23:59 (Europe/Rome) = 22:59 UTC, in 9 h``.  ``now`` adds
    the distance.  UTC gets a date of its own if it differs from the local one.
    """
    instant = parse_iso(at) if isinstance(at, str) else at
    here, utc = to_local(instant, zone), instant.astimezone(UTC)
    utc_time = f"{utc:%H:%M}"
    if utc.date() != here.date():
        month = sentences.format(f"month-{utc.month}")
        utc_time = f"{sentences.format('date-short', day=utc.day, month=month)} {utc_time}"
    text = sentences.format("deadline-at", **_local_parts(here, sentences), zone=zone, utc=utc_time)
    return f"{text}, {format_distance(instant, now, sentences)}" if now else text


def format_local(at: datetime | str, zone: str, sentences: Sentences) -> str:
    """Return an instant on the clocks of a place: ``Sunday 22 November 2026, 23:59``."""
    here = to_local(parse_iso(at) if isinstance(at, str) else at, zone)
    return sentences.format("deadline-local", **_local_parts(here, sentences))


def format_briefly(at: datetime | str, zone: str, sentences: Sentences) -> str:
    """Return an instant on the clocks of a place in few letters: ``22 Nov 23:59``."""
    here = to_local(parse_iso(at) if isinstance(at, str) else at, zone)
    month = sentences.format(f"month-{here.month}")[:3]
    return f"{sentences.format('date-short', day=here.day, month=month)} {here:%H:%M}"


def _local_parts(here: datetime, sentences: Sentences) -> dict[str, str]:
    return {
        "weekday": sentences.format(f"weekday-{here.weekday()}"),
        "date": _format_date(here, sentences),
        "time": f"{here:%H:%M}",
    }


def format_distance(at: datetime, now: datetime, sentences: Sentences) -> str:
    """Return the time until an instant, or since it: ``in 9 h``, ``2 days ago``."""
    if (left := abs(at - now)) < timedelta(minutes=1):
        return sentences.format("distance-now")
    way = "in" if at > now else "ago"
    if left < timedelta(hours=1):
        return sentences.format(f"distance-minutes-{way}", count=int(left / timedelta(minutes=1)))
    if left < timedelta(days=2):
        count = int(left / timedelta(hours=1))
        one = "-one" if count == 1 else ""
        return sentences.format(f"distance-hours-{way}{one}", count=count)
    return sentences.format(f"distance-days-{way}", count=left.days)


def format_day(text: str, sentences: Sentences) -> str:
    """Return an ISO date in words: ``22 November 2026``."""
    return _format_date(date.fromisoformat(text), sentences)


def _format_date(day: date, sentences: Sentences) -> str:
    month = sentences.format(f"month-{day.month}")
    return sentences.format("date", day=day.day, month=month, year=day.year)
