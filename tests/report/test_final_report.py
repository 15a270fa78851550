"""The final report tells the whole game: its figures add up, and it tells no secret."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import Desk
from alexmagnum.game.undo import ABANDON, DRAW, SOLO, Declaration
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.report.context import find_unit_changes, gather_story
from alexmagnum.report.final_report import BRIEF, compose_final_report
from alexmagnum.report.formats import FORMATS, render_report
from tests.game.desks import new_desk, play
from tests.sizes import sized


def _sections(desk: Desk, lang: str = "en") -> Mapping[str, Any]:
    """Return the sections of the final report for programs."""
    report = compose_final_report(gather_story(desk), load_sentences(lang))
    data: dict[str, Any] = json.loads(render_report(report, "json"))["sections"]
    return {key: section["content"] for key, section in data.items()}


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Return a game of some years that ended in a draw."""
    folder = tmp_path_factory.mktemp("ended")
    with new_desk(folder, "alexmagnum") as desk:
        play(desk, 16, seed=5)
        desk.end(Declaration(DRAW, ("TOL", "SEL")), "enough")
        yield desk


@pytest.mark.parametrize("board", ["standard", "alexmagnum"])
def test_units_add_up(tmp_path: Path, board: str) -> None:
    """What a power has is what it had, and built, less what it removed and lost."""
    for seed in range(sized(1, 12)):
        with new_desk(tmp_path / f"{board}{seed}", board) as desk:
            first = desk.position
            play(desk, 14, seed=seed)
            desk.end(Declaration(ABANDON))
            story = gather_story(desk)
        changes = [find_unit_changes(outcome) for outcome in story.outcomes]
        now = (*story.position.units, *(d.unit for d in story.position.dislodged))
        for power in story.position.board.powers:
            had = sum(unit.power == power for unit in first.units)
            built, removed, lost = (
                sum(unit.power == power for change in changes for unit in getattr(change, what))
                for what in ("built", "removed", "lost")
            )
            has = sum(unit.power == power for unit in now)
            assert had + built - removed - lost == has, (seed, power)


def test_the_last_year_of_the_tables_is_the_position_at_the_end(ended: Desk) -> None:
    sections = _sections(ended)
    last = sections["centre-years"][-1]
    owned = list(ended.position.owners.values())
    for row in sections["standings"]:
        assert row["centres"] == owned.count(row["power"]) == last[row["power"]]
    assert sections["nobility-years"][-1]["TOL"] == ended.position.points_of("TOL")


def test_the_last_owner_of_a_centre_is_the_one_at_the_end(ended: Desk) -> None:
    holders = {row["centre"]: row["owners"] for row in _sections(ended)["holders"]}
    owners = ended.position.owners
    assert {centre: spans[-1]["power"] for centre, spans in holders.items()} == owners
    for spans in holders.values():
        assert spans[-1]["until"] is None
        years = [(span["from"], span["until"]) for span in spans[:-1]]
        assert all(start >= end for start, end in years)  # BC
        assert [end for _, end in years] == [span["from"] for span in spans[1:]]


def test_who_won_or_shared_is_in_the_standings(ended: Desk) -> None:
    states = {row["power"]: row["state"] for row in _sections(ended)["standings"]}
    assert {power for power, state in states.items() if state == "shares"} == {"TOL", "SEL"}


def test_every_phase_that_was_resolved_has_its_orders(ended: Desk) -> None:
    sections = _sections(ended)
    for record in ended.phases():
        if record.state == "processed":
            orders = {
                line["order"]
                for group in sections[f"orders-{record.name}"]
                for line in group["orders"]
            }
            counted = ended.processed(record.name).orders
            assert {order for listed in counted.values() for order in listed} <= orders
    sealed = {(seal["phase"], seal["power"]) for seal in sections["seals"]}
    assert {phase for phase, _ in sealed} == {
        record.name for record in ended.phases() if record.state == "processed"
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_format_has_the_end_and_all_sections(ended: Desk, lang: str) -> None:
    sentences = load_sentences(lang)
    report = compose_final_report(gather_story(ended), sentences)
    assert {section.key for section in report.sections} >= {
        *BRIEF,
        "seals",
        "check",
        "unit-history",
    }
    for form in FORMATS:
        text = render_report(report, form)
        for section in report.sections:
            title = section.title.upper() if form == "text" else section.title
            assert title in text.replace("&#39;", "'").replace("\\", ""), (form, section.key)


def test_picks_that_the_house_rule_keeps_secret_stay_secret(tmp_path: Path) -> None:
    with new_desk(tmp_path, "alexmagnum", settings={"rules.publish_picks": "own"}) as desk:
        desk.submit("TOL", "Pick ALE")
        desk.submit("SEL", "Pick BAB")
        desk.submit("LIS", "Pick BAB")
        desk.process("323-1", allow_missing=True)
        desk.end(Declaration(SOLO, ("TOL",)))
        report = compose_final_report(gather_story(desk), load_sentences("en"))
    text = render_report(report, "text")
    assert "ALE" in text
    assert "BAB" not in text


def test_there_is_no_final_report_while_the_game_goes_on(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk, pytest.raises(GameError, match="game-goes-on"):
        gather_story(desk)


def test_a_game_that_ended_before_it_began_has_a_final_report(tmp_path: Path) -> None:
    with new_desk(tmp_path, "alexmagnum") as desk:
        desk.end(Declaration(ABANDON), "nobody came")
        sections = _sections(desk, "it")
    assert "non vince nessuno" in sections["end"][0]
    assert "seals" not in sections
