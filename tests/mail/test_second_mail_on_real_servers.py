"""Second mails and stale letters on real servers: what players get, and what never leaves."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

from tests.mail.dovecot import Dovecot
from tests.mail.game_by_mail import WHO, Played
from tests.mail.mailbox_game import MailboxGame
from tests.mail.scripted_letters import CYPRUS, MEANT, PEOPLE
from tests.mail.smtp_server import run_smtp_server

SPRING = "322-spring"


def start_spring(box: MailboxGame) -> None:
    """Create the game, play the Cyprus year without mail, and tell everybody of the spring."""
    box.create(PEOPLE)
    with box.desk() as desk:
        for phase in CYPRUS:
            for power, orders in MEANT[phase].items():
                desk.submit(power, "\n".join(orders))
            desk.process(phase)
    box.run("outbox", "remind", "--all")
    box.run("outbox", "send")


def list_texts(game: Played, power: str, since: int = 0) -> list[str]:
    """The subjects and texts of the mails to a player after the first so many."""
    return [_text(mail) for mail in game.mailbox.mails_to(WHO[power].address, since)]


def _text(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    return " ".join(f"{mail['Subject']} {body.get_content() if body else ''}".split())


def test_a_second_mail_adds_and_no_stale_letter_leaves(
    imap_server: Dovecot, tmp_path: Path
) -> None:
    with run_smtp_server() as post:
        game = Played(MailboxGame(tmp_path / "perdicca", imap_server, post, separate=False))
        start_spring(game.mailbox)
        _check_second_mail(game)
        _check_reminders(game)
        _check_note(game)
        _check_closed_phase(game)


def _check_second_mail(game: Played) -> None:
    """The second mail adds and changes, a third one replaces everything."""
    game.write("TOL", "A MEN - TEB\nF TIR H")
    game.fetch()
    game.write("TOL", "F TIR - FEN\nG ALE H")
    game.fetch()
    added = list_texts(game, "TOL")[-1]
    game.write("TOL", "Annulla tutto\nF TIR H")
    game.fetch()
    replaced = list_texts(game, "TOL")[-1]

    for order in ("A MEN - TEB", "F TIR - FEN", "G ALE H"):
        assert order in added
    assert added.count("(nuovo)") == 2
    assert "«F TIR H»" in added
    assert "A MEN - TEB" not in replaced.partition("«")[0]
    assert "«A MEN - TEB»" in replaced


def _check_reminders(game: Played) -> None:
    """A reminder shows the orders in force; there is none to who completes theirs before."""
    box = game.mailbox
    box.run("outbox", "remind")
    game.write("AUT", "\n".join(MEANT[SPRING]["AUT"]))
    before = len(box.smtp.taken)
    game.fetch()

    assert not [text for text in list_texts(game, "AUT", before) if "Promemoria" in text]
    (reminder,) = list_texts(game, "TOL", before)
    assert "F TIR H" in reminder
    assert "si aggiunge" in reminder


def _check_note(game: Played) -> None:
    """A note that a mail waits does not go out once the mail was accepted; its receipt does."""
    box = game.mailbox
    game.write("LIS", "G BIS H", "from work", sender="sven@work.example.com")
    box.run("inbox", "fetch")
    listed = box.run("outbox", "list")
    box.run("inbox", "accept", game.number("from work"))
    before = len(box.smtp.taken)
    box.run("outbox", "send")

    (note,) = (line for line in listed.splitlines() if "A mail in your name waits" in line)
    for word in ("bozza", "avviso", "LIS", SPRING, "kB", "min"):
        assert word in note, listed
    (receipt,) = list_texts(game, "LIS", before)
    assert "G BIS H" in receipt


def _check_closed_phase(game: Played) -> None:
    """Receipts of a closed phase stay here, and the journal says so; the reports go out."""
    box = game.mailbox
    game.write("CAS", "G MAC H")
    box.run("inbox", "fetch")
    before = len(box.smtp.taken)
    box.run("process", SPRING, "--allow-missing")
    box.run("outbox", "send")

    assert len(list_texts(game, "CAS", before)) == 1
    assert "G MAC H" not in list_texts(game, "CAS", before)[0].partition("==")[0]
    assert len(box.smtp.taken) == before + len(PEOPLE)
    with box.desk() as desk:
        withdrawn = [dict(e.detail) for e in desk.history() if e.action == "mail-withdraw"]
    assert {"letter-mail-decided", "letter-overtaken"} <= {str(e["why"]) for e in withdrawn}
