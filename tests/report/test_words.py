"""The catalogues are complete and in step: every code has a sentence in every language."""

import ast
import re
import string
import tomllib
from collections import Counter
from fnmatch import filter as filter_names
from fnmatch import fnmatch
from functools import cache
from html import unescape
from importlib import resources
from pathlib import Path

import pytest
import yaml

import alexmagnum
from alexmagnum.board.model import SWITCHES
from alexmagnum.game.settings import SETTINGS
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge import legality
from alexmagnum.judge.outcome import RESULTS
from alexmagnum.report.context import GM
from alexmagnum.report.phase_report import SWITCH, format_house_rules
from tests.report import phase_contexts
from tests.sizes import one_in

PACKAGE = Path(alexmagnum.__file__).parent

ASSEMBLED = yaml.safe_load(Path(__file__).with_name("assembled_codes.yaml").read_text("utf-8"))
"""The codes that the program puts together from a word of its data."""


def _fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@cache
def _nodes(path: Path) -> list[ast.Constant | ast.Call]:
    """The texts and calls of a module."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [node for node in nodes if isinstance(node, (ast.Constant, ast.Call))]


def _codes_in(*rooms: str) -> set[str]:
    """The first text argument of every Reason, BadFile... and ``format`` call in some rooms."""
    position = {"Reason": 0, "BadFile": 1, "bad": 1, "format": 0, "_stopped": 0, "NotationError": 0}
    position |= {"Unreadable": 0, "Ambiguous": 0, "Impossible": 0, "Notice": 0, "Fault": 1}
    position |= {"GameError": 0, "say": 0}
    codes = set()
    for room in rooms:
        if room == "notation":  # its describer says phrases of its own tables
            position = {name: at for name, at in position.items() if name != "format"}
        modules = (PACKAGE / room).rglob("*.py")
        for path, node in ((module, node) for module in modules for node in _nodes(module)):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name == "say" and path.name.startswith("balance"):
                    continue  # its codes begin with "balance-"
                at = position.get(name, -1)
                if 0 <= at < len(node.args):
                    argument = node.args[at]
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        codes.add(argument.value)
    return codes


def _codes_of_faults() -> set[str]:
    """The texts that the checks of orders return."""
    trees = (ast.parse((PACKAGE / "judge" / f"{n}.py").read_text()) for n in ("legality", "sheet"))
    returned = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Return))
    parts = (part for node in returned for part in ast.walk(node) if isinstance(part, ast.Constant))
    codes = {part.value for part in parts if isinstance(part.value, str) and part.value.islower()}
    assert {"not-adjacent", "not-yours"} <= codes
    return codes


def _literals() -> set[str]:
    """Every text that stands in the package's modules and templates as a whole."""
    texts = set()
    for node in (node for path in PACKAGE.rglob("*.py") for node in _nodes(path)):
        if isinstance(node, ast.Constant):
            texts.add(node.value)
    for path in (*PACKAGE.rglob("*.j2"), *PACKAGE.rglob("pages.toml")):
        texts |= set(re.findall(r'"([^"]*)"', path.read_text(encoding="utf-8")))
    return {text for text in texts if isinstance(text, str)}


def test_every_language_has_the_same_codes_with_the_same_data() -> None:
    english = load_sentences("en").templates
    for lang in LANGUAGES:
        other = load_sentences(lang).templates
        assert other.keys() == english.keys()
        for code, sentence in english.items():
            assert _fields(other[code]) == _fields(sentence), code
    for sentence in load_sentences("it").templates.values():  # "dislodged", and "disbanded"
        assert not re.search(r"\bsband", sentence, re.IGNORECASE)


def test_every_code_in_the_program_has_a_sentence() -> None:
    rooms = (path.name for path in PACKAGE.iterdir() if path.is_dir())
    codes = _codes_in(*sorted(rooms, key="notation".__eq__))
    codes |= legality.INVALID_CODES | _codes_of_faults()
    assert codes - load_sentences("en").templates.keys() == set()


def test_every_sentence_is_used() -> None:
    """By its code as it stands, or by one of the patterns; and no pattern is idle."""
    left = load_sentences("en").templates.keys() - _literals()
    assert [code for code in sorted(left) if not any(fnmatch(code, p) for p in ASSEMBLED)] == []
    assert [pattern for pattern in ASSEMBLED if not filter_names(left, pattern)] == []


CATALOGUES = resources.files("alexmagnum.i18n").joinpath("catalogues")
REPORT = Path(alexmagnum.__file__).parent / "report"
SILENT = ("timezone", "lang", "slots", "pictures", "sandbox", "next_deadline", "grace", "misses")
"""Settings that are no rule of the table, or say nothing where they are empty: every report and
letter names the deadline itself."""
CHANGES = ("unit", "result", "owner", "nobility", "dislodged", "winner")


def _put_together() -> set[str]:
    """The codes that no source names in full."""
    return {
        *(f"change-{what}" for what in CHANGES),
        *(f"result-{result}" for result in (*RESULTS, "disbanded", "removed")),
        *(f"house-slot-{day}" for day in range(7)),
        *(
            f"house-{name.replace('_', '-')}-{word.partition(':')[0]}"
            for name, s in SETTINGS.items()
            if name not in SILENT
            for word in s.words
            if not s.private
        ),
        *(
            f"house-{name.replace('_', '-')}"
            for name, s in SETTINGS.items()
            if s.high and not s.private
        ),
        *(f"switch-{name.replace('_', '-')}" for name, s in SWITCHES.items() if not s.words),
        *(f"switch-{n.replace('_', '-')}-{word}" for n, s in SWITCHES.items() for word in s.words),
        "house-misses-standby",
        "house-misses-disorder",
        "ahead-retreats",
        "ahead-winter",
        *(f"section-{key}" for key in ("awards", "dislodged", "lost", "eliminated", "end")),
    }


def _read_codes(name: str, lang: str) -> list[str]:
    text = CATALOGUES.joinpath(f"{name}.{lang}.toml").read_text(encoding="utf-8")
    return list(tomllib.loads(text))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_put_together_has_a_sentence_and_none_stands_in_two_catalogues(
    lang: str,
) -> None:
    """They are looked up together: the second would take the place of the first."""
    assert _put_together() - load_sentences(lang).templates.keys() == set()
    ending = f".{lang}.toml"
    names = [f.name.removesuffix(ending) for f in CATALOGUES.iterdir() if f.name.endswith(ending)]
    count = Counter(code for name in names for code in _read_codes(name, lang))
    assert [code for code, times in count.items() if times > 1] == []


def test_every_sentence_of_the_catalogue_of_a_phase_is_used() -> None:
    sources = [*REPORT.glob("*.py"), *REPORT.glob("templates/*.j2")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    quoted = {*re.findall(r'"([\w-]+)"', text)}
    quoted |= {f"{kind}-{key}" for kind in ("section", "column", "fact") for key in quoted}
    assert {*_read_codes("phase_report", "en")} - _put_together() - quoted == set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_house_rule_and_switch_is_a_sentence_whatever_it_is_set_to(lang: str) -> None:
    sentences = load_sentences(lang)
    for name, setting in SETTINGS.items():
        for value in setting.words or (setting.default,):
            lines = list(format_house_rules({name: value}, sentences))
            assert len(lines) == (not (name in SILENT or setting.private)), (name, value)
    for name, switch in SWITCHES.items():
        for value in switch.words or (str(switch.low),):
            (line,) = format_house_rules({SWITCH + name: value}, sentences)
            assert "_" not in line


def test_weekly_deadlines_take_the_place_of_days() -> None:
    rules = {"days_movement": "7", "slots": "mon 19:00, gio 9"}
    assert list(format_house_rules(rules, load_sentences("it"))) == [
        "Scadenze di ogni settimana: lunedì ore 19:00, giovedì ore 09:00."
    ]


@pytest.mark.parametrize("name", one_in(4, sorted(phase_contexts.ALL)))
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_report_says_a_code_two_dots_or_a_word_that_is_read_two_ways(
    lang: str, name: str
) -> None:
    """Neither codes of the catalogues nor names of settings; in Italian no results in English."""
    codes = {code for code in load_sentences(lang).templates if "-" in code}
    codes |= {setting for setting in SETTINGS if "_" in setting}
    codes |= {*SWITCHES} - {"picks", "nobility", "express"} | (RESULTS if lang == "it" else set())
    for recipient in (None, phase_contexts.second_power(name), GM):
        texts = phase_contexts.all_formats(phase_contexts.ALL[name](), recipient, lang, opened=True)
        for form, text in texts.items():
            said = _said(text)
            assert form == "json" or codes.isdisjoint(re.findall(r"[\w-]+", said)), (
                recipient,
                form,
            )
            assert not re.search(r"(?<!\.)\.\.(?!\.)", said), (recipient, form)
            assert lang != "it" or not re.search(r"\bsband", text, re.IGNORECASE), (recipient, form)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_abbreviation_at_the_end_of_a_sentence_has_one_dot(lang: str) -> None:
    sentences = load_sentences(lang)
    for phase in ("Schieramento 323 a.C.", "Winter 322 B.C."):
        text = sentences.format("letter-open", phase=phase, deadline=phase)
        assert (text.count(".."), text.endswith(phase)) == (0, True)
        text = sentences.format("letter-taken-is", phase=phase)
        assert ".." not in text
        assert f"{phase} " in text
        assert sentences.format("no-such-power", text="x..", powers="a..").endswith("a..")


def _said(text: str) -> str:
    """What a reader reads of a text, the turn file to be copied apart."""
    shown = re.sub(r"<(style|script|pre)\b.*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL)
    return unescape(shown).partition("map: ")[0]
