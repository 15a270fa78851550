"""The sections of a mail: orders for the open phase, advance orders, orders for another season.

A heading such as ``Ritirate:``, ``Builds:`` or ``Autunno 321`` stands on a line of its own, or
before a colon.  Open this to add a word that a heading may have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from alexmagnum.board.model import Board
from alexmagnum.i18n.folding import fold
from alexmagnum.position import AUTUMN, DEPLOYMENT, PICKS, SPRING, WINTER, Phase

NOW, RETREATS, OTHER = "", "retreats", "other"

_KINDS: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("ritirata", "ritirate", "retreat", "retreats"), (RETREATS, "")),
    **dict.fromkeys(("costruzioni", "costruzione", "builds", "build"), (WINTER, "Build")),
    **dict.fromkeys(("rimozioni", "rimozione", "removals", "removal"), (WINTER, "Remove")),
    **dict.fromkeys(("aggiustamenti", "adjustments", "adjustment"), (WINTER, "")),
    **dict.fromkeys(("movimenti", "movimento", "mosse", "moves", "movement"), ("movement", "")),
    **dict.fromkeys(("ordini", "orders"), (NOW, "")),
}
"""The words that announce a section: the kind of phase, and the verb of a unit without one."""

_SEASONS = {
    **dict.fromkeys(("primavera", "spring"), SPRING),
    **dict.fromkeys(("autunno", "autumn", "fall"), AUTUMN),
    **dict.fromkeys(("inverno", "winter"), WINTER),
}
_PHASE_WORDS = {**_SEASONS, "ritirate": "retreats"}

_WORD = re.compile(r"[^\W\d_]+|\d+")

_FILLERS = frozenset(
    _WORD.findall(
        """
        a ac ad and any anno bc by c d da dei del della delle di e eventuali for from gli i if il
        in l dell nell la le les mia mie miei mio my needed necessario of per possible possibili
        se serve successive the then year poi dopo after potenza power aggiuntive condizionate
        conditional anticipate anticipati advance ahead
        """
    )
)
"""Other words that a heading may have: ``Eventuali ritirate``, ``Retreats, if needed``."""

_LONGEST = 10
"""Words that a heading may have: a longer line is an order or prose."""

_PHASE_NAME = re.compile(r"(\d{1,4})-(\d|spring|autumn|winter)(-retreats)?")


@dataclass(frozen=True, slots=True)
class Part:
    """A line of a mail with the section that it belongs to.

    ``target`` is :data:`NOW`, a kind of phase still to come, or :data:`OTHER` for a season that it
    is not now; ``season`` is that season as written.  ``verb`` is what a unit without a verb means
    in this section.  A ``heading`` announces a section and orders nothing itself.
    """

    number: int
    text: str
    target: str = NOW
    verb: str = ""
    season: str = ""
    heading: bool = False


@dataclass(frozen=True, slots=True)
class _Heading:
    """What a heading names: each part is empty where it does not name it."""

    kind: str
    verb: str
    season: str
    year: int
    text: str


def split_sections(text: str, phase: Phase, board: Board) -> Iterator[Part]:
    """Return the lines of a mail, each with the section that it belongs to."""
    section = Part(0, "")
    for number, raw in enumerate(text.splitlines(), 1):
        heading, rest = _split_heading(raw, board)
        if heading is None:
            yield replace(section, number=number, text=raw)
            continue
        section = _find_section(heading, phase)
        if section.target == NOW:
            # The notation knows this phase's own headings.
            yield replace(section, number=number, text=rest if rest.strip() else raw)
            continue
        yield replace(section, number=number, text=heading.text, heading=True)
        if rest.strip():
            yield replace(section, number=number, text=rest)


def _find_section(heading: _Heading, phase: Phase) -> Part:
    """Return the section that a heading announces in a phase, as a part without text."""
    other = Part(0, "", OTHER, season=heading.text.strip(" :"))
    if _is_other_year(heading, phase) or _is_other_season(heading, phase):
        return other
    kind = heading.kind or (WINTER if heading.season == WINTER else "")
    if kind == "movement" and phase.kind == "retreats":
        return other
    if kind == RETREATS and phase.kind == "movement":
        return Part(0, "", RETREATS)
    if kind == WINTER and phase.kind in ("movement", "retreats"):
        return Part(0, "", WINTER, heading.verb)
    return Part(0, "", NOW, heading.verb if phase.kind in (WINTER, DEPLOYMENT) else "")


def _is_other_year(heading: _Heading, phase: Phase) -> bool:
    return bool(heading.year and phase.year and heading.year != phase.year)


def _is_other_season(heading: _Heading, phase: Phase) -> bool:
    """Return whether a heading names a season that is neither this one nor the winter to come."""
    if not heading.season or phase.season in (PICKS, DEPLOYMENT):
        return False
    return heading.season not in (phase.season, WINTER)


# -- reading a heading ----------------------------------------------------------------------------


def _split_heading(raw: str, board: Board) -> tuple[_Heading | None, str]:
    """Return the heading of a line and what follows it, or None and the whole line."""
    if raw.lstrip().startswith(">"):
        return None, raw
    head, colon, rest = raw.partition(":")
    heading = _read_heading(head, board, has_colon=bool(colon))
    return (heading, rest) if heading else (None, raw)


def _read_heading(text: str, board: Board, *, has_colon: bool) -> _Heading | None:
    """Return a text as a heading, None if it has a word that no heading has.

    The kind of a phase makes a heading only if it stands alone or a colon follows; a season always
    does.
    """
    folded = fold(text)
    words = _WORD.findall(folded)
    if not _are_heading_words(words, board):
        return None
    announced = [_KINDS[word] for word in words if _KINDS.get(word, (NOW, ""))[0] != NOW]
    kinds = {kind for kind, _ in announced}
    verbs = {verb for _, verb in announced}
    season = next((_SEASONS[word] for word in words if word in _SEASONS), "")
    names_kind = bool(kinds) and (has_colon or len(words) == 1)
    if not (season or names_kind) or len(kinds) > 1:
        return None
    return _Heading(
        kind=RETREATS if _names_retreats(folded) else "".join(kinds),
        verb=verbs.pop() if len(verbs) == 1 else "",
        season=season,
        year=_find_year(words),
        text=text,
    )


def has_heading_words_alone(text: str, board: Board) -> bool:
    """Return whether a text has some words, and every one of them can be part of a heading."""
    return _are_heading_words(_WORD.findall(fold(text)), board)


def _are_heading_words(words: Sequence[str], board: Board) -> bool:
    """Return whether there are some words, and every one of them can be part of a heading."""
    return 0 < len(words) <= _LONGEST and all(_is_heading_word(word, board) for word in words)


def _find_year(words: Sequence[str]) -> int:
    """Return the first number of two digits or more, 0 if there is none."""
    return next((int(word) for word in words if word.isdigit() and len(word) > 1), 0)


def _names_retreats(folded: str) -> bool:
    """Return whether a text has the name of a phase of retreats: ``322-spring-retreats``."""
    named = _PHASE_NAME.search(folded)
    return bool(named and named[3])


def _is_heading_word(word: str, board: Board) -> bool:
    if word in _KINDS or word in _SEASONS or word in _FILLERS or word.isdigit():
        return True
    return word in _list_power_words(board)


@lru_cache(maxsize=8)
def _list_power_words(board: Board) -> frozenset[str]:
    """Return the words in the names of powers."""
    return frozenset(
        word
        for power in board.powers.values()
        for name in (power.id, *power.names.values(), *power.aliases)
        for word in _WORD.findall(fold(name))
    )


def phase_word(word: str) -> str:
    """Return a folded word of a phase's name as files have it: ``primavera`` is ``spring``."""
    return _PHASE_WORDS.get(word, word)
