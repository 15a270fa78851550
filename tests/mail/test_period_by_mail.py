"""The first period of the game by mail, on real servers: the slice of the whole game's proof."""

from __future__ import annotations

from pathlib import Path

from tests.mail.dovecot import Dovecot
from tests.mail.game_by_mail import Played, play_conference
from tests.mail.mailbox_game import MailboxGame
from tests.mail.scripted_letters import CYPRUS, MEANT, PEOPLE
from tests.mail.smtp_server import run_smtp_server


def test_a_period_by_mail_resolves_the_orders_that_were_meant(
    imap_server: Dovecot, tmp_path: Path
) -> None:
    with run_smtp_server() as post:
        game = Played(MailboxGame(tmp_path / "perdicca", imap_server, post))
        game.mailbox.create(PEOPLE)
        play_conference(game, phases=1)
    with game.mailbox.desk() as desk:
        found = desk.processed(CYPRUS[0]).orders

        assert {power: orders for power, orders in found.items() if orders} == MEANT[CYPRUS[0]]
        assert desk.verify() == ()
        assert str(desk.phase) == CYPRUS[1]
