"""Settings of a game: what they may be, when they count, and those of mail, in no report."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from alexmagnum.cases.files import read_turn
from alexmagnum.errors import BadSwitches
from alexmagnum.game import mail_store
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player
from alexmagnum.game.mail_store import find_code, find_codes, reply_address, subject_prefix
from alexmagnum.game.records import CodeRow
from alexmagnum.game.settings import SETTINGS, MailServer, read_imap_server, read_smtp_server
from alexmagnum.i18n.dates import parse_iso
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.report.context import gather_open_phase, gather_past_phase
from tests.case_library import read_yaml
from tests.commands import run_command
from tests.each import check_each
from tests.game.desks import Clock, new_desk, play, refusal, resolve

TURN = Path(__file__).parents[2] / "orders" / "turn.yaml"


def test_every_setting_has_its_default_and_a_sentence(desk: Desk) -> None:
    assert {name: desk.settings[name] for name in SETTINGS} == {
        name: setting.default for name, setting in SETTINGS.items()
    }
    for lang in LANGUAGES:
        assert all(load_sentences(lang).format(f"setting-{name}") for name in SETTINGS)


VALUES = read_yaml(Path(__file__).with_name("settings.yaml"))


def test_a_setting_is_what_it_may_be_and_all_else_is_refused(desk: Desk) -> None:
    def check(name: str, value: str, code: str = "") -> None:
        if code:
            assert refusal(lambda: desk.set(name, value)).code == code
        else:
            desk.set(name, value)
            assert desk.settings[name] == value

    long = ("imap_server", "imap.example.org/" + "x" * 201, "line-unreadable")
    check_each((*VALUES["allowed"], *VALUES["refused"], long), check)


def test_a_server_is_one_line() -> None:
    long = MailServer("[::1]", 10143, "starttls", "x@y.org", "A/B c")
    assert read_imap_server("imap.example.org") == MailServer("imap.example.org", 993, "tls")
    assert read_imap_server("imap://x@y.org@[::1]:10143/A/B c") == long
    assert read_imap_server("imap-open://localhost") == MailServer("localhost", 143, "none")
    for text, *rest in (
        ("smtp.example.org", 587, "starttls"),
        ("smtp.example.org:25", 25, "starttls"),
        ("smtps://gm@smtp.example.org", 465, "tls", "gm"),
    ):
        assert read_smtp_server(str(text)) == MailServer("smtp.example.org", *rest)  # type: ignore[arg-type]


# -- switches of the rules -------------------------------------------------------------------------


def test_a_switch_counts_from_the_open_phase_on_and_past_phases_keep_theirs(desk: Desk) -> None:
    play(desk, 2)
    desk.set("rules.victory_centres", 3)
    assert desk.board.rules.victory_centres == 3
    assert desk.position.board.rules.victory_centres == 3
    assert desk.processed("1901-spring").outcome.position.board.rules.victory_centres == 18
    assert desk.verify() == ()


def test_a_switch_under_which_the_units_could_not_stand_is_refused(tmp_path: Path) -> None:
    with new_desk(tmp_path, "alexmagnum", start=read_turn(TURN).position) as desk:
        error = refusal(lambda: desk.set("rules.sea_capacity", 1))
    assert isinstance(error, BadSwitches)
    assert error.name == "rules.sea_capacity = 1"
    assert "no-such-place" not in load_sentences("it").error(error)


@pytest.mark.parametrize(
    ("switch", "value", "code"),
    [("last_year", 1800, "years-down"), ("victory_centres", 3, "won-at-start")],
)
def test_a_switch_with_which_the_game_could_not_begin_is_refused(
    desk: Desk, switch: str, value: int, code: str
) -> None:
    before = desk.settings
    set_now = refusal(lambda: desk.set(f"rules.{switch}", value))
    play(desk, 2)
    for error in (set_now, refusal(lambda: desk.amend_settings("1901-spring", {switch: value}))):
        assert isinstance(error, BadSwitches)
        assert {fault.code for fault in error.faults} == {code}
    if switch == "last_year":  # refused in any phase
        refusal(lambda: desk.set("rules.last_year", 1800))
    assert desk.settings == before
    assert desk.verify() == ()


# -- in reports ------------------------------------------------------------------------------------


def test_the_settings_of_the_game_masters_mail_reach_no_report(desk: Desk) -> None:
    desk.set("imap_server", "secret")
    resolve(desk)
    for context in (gather_open_phase(desk), gather_past_phase(desk, "1901-spring")):
        assert "secret" not in context.house_rules.values()
        assert not [name for name in context.house_rules if name.startswith("imap_")]
        assert "press" not in context.house_rules


def test_what_is_agreed_on_mail_is_told_where_there_is_mail(tmp_path: Path) -> None:
    with new_desk(tmp_path, settings={"mail_address": "game@example.org"}) as desk:
        rules = gather_open_phase(desk).house_rules
    assert (rules["press"], rules["code_needed"]) == ("held", "yes")
    assert "mail_address" not in rules


# -- reply codes -----------------------------------------------------------------------------------


def test_a_code_stays_what_it_was_and_differs_from_all_others(desk: Desk) -> None:
    codes = {
        (power, phase): mail_store.find_or_make_code(desk, power, phase)
        for power in desk.board.powers
        for phase in ("1901-spring", "1901-autumn")
    }
    assert len(set(codes.values())) == len(codes)
    for (power, phase), code in codes.items():
        assert mail_store.find_or_make_code(desk, power, phase) == code
        assert find_code(desk, code.upper()) == CodeRow(power, phase, code)


def test_a_code_follows_from_the_secret_of_its_game_and_is_never_that_of_another_power(
    desk: Desk,
) -> None:
    first = mail_store.find_or_make_code(desk, "France", "1901-spring")
    with desk.file.writing("test"):
        desk.file.change("DELETE FROM codes")
    desk.known.codes.clear()
    assert mail_store.find_or_make_code(desk, "France", "1901-spring") == first

    with desk.file.writing("test"):
        desk.file.change("UPDATE codes SET power = 'England'")
    desk.known.codes.clear()
    assert mail_store.find_or_make_code(desk, "France", "1901-spring") != first


def test_a_code_is_found_where_a_reply_brings_it_and_told_from_words(desk: Desk) -> None:
    code = mail_store.find_or_make_code(desk, "France", "1901-spring")
    for text in (
        f"Re: [AM-g] Report (France-{code})",
        f"R: I: [AM-g] Rapporto (France-{code}) (bozza)",
        f"[AM-g] (france-{code.upper()})",
        f"game+g-{code}@example.org",
        f"<game+g-{code.upper()}@example.org>",
        code,
    ):
        assert find_codes(desk, ["Ordini", text]) == (CodeRow("France", "1901-spring", code),), text
    assert find_codes(desk, ["Re: [AM-game] a b12345678c ordinato (France-abcdefgh)"]) == ()


def test_subject_and_address_carry_it(tmp_path: Path) -> None:
    with new_desk(tmp_path, name="Perdicca, l'ètere!") as desk:
        assert subject_prefix(desk) == "[AM-perdicca-l-etere]"
        assert reply_address(desk, "France", "1901-spring") == ""
        desk.set("mail_address", "gm@example.org")
        address = reply_address(desk, "France", "1901-spring")
        found = re.fullmatch(r"gm\+perdicca-l-etere-([0-9a-z]{8})@example\.org", address)
        assert found
        assert mail_store.subject_tag(desk, "France", "1901-spring") == f"(France-{found[1]})"
        assert find_codes(desk, [address]) == (CodeRow("France", "1901-spring", found[1]),)
    with new_desk(tmp_path / "without letters", name="¡!") as desk:
        assert subject_prefix(desk) == "[AM-game]"


# The ledger of the people: phases owed, sent in time, late, in part, missed.


ANNA = Player("France", "Anna")
FRANCE = "A PAR H\nA MAR H\nF BRE H"
ITALY = "A ROM H\nA VEN H\nF NAP H"


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[Desk]:
    with new_desk(tmp_path, players=(ANNA, Player("Italy", "Bruno")), now=clock) as desk:
        yield desk
        assert desk.verify() == ()


def _states(desk: Desk, power: str) -> list[tuple[str, list[str]]]:
    """Return the people of a power with the state of each phase in their accounts."""
    return [
        (account.player.name, [owed.state for owed in account.phases])
        for account in desk.ledger()
        if account.player.power == power
    ]


def _pass_deadline(desk: Desk, clock: Clock, hours: float = 1) -> None:
    clock.at = parse_iso(desk.deadline) + timedelta(hours=hours)


def _process(desk: Desk, clock: Clock) -> None:
    clock.pass_by(minutes=5)
    resolve(desk)
    clock.pass_by(minutes=5)


def test_each_phase_is_in_time_late_in_part_or_missed(desk: Desk, clock: Clock) -> None:
    desk.submit("France", FRANCE)
    _pass_deadline(desk, clock)
    desk.submit("Italy", ITALY)
    _process(desk, clock)
    desk.submit("France", "A PAR H")
    _process(desk, clock)
    accounts = {account.player.power: account for account in desk.ledger()}
    assert _states(desk, "France") == [("Anna", ["in-time", "partial"])]
    assert _states(desk, "Italy") == [("Bruno", ["late", "missed"])]
    assert [accounts["Italy"].count(s) for s in ("in-time", "late", "missed")] == [0, 1, 1]
    assert accounts["Italy"].owed == 2


@pytest.mark.proof
def test_what_counts_for_a_phase_is_when_orders_were_complete_and_the_last_deadline(
    tmp_path: Path,
) -> None:
    def correct(desk: Desk, clock: Clock) -> None:
        desk.submit("France", FRANCE)
        _pass_deadline(desk, clock)
        desk.submit("France", FRANCE.replace("PAR H", "PAR - BUR"))

    def complete_late(desk: Desk, clock: Clock) -> None:
        desk.set("second_mail", "merge")
        desk.submit("France", "A PAR H\nA MAR H")
        _pass_deadline(desk, clock)
        desk.submit("France", "F BRE H")

    def withdraw(desk: Desk, clock: Clock) -> None:
        desk.submit("France", FRANCE)
        desk.clear("France")

    def extend(desk: Desk, clock: Clock) -> None:
        late = parse_iso(desk.deadline) + timedelta(hours=1)
        desk.extend(late + timedelta(days=1))
        clock.at = late
        desk.submit("France", FRANCE)

    def have_no_deadline(desk: Desk, clock: Clock) -> None:
        desk.set_deadline(None)
        clock.pass_by(days=90)
        desk.submit("France", FRANCE)

    for act, state in (
        (correct, "in-time"),
        (complete_late, "late"),
        (withdraw, "missed"),
        (extend, "in-time"),
        (have_no_deadline, "in-time"),
    ):
        clock = Clock()
        with new_desk(tmp_path / act.__name__, players=[ANNA], now=clock) as desk:
            act(desk, clock)
            _process(desk, clock)
            assert _states(desk, "France") == [("Anna", [state])], act.__name__


def test_who_took_over_answers_for_what_was_due_since(desk: Desk, clock: Clock) -> None:
    """Who is replaced because they missed a deadline keeps that on their account."""
    _pass_deadline(desk, clock)
    desk.replace_player(Player("France", "Carla"))
    clock.pass_by(minutes=1)
    desk.submit("France", FRANCE)
    _process(desk, clock)
    desk.submit("France", FRANCE)
    _process(desk, clock)
    assert _states(desk, "France") == [("Anna", ["late"]), ("Carla", ["in-time"])]


def test_the_open_phase_is_overdue_after_its_deadline(desk: Desk, clock: Clock) -> None:
    desk.submit("France", FRANCE)
    before = _states(desk, "Italy")
    _pass_deadline(desk, clock)
    assert before == [("Bruno", [])]
    assert _states(desk, "France") == [("Anna", [])]
    assert _states(desk, "Italy") == [("Bruno", ["overdue"])]
    assert all(account.owed == 0 for account in desk.ledger())


def test_an_undone_phase_is_not_counted_and_a_corrected_one_as_before(
    desk: Desk, clock: Clock
) -> None:
    desk.submit("France", FRANCE)
    _process(desk, clock)
    _process(desk, clock)
    desk.amend("1901-spring", "Italy", ITALY)
    corrected = _states(desk, "Italy"), _states(desk, "France")
    desk.undo()
    desk.undo()
    assert corrected == ([("Bruno", ["missed", "missed"])], [("Anna", ["in-time", "missed"])])
    assert _states(desk, "France") == [("Anna", ["in-time"])]


def test_who_owes_nothing_has_an_empty_account(desk: Desk, clock: Clock) -> None:
    """In a phase of retreats only those with a dislodged unit owe orders."""
    desk.set_player("Austria", name="Dino")
    for orders in (
        {"Italy": "A VEN - TYR\nA ROM - VEN", "France": FRANCE},
        {"Italy": "A TYR - TRI\nA VEN S A TYR - TRI", "France": FRANCE},
    ):
        for power, text in orders.items():
            desk.submit(power, text)
        _process(desk, clock)
    assert str(desk.phase) == "1901-autumn-retreats"
    _process(desk, clock)
    assert [len(states) for _, states in _states(desk, "Austria")] == [3]
    assert [len(states) for _, states in _states(desk, "France")] == [2]


def test_the_command_prints_it_with_what_the_settings_do(tmp_path: Path) -> None:
    with new_desk(tmp_path, players=(ANNA,), lang="en") as desk:
        resolve(desk)
    said = run_command("history", "--people", cwd=tmp_path).out
    data = run_command("history", "--people", "--power", "France", "--json", cwd=tmp_path).data
    assert "France: Anna. Phases owed: 1; in time 0, late 0, in part 0, missed 1." in said
    assert "1901-spring: no orders" in said
    assert "A phase with missing orders waits" in said
    assert data["people"][0]["missed"] == 1
    assert data["people"][0]["phases"][0]["state"] == "missed"
    assert data["settings"] == {"missing": "wait", "reminders": "draft", "reminder_hours": "24"}
