"""Finding a position in a mail, and comparing plans for it: how orders and results differ."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any
from zlib import crc32

from alexmagnum.board.map_file import known_maps
from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import centres_change, owners_after
from alexmagnum.cases.files import turn_of
from alexmagnum.cases.schema import PHASES
from alexmagnum.errors import AlexMagnumError, BadFile
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import Outcome, Reason
from alexmagnum.notation import write_order
from alexmagnum.orders import Order, Pick, Remove
from alexmagnum.position import AUTUMN, DEPLOYMENT, PICKS, SPRING, WINTER, Position, Unit
from alexmagnum.units import names_of

# Comparing plans for the same position: how their orders and results differ.


Orders = Mapping[str, Sequence[Order]]


@dataclass(frozen=True, slots=True)
class Side:
    """The order of one plan for a unit, and its results.

    ``order`` is canonical, "" if there is none.  ``results`` are the words of the case files; there
    are two if the order had a result and the unit was dislodged as well.  ``reasons`` has one for
    each.  Both are empty if the plan has no such build or removal at all.
    """

    order: str
    results: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A unit of a power, a build, a removal or a pick, with the side of each plan."""

    power: str
    unit: str
    sides: tuple[Side, ...]

    @property
    def differs_in_order(self) -> bool:
        """True if the plans differ in the order."""
        return len({side.order for side in self.sides}) > 1

    @property
    def differs(self) -> bool:
        """True if the plans differ in the order or in its results."""
        return self.differs_in_order or len({side.results for side in self.sides}) > 1


@dataclass(frozen=True)
class Comparison:
    """Plans by name over one position, each with its outcome."""

    position: Position
    outcomes: Mapping[str, Outcome]

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """A row for everything that takes an order, power by power."""
        powers = (*self.position.board.powers, INDEPENDENT)
        return tuple(row for power in powers for row in self._rows(power))

    @property
    def differences(self) -> tuple[Row, ...]:
        """The rows in which the plans differ: first those with other orders, then other results."""
        found = [row for row in self.rows if row.differs]
        return tuple(sorted(found, key=lambda row: not row.differs_in_order))

    def dislodged(self, plan: str) -> tuple[Unit, ...]:
        """Return the units of all powers that are dislodged or lost after a plan."""
        outcome = self.outcomes[plan]
        lost = (*outcome.destroyed, *outcome.disbanded, *outcome.removed)
        return (*(dislodged.unit for dislodged in outcome.dislodged), *lost)

    def units(self, plan: str, power: str) -> tuple[str, ...]:
        """Return the names of a power's units on the board after a plan."""
        outcome = self.outcomes[plan]
        names = names_of(outcome.units)
        return tuple(sorted(names[unit] for unit in outcome.units if unit.power == power))

    def centres(self, plan: str) -> Mapping[str, str]:
        """Return the centres that change hands after a plan, and their new power.

        After an autumn and a pick these are the owners (R29, R30).  In other movement and retreat
        phases the power that stands in a centre counts, which will own it if nothing moves.
        """
        outcome, before = self.outcomes[plan], self.position.owners
        now = dict(owners_after(outcome))
        if not centres_change(outcome) and self.position.phase.kind in ("movement", "retreats"):
            board = self.position.board
            standing = {u.province: u.power for u in outcome.units if u.power != INDEPENDENT}
            now |= {p: power for p, power in standing.items() if board.provinces[p].centre}
        return {centre: power for centre, power in now.items() if before.get(centre) != power}

    # -- rows --------------------------------------------------------------------------------------

    def _rows(self, power: str) -> Iterator[Row]:
        if self.position.phase.kind in ("movement", "retreats"):
            for unit in self.position.units_of(power):
                sides = tuple(_fate(outcome, unit) for outcome in self.outcomes.values())
                yield Row(power, self.position.name(unit), sides)
            return
        listed = [dict(_list_rows(outcome, power)) for outcome in self.outcomes.values()]
        for key in dict.fromkeys(key for sides in listed for key in sides):
            sides = tuple(found.get(key, Side("")) for found in listed)
            yield Row(power, key, sides)


def compare(position: Position, plans: Mapping[str, Orders]) -> Comparison:
    """Adjudicate plans for the same position; each maps a power's id to its orders.

    >>> from alexmagnum import Phase, Unit, load_board, read_order
    >>> vienna = Unit("Austria", "A", "VIE")
    >>> position = Position(load_board("standard"), Phase(1901, "spring"), (vienna,))
    >>> plans = {
    ...     name: {"Austria": [read_order(text, position)]}
    ...     for name, text in {"A": "A VIE - TYR", "B": "A VIE - BUD"}.items()
    ... }
    >>> [[side.order for side in row.sides] for row in compare(position, plans).differences]
    [['A VIE - TYR', 'A VIE - BUD']]
    """
    outcomes = {name: adjudicate(position, orders) for name, orders in plans.items()}
    return Comparison(position, outcomes)


def _fate(outcome: Outcome, unit: Unit) -> Side:
    fates = outcome.fates(unit)
    order = fates[0].order
    return Side(
        write_order(order) if order is not None else "",
        tuple(fate.result for fate in fates),
        tuple(fate.reason for fate in fates),
    )


def _list_rows(outcome: Outcome, power: str) -> Iterator[tuple[str, Side]]:
    """Yield the rows of a power in a phase of builds or picks, each with its key: a build's has a
    number if it is given again, a removal goes by its unit."""
    seen: Counter[str] = Counter()
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.power != power:
            continue
        text = write_order(entry.order)
        about = text
        if isinstance(entry.order, Remove) and entry.unit is not None:
            about = outcome.position.name(entry.unit)
        seen[about] += 1
        key = about + (f" ({seen[about]})" if seen[about] > 1 else "")
        if isinstance(entry.order, Pick):
            key = ""
        yield key, Side(text, (entry.result,), (reason,))
    for unit in outcome.removed:
        if unit.power == power:
            yield outcome.position.name(unit), Side("", ("removed",), (Reason("civil-disorder"),))


# Finding the position of a report in a mail, where it may be quoted, wrapped and indented.
#
# A report ends with a turn file, but after a few replies that is no longer YAML. Its shape is
# known, so that lines and blanks need no meaning here: keys follow each other, and brackets show
# where a list ends.


_NEEDED = ("units", "centers")
_SHOWN = 40  # the most characters of the text behind a break that a message shows

_DEEPEST = 20  # levels of quotation that are told apart: the text is read once for each

_MARKS = re.compile(r"^[\s>|]*")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_TYPED = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "：": ":"})
_ESCAPED = re.compile(r"\\(?=[_\[\]{}#])")

_PHASES = "|".join(sorted(PHASES, key=len, reverse=True))
_START = re.compile(
    r"(?<!\S)(?:map\s*:\s*(?P<map>\"[^\"]*\"|\S+)\s+)?"
    r"(?:rules\s*:\s*(?P<rules>\{[^{}]*\})\s*)?"
    rf"phase\s*:\s*(?P<phase>{_PHASES})(?!\w)"
)
_HEADLESS = re.compile(r"(?<!\S)(?:units|centers)\s*:\s+[A-Za-z][\w-]*\s*:\s*\[")
_END = re.compile(r"\s*#\s*end\b(?:\s+(?P<check>[0-9a-fA-F]{8})\b)?")
_COMMENT = re.compile(r"\s*#(?!\s*end\b)[^\n]*")
_NUMBER_KEY = re.compile(r"\s*(?P<key>year|period)\s*:\s*(?P<value>\d+)")
_SECTION = re.compile(
    r"\s*(?P<key>units|centers|homes|nobility|dislodged)\s*:"
    r"(?P<none>\s*[\[{]\s*[\]}])?"
)
_LIST = re.compile(r"\s*(?!dislodged\b)(?P<key>[A-Za-z][\w-]*)\s*:\s*(?P<value>\[[^\[\]{}]*\])")
_POINTS = re.compile(r"\s*(?P<key>[A-Za-z][\w-]*)\s*:\s*(?P<value>\d+)(?!\w)")
_ENTRY = re.compile(r"\s*[-–—•*]?\s*(?P<value>\{[^{}]*\})")
_MORE = re.compile(r"[-–—•*]?\s*(?:\{|[A-Za-z][\w-]*\s*:)")

_YEAR = (PICKS, DEPLOYMENT, SPRING, AUTUMN, WINTER)


@dataclass(frozen=True, slots=True)
class FoundPosition:
    """A position found in a text, or a part of one.

    It begins in ``line``, counted from 1, and is quoted ``depth`` times.  It has a ``position``, or
    ``fault`` says what is wrong with it.  ``data`` is that of a turn file.
    """

    line: int
    depth: int
    data: Mapping[str, Any]
    position: Position | None = None
    fault: AlexMagnumError | None = None

    @property
    def sound(self) -> Position:
        """The position.

        Raises:
            AlexMagnumError: the ``fault``.
        """
        if self.position is None:
            assert self.fault is not None, "a position or a fault"
            raise self.fault
        return self.position


@dataclass(frozen=True, slots=True)
class PositionSearch:
    """The result of a search: the position ``taken``, and the ``others``, the newest first."""

    taken: FoundPosition
    others: tuple[FoundPosition, ...] = ()


def find_position(
    texts: Iterable[str], *, source: str = "", map_id: str | None = None, phase: str = ""
) -> PositionSearch:
    """Find the position in some texts: a mail's plain text, say, and the text of its page.

    Of several positions the one of the latest phase is taken; of several for one phase the one
    that is quoted least, then the first.  ``phase`` (``322-spring``) asks for another phase.
    ``map_id`` is the map of positions that name none; ``source`` is the name of the file.

    >>> text = '''> > map: standard phase: spring_moves
    ... > > year: 1901 units: England: [F
    ... > > LON] centers: England: [LON] # end'''
    >>> str(find_position([text]).taken.position.phase)
    '1901-spring'

    Raises:
        BadFile: ``no-turn``, there is none; ``turn-cut``, ``turn-damaged``, ``turn-endless``,
            ``turn-altered``, ``turn-headless``: there is one, and what is wrong with it;
            ``turn-no-map``: it does not name its map; ``turn-not-there``: none of that phase.
        BadPosition, BadMap: as for turn files.
    """
    listed = list(texts)
    found = [each for text in listed for each in _search(text, source, map_id)]
    if not found:
        raise _missing_fault(listed, source)
    ranked = _sort_positions(found)
    if phase:
        ranked = _put_first(ranked, phase, source)
    if ranked[0].fault is not None:
        raise ranked[0].fault
    return PositionSearch(ranked[0], tuple(ranked[1:]))


def _put_first(ranked: Sequence[FoundPosition], phase: str, source: str) -> list[FoundPosition]:
    """Return the positions with the one of a phase first.

    Raises:
        BadFile: none is of that phase.
    """
    wanted = phase.strip().lower()
    phases = [str(found.position.phase) if found.position else "" for found in ranked]
    if not wanted or wanted not in phases:
        known = ", ".join(filter(None, phases))
        raise BadFile(source, "turn-not-there", phase=phase, known=known or "-")
    at = phases.index(wanted)
    return [ranked[at], *ranked[:at], *ranked[at + 1 :]]


def add_end_line(text: str) -> str:
    """Add a last line to the text of a turn file that shows whether it is whole and unchanged."""
    (found,) = _Lines(text).starts()
    return f"{text}# end {_check(_Scan(found, '').data())}\n"


def _missing_fault(texts: Sequence[str], source: str) -> BadFile:
    """Return the reason why there is no position: none at all, or one without its beginning."""
    for text in texts:
        lines = _Lines(text)
        if part := _HEADLESS.search(lines.flat):
            return BadFile(source, "turn-headless", line=str(lines.number(part.start())))
    return BadFile(source, "no-turn")


# -- the newest ------------------------------------------------------------------------------------


def _sort_positions(found: Sequence[FoundPosition]) -> list[FoundPosition]:
    """Sort positions from the newest, each once, without parts of one that is there whole."""
    whole: list[FoundPosition] = []
    for each in sorted(found, key=lambda f: (f.depth, f.line)):
        if each.position is not None and all(each.data != other.data for other in whole):
            whole.append(each)
    down = bool(whole) and whole[0].sound.board.years_bc
    broken = [f for f in found if f.fault and not any(_is_part(f.data, w.data) for w in whole)]
    # One that breaks off before its year may be the newest: it is reported, not passed over.
    return sorted(
        [*whole, *broken],
        key=lambda f: (bool(f.fault) and "year" not in f.data, _date_key(f.data, down), -f.depth),
        reverse=True,
    )


def _is_part(data: Mapping[str, Any], whole: Mapping[str, Any]) -> bool:
    """Return whether a position of which a part was read may be another one that was read whole."""
    return all(data[key] == whole.get(key) for key in ("phase", "year", "period") if key in data)


def _date_key(data: Mapping[str, Any], down: bool) -> tuple[int, int, bool, int]:
    """Return a key by which positions sort by phase; ``down``: years BC count down."""
    season, retreats = PHASES[data["phase"]]
    year = int(data.get("year", 0))
    return -year if down else year, _YEAR.index(season), retreats, int(data.get("period", 0))


# -- in one text -----------------------------------------------------------------------------------


def _search(text: str, source: str, map_id: str | None) -> Iterator[FoundPosition]:
    ends = [0] * (_DEEPEST + 1)  # a position was read up to here, in lines of each depth
    for start in _Lines(text).starts():
        if start.match.start() >= ends[start.depth]:  # else it stands in a comment
            found, end = _read_position(start, source, map_id)
            ends[found.depth :] = [max(end, each) for each in ends[found.depth :]]
            yield found


def _read_position(start: _Start, source: str, map_id: str | None) -> tuple[FoundPosition, int]:
    """Read the position that begins at a place; return it, and where it ends or breaks off: then it
    is read again without the lines quoted less deep."""
    first, end = None, 0
    for tried in (start, start.without_replies()):
        scan = _Scan(tried, source)
        line, depth = start.line, start.depth
        try:
            data = scan.data()
            scan.check_complete()
            # A stranger's mail names no file to be opened.
            named = str(data.get("map", map_id or ""))
            if named.lower() not in known_maps() and named != map_id:
                raise BadFile(source, "turn-no-map", line=str(line))
            position = turn_of(data, source, map_id).position
            scan.check_digest()  # last: what cannot be names the place where something was changed
            return FoundPosition(line, depth, data, position), scan.at
        except AlexMagnumError as fault:
            # A traceback would keep the text that was read.
            fault.__traceback__ = None
            first = first or FoundPosition(line, depth, scan.read, fault=fault)
            end = max(end, scan.at)
    assert first is not None
    return first, end


class _Lines:
    """The lines of a text without their quotation marks, and joined as ``flat``."""

    def __init__(self, text: str) -> None:
        raw = _UNSEEN.sub("", _ESCAPED.sub("", text.translate(_TYPED))).splitlines()
        marks = [_MARKS.match(line)[0] for line in raw]  # type: ignore[index]  # it always matches
        self.depths = [min(mark.count(">"), _DEEPEST) for mark in marks]
        self.texts = [line[len(mark) :] for line, mark in zip(raw, marks, strict=True)]
        self._without_replies: dict[int, _Lines] = {0: self}  # none is quoted less

    @cached_property
    def flat(self) -> str:
        return "\n".join(self.texts)

    @cached_property
    def offsets(self) -> list[int]:
        return [0, *accumulate(len(text) + 1 for text in self.texts)]

    def number(self, at: int) -> int:
        """Return the line of a place in ``flat``, counted from 1."""
        return bisect_right(self.offsets, at)

    def starts(self) -> Iterator[_Start]:
        for match in _START.finditer(self.flat):
            yield _Start(self, match)

    def without_replies(self, to: int) -> _Lines:
        """Return the text in which the lines quoted less deep are blank; it is made once."""
        if to not in self._without_replies:
            lines = self._without_replies[to] = _Lines("")
            lines.depths = self.depths
            lines.texts = [
                text if depth >= to else " " * len(text)
                for text, depth in zip(self.texts, self.depths, strict=True)
            ]
        return self._without_replies[to]


@dataclass(frozen=True, slots=True)
class _Start:
    """The place in a text where a position begins."""

    lines: _Lines
    match: re.Match[str]

    @property
    def line(self) -> int:
        return self.lines.number(self.match.start())

    @property
    def depth(self) -> int:
        return self.lines.depths[self.line - 1]

    def without_replies(self) -> _Start:
        """Return the same place in a text in which the lines quoted less deep are blank."""
        lines = self.lines.without_replies(self.depth)
        match = _START.match(lines.flat, self.match.start())
        return _Start(lines, match) if match else self


# -- the keys of a position ------------------------------------------------------------------------


class _Scan:
    """Reads the keys of a position one after the other; ``read`` has all read so far."""

    def __init__(self, start: _Start, source: str) -> None:
        self.source = source
        self.start = start
        self.lines = start.lines
        self.at = start.match.end()
        self.key = "phase"
        self.check, self.end = "", -1
        self.read: dict[str, Any] = {}

    def data(self) -> Mapping[str, Any]:
        """Read and return all keys.

        Raises:
            BadFile: a bracket holds something that cannot be read.
        """
        head = self.start.match
        if head["map"]:
            self.read["map"] = self._value(head["map"])
        if head["rules"]:
            self.read["rules"] = self._value(head["rules"])
        self.read["phase"] = head["phase"]
        while self._read_key():
            pass
        return self.read

    def check_complete(self) -> None:
        """Check that the end is there, and the keys that a position needs.

        Raises:
            BadFile: with the last key that was read, and its line.
        """
        end = self._match(_END)
        if end is None or not all(key in self.read for key in _NEEDED):
            raise self._break_fault()
        self.check, self.end = end["check"] or "", end.start("check")

    def check_digest(self) -> None:
        """Check what was read against the checksum in the last line, if there is one.

        Raises:
            BadFile: the position was changed.
        """
        if self.check and self.check.lower() != _check(self.read):
            first, last = str(self.start.line), str(self.lines.number(self.end))
            raise BadFile(self.source, "turn-altered", first=first, line=last, check=self.check)

    def _break_fault(self) -> BadFile:
        rest = " ".join(self.lines.flat[self.at : self.at + _SHOWN * 3].split())
        whole = all(key in self.read for key in _NEEDED) and not _MORE.match(rest)
        data = {
            "first": str(self.start.line),
            "line": str(self.lines.number(max(self.at - 1, 0))),
            "text": rest[:_SHOWN],
        }
        code = "turn-endless" if whole else "turn-damaged" if rest else "turn-cut"
        return BadFile(self.source, code, self.key, **data)

    def _read_key(self) -> bool:
        while self._match(_COMMENT):
            pass
        if number := self._match(_NUMBER_KEY):
            return self._store(number["key"], int(number["value"]))
        section = _SECTION.match(self.lines.flat, self.at)
        if section is None or section["key"] in self.read:
            return False
        self.at, self.key = section.end(), section["key"]
        none: Any = [] if self.key == "dislodged" else {}
        value = none if section["none"] else self._section(section["key"])
        return self._store(section["key"], value)

    def _store(self, key: str, value: Any) -> bool:
        self.read[key] = value
        return True

    def _section(self, key: str) -> Any:
        if key == "dislodged":
            return [self._value(entry["value"]) for entry in self._entries(_ENTRY)]
        listed: dict[str, Any] = {}
        for entry in self._entries(_POINTS if key == "nobility" else _LIST):
            self.key = f"{key}.{entry['key']}"
            listed[entry["key"]] = self._value(entry["value"])
        return listed

    def _entries(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        while True:
            while self._match(_COMMENT):
                pass
            if (piece := self._match(pattern)) is None:
                return
            yield piece

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        if match := pattern.match(self.lines.flat, self.at):
            self.at = match.end()
        return match

    def _value(self, text: str) -> Any:
        """Return the value of a text in brackets, however its lines were broken."""
        from alexmagnum.files import parse_yaml  # few mails hold a turn file

        try:
            return parse_yaml(" ".join(text.split()), self.source)
        except BadFile:
            raise self._break_fault() from None


def _check(data: Mapping[str, Any]) -> str:
    """Return a checksum of everything but the map, which people may call by another name."""
    rest = {key: value for key, value in data.items() if key != "map"}
    return f"{crc32(json.dumps(rest, sort_keys=True).encode()):08x}"
