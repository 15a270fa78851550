"""Votes, withdrawn orders, and the end of a game: agreed, declared, sealed, opened again."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from alexmagnum.game import status
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import GameEnd, Player
from alexmagnum.game.undo import ABANDON, CONCEDE, DRAW, SOLO
from tests.case_library import read_yaml
from tests.game import desks
from tests.mail.mail_desk import fetch, mail, mail_desk
from tests.sizes import one_in

EVERYBODY = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")

TWO = [Player("France", "Anna"), Player("Italy", "Bruno")]


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Desk]:
    """Return a game that two people play."""
    with desks.new_desk(tmp_path, players=TWO) as desk:
        yield desk


def _findings(folder: Path) -> list[str]:
    with desks.open_desk(folder) as desk:
        return [finding.code for finding in desk.verify()]


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
    two.vote("France", "draw", ["France"])
    assert two.status().agreed == "", "draws among different powers are no agreement"


@pytest.mark.proof
def test_the_power_to_which_the_game_is_conceded_need_not_vote(tmp_path: Path) -> None:
    with desks.new_desk(tmp_path, players=[*TWO, Player("Turkey", "Carla")]) as desk:
        desk.vote("France", "concede", ["Turkey"])
        assert desk.status().agreed == ""
        desk.vote("Italy", "concede", ["Turkey"])
        assert desk.status().agreed == "concede Turkey"
        assert "block-concede-agreed" in desk.status().blocks


def test_nobody_plays_on_past_an_agreement_without_saying_so(two: Desk) -> None:
    two.vote("France", "draw")
    two.vote("Italy", "draw")
    assert desks.refusal(lambda: desks.resolve(two)).code == "draw-agreed"
    two.process("1901-spring", allow_missing=True, anyway=True)
    assert two.history()[-1].detail["played_on"] == "draw France Italy"
    assert two.status().agreed == ""
    two.undo()
    assert two.status().agreed == "draw France Italy"


def test_an_eliminated_power_has_no_vote(desk: Desk, tmp_path: Path) -> None:
    start = desk.position
    alive = {centre: power for centre, power in start.owners.items() if power != "Turkey"}
    units = tuple(unit for unit in start.units if unit.power != "Turkey")
    with desks.new_desk(tmp_path / "x", start=replace(start, owners=alive, units=units)) as later:
        assert set(later.status().voters) == set(EVERYBODY) - {"Turkey"}
        assert desks.refusal(lambda: later.end(SOLO, ("Turkey",))).code == "end-power-out"


def _paces(desk: Desk) -> dict[str, str]:
    return {power.power: power.pace for power in desk.status().powers if power.pace}


def test_votes_are_for_one_phase_and_there_again_if_it_is_undone(desk: Desk) -> None:
    desk.vote("France", "wait")
    assert _paces(desk) == {"France": "wait"}
    desk.vote("France", "ready")
    assert _paces(desk) == {"France": "ready"}
    desk.vote("France", "draw")
    desks.resolve(desk)
    assert desk.status().tally == {}
    assert _paces(desk) == {}
    desk.undo()
    assert desk.status().tally == {"draw": 1}
    desk.replace_player(Player("France", "Yan"))  # who has said nothing (a fourth attack)
    assert desk.status().tally == {}
    desk.set_player("Italy", name="Bruno")
    desks.resolve(desk)
    desk.vote("France", "draw")
    desk.vote("Italy", "draw")
    desk.undo()
    desk.replace_player(Player("France", "Zoe"))
    assert desk.redo(anyway=True) == "1901-autumn"
    assert desk.status().tally == {"draw": 1}
    desk.vote("France", "wait")
    desk.undo()
    desks.resolve(desk, {"Italy": "A VEN - TYR"})  # another position than the one they voted in
    assert (desk.status().tally, _paces(desk)) == ({}, {"France": "wait"})


def test_votes_for_an_end_are_counted_not_named_and_can_be_taken_back(desk: Desk) -> None:
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
    assert _paces(desk) == {}
    assert not any(entry.action == "vote" for entry in desk.history())
    desk.withdraw_vote("Italy", "draw")
    assert "draw Austria Turkey" not in desk.status().tally


# -- declared ends ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "named", "winners"),
    [
        (DRAW, (), ("France", "Italy")),
        (DRAW, ("italy",), ("Italy",)),
        (CONCEDE, ("Turkey",), ("Turkey",)),
        (SOLO, ("turkey",), ("Turkey",)),
        (ABANDON, (), ()),
    ],
)
def test_a_game_ends_as_the_game_master_declares(
    two: Desk, tmp_path: Path, kind: str, named: tuple[str, ...], winners: tuple[str, ...]
) -> None:
    desks.play(two, 2)
    end = GameEnd(kind, winners, "so agreed")
    assert two.end(kind, named, "so agreed") == end
    status = two.status()
    assert (status.over, status.phase, status.winners, status.end) == (True, "", winners, end)
    assert two.verify() == ()
    assert [record.state for record in two.phases()] == ["processed"] * 2
    with desks.open_desk(tmp_path) as again:
        assert again.status().end == end


def test_a_game_can_end_before_anything_was_resolved(desk: Desk) -> None:
    desk.end(ABANDON)
    assert desk.phase is None
    assert desk.verify() == ()
    assert desk.undo() == "1901-spring"
    assert desk.verify() == ()


def test_nothing_is_taken_once_the_game_is_over(desk: Desk) -> None:
    desks.play(desk, 1)
    open_phase = str(desk.phase)
    before = desk.processed("1901-spring")
    desk.end(ABANDON)
    acts = (
        lambda: desk.submit("France", "A PAR H"),
        lambda: desk.clear("France"),
        lambda: desk.vote("France", "draw"),
        lambda: desk.process(open_phase),
        desk.preview,
        lambda: desk.set_deadline(desks.NOON + timedelta(days=9)),
        lambda: desk.extend(desks.NOON + timedelta(days=99)),
        desk.pause,
        desk.resume,
        lambda: desk.set("rules.last_year", 1905),
        lambda: desk.end(DRAW),
        # What goes with who played before is sealed (an eleventh attack).
        lambda: desk.replace_player(Player("France", "Zoe", "zoe@example.org")),
    )
    assert {desks.refusal(act).code for act in acts} == {"game-is-over"}
    assert desk.verify() == ()
    after = desk.processed("1901-spring")
    assert (after.outcome, after.orders, after.next) == (before.outcome, before.orders, "")


@pytest.mark.proof
def test_undo_opens_the_game_again_as_it_was(desk: Desk) -> None:
    desks.play(desk, 2)
    desks.submit_all(desk, {"France": "A PAR H", "Italy": "A ROM H"})
    before = (desk.phase, desk.deadline, desk.pending(reason="test"), desk.status())
    desk.end(DRAW, ("France",))
    amend = partial(desk.amend, "1901-spring", "France", "A PAR H")
    assert desks.refusal(amend).code == "amend-ended"
    assert desk.undo("not all were asked") == str(before[0])
    assert (desk.phase, desk.deadline, desk.pending(reason="test"), desk.status()) == before
    assert desk.verify() == ()
    assert desk.redo() == ""
    assert desk.status().winners == ("France",)
    assert desk.verify() == ()
    desk.undo()
    amend()
    desks.play(desk, 1)
    assert desk.verify() == ()


# -- the closing seal ------------------------------------------------------------------------------


DATA = read_yaml(Path(__file__).with_name("ending.yaml"))
CHANGES = DATA["changes"]


@pytest.mark.parametrize("sql", one_in(3, CHANGES))
def test_verify_finds_whatever_was_changed_after_the_end(tmp_path: Path, sql: str) -> None:
    with desks.new_desk(tmp_path) as desk:
        desk.vote("France", "draw")
        desks.play(desk, 1)
        desk.end(CONCEDE, ("France",))
        assert desk.closing_seal
        assert desk.verify() == ()
    desks.change_by_hand(tmp_path, sql)
    assert "verify-closing-seal" in _findings(tmp_path)


def test_mail_and_players_may_change_after_the_end(two: Desk) -> None:
    desks.play(two, 1)
    two.end(ABANDON)
    two.set_player("France", address="anna@example.org")
    two.set("mail_address", "game@example.org")
    two.note("France", "paid")
    two.add_text("1901-spring", "after", "A good game.")
    assert two.verify() == ()


def test_a_game_that_the_rules_end_is_sealed_too_and_the_seal_follows_undo(tmp_path: Path) -> None:
    with desks.new_desk(tmp_path, settings={"rules.last_year": 1901}) as desk:
        while desk.phase is not None:
            desks.resolve(desk)
        first, end = desk.closing_seal, desk.status().end
        assert end is not None
        assert (end.kind, end.is_declared) == ("nobility", False)
        assert desk.verify() == ()
        for act in (lambda: desk.vote("France", "draw"), lambda: desk.clear("France")):
            assert desks.refusal(act).code == "game-is-over"
        assert desk.status().tally == {}
        desk.undo()
        assert desk.closing_seal == ""
        desk.redo()
        assert desk.closing_seal not in ("", first)
        assert first
        assert desk.verify() == ()
    desks.change_by_hand(tmp_path, "UPDATE outcomes SET processed = '2026-11-01T00:00:00Z'")
    assert _findings(tmp_path) == ["verify-closing-seal"]


@pytest.mark.parametrize("left_out", [None, ()])
def test_where_the_map_and_the_mails_lie_is_not_sealed_as_it_was_at_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left_out: tuple[str, ...] | None
) -> None:
    """An import, and a mailbox that moved, broke the seal (a twelfth attack)."""
    with mail_desk(tmp_path, settings={"pictures": "no"}) as desk:
        fetch(desk, mail("Hello"))
        with monkeypatch.context() as before:
            if left_out is not None:
                digest = partial(status._digest_game, left_out=left_out)
                before.setattr(status, "_digest_game", digest)
            desk.end(ABANDON)
        assert desk.verify() == ()
    desks.change_by_hand(tmp_path, "UPDATE games SET map_source = './moved.json'")
    desks.change_by_hand(tmp_path, "UPDATE messages SET origin = 'imap:x'")
    assert ("verify-closing-seal" in _findings(tmp_path)) == (left_out is not None)


def test_an_exported_game_is_sealed_as_it_was(tmp_path: Path) -> None:
    with desks.new_desk(tmp_path / "game") as desk:
        desks.play(desk, 1)
        desk.end(ABANDON)
        digest = desk.closing_seal
        desk.export(tmp_path / "game.json")
    with Desk.import_game(tmp_path / "game.json", tmp_path / "again") as desk:
        assert desk.closing_seal == digest
        assert desk.verify() == ()


# -- withdrawing, and when a mail came -------------------------------------------------------------


def test_what_is_withdrawn_counts_no_more_and_the_journal_says_so(
    desk: Desk, tmp_path: Path
) -> None:
    sent = desk.submit("France", "A PAR - BUR\n\nBuilds:\nBuild A PAR")
    receipt = desk.clear("France", reason="a mail")
    assert (receipt.number, receipt.orders, receipt.replaces) == (2, (), True)
    assert "A PAR" in receipt.missing
    assert receipt.digest != sent.digest
    assert desk.pending(reason="test")["France"] == ()
    last = next(entry for entry in desk.history() if entry.action == "clear")
    assert (last.power, last.reason) == ("France", "a mail")
    ahead = desk.ahead(reason="test")["France"]
    assert ahead == {"winter": ("Build A PAR",)}, "what was sent ahead stays"
    desks.resolve(desk)
    assert desk.verify() == ()
    desks.change_by_hand(tmp_path, "UPDATE submissions SET replaces = 0 WHERE kind = 'clear'")
    assert _findings(tmp_path) == ["verify-lines"]


def test_it_is_withdrawn_again_where_the_mails_are_read_anew(desk: Desk) -> None:
    """Open the phase again with other positions, and replay what was sent and withdrawn."""
    desks.resolve(desk, {"France": "A PAR - BUR"})
    desks.submit_all(desk, {"France": "F BRE - MAO", "Italy": "A ROM - TUS"})
    desk.clear("Italy")
    desk.undo()
    desks.resolve(desk, {"France": "A PAR - PIC"})
    waiting = desk.pending(reason="test")
    assert waiting["France"] == ("F BRE - MAO",)
    assert waiting["Italy"] == ()
    assert desk.verify() == ()


def test_a_mail_may_have_come_before_it_was_read(desk: Desk) -> None:
    receipt = desk.submit("France", "A PAR H", received="2026-11-20T09:00:00Z")
    (mail,) = desk.file.rows("SELECT received FROM mail")
    assert receipt.received == mail["received"] == "2026-11-20T09:00:00Z"
