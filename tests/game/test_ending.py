"""Ending a game: votes that agree, declared ends, the sealed file, and opening it again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import Desk
from alexmagnum.game.file import FILE
from alexmagnum.game.game import GameEnd, Player
from alexmagnum.game.undo import ABANDON, CONCEDE, DRAW, SOLO, Declaration
from tests.game.desks import NOON, new_desk, open_desk, play, submit_all

EVERYBODY = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")

TWO = [Player("France", "Anna"), Player("Italy", "Bruno")]


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Desk]:
    """Return a game that two people play."""
    with new_desk(tmp_path, players=TWO) as desk:
        yield desk


def _code(act: object) -> str:
    with pytest.raises(GameError) as refused:
        act()  # type: ignore[operator]
    return refused.value.code


# -- votes -----------------------------------------------------------------------------------------


def test_a_draw_is_agreed_when_the_last_voter_votes_for_it(desk: Desk) -> None:
    for power in EVERYBODY[:-1]:
        desk.vote(power, "draw")
        assert desk.status().agreed == ""
    desk.vote("Turkey", "draw")
    status = desk.status()
    assert set(status.agreed.split()) == {"draw", *EVERYBODY}
    assert "block-draw-agreed" in status.blocks
    assert status.voters == tuple(status.agreed.split()[1:])


def test_powers_without_a_player_have_no_vote(two: Desk) -> None:
    assert set(two.status().voters) == {"France", "Italy"}
    two.vote("France", "draw")
    two.vote("Turkey", "draw")
    assert (two.status().agreed, two.status().tally) == ("", {"draw": 1})
    two.vote("Italy", "draw", ["France", "Italy"])
    assert two.status().agreed == "draw France Italy"


def test_draws_among_different_powers_are_no_agreement(two: Desk) -> None:
    two.vote("France", "draw", ["France"])
    two.vote("Italy", "draw")
    assert two.status().agreed == ""


def test_the_power_to_which_the_game_is_conceded_need_not_vote(tmp_path: Path) -> None:
    with new_desk(tmp_path, players=[*TWO, Player("Turkey", "Carla")]) as desk:
        desk.vote("France", "concede", ["Turkey"])
        assert desk.status().agreed == ""
        desk.vote("Italy", "concede", ["Turkey"])
        assert desk.status().agreed == "concede Turkey"
        assert "block-concede-agreed" in desk.status().blocks


def test_nobody_plays_on_past_an_agreement_without_saying_so(two: Desk) -> None:
    two.vote("France", "draw")
    two.vote("Italy", "draw")
    assert _code(lambda: two.process("1901-spring", allow_missing=True)) == "draw-agreed"
    two.process("1901-spring", allow_missing=True, anyway=True)
    assert two.history()[-1].detail["played_on"] == "draw France Italy"
    assert two.status().agreed == ""
    two.undo()
    assert two.status().agreed == "draw France Italy"


def test_an_eliminated_power_has_no_vote(tmp_path: Path) -> None:
    with new_desk(tmp_path, "standard") as desk:
        board = desk.board
        start = desk.position
    alive = {c: p for c, p in start.owners.items() if p != "Turkey"}
    from dataclasses import replace

    left = replace(start, owners=alive, units=tuple(u for u in start.units if u.power != "Turkey"))
    assert board is start.board
    with new_desk(tmp_path / "later", start=left) as desk:
        assert set(desk.status().voters) == set(EVERYBODY) - {"Turkey"}
        code = _code(lambda: desk.end(Declaration(SOLO, ("Turkey",))))
    assert code == "end-power-out"


# -- declared ends ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "winners"),
    [
        (Declaration(DRAW), ("France", "Italy")),
        (Declaration(DRAW, ("italy",)), ("Italy",)),
        (Declaration(CONCEDE, ("Turkey",)), ("Turkey",)),
        (Declaration(SOLO, ("turkey",)), ("Turkey",)),
        (Declaration(ABANDON), ()),
    ],
)
def test_a_game_ends_as_the_game_master_declares(
    tmp_path: Path, declared: Declaration, winners: tuple[str, ...]
) -> None:
    with new_desk(tmp_path, players=TWO) as desk:
        play(desk, 2)
        assert desk.end(declared, "so agreed") == GameEnd(declared.kind, winners, "so agreed")
        status = desk.status()
        assert (status.over, status.phase, status.winners) == (True, "", winners)
        assert status.end == GameEnd(declared.kind, winners, "so agreed")
        assert desk.verify() == ()
        assert [record.state for record in desk.phases()] == ["processed"] * 2
    with open_desk(tmp_path) as desk:
        assert desk.status().end == GameEnd(declared.kind, winners, "so agreed")


def test_a_game_can_end_before_anything_was_resolved(desk: Desk) -> None:
    desk.end(Declaration(ABANDON))
    assert desk.phase is None
    assert desk.verify() == ()
    assert desk.undo() == "1901-spring"
    assert desk.verify() == ()


def test_nothing_is_taken_once_the_game_is_over(desk: Desk) -> None:
    play(desk, 1)
    open_phase = str(desk.phase)
    desk.end(Declaration(ABANDON))
    acts = (
        lambda: desk.submit("France", "A PAR H"),
        lambda: desk.clear("France"),
        lambda: desk.vote("France", "draw"),
        lambda: desk.process(open_phase),
        desk.preview,
        lambda: desk.set_deadline(NOON + timedelta(days=9)),
        lambda: desk.extend(NOON + timedelta(days=99)),
        desk.pause,
        desk.resume,
        lambda: desk.set("rules.last_year", 1905),
        lambda: desk.end(Declaration(DRAW)),
    )
    assert {_code(act) for act in acts} == {"game-is-over"}
    assert desk.verify() == ()


def test_undo_opens_the_game_again_as_it_was(desk: Desk) -> None:
    play(desk, 2)
    submit_all(desk, {"France": "A PAR H", "Italy": "A ROM H"})
    before = (desk.phase, desk.deadline, desk.pending(reason="test"), desk.status())
    desk.end(Declaration(DRAW, ("France",)))
    assert desk.undo("not all were asked") == str(before[0])
    now = (desk.phase, desk.deadline, desk.pending(reason="test"), desk.status())
    assert now == before
    assert desk.verify() == ()
    assert desk.redo() == ""
    assert desk.status().winners == ("France",)
    assert desk.verify() == ()
    desk.undo()
    play(desk, 1)
    assert desk.verify() == ()


def test_the_last_phase_reads_as_before_after_an_end(desk: Desk) -> None:
    play(desk, 1)
    before = desk.processed("1901-spring")
    desk.end(Declaration(ABANDON))
    after = desk.processed("1901-spring")
    assert (after.outcome, after.orders, after.next) == (before.outcome, before.orders, "")


def test_an_ended_game_is_not_amended_but_opened_first(desk: Desk) -> None:
    play(desk, 2)
    desk.end(Declaration(ABANDON))
    assert _code(lambda: desk.amend("1901-spring", "France", "A PAR H")) == "amend-ended"
    desk.undo()
    desk.amend("1901-spring", "France", "A PAR H")


# -- the closing seal ------------------------------------------------------------------------------


def _change(folder: Path, sql: str) -> None:
    db = sqlite3.connect(folder / FILE)
    with db:
        db.execute(sql)
    db.close()


CHANGES = (
    "UPDATE endings SET kind = 'solo'",
    "UPDATE endings SET reason = 'another'",
    "UPDATE journal SET reason = 'nothing' WHERE action = 'submit'",
    "UPDATE mail SET received = '2026-11-01T00:00:00Z'",
    "UPDATE games SET name = 'another game'",
    "UPDATE seals SET digest = lower(digest)",
    "UPDATE outcomes SET processed = '2026-11-01T00:00:00Z'",
    "DELETE FROM votes",
)


@pytest.mark.parametrize("sql", CHANGES)
def test_verify_finds_whatever_was_changed_after_the_end(tmp_path: Path, sql: str) -> None:
    with new_desk(tmp_path) as desk:
        desk.vote("France", "draw")
        play(desk, 1)
        desk.end(Declaration(CONCEDE, ("France",)))
        assert desk.closing_seal
        assert desk.verify() == ()
    _change(tmp_path, sql)
    with open_desk(tmp_path) as desk:
        assert "verify-closing-seal" in [finding.code for finding in desk.verify()]


def test_mail_and_players_may_change_after_the_end(two: Desk) -> None:
    play(two, 1)
    two.end(Declaration(ABANDON))
    two.set_player("France", address="anna@example.org")
    two.set("mail_address", "game@example.org")
    two.note("France", "paid")
    two.add_text("1901-spring", "after", "A good game.")
    assert two.verify() == ()


def _play_out(desk: Desk) -> None:
    while desk.phase is not None:
        desk.process(str(desk.phase), allow_missing=True)


def test_a_game_that_the_rules_end_is_sealed_too(tmp_path: Path) -> None:
    with new_desk(tmp_path, settings={"rules.last_year": 1901}) as desk:
        _play_out(desk)
        assert desk.closing_seal
        end = desk.status().end
        assert end is not None
        assert (end.kind, end.is_declared) == ("nobility", False)
        assert desk.verify() == ()
    _change(tmp_path, "UPDATE outcomes SET processed = '2026-11-01T00:00:00Z'")
    with open_desk(tmp_path) as desk:
        assert [f.code for f in desk.verify()] == ["verify-closing-seal"]


def test_the_seal_follows_undo_and_redo(tmp_path: Path) -> None:
    with new_desk(tmp_path, settings={"rules.last_year": 1901}) as desk:
        _play_out(desk)
        first = desk.closing_seal
        desk.undo()
        assert desk.closing_seal == ""
        desk.redo()
        assert desk.closing_seal not in ("", first)
        assert desk.verify() == ()


def test_an_exported_game_is_sealed_as_it_was(tmp_path: Path) -> None:
    with new_desk(tmp_path / "game") as desk:
        play(desk, 1)
        desk.end(Declaration(ABANDON))
        digest = desk.closing_seal
        desk.export(tmp_path / "game.json")
    with Desk.import_game(tmp_path / "game.json", tmp_path / "again") as desk:
        assert desk.closing_seal == digest
        assert desk.verify() == ()


# -- withdrawing, and votes in a phase -------------------------------------------------------------


# -- withdrawing -----------------------------------------------------------------------------------


def test_what_is_withdrawn_counts_no_more(desk: Desk) -> None:
    sent = desk.submit("France", "A PAR - BUR")
    receipt = desk.clear("France")
    assert (receipt.number, receipt.orders, receipt.replaces) == (2, (), True)
    assert "A PAR" in receipt.missing
    assert receipt.digest != sent.digest
    assert desk.pending(reason="test")["France"] == ()
    desk.process("1901-spring", allow_missing=True)
    assert desk.verify() == ()


def test_what_was_sent_ahead_stays(desk: Desk) -> None:
    desk.submit("France", "A PAR - BUR\n\nBuilds:\nBuild A PAR")
    desk.clear("France")
    assert desk.ahead(reason="test")["France"] == {"winter": ("Build A PAR",)}


def test_the_journal_keeps_that_it_was_withdrawn(desk: Desk) -> None:
    desk.submit("France", "A PAR - BUR")
    desk.clear("France", reason="a mail")
    last = desk.history()[-1]
    assert (last.action, last.power, last.reason) == ("clear", "France", "a mail")


def test_it_is_withdrawn_again_where_the_mails_are_read_anew(desk: Desk) -> None:
    """Open the phase again with other positions, and replay what was sent and withdrawn."""
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


def test_who_is_ready_waits_no_more(desk: Desk) -> None:
    desk.vote("France", "wait")
    assert _paces(desk) == {"France": "wait"}
    desk.vote("France", "ready")
    assert _paces(desk) == {"France": "ready"}


def test_votes_for_an_end_are_counted_and_not_named(desk: Desk) -> None:
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


def test_a_vote_can_be_taken_back(desk: Desk) -> None:
    desk.vote("France", "draw", ["Italy"])
    desk.withdraw_vote("France", "draw")
    assert desk.status().tally == {}


def test_votes_are_for_one_phase(desk: Desk) -> None:
    """And they are there again if it is taken back."""
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
