"""The position in a report as it comes out of a mail: quoted, wrapped, set in, or none of it.

What stands at the end of a report is a turn file, but after a few answers no YAML any more.  Its
shape is known, so that lines and blanks need not mean anything here: keys follow each other, and
brackets say where a list ends.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any
from zlib import crc32

from alexmagnum.cases.case_files import turn_of
from alexmagnum.cases.schema_reader import PHASES, parse_yaml
from alexmagnum.errors import AlexMagnumError, BadFile
from alexmagnum.position import AUTUMN, DEPLOYMENT, PICKS, SPRING, WINTER, Position

_NEEDED = ("units", "centers")
_SHOWN = 40
"""Characters of what follows a break that are shown."""

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
    """A position found in a text, or what is left of one.

    ``line`` is where it begins, from 1; ``depth`` how deep in quotation.  Either it is a
    ``position``, or ``fault`` says what is wrong with it.  ``data`` is as in a turn file.
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
    """What was found: the position ``taken``, and the ``others``, which are older or were not
    asked for, the newest first."""

    taken: FoundPosition
    others: tuple[FoundPosition, ...] = ()


def find_position(
    texts: Iterable[str], *, source: str = "", map_id: str | None = None, phase: str = ""
) -> PositionSearch:
    """Find the position in some texts: a mail's plain text, say, and the text of its page.

    Of several the newest is taken, which is the one of the latest phase; of equally new ones that
    which stands least deep in quotation, then the first.  A ``phase`` (``322-spring``) asks for
    another.  ``map_id`` is the map of positions that name none; ``source`` is named as the file.

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
        raise _none(listed, source)
    ranked = _ranked(found)
    if phase:
        asked = [f for f in ranked if f.position and str(f.position.phase) == phase.strip().lower()]
        if not asked:
            known = ", ".join(str(f.position.phase) for f in ranked if f.position)
            raise BadFile(source, "turn-not-there", phase=phase, known=known or "-")
        ranked = [asked[0], *(f for f in ranked if f is not asked[0])]
    _ = ranked[0].sound
    return PositionSearch(ranked[0], tuple(ranked[1:]))


def add_end_line(text: str) -> str:
    """The text of a turn file with a last line by which it is known to be whole, and unchanged."""
    (found,) = _Lines(text).starts()
    return f"{text}# end {_check(_Scan(found, '').data())}\n"


def _none(texts: Sequence[str], source: str) -> BadFile:
    """Why there is no position: not even a part of one, or one without its beginning."""
    for text in texts:
        lines = _Lines(text)
        part = _HEADLESS.search(lines.flat)
        if part:
            return BadFile(source, "turn-headless", line=str(lines.number(part.start())))
    return BadFile(source, "no-turn")


# -- the newest ------------------------------------------------------------------------------------


def _ranked(found: Sequence[FoundPosition]) -> list[FoundPosition]:
    """The newest first, each once; what is left of one that is there as a whole goes unsaid."""
    whole: list[FoundPosition] = []
    for each in sorted(found, key=lambda f: (f.depth, f.line)):
        if each.position is not None and all(each.data != other.data for other in whole):
            whole.append(each)
    down = bool(whole) and whole[0].sound.board.years_bc
    broken = [f for f in found if f.fault and not any(_is_part(f.data, w.data) for w in whole)]
    return sorted([*whole, *broken], key=lambda f: (_newness(f, down), -f.depth), reverse=True)


def _is_part(data: Mapping[str, Any], whole: Mapping[str, Any]) -> bool:
    """Whether a position of which not all could be read may be one that could."""
    return all(data[key] == whole.get(key) for key in ("phase", "year", "period") if key in data)


def _moment(data: Mapping[str, Any], down: bool) -> tuple[int, int, bool, int]:
    """When a position is, so that later ones are greater; ``down``: years BC count down."""
    season, retreats = PHASES[data["phase"]]
    year = int(data.get("year", 0))
    return -year if down else year, _YEAR.index(season), retreats, int(data.get("period", 0))


def _newness(found: FoundPosition, down: bool) -> tuple[bool, tuple[int, int, bool, int]]:
    """One that breaks off before its year may be the newest: better said than passed over."""
    return found.fault is not None and "year" not in found.data, _moment(found.data, down)


# -- in one text -----------------------------------------------------------------------------------


def _search(text: str, source: str, map_id: str | None) -> Iterator[FoundPosition]:
    for start in _Lines(text).starts():
        yield _read(start, source, map_id)


def _read(start: _Start, source: str, map_id: str | None) -> FoundPosition:
    """Read the position that begins somewhere.

    Where what follows is no part of it, the lines that stand less deep may have been written in
    between: it is tried without them.
    """
    first: FoundPosition | None = None
    for tried in (start, start.alone()):
        scan = _Scan(tried, source)
        line, depth = start.line, start.depth
        try:
            data = scan.data()
            scan.complete()
            if "map" not in data and not map_id:
                raise BadFile(source, "turn-no-map", line=str(line))
            position = turn_of(data, source, map_id).position
            scan.unchanged()  # last: what cannot be names the place where something was changed
            return FoundPosition(line, depth, data, position)
        except AlexMagnumError as fault:
            first = first or FoundPosition(line, depth, scan.read, fault=fault)
    assert first is not None
    return first


class _Lines:
    """A text without what mail put before its lines, as one; places in it know their lines."""

    def __init__(self, text: str) -> None:
        raw = _UNSEEN.sub("", _ESCAPED.sub("", text.translate(_TYPED))).splitlines()
        marks = [_MARKS.match(line)[0] for line in raw]  # type: ignore[index]  # it always matches
        self.depths = [mark.count(">") for mark in marks]
        self.texts = [line[len(mark) :] for line, mark in zip(raw, marks, strict=True)]

    @cached_property
    def flat(self) -> str:
        return "\n".join(self.texts)

    @cached_property
    def offsets(self) -> list[int]:
        return [0, *accumulate(len(text) + 1 for text in self.texts)]

    def number(self, at: int) -> int:
        """The line of a place, from 1."""
        return bisect_right(self.offsets, at)

    def starts(self) -> Iterator[_Start]:
        for match in _START.finditer(self.flat):
            yield _Start(self, match)


@dataclass(frozen=True, slots=True)
class _Start:
    """The beginning of a position."""

    lines: _Lines
    match: re.Match[str]

    @property
    def line(self) -> int:
        return self.lines.number(self.match.start())

    @property
    def depth(self) -> int:
        return self.lines.depths[self.line - 1]

    def alone(self) -> _Start:
        """The same in a text in which the lines that stand less deep are blank."""
        lines = _Lines("")
        lines.depths = self.lines.depths
        lines.texts = [
            text if depth >= self.depth else " " * len(text)
            for text, depth in zip(self.lines.texts, lines.depths, strict=True)
        ]
        match = _START.match(lines.flat, self.match.start())
        return _Start(lines, match) if match else self


# -- the keys of a position ------------------------------------------------------------------------


class _Scan:
    """Reads keys one after the other; ``read`` is what there is so far."""

    def __init__(self, start: _Start, source: str) -> None:
        self.source = source
        self.start = start
        self.lines = start.lines
        self.at = start.match.end()
        self.key = "phase"
        self.check, self.end = "", -1
        self.read: dict[str, Any] = {}

    def data(self) -> Mapping[str, Any]:
        """All of it.

        Raises:
            BadFile: a bracket holds something that cannot be read.
        """
        head = self.start.match
        if head["map"]:
            self.read["map"] = self._value(head["map"])
        if head["rules"]:
            self.read["rules"] = self._value(head["rules"])
        self.read["phase"] = head["phase"]
        while self._next():
            pass
        return self.read

    def complete(self) -> None:
        """Check that nothing is missing at the end.

        Raises:
            BadFile: with the last key that was read, and its line.
        """
        end = self._match(_END)
        if end is None or not all(key in self.read for key in _NEEDED):
            raise self._broken()
        self.check, self.end = end["check"] or "", end.start("check")

    def unchanged(self) -> None:
        """Check what was read against what the last line says of it, if it does.

        Raises:
            BadFile: something else was mailed.
        """
        if self.check and self.check.lower() != _check(self.read):
            first, last = str(self.start.line), str(self.lines.number(self.end))
            raise BadFile(self.source, "turn-altered", first=first, line=last, check=self.check)

    def _broken(self) -> BadFile:
        rest = " ".join(self.lines.flat[self.at :][: _SHOWN * 3].split())
        whole = all(key in self.read for key in _NEEDED) and not _MORE.match(rest)
        data = {
            "first": str(self.start.line),
            "line": str(self.lines.number(max(self.at - 1, 0))),
            "text": rest[:_SHOWN],
        }
        code = "turn-endless" if whole else "turn-damaged" if rest else "turn-cut"
        return BadFile(self.source, code, self.key, **data)

    def _next(self) -> bool:
        """Read the next key, False if there is none."""
        while self._match(_COMMENT):
            pass
        number = self._match(_NUMBER_KEY)
        if number:
            return self._put(number["key"], int(number["value"]))
        section = _SECTION.match(self.lines.flat, self.at)
        if section is None or section["key"] in self.read:
            return False
        self.at, self.key = section.end(), section["key"]
        none: Any = [] if self.key == "dislodged" else {}
        value = none if section["none"] else self._section(section["key"])
        return self._put(section["key"], value)

    def _put(self, key: str, value: Any) -> bool:
        self.read[key] = value
        return True

    def _section(self, key: str) -> Any:
        if key == "dislodged":
            return [self._value(entry["value"]) for entry in self._all(_ENTRY)]
        pattern = _POINTS if key == "nobility" else _LIST
        listed: dict[str, Any] = {}
        for entry in self._all(pattern):
            self.key = f"{key}.{entry['key']}"
            listed[entry["key"]] = self._value(entry["value"])
        return listed

    def _all(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """The pieces of a section, one after the other."""
        while True:
            while self._match(_COMMENT):
                pass
            piece = self._match(pattern)
            if piece is None:
                return
            yield piece

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.lines.flat, self.at)
        if match:
            self.at = match.end()
        return match

    def _value(self, text: str) -> Any:
        """What stands between brackets, however its lines were broken."""
        try:
            return parse_yaml(" ".join(text.split()), self.source)
        except BadFile:
            raise self._broken() from None


def _check(data: Mapping[str, Any]) -> str:
    """Eight digits that hang on everything but the map, which people may name otherwise."""
    rest = {key: value for key, value in data.items() if key != "map"}
    return f"{crc32(json.dumps(rest, sort_keys=True).encode()):08x}"
