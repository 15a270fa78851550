"""After the deadline nobody waits in silence: who is told what, and what becomes of late powers."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from alexmagnum.bots import BOTS, load_bot
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import RETURN, Player, Standby
from alexmagnum.game.mail_store import DRAFT, SENT, WAITING, InboxStore, Message, reply_address
from alexmagnum.game.people import add_standby, enrol_bot, read_standby
from alexmagnum.game.submissions import derive_seed
from alexmagnum.i18n.dates import parse_iso
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.outbox import Outbox
from alexmagnum.notation import write_order
from alexmagnum.workflow import publish
from alexmagnum.workflow.publish import open_outbox, update_letters
from alexmagnum.workflow.situation import list_waits, read_situation
from alexmagnum.workflow.tick import Tick, run_tick
from tests.commands import run_command
from tests.game.desks import Clock, new_desk, refusal, submit_all
from tests.mail.mail_desk import fetch, mail

SPRING = "1901-spring"
FRANCE, ITALY = "A PAR H\nA MAR H\nF BRE H", "A ROM H\nA VEN H\nF NAP H"
OTHERS = {
    "Austria": "A VIE H\nA BUD H\nF TRI H",
    "England": "F LON H\nF EDI H\nA LVP H",
    "Germany": "A BER H\nA MUN H\nF KIE H",
    "Turkey": "A CON H\nA SMY H\nF ANK H",
}
SETTINGS = {
    "mail_address": "game@example.org",
    "pictures": "no",
    "reminders": "send",
    "announcements": "no",
    "lang": "en",
}
GAIA = Standby(0, "Gaia Verdi", "gaia@example.net")


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[Desk]:
    """Return a game in which France and Russia have a player, and all but the two have ordered."""
    players = (
        Player("France", "Anna Neri", "anna@example.org"),
        Player("Italy", "Bruno Bianchi", "bruno@example.org"),
        Player("Russia", "Ivan Petrov", "ivan@example.org"),
    )
    with new_desk(tmp_path / "game", players=players, settings=SETTINGS, now=clock) as desk:
        submit_all(desk, OTHERS)
        desk.submit("Italy", ITALY)
        yield desk
        assert desk.verify() == ()


def _tick(desk: Desk, *, processes: bool = True) -> Tick:
    return run_tick(desk, (), BytesIO(), processes=processes)


def _after_deadline(desk: Desk, clock: Clock, **span: float) -> None:
    clock.at = parse_iso(desk.deadline) + timedelta(**span)


def _told(desk: Desk, *kinds: str) -> list[tuple[str, str]]:
    """Return the kinds and the powers of the letters that went."""
    kinds = kinds or ("reminder", "late", "waiting")
    sent = Outbox(desk).list_letters((SENT,))
    return [(one.kind, one.power) for one in sent if one.kind in kinds]


def _text(desk: Desk, kind: str, power: str) -> str:
    box = Outbox(desk)
    listed = [
        one for one in box.list_letters((SENT, DRAFT)) if (one.kind, one.power) == (kind, power)
    ]
    return " ".join(box.text(listed[-1]).split())


def _journal(desk: Desk) -> list[tuple[str, object]]:
    return [(e.power, e.detail["choice"]) for e in desk.history() if e.action == "late"]


# -- who is told, and how often --------------------------------------------------------------------


def test_a_notice_that_was_not_sent_is_dropped_once_only_bots_have_not_ordered(
    desk: Desk, clock: Clock
) -> None:
    desk.set("reminders", "draft")
    _after_deadline(desk, clock, minutes=3)
    update_letters(desk, day="2026-11-28")
    assert [one.kind for one in Outbox(desk).list_letters((DRAFT,))] == ["late", "late", "waiting"]
    for power in ("France", "Russia"):
        enrol_bot(desk, power, "dumb", RETURN)
    update_letters(desk)
    assert [one.kind for one in Outbox(desk).list_letters((DRAFT,))] == []


def test_the_late_are_told_at_once_and_daily_and_the_others_that_the_game_waits(
    desk: Desk, clock: Clock
) -> None:
    round_of_letters = [("late", "France"), ("late", "Russia"), ("waiting", "Italy")]
    _after_deadline(desk, clock, minutes=3)
    for _ in range(3):
        _tick(desk)
        clock.pass_by(minutes=5)
    assert _told(desk) == round_of_letters
    _after_deadline(desk, clock, hours=25)
    _tick(desk)
    assert _told(desk) == 2 * round_of_letters
    _after_deadline(desk, clock, days=9)  # nobody ran tick for a week: one notice, the present one
    _tick(desk)
    assert _told(desk) == 3 * round_of_letters
    desk.submit("Russia", "A MOS H\nA WAR H\nF SEV H\nF STP/SC H")
    _after_deadline(desk, clock, days=10, hours=1)
    _tick(desk)

    assert _told(desk)[9:] == [("late", "France"), ("waiting", "Italy"), ("waiting", "Russia")]
    late, waiting = _text(desk, "late", "France"), _text(desk, "waiting", "Italy")
    assert "you still have to send: F BRE, A MAR, A PAR. The deadline was" in late
    assert "the game waits for them; the game master decides" in late
    assert "we wait for France. The deadline" in waiting
    assert "You need not send anything." in waiting


def test_a_notice_that_has_not_gone_says_what_is_true_then(desk: Desk, clock: Clock) -> None:
    desk.set("reminders", "draft")
    _after_deadline(desk, clock, minutes=3)
    _tick(desk)
    desk.submit("Russia", "A MOS H\nA WAR H\nF SEV H\nF STP/SC H")
    open_outbox(desk)
    assert "we wait for France." in _text(desk, "waiting", "Italy")
    _after_deadline(desk, clock, days=4)
    _tick(desk)
    drafts = open_outbox(desk).list_letters((DRAFT,))
    daily = [(one.kind, one.power) for one in drafts if one.kind in ("late", "waiting")]
    assert daily == [("late", "France"), ("waiting", "Italy"), ("waiting", "Russia")]
    desk.submit("France", FRANCE)
    assert not {one.kind for one in open_outbox(desk).list_letters((DRAFT,))} & {"late", "waiting"}


def test_a_notice_that_has_not_gone_has_the_rule_in_force_though_it_was_changed(
    desk: Desk, clock: Clock
) -> None:
    for name, value in (("reminders", "draft"), ("missing", "hold"), ("grace", "72")):
        desk.set(name, value)
    _after_deadline(desk, clock, minutes=3)
    _tick(desk)
    box = open_outbox(desk)
    (notice,) = (one for one in box.list_letters((DRAFT,)) if one.power == "France")
    path = box.path(notice)
    path.write_bytes(path.read_bytes().replace(b"\n\n", b"\n\nA word of mine. ", 1))
    before = _text(desk, "late", "France")
    desk.set("grace", "24")
    open_outbox(desk)
    after = _text(desk, "late", "France")
    assert ["30 November" in text for text in (before, after)] == [True, False]
    assert "28 November" in after


def test_a_deadline_that_moves_has_notices_of_its_own(desk: Desk, clock: Clock) -> None:
    _after_deadline(desk, clock, minutes=3)
    _tick(desk)
    desk.extend(clock.at + timedelta(hours=5))
    _tick(desk)
    assert ("late", "France") not in _told(desk)[3:]
    _after_deadline(desk, clock, minutes=3)
    _tick(desk)
    assert _told(desk, "late").count(("late", "France")) == 2


@pytest.mark.proof
@pytest.mark.parametrize("missing", ["", "hold"])
def test_the_players_hear_that_the_game_waits_for_its_master(
    desk: Desk, clock: Clock, missing: str
) -> None:
    """A doubtful mail holds a phase back for which all orders came, or units may hold."""
    if missing:
        desk.set("missing", missing)
    else:
        desk.submit("France", FRANCE)
    desk.submit("Russia", "A MOS H\nA WAR H\nF SEV H\nF STP/SC H")
    _after_deadline(desk, clock, hours=-1)
    fetch(desk, mail("A MOS - UKR", "ivan@work.example", reply_address(desk, "Russia", SPRING)))
    told = []
    for hours in (1, 11, 13, 20, 40):
        _after_deadline(desk, clock, hours=hours)
        _tick(desk)
        told.append(_told(desk, "waiting").count(("waiting", "Russia")))
    text = _text(desk, "waiting", "Russia")

    assert str(desk.phase) == SPRING
    assert told == ([1, 1, 1, 1, 2] if missing else [0, 0, 1, 1, 2])
    assert "It is now up to the game master" in text
    assert "doubt" not in text


@pytest.mark.parametrize("notice", ["named", "unnamed", "no"])
def test_the_others_learn_who_is_late_as_the_setting_says(
    desk: Desk, clock: Clock, notice: str
) -> None:
    desk.set("late_notice", notice)
    desk.set("names", "hidden")
    _after_deadline(desk, clock, minutes=3)
    _tick(desk)
    waiting = [_text(desk, kind, power) for kind, power in _told(desk, "waiting")]
    assert len(waiting) == (notice != "no")
    for text in waiting:
        assert ("France, Russia" in text) == (notice == "named")
        assert not any(name in text for name in ("Anna", "Neri", "Ivan", "Petrov", "@"))
        assert "Russia" in text or notice == "unnamed"


# -- the time of grace, and what comes after it ----------------------------------------------------


@pytest.mark.proof
def test_what_happens_is_announced_before_the_deadline_and_happens_after_the_grace(
    desk: Desk, clock: Clock
) -> None:
    desk.set("missing", "hold")
    desk.set("grace", "48")
    _after_deadline(desk, clock, hours=-2)
    _tick(desk)
    reminder = _text(desk, "reminder", "France")
    assert "by Sunday 29 November 2026, 23:59 (Europe/Rome) = 22:59 UTC, this" in reminder
    assert "units without an order hold" in reminder
    _after_deadline(desk, clock, hours=47)
    desk.set("gm_address", "master@example.net")
    assert not _tick(desk).has_failed  # it goes on by itself
    assert desk.file.count("SELECT COUNT(*) FROM gm_letters") == 0
    assert str(desk.phase) == SPRING
    assert refusal(lambda: desk.process(SPRING)).code == "orders-missing"
    assert "We wait until Sunday 29 November 2026, 23:59" in _text(desk, "waiting", "Italy")
    said = list_waits(read_situation(desk), desk, load_sentences("en"))
    assert "France (Anna Neri), Russia (Ivan Petrov): units without an order hold" in said[1]
    assert "if nothing comes by Sunday 29 November 2026, 23:59" in said[1]
    _after_deadline(desk, clock, hours=48)
    _tick(desk)

    assert str(desk.phase) == "1901-autumn"


def test_a_bot_repeats_no_order_of_the_player(desk: Desk, clock: Clock) -> None:
    """Nor has it any once the player writes again; the fixture verifies the game."""
    desk.set("missing", "bot:dumb")
    desk.submit("Russia", "A MOS H")
    desk.play_by_bot("Russia", "dumb", stand_in=SPRING)
    desk.submit("Russia", "A MOS - LON")
    random = Random(derive_seed(desk.info.secret, SPRING, "France", "dumb"))
    first, *_ = load_bot("dumb").orders(desk.position, "France", random)
    desk.submit("France", write_order(first))
    _after_deadline(desk, clock, minutes=5)
    _tick(desk)
    assert len(desk.processed(SPRING).orders["France"]) == 3


@pytest.mark.proof
def test_a_bot_gives_what_is_missing_in_the_phase_alone(desk: Desk, clock: Clock) -> None:
    desk.set("missing", "bot:dumb")
    desk.submit("France", "A PAR - GAS")
    _after_deadline(desk, clock, minutes=-5)
    _tick(desk)
    assert "a bot (dumb) gives the orders that are missing" in _text(desk, "reminder", "France")
    assert not any(player.bot for player in desk.players)
    _after_deadline(desk, clock, minutes=5)
    _tick(desk)

    assert str(desk.phase) == "1901-autumn"
    france = desk.processed(SPRING).orders["France"]
    assert (len(france), "A PAR - GAS" in france) == (3, True)
    assert len(desk.processed(SPRING).orders["Russia"]) == 4
    assert _journal(desk) == [("France", "bot:dumb"), ("Russia", "bot:dumb")]
    assert not any(player.bot for player in desk.players)
    _after_deadline(desk, clock, minutes=5)
    _tick(desk)  # the bot stands in for the retreats or the autumn too
    for _ in range(2):
        desk.undo()
    assert {one.power for one in desk.players if one.has_bot_in(SPRING)} == {"France", "Russia"}
    # The game master wants to change something: the clock does not resolve it again.
    assert _tick(desk).has_failed
    assert str(desk.phase) == SPRING
    desk.extend(clock.at + timedelta(minutes=1))
    _after_deadline(desk, clock, minutes=5)
    _tick(desk)
    assert str(desk.phase) == "1901-autumn"
    states = {a.player.power: [p.state for p in a.phases] for a in desk.ledger()}
    assert (states["France"], states["Russia"]) == (["partial"], ["missed"])


@pytest.mark.proof
def test_a_standby_takes_over_who_sent_nothing_and_has_time(desk: Desk, clock: Clock) -> None:
    desk.set("missing", "standby")
    desk.submit("France", "A PAR H\nA MAR H")
    add_standby(desk, GAIA)
    fetch(desk, mail("A MOS H", "ivan@work.example", reply_address(desk, "Russia", SPRING)))
    _after_deadline(desk, clock, minutes=5)
    _tick(desk, processes=False)
    assert "somebody on the standby list takes over" in _text(desk, "late", "Russia")
    assert "units without an order hold" in _text(desk, "late", "France")
    _tick(desk)
    assert str(desk.phase) == SPRING
    assert read_standby(desk)  # a mail that may have Russia's orders waits for the game master
    Inbox(desk).reject([1])
    _tick(desk)

    assert {p.power: p.name for p in desk.players}["Russia"] == "Gaia Verdi"
    assert (read_standby(desk), _journal(desk)) == ((), [("Russia", "standby")])
    assert str(desk.phase) == SPRING
    assert parse_iso(desk.deadline) == clock.at + timedelta(days=2)
    _after_deadline(desk, clock, minutes=5)
    _tick(desk)  # nobody is left on the list
    assert ("late", "Russia") in _told(desk)[-3:]
    assert "the game waits for them" in _text(desk, "late", "Russia")


def test_a_standby_takes_over_while_the_game_waits_for_another(desk: Desk, clock: Clock) -> None:
    desk.set("missing", "standby")
    add_standby(desk, replace(GAIA, address=desk.players[0].address))  # who plays is not called
    add_standby(desk, replace(GAIA, address="gino@example.org"))
    (answer,) = fetch(desk, mail("Please take me off the list.", "gino@example.org"))
    add_standby(desk, GAIA)
    _after_deadline(desk, clock, minutes=5)
    _tick(desk)
    assert _journal(desk) == [("France", "standby")]
    assert {p.power: p.address for p in desk.players}["France"] == GAIA.address
    assert InboxStore(desk.file).find(answer.id).state == WAITING
    assert desk.status().missing == ("France", "Russia")
    assert parse_iso(desk.deadline) == clock.at + timedelta(days=2)


def test_nobody_is_late_while_the_clock_is_stopped(desk: Desk, clock: Clock) -> None:
    """And who is called has time: the phase is not resolved in the same breath."""
    desk.set("missing", "standby")
    add_standby(desk, GAIA)
    desk.pause()
    assert refusal(lambda: desk.process(SPRING)).code == "orders-missing"
    assert read_standby(desk)
    desk.resume()
    desk.submit("Russia", "A MOS H")
    _after_deadline(desk, clock, minutes=5)
    assert refusal(lambda: desk.process(SPRING)).code == "standby-called"
    assert (str(desk.phase), read_standby(desk)) == (SPRING, ())


def test_what_came_due_while_the_mailbox_was_read_waits_for_the_next_tick(
    desk: Desk, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fetch_slowly(*args: object) -> list[Message]:
        clock.pass_by(minutes=10)
        return []

    desk.set("missing", "hold")
    _after_deadline(desk, clock, minutes=-5)
    monkeypatch.setattr(Inbox, "fetch", fetch_slowly)
    _tick(desk)
    assert str(desk.phase) == SPRING
    _tick(desk)
    assert str(desk.phase) == "1901-autumn"


def test_a_deadline_moved_while_receipts_go_out_counts(
    desk: Desk, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def send_slowly(desk: Desk) -> tuple[tuple[()], None]:
        desk.extend(clock.at + timedelta(days=2))
        return (), None

    for name, text in (("missing", "hold"), ("grace", "0"), ("receipts", "send")):
        desk.set(name, text)
    monkeypatch.setattr(publish, "send_automatic", send_slowly)
    _after_deadline(desk, clock, minutes=5)
    assert not _tick(desk).has_failed
    assert str(desk.phase) == SPRING


def test_a_doubtful_mail_of_a_former_player_holds_nothing_back(desk: Desk, clock: Clock) -> None:
    fetch(desk, mail("A MOS H", "ivan@work.example", reply_address(desk, "Russia", SPRING)))
    assert read_situation(desk).mails
    clock.pass_by(hours=1)
    desk.replace_player(Player("Russia", "Gaia Verdi", GAIA.address))

    situation = read_situation(desk)
    assert (situation.mails, len(situation.other_mails)) == ((), 1)


@pytest.mark.proof
def test_misses_are_counted_announced_and_end_in_civil_disorder(desk: Desk, clock: Clock) -> None:
    desk.set("missing", "hold")
    desk.set("misses", "after 2 misses: standby, 3: civil disorder")
    for count in (1, 2, 3):
        _after_deadline(desk, clock, hours=-1)
        _tick(desk)
        said = _text(desk, "reminder", "Russia")
        assert f"(phases without any order, with this one: {count} of 3)" in said
        assert ("the power is in civil disorder" in said, "hold" in said) == (count == 3, count < 3)
        _after_deadline(desk, clock, hours=1)
        _tick(desk)
        desk.submit("France", FRANCE)

    assert _journal(desk) == [("Russia", "disorder")]
    assert {p.power: p.bot for p in desk.players}["Russia"] == "disorder"
    assert "Russia" not in desk.status().missing
    assert desk.status().voters == ("France", "Italy")
    history = run_command("history", "--power", "Russia", cwd=desk.folder).out
    assert "orders did not come (1902-spring, Russia): the power is in civil disorder" in history
    update_letters(desk, opening=True)
    assert "Your power is in civil disorder" in _text(desk, "phase", "Russia")
    desk.submit("Russia", "A MOS H")
    assert not any(player.bot for player in desk.players)


def test_nothing_is_done_about_a_power_while_the_phase_waits_for_another(
    desk: Desk, clock: Clock
) -> None:
    desk.set("misses", "1 disorder")
    desk.submit("France", "A PAR H")  # one of three: the game waits
    _after_deadline(desk, clock, minutes=5)
    assert refusal(lambda: desk.process(SPRING)).code == "orders-missing"
    assert _tick(desk).has_failed
    assert _journal(desk) == []
    said = "not come by the moment when the phase is resolved, this happens: the power is in civil"
    assert said in _text(desk, "late", "Russia")
    desk.submit("France", FRANCE)
    desk.process(SPRING)
    assert _journal(desk) == [("Russia", "disorder")]


def test_a_kill_between_an_act_and_its_letters_loses_nothing_and_repeats_nothing(
    desk: Desk, clock: Clock
) -> None:
    desk.set("missing", "standby")
    desk.set("reports", "send")
    add_standby(desk, GAIA)
    _after_deadline(desk, clock, minutes=5)
    assert [one.power for one in desk.settle_late_powers()] == ["France"]  # and was killed here
    for _ in range(3):
        assert desk.settle_late_powers() == ()
        _tick(desk)
        update_letters(desk)
    assert _told(desk, "welcome") == [("welcome", "France")]
    assert _journal(desk) == [("France", "standby")]


def test_a_rule_that_cannot_be_read_is_refused(desk: Desk) -> None:
    for text in ("never", "2 hold", "0 standby", "2 standby, 2 disorder"):
        error = refusal(partial(desk.set, "misses", text))
        assert isinstance(error, GameError)
        assert error.code == "misses-unreadable"
    assert refusal(lambda: desk.set("missing", "bot:hal")).code == "bad-setting"
    for bot in BOTS:  # settings are read without loading them
        desk.set("missing", f"bot:{bot}")
