"""The words of the notation, the tokens of a line, and the values that reading a text returns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, wraps
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from alexmagnum.errors import NotationError
from alexmagnum.i18n.sentences import fold, load_tables
from alexmagnum.orders import Order

# Splitting a line into folded tokens, without case and accents and with one kind of dash.


DASH, ARROW = "-", ">"

_TOKEN = re.compile(
    r"(?P<arrow>[-=‐-―−]{0,9}[>→➔➜➝⇒⟶\uf0e0]+)"
    r"|(?P<dash>[-‐-―−\x96\x97]+)"  # the last two: Windows dashes in mail that says ISO-8859-1
    r"|(?P<word>(?:[^\W\d_][\u0300-\u036f]*)+|&)"
    r"|(?P<number>\d{1,4})"
    r"|(?P<sign>[()/#:.,;+])"
)

_LONG = 200  # characters from which on the tokens of a line are not cached


class Token(NamedTuple):
    """A folded word, number or sign; ``start`` and ``end`` are its place in the line."""

    text: str
    kind: str
    start: int
    end: int


def tokens(line: str) -> tuple[Token, ...]:
    """Return the tokens of a line, leaving out what is no word, number or known sign."""
    return _cached_tokens(line) if len(line) < _LONG else _tokens(line)


def _tokens(line: str) -> tuple[Token, ...]:
    found = []
    for match in _TOKEN.finditer(line):
        kind = match.lastgroup or ""
        text = {"arrow": ARROW, "dash": DASH}.get(kind) or fold(match[0])
        found.append(Token(text, kind, match.start(), match.end()))
    return tuple(found)


# A line is read several times before it is clear what it is.
_cached_tokens = lru_cache(maxsize=1024)(_tokens)


def words(text: str) -> tuple[str, ...]:
    """Return the folded words of a name: ``Coele-Syria`` is ``("coele", "syria")``."""
    return tuple(token.text for token in tokens(text) if token.kind == "word")


# The words of the notation, read from one table per language; all languages mix freely.
# A language is added by a file in ``words/``: nothing here knows which languages there are.


Phrases = Mapping[tuple[str, ...], str]
"""The meaning of each phrase; a phrase is a tuple of folded tokens."""

PHASES = ("movement", "retreats", "winter", "deployment", "picks")
COMMANDS = ("build", "remove", "disband", "retreat", "waive", "pick")
GROUPS = tuple(
    """
    via_convoy via_land via helped helped_by to_hold articles fillers header links hedges and rest
    rest_units kept keeping standing wishes picking pick_links picked polite alternatives instead
    doubts conditions corrections correction_links unmeant takebacks takeback_ends ignored_mail
    old_labels forfeits inquiries reports predicates reasons below above label_links remarks
    whereabouts third_person everyday_waive closings greetings first_names
    """.split()  # noqa: SIM905
)
"""The groups of phrases that a table may have; a missing group is empty."""

_LONGEST = 6  # the most tokens in a phrase

LONGEST_RUN = 16
"""The most tokens of a run of fillers or corrections that are passed over: nobody writes more."""


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The meaning of every word and phrase, by the place in an order where it may stand.

    - ``units``: the letter ``A``, ``F`` or ``G`` of a word for a unit;
    - ``verbs``: by phase, the verb after a unit;
    - ``commands``: the verb before a unit;
    - ``phrases``: by group, what may stand between and behind, or means nothing there;
    - ``coasts``: the code of a coast;
    - ``stems``: the verb that a word in a sentence means, by the beginning of the word;
    - ``describe``: by language, the sentences that put an order into words.
    """

    units: Phrases
    verbs: Mapping[str, Phrases]
    commands: Mapping[str, Phrases]
    phrases: Mapping[str, Phrases]
    coasts: Phrases
    stems: Mapping[str, str]
    describe: Mapping[str, Mapping[str, str]]

    @classmethod
    def load(cls, paths: Iterable[Path | Traversable]) -> Lexicon:
        """Read word tables, one per language, into one lexicon; see :func:`word_tables`."""
        tables = load_tables(paths)
        return cls(
            units=_merge(tables, "units"),
            verbs={
                phase: {**_merge(tables, "verbs"), **_merge(tables, "verbs_in", phase)}
                for phase in PHASES
            },
            commands={name: _merge(tables, "commands", only=name) for name in COMMANDS},
            phrases={name: _merge(tables, "phrases", only=name) for name in GROUPS},
            coasts=_merge(tables, "coasts"),
            stems={spelt[0]: verb for spelt, verb in _merge(tables, "stems").items()},
            describe={t["lang"]: t["describe"] for t in tables if "describe" in t},
        )

    def is_in(self, group: str, word: str) -> bool:
        """Return whether a word by itself is in a group of phrases."""
        return (word,) in self.phrases[group]

    def end_of(self, group: str, line: Sequence[Token], at: int) -> int:
        """Return the token behind the longest phrase of a group at a token; itself without one."""
        return match(self.phrases[group], line, at)[1]


def word_tables() -> tuple[Traversable, ...]:
    """Return the word tables that come with the package, one per language."""
    folder = resources.files("alexmagnum.notation").joinpath("words")
    return tuple(sorted((p for p in folder.iterdir() if p.name.endswith(".toml")), key=str))


@cache
def lexicon() -> Lexicon:
    """Return the lexicon of all languages that come with the package."""
    return Lexicon.load(word_tables())


def match(phrases: Phrases, line: Sequence[Token], at: int) -> tuple[str, int]:
    """Return the meaning of the longest phrase at a token, and the number of the token behind it.

    Returns ``("", at)`` if no phrase begins there.
    """
    spelt = tuple([token.text for token in line[at : at + _LONGEST]])
    for length in range(len(spelt), 0, -1):
        meaning = phrases.get(spelt[:length])
        if meaning is not None:
            return meaning, at + length
    return "", at


def phrase(text: str) -> tuple[str, ...]:
    """Return the folded tokens of a phrase: ``dell'attacco`` has two."""
    return tuple(token.text for token in tokens(text))


def _merge(tables: Iterable[Mapping[str, Any]], *sections: str, only: str | None = None) -> Phrases:
    merged: dict[tuple[str, ...], str] = {}
    for table in tables:
        section: Mapping[str, Any] = table
        for name in sections:
            section = section.get(name, {})
        for meaning, spellings in section.items():
            if only in (None, meaning):
                merged |= {phrase(spelt): meaning for spelt in spellings}
    return merged


# The values that reading a text returns: its lines, and what each line was read as.


ACCEPT, REFUSE = "accept", "refuse"


@dataclass(frozen=True, slots=True)
class NotationSettings:
    """The leniency of reading.

    With ``fuzzy`` set to ``"accept"`` a misspelt name is read as the one clearly nearest, with a
    notice; with ``"refuse"`` it is unreadable, with suggestions.
    """

    fuzzy: str = ACCEPT


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the writer of a valid order should know: a code and the data of its sentence."""

    code: str
    data: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text, or a part of one, as written and as read.

    It is exactly one of these: an ``order``, an ``error``, or ``prose`` (a greeting, a heading, an
    empty line).  ``replaced`` is set if a later order for the same unit counts instead, ``rest`` if
    the line is about all units that have no order of their own: they "hold", are "kept", or it is
    "unclear" which.
    ``bare`` marks an order that is only the name of a centre, which a signature may be too;
    ``signed`` prose that is one, or a closing.
    ``corrects`` marks an order that takes back the one before it (``anzi no, F TIR``).
    """

    number: int
    text: str
    power: str | None = None
    order: Order | None = None
    error: NotationError | None = None
    notices: tuple[Notice, ...] = ()
    prose: bool = False
    replaced: bool = False
    rest: str = ""
    bare: bool = False
    signed: bool = False
    corrects: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A text that was read, line by line."""

    lines: tuple[Line, ...]

    @property
    def orders(self) -> Mapping[str, tuple[Order, ...]]:
        """The orders that count, by power, in the sequence in which they are written."""
        orders: dict[str, tuple[Order, ...]] = {}
        for line in self.lines:
            if line.order is not None and line.power is not None and not line.replaced:
                orders[line.power] = (*orders.get(line.power, ()), line.order)
        return orders


# A cursor over the tokens of one line: looking at tokens, passing over them, and going back.


CursorT = TypeVar("CursorT", bound="Cursor")
Params = ParamSpec("Params")
Result = TypeVar("Result")
Parse = Callable[Concatenate[CursorT, Params], Result]


class Cursor:
    """The tokens of a line and the number of the next one to read, ``at``."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.line = tokens(source)
        self.at = 0

    def has_more(self) -> bool:
        """Return whether any token is left to read."""
        return self.at < len(self.line)

    def text(self) -> str:
        """Return the folded text of the next token; "" at the end of the line."""
        return self.line[self.at].text if self.at < len(self.line) else ""

    def is_word(self, at: int) -> bool:
        """Return whether the token at a number is a word."""
        return at < len(self.line) and self.line[at].kind == "word"

    def is_number(self) -> bool:
        """Return whether the next token is a number."""
        return self.at < len(self.line) and self.line[self.at].kind == "number"

    def is_sign(self) -> bool:
        """Return whether the next token is a move sign."""
        return self.at < len(self.line) and self.line[self.at].kind in ("dash", "arrow")

    def look_for(self, phrases: Phrases) -> str:
        """Return the meaning of the longest phrase that comes next; "" if none does."""
        return match(phrases, self.line, self.at)[0]

    def take(self, phrases: Phrases) -> str:
        """Pass over the longest phrase that comes next and return its meaning; "" if none does."""
        meaning, self.at = match(phrases, self.line, self.at)
        return meaning

    def skip_signs(self, at: int) -> int:
        """Return the number of the first token, from one on, that is a word or a number."""
        while at < len(self.line) and self.line[at].kind not in ("word", "number"):
            at += 1
        return at

    def take_any(self, *texts: str) -> bool:
        """Pass over all next tokens with one of these texts; return whether there were any."""
        start = self.at
        while self.at < len(self.line) and self.line[self.at].text in texts:
            self.at += 1
        return self.at > start

    def take_signs(self) -> bool:
        """Pass over move signs; return whether there were any."""
        start = self.at
        while self.is_sign():
            self.at += 1
        return self.at > start

    def fragment(self, start: int) -> str:
        """Return the source from the token number ``start`` up to the last token read."""
        if start >= len(self.line):
            return self.source.strip()
        return self.source[self.line[start].start : self.line[max(start, self.at - 1)].end]


def backtrack(parse: Parse[CursorT, Params, Result]) -> Parse[CursorT, Params, Result]:
    """Decorate a method that reads an optional part of a line.

    When the method returns nothing (a false value), the cursor goes back to where it was.
    """

    @wraps(parse)
    def parse_or_go_back(self: CursorT, /, *args: Params.args, **options: Params.kwargs) -> Result:
        start = self.at
        result = parse(self, *args, **options)
        if not result:
            self.at = start
        return result

    return parse_or_go_back


def look_ahead(parse: Parse[CursorT, Params, Result]) -> Parse[CursorT, Params, Result]:
    """Decorate a method that only looks at what follows: the cursor always goes back."""

    @wraps(parse)
    def parse_and_go_back(self: CursorT, /, *args: Params.args, **options: Params.kwargs) -> Result:
        start = self.at
        result = parse(self, *args, **options)
        self.at = start
        return result

    return parse_and_go_back


# Telling orders that their writer doubts, or takes back, from orders that are meant.


def is_unmeant(line: Sequence[Token], words: Lexicon) -> bool:
    """Return whether a sentence says that it is a joke, or that nothing is decided."""
    return any(words.end_of("unmeant", line, i) > i for i in range(len(line)))


def is_condition(rest: str, words: Lexicon) -> bool:
    """Return whether what stands behind an order makes it a condition or an alternative.

    ``unless SEL moves`` and ``o SIW`` do; ``se possibile`` and ``ma non A SIW`` do not.
    """
    line, at = tokens(rest), 0
    while at < len(line) and line[at].kind != "word":
        at += 1
    end = words.end_of("conditions", line, at)
    if end == at:
        return False
    # "se non ti dispiace" begins like a condition and is none.
    return all(words.end_of(group, line, end - 1) <= end for group in ("polite", "fillers"))


def skip_correction(line: Sequence[Token], words: Lexicon, start: int = 0) -> int:
    """Return the token behind the words that take back what stands before them.

    ``anzi no``, ``scusate, volevo dire`` and ``no wait`` are such words; without any, the token
    itself is returned.
    """
    at, is_correction = start, False
    while at < min(len(line), start + LONGEST_RUN):
        end = words.end_of("corrections", line, at)
        is_correction = is_correction or end > at
        end = max(end, words.end_of("correction_links", line, at))
        if end == at and not (at > start and line[at].text in (",", ":", ".", "!")):
            break
        at = max(end, at + 1)
    return at if is_correction else start
