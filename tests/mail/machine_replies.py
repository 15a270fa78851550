"""Mails that machines send about the mails of a game: bounces, absences, lists."""

from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr

from tests.mail.mime import Part, message, multi, text
from tests.mail.people import GAME


def _head(sender: str, name: str, subject: str, at: datetime) -> list[tuple[str, str]]:
    when = format_datetime(at)
    return [
        ("Delivered-To", GAME),
        ("Received", f"from mx.example.org by mail.example.net with ESMTP; {when}"),
        ("From", sender),
        ("To", GAME),
        ("Subject", subject),
        ("Date", when),
        ("Message-ID", f"<{name}@mx.example.org>"),
    ]


def bounce(sent: EmailMessage, at: datetime) -> bytes:
    """Return the report that a mail could not be delivered, with that mail and its codes in it."""
    to = parseaddr(str(sent["To"]))[1]
    status = (
        f"Reporting-MTA: dns; mx.example.org\r\n\r\nFinal-Recipient: rfc822; {to}\r\n"
        "Action: failed\r\nStatus: 5.2.2\r\nDiagnostic-Code: smtp; 552 5.2.2 Mailbox full\r\n"
    )
    body = multi(
        "report",
        text(f"<{to}>: host mx.example.org said: 552 5.2.2 Mailbox full"),
        Part("message/delivery-status", status.encode("ascii")),
        Part("message/rfc822", sent.as_bytes()),
        boundary="dsn",
        more="report-type=delivery-status; ",
    )
    daemon = "Mail Delivery System <MAILER-DAEMON@mx.example.org>"
    fields = _head(daemon, "bounce", "Undelivered Mail Returned to Sender", at)
    fields[3] = ("To", str(sent["Reply-To"]))
    return message([("Return-Path", "<>"), *fields, ("Auto-Submitted", "auto-replied")], body)


def out_of_office(sent: EmailMessage, name: str, said: str, at: datetime) -> bytes:
    """Return a machine's answer to a mail, in its reader's name and with the code."""
    fields = _head(str(sent["To"]), name, f"Automatic reply: {sent['Subject']}", at)
    fields[3] = ("To", str(sent["Reply-To"]))
    answered = str(sent["Message-ID"])
    thread = [("In-Reply-To", answered), ("References", answered)]
    return message([*fields, *thread, ("Auto-Submitted", "auto-replied")], text(said))


def of_a_list(said: str, at: datetime) -> bytes:
    """Return the copy that a mailing list sends of a letter by somebody who does not play."""
    fields = _head("Zeno <zeno@example.com>", "list", "[successori] Chi gioca ancora?", at)
    marks = [("List-Id", "<successori.lists.example.com>"), ("Precedence", "list")]
    return message([*fields, *marks], text(said))
