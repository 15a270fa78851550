"""The sections of a mail: which phase its orders are for, and what they replace."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple, TypeVar

from alexmagnum.board.model import Board
from alexmagnum.i18n.sentences import fold, load_words
from alexmagnum.position import AUTUMN, DEPLOYMENT, PICKS, SPRING, WINTER, Phase

_Meaning = TypeVar("_Meaning")

# The sections of a mail: orders for the open phase, advance orders, orders for another season.
#
# A heading such as ``Ritirate:``, ``Builds:``, ``Autunno 321`` or ``Periodo 2`` stands on a line of
# its own, or before a colon. A sentence that names another period (``Nel periodo 2 scelgo Tebe``)
# is read like a section of its own.


NOW, RETREATS, OTHER = "", "retreats", "other"

_WORDS = load_words("alexmagnum.notation")


def _map_words(section: str, meanings: Mapping[str, _Meaning]) -> dict[str, _Meaning]:
    """Return the meaning of every word in a section, from that of its keys."""
    words = _WORDS[section]
    return {word: meaning for key, meaning in meanings.items() for word in words[key]}


_KINDS = _map_words(
    "sections",
    {
        "retreats": (RETREATS, ""),
        "retreat": (RETREATS, ""),
        "dislodged": (RETREATS, ""),
        "builds": (WINTER, "Build"),
        "removals": (WINTER, "Remove"),
        "adjustments": (WINTER, ""),
        "movement": ("movement", ""),
        "deployment": (DEPLOYMENT, ""),
        "orders": (NOW, ""),
    },
)
"""The words that announce a section: the kind of phase, and the verb of a unit without one."""

_SEVERAL, _DISLODGED, _CONDITIONS, _AFTER, _NOTHING = (
    frozenset(_WORDS["sections"][key])
    for key in ("retreats", "dislodged", "conditions", "after", "nothing")
)
_WITH_RETREATS, _WITH_COLON = (
    frozenset(_WORDS["sections"][key]) for key in ("with_retreats", "with_colon")
)

_SEASONS = _map_words("seasons", {season: season for season in (SPRING, AUTUMN, WINTER)})

_PERIODS, _PICKS = (frozenset(_WORDS["periods"][key]) for key in ("period", "pick"))
"""The words for a period of the Cyprus year, and for what it asks for; with a number these name a
period too: ``Scelta 2``."""

_DEPLOYMENT_PERIOD = 6

_ORDINALS = _map_words("periods", {str(n): n for n in range(1, _DEPLOYMENT_PERIOD + 1)})

_PHASE_WORDS = {**_SEASONS, "ritirate": "retreats"}

_WORD = re.compile(r"[^\W\d_]+|\d+")

_SIGN = re.compile(r"[-=\u2010-\u2015>\u2192]\s*\w")  # a sign of an order
_LONGEST = 10  # words that a heading may have: a longer line is an order or prose

_NUMBER_WORDS = "|".join(sorted(_ORDINALS, key=len, reverse=True))
_PERIOD_BEFORE = re.compile(
    rf"\b(?:(?P<digit>[1-6])\s?(?:°|º|\^|o|nd|rd|st|th|\.)?|(?P<word>{_NUMBER_WORDS}))\s+"
    rf"(?:{'|'.join(_PERIODS)})\b"
)
_PERIOD_BEHIND = re.compile(
    rf"\b(?:{'|'.join(_PERIODS)})\s*(?:n\.?|n°|nr\.?|#|numero|number)?\s*"
    rf"(?:(?P<digit>[1-6])|(?P<word>{_NUMBER_WORDS}))\b(?!\s?[-/]\s?\d)"
)
_OTHER_PERIOD = re.compile(
    rf"\b(?:{'|'.join(_WORDS['periods']['other'])})\s+(?:{'|'.join(_PERIODS)})\b"
    rf"|\b(?:{'|'.join(_WORDS['periods']['with_other'])})\b"
)
_SENTENCE_END = re.compile(r"(?<=[^\W\d_]{2}[.!?;])\s+")

_PHASE_NAME = re.compile(r"(\d{1,4})-(\d|spring|autumn|winter)(-retreats)?")


@dataclass(frozen=True, slots=True)
class Part:
    """A line of a mail with the section that it belongs to.

    ``target`` is :data:`NOW`, a kind of phase still to come, or :data:`OTHER` for a season that it
    is not now; ``season`` is that season as written.  ``verb`` is what a unit without a verb means
    in this section.  A ``heading`` announces a section and orders nothing itself; what stands below
    a ``loose`` one, which speaks of one retreat, may be for this phase all the same, and is below a
    ``free`` one, with words of its own, unless a unit has another order in the mail.
    """

    number: int
    text: str
    target: str = NOW
    verb: str = ""
    season: str = ""
    heading: bool = False
    loose: bool = False
    free: bool = False


@dataclass(frozen=True, slots=True)
class _Heading:
    """The parts of a heading; each is empty if the heading does not name it."""

    kind: str
    verb: str
    season: str
    year: int
    text: str
    period: int = 0
    loose: bool = False
    free: bool = False


def split_sections(text: str, phase: Phase, board: Board) -> Iterator[Part]:
    """Return the lines of a mail, each with the section that it belongs to."""
    section = Part(0, "")
    for number, raw in enumerate(text.splitlines(), 1):
        before = section
        heading, rest = _split_heading(raw, board)
        if heading is None:
            yield from _split_sentences(replace(section, number=number, text=raw), phase)
            continue
        section = _find_section(heading, phase)
        section = replace(section, loose=heading.loose, free=heading.free)
        if section.target == NOW:
            # The notation knows this phase's own headings.
            yield replace(section, number=number, text=rest if rest.strip() else raw)
            continue
        yield replace(section, number=number, text=heading.text, heading=True)
        if rest.strip():
            yield replace(section, number=number, text=rest, loose=False)
        if rest.strip() and " ".join(_WORD.findall(fold(rest))) in _NOTHING:
            section = before


def _split_sentences(part: Part, phase: Phase) -> Iterator[Part]:
    """Return a line, without sentences that name another period of the Cyprus year than this one.

    Each of those is a part of its own.
    """
    apart = [text for text in _SENTENCE_END.split(part.text) if _names_other_period(text, phase)]
    if part.target != NOW or not apart or part.text.lstrip().startswith(">"):
        yield part
        return
    rest = [text for text in _SENTENCE_END.split(part.text) if text not in apart]
    if any(text.strip() for text in rest):
        yield replace(part, text=" ".join(rest))
    named = next(filter(None, map(_find_period_text, apart)))
    yield replace(part, target=OTHER, season=named, text=" ".join(apart))


def _names_other_period(text: str, phase: Phase) -> bool:
    """Return whether a sentence names a period, and not the one that it is now."""
    if phase.season not in (PICKS, DEPLOYMENT):
        return False
    folded = fold(text)
    periods = _find_periods(folded)
    is_other = bool(phase.period and periods) and phase.period not in periods
    return is_other or _OTHER_PERIOD.search(folded) is not None


def _find_periods(folded: str) -> set[int]:
    """Return the periods that a folded text names: ``2nd period``, ``periodo 2``."""
    found = (*_PERIOD_BEFORE.finditer(folded), *_PERIOD_BEHIND.finditer(folded))
    return {int(match["digit"] or 0) or _ORDINALS[match["word"]] for match in found}


def _find_period_text(text: str) -> str:
    folded = fold(text)
    for pattern in (_PERIOD_BEFORE, _PERIOD_BEHIND, _OTHER_PERIOD):
        match = pattern.search(folded)
        if match:
            return (text if len(folded) == len(text) else folded)[match.start() : match.end()]
    return ""


def _find_section(heading: _Heading, phase: Phase) -> Part:
    is_other_year = phase.year and heading.year not in (0, phase.year, phase.year % 100)
    # In the Cyprus year any other season is another; builds may be announced with the deployment.
    seasons = ("", phase.season) if phase.season == PICKS else ("", phase.season, WINTER)
    if heading.kind == DEPLOYMENT or heading.period == _DEPLOYMENT_PERIOD:
        is_other_period = phase.season != DEPLOYMENT
    else:
        is_other_period = heading.period not in (0, phase.period)
    kind = heading.kind or (WINTER if heading.season == WINTER else "")
    is_over = kind == "movement" and phase.kind == "retreats"
    if is_other_year or heading.season not in seasons or is_other_period or is_over:
        return Part(0, "", OTHER, season=heading.text.strip(" :"))
    if kind == RETREATS and phase.kind == "movement":
        return Part(0, "", RETREATS)
    if kind == WINTER and phase.kind in ("movement", "retreats"):
        return Part(0, "", WINTER, heading.verb)
    return Part(0, "", NOW, heading.verb if phase.kind in (WINTER, DEPLOYMENT) else "")


# -- reading a heading ----------------------------------------------------------------------------


def _split_heading(raw: str, board: Board) -> tuple[_Heading | None, str]:
    """Return the heading of a line and what follows it, or None and the whole line."""
    if raw.lstrip().startswith(">"):
        return None, raw
    head, colon, rest = raw.partition(":")
    heading = _read_heading(head, board, rest.strip() if colon else None)
    if heading is None and colon and not rest.strip() and not _SIGN.search(head):
        kinds = {kind for kind, _ in _find_announced(_WORD.findall(fold(head)))}
        if RETREATS in kinds:  # "Retreats (in order of preference):"
            heading = _Heading(RETREATS, "", "", 0, head, loose=True, free=True)
    return (heading, rest) if heading else (None, raw)


def _read_heading(text: str, board: Board, behind: str | None) -> _Heading | None:
    """Return a text as a heading, None if it has a word that no heading has.

    ``behind`` is what stands on its line behind a colon, None without one.  The kind of a phase
    makes a heading only if it stands alone or a colon follows; retreats and a season always do.
    """
    folded = fold(text)
    words, named = _WORD.findall(folded), _PHASE_NAME.search(folded)
    period = _find_heading_period(folded, words, named)
    if period:
        words = [word for word in words if word not in _PERIOD_WORDS]
        if not words:
            return _Heading("", "", "", 0, text, period)
    has_colon = behind is not None
    is_plain = has_colon or len(words) == 1
    announced = _find_announced(words)
    more = _WITH_COLON if has_colon else frozenset[str]()
    if any(kind == RETREATS for kind, _ in announced):
        more |= _CONDITIONS | _WITH_RETREATS
    is_sentence = not is_plain and text.rstrip().endswith((".", "!", "?"))
    if is_sentence or not _are_heading_words([word for word in words if word not in more], board):
        return None
    if _CONDITIONS.isdisjoint(words) and not _DISLODGED.isdisjoint(words):
        return None  # "They are dislodged" only tells what happened
    kinds, verbs = {kind for kind, _ in announced}, {verb for _, verb in announced}
    season = next((_SEASONS[word] for word in words if word in _SEASONS), "")
    names_kind = bool(kinds) and (is_plain or RETREATS in kinds)
    if not (season or names_kind or period) or len(kinds) > 1:
        return None
    return _Heading(
        kind=RETREATS if named and named[3] else "".join(kinds),
        verb=verbs.pop() if len(verbs) == 1 else "",
        season=season,
        year=next((int(word) for word in words if word.isdigit() and len(word) > 1), 0),
        text=text,
        period=period,
        loose=_SEVERAL.isdisjoint(words) and (bool(behind) or not is_plain),
    )


def _find_announced(words: Sequence[str]) -> list[tuple[str, str]]:
    """Return the kinds of phases that words announce, with their verbs."""
    before = takewhile(lambda word: word not in _AFTER, words)
    return [_KINDS[word] for word in before if word in _KINDS and _KINDS[word][0] != NOW]


_PERIOD_WORDS = _PERIODS | _PICKS | _ORDINALS.keys()
"""The words that a heading has beside others where it names a period."""


def _find_heading_period(folded: str, words: Sequence[str], named: re.Match[str] | None) -> int:
    """Return the period that a heading names, 0 if none or several: ``Periodo 2``, ``323-2``."""
    if named and named[2].isdigit():
        return int(named[2])
    periods = _find_periods(folded)
    if not periods and not _PICKS.isdisjoint(words):
        periods = {int(word) for word in words if word.isdigit() and len(word) == 1}
    return periods.pop() if len(periods) == 1 else 0


def _are_heading_words(words: Sequence[str], board: Board) -> bool:
    """Return whether there are some words, and every one of them can be part of a heading."""
    known = _list_heading_words(board)
    return 0 < len(words) <= _LONGEST and all(word.isdigit() or word in known for word in words)


@lru_cache(maxsize=8)
def _list_heading_words(board: Board) -> frozenset[str]:
    """Return the words that headings have, names of powers among them."""
    names = (
        word
        for power in board.powers.values()
        for name in (power.id, *power.names.values(), *power.aliases)
        for word in _WORD.findall(fold(name))
    )
    return frozenset((*_KINDS, *_SEASONS, *_WORDS["sections"]["fillers"], *names))


def phase_word(word: str) -> str:
    """Return a folded word of a phase's name as files have it: ``primavera`` is ``spring``."""
    return _PHASE_WORDS.get(word, word)


def read_phase(text: str) -> str:
    """Return the name of a phase as the desk writes it, from English or Italian in any case."""
    plain = re.sub(r"[\s_]+", "-", fold(text).strip())
    return "-".join(phase_word(word) for word in plain.split("-"))


# The words by which a mail replaces everything sent before: ``All orders:``, ``Annulla tutto``.
#
# Without such words a mail adds to the earlier ones (setting ``second_mail``).


PHASE, EVERYTHING = "phase", "all"
"""The orders that a mail replaces: those for the open phase, or those for later phases as well."""


def _join_patterns(key: str) -> str:
    """Return the pattern of some lines in all languages; ``EARLIER`` in it is a pattern too."""
    pattern = f"(?:{'|'.join(_WORDS['fresh'][key])})"
    return pattern if key == "earlier" else pattern.replace("EARLIER", _join_patterns("earlier"))


_LINE = re.compile(
    rf"""[\s*_\-•·#"'«»“”]* (?:{_join_patterns("lead")}\b\W*)*
        (?: (?P<whole>{_join_patterns("whole")}) | (?P<cancel_all>{_join_patterns("cancel_all")})
          | (?P<cancel>{_join_patterns("cancel")}) )
        \b (?P<more>[^:.;!]*) (?P<stop>[:.;!]*) (?P<rest>.*)""",
    re.IGNORECASE | re.VERBOSE,
)

_MARKS = " \t*_-•·#\"'«»“”()[],"

_LONGEST_BEGINNING = 120  # characters of a line that can have such words


class FreshStart(NamedTuple):
    """A line that replaces what was sent before.

    ``scope`` is :data:`PHASE` or :data:`EVERYTHING`.  ``cancels``: it does so even if no order
    follows.  ``rest`` is what is left of the line: a heading or orders.  ``number`` is the line's.
    """

    scope: str
    cancels: bool
    rest: str
    number: int = 0


def read_fresh_start(line: str, board: Board) -> FreshStart | None:
    """Return a line as one that replaces what was sent before, None if it is another line.

    Besides the words themselves the line may have those of a heading (``All my orders for spring
    322``), and orders behind a colon or a full stop.
    """
    found = _LINE.fullmatch(line) if len(line) <= _LONGEST_BEGINNING else None
    if found is None:
        return None
    more, rest = found["more"].strip(_MARKS), found["rest"].strip(_MARKS)
    if more and not _are_heading_words(_WORD.findall(fold(more)), board):
        return None
    scope = PHASE if found["cancel"] else EVERYTHING
    return FreshStart(scope, not found["whole"], (f"{more}: {rest}" if more else rest).strip())


def split_fresh_start(text: str, board: Board) -> tuple[str, FreshStart | None]:
    """Return a text without the words of the first line that replaces what was sent before, and
    that line."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        start = read_fresh_start(line, board)
        if start is not None:
            lines[number - 1] = start.rest
            return "\n".join(lines), start._replace(number=number)
    return text, None
