"""A game by mail alone, with a real IMAP server and a real SMTP server: what came of it.

It is played once; each test looks at one thing.  ``game_by_mail.py`` is the script of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from email.utils import getaddresses
from pathlib import Path
from typing import NamedTuple

import pytest

from alexmagnum.cases.schema import position_data
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import NewGame
from alexmagnum.game.mail_store import (
    ASIDE,
    DROPPED,
    REJECTED,
    SENT,
    TAKEN,
    WAITING,
    Mailing,
    Message,
)
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.inbox import Inbox
from tests.game.desks import dump
from tests.mail.dovecot import Dovecot
from tests.mail.game_by_mail import (
    ALLIANCE,
    CYPRUS,
    MEANT,
    PEOPLE,
    PHASES,
    WHISPER,
    WHO,
    MailboxGame,
    Played,
    letters,
    play_by_hand,
    play_conference,
    play_seasons,
)
from tests.mail.smtp_server import parse_mail, run_smtp_server

pytestmark = pytest.mark.proof  # make test plays the first period: test_real_servers.py

PICKS = CYPRUS[:5]


class End(NamedTuple):
    """The game at its end, the same game with the orders typed in, and the mails that the server
    took."""

    game: Played
    desk: Desk
    inbox: Inbox
    by_hand: Desk
    mails: list[EmailMessage]

    def message(self, name: str) -> Message:
        """Return a message that came in."""
        return self.inbox.store.find(int(self.game.number(name)))

    def answers(self, message: Message) -> list[Mailing]:
        """Return the letters that answer a message."""
        return [
            mailing for mailing in self.inbox.outbox.list_letters() if mailing.answers == message.id
        ]

    def answer(self, name: str) -> str:
        """Return the text of the only answer to a message."""
        (mailing,) = self.answers(self.message(name))
        return " ".join(read_text(self.inbox.outbox.message(mailing.id)).split())

    def sent_to(self, power: str, phase: str) -> list[EmailMessage]:
        """Return the mails that a player got while a phase was open."""
        taken = self.mails[self.game.open[phase] : self.game.closed[phase]]
        return [mail for mail in taken if WHO[power].address in str(mail["To"])]


@pytest.fixture(scope="module")
def end(imap_server: Dovecot, tmp_path_factory: pytest.TempPathFactory) -> Iterator[End]:
    home = tmp_path_factory.mktemp("bymail")
    with run_smtp_server() as post:
        game = Played(MailboxGame(home / "perdicca", imap_server, post))
        game.mailbox.create(PEOPLE)
        play_conference(game)
        play_seasons(game)
        with (
            game.mailbox.desk() as desk,
            Desk.create(home / "by-hand", NewGame("alexmagnum")) as other,
        ):
            play_by_hand(other)
            yield End(game, desk, Inbox(desk), other, post.messages)


def _readable_text(mail: EmailMessage) -> str:
    """Return everything in a mail that can be read: its fields, texts, pages and text files."""
    parts = [part for part in mail.walk() if part.get_content_maintype() == "text"]
    fields = "\n".join(f"{name}: {value}" for name, value in mail.items())
    return "\n".join([fields, *(str(part.get_content()) for part in parts)])


# -- orders and positions --------------------------------------------------------------------------


def test_the_orders_that_count_are_those_meant_and_come_out_as_if_typed_in(end: End) -> None:
    for phase in PHASES:
        by_mail, by_hand = (desk.processed(phase) for desk in (end.desk, end.by_hand))
        assert {power: orders for power, orders in by_mail.orders.items() if orders} == MEANT[phase]
        assert by_mail.outcome.results == by_hand.outcome.results, phase
        assert by_mail.outcome.dislodged == by_hand.outcome.dislodged, phase
        positions = [desk.position_before(phase) for desk in (end.desk, end.by_hand)]
        assert position_data(positions[0]) == position_data(positions[1]), phase
    assert position_data(end.desk.position) == position_data(end.by_hand.position)
    assert end.desk.verify() == ()


# -- receipts --------------------------------------------------------------------------------------


def test_every_mail_that_was_taken_has_one_receipt_in_its_reader_s_language(end: End) -> None:
    """It goes to the registered address, whatever address was written from or is in Reply-To."""
    taken = end.inbox.store.find_all(TAKEN)
    count = Counter(m.answers for m in end.inbox.outbox.list_letters() if m.answers)
    feet = {lang: load_sentences(lang).format("answer-foot") for lang in ("it", "en")}

    assert len(taken) > 55
    assert count == {message.id: 1 for message in taken}
    for message in taken:
        (mailing,) = end.answers(message)
        assert mailing.address == WHO[message.power].address
        text = read_text(end.inbox.outbox.message(mailing.id))
        assert [lang for lang in feet if feet[lang] in text] == [WHO[message.power].lang]


def test_every_letter_has_gone_and_reached_the_server_once(end: End) -> None:
    letters = end.inbox.outbox.list_letters()
    sent = [mailing for mailing in letters if mailing.state == SENT]
    withdrawn = [mailing for mailing in letters if mailing.state != SENT]

    assert Counter(str(mail["Message-ID"]) for mail in end.mails) == {
        mailing.message_id: 1 for mailing in sent
    }
    # A receipt that a later mail of the same fetch overtook does not go.
    assert all(m.kind == "receipt" and m.state == DROPPED and m.problem for m in withdrawn)
    assert len(withdrawn) < len(sent) / 10


def test_a_mail_that_comes_twice_counts_once(end: End) -> None:
    key = end.game.named["doubled"]
    raw = [m for m in end.inbox.store.find_all() if m.key == key]

    assert len(raw) == 1
    assert len(end.answers(raw[0])) == 1


def test_quoted_orders_alone_are_no_orders(end: End) -> None:
    message = end.message("quoted alone")

    # It holds nothing of its own, so it is for the game master to read.
    assert (message.state, message.mail) == (WAITING, None)
    assert end.answers(message) == []


def test_a_mail_after_the_deadline_counts_and_is_told_so(end: End) -> None:
    assert end.message("after the deadline").state == TAKEN
    assert load_sentences("it").format("receipt-late") in end.answer("after the deadline")


def test_the_writers_use_programs_that_send_pages_alone(end: End) -> None:
    """Else these tests would prove less than they say."""
    read = [end.inbox.read(message) for message in end.inbox.store.find_all(TAKEN)]

    assert sum("html-only" in incoming.codes for incoming in read) >= 4
    assert sum(bool(incoming.removed.strip()) for incoming in read) >= 50


# -- doubtful mail ---------------------------------------------------------------------------------

DOUBTS = {
    "forged": (REJECTED, "waits-no-code"),
    "stranger": (REJECTED, "waits-unknown-address"),
    "by another player": (REJECTED, "waits-code-of-other"),
    "from work": (TAKEN, "waits-other-address"),
    "of the phase before": (TAKEN, "waits-code-of-past"),
    "after the phase": (REJECTED, "waits-code-of-past"),
    "overtaken": (REJECTED, "waits-overtaken"),
    "marked as bulk": (REJECTED, "waits-automatic"),
}
"""What waited, why, and what the game master decided."""


@pytest.mark.parametrize("name", DOUBTS)
def test_what_is_doubtful_waits_for_the_game_master(end: End, name: str) -> None:
    """What was rejected is not answered."""
    message = end.message(name)
    state, why = DOUBTS[name]

    assert message.state == state
    assert why in [each.code for each in message.why]
    assert state != REJECTED or end.answers(message) == []


def test_nothing_goes_to_an_address_that_is_not_registered(end: End) -> None:
    """Check forgers, people who write from elsewhere, lists and machines."""
    readers = {who.address for who in PEOPLE}

    assert {to for envelope in end.game.mailbox.smtp.taken for to in envelope.rcpt_tos} == readers


def test_the_note_about_a_mail_that_waits_tells_nothing_of_it_or_the_game(end: End) -> None:
    notes = [mailing for mailing in end.inbox.outbox.list_letters() if mailing.kind == "note"]
    orders = [each for said in MEANT.values() for orders in said.values() for each in orders]

    assert {mailing.power for mailing in notes} >= {"TOL", "CAN"}
    for mailing in notes:
        text = read_text(end.inbox.outbox.message(mailing.id))
        assert not [said for said in (*orders, "Menfi", "Lahore", "ISR") if said in text]


def test_who_answers_the_note_is_known(end: End) -> None:
    message = end.message("answer to the note")

    assert (message.state, message.why) == (TAKEN, ())


# -- machines --------------------------------------------------------------------------------------

MACHINES = {"bounce": "bounce", "away": "auto-reply", "list": "list", "own": "own"}


def test_what_no_player_wrote_is_left_aside_and_not_answered(end: End) -> None:
    for name, kind in MACHINES.items():
        message = end.message(name)
        codes = [why.code for why in message.why]
        assert (message.state, codes) == (ASIDE, [f"aside-{kind}"])
        assert end.answers(message) == []


def test_the_game_master_is_told_whose_mail_comes_back(end: End) -> None:
    assert end.message("bounce").power == "LIS"
    told = load_sentences("it").format("inbox-bounced", addresses=WHO["LIS"].address)
    assert any(told in said for said in end.game.mailbox.printed)


# -- secrets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", PICKS)
def test_no_mail_tells_the_pick_of_another_before_it_is_awarded(end: End, phase: str) -> None:
    picks = {power: orders[0].split()[1] for power, orders in MEANT[phase].items()}
    for power, own in picks.items():
        mails = end.sent_to(power, phase)
        wrote = {*re.findall(r"\w+", "\n".join(letters(phase, power)))}
        foreign = {*picks.values()} - {own}
        # A receipt quotes what its reader wrote about a province.
        unwritten = [pick for pick in foreign if not _names(end.desk, pick) & wrote]
        names = {name for pick in unwritten for name in _names(end.desk, pick)}
        assert mails
        assert names
        for mail in mails:
            assert not {*re.findall(r"\w+", _readable_text(mail))} & names


def _names(desk: Desk, province: str) -> set[str]:
    """Return the names that a mail may use for a province."""
    return {province, *(desk.board.provinces[province].name(lang) for lang in ("it", "en"))}


def test_no_mail_has_the_address_of_another_player_in_it(end: End) -> None:
    for mail in end.mails:
        ((_, to),) = getaddresses([str(mail["To"])])
        others = [who.address for who in PEOPLE if who.address != to]
        assert not [address for address in others if address in _readable_text(mail)]


def test_what_the_commands_print_has_no_orders(end: End) -> None:
    """The game master plays no part in the game, and sees no order without asking."""
    orders = [each for said in MEANT.values() for orders in said.values() for each in orders]
    printed = "\n".join(end.game.mailbox.printed)

    assert not [order for order in orders if order in printed]


def test_the_password_is_nowhere(end: End) -> None:
    files = [path for path in end.game.mailbox.folder.rglob("*") if path.is_file()]

    assert files
    assert not [path for path in files if b"sesame" in path.read_bytes()]


# -- what players ask ------------------------------------------------------------------------------


def test_what_players_ask_for_is_answered(end: End) -> None:
    """Orders are told as they are and were; a request for the map brings a picture."""
    status, orders = end.answer("asks for status"), end.answer("asks for orders")
    (mailing,) = end.answers(end.message("asks for the map"))
    files = end.inbox.outbox.message(mailing.id).iter_attachments()

    assert "period 3 of picks (323-3)" in status
    assert "ENDPRESS" in status
    assert "Pick CRE" in orders
    assert "Sceglie ALE" in orders
    assert [part.get_content()[:4] for part in files] == [b"\x89PNG"]


def test_press_to_all_stands_in_the_report_of_everybody(end: End) -> None:
    start, stop = end.game.closed["323-5"], end.game.open["323-6"]
    reports = end.mails[start:stop]

    assert len(reports) == 6
    assert all(ALLIANCE in " ".join(read_text(mail).split()) for mail in reports)
    assert not any(ALLIANCE in _readable_text(mail) for mail in end.mails[:start])


def test_press_to_one_that_is_relayed_goes_to_its_reader_at_once_and_to_nobody_else(
    end: End,
) -> None:
    """Its writer finds it in the report."""
    start, stop = end.game.open["322-spring"], end.game.closed["322-spring"]
    at_once = [str(mail["To"]) for mail in end.mails[start:stop] if WHISPER in _readable_text(mail)]
    readers = [str(mail["To"]) for mail in end.mails if WHISPER in _readable_text(mail)]
    names = [f"{WHO[power].name} <{WHO[power].address}>" for power in ("CAS", "LIS")]

    assert (at_once, readers) == (names[:1], names)


def test_a_reminder_goes_to_who_owes_orders_and_names_the_units(end: End) -> None:
    kept = [m for m in end.inbox.outbox.list_letters() if m.kind == "reminder"]
    said = {(m.power, m.phase): read_text(end.inbox.outbox.message(m.id)) for m in kept}

    assert {*said} == {("CAN", "323-6"), ("SEL", "323-6"), ("CAS", "322-spring")}
    assert "PER" in said["SEL", "323-6"], "where a second general was ordered"
    assert "G MAC" in said["CAS", "322-spring"]


def test_a_player_who_asks_to_wait_holds_the_clock_up(end: End) -> None:
    """The spring was resolved once that player was ready, not with the last orders."""
    ready = end.message("ready")
    (entry,) = [
        entry
        for entry in end.desk.history()
        if entry.action == "process" and entry.phase == "322-spring"
    ]

    assert entry.at >= ready.received


# -- mails and mailbox -----------------------------------------------------------------------------


def test_every_mail_brings_the_code_twice_and_belongs_to_one_thread(end: End) -> None:
    threads: dict[str, set[str]] = {}
    for mail in end.mails:
        (code,) = re.findall(r"\([A-Z]{3}-(\w{8})\)$", str(mail["Subject"]))
        assert f"+perdicca-{code}@example.net" in str(mail["Reply-To"])
        assert str(mail["Subject"]).startswith("[AM-perdicca] ")
        threads.setdefault(str(mail["To"]), set()).add(str(mail["References"]).split()[0])

    assert all(len(thread) == 1 for thread in threads.values())
    assert len(set.union(*threads.values())) == len(PEOPLE)


def test_nothing_in_the_mailbox_is_marked_moved_or_deleted(end: End) -> None:
    flags = end.game.mailbox.imap.flags()

    assert len(flags) == len(end.inbox.store.find_all()) + 1  # one came twice
    assert not [marks for marks in flags if re.search(r"Seen|Answered|Deleted|Flagged", marks)]


@pytest.mark.parametrize("options", [(), ("--whole",)])
def test_to_fetch_it_all_again_changes_nothing(end: End, options: tuple[str, ...]) -> None:
    folder: Path = end.game.mailbox.folder
    before = dump(folder)
    said = end.game.mailbox.run("inbox", "fetch", *options, "--json")

    assert '"messages": []' in said
    assert dump(folder) == before


def test_a_message_is_kept_byte_for_byte_as_the_server_has_it(end: End) -> None:
    message = end.message("list")

    assert (
        parse_mail(end.inbox.store.raw(message.id))["List-Id"] == "<successori.lists.example.com>"
    )
