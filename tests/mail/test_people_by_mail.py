"""People on real servers: a second address, an anonymous game, standby, a takeover, own letters."""

from __future__ import annotations

import re
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from tests.mail.dovecot import Dovecot
from tests.mail.game_by_mail import WHO, Played
from tests.mail.mailbox_game import MailboxGame
from tests.mail.people import GAME
from tests.mail.scripted_letters import PEOPLE
from tests.mail.smtp_server import run_smtp_server

CARLA, AT_WORK = "carla@example.net", "m.okafor@work.example.com"
SETTINGS = {
    **dict.fromkeys(("receipts", "reports", "announcements"), "send"),
    "names": "hidden",
    "addresses": "public",
}


def _answer(mail: EmailMessage, text: str) -> bytes:
    """Return a plain answer to a mail, from Carla."""
    answer = EmailMessage(policy=SMTP)
    answer["From"], answer["To"] = f"Carla Verdi <{CARLA}>", mail["Reply-To"] or mail["From"]
    answer["Subject"] = f"Re: {mail['Subject']}"
    answer["Message-ID"] = "<yes.1@example.net>"
    answer["In-Reply-To"] = answer["References"] = mail["Message-ID"]
    answer.set_content(text)
    return answer.as_bytes()


def _kind(mail: EmailMessage) -> str:
    """Return the first words of the subject."""
    return str(mail["Subject"]).partition("] ")[2].partition(",")[0]


def test_people_come_and_go_by_mail_and_nobody_learns_their_names(
    imap_server: Dovecot, tmp_path: Path
) -> None:
    with run_smtp_server() as post:
        game = Played(MailboxGame(tmp_path / "perdicca", imap_server, post, separate=False))
        box = game.mailbox
        box.create(PEOPLE)
        for name, value in SETTINGS.items():
            box.run("settings", name, value)
        margaret = WHO["SEL"]
        box.run("player", "set", "SEL", f"{margaret.name} <{margaret.address}>, <{AT_WORK}>")
        box.run("outbox", "remind", "--all")
        box.run("outbox", "send")
        game.write_all("323-1", but=("SEL",))
        game.write("SEL", "Pick BAB", sender=AT_WORK)
        box.run("tick")
        box.run("standby", f"Carla Verdi <{CARLA}>", "--speaks", "en")
        box.run("standby", "--invite", "LIS")
        box.run("tick")
        game.arrive(_answer(box.last_mail(CARLA), "Yes, with pleasure."), name="yes")
        box.run("tick")
        waiting = box.run("inbox", "list")
        before = len(game.mailbox.mails_to(WHO["LIS"].address))
        box.run("player", "replace", "LIS", "--standby", "1", "--reason", "he has left")
        news = tmp_path / "news.txt"
        news.write_text("Monday is a holiday.", encoding="utf-8")
        box.run("letter", "write", "--all", str(news), "--subject", "Monday")
        box.run("tick")
        box.let_pass(-1)
        box.run("tick", "--process")
        listed = box.run("history", "--people")
    carla = game.mailbox.mails_to(CARLA)

    assert "Carla Verdi" in waiting
    kinds = [_kind(mail) for mail in carla]

    assert kinds == ["Invitation: Lysimachus", "Welcome", "Monday", "Report"]
    assert "Pick SAR" in carla[1].as_string()
    assert len(game.mailbox.mails_to(WHO["LIS"].address)) == before
    assert "Margaret Okafor. " in listed
    _check_names(game)


def _check_names(game: Played) -> None:
    """Check that no mail names anybody but its reader."""
    people = {person.address: person.name for person in PEOPLE} | {CARLA: "Carla Verdi"}
    for address in people:
        others = [word for a, name in people.items() if a != address for word in (a, name)]
        others += [AT_WORK]
        for mail in game.mailbox.mails_to(address):
            text = "\n".join(_parts(mail))
            assert not [word for word in others if word in text], (address, mail["Subject"])
            assert str(mail["From"]).endswith(f"<{GAME}>")
            assert not re.search(r"^(Cc|Bcc|Sender|Resent-\w+):", text, re.MULTILINE)


def _parts(mail: EmailMessage) -> list[str]:
    found = [f"{name}: {value}" for name, value in mail.items()]
    for part in mail.walk():
        payload = part.get_payload(decode=True)
        found.append(payload.decode("utf-8", "replace") if isinstance(payload, bytes) else "")
    return found
