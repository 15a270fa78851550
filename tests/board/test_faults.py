"""Every fault of a map is found, with its code and its place, and can be said."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from importlib import resources
from pathlib import Path

import pytest

import alexmagnum
from alexmagnum.board import load_board
from alexmagnum.board.map_check import check_map, load_sound_board
from alexmagnum.board.map_file import COAST, MAP, PORTAGE, POWER, PROVINCE, RIVER, STRAIT
from alexmagnum.errors import BadMap, Fault
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.play import play_game
from tests.board.broken import CHECK_ERRORS, SHAPE, SOUND, WARNINGS
from tests.board.little import Edit, drop, put, write
from tests.commands import run_command

ROOM = Path(alexmagnum.__file__).parent / "board"
EVERY = SHAPE + SOUND + CHECK_ERRORS + WARNINGS


def _id(value: object) -> str:
    return value if isinstance(value, str) else ""


def _has(faults: tuple[Fault, ...], code: str, where: str, severity: str) -> bool:
    return any((f.code, f.where, f.severity) == (code, where, severity) for f in faults)


def test_the_little_map_has_no_blemish(tmp_path: Path) -> None:
    path = write(tmp_path)
    assert check_map(path) == ()
    assert load_board(path).id == "little"


@pytest.mark.parametrize(("edits", "code", "where"), EVERY, ids=_id)
def test_every_fault_is_found_with_its_place_and_can_be_said(
    edits: tuple[Edit, ...], code: str, where: str, tmp_path: Path
) -> None:
    """Loading refuses what cannot be played; the check finds everything, and warns of the rest.

    A map that the check calls sound can be played on; any other is refused with the same words.
    """
    path, case = write(tmp_path, *edits), (edits, code, where)
    if case in SHAPE + SOUND:
        with pytest.raises(BadMap) as caught:
            load_board(path)
        assert _has(caught.value.faults, code, where, "error"), str(caught.value)
    else:
        assert load_board(path).provinces
    faults = check_map(path)
    severity = "warning" if case in WARNINGS else "error"
    assert _has(faults, code, where, severity), [*map(str, faults)]
    for fault in faults:
        for lang in ("en", "it"):
            assert load_sentences(lang).format(fault.code, **fault.data)
    errors = tuple(fault for fault in faults if fault.severity == "error")
    if errors:
        with pytest.raises(BadMap) as refused:
            load_sound_board(path)
        assert refused.value.faults == errors
    else:
        board = load_sound_board(path)
        assert any(played.outcome.units for played in play_game(board, 1, years=1))


@pytest.mark.parametrize("edits", [CHECK_ERRORS[0][0], SOUND[-1][0]])
def test_new_and_play_refuse_what_the_check_refuses(
    edits: tuple[Edit, ...], tmp_path: Path
) -> None:
    path = write(tmp_path, *edits)
    errors = [fault for fault in check_map(path) if fault.severity == "error"]
    for command in (("new", "game"), ("play", "--seed", "1")):
        asked = (*command, "--map", str(path), "--lang", "en")
        said = run_command(*asked, cwd=tmp_path, status=2).err
        assert all(load_sentences("en").format(f.code, **f.data) in said for f in errors)
    assert not (tmp_path / "game").exists()


def test_all_faults_are_found_at_once(tmp_path: Path) -> None:
    edits = (
        put("borders.2", ["HIL", "INK", "army"]),
        put("rules.major_city_upkeep", "x"),
        drop("id"),
    )
    with pytest.raises(BadMap) as caught:
        load_board(write(tmp_path, *edits))
    wheres = {fault.where for fault in caught.value.faults}
    assert wheres == {"borders[2]", "rules.major_city_upkeep", "map"}


def test_a_misspelt_key_or_province_brings_what_was_meant(tmp_path: Path) -> None:
    edits = (put("provinces.HIL.aliasses", []), put("borders.2", ["HIL", "INK", "army"]))
    near = {fault.code: fault.data["near"] for fault in check_map(write(tmp_path, *edits))}
    assert near == {"unknown-key": "aliases", "no-such-province": "INL"}
    said = load_sentences("en").format("unknown-river", river="rum", near="run")
    assert said == "there is no river rum. Did you mean run?"


def _texts(node: ast.expr) -> set[str]:
    """Return the codes that an argument can be."""
    if isinstance(node, ast.Constant):
        return {str(node.value)}
    if isinstance(node, ast.IfExp):
        return _texts(node.body) | _texts(node.orelse)
    if isinstance(node, ast.JoinedStr):  # f"not-{key.type}"
        keys = (MAP, POWER, PROVINCE, RIVER, PORTAGE, STRAIT, COAST)
        return {f"not-{key.type}" for table in keys for key in table.values()}
    return set()


def _codes(path: Path, *errors: str) -> set[str]:
    """Return the codes of the faults or errors that a module makes."""
    codes = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "code":
            codes |= _texts(node.value)
        if isinstance(node, ast.Call) and len(node.args) > 1:
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in errors:
                codes |= _texts(node.args[1])
    return codes


FAULTS = set().union(*(_codes(p, "Fault", "fault") for p in ROOM.glob("*.py")))
POSITION = _codes(ROOM.parent / "position.py", "Fault")
FILES = _codes(ROOM / "map_file.py", "BadFile") | _codes(ROOM.parent / "files.py", "BadFile")


def test_every_fault_of_the_room_has_a_broken_map() -> None:
    assert {code for _, code, _ in EVERY} == FAULTS


def _catalogue(lang: str) -> dict[str, str]:
    file = resources.files("alexmagnum.i18n").joinpath("catalogues", f"faults.{lang}.toml")
    return tomllib.loads(file.read_text("utf-8"))


def _holes(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_each_code_has_a_sentence_in_both_languages_and_none_is_left_over() -> None:
    known = FAULTS | POSITION | FILES | {"bad-map", "bad-position", "did-you-mean"}
    assert _catalogue("en").keys() == _catalogue("it").keys() == known


def test_both_sentences_of_a_code_take_the_same_data() -> None:
    english, italian = _catalogue("en"), _catalogue("it")
    assert {c for c in english if _holes(english[c]) != _holes(italian[c])} == set()


def test_the_manual_lists_every_finding() -> None:
    manual = (ROOM.parents[1] / "docs" / "maps.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in manual.splitlines() if line.startswith("| `")]
    listed = {code for row in rows for code in re.findall(r"`([a-z0-9-]+)`", row)}
    assert listed >= FAULTS
