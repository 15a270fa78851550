"""The parts of a mail: orders for the open phase, orders sent ahead, orders for another season.

A heading such as ``Ritirate:``, ``Builds:`` or ``Autunno 321`` stands on a line of its own, or
before a colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
"""What a word of a heading announces: a kind of phase, and the verb of what stands bare."""

_SEASONS = {
    **dict.fromkeys(("primavera", "spring"), SPRING),
    **dict.fromkeys(("autunno", "autumn", "fall"), AUTUMN),
    **dict.fromkeys(("inverno", "winter"), WINTER),
}
_PHASE_WORDS = {**_SEASONS, "ritirate": "retreats"}

_FILLERS = frozenset(
    {
        *("a", "ac", "ad", "and", "any", "anno", "bc", "by"),
        *("c", "d", "da", "dei", "del", "della", "delle", "di"),
        *("e", "eventuali", "for", "from", "gli", "i", "if", "il"),
        *("in", "la", "le", "les", "mia", "mie", "miei", "mio"),
        *("my", "needed", "necessario", "of", "per", "possible", "possibili", "se"),
        *("serve", "successive", "the", "then", "year", "poi", "dopo", "after"),
        *(
            "potenza",
            "power",
            "aggiuntive",
            "condizionate",
            "conditional",
            "anticipate",
            "anticipati",
            "advance",
        ),
        *("ahead",),
    }
)
"""Words that a heading may have besides: ``Eventuali ritirate``, ``Retreats, if needed``."""

_ID = re.compile(r"(\d{1,4})-(\d|spring|autumn|winter)(-retreats)?")
_WORD = re.compile(r"[^\W\d_]+|\d+")


@dataclass(frozen=True, slots=True)
class Part:
    """A line of a mail and what it belongs to.

    ``target`` is :data:`NOW`, a kind of phase that is still to come, or :data:`OTHER` for a
    season that it is not; then ``season`` is that one as written.  ``verb`` is what a bare unit
    below the heading means; ``heading``: the line announces and orders nothing itself.
    """

    number: int
    text: str
    target: str = NOW
    verb: str = ""
    season: str = ""
    heading: bool = False


@dataclass(frozen=True, slots=True)
class _Heading:
    kind: str
    verb: str
    season: str
    year: int
    text: str


def split_sections(text: str, phase: Phase, board: Board) -> Iterator[Part]:
    """The lines of a mail, each with what it belongs to."""
    current = Part(0, "")
    for number, raw in enumerate(text.splitlines(), 1):
        head, rest = _heading(raw, board)
        if head is None:
            yield Part(number, raw, current.target, current.verb, current.season)
            continue
        current = _announced(head, phase)
        if current.target == NOW:
            # The notation knows this phase's own headings; what stands bare gets its verb.
            yield Part(number, rest if rest.strip() else raw, NOW, current.verb)
            continue
        yield Part(number, head.text, current.target, current.verb, current.season, heading=True)
        if rest.strip():
            yield Part(number, rest, current.target, current.verb, current.season)


def _announced(head: _Heading, phase: Phase) -> Part:
    """What the lines below a heading belong to in a phase."""
    if _is_other_year(head, phase) or _is_other_season(head, phase):
        return Part(0, "", OTHER, season=head.text.strip(" :"))
    kind = head.kind or (WINTER if head.season == WINTER else "")
    verb = head.verb
    if kind == RETREATS and phase.kind == "movement":
        return Part(0, "", RETREATS)
    if kind == WINTER and phase.kind in ("movement", "retreats"):
        return Part(0, "", WINTER, verb)
    if kind == "movement" and phase.kind == "retreats":
        return Part(0, "", OTHER, season=head.text.strip(" :"))
    return Part(0, "", NOW, verb if phase.kind in (WINTER, DEPLOYMENT) else "")


def _is_other_year(head: _Heading, phase: Phase) -> bool:
    return bool(head.year and phase.year and head.year != phase.year)


def _is_other_season(head: _Heading, phase: Phase) -> bool:
    """Is a season named that is neither this one nor the winter to come?"""
    if not head.season or phase.season in (PICKS, DEPLOYMENT):
        return False
    return head.season not in (phase.season, WINTER)


def _heading(raw: str, board: Board) -> tuple[_Heading | None, str]:
    """A line as a heading, and what follows it on the line; None if it is none."""
    if raw.lstrip().startswith(">"):
        return None, raw
    head, colon, rest = raw.partition(":")
    found = _as_heading(head, board, announced=bool(colon))
    return (found, rest if colon else "") if found else (None, raw)


def _as_heading(text: str, board: Board, *, announced: bool) -> _Heading | None:
    """A text made of nothing but the words of headings; ``announced`` if a colon follows."""
    folded = fold(text)
    by_id = _ID.search(folded)
    sentences = _WORD.findall(folded)
    if not sentences or len(sentences) > 10:
        return None
    kinds = [_KINDS[word] for word in sentences if word in _KINDS]
    seasons = [_SEASONS[word] for word in sentences if word in _SEASONS]
    years = [int(word) for word in sentences if word.isdigit() and len(word) > 1]
    if not all(_may_stand(word, board) for word in sentences):
        return None
    told = [kind for kind in kinds if kind[0]]
    if not (seasons or (told and (announced or len(sentences) == 1))):
        return None
    if len({kind for kind, _ in told}) > 1:
        return None
    kind, verb = told[-1] if told else ("", "")
    if len({verb for _, verb in told}) > 1:
        verb = ""
    if by_id and by_id[3]:
        kind = RETREATS
    return _Heading(kind, verb, seasons[0] if seasons else "", years[0] if years else 0, text)


def _may_stand(word: str, board: Board) -> bool:
    if word in _KINDS or word in _SEASONS or word in _FILLERS or word.isdigit():
        return True
    return word in _names(board)


@lru_cache(maxsize=8)
def _names(board: Board) -> frozenset[str]:
    """The words in the names of powers."""
    return frozenset(
        word
        for power in board.powers.values()
        for name in (power.id, *power.names.values(), *power.aliases)
        for word in _WORD.findall(fold(name))
    )


def phase_word(word: str) -> str:
    """A folded word of a phase's name as the desk writes it: ``primavera`` is ``spring``."""
    return _PHASE_WORDS.get(word, word)
