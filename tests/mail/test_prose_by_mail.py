"""Mails that are no plain list of orders, on real servers: sentences, tables, escapes, nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mail.dovecot import Dovecot
from tests.mail.game_by_mail import PEOPLE, WHO, MailboxGame, Played, answer
from tests.mail.people import GAME
from tests.mail.smtp_server import run_smtp_server

TABLE = (
    "<p>Dear all,</p><table><tr><th>Order</th><th>Centre</th></tr>"
    "<tr><td><p>Pick</p></td><td><p>Babylon</p></td></tr></table>"
)
PRESS = "STAMPA A PTO, ANTIGONUS\nA SAR per tutti? Scelgo Tebe.\nFINE STAMPA\n"
FORWARDED = (
    "---------- Forwarded message ---------\nFrom: Sven <sven@example.org>\n"
    "Date: Fri, 20 Nov 2026\nSubject: Re: peace\nTo: Anand <a@example.org>\n\nPick TAX\n"
)


def _answer(game: Played, power: str, text: str, page: str = "", **fields: str) -> bytes:
    """Return an answer to the last mail of a power's player."""
    who = WHO[power]
    return answer(game.last(power), f"{who.name} <{who.address}>", text, page, **fields)


def _last_text(game: Played, power: str) -> str:
    """Return the text of the last mail to a power's player, on one line."""
    body = game.last(power).get_body(("plain",))
    assert body is not None
    return " ".join(body.get_content().split())


@pytest.mark.proof
def test_nothing_that_a_player_writes_is_dropped_in_silence(
    imap_server: Dovecot, tmp_path: Path
) -> None:
    with run_smtp_server() as post:
        game = Played(MailboxGame(tmp_path / "perdicca", imap_server, post, separate=False))
        box = game.mailbox
        box.create(PEOPLE)
        box.run("outbox", "remind", "--all")
        box.run("outbox", "send")
        game.arrive(
            _answer(game, "SEL", "Dear all,\n\nOrder\n\nCentre\n\nPick\n\nBabylon\n", TABLE),
            _answer(game, "TOL", "Ciao! A Tebe ci penso da ieri. Bruno"),
            _answer(game, "LIS", "\x1b[1;32mPick SAR\x1b[0m\n", Reply_To="sven@work.example.net"),
            _answer(game, "AUT", ""),
            _answer(game, "CAS", PRESS),
            _answer(game, "CAN", FORWARDED),
        )
        box.run("inbox", "fetch")
        box.run("outbox", "send")
        waiting = box.run("inbox", "list")
        with box.desk() as desk:
            orders = desk.pending(reason="a test")
            receipts = {power: desk.receipt(power) for power in WHO}

    assert {power: texts for power, texts in orders.items() if texts} == {
        "SEL": ("Pick BAB",),
        "LIS": ("Pick SAR",),
    }
    assert [power for power, receipt in receipts.items() if receipt is None] == [
        "TOL",
        "AUT",
        "CAS",
        "CAN",
    ]
    assert "«A Tebe ci penso da ieri.» — se è un ordine" in _last_text(game, "TOL")
    assert "Sceglie TEB" in _last_text(game, "TOL")
    assert "è vuota" in waiting
    assert "contiene solo una mail inoltrata" in waiting
    assert "niente da leggere: è vuota" in _last_text(game, "AUT")
    assert "nothing to read: there is nothing in it but a forwarded mail" in _last_text(game, "CAN")
    assert "Stampa" in str(game.last("CAS")["Subject"]) or "STAMPA" in _last_text(game, "CAS")
    readers = {address for mail in post.taken for address in mail.rcpt_tos}
    assert readers == {person.address for person in PEOPLE} - {GAME}
