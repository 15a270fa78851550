"""The whole game as one file, and back; and what is no such file."""

import json
import re
import shutil
import sys
import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player
from alexmagnum.game.mail_store import find_or_make_code
from alexmagnum.game.settings import SETTINGS, default_settings
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from tests.case_library import read_yaml
from tests.game import desks
from tests.sizes import one_in, sized


def _eventful_game(folder: Path) -> Desk:
    """Make a game with mails, an undo, an amendment, texts and a replaced player."""
    desk = desks.new_desk(folder, "alexmagnum", players=[Player("TOL", "Anna")])
    desks.play(desk, 8)
    desk.undo()
    desk.amend("323-2", "SEL", "Pick BAB")
    desk.replace_player(Player("TOL", "Bruno", "bruno@example.org"))
    desk.add_text("323-1", "before", "È l'ora — «si comincia»")
    with desk.file.writing("test"):
        desks.add_mail(desk.file)
    return desk


@pytest.mark.proof
def test_an_exported_game_is_imported_the_same_to_the_byte(tmp_path: Path) -> None:
    with _eventful_game(tmp_path / "a") as desk:
        desk.export(tmp_path / "all.json")
        seen = desk.status(), desk.phases(), desk.position_before("323-1").units
    with Desk.import_game(tmp_path / "all.json", tmp_path / "b", keep=True) as desk:
        assert (desk.status(), desk.phases(), desk.position_before("323-1").units) == seen
        assert desk.verify() == ()
    first, second = desks.dump(tmp_path / "a"), desks.dump(tmp_path / "b")
    assert first["journal"].pop()[3] == "export"  # written once the file is there
    assert first == second

    with desks.open_desk(tmp_path / "b") as desk:
        desks.resolve(desk)
        assert desk.verify() == ()


@pytest.fixture
def export(built_once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """Return the export of a game with two phases and a mail."""

    def build(folder: Path) -> None:
        with desks.new_desk(folder / "game") as desk:
            desks.play(desk, 2)
            with desk.file.writing("test"):
                desks.add_mail(desk.file)
            desk.export(folder / "all.json")

    return built_once("two-phases-exported", build) / "all.json"


FOR_EVER = {"absent_from": "2026-12-24", "absent_until": "9999-12-31"}

CHANGES: tuple[tuple[Callable[[Any], object], str], ...] = (
    (lambda d: d.update(format="something"), "not-an-export"),
    (lambda d: d.update(version=99), "game-newer"),
    (lambda d: d.update(version="1"), "not-an-export"),
    (lambda d: d["tables"]["phases"].clear(), "not-an-export"),
    (lambda d: d["tables"].clear(), "not-an-export"),
    (lambda d: d["tables"]["games"][0].update(map_text="{}"), "not-an-export"),
    (lambda d: d["tables"]["positions"][0].update(data="7"), "export-differs"),
    (lambda d: d["tables"]["powers"].append({"nonsense": 1}), "not-an-export"),
    (lambda d: d["tables"]["powers"].append(7), "not-an-export"),
    (lambda d: d["tables"]["powers"][0].update(place=2**70), "not-an-export"),
    (lambda d: d["tables"]["powers"][0].update(place=[]), "not-an-export"),
    (lambda d: d["tables"]["powers"][0].update(id=None), "not-an-export"),
    (lambda d: d["tables"]["games"][0].update(map_text=7), "not-an-export"),
    (lambda d: d["tables"]["phases"][0].update(parent=1), "not-an-export"),
    (lambda d: d["tables"]["positions"][-1].update(data="{}"), "export-differs"),
    (lambda d: d["tables"]["positions"][-1].update(digest="x"), "export-differs"),
    (lambda d: _set(d, "timezone", "Mars/X"), "export-differs"),
    (lambda d: _set(d, "days_movement", "xx"), "export-differs"),
    (lambda d: d["tables"]["journal"].clear(), "export-differs"),
    (lambda d: d["tables"]["phases"][-1].update(deadline="9999-12-31T23:59:59Z"), "not-an-export"),
    (lambda d: d["tables"]["phases"][-1].update(deadline="0001-01-01T00:00:00Z"), "not-an-export"),
    (lambda d: _add_standby(d, lang="../../x"), "bad-player"),
    (lambda d: _add_standby(d, address="a@b c@d"), "bad-player"),
    (lambda d: _add_standby(d, address="a@b,c@d"), "bad-player"),
    (lambda d: d["tables"]["phases"][-1].update(seconds_left=10**17), "not-an-export"),
    (lambda d: _add_player(d["tables"], **FOR_EVER), "bad-absence"),
    (lambda d: _add_player(d["tables"], bot="/tmp/evil.py"), "not-an-export"),
    (lambda d: d["tables"]["messages"][0].update(raw={"base64": "?"}), "not-an-export"),
    (lambda d: d["tables"]["messages"][0].update(raw={"base64": 7}), "not-an-export"),
    (lambda d: d["tables"]["messages"][0].update(raw={"hex": "00"}), "not-an-export"),
    (lambda d: d["tables"]["messages"][0].update(raw={}), "not-an-export"),
    (lambda d: d["tables"]["messages"][0].update(id=2), "export-differs"),
    (lambda d: d["tables"]["resolved"][0].update(result="void"), "export-differs"),
)


@pytest.mark.parametrize(("change", "code"), CHANGES)
def test_a_file_that_is_no_export_makes_no_game(
    tmp_path: Path, export: Path, change: Callable[[Any], object], code: str
) -> None:
    data = json.loads(export.read_text("utf-8"))
    change(data)
    (tmp_path / "all.json").write_text(json.dumps(data), "utf-8")

    imported = desks.refusal(lambda: Desk.import_game(tmp_path / "all.json", tmp_path / "b"))
    assert imported.code == code
    assert desks.refusal(lambda: Desk.open(tmp_path / "b")).code == "no-game"
    desks.new_desk(tmp_path / "b").close()


def _add_player(tables: Any, **changes: str) -> None:
    empty = ["lang", "since", "until", "absent_from", "absent_until", "note", "bot", "stand_in"]
    known = {"id": 1, "power": "Italy", "name": "Anna", "address": "", "other_addresses": "[]"}
    tables["players"] = [dict.fromkeys(empty, "") | known | changes]


def _add_standby(data: Any, **changes: str) -> None:
    empty = dict.fromkeys(("lang", "since", "until", "power", "note"), "")
    known = {"id": 1, "name": "Anna", "address": "", "other_addresses": "[]"}
    data["tables"]["standby"] = [empty | known | changes]


def _add_bomb(tables: Any) -> None:
    """Let the first letter have a hundred times the bytes of the file."""
    bomb = b64encode(zlib.compress(bytes(40 << 20), 9)).decode()
    tables["pieces"] = [{"id": 1, "sha256": "x", "data": {"base64": bomb}}]
    tables["letter_pieces"] = [{"letter": 1, "waiting": 0, "place": 0, "piece": 1}]


HOSTILE: Mapping[str, Callable[[Any], object]] = {
    "folder": lambda t: t["phases"][-1].update(name="../../reports"),
    "deadline": lambda t: t["phases"][-1].update(deadline="x"),
    "power": lambda t: t["powers"].append({**t["powers"][0], "id": "../x", "place": 9}),
    "name of a power": lambda t: t["powers"][0].update(name_en="<Austria>"),
    "game": lambda t: t["games"][0].update(name="x" * 201),
    "escape": lambda t: t["games"][0].update(name="\x1b[2J"),
    "secret": lambda t: t["games"][0].update(secret="no digits"),
    "actor": lambda t: t["journal"][0].update(actor="gm\x07"),
    "header": lambda t: t["letters"][0].update(address="a@b\r\nBcc: c@d"),
    "reason": lambda t: t["messages"][0].update(why="5"),
    "words of a reason": lambda t: t["messages"][0].update(why='[["waits-overtaken", {}]]'),
    "detail": lambda t: t["journal"][0].update(detail="[1"),
    "data of an order": lambda t: t["orders"][0].update(data="x"),
    "number": lambda t: t["outcomes"][0].update(version="x"),
    "occasion": lambda t: t["letters"][0].update(occasion="../x"),
    "state": lambda t: t["messages"][0].update(state="../x"),
    "time": lambda t: t["games"][0].update(created="yesterday"),
    "subject": lambda t: t["messages"][0].update(subject="Orders\nX: y"),
    "player": lambda t: _add_player(t, name="x" * 201),
    "address": lambda t: _add_player(t, address="anna@example.org, eve@example.org"),
    "addresses": lambda t: _add_player(t, other_addresses='["a b"]'),
    "lang": lambda t: _add_player(t, lang="../x"),
    "bomb": _add_bomb,
}


@pytest.mark.proof
def test_names_and_lines_are_checked_as_if_they_were_typed(tmp_path: Path, export: Path) -> None:
    taken = []
    for name, change in HOSTILE.items():
        data = json.loads(export.read_text("utf-8"))
        change(data["tables"])
        (tmp_path / "all.json").write_text(json.dumps(data), "utf-8")
        try:
            Desk.import_game(tmp_path / "all.json", tmp_path / name).close()
            taken.append(name)
        except (GameError, ValueError):
            pass
    assert taken == []


REACHING = read_yaml(Path(__file__).with_name("reaching_settings.yaml"))
"""Settings that reach outside the game."""


def test_an_import_resets_what_reaches_outside_and_says_so(tmp_path: Path) -> None:
    with desks.new_desk(tmp_path / "a", settings={**REACHING, "grace": "3"}) as desk:
        code = find_or_make_code(desk, "France", "1901-spring")
        desk.export(tmp_path / "all.json")
    data = json.loads((tmp_path / "all.json").read_text("utf-8"))
    data["tables"]["games"][0]["map_source"] = "../../secret/map.json"
    (tmp_path / "all.json").write_text(json.dumps(data), "utf-8")

    with Desk.import_game(tmp_path / "all.json", tmp_path / "b") as desk:
        assert {name: desk.settings[name] for name in REACHING} == {
            name: default_settings()[name] for name in REACHING
        }
        assert desk.settings["grace"] == "3"
        codes, *told = desk.warnings
        assert sorted(one.data["name"] for one in told) == sorted([*REACHING, "map_source"])
        assert codes.code == "import-codes"  # whoever made the file knows them (a fourth attack)
        assert code != find_or_make_code(desk, "France", "1901-spring")
        assert desk.info.map_source == "./map.json"
        assert desk.verify() == ()
    with Desk.import_game(tmp_path / "all.json", tmp_path / "c", keep=True) as desk:
        assert {name: desk.settings[name] for name in REACHING} == REACHING
        assert desk.warnings == []


def test_every_setting_of_a_server_an_address_or_a_path_is_one_that_reaches_outside() -> None:
    named = {name for name in SETTINGS if re.search("server|address$|_dir|place|transport", name)}
    assert named == {name for name in named if SETTINGS[name].outside}


def _set(data: dict[str, Any], name: str, value: str) -> None:
    next(row for row in data["tables"]["settings"] if row["name"] == name)["value"] = value


def test_other_results_in_a_file_of_ones_own_are_a_warning(tmp_path: Path, export: Path) -> None:
    """A fault of the program made exports that nothing could import (a seventeenth attack)."""
    data = json.loads(export.read_text(encoding="utf-8"))
    data["tables"]["resolved"][0].update(result="void")
    path = tmp_path / "other.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(GameError, match="export-differs"):
        Desk.import_game(path, tmp_path / "a", keep=False)
    with Desk.import_game(path, tmp_path / "b", keep=True) as desk:
        assert [warning.code for warning in desk.warnings] == ["export-differs"]


def test_other_words_for_the_same_result_are_taken(tmp_path: Path, export: Path) -> None:
    """A newer version of the program may say it better."""
    data = json.loads(export.read_text("utf-8"))
    data["tables"]["resolved"][0]["sentence_en"] = "It went well."
    (tmp_path / "all.json").write_text(json.dumps(data), "utf-8")

    with Desk.import_game(tmp_path / "all.json", tmp_path / "b") as desk:
        assert [finding.code for finding in desk.verify()] == ["verify-sentence"]


def test_a_busy_file_is_not_blamed_on_the_export(
    tmp_path: Path, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object) -> None:
        raise GameError("game-busy", holder="somebody")

    monkeypatch.setattr("alexmagnum.game.create._fill", full)
    assert desks.refusal(lambda: Desk.import_game(export, tmp_path / "b")).code == "game-busy"


def test_an_export_that_cannot_be_written_is_not_journaled(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with desks.new_desk(tmp_path / "a") as desk:
        assert desks.refusal(lambda: desk.export(tmp_path / "there")).code == "cannot-write"
        assert desk.history()[-1].action == "new"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "there"]
        desk.export(tmp_path / "all.json")
        assert desk.history()[-1].action == "export"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights otherwise")
def test_an_export_is_for_its_owner_alone(export: Path) -> None:
    assert export.stat().st_mode & 0o777 == 0o600


def test_an_import_never_writes_over_a_game(tmp_path: Path, export: Path) -> None:
    desks.new_desk(tmp_path).close()
    before = desks.dump(tmp_path)
    assert desks.refusal(lambda: Desk.import_game(export, tmp_path)).code == "game-exists"
    assert desks.dump(tmp_path) == before


# What was changed in the file by hand is found, as far as it is compared; else all is well.


MAIL = """Cara Rosa, ecco gli ordini:

> ieri scrivevi altro
F BRE - MAO, A PAR-BUR; A MAR S A PAR - BUR   (ho cambiato idea)
A MAR H
F TRI H
Costruzioni: A PAR

Ciao!"""


@pytest.fixture
def played_game(
    built_once: Callable[[str, Callable[[Path], object]], Path], tmp_path: Path
) -> Path:
    """Return the folder of a game with three phases, in which everything is sound."""

    def build(folder: Path) -> None:
        with desks.new_desk(folder / "game") as desk:
            desks.play(desk, 3)
            assert desk.verify() == ()

    return Path(shutil.copytree(built_once("three-phases", build) / "game", tmp_path / "game"))


BY_HAND = read_yaml(Path(__file__).with_name("changes_by_hand.yaml"))


@pytest.mark.parametrize(("change", "code"), BY_HAND)
def test_a_change_by_hand_is_found_in_what_is_compared(
    played_game: Path, change: str, code: str
) -> None:
    before = desks.dump(played_game)
    desks.change_by_hand(played_game, change)
    assert desks.dump(played_game) != before
    with desks.open_desk(played_game) as desk:
        findings = desk.verify()
    assert code in {finding.code for finding in findings}
    for finding in findings:
        assert all(load_sentences(lang).format(finding.code, **finding.data) for lang in LANGUAGES)


@pytest.mark.proof
@pytest.mark.parametrize("second_mail", one_in(2, ["merge", "replace"]))
@pytest.mark.parametrize("too_many_builds", one_in(2, ["first", "last"]))
@pytest.mark.parametrize("two_orders", one_in(2, ["first", "last"]))
def test_a_game_in_which_everything_happened_verifies(
    tmp_path: Path, second_mail: str, too_many_builds: str, two_orders: str
) -> None:
    """Mails with prose, orders for others, corrections, orders sent ahead, undo, amendments."""
    rules = {
        "second_mail": second_mail,
        "too_many_builds": too_many_builds,
        "two_orders": two_orders,
        "single_retreat": "auto",
    }
    with desks.new_desk(tmp_path, settings=rules) as desk:
        for text in (MAIL, "Nothing new.", "F BRE - ENG", MAIL):
            desk.submit("France", text)
        desks.play(desk, sized(4, 7))
        desk.submit("France", "Waive")
        desk.undo()
        assert desk.verify() == ()
        desk.redo()
        desk.amend("1901-spring", "France", "A PAR H")
        assert desk.verify() == ()
        desks.play(desk, sized(4, 6), seed=3)
        desk.amend("1901-spring", "France", MAIL)
        desk.amend_settings("1901-spring", {"last_year": 1920})
        desk.undo()
        desk.set("too_many_builds", "first")
        desks.play(desk, 3, seed=4)
        assert desk.verify() == ()
