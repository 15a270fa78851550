"""Whole games on a real file, and everything else a game master does at the desk."""

import re
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from alexmagnum.board import load_board
from alexmagnum.bots.random_player import random_orders
from alexmagnum.cases.files import read_turn
from alexmagnum.errors import GameError
from alexmagnum.game import game, phases
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player
from alexmagnum.game.mail_store import DRAFT
from alexmagnum.game.orders import find_required_orders
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.outbox import Outbox
from alexmagnum.notation import write_order
from alexmagnum.position import Phase, Position, Unit
from alexmagnum.report.formats import MapPictures, PageMap
from alexmagnum.workflow.publish import process_phase, sheets_folder, submit_orders
from tests.game import desks
from tests.sizes import one_in, sized

TURN = Path(__file__).parents[2] / "orders" / "turn.yaml"


# -- whole games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("board", one_in(2, ["alexmagnum", "standard"]))
def test_a_whole_game_to_its_last_year(tmp_path: Path, board: str) -> None:
    """Check that every phase is stored in order, can be read again, and verifies."""
    years = sized(2, 4)
    first = load_board(board).rules.first_year
    last = first - years if board == "alexmagnum" else first + years
    rng = Random(5)
    with desks.new_desk(tmp_path, board, settings={"rules.last_year": last}) as desk:
        while desk.phase is not None:
            name = str(desk.phase)
            desks.submit_random(desk, rng)
            done = desks.resolve(desk)
            again = desk.processed(name)
            assert (again.orders, again.passed, again.next) == (done.orders, done.passed, done.next)
            assert again.outcome == done.outcome
        assert desk.status().over
        assert desk.status().winners
        names = [record.name for record in desk.phases()]
        assert len(names) == len(set(names))
        assert names[-1] in (f"{last}-autumn", f"{last}-autumn-retreats")
        assert desk.verify() == ()


def test_processing_twice_changes_nothing_the_second_time(desk: Desk, tmp_path: Path) -> None:
    desks.submit_random(desk, Random(1))
    first = desks.resolve(desk)
    before = desks.dump(tmp_path)
    second = desk.process("1901-spring")
    assert not first.unchanged
    assert second.unchanged
    assert (second.orders, second.seals, second.next) == (first.orders, first.seals, first.next)
    assert desks.dump(tmp_path) == before
    desks.play(desk, 2)
    assert desks.refusal(lambda: desk.process("1901-spring")).code == "not-the-open-phase"


def test_missing_orders_block_and_are_named(desk: Desk) -> None:
    desk.submit("France", "A PAR H")
    error = desks.refusal(lambda: desk.process("1901-spring"))
    assert error.code == "orders-missing"
    assert "France: F BRE, A MAR" in error.data["list"]
    desk.set("missing", "hold")
    assert desk.status().blocks == ()
    assert desk.process("1901-spring").next == "1901-autumn"


def test_preview_changes_nothing_but_the_journal(desk: Desk, tmp_path: Path) -> None:
    desks.submit_random(desk, Random(2))
    before = desks.dump(tmp_path, "journal")
    seen = desk.preview()
    assert desks.dump(tmp_path, "journal") == before
    assert desk.history()[-1].action == "preview"

    done = desks.resolve(desk)
    assert (seen.outcome, seen.orders, seen.version) == (done.outcome, done.orders, 1)


def test_phases_with_nothing_to_decide_are_passed_over_as_the_preview_tells(tmp_path: Path) -> None:
    """Nobody gained or lost a centre: no winter 1901."""
    with desks.new_desk(tmp_path, settings={"rules.last_year": "1902"}) as desk:
        told = []
        while desk.phase is not None:
            name, seen = str(desk.phase), desk.preview()
            done = desks.resolve(desk)
            assert (seen.passed, seen.next) == (done.passed, done.next)
            assert desk.process(name).unchanged
            told.append((done.passed, done.next))
        assert [record.state for record in desk.phases()][2] == "passed"
        assert desk.verify() == ()

    assert told == [
        ((), "1901-autumn"),
        (("1901-winter",), "1902-spring"),
        ((), "1902-autumn"),
        ((), ""),
    ]


def test_the_cyprus_year_asks_every_power_for_a_pick(tmp_path: Path) -> None:
    """R30: missing picks are named; R31: whoever has centres owes a deployment."""
    with desks.new_desk(tmp_path, "alexmagnum") as desk:
        assert desk.due(desk.position) == dict.fromkeys(desk.board.powers, ("Pick",))
        desk.submit("TOL", "scelgo Menfi")
        error = desks.refusal(lambda: desk.process("323-1"))
        assert error.code == "orders-missing"
        assert "TOL" not in error.data["list"]
        for _ in range(5):
            desks.resolve(desk)
        assert desk.due(desk.position) == {"TOL": ("MEN",), "CAN": ("LAH",)}
        desks.submit_all(desk, {"TOL": "A MEN", "CAN": "Build G LAH"})
        assert desk.process("323-6").next == "322-spring"
        out = {p.power for p in desk.status().powers if p.state == "eliminated"}
        assert out == {"SEL", "LIS", "AUT", "CAS"}


def test_half_a_deployment_is_incomplete_until_no_more_is_wanted(tmp_path: Path) -> None:
    """R31: every centre without a unit may have one."""
    with desks.new_desk(tmp_path, "alexmagnum") as desk:
        for centres in (("MEN", "BAB"), ("TEB", "SUS"), ("ALE", "PER")):
            desks.resolve(
                desk, dict(zip(("TOL", "SEL"), (f"Pick {c}" for c in centres), strict=True))
            )
        for _ in range(2):
            desks.resolve(desk)
        owed = desk.due(desk.position)
        assert set(owed["TOL"]) == {"MEN", "TEB", "ALE"}
        assert set(desk.submit("TOL", "A MEN").missing) == {"TEB", "ALE"}
        assert desks.refusal(lambda: desk.process("323-6")).code == "orders-missing"
        assert desk.submit("TOL", "F BAB").missing, "a place of another's is none"
        assert desk.submit("TOL", "Waive").missing == ()
        assert desk.submit("SEL", "\n".join(f"A {centre}" for centre in owed["SEL"])).missing == ()


def test_absences_are_days_however_they_are_written(tmp_path: Path) -> None:
    players = [Player("France", "Anna", absent_from="20261119", absent_until="20261121")]
    with desks.new_desk(tmp_path, players=players) as desk:
        for _ in range(2):
            player = desk.players[0]
            assert (player.absent_from, player.absent_until) == ("2026-11-19", "2026-11-21")
            assert next(p for p in desk.status().powers if p.power == "France").absent
            desk.absent("France", "", "")
            assert desk.players[0].absent_from == ""
            desk.absent("France", "20261119", "2026-W47-6")


def _in_revolt() -> Position:
    """Return a spring in which TOL is in revolt, SEL plays and CAN is eliminated."""
    units = (Unit("TOL", "A", "MEN"), Unit("SEL", "A", "BAB"))
    owners = {"MEN": "TOL", "BAB": "SEL"}
    board = load_board("alexmagnum")
    return Position(board, Phase(318, "spring"), units, owners, nobility={"TOL": 0})


def test_a_power_in_revolt_owes_nothing(tmp_path: Path) -> None:
    """R3"""
    with desks.new_desk(tmp_path, "alexmagnum", start=_in_revolt()) as desk:
        assert desk.due(desk.position) == {"SEL": ("A BAB",)}
        states = {each.power: each.state for each in desk.status().powers}
        assert (states["TOL"], states["SEL"], states["CAN"]) == ("revolt", "playing", "eliminated")


def test_only_the_absence_of_who_owes_something_puts_a_deadline_off(tmp_path: Path) -> None:
    deadlines = {}
    for power in ("", "TOL", "SEL", "CAN"):
        away = Player(power, "Anna", absent_from="2026-11-01", absent_until="2027-02-01")
        players = [away] if power else []
        folder = tmp_path / f"away {power}"
        with desks.new_desk(folder, "alexmagnum", start=_in_revolt(), players=players) as desk:
            deadlines[power] = desk.deadline
    assert deadlines["SEL"] > deadlines["TOL"] == deadlines["CAN"] == deadlines[""]


def test_a_running_game_can_be_taken_over_from_a_turn_file(tmp_path: Path) -> None:
    start = read_turn(TURN).position
    assert start is not None
    with desks.new_desk(tmp_path, "alexmagnum", start=start) as desk:
        assert str(desk.phase) == "318-spring"
        assert set(desk.position.units) == set(start.units)
    other = desks.refusal(lambda: desks.new_desk(tmp_path / "other", "standard", start=start))
    assert other.code == "other-map"


# -- the journal ----------------------------------------------------------------------------------


def test_history_tells_why_a_unit_did_what_it_did(desk: Desk) -> None:
    desks.resolve(desk, {"France": "A PAR - BUR\nA MAR H", "Germany": "A MUN - BUR"})
    told = desk.history("1901-spring", unit="a par")
    assert len(told) == 1
    entry = told[0]
    assert (entry.action, entry.phase, entry.power) == ("resolved", "1901-spring", "France")
    assert entry.detail["order"] == "A PAR - BUR"
    assert (entry.detail["result"], entry.detail["code"]) == ("fails", "bounces")
    assert "A MUN (1 " in str(entry.detail["en"])
    assert "A MUN" in str(entry.detail["it"])
    silent = desk.history("1901-spring", unit="F LON")[0]
    assert (silent.detail["order"], silent.detail["result"]) == ("", "stands")


def test_history_keeps_what_an_amendment_replaced(desk: Desk) -> None:
    desks.resolve(desk, {"France": "A PAR - BUR"})
    desk.amend("1901-spring", "France", "A PAR - PIC", reason="typing error")

    told = [(e.detail["order"], e.detail["current"]) for e in desk.history(unit="A PAR")]
    assert told == [("A PAR - BUR", False), ("A PAR - PIC", True)]
    amended = next(e for e in desk.history("1901-spring", "France") if e.action == "amend")
    assert amended.reason == "typing error"


def test_every_act_is_one_entry_with_time_actor_and_reason(tmp_path: Path) -> None:
    clock = desks.Clock()
    with desks.new_desk(tmp_path, now=clock, players=[Player("France", "Anna")]) as desk:
        acts: dict[str, Any] = {
            "submit": lambda: desk.submit("France", "A PAR H", reason="by phone"),
            "player-set": lambda: desk.set_player("France", address="anna@example.org"),
            "player-absent": lambda: desk.absent("France", "2026-12-24", "2027-01-06"),
            "player-note": lambda: desk.note("France", "writes late"),
            "player-replace": lambda: desk.replace_player(Player("France", "Bruno")),
            "deadline-extend": lambda: desk.extend(clock.at + timedelta(days=30)),
            "pause": lambda: desk.pause("holidays"),
            "resume": desk.resume,
            "deadline-set": lambda: desk.set_deadline(clock.at + timedelta(days=2)),
            "set": lambda: desk.set("second_mail", "merge"),
            "text": lambda: desk.add_text("1901-spring", "before", "It begins."),
            "process": lambda: desks.resolve(desk),
            "undo": lambda: desk.undo("too early"),
            "redo": desk.redo,
            "amend": lambda: desk.amend("1901-spring", "France", "A PAR - BUR"),
            "amend-settings": lambda: desk.amend_settings("1901-spring", {"victory_centres": 17}),
            "export": lambda: desk.export(tmp_path / "all.json"),
            "report": lambda: desk.record("report", phase="1901-spring", to="France"),
        }
        for action, act in acts.items():
            clock.pass_by(hours=1)
            before = len(desk.history())
            act()
            journal = desk.history()
            assert [entry.action for entry in journal[before:]] == [action]
            assert journal[-1].actor == "gm"
            assert journal[-1].at == clock.at.strftime("%Y-%m-%dT%H:%M:%SZ")
        reasons = [entry.reason for entry in desk.history() if entry.reason]
        assert reasons == ["by phone", "holidays", "too early"]
        (note,) = (entry for entry in desk.history() if entry.action == "player-note")
        assert note.detail == {}, "what is noted on a player is not in the journal"
        assert desk.verify() == ()


@pytest.mark.parametrize("jump", [timedelta(days=-2), timedelta(days=100)])
def test_a_clock_that_jumped_is_told_and_loses_nothing(
    desk: Desk, clock: desks.Clock, jump: timedelta
) -> None:
    desk.set_deadline(clock.at + timedelta(days=1))
    clock.at += jump
    receipt = desk.submit("France", "A PAR H")
    assert [warning.code for warning in desk.warnings] == ["clock-jump"]
    assert load_sentences("it").error(desk.warnings[0])
    assert receipt.orders == ("A PAR H",)
    assert "clock_jump" in desk.history()[-1].detail
    desk.end("abandon", (), "")
    clock.at += timedelta(days=400)  # a game that is over may sleep
    assert desk.find_clock_jump() is None or jump < timedelta()


def test_a_game_may_sleep_until_its_deadline_and_while_its_clock_stands(
    desk: Desk, clock: desks.Clock
) -> None:
    """The clock was said to have jumped (a twelfth attack)."""
    desk.set_deadline(clock.at + timedelta(days=150))
    desk.set("mail_name", "clock jump")  # a value is no mark (a thirteenth attack)
    clock.at += timedelta(days=160)
    assert desk.find_clock_jump() is None
    desk.set_deadline(clock.at + timedelta(days=1))
    desk.pause()
    clock.at += timedelta(days=160)
    desk.submit("France", "A PAR H")
    assert desk.warnings == []


# -- people and time ------------------------------------------------------------------------------


def test_a_player_who_is_replaced_is_remembered(tmp_path: Path) -> None:
    clock = desks.Clock()
    with desks.new_desk(
        tmp_path, now=clock, players=[Player("francia", "Anna", lang="it")]
    ) as desk:
        clock.pass_by(days=1)
        now = desk.replace_player(Player("France", "Bruno", "bruno@example.org"))
        assert desk.players == (now,)
        assert now.since == "2026-11-21T12:00:00Z"
        assert [(p.name, p.until) for p in desk.past_players] == [("Anna", now.since)]
        assert desk.status().powers[2].player == "Bruno"
        assert desks.refusal(lambda: desk.replace_player(now)).code == "plays-already"


def test_players_who_cannot_be_make_no_game(tmp_path: Path) -> None:
    for player in (
        Player("Spain", "Anna"),
        Player("France", ""),
        Player("France", "Anna\nBcc: all@example.org"),
        *(Player("France", "Anna", text) for text in ("a@example.org x", "a@b,c@d", "a@b@c", "a")),
        Player("France", "Anna", lang="fr"),
    ):
        desks.refusal(partial(desks.new_desk, tmp_path / "g", players=[player]))
    day = "2026-12-24"
    for start, end in (("soon", ""), (day, "2026-12-01"), ("", day), (day, "9999-12-31")):
        player = Player("France", "Anna", absent_from=start, absent_until=end)
        error = desks.refusal(partial(desks.new_desk, tmp_path / "g", players=[player]))
        assert error.code == "bad-absence"
    twice = [Player(power, "Anna") for power in ("France", "Italy", "France")]
    error = desks.refusal(lambda: desks.new_desk(tmp_path / "g", players=twice))
    assert (error.code, error.data["power"]) == ("two-players", "France")
    assert not (tmp_path / "g").exists()


def test_an_absence_moves_the_next_deadline_and_not_this_one(tmp_path: Path) -> None:
    with desks.new_desk(tmp_path, players=[Player("France", "Anna")]) as desk:
        before = desk.deadline
        desk.absent("France", "2026-11-20", "2026-12-20")
        assert desk.deadline == before
        assert next(p for p in desk.status().powers if p.power == "France").absent
        desks.resolve(desk)
        assert desk.deadline == "2026-12-21T22:59:00Z"


def test_the_time_left_is_kept_while_the_clock_stands(desk: Desk, clock: desks.Clock) -> None:
    assert desk.deadline == "2026-11-27T22:59:00Z"
    desk.pause()
    assert desk.status().paused
    assert desk.deadline == ""
    clock.pass_by(days=10)
    assert desks.refusal(desk.pause).code == "game-paused"
    assert desk.resume() == "2026-12-07T22:59:00Z"
    assert desks.refusal(desk.resume).code == "game-running"


def test_a_deadline_is_put_off_and_not_brought_forward_by_extend(desk: Desk) -> None:
    with pytest.raises(GameError, match="deadline-earlier"):
        desk.extend(datetime(2026, 11, 21, tzinfo=UTC))
    assert desk.extend(datetime(2026, 12, 1, 20, tzinfo=UTC)) == "2026-12-01T20:00:00Z"
    assert desk.set_deadline(None) == ""
    assert desks.refusal(desk.pause).code == "deadline-none"


def test_his_own_words_are_kept_by_phase(desk: Desk) -> None:
    desk.add_text("1901-spring", "before", "It begins.")
    desk.add_text("1901-Spring", "after", "Mind the deadline.")
    assert desk.texts("1901-spring") == {
        "before": ("It begins.",),
        "after": ("Mind the deadline.",),
    }
    desk.add_text("1901-spring", "before", "")
    assert desk.texts("1901-spring")["before"] == ()


# -- seals ----------------------------------------------------------------------------------------


def test_a_player_can_check_that_what_was_resolved_is_what_he_sent(desk: Desk) -> None:
    other, receipt = (desk.submit("France", "A PAR - BUR\nA MAR H") for _ in range(2))
    seal = desks.resolve(desk).seals[0]
    assert desk.receipts("1901-spring") == {"France": receipt}

    lines = [seal.salt, "1901-spring", "France", *seal.orders]
    digest = sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest().upper()
    assert seal.orders == receipt.orders == other.orders
    assert seal.digest == receipt.digest == "-".join(re.findall("....", digest)[:4])
    assert receipt.digest != other.digest, "another salt gives another seal"


# Processing a phase does everything once: it adjudicates once, and reads the file a few times.


READS = 225
"""A processing reads the tables of the game fewer times than this, however many orders there are.

The settings and the open phase do not count: they are a row or two, and looked up where needed.
Each act reads the rows that it changed once more, for the change log, and the act before it.
"""

LOOK_UPS = ("sqlite_master", "FROM settings", "SELECT head FROM games")


def _count_calls(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> list[object]:
    """Return a list that gets an entry for every call of a function of a module."""
    calls: list[object] = []
    function = getattr(module, name)

    def count(*args: object) -> object:
        calls.append(args)
        return function(*args)

    monkeypatch.setattr(module, name, count)
    return calls


def _trace_reads(desk: Desk) -> list[str]:
    """Return a list that gets an entry for every read of the game's file from now on."""
    reads: list[str] = []

    def note(sql: str) -> None:
        is_read = sql.split(maxsplit=1)[0].upper() in ("SELECT", "WITH")
        if is_read and not any(look_up in sql for look_up in LOOK_UPS):
            reads.append(sql)

    desk.file.db.conn.set_trace_callback(note)
    return reads


def test_a_phase_is_adjudicated_once_the_map_parsed_once_and_the_file_read_a_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desks.new_desk(tmp_path, "alexmagnum") as desk:
        desks.play(desk, 8)
        desks.submit_random(desk, Random(3))
        phase = str(desk.phase)
    adjudicated = _count_calls(monkeypatch, phases, "adjudicate")
    parsed = _count_calls(monkeypatch, game, "read_map_text")

    with desks.open_desk(tmp_path) as desk:
        reads = _trace_reads(desk)
        done = desks.resolve(desk)
        assert len(reads) < READS
        assert desk.processed(phase).outcome is done.outcome
        assert desk.position == done.after
        assert desk.settings == done.settings
    assert (len(adjudicated), len(parsed)) == (1 + len(done.passed), 1)


def _stop_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put an empty drawing in place of every map: drawing one reads nothing."""
    monkeypatch.setattr(MapPictures, "page", lambda *_: PageMap("<svg></svg>", {}))
    monkeypatch.setattr(MapPictures, "png", lambda *_: b"PNG" * 1000)
    for name in ("svg", "position_svg"):
        monkeypatch.setattr(MapPictures, name, lambda *_: "<svg></svg>")


@pytest.mark.parametrize("kind", one_in(2, ["movement", "winter"]))
def test_a_processing_with_sheets_and_letters_reads_the_file_a_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    powers = ("TOL", "CAS", "LIS", "AUT", "SEL", "CAN")
    players = [Player(power, power.title(), f"{power}@example.org") for power in powers]
    settings = {"mail_address": "perdicca@example.org"}
    _stop_drawing(monkeypatch)
    with desks.new_desk(tmp_path, "alexmagnum", players=players, settings=settings) as desk:
        while desk.position.phase.kind != kind:
            desks.play(desk, 1)
        for power, orders in random_orders(desk.position, Random(3)).items():
            submit_orders(desk, power, "\n".join(map(write_order, orders)))
        assert len(Outbox(desk).list_letters((DRAFT,))) >= len(find_required_orders(desk.position))
        reads = _trace_reads(desk)
        _, done = process_phase(desk, str(desk.phase), allow_missing=True)
        sheets = [*sheets_folder(desk, str(desk.phase)).iterdir()]
        assert len(sheets) == len(find_required_orders(desk.position)) > 1
    assert len(done.letters.drafted) == len(powers)
    assert len(reads) < READS


def test_what_another_program_changes_is_read_again(desk: Desk, tmp_path: Path) -> None:
    assert desk.settings["days_movement"] == "7"
    desks.change_by_hand(tmp_path, "UPDATE settings SET value = '9' WHERE name = 'days_movement'")
    assert desk.settings["days_movement"] == "9"


def _process_and_fail(desk: Desk) -> None:
    desks.resolve(desk)
    assert desk.status().phase == "1901-autumn"
    raise KeyError


def test_what_a_failed_act_changed_is_forgotten(desk: Desk) -> None:
    with pytest.raises(KeyError), desk.act("mail"):
        _process_and_fail(desk)
    assert desk.status().phase == "1901-spring"
    assert desks.refusal(lambda: desk.processed("1901-spring")).code == "not-past"
    outcome = desks.resolve(desk, {"France": "A PAR - BUR"}).outcome
    assert "A BUR" in {str(unit) for unit in outcome.units}
