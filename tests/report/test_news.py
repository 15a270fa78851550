"""The news of a phase come first, and what they are about is on the map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from alexmagnum.game import Desk
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.report.context import PhaseContext, View, filter_context, gather_past_phase
from alexmagnum.report.document import Items, PhaseReport, Section, Table
from alexmagnum.report.formats import MapPictures
from alexmagnum.report.phase_report import compose_phase_report
from alexmagnum.report.words import AFTER, Mention
from tests.game.desks import new_desk
from tests.report import phase_contexts

EN = load_sentences("en")
NEWS = ("changes", "end", "awards", "gains", "dislodged", "lost", "eliminated", "due")
OWN = ("pending", "ahead", "remarks")
MAPS = MapPictures()

Part = tuple[str, str, str]
"""A part of a map: its picture, power and unit, or centre."""


def _view(name: str, reader: str | None = None) -> View:
    return filter_context(phase_contexts.ALL[name](), reader)


def _report(name: str, reader: str | None = None) -> PhaseReport:
    return compose_phase_report(_view(name, reader), EN)


def _section(report: PhaseReport, key: str) -> Section:
    return next(section for section in report.sections if section.key == key)


def _items(context: PhaseContext, reader: str, lang: str) -> tuple[str, ...]:
    """Return what a reader is told to send next."""
    report = compose_phase_report(filter_context(context, reader), load_sentences(lang))
    lines: tuple[str, ...] = _section(report, "due").body.items  # type: ignore[union-attr]
    return lines


@pytest.mark.parametrize("name", sorted(phase_contexts.ALL))
@pytest.mark.parametrize("reader", [None, "second"])
def test_the_news_come_before_everything_else_in_their_order(name: str, reader: str | None) -> None:
    power = phase_contexts.second_power(name) if reader else None
    keys = [section.key for section in _report(name, power).sections]
    news = [key for key in NEWS if key in keys]
    own = [key for key in OWN if key in keys]

    assert keys[: len(news) + len(own)] == news + own


def test_the_gains_of_an_autumn_come_before_what_is_due() -> None:
    keys = [section.key for section in _report("autumn", "TOL").sections]

    assert keys[:2] == ["gains", "due"]


@pytest.mark.parametrize(("lang", "start"), [("en", "From you: "), ("it", "Da te: ")])
@pytest.mark.parametrize(
    ("name", "reader"), [("sample", "CAS"), ("autumn", "CAN"), ("winter", "TOL"), ("picks", "CAS")]
)
def test_what_the_reader_owes_is_the_first_of_what_is_due(
    lang: str, start: str, name: str, reader: str
) -> None:
    lines = _items(phase_contexts.ALL[name](), reader, lang)

    assert [line.startswith(start) for line in lines] == [True] + [False] * (len(lines) - 1)


@pytest.mark.parametrize(("lang", "line"), [("en", "From you: nothing."), ("it", "Da te: niente.")])
def test_a_reader_who_owes_nothing_is_told_so(lang: str, line: str) -> None:
    assert _items(phase_contexts.ALL["sample"](), "TOL", lang)[0] == line


def test_nobody_is_addressed_in_the_report_for_everybody() -> None:
    for name in phase_contexts.ALL:
        for section in _report(name).sections:
            assert "From you" not in str(section.body)


# -- what is folded away --------------------------------------------------------------------------


def test_listed_house_rules_and_appendices_are_folded() -> None:
    context = replace(phase_contexts.ALL["sample"](), lists_house_rules=True)
    report = compose_phase_report(filter_context(context, None), EN)
    folded = {section.key for section in report.sections if section.folded}

    assert folded == {"house", "seals", "turn"}


def test_the_sentence_that_says_where_the_house_rules_are_is_not_folded() -> None:
    section = _section(_report("sample"), "house")

    assert section.pointer
    assert not section.folded


# -- what lines are about -------------------------------------------------------------------------


def _parts(node: ElementTree.Element, picture: str = "") -> Iterator[Part]:
    """Yield the units and provinces of a drawing with the picture that they belong to."""
    picture = node.get("data-view", picture)
    if "data-power" in node.attrib:
        yield picture, node.attrib["data-power"], node.get("data-unit") or node.get("data-to") or ""
    if "data-province" in node.attrib:
        yield "", "", node.attrib["data-province"]
    for child in node:
        yield from _parts(child, picture)


def _missing(mention: Mention, parts: set[Part]) -> list[str]:
    """Return what a mention names and no part of the map shows."""
    shown = {
        (power, unit)
        for picture, power, unit in parts
        if (picture == AFTER) == bool(mention.picture)
    }
    units = [unit for unit in mention.units if (mention.power, unit) not in shown]
    return units + [place for place in mention.places if ("", "", place) not in parts]


@pytest.mark.parametrize("name", sorted(phase_contexts.ALL))
def test_whatever_a_line_is_about_is_on_the_map(name: str) -> None:
    view = _view(name)
    parts = set(_parts(ElementTree.fromstring(MAPS.page(view, EN).svg)))
    mentions = [m for section in compose_phase_report(view, EN).sections for m in section.mentions]

    assert mentions
    assert [(m, _missing(m, parts)) for m in mentions if _missing(m, parts)] == []


@pytest.mark.parametrize("name", sorted(phase_contexts.ALL))
def test_every_line_of_a_section_has_its_mention(name: str) -> None:
    for section in _report(name, phase_contexts.second_power(name)).sections:
        if section.mentions:
            body = section.body
            lines = body.rows if isinstance(body, Table) else getattr(body, "items", ())
            assert len(lines) == len(section.mentions), section.key


# -- house rules that change -----------------------------------------------------------------------


def test_a_house_rule_that_changes_in_a_phase_is_in_its_report(tmp_path: Path) -> None:
    """A change that is taken back is none, and settings of the desk alone are nobody's business."""
    desk = new_desk(tmp_path / "game")
    desk.set("missing", "hold")
    desk.process("1901-spring", allow_missing=True)
    for name, value in (
        ("days_movement", "5"),
        ("days_movement", "3"),
        ("fuzzy", "refuse"),
        ("fuzzy", "notice"),
        ("mail_name", "The desk"),
    ):
        desk.set(name, value)
    desk.process("1901-autumn", allow_missing=True)

    assert desk.setting_changes("1901-spring") == {}
    assert _changed_rules(desk, "1901-spring") == ()
    assert _changed_rules(desk, "1901-autumn") == (
        "Now: Days for moves: 3.",
        "No longer: Days for moves: 7.",
    )


def _changed_rules(desk: Desk, phase: str) -> tuple[str, ...]:
    report = compose_phase_report(filter_context(gather_past_phase(desk, phase), "Italy"), EN)
    bodies = [section.body for section in report.sections if section.key == "house-changed"]
    return tuple(line for body in bodies if isinstance(body, Items) for line in body.items)
