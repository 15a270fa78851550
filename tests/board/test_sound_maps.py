"""A map that the check calls sound can be played on; any other is refused with the same words."""

from __future__ import annotations

from pathlib import Path

import pytest

from alexmagnum.board.map_check import check_map, load_sound_board
from alexmagnum.errors import BadMap
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.play import play_game
from tests.board.broken import CHECK_ERRORS, SHAPE, SOUND, WARNINGS
from tests.board.little import Edit, write
from tests.commands import run_command


def _id(value: object) -> str:
    return value if isinstance(value, str) else ""


# The other two cases of warnings come with an error.
MERE_WARNINGS = [
    case for case in WARNINGS if case[1] not in ("river-side-door", "border-without-touch")
]


@pytest.mark.parametrize(("edits", "code", "where"), MERE_WARNINGS, ids=_id)
def test_a_map_with_warnings_is_played(
    edits: tuple[Edit, ...], code: str, where: str, tmp_path: Path
) -> None:
    board = load_sound_board(write(tmp_path, *edits))

    assert any(played.outcome.units for played in play_game(board, 1, years=1))


@pytest.mark.parametrize(("edits", "code", "where"), SHAPE + SOUND + CHECK_ERRORS, ids=_id)
def test_a_map_with_errors_is_refused_with_those_errors(
    edits: tuple[Edit, ...], code: str, where: str, tmp_path: Path
) -> None:
    path = write(tmp_path, *edits)

    with pytest.raises(BadMap) as refused:
        load_sound_board(path)

    assert refused.value.faults == tuple(f for f in check_map(path) if f.severity == "error")


@pytest.mark.parametrize("edits", [CHECK_ERRORS[0][0], SOUND[-1][0]])
def test_new_and_play_refuse_what_the_check_refuses(
    edits: tuple[Edit, ...], tmp_path: Path
) -> None:
    path = write(tmp_path, *edits)
    errors = [fault for fault in check_map(path) if fault.severity == "error"]
    sentences = load_sentences("en")

    for command in (
        ("new", "game", "--map", str(path)),
        ("play", "--seed", "1", "--map", str(path)),
    ):
        printed = run_command(*command, "--lang", "en", cwd=tmp_path, status=2)

        assert all(sentences.format(fault.code, **fault.data) in printed.err for fault in errors)
    assert not (tmp_path / "game").exists()
