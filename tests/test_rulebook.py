"""The rulebook is complete and true: headings, switches and maps are compared, examples played."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from alexmagnum.board import load_board
from alexmagnum.board.model import SWITCHES, Board
from alexmagnum.judge import Outcome, adjudicate
from alexmagnum.judge.outcome import DESTROYED, RESULTS, STANDS
from alexmagnum.notation import read_order, write_order
from alexmagnum.orders import Order
from alexmagnum.position import Dislodged, Phase, Position, Unit, parse_phase

RULINGS = load_board("alexmagnum").rulings
DOCS = Path(__file__).parents[1] / "docs"
PAGES = {
    "en": (DOCS / "rules.md").read_text(encoding="utf-8"),
    "it": (DOCS / "rules.it.md").read_text(encoding="utf-8"),
}
SWITCHED: Mapping[str, Mapping[str, int]] = {"R26": {"major_city_capacity": 2}}
"""Rulings whose examples are played with a switch set otherwise; the page says so."""

HEADING = re.compile(r"^### (R\d+a?) \S", re.MULTILINE)
PART = r"^#+ (?:R?\d+a?\b)?|^\*\*Dec(?=ided\.|iso\.)"
EXAMPLE = re.compile(r"(?:^ {4}[A-Z]{3}  .*\n)+", re.MULTILINE)
EXAMPLE_LINE = re.compile(r" {4}(?P<power>[A-Z]{3})  (?P<text>\S.*?) {2,}(?P<result>\S.*)")
FATE = re.compile(r"(\w+)(?: (?:as|come) (\S+))?(?:, (?:open|aperti): (.+))?")
UNIT = re.compile(r"\b([AFG]) ([A-Z]{3})\b(?:#(\d))?")
AN_ORDER = re.compile(r"[AFG] [A-Z]{3}\b.*|(?:Build|Remove|Disband|Pick) .+|Waive")

both_languages = pytest.mark.parametrize("language", PAGES)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an example: an order and its fate (``result``, in the words of the case files),
    where the unit ends, and where it may retreat (``open``); empty where not shown."""

    power: str
    text: str
    result: str
    place: str = ""
    open: tuple[str, ...] = ()

    @property
    def unit(self) -> Unit:
        match = UNIT.match(self.text)
        assert match, self.text
        return Unit(self.power, match[1], match[2], number=int(match[3] or 1))


@dataclass(frozen=True, slots=True)
class Example:
    """Lines that stand together, under the heading of a ruling (empty: before the first)."""

    ruling: str
    lines: tuple[Line, ...]

    def __str__(self) -> str:
        return f"{self.ruling}: {self.lines[0].text}"

    @property
    def position(self) -> Position:
        board = load_board("alexmagnum").with_rules(SWITCHED.get(self.ruling, {}))
        return Position(board, Phase(318, "spring"), tuple(line.unit for line in self.lines))


@cache
def board() -> Board:
    return load_board("alexmagnum")


def rows(language: str, width: int) -> list[list[str]]:
    """Return the cells of every row of a table with so many columns, their heads included."""
    found = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGES[language].splitlines()
        if line.startswith("|")
    ]
    return [cells for cells in found if len(cells) == width]


def code(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


@cache
def vocabulary(language: str) -> Mapping[str, str]:
    """Return the words that a page has for results, as case files have them."""
    if language == "en":
        return {word: word for word in RESULTS}
    pairs = [code(" ".join(cells[:2])) for cells in rows(language, 4)]
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2 and pair[1] in RESULTS}


def examples(language: str) -> Iterator[Example]:
    page = PAGES[language]
    for block in EXAMPLE.finditer(page):
        before = HEADING.findall(page[: block.start()])
        lines = tuple(example_line(text, language) for text in block[0].splitlines())
        yield Example(before[-1] if before else "", lines)


def example_line(text: str, language: str) -> Line:
    line = EXAMPLE_LINE.fullmatch(text)
    assert line, text
    fate = FATE.fullmatch(line["result"])
    assert fate, text
    result = vocabulary(language)[fate[1]]
    return Line(line["power"], line["text"], result, fate[2] or "", tuple((fate[3] or "").split()))


EXAMPLES = tuple(examples("en"))


@both_languages
def test_every_ruling_has_one_heading_in_order(language: str) -> None:
    assert tuple(HEADING.findall(PAGES[language])) == RULINGS


def test_both_languages_have_the_same_parts() -> None:
    marks = {language: re.findall(PART, page, re.MULTILINE) for language, page in PAGES.items()}
    assert marks["en"] == marks["it"]


def test_both_languages_have_the_same_examples() -> None:
    assert tuple(examples("it")) == EXAMPLES


def test_both_languages_quote_the_same_orders() -> None:
    assert quoted_orders("en") == quoted_orders("it")


NUMERALS = {  # "two" is left out: Italian says it where English has "both" or nothing
    "en": ["three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
    "it": ["tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci", "undici", "dodici"],
}


def stated_facts(part: str, language: str) -> set[str]:
    """Return the numbers, rulings, switches, provinces and powers that a part of a page names."""
    words = set(re.findall(r"\w+", part.lower()))
    numerals = {str(n) for n, word in enumerate(NUMERALS[language], 3) if word in words}
    numbers = set(re.findall(r"(?<![\w#.])\d+(?!\w)", part))
    ids = set(re.findall(r"\bR\d+a?\b|\b[A-Z]{3}\b", part))
    switches = {name for name in SWITCHES if re.search(f"`{name}\\b", part)}
    names = {each.names[language]: each.id for each in board().provinces.values()}
    names |= {each.names[language]: each.id for each in board().powers.values()}
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    named = re.findall(rf"\b(?:{'|'.join(longest_first)})\b", part)
    return numbers | numerals | ids | switches | {names[name] for name in named}


def test_both_languages_state_the_same_facts_in_each_part() -> None:
    """A clause that is in one language alone, or another number in it, is found here."""
    parts = {lang: re.split(f"(?m)(?={PART})", page) for lang, page in PAGES.items()}
    for english, italian in zip(parts["en"], parts["it"], strict=True):
        assert stated_facts(english, "en") == stated_facts(italian, "it"), english


@both_languages
def test_every_word_for_a_result_is_explained(language: str) -> None:
    table = set(code("".join("".join(cells) for cells in rows(language, 4 - (language == "en")))))
    assert set(vocabulary(language)) <= table
    assert set(vocabulary(language).values()) == RESULTS


@both_languages
def test_every_link_leads_somewhere(language: str) -> None:
    page = PAGES[language]
    anchors = {
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    }
    for target in re.findall(r"\]\(([^)]+)\)", page):
        if target.startswith("#"):
            assert target[1:] in anchors, target
        else:
            assert (DOCS / target).is_file(), target


@both_languages
def test_the_table_of_switches(language: str) -> None:
    table = [cells for cells in rows(language, 5) if code(cells[0])]
    listed = {code(name)[0]: (code(value)[0], ruling) for name, value, _, ruling, _ in table}
    rules = board().rules
    assert list(listed) == list(SWITCHES)
    for name, switch in SWITCHES.items():
        assert listed[name] == (str(getattr(rules, name)), switch.ruling)
    assert [cells[2] for cells in table] == [switch.allowed for switch in SWITCHES.values()]


@both_languages
def test_switches_are_named_with_their_defaults(language: str) -> None:
    words = "Opzion[ei]" if language == "it" else "Switch(?:es)?"
    named = re.findall(rf"^{words}: (.+(?:\n.+)*)", PAGES[language], re.MULTILINE)
    pairs = [item.split(": ") for line in named for item in code(line) if ": " in item]
    assert {name for name, _ in pairs} == set(SWITCHES), "a ruling names its switch in such a line"
    for name, value in pairs:
        assert value == str(getattr(board().rules, name)), name


@both_languages
def test_the_courses_of_the_rivers(language: str) -> None:
    listed = {name: course.split(" - ") for name, course in rows(language, 2) if " - " in course}
    assert listed == {r.names[language]: list(r.course) for r in board().rivers}


@both_languages
def test_the_centres(language: str) -> None:
    provinces = board().provinces
    listed: dict[str, list[str]] = {}
    for group, names in rows(language, 2):
        if not (kind := re.fullmatch(r"(.+) \((\d+)\)", group)):
            continue
        pairs = [re.sub(r" \(.*", "", pair).split(" ", 1) for pair in names.split(", ")]
        assert len(pairs) == int(kind[2]), group
        assert all(provinces[at].names[language] == name for at, name in pairs), group
        listed[kind[1]] = [at for at, _ in pairs]
    major, *_, independent = listed.values()
    all_listed = [at for group in listed.values() for at in group]

    assert sorted(all_listed) == sorted(p.id for p in provinces.values() if p.centre)
    assert set(major) == {p.id for p in provinces.values() if p.major}
    assert set(independent) == {p.id for p in provinces.values() if p.centre == "independent"}


def quoted_orders(language: str) -> list[str]:
    """Return what a page quotes in its sentences and tables that looks like an order."""
    return [text for text in code(PAGES[language]) if AN_ORDER.fullmatch(text)]


def readable_in(text: str) -> Position:
    """Return a position in which an order can be given: all units that it names are there."""
    named = {(kind, at, int(number or 1)) for kind, at, number in UNIT.findall(text)}
    seas = {at for at in re.findall(r"\b[A-Z]{3}\b", text) if f"{at}#" in text}
    named |= {("F", at, number) for at in seas for number in (1, 2, 3)}
    units = tuple(Unit("TOL", kind, at, number=n) for kind, at, n in sorted(named))
    if text.startswith("Pick"):
        return Position(board(), parse_phase("323-1"), ())
    if text.startswith("Build"):
        return Position(board(), parse_phase("318-winter"), ())
    if text.startswith("Disband"):
        lost = tuple(Dislodged(unit, Unit("SEL", "A", "TEB"), ()) for unit in units)
        return Position(board(), parse_phase("318-spring-retreats"), (), dislodged=lost)
    return Position(board(), parse_phase("318-spring"), units)


@pytest.mark.parametrize("text", sorted(set(quoted_orders("en"))))
def test_every_order_quoted_is_notation(text: str) -> None:
    if UNIT.fullmatch(text):  # a unit alone: a deployment, or just the unit
        assert text[2:5] in board().provinces
        return
    assert write_order(read_order(text, readable_in(text), "TOL")) == text


def test_every_moving_ruling_has_an_example() -> None:
    wanted = RULINGS[RULINGS.index("R8") : RULINGS.index("R24") + 1]
    assert set(wanted) <= {example.ruling for example in EXAMPLES}


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_every_example_comes_out_as_it_says(example: Example) -> None:
    position = example.position
    assert not position.problems()
    orders: dict[str, list[Order]] = {}
    for line in example.lines:
        if line.power != "NEU":
            orders.setdefault(line.power, []).append(read_order(line.text, position, line.power))
    outcome = adjudicate(position, orders)

    results = {entry.unit: entry.result for entry in outcome.results}
    for line in example.lines:
        if line.power == "NEU":
            gone = line.unit in outcome.destroyed
            assert line.result == (DESTROYED if gone else STANDS), line.text
        else:
            assert results[line.unit] == line.result, line.text
        check_whereabouts(line, outcome)


def check_whereabouts(line: Line, outcome: Outcome) -> None:
    """Return where the unit of a line ends, and where it may retreat, if the line says so."""
    if line.place:
        ended = [unit for unit in outcome.units if unit.power == line.power]
        assert any(line.place in (unit.place, unit.location) for unit in ended), line.text
    if line.open:
        (lost,) = [d for d in outcome.dislodged if d.unit == line.unit]
        assert set(lost.retreats) == set(line.open), line.text


def written(phase: str, text: Mapping[str, list[str]], *units: Unit, **owns: str) -> Outcome:
    """Return the outcome of a phase in which each power orders so, and owns the centres named."""
    owners = {at: power for power, listed in owns.items() for at in listed.split()}
    position = Position(board(), parse_phase(phase), units, owners=owners)
    orders = {
        power: [read_order(line, position, power) for line in lines]
        for power, lines in text.items()
    }
    return adjudicate(position, orders)


@both_languages
def test_the_picks_of_the_table(language: str) -> None:
    table = [cells for cells in rows(language, 5) if cells[0] in "123"]
    periods = [
        {power: code(cell) for power, cell in zip(("TOL", "SEL", "CAN"), cells[1:4], strict=True)}
        for cells in table
    ]
    picks = [written(f"323-{i}", text, CAN="LAH").picks for i, text in enumerate(periods, 1)]
    assert [len(p.awards) for p in picks if p] == [3, 0, 3]
    assert [p.contested for p in picks if p] == [(), ("TIR",), ()]
    assert [set(p.void) & {"TOL", "SEL", "CAN"} for p in picks if p] == [set(), {"CAN"}, set()]


@both_languages
def test_the_deployment_of_the_example(language: str) -> None:
    ordered, placed = "`A ALE`, `A MEN`, `F CRE`", "`G ALE`, `A MEN`, `F CRE`"
    sentence = re.escape(ordered) + r" \w+ " + re.escape(placed)
    outcome = written("323-6", {"TOL": code(ordered)}, TOL="ALE MEN CRE")
    assert re.search(sentence.replace(r"\ ", r"\s"), PAGES[language].replace("\n", " "))
    assert sorted(str(unit) for unit in outcome.units) == sorted(code(placed))


@both_languages
def test_the_civil_disorder_of_the_example(language: str) -> None:
    units = [Unit("AUT", text[0], text[2:]) for text in ("A SIR", "A DAM", "F EGI")]
    example = re.search(r"AUT (?:owns|possiede)[^#]+", PAGES[language])
    assert example
    told = [text for text in code(example[0]) if AN_ORDER.fullmatch(text)]
    assert told[:3] == [str(unit) for unit in units]
    assert told[3:] == [str(unit) for unit in written("318-winter", {}, *units, AUT="SIR").removed]
