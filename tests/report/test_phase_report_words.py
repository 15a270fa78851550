"""The catalogue of the phase report: every code that is put together has its sentence, every
sentence its use, and no report says a code."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from html import unescape
from importlib import resources
from pathlib import Path

import pytest

import alexmagnum
from alexmagnum.board.model import SWITCHES
from alexmagnum.game.settings import PRIVATE, SETTINGS
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge.outcome import RESULTS
from alexmagnum.report.context import GM
from alexmagnum.report.phase_report import SWITCH, format_house_rules
from tests.report import phase_contexts

CATALOGUES = resources.files("alexmagnum.i18n").joinpath("catalogues")
REPORT = Path(alexmagnum.__file__).parent / "report"
CHANGES = ("unit", "result", "owner", "nobility", "dislodged", "winner")
SILENT = ("timezone", "lang", "slots", "pictures", "sandbox", "next_deadline")
"""Settings that are no rule of the table, or say nothing where they are empty: every report and
letter names the deadline itself."""


def _codes(lang: str) -> set[str]:
    text = CATALOGUES.joinpath(f"phase_report.{lang}.toml").read_text(encoding="utf-8")
    return set(tomllib.loads(text))


def _put_together() -> set[str]:
    """The codes that no source names in full."""
    return {
        *(f"change-{what}" for what in CHANGES),
        *(f"result-{result}" for result in (*RESULTS, "disbanded", "removed")),
        *(f"house-slot-{day}" for day in range(7)),
        *(
            f"house-{name.replace('_', '-')}-{word}"
            for name, s in SETTINGS.items()
            if name not in SILENT
            for word in s.words
            if not name.startswith(PRIVATE)
        ),
        *(
            f"house-{name.replace('_', '-')}"
            for name, s in SETTINGS.items()
            if s.high and not name.startswith(PRIVATE)
        ),
        *(f"switch-{name.replace('_', '-')}" for name, s in SWITCHES.items() if not s.words),
        *(f"switch-{n.replace('_', '-')}-{word}" for n, s in SWITCHES.items() for word in s.words),
        "ahead-retreats",
        "ahead-winter",
        *(f"section-{key}" for key in ("awards", "dislodged", "lost", "eliminated", "end")),
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_put_together_has_a_sentence(lang: str) -> None:
    assert _put_together() - load_sentences(lang).templates.keys() == set()


def test_every_sentence_of_the_catalogue_is_used() -> None:
    sources = [*REPORT.glob("*.py"), *REPORT.glob("templates/*.j2")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    quoted = {*re.findall(r'"([\w-]+)"', text)}
    quoted |= {f"{kind}-{key}" for kind in ("section", "column", "fact") for key in quoted}

    assert _codes("en") - _put_together() - quoted == set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_code_stands_in_two_catalogues(lang: str) -> None:
    """They are looked up together: the second would take the place of the first."""
    files = [f for f in CATALOGUES.iterdir() if f.name.endswith(f".{lang}.toml")]
    count = Counter(code for f in files for code in tomllib.loads(f.read_text(encoding="utf-8")))

    assert [code for code, times in count.items() if times > 1] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_house_rule_is_a_sentence_whatever_it_is_set_to(lang: str) -> None:
    for name, setting in SETTINGS.items():
        for value in setting.words or (setting.default,):
            lines = list(format_house_rules({name: value}, load_sentences(lang)))

            silent = name in SILENT or name.startswith(PRIVATE)
            assert len(lines) == (not silent), (name, value)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_switch_is_a_sentence_whatever_it_is_set_to(lang: str) -> None:
    for name, switch in SWITCHES.items():
        for value in switch.words or (str(switch.low),):
            (line,) = format_house_rules({SWITCH + name: value}, load_sentences(lang))

            assert "_" not in line


def test_weekly_deadlines_take_the_place_of_days() -> None:
    rules = {"days_movement": "7", "slots": "mon 19:00, gio 9"}

    assert list(format_house_rules(rules, load_sentences("it"))) == [
        "Scadenze di ogni settimana: lunedì ore 19:00, giovedì ore 09:00."
    ]


@pytest.mark.parametrize("name", sorted(phase_contexts.ALL))
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_report_says_a_code_two_dots_or_a_word_that_is_read_two_ways(
    lang: str, name: str
) -> None:
    """Neither codes of the catalogues nor names of settings; in Italian no results in English."""
    codes = {code for code in load_sentences(lang).templates if "-" in code}
    codes |= {setting for setting in SETTINGS if "_" in setting}
    codes |= {*SWITCHES} - {"picks", "nobility"} | (RESULTS if lang == "it" else set())
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
    shown = re.sub(r"<style>.*?</style>|<pre.*?</pre>|<[^>]*>", " ", text, flags=re.DOTALL)
    return unescape(shown).partition("map: ")[0]
