"""Ending a game: votes that agree, declared ends, the sealed file, and opening it again."""

from __future__ import annotations

import sqlite3
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


def _code(act: object) -> str:
    with pytest.raises(GameError) as refused:
        act()  # type: ignore[operator]
    return refused.value.code


# -- votes -----------------------------------------------------------------------------------------


def test_a_draw_is_agreed_when_the_last_voter_votes_for_it(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        for power in EVERYBODY[:-1]:
            desk.vote(power, "draw")
            assert desk.status().agreed == ""
        desk.vote("Turkey", "draw")
        status = desk.status()
    assert set(status.agreed.split()) == {"draw", *EVERYBODY}
    assert "block-draw-agreed" in status.blocks
    assert status.voters == tuple(status.agreed.split()[1:])


def test_powers_without_a_player_have_no_vote(tmp_path: Path) -> None:
    with new_desk(tmp_path, players=TWO) as desk:
        assert set(desk.status().voters) == {"France", "Italy"}
        desk.vote("France", "draw")
        desk.vote("Turkey", "draw")
        assert (desk.status().agreed, desk.status().tally) == ("", {"draw": 1})
        desk.vote("Italy", "draw", ["France", "Italy"])
        assert desk.status().agreed == "draw France Italy"


def test_draws_among_different_powers_are_no_agreement(tmp_path: Path) -> None:
    with new_desk(tmp_path, players=TWO) as desk:
        desk.vote("France", "draw", ["France"])
        desk.vote("Italy", "draw")
        assert desk.status().agreed == ""


def test_the_power_to_which_the_game_is_conceded_need_not_vote(tmp_path: Path) -> None:
    with new_desk(tmp_path, players=[*TWO, Player("Turkey", "Carla")]) as desk:
        desk.vote("France", "concede", ["Turkey"])
        assert desk.status().agreed == ""
        desk.vote("Italy", "concede", ["Turkey"])
        assert desk.status().agreed == "concede Turkey"
        assert "block-concede-agreed" in desk.status().blocks


def test_nobody_plays_on_past_an_agreement_without_saying_so(tmp_path: Path) -> None:
    with new_desk(tmp_path, players=TWO) as desk:
        desk.vote("France", "draw")
        desk.vote("Italy", "draw")
        assert _code(lambda: desk.process("1901-spring", allow_missing=True)) == "draw-agreed"
        desk.process("1901-spring", allow_missing=True, anyway=True)
        assert desk.history()[-1].detail["played_on"] == "draw France Italy"
        assert desk.status().agreed == ""
        desk.undo()
        assert desk.status().agreed == "draw France Italy"


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


def test_a_game_can_end_before_anything_was_resolved(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        desk.end(Declaration(ABANDON))
        assert desk.phase is None
        assert desk.verify() == ()
        assert desk.undo() == "1901-spring"
        assert desk.verify() == ()


def test_nothing_is_taken_once_the_game_is_over(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
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


def test_undo_opens_the_game_again_as_it_was(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
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


def test_the_last_phase_reads_as_before_after_an_end(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        play(desk, 1)
        before = desk.processed("1901-spring")
        desk.end(Declaration(ABANDON))
        after = desk.processed("1901-spring")
        assert (after.outcome, after.orders, after.next) == (before.outcome, before.orders, "")


def test_an_ended_game_is_not_amended_but_opened_first(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
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


def test_mail_and_players_may_change_after_the_end(tmp_path: Path) -> None:
    with new_desk(tmp_path, players=TWO) as desk:
        play(desk, 1)
        desk.end(Declaration(ABANDON))
        desk.set_player("France", address="anna@example.org")
        desk.set("mail_address", "game@example.org")
        desk.note("France", "paid")
        desk.add_text("1901-spring", "after", "A good game.")
        assert desk.verify() == ()


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
