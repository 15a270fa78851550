"""A position survives its line of text, on both maps and in every kind of phase."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import alexmagnum
from alexmagnum.board.map_file import find_map
from alexmagnum.play import play_game
from tests.case_library import read_yaml
from tests.scenarios import Scenario, scenarios, thoroughly
from tests.scenarios.between_moves import PhaseScenario, draw_retreats, draw_winter
from tests.sizes import drawn

MAPS = ("standard", "alexmagnum")


def _played() -> list[alexmagnum.Position]:
    """Return the positions of a game on each map, and those with changed switches."""
    boards = [alexmagnum.load_board(name) for name in MAPS]
    boards.append(boards[1].with_rules({"sea_capacity": 2, "major_city_capacity": 2}))
    return [
        played.outcome.position
        for seed, board in enumerate(boards)
        for played in play_game(board, seed, years=4)
    ]


PLAYED = _played()


def _check_survives(position: alexmagnum.Position, board: alexmagnum.Board | None = None) -> None:
    text = position.to_text()
    again = alexmagnum.Position.from_text(text, board)

    assert "\n" not in text
    assert again == position
    assert again.to_text() == text
    assert replace(position, units=position.units[::-1]).to_text() == text


def test_the_games_have_every_kind_of_phase() -> None:
    assert len({(position.board.id, position.phase.kind) for position in PLAYED}) == 3 + 5
    assert any(position.dislodged for position in PLAYED)
    assert any(unit.number > 1 for position in PLAYED for unit in position.units)
    assert any(unit.coast for position in PLAYED for unit in position.units)


@given(st.sampled_from(PLAYED))
@thoroughly
def test_positions_of_games_survive_as_text(position: alexmagnum.Position) -> None:
    _check_survives(position)
    _check_survives(position, alexmagnum.load_board(position.board.id))


@given(scenarios())
@thoroughly
def test_drawn_positions_survive_as_text(scenario: Scenario) -> None:
    if not (position := scenario.position).problems():
        _check_survives(position)


@drawn(15, 500)
@given(st.sampled_from([draw_retreats, draw_winter]), st.randoms(use_true_random=False))
def test_positions_with_retreats_and_winters_survive_as_text(
    draw: Callable[[Random], PhaseScenario], rng: Random
) -> None:
    if not (position := draw(rng).position).problems():
        _check_survives(position)


@drawn(45, 1500)
@given(st.text(alphabet=":,!.>+#/[]= AZFEGSTOLVI019-à\n", max_size=60))
def test_a_text_of_anything_is_refused_or_read(end: str) -> None:
    for start in ("alexmagnum", "alexmagnum 318-spring-retreats TOL:", "standard 1901-spring"):
        error = _refusal(start + end)
        for lang in ("en", "it"):
            assert error is None or alexmagnum.load_sentences(lang).error(error)


@given(st.data())
@thoroughly
def test_damaged_texts_are_refused_or_read(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(PLAYED)).to_text()
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.sampled_from(["", *":,!.>+#/[]= AZ9à"])) + text[at + 1 :]
    error = _refusal(damaged)

    if isinstance(error, alexmagnum.BadPositionText):
        assert 1 <= error.column <= len(damaged) + 1
        assert damaged[error.column - 1 :].startswith(error.fragment)
    for lang in ("en", "it"):
        assert error is None or alexmagnum.load_sentences(lang).error(error)


def _refusal(text: str) -> alexmagnum.BadPositionText | alexmagnum.BadPosition | None:
    """Return the error that a text raises; None if it is a position."""
    try:
        alexmagnum.Position.from_text(text)
    except (alexmagnum.BadPositionText, alexmagnum.BadPosition) as error:
        return error
    return None


def test_everything_special_is_in_the_text() -> None:
    attacker = alexmagnum.Unit("SEL", "A", "TEB")
    position = alexmagnum.Position(
        alexmagnum.load_board("alexmagnum").with_rules({"sea_capacity": 2}),
        alexmagnum.Phase(318, "spring", retreats=True),
        (
            alexmagnum.Unit("TOL", "G", "ALE"),
            alexmagnum.Unit("SEL", "A", "MEN"),
            alexmagnum.Unit("TOL", "F", "EGI", number=2),
        ),
        {"ALE": "TOL"},
        {"TOL": ("CIP",)},
        {"TOL": 2},
        (alexmagnum.Dislodged(alexmagnum.Unit("TOL", "A", "MEN"), attacker, ("SIW",)),),
    )

    assert position.to_text() == (
        "alexmagnum[sea_capacity=2] 318-spring-retreats"
        " SEL:AMEN TOL:GALE,FEGI#2,AMEN!SEL.ATEB>SIW:ALE:CIP:2"
    )
    _check_survives(position)


@pytest.mark.parametrize("name", MAPS)
def test_the_text_of_a_first_position_fits_a_chat(name: str) -> None:
    assert len(alexmagnum.first_position(alexmagnum.load_board(name)).to_text()) < 500


def test_a_map_of_your_own_needs_its_board(tmp_path: Path) -> None:
    data = json.loads(find_map("standard").read_text(encoding="utf-8"))
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({**data, "id": "mine"}), encoding="utf-8")
    board = alexmagnum.load_board(path)
    position = alexmagnum.first_position(board.with_rules({"victory_centres": 20}))
    assert alexmagnum.Position.from_text(position.to_text(), board) == position
    with pytest.raises(alexmagnum.BadPositionText, match="position-text-map"):
        alexmagnum.Position.from_text(position.to_text())


BAD = read_yaml(Path(__file__).with_name("bad_texts.yaml"))


@pytest.mark.parametrize(("text", "code", "column"), BAD)
def test_a_bad_text_is_refused_with_its_place(text: str, code: str, column: int) -> None:
    with pytest.raises(alexmagnum.BadPositionText) as caught:
        alexmagnum.Position.from_text(text)
    assert (caught.value.code, caught.value.column) == (code, column)
    for lang in ("en", "it"):
        assert alexmagnum.load_sentences(lang).error(caught.value)


def test_the_text_of_another_map_is_refused() -> None:
    with pytest.raises(alexmagnum.BadPositionText, match="position-text-other-map"):
        alexmagnum.Position.from_text("standard 1901-spring", alexmagnum.load_board("alexmagnum"))


def test_an_impossible_position_is_refused() -> None:
    with pytest.raises(alexmagnum.BadPosition) as caught:
        alexmagnum.Position.from_text("standard 1901-spring Italy:AVEN,AVEN,FROM,AION")
    assert {fault.code for fault in caught.value.faults} >= {"place-taken", "army-afloat"}
    with pytest.raises(alexmagnum.BadPosition):
        replace(
            alexmagnum.first_position(alexmagnum.load_board("standard")), owners={"VIE": "Oz"}
        ).to_text()


def test_a_text_may_be_wrapped() -> None:
    text = alexmagnum.first_position(alexmagnum.load_board("standard")).to_text()
    assert alexmagnum.Position.from_text(text.replace(" ", "\n  ")).to_text() == text
