"""Messages that no person wrote to the game: each would start a loop if it were answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tests.mail.clients import NEW, Letter
from tests.mail.corpus_entries import Mail
from tests.mail.mime import Part, forwarded, message, multi, text
from tests.mail.people import GAME, GM, TOL

OUT = "Sono fuori sede fino a lunedì.\nA MEN - ALE\n"
GONE = "someone.gone@example.org"


def machines() -> Iterator[Mail]:
    for i, (name, kind, fields, body, more) in enumerate((*_automatic(), *_reports(), *_copies())):
        letter = Letter(TOL, 600 + i, NEW)
        named = {key for key, _ in fields}
        head = [pair for pair in letter.fields() if pair[0] not in named]
        wanted = {"kind": kind, "orders": more.pop("orders", []), **more}
        yield Mail(name, message([*head, *fields], body), wanted)


Machine = tuple[str, str, Sequence[tuple[str, str]], Part, dict[str, Any]]
COUNTED = ["A MEN - ALE"]


def _automatic() -> Iterator[Machine]:
    gmail: tuple[tuple[str, str], ...]
    exchange: tuple[tuple[str, str], ...]
    body = text(OUT)
    auto = "auto-reply"
    gmail = (("Auto-Submitted", "auto-replied"), ("Precedence", "bulk"), ("X-Autoreply", "yes"))
    gmail = (*gmail, ("Subject", "Fuori sede Re: [AM-perdicca] Resoconto"))
    yield "auto-gmail-vacation", auto, gmail, body, {"orders": COUNTED}
    exchange = (
        ("Subject", "Risposta automatica: [AM-perdicca]"),
        ("X-Auto-Response-Suppress", "All"),
    )
    exchange = (*exchange, ("Auto-Submitted", "auto-generated"))
    yield "auto-exchange", auto, exchange, body, {"orders": COUNTED}
    subject = (("Subject", "Automatic reply: [AM-perdicca] Report"),)
    yield "auto-subject-alone", auto, subject, body, {"orders": COUNTED}
    yield "auto-subject-fuori-sede", auto, (("Subject", "Fuori sede"),), body, {"orders": COUNTED}
    yield "auto-precedence", auto, (("Precedence", "auto_reply"),), body, {"orders": COUNTED}
    yield "auto-precedence-junk", auto, (("Precedence", "junk"),), body, {"orders": COUNTED}
    yield "auto-x-autorespond", auto, (("X-Autorespond", "ferie"),), body, {"orders": COUNTED}
    yield "auto-null-return-path", auto, (("Return-Path", "<>"),), body, {"orders": COUNTED}
    note = Part("message/disposition-notification", b"Disposition: manual-action; displayed\r\n")
    read = multi(
        "report",
        text("Letto."),
        note,
        boundary="mdn",
        more="report-type=disposition-notification; ",
    )
    yield "auto-read-receipt", auto, (("Subject", "Letto: Resoconto"),), read, {}
    person = (
        ("Auto-Submitted", "no"),
        ("X-Auto-Response-Suppress", "OOF"),
        ("Precedence", "normal"),
    )
    yield "person-with-suspect-fields", "person", person, text("A MEN - ALE"), {"orders": COUNTED}
    about = (("Subject", "Re: Out of office, e Fuori sede la prossima settimana"),)
    yield "person-away-next-week", "person", about, text("A MEN - ALE"), {"orders": COUNTED}


def _status(action: str, status: str) -> Part:
    said = (
        f"Reporting-MTA: dns; mail.example.net\r\n\r\nFinal-Recipient: rfc822; {GONE}\r\n"
        f"Original-Recipient: rfc822;{GONE}\r\nAction: {action}\r\nStatus: {status}\r\n"
        "Diagnostic-Code: smtp; 550 5.1.1 User unknown\r\n"
    )
    return Part("message/delivery-status", said.encode("ascii"))


def _reports() -> Iterator[Machine]:
    fields: tuple[tuple[str, str], ...]
    sent = message(
        [("From", f"{GM} <{GAME}>"), ("To", GONE), ("Subject", "Resoconto")], text("A MEN - ALE")
    )
    daemon = ("From", "Mail Delivery System <MAILER-DAEMON@mail.example.net>")
    null = ("Return-Path", "<>")
    found = {"bounced": [GONE]}

    def report(action: str, status: str, said: str) -> Part:
        parts = (text(said), _status(action, status), forwarded(sent))
        return multi("report", *parts, boundary="dsn", more="report-type=delivery-status; ")

    postfix = report(
        "failed",
        "5.1.1",
        "I'm sorry to have to inform you that your message could not\nbe delivered.",
    )
    fields = (
        daemon,
        null,
        ("Subject", "Undelivered Mail Returned to Sender"),
        ("Auto-Submitted", "auto-replied"),
    )
    yield "bounce-postfix", "bounce", fields, postfix, dict(found)
    exchange = report("failed", "5.1.10", "Il messaggio non è stato recapitato.")
    fields = (
        ("From", "Microsoft Outlook <MicrosoftExchange329e@example.org>"),
        null,
        ("Subject", "Non recapitabile: Resoconto"),
    )
    yield "bounce-exchange", "bounce", fields, exchange, dict(found)
    late = report(
        "delayed", "4.4.1", "This is a warning only. You do not need to resend your message."
    )
    fields = (daemon, null, ("Subject", "Delayed Mail (still being retried)"))
    yield (
        "bounce-delayed",
        "bounce",
        fields,
        late,
        {"notes": ["delivery-delayed", "forwarded-ignored"]},
    )
    google = multi(
        "report",
        text(f"** Indirizzo non trovato **\n\n{GONE}"),
        _status("failed", "5.1.1"),
        boundary="ggl",
        more="report-type=delivery-status; ",
    )
    fields = (
        ("From", "Mail Delivery Subsystem <mailer-daemon@googlemail.com>"),
        null,
        ("X-Failed-Recipients", GONE),
        ("Subject", "Delivery Status Notification (Failure)"),
    )
    yield "bounce-gmail", "bounce", fields, google, dict(found)
    qmail = f"Hi. This is the qmail-send program at example.net.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<{GONE}>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nA MEN - ALE\n"
    yield (
        "bounce-qmail",
        "bounce",
        (daemon, null, ("Subject", "failure notice")),
        text(qmail),
        {**found, "orders": COUNTED},
    )
    exim = f"This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  {GONE}\n    Unrouteable address\n"
    fields = (
        daemon,
        null,
        ("X-Failed-Recipients", GONE),
        ("Auto-Submitted", "auto-replied"),
        ("Subject", "Mail delivery failed: returning message to sender"),
    )
    yield "bounce-exim", "bounce", fields, text(exim), dict(found)
    broken = multi("report", text("?"), boundary="brk", more="report-type=delivery-status; ")
    yield "bounce-unreadable", "bounce", (daemon, null, ("Subject", "Mancata consegna")), broken, {}


def _copies() -> Iterator[Machine]:
    said = text("A MEN - ALE")
    mailman = (
        ("List-Id", "Alex Magnum <alexmagnum.lists.example.org>"),
        ("List-Post", "<mailto:alexmagnum@lists.example.org>"),
        ("Precedence", "list"),
    )
    yield "list-mailman", "list", mailman, said, {"orders": COUNTED}
    groups = (
        ("Mailing-list", "list alexmagnum@googlegroups.com"),
        ("List-ID", "<alexmagnum.googlegroups.com>"),
    )
    yield "list-google", "list", groups, said, {"orders": COUNTED}
    yield "list-precedence", "list", (("Precedence", "list"),), said, {"orders": COUNTED}
    yield (
        "list-newsletter",
        "list",
        (("List-Unsubscribe", "<https://example.com/u>"),),
        text("Offerta!"),
        {},
    )
    yield "own", "own", (("From", f"{GM} <{GAME}>"),), said, {"orders": COUNTED}
    yield (
        "own-tagged",
        "own",
        (("From", f"{GM} <Perdicca+tol-k7q2@Example.net>"),),
        said,
        {"orders": COUNTED},
    )
    yield "loop-own-field", "loop", (("X-Alexmagnum", "perdicca"),), said, {"orders": COUNTED}
    yield "loop-x-loop", "loop", (("X-Loop", GAME),), said, {"orders": COUNTED}
    hops = [
        ("Received", f"from a{i}.example.org by b{i}.example.org; Fri, 20 Nov 2026")
        for i in range(60)
    ]
    yield "loop-many-hops", "loop", hops, said, {"orders": COUNTED}
