"""A draw on real servers: votes by mail, the game master told, the final report sent, an undo."""

from __future__ import annotations

from pathlib import Path

from tests.mail.dovecot import Dovecot
from tests.mail.game_by_mail import WHO, Played
from tests.mail.mailbox_game import MailboxGame
from tests.mail.scripted_letters import PEOPLE
from tests.mail.smtp_server import run_smtp_server

MASTER = "gm@example.org"
SETTINGS = {
    **dict.fromkeys(("receipts", "reports", "announcements"), "send"),
    "gm_address": MASTER,
    "missing": "hold",
}
VOTES = {"it": "PATTA", "en": "DRAW"}


def _subjects(game: Played, address: str) -> list[str]:
    return [str(mail["Subject"]) for mail in game.mailbox.mails_to(address)]


def test_a_game_that_all_want_to_draw_waits_for_the_game_master_and_ends(
    imap_server: Dovecot, tmp_path: Path
) -> None:
    with run_smtp_server() as post:
        game = Played(MailboxGame(tmp_path / "perdicca", imap_server, post, separate=False))
        box = game.mailbox
        box.create(PEOPLE)
        for name, value in SETTINGS.items():
            box.run("settings", name, value)
        box.run("outbox", "remind", "--all")
        box.run("outbox", "send")
        game.write_all("323-1")
        box.run("tick")
        for who in PEOPLE:
            game.write(who.power, VOTES[who.lang])
        box.let_pass(-1)
        waits = box.run("tick", "--process", status=1)
        with box.desk() as desk:
            assert str(desk.phase) == "323-1"
        box.run("end", "--draw", "--reason", "quattro voti su quattro")
        ended = {who.power: len(_subjects(game, who.address)) for who in PEOPLE}
        final = game.mailbox.mails_to(WHO["TOL"].address)[-1]
        box.run("tick")
        again = {who.power: len(_subjects(game, who.address)) for who in PEOPLE}
        box.run("undo", "--reason", "uno ha votato per sbaglio")
        box.run("tick")
        box.run("verify")

    assert "tutti quelli che votano vogliono la patta" in waits
    told = [" ".join(str(mail.get_content()).split()) for mail in game.mailbox.mails_to(MASTER)]
    assert any("alexmagnum end --draw" in text for text in told)
    assert "La partita è finita" in str(final["Subject"])
    names = [part.get_filename() for part in final.iter_attachments()]
    assert names == ["final-report.it.html", "final-report.it.json"]
    assert again == ended  # nobody is told twice
    for who in PEOPLE:
        words = {"it": "Si continua a giocare", "en": "The game goes on"}
        assert words[who.lang] in _subjects(game, who.address)[-1]
