"""The whole game as one file, and back; and what is no such file."""

from __future__ import annotations

import json
import re
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
from alexmagnum.game.settings import SETTINGS, default_settings
from tests.game.desks import add_mail, dump, new_desk, open_desk, play, refusal, resolve


def _eventful_game(folder: Path) -> Desk:
    """Make a game with mails, an undo, an amendment, texts and a replaced player."""
    desk = new_desk(folder, "alexmagnum", players=[Player("TOL", "Anna")])
    play(desk, 8)
    desk.undo()
    desk.amend("323-2", "SEL", "Pick BAB")
    desk.replace_player(Player("TOL", "Bruno", "bruno@example.org"))
    desk.add_text("323-1", "before", "È l'ora — «si comincia»")
    with desk.file.writing("test"):
        add_mail(desk.file)
    return desk


def test_an_exported_game_is_imported_the_same_to_the_byte(tmp_path: Path) -> None:
    with _eventful_game(tmp_path / "a") as desk:
        desk.export(tmp_path / "all.json")
        seen = desk.status(), desk.phases(), desk.position_before("323-1").units
    with Desk.import_game(tmp_path / "all.json", tmp_path / "b") as desk:
        assert (desk.status(), desk.phases(), desk.position_before("323-1").units) == seen
        assert desk.verify() == ()
    first, second = dump(tmp_path / "a"), dump(tmp_path / "b")
    assert first["journal"].pop()[3] == "export"  # written once the file is there
    assert first == second

    with open_desk(tmp_path / "b") as desk:
        resolve(desk)
        assert desk.verify() == ()


@pytest.fixture
def export(built_once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """Return the export of a game with two phases and a mail."""

    def build(folder: Path) -> None:
        with new_desk(folder / "game") as desk:
            play(desk, 2)
            with desk.file.writing("test"):
                add_mail(desk.file)
            desk.export(folder / "all.json")

    return built_once("two-phases-exported", build) / "all.json"


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

    imported = refusal(lambda: Desk.import_game(tmp_path / "all.json", tmp_path / "b"))
    assert imported.code == code
    assert refusal(lambda: Desk.open(tmp_path / "b")).code == "no-game"
    new_desk(tmp_path / "b").close()


def _add_player(tables: Any, **changes: str) -> None:
    empty = ["lang", "since", "until", "absent_from", "absent_until", "note", "bot", "stand_in"]
    known = {"id": 1, "power": "Italy", "name": "Anna", "address": "", "other_addresses": "[]"}
    tables["players"] = [dict.fromkeys(empty, "") | known | changes]


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
    "subject": lambda t: t["messages"][0].update(subject="Orders\nX: y"),
    "player": lambda t: _add_player(t, name="x" * 201),
    "address": lambda t: _add_player(t, address="anna@example.org, eve@example.org"),
    "addresses": lambda t: _add_player(t, other_addresses='["a b"]'),
    "lang": lambda t: _add_player(t, lang="../x"),
    "bomb": _add_bomb,
}


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


REACHING = {
    "imap_server": "imap.example.com",
    "smtp_server": "smtp.example.com",
    "mail_address": "eve@example.com",
    "gm_address": "eve@example.com",
    "transport": "smtp",
    "reports": "send",
    "receipts": "send",
    "reminders": "send",
    "announcements": "send",
    "site_dir": "../../public_html",
    "site_address": "https://example.com/",
    "second_place": "/media/stick",
    "sandbox": "https://example.com/table.html",
}


def test_an_import_resets_what_reaches_outside_and_says_so(tmp_path: Path) -> None:
    with new_desk(tmp_path / "a", settings={**REACHING, "grace": "3"}) as desk:
        desk.export(tmp_path / "all.json")
    data = json.loads((tmp_path / "all.json").read_text("utf-8"))
    data["tables"]["games"][0]["map_source"] = "../../secret/map.json"
    (tmp_path / "all.json").write_text(json.dumps(data), "utf-8")

    with Desk.import_game(tmp_path / "all.json", tmp_path / "b") as desk:
        assert {name: desk.settings[name] for name in REACHING} == {
            name: default_settings()[name] for name in REACHING
        }
        assert desk.settings["grace"] == "3"
        told = [warning.data["name"] for warning in desk.warnings]
        assert sorted(told) == sorted([*REACHING, "map_source"])
        assert desk.info.map_source == "./map.json"
        assert desk.verify() == ()
    kept = Desk.import_game(tmp_path / "all.json", tmp_path / "c", keep=True)
    with kept as desk:
        assert {name: desk.settings[name] for name in REACHING} == REACHING
        assert desk.warnings == []


def test_every_setting_of_a_server_an_address_or_a_path_is_one_that_reaches_outside() -> None:
    named = {name for name in SETTINGS if re.search("server|address$|_dir|place|transport", name)}
    assert named == {name for name in named if SETTINGS[name].outside}


def _set(data: dict[str, Any], name: str, value: str) -> None:
    next(row for row in data["tables"]["settings"] if row["name"] == name)["value"] = value


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
    assert refusal(lambda: Desk.import_game(export, tmp_path / "b")).code == "game-busy"


def test_an_export_that_cannot_be_written_is_not_journaled(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with new_desk(tmp_path / "a") as desk:
        assert refusal(lambda: desk.export(tmp_path / "there")).code == "cannot-write"
        assert desk.history()[-1].action == "new"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "there"]
        desk.export(tmp_path / "all.json")
        assert desk.history()[-1].action == "export"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights otherwise")
def test_an_export_is_for_its_owner_alone(export: Path) -> None:
    assert export.stat().st_mode & 0o777 == 0o600


def test_an_import_never_writes_over_a_game(tmp_path: Path, export: Path) -> None:
    new_desk(tmp_path).close()
    before = dump(tmp_path)
    assert refusal(lambda: Desk.import_game(export, tmp_path)).code == "game-exists"
    assert dump(tmp_path) == before
