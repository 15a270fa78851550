"""A game by mail made by an older version: its letters stay what they were, and it goes on.

The archive holds the game file and the drafts of a short game on the standard map, made by the
version of this program whose game files had version 4.  It was played with maps, order sheets and
calendar entries; one report was taken back after it was sent, and two drafts were changed by hand.
To keep it small, the base64 of the files in letters stands in it once, as bytes.
"""

from __future__ import annotations

import base64
import re
import shutil
import sqlite3
import tarfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from alexmagnum.game import Desk
from alexmagnum.game.migrations import VERSION
from alexmagnum.game.outbox_store import DRAFT, DROPPED, SENT, OutboxStore
from alexmagnum.mail.letters.composition import parse_mail, read_text
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.reconcile import reconcile
from alexmagnum.mail.schedule import find_outdated_phases, find_unreported_phases
from alexmagnum.mail.sending import send
from alexmagnum.mail.sent_reports import SentReports
from alexmagnum.workflow.letters import draft_opening_letters, draft_report_letters
from alexmagnum.workflow.materials import Materials
from tests.game.desks import Clock

ARCHIVE = Path(__file__).parent / "old_games" / "version-4.tar.xz"
LATER = datetime(2026, 11, 2, 13, tzinfo=UTC)

_FILE = re.compile(rb"\x00([0-9a-f]{64}) (CRLF|LF)\x00")


def _unpack(folder: Path) -> Mapping[int, bytes]:
    """Write the old game into a folder, and return its letters as they were in the file."""
    with tarfile.open(ARCHIVE) as archive:
        members = {m.name: archive.extractfile(m) for m in archive.getmembers()}
        contents = {name: stream.read() for name, stream in members.items() if stream}

    def encoded(match: re.Match[bytes]) -> bytes:
        text = base64.encodebytes(contents[f"files/{match[1].decode()}"])
        return text.replace(b"\n", b"\r\n") if match[2] == b"CRLF" else text

    (folder / "drafts").mkdir(parents=True)
    (folder / "reports").mkdir()
    for name, content in contents.items():
        if not name.startswith("files/"):
            (folder / name).write_bytes(_FILE.sub(encoded, content) if "/" in name else content)
    db = sqlite3.connect(folder / "game.db")
    rows = db.execute("SELECT id, raw FROM outgoing").fetchall()
    letters = {number: _FILE.sub(encoded, raw) for number, raw in rows}
    db.executemany("UPDATE outgoing SET raw = ? WHERE id = ?", [(b, a) for a, b in letters.items()])
    db.commit()
    db.close()
    return letters


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Mapping[int, bytes]]:
    folder = tmp_path_factory.mktemp("old") / "prova"
    return folder, _unpack(folder)


@pytest.fixture
def folder(unpacked: tuple[Path, Mapping[int, bytes]], tmp_path: Path) -> Path:
    """Return the folder of the old game, which nobody has opened yet."""
    copy = tmp_path / "prova"
    shutil.copytree(unpacked[0], copy)
    return copy


def _open(folder: Path) -> Desk:
    return Desk.open(folder, now=Clock(LATER))


def test_every_letter_is_byte_for_byte_what_it_was(
    folder: Path, unpacked: tuple[Path, Mapping[int, bytes]]
) -> None:
    with _open(folder) as desk:
        store = OutboxStore(desk.game.file)

        assert {m.id: store.mail(m.id) for m in store.find_all()} == unpacked[1]
        assert all(store.is_intact(number) for number in unpacked[1])
        assert desk.verify() == ()


def test_what_letters_are_about_is_known(folder: Path) -> None:
    with _open(folder) as desk:
        keys = [mailing.key for mailing in Outbox(desk.game).list_letters()]
        sent = SentReports(Outbox(desk.game))
        received = [sent.by_phase(player) for player in desk.players if player.address]

    assert [key.occasion for key in keys] == [
        "opening",
        "opening",
        "press",
        "answer",
        "answer",
        "warning",
        "report",
        "report",
        "retraction",
        "retraction",
        "report",
        "report",
        "answer",
        "answer",
        "reminder",
        "reminder",
    ]
    assert [key.times for key in keys[6:12]] == [0, 0, 1, 1, 1, 1]
    assert {key.day for key in keys[14:]} == {"2026-11-02"}
    assert [(r["1901-spring"].outcomes, r["1901-spring"].stands) for r in received] == [
        ((1,), False),
        ((1,), False),
    ]


def test_a_file_in_several_letters_is_kept_once(folder: Path) -> None:
    before = (folder / "game.db").stat().st_size
    with _open(folder) as desk:
        maps = desk.game.file.rows(
            """SELECT count(*) AS n, count(DISTINCT attachment) AS different
               FROM letter_attachments JOIN attachments ON attachments.id = attachment
               WHERE type = 'image/png'"""
        )
    after = (folder / "game.db").stat().st_size

    assert maps == [{"n": 8, "different": 1}]
    assert before > 4 * after


def test_a_draft_that_was_changed_by_hand_is_sent_as_changed_and_with_its_files(
    folder: Path,
) -> None:
    with _open(folder) as desk:
        box = Outbox(desk.game)
        changed = [m.id for m in box.list_letters((DRAFT,)) if not box.is_as_drafted(m)]
        list(send(box, [12]))
        message = parse_mail(box.raw(box.find(12)))

    assert changed == [12, 13]
    assert read_text(message).startswith("Dear Bruno")
    assert [part.get_filename() for part in message.iter_attachments()] == [
        "map-1901-spring.png",
        "orders-1901-autumn-Italy.html",
        "deadline-1901-autumn.ics",
    ]


def test_nothing_is_drafted_twice(folder: Path) -> None:
    with _open(folder) as desk:
        box = Outbox(desk.game)
        before = [(mailing.key, mailing.state) for mailing in box.list_letters()]
        letters = reconcile(box)
        lacking = [*find_unreported_phases(box), *find_outdated_phases(box, SentReports(box))]
        made = draft_report_letters(Materials(desk), ["1901-spring"])

        assert (letters.dropped, letters.back, lacking, made.drafted) == (0, 0, [], [])
        assert [(mailing.key, mailing.state) for mailing in box.list_letters()] == before


def test_the_game_goes_on(folder: Path) -> None:
    with _open(folder) as desk:
        desk.process("1901-autumn")
        made = draft_report_letters(Materials(desk), ["1901-autumn"])
        box = Outbox(desk.game)
        sent = [delivery.state for delivery in send(box)]

        assert len(made.drafted) == 2
        assert set(sent) == {SENT}
        assert desk.verify() == ()
        desk.undo()
        assert draft_opening_letters(Materials(desk)).drafted != []
        assert [m.state for m in box.list_letters((DRAFT, DROPPED))] != []


def test_an_export_of_the_old_game_comes_back_the_same(folder: Path, tmp_path: Path) -> None:
    with _open(folder) as desk:
        desk.export(tmp_path / "game.json")
        letters = {m.id: Outbox(desk.game).raw(m) for m in Outbox(desk.game).list_letters()}
    with Desk.import_game(tmp_path / "game.json", tmp_path / "copy") as copy:
        assert {m.id: Outbox(copy.game).raw(m) for m in Outbox(copy.game).list_letters()} == letters
        assert copy.game.file.rows("PRAGMA user_version") == [{"user_version": VERSION}]
