"""Reading picks: a verb with a centre, or a line that is a centre's name and nothing else (R30).

Open this file when a sentence of a letter is taken for a pick, or a pick for a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from alexmagnum.errors import Ambiguous, NotationError, Unreadable
from alexmagnum.notation import words
from alexmagnum.notation.names import Match
from alexmagnum.notation.order_parser import OrderParser
from alexmagnum.orders import Pick
from alexmagnum.position import Position

_LINKS = ("articles", "fillers", "links", "polite", "pick_links", "wishes", "picking")
_ID = 3  # letters of an id; ids are everyday words as well (``per``, ``mal``)

_LONGEST_TAIL = 2  # the most words behind a misspelt centre


class FoundPick(NamedTuple):
    """A pick in a sentence, or the error of one; ``power`` is another power that it names."""

    pick: Pick | None = None
    error: NotationError | None = None
    notices: tuple[words.Notice, ...] = ()
    power: str = ""

    @property
    def is_word(self) -> bool:
        """Tell whether it is the error of an everyday word behind a verb: ``prendo tempo``."""
        return self.error is not None and self.error.fragment.islower()


class _Verb(NamedTuple):
    """The verb of a pick: its first token, and the token behind it and what links it."""

    start: int
    end: int
    is_wish: bool


def is_pickable(position: Position, centre: str) -> bool:
    """Return whether a centre may still be picked by some power."""
    return centre not in position.owners and position.board.provinces[centre].centre == "start"


class PickSentence:
    """A sentence that may announce a pick."""

    def __init__(self, text: OrderParser) -> None:
        self.text = text
        self.line = text.line
        self.words = text.lexicon

    # -- a verb with a centre --------------------------------------------------------------------

    def find_announced(self) -> Iterator[FoundPick]:
        """Yield the picks that a verb announces: one, several, or none."""
        at = 0
        while at < len(self.line):
            verb = self._find_verb(at)
            found = self._read_announced(verb) if verb else self._find_pick_before_verb(at)
            if found:
                yield found
                if found.pick:
                    yield from self._find_others(found.pick.centre)
                return
            at = max(verb.end if verb else 0, at + 1)

    def _find_verb(self, at: int) -> _Verb | None:
        end = self._end_of_pick(at)
        is_wish = end == at
        if is_wish:
            end = self._end_of(("wishes", "picking"), at)
        if end == at or (end == at + 1 and self.text.provinces.match(self.line, at)):
            return None  # "PER" is a province, typed as an id
        behind, is_sure = self._skip_links(end)
        return _Verb(at, behind, is_wish and not is_sure)

    def _skip_links(self, at: int) -> tuple[int, bool]:
        """Return the token behind the words between a verb and its centre.

        Also returns whether a further verb of a pick was among them.
        """
        is_sure = False
        while at < len(self.line):
            if self.line[at].text in (":", ",", "(") or self.line[at].kind in ("dash", "arrow"):
                at += 1
                continue
            end, verb_end = self._end_of(_LINKS, at), self._end_of_pick(at)
            place = self.text.provinces.match(self.line, at)
            if max(end, verb_end) == at or (place and not self._is_link_rather(place, at, end)):
                break
            is_sure = is_sure or verb_end > at or self._end_of(("picking",), at) > at
            at = max(end, verb_end)
        return at, is_sure

    def _is_link_rather(self, place: Match, at: int, end: int) -> bool:
        """Return whether a word before a centre is no place: ``per`` in ``per ora Tebe``."""
        if end > place.end:
            return True
        is_id = place.end == at + 1 and len(self.line[at].text) <= _ID
        return is_id and end > at and not self._typed(at).isupper() and self._has_place(place.end)

    def _has_place(self, at: int) -> bool:
        return any(self.text.provinces.match(self.line, i) for i in range(at, len(self.line)))

    def _typed(self, at: int) -> str:
        return self.text.source[self.line[at].start : self.line[at].end]

    def _read_announced(self, verb: _Verb) -> FoundPick | None:
        """Return the pick behind a verb; None if no centre follows, as in ``prendo tempo``."""
        if verb.end >= len(self.line):
            return None
        start = verb.end
        place = self.text.provinces.match(self.line, start)
        if place and self._is_everyday_word(place, start) and self._end_of(_LINKS, start) > start:
            return None  # "scelta per il periodo 1"
        notices: tuple[words.Notice, ...] = ()
        if place is None or (verb.is_wish and self._is_everyday_word(place, start)):
            guess = self._guess_place(verb)
            if not isinstance(guess, Match):
                return guess
            place = guess
            provinces = self.text.provinces
            if place.guessed_from:
                if self.text.settings.fuzzy == words.REFUSE:
                    error = provinces.refuse(place.guessed_from, [place.province], several=False)
                    return FoundPick(error=error)
                data = {"text": place.guessed_from, "meant": provinces.label(place.province)}
                notices = (words.Notice("misspelt", data),)
        power = self._find_subject(verb.start)
        is_doubted = self._is_doubted(verb.start) or self._is_remark(place.end)
        between = range(verb.end, place.end)  # "scelgo di non avere Tebe" takes the verb back
        is_denied = any(self._end_of(("hedges", "remarks"), i) > i for i in between)
        if power is None or is_doubted or is_denied:
            return FoundPick(error=self._refuse_sentence())
        self.text.at = place.end
        return FoundPick(Pick(place.province), None, notices, power)

    def _is_everyday_word(self, place: Match, at: int) -> bool:
        """Return whether a name is an id in small letters with more words behind it."""
        is_id = place.end == at + 1 and len(self.line[at].text) <= _ID
        return is_id and self._typed(at).islower() and place.end < len(self.line)

    def _guess_place(self, verb: _Verb) -> Match | FoundPick | None:
        """Return the centre that a misspelt or shortened name behind a verb means.

        A refusal is returned where a name is meant that fits none; None where none is meant.
        """
        start, line = verb.end, self.line
        if line[start].kind != "word":
            return None
        later = None if verb.is_wish else self._find_place_soon(start)
        if later:
            return later
        # A name that is unknown has few words behind it.
        is_name = not verb.is_wish and len(line) - start <= 3
        try:
            found = self.text.provinces.find(line, start, self.text.source)
        except NotationError as error:
            return FoundPick(error=error) if is_name else None
        can_be_picked = is_pickable(self.text.position, found.province)
        if is_name and found.guessed_from and not can_be_picked:
            return FoundPick(error=Unreadable("unknown-place", found.guessed_from))
        behind = line[self._skip_tail(found.end) :]
        if not can_be_picked or sum(token.kind == "word" for token in behind) > _LONGEST_TAIL:
            return None
        return found if not verb.is_wish or self._is_near_enough(found, start) else None

    def _find_place_soon(self, start: int) -> Match | None:
        """Return the centre that ends a sentence behind a word or two: ``la bella Babilonia``."""
        for at in range(start + 1, min(start + _LONGEST_TAIL + 2, len(self.line))):
            place = self.text.provinces.match(self.line, at)
            is_id = place is not None and place.end == at + 1 and len(self.line[at].text) <= _ID
            if place and not (is_id and not self._typed(at).isupper()):
                if self.words.is_in("whereabouts", self.line[at - 1].text):
                    return None
                return place if self._skip_tail(place.end) >= len(self.line) else None
        return None

    def _skip_tail(self, at: int) -> int:
        at = self.text.skip_signs(at)
        while (end := self._end_of(("polite", "fillers", "closings"), at)) > at:
            at = self.text.skip_signs(end)
        return at

    def _end_of(self, groups: Sequence[str], at: int) -> int:
        return max(self.words.end_of(group, self.line, at) for group in groups)

    def _end_of_pick(self, at: int) -> int:
        return words.match(self.words.commands["pick"], self.line, at)[1]

    def _is_near_enough(self, found: Match, at: int) -> bool:
        word = self.line[at].text
        names = (
            spelt[0][0] for spelt, it in self.text.provinces.names.items() if it == found.province
        )
        return len(word) >= 5 and word[0] in names

    def _find_subject(self, verb: int) -> str | None:
        """Return the other power that picks, in ``Cassandro sceglie Tebe``; "" for the writer.

        Returns None if somebody else does: ``Bruno sceglie Tebe``.
        """
        before = [token.text for token in self.line[:verb] if token.kind == "word"]
        if not before or not self.words.is_in("third_person", self.line[verb].text):
            return ""
        power = self.text.names.power(before[-1])
        if power:
            return "" if power == self.text.power else power
        is_link = any(self.words.is_in(group, before[-1]) for group in (*_LINKS, "greetings"))
        return "" if is_link else None

    def _is_doubted(self, verb: int) -> bool:
        """Return whether a sentence only asks, thinks, denies or makes a condition."""
        if "?" in self.text.source[self.line[verb].start :]:
            return True
        for group in ("hedges", "doubts"):
            for i in range(verb):
                end = self.words.end_of(group, self.line, i)
                if end > i and self._end_of(("polite", "fillers"), i) < end:
                    # "se non ti dispiace": the word may be part of a polite phrase.
                    before = range(max(i - 5, 0), i + 1)
                    return not any(self._end_of(("polite", "fillers"), j) > i for j in before)
        return False

    def _is_remark(self, behind: int) -> bool:
        """Return whether the words behind a centre show that nothing is picked.

        ``se occupata Tebe`` is a second pick rather than a condition.
        """
        if self._end_of(("remarks",), behind) > behind or words.is_unmeant(self.line, self.words):
            return True
        if behind >= len(self.line) or self._has_place(behind):
            return False
        return words.is_condition(self.text.source[self.line[behind].start :], self.words)

    def _refuse_sentence(self) -> Unreadable:
        return Unreadable("in-sentence", self.text.source.strip())

    def _find_pick_before_verb(self, at: int) -> FoundPick | None:
        """Return the pick of ``Babilonia è la mia scelta``, which begins at a token."""
        place = self.text.provinces.match(self.line, at)
        if place is None:
            return None
        behind = self.text.skip_signs(place.end)
        end = self._end_of(("picked",), behind)
        is_clause = end < len(self.line) and self.line[end].text == ","
        if end == behind or not (is_clause or self._skip_tail(end) >= len(self.line)):
            return None
        self.text.at = end
        if self._is_doubted(place.end) or "?" in self.text.source:
            return FoundPick(error=self._refuse_sentence())
        return FoundPick(Pick(place.province))

    # -- further centres -------------------------------------------------------------------------

    def _find_others(self, first: str) -> Iterator[FoundPick]:
        """Yield the further centres that stand beside a pick: ``o Tebe``, ``se occupata Tebe``."""
        at = before = self.text.at
        while at < len(self.line):
            place = self.text.provinces.match(self.line, at)
            if place is None or self._is_link_rather(place, at, self._end_of(_LINKS, at)):
                at += 1
                continue
            is_word = self._typed(at).islower() and place.end == at + 1
            is_word = is_word and not is_pickable(self.text.position, place.province)
            if place.province != first and not is_word and self._is_alternative(before, at):
                yield FoundPick(Pick(place.province))
            at = before = place.end

    def _is_alternative(self, start: int, end: int) -> bool:
        between = range(start, end)
        if any(self._end_of(("instead",), i) > i for i in between):
            return False
        if any(
            self._end_of(("alternatives",), i) > i
            or words.skip_correction(self.line, self.words, i) > i
            for i in between
        ):
            return True
        spelt = [i for i in between if self.line[i].kind == "word"]
        return all(max(self._end_of(_LINKS, i), self._end_of_pick(i)) > i for i in spelt)

    # -- a line that is a centre's name ----------------------------------------------------------

    def find_bare_centres(self) -> list[str]:
        """Return the centres of a line that names centres and nothing else."""
        text = self.text
        text.at = 0
        text.skip_bullet()
        at, centres = self._skip_name_links(text.at), list[str]()
        while at < len(self.line):
            place = text.provinces.match(self.line, at)
            if place is None:
                return []
            centres.append(place.province)
            behind = self._skip_separators(place.end, place.province)
            at = self._skip_name_links(behind)
            if at >= len(self.line) > behind:
                return []  # "A ALE D": an article is no end of a name
        return list(dict.fromkeys(centres))

    def _skip_name_links(self, at: int) -> int:
        while at < len(self.line):
            end = self._end_of(("articles", "fillers", "polite", "pick_links"), at)
            place = self.text.provinces.match(self.line, at)
            if place and end <= place.end:
                break
            is_name = end == at + 1 and self.words.is_in("first_names", self.line[at].text)
            is_closing = self._end_of(("closings",), at) > at  # "Grazie Ale" is no pick
            if end == at or is_name or is_closing:
                break
            at = end
        return at

    def _skip_separators(self, at: int, centre: str) -> int:
        """Return the token behind what stands between two names, or behind the last.

        A dash joins two names of one centre alone: ``BAB - Babilonia``.
        """
        while at < len(self.line):
            end = self._end_of(("fillers", "polite", "alternatives", "closings"), at)
            kind, text = self.line[at].kind, self.line[at].text
            is_sign = kind not in ("word", "number", "arrow") and text != "#"
            if kind == "dash" and at + 1 < len(self.line):
                again = self.text.provinces.match(self.line, at + 1)
                is_joined = again is not None and again.province == centre
                is_sign = is_joined or self.line[at + 1].kind not in ("word", "number")
            if end == at and not is_sign:
                break
            at = end if end > at else at + 1
        return at

    def is_first_name(self) -> bool:
        """Return whether the sentence is a first name, which a place may have too."""
        spelt = [token.text for token in self.line if token.kind == "word"]
        return len(spelt) == 1 and self.words.is_in("first_names", spelt[0])

    def find_near_centre(self) -> str:
        """Return the centre that a misspelt or shortened name alone on a line is near to."""
        text = self.text
        text.at = 0
        text.skip_bullet()
        at = self._skip_name_links(text.at)
        if at >= len(self.line) or self.line[at].kind != "word":
            return ""
        try:
            found = text.provinces.find(self.line, at, text.source)
        except NotationError:
            return ""
        is_alone = self._skip_tail(found.end) >= len(self.line)
        return found.province if is_alone and is_pickable(text.position, found.province) else ""


def refuse_several(text: str, centres: Sequence[str]) -> Ambiguous:
    """Return the refusal of a mail that names several centres as its pick."""
    picks = tuple(f"Pick {centre}" for centre in centres)
    return Ambiguous("several-picks", text, picks, choices=", ".join(picks))
