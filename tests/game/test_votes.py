"""Withdrawing what was sent, mails with a time of their own, and votes."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import Desk
from alexmagnum.game.file import FILE
from tests.game.desks import new_desk, open_desk

# -- withdrawing -----------------------------------------------------------------------------------


def test_what_is_withdrawn_counts_no_more(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        sent = desk.submit("France", "A PAR - BUR")
        receipt = desk.clear("France")
        assert (receipt.number, receipt.orders, receipt.replaces) == (2, (), True)
        assert "A PAR" in receipt.missing
        assert receipt.digest != sent.digest
        assert desk.pending(reason="test")["France"] == ()
        desk.process("1901-spring", allow_missing=True)
        assert desk.verify() == ()


def test_what_was_sent_ahead_stays(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        desk.submit("France", "A PAR - BUR\n\nBuilds:\nBuild A PAR")
        desk.clear("France")
        assert desk.ahead(reason="test")["France"] == {"winter": ("Build A PAR",)}


def test_the_journal_keeps_that_it_was_withdrawn(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        desk.submit("France", "A PAR - BUR")
        desk.clear("France", reason="a mail")
        last = desk.history()[-1]
    assert (last.action, last.power, last.reason) == ("clear", "France", "a mail")


def test_it_is_withdrawn_again_where_the_mails_are_read_anew(tmp_path: Path) -> None:
    """Open the phase again with other positions, and replay what was sent and withdrawn."""
    with new_desk(tmp_path) as desk:
        desk.submit("France", "A PAR - BUR")
        desk.process("1901-spring", allow_missing=True)
        desk.submit("France", "F BRE - MAO")
        desk.submit("Italy", "A ROM - TUS")
        desk.clear("Italy")
        desk.undo()
        desk.submit("France", "A PAR - PIC")
        desk.process("1901-spring", allow_missing=True)
        waiting = desk.pending(reason="test")
        assert waiting["France"] == ("F BRE - MAO",)
        assert waiting["Italy"] == ()
        assert desk.verify() == ()


def test_verify_finds_a_withdrawal_that_was_changed(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        desk.submit("France", "A PAR - BUR")
        desk.clear("France")
    db = sqlite3.connect(tmp_path / FILE)
    with db:
        db.execute("UPDATE submissions SET replaces = 0 WHERE kind = 'clear'")
    db.close()
    with open_desk(tmp_path) as desk:
        assert [finding.code for finding in desk.verify()] == ["verify-lines"]


# -- when it came ----------------------------------------------------------------------------------


def test_a_mail_may_have_come_before_it_was_read(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        receipt = desk.submit("France", "A PAR H", received="2026-11-20T09:00:00Z")
    db = sqlite3.connect(tmp_path / FILE)
    assert receipt.received == "2026-11-20T09:00:00Z"
    assert db.execute("SELECT received FROM mail").fetchone()[0] == receipt.received
    db.close()


# -- votes -----------------------------------------------------------------------------------------


def _paces(desk: Desk) -> dict[str, str]:
    return {power.power: power.pace for power in desk.status().powers if power.pace}


def test_who_is_ready_waits_no_more(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        desk.vote("France", "wait")
        assert _paces(desk) == {"France": "wait"}
        desk.vote("France", "ready")
        assert _paces(desk) == {"France": "ready"}


def test_votes_for_an_end_are_counted_and_not_named(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        desk.vote("France", "draw")
        desk.vote("Italy", "draw", ["Turkey", "Austria"])
        desk.vote("Turkey", "concede", ["Italy"])
        desk.vote("Austria", "concede", ["Italy"])
        desk.vote("Austria", "concede", ["Turkey"])
        assert desk.status().tally == {
            "concede Italy": 1,
            "concede Turkey": 1,
            "draw": 1,
            "draw Austria Turkey": 1,
        }
        assert {power.pace for power in desk.status().powers} == {""}
        assert "concede" not in json.dumps([entry.detail for entry in desk.history()])


def test_a_vote_can_be_taken_back(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        desk.vote("France", "draw", ["Italy"])
        desk.withdraw_vote("France", "draw")
        assert desk.status().tally == {}


def test_votes_are_for_one_phase(tmp_path: Path) -> None:
    """And they are there again if it is taken back."""
    with new_desk(tmp_path) as desk:
        desk.vote("France", "draw")
        desk.vote("France", "wait")
        desk.process("1901-spring", allow_missing=True)
        assert desk.status().tally == {}
        assert _paces(desk) == {}
        desk.undo()
        assert desk.status().tally == {"draw": 1}


def test_nobody_votes_when_the_game_is_over(tmp_path: Path) -> None:
    with new_desk(tmp_path, settings={"rules.last_year": 1901}) as desk:
        while desk.phase is not None:
            desk.process(str(desk.phase), allow_missing=True)
        for act in (lambda: desk.vote("France", "draw"), lambda: desk.clear("France")):
            with pytest.raises(GameError, match="game-is-over"):
                act()
        assert desk.status().tally == {}
