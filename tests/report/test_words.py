"""The catalogues are complete and in step: every code has a sentence in every language."""

from __future__ import annotations

import ast
import re
import string
from fnmatch import filter as filter_names
from fnmatch import fnmatch
from pathlib import Path

import pytest

import alexmagnum
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge import legality

PACKAGE = Path(alexmagnum.__file__).parent

ASSEMBLED = (
    "event-*",
    "sandbox-*",
    "site-for-*",
    "*-agreed",
    "*-phase",
    "action-*",
    "ahead-*",
    "answer-*",
    "balance-*",  # tests/report/test_balance_report.py looks closer
    "aside-*",
    "centre-*",
    "change-*",
    "column-*",
    "desk-agreed-*",
    "desk-bot-*",
    "desk-deadlines-from-*",
    "desk-lines-*",
    "desk-pace-*",
    "desk-restored-*",
    "desk-text-*",
    "desk-vote-*",
    "distance-*",
    "end-*",
    "fact-*",
    "final-*",
    "house-*",
    "inbox-state-*",
    "ledger-*",
    "letter-*",
    "month-*",
    "not-*",
    "note-*",
    "options-*",
    "outbox-column-*",
    "outbox-kind-*",
    "outbox-state-*",
    "play-*",
    "portage-*",
    "press-to-*",
    "receipt-*",
    "result-*",
    "section-*",
    "setting-*",
    "sign-*",
    "switch-*",
    "terrain-*",
    "verdict-*",
    "weekday-*",
    "whatif-left-*",
    "whatif-silent-*",
)
"""The codes that the program puts together from a word of its data."""


def _fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def _codes_in(*rooms: str) -> set[str]:
    """The first text argument of every Reason, BadFile... and ``format`` call in some rooms."""
    position = {"Reason": 0, "BadFile": 1, "bad": 1, "format": 0, "_stopped": 0, "NotationError": 0}
    position |= {"Unreadable": 0, "Ambiguous": 0, "Impossible": 0, "Notice": 0, "Fault": 1}
    position |= {"GameError": 0, "say": 0}
    codes = set()
    for room in rooms:
        if room == "notation":  # its describer says phrases of its own tables
            position = {name: at for name, at in position.items() if name != "format"}
        for path in sorted((PACKAGE / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call):
                    continue
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
    for path in PACKAGE.rglob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        texts |= {node.value for node in nodes if isinstance(node, ast.Constant)}
    for path in PACKAGE.rglob("*.j2"):
        texts |= set(re.findall(r'"([^"]*)"', path.read_text(encoding="utf-8")))
    return {text for text in texts if isinstance(text, str)}


def test_every_language_has_the_same_codes_with_the_same_data() -> None:
    english = load_sentences("en").templates
    for lang in LANGUAGES:
        other = load_sentences(lang).templates

        assert other.keys() == english.keys()
        for code, sentence in english.items():
            assert _fields(other[code]) == _fields(sentence), code


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_in_the_program_has_a_sentence(lang: str) -> None:
    codes = _codes_in(
        "judge", "cases", "play", "game", "cli", "report", "notation", "board", "mail", "whatif"
    )
    codes |= legality.INVALID_CODES | _codes_of_faults()

    assert codes - load_sentences(lang).templates.keys() == set()


def test_every_sentence_is_used() -> None:
    """By its code as it stands, or by one of the patterns; and no pattern is idle."""
    left = load_sentences("en").templates.keys() - _literals()
    idle = [pattern for pattern in ASSEMBLED if not filter_names(left, pattern)]

    assert [code for code in sorted(left) if not any(fnmatch(code, p) for p in ASSEMBLED)] == []
    assert idle == []


def test_no_report_prints_a_word_that_italians_read_two_ways() -> None:
    """ "Sbandata" is "dislodged" on one site and "disbanded" at the table: never printed."""
    for sentence in load_sentences("it").templates.values():
        assert not re.search(r"\bsband", sentence, re.IGNORECASE)
