"""Games by mail as people play them: one for some days, in proof three at once for two years.

Every mail counts, is answered or reaches the game master; no order is lost or invented; and nobody
waits without being told.
"""

from collections.abc import Iterator
from email.utils import parseaddr

import pytest

from alexmagnum.game.mail_store import TAKEN, InboxStore
from alexmagnum.mail.inbox import Inbox
from alexmagnum.notation import write_order
from tests.mail.dovecot import Dovecot
from tests.mail.seasons import DAY, GM, NEW, STEP, TABLES, Seasons
from tests.mail.smtp_server import run_smtp_server
from tests.sizes import is_proof, sampled, sized

YEARS = 2


@pytest.fixture(scope="module")
def seasons(imap_server: Dovecot, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seasons]:
    with run_smtp_server() as smtp:
        home = tmp_path_factory.mktemp("seasons")
        played = Seasons(home, imap_server, smtp, tuple(TABLES) if is_proof() else ("masked",))
        played.create()
        away = range(2, sized(4, 13))
        played.play(YEARS, away, smtp_fails=range(1, 2), imap_fails=range(3, 4), days=sized(5, 0))
        yield played


def _find_first(address: str) -> str:
    """Return the address of who played a power first."""
    return address.removeprefix(NEW)


@sampled
def test_every_mail_counts_is_answered_or_reaches_the_game_master(seasons: Seasons) -> None:
    lost = []
    for name in seasons.names:
        with seasons.desk(name) as desk:
            inbox = Inbox(desk)
            rows = {row.key: row for row in inbox.store.find_all()}
            answered = {letter.answers for letter in inbox.outbox.list_letters()}
            told = {one.message for one in InboxStore(desk.file).find_passages(closed=True)}
        for written in seasons.written:
            if written.planned.game == name:
                row = rows[written.key]
                is_for_master = written.planned.words or written.kind == "machine"
                waits_or_answered = row.state != TAKEN or row.id in answered
                if not waits_or_answered or (is_for_master and row.id not in told):
                    lost.append(written)
    assert lost == []
    assert {written.kind for written in seasons.written} == {"player", "machine"}


@sampled
def test_no_order_is_lost_or_invented(seasons: Seasons) -> None:
    """A mail that came when its phase was closed waits, and is no order of it."""
    compared = due = 0
    keys = {written.key for written in seasons.written}
    wrong = {}
    for name in seasons.names:
        with seasons.desk(name) as desk:
            states = {row.key: row.state for row in Inbox(desk).store.find_all()}
            assert {key for key in states if states[key] == TAKEN} <= keys
            closed = [phase.name for phase in desk.phases() if phase.state == "processed"]
            for (game, phase, power), orders in seasons.meant.items():
                if game != name or phase not in closed:
                    continue
                due += 1
                if all(states[key] == TAKEN for key in seasons.find_orders(name, phase, power)):
                    compared += 1
                    counted = {*desk.processed(phase).orders.get(power, ())}
                    wanted = {write_order(order) for order in orders}
                    if counted != wanted and (orders or name != "machine"):
                        wrong[game, phase, power] = (counted, wanted)
            assert desk.verify() == ()
    assert wrong == {}
    assert all(seasons.is_over(name, sized(0, YEARS)) for name in seasons.names)
    assert compared >= due * 0.9 > 0


@sampled
def test_who_waits_for_a_day_is_told(seasons: Seasons) -> None:
    untold = []
    for (name, phase), deadline in seasons.overdue.items():
        counts = [(at, count) for at, count in seasons.sent if at <= deadline + DAY + STEP]
        first = max((count for at, count in counts if at < deadline), default=0)
        readers = set(map(_find_first, seasons.smtp.readers[first : counts[-1][1]]))
        untold += [
            (phase, _find_first(who.address))
            for (game, _), who in seasons.people.items()
            if game == name and _find_first(who.address) not in readers
        ]
    assert untold == []


@sampled
def test_each_letter_goes_once_and_to_a_player_or_the_game_master(seasons: Seasons) -> None:
    sent = (str(mail["Message-ID"]) for mail in seasons.smtp.messages)
    names = [name for name in sent if name not in seasons.returned]  # those go again
    people = {_find_first(who.address) for who in seasons.people.values()}
    assert len(names) == len(set(names))
    assert set(map(_find_first, seasons.smtp.readers)) <= {GM, *people}
    assert seasons.failures


@sampled
def test_no_letter_of_an_anonymous_game_names_another_player(seasons: Seasons) -> None:
    people = [who for (game, _), who in seasons.people.items() if game == "masked"]
    for mail in seasons.smtp.messages:
        if ".masked@" in (to := parseaddr(str(mail["To"]))[1]):
            others = [who for who in people if _find_first(who.address) != _find_first(to)]
            said = str(mail)
            assert not [who for who in others if who.address in said or who.name in said]
