"""A year of three games, played by ``tick`` alone out of one mailbox full of other mail.

``make proof`` plays it with a real IMAP server and a real SMTP server; ``make test`` plays a phase
of two games with files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.utils import parseaddr

import pytest

from alexmagnum.cases.schema import position_data
from alexmagnum.game.desk import Desk
from alexmagnum.mail.inbox import Inbox
from tests.mail.dovecot import PASSWORD, Dovecot
from tests.mail.smtp_server import SmtpServer, run_smtp_server
from tests.mail.three_games import GM, POWERS, ThreeGames, person, without_server
from tests.sizes import is_proof, sampled


class Year:
    """The games after they were played; ``imap`` and ``smtp`` are the servers, if there were."""

    def __init__(
        self, games: ThreeGames, imap: Dovecot | None = None, smtp: SmtpServer | None = None
    ) -> None:
        self.games, self.imap, self.smtp = games, imap, smtp


@pytest.fixture(scope="module")
def year(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Year]:
    home = tmp_path_factory.mktemp("three")
    if not is_proof():
        games = without_server(home, names=("alfa", "beta"))
        games.play_phase(strangers=6)
        yield Year(games)
        return
    imap: Dovecot = request.getfixturevalue("imap_server")
    with run_smtp_server() as smtp:
        settings = {**imap.settings_of("Three games"), **smtp.settings}
        games = ThreeGames(
            home,
            lambda raws, at: imap.deliver(*raws, at=at, folder="Three games"),
            settings,
            environment={"ALEXMAGNUM_IMAP_PASSWORD": PASSWORD},
        )
        imap.deliver(folder="Three games")
        games.create()
        for _ in range(5):
            games.play_phase(strangers=24)
        yield Year(games, imap, smtp)


def _orders(desk: Desk, phase: str) -> dict[str, set[str]]:
    """Return the orders of each power that counted in a phase."""
    return {power: {*orders} for power, orders in desk.processed(phase).orders.items()}


@sampled
def test_the_games_come_out_as_with_orders_typed_in_and_no_phase_stalls(year: Year) -> None:
    for name in year.games.names:
        with year.games.desk(name) as desk, year.games.twin(name) as twin:
            phases = [record.name for record in twin.phases() if record.state == "processed"]
            assert phases
            for phase in phases:
                assert _orders(desk, phase) == _orders(twin, phase)
            assert desk.phase == twin.phase
            assert position_data(desk.position) == position_data(twin.position)
            assert desk.verify() == ()


@sampled
def test_each_letter_goes_to_the_player_of_its_power_and_each_mail_has_one_receipt(
    year: Year,
) -> None:
    for name in year.games.names:
        readers = {person(name, power) for power in POWERS}
        with year.games.desk(name) as desk:
            inbox = Inbox(desk)
            letters = inbox.outbox.list_letters()
            to = {parseaddr(str(inbox.outbox.message(m.id)["To"]))[1] for m in letters}
            taken = sorted(m.id for m in inbox.store.find_all("taken"))
        assert to == readers
        assert [m for m in letters if m.address != person(name, m.power)] == []
        assert taken
        assert sorted(m.answers for m in letters if m.answers) == taken
        lost = [each for each in letters if each.state != "sent"]
        assert {each.kind for each in lost} <= {"receipt"}
        # A later mail of the same minute has changed the orders, and has its own receipt.
        assert {each.problem.code for each in lost if each.problem} <= {"letter-orders-changed"}


@sampled
def test_no_game_has_mail_of_strangers_or_of_another_game(year: Year) -> None:
    """Letters to the game master tell only what waits: one for each situation and day, however
    often ``tick`` runs."""
    for name in year.games.names:
        twice = {person(name, power) for power in ("England", "Turkey")}
        with year.games.desk(name) as desk:
            listed = Inbox(desk).store.find_all()
            rows = desk.file.rows("SELECT day, situation, address FROM gm_letters")
        assert not [m for m in listed if "example.com" in m.sender]
        foreign = set().union(*(k for g, k in year.games.meant.items() if g != name))
        assert [m for m in listed if m.key in foreign and m.state == "taken"] == []
        assert {m.sender for m in listed if m.key in foreign} <= twice
        assert {row["address"] for row in rows} <= {GM}
        # What players said is told whenever there is more of it.
        told = [(row["day"], row["situation"]) for row in rows if row["situation"] != "said"]
        assert len(set(told)) == len(told)


@pytest.mark.proof
def test_there_were_three_hundred_mails_and_none_is_marked(year: Year) -> None:
    assert year.imap is not None
    flags = year.imap.flags("Three games")

    assert len(flags) == year.games.delivered >= 300
    assert not [marks for marks in flags if re.search(r"Seen|Answered|Deleted|Flagged", marks)]


@pytest.mark.proof
def test_the_server_sent_each_letter_once_to_its_player_or_the_game_master(year: Year) -> None:
    assert year.smtp is not None
    readers = {person(name, power) for name in year.games.names for power in POWERS}
    names = [str(mail["Message-ID"]) for mail in year.smtp.messages]

    assert set(year.smtp.readers) <= readers | {GM}
    assert len(names) == len(set(names))
