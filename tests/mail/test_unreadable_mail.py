"""Mails in which there is nothing to read: they wait for the game master, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP
from pathlib import Path

import pytest

from alexmagnum.game import Desk
from alexmagnum.mail.inbox import Inbox
from tests.mail.mail_desk import ANNA, answers, fetch, mail, mail_desk, reply

ORDERS = "A PAR - BUR\n"
SIGNATURE = "\n-- \nAnna\n"
INLINE = (
    "---------- Forwarded message ---------\n"
    "From: Bruno <bruno@example.com>\nDate: Fri, 20 Nov 2026\nSubject: Re: pace\n"
    "To: Anna <anna@example.org>\n\nA MAR - SPA, e poi vediamo.\n"
)
PICTURE = b"\x89PNG\r\n\x1a\n"
PGP = "-----BEGIN PGP MESSAGE-----\n\nhQEMA0Z2\n=abcd\n-----END PGP MESSAGE-----\n"


def _build(desk: Desk, text: str = "") -> EmailMessage:
    message = BytesParser(EmailMessage, policy=SMTP).parsebytes(reply(desk, "France", text))
    assert isinstance(message, EmailMessage)
    return message


def _forwarded(desk: Desk) -> bytes:
    message = _build(desk)
    inner = BytesParser(EmailMessage, policy=SMTP).parsebytes(mail("A MAR - SPA", "eve@x.example"))
    assert isinstance(inner, EmailMessage)
    message.add_attachment(inner)
    return message.as_bytes()


def _with_file(desk: Desk, kind: str, name: str, text: str = "") -> bytes:
    message = _build(desk, text)
    maintype, _, subtype = kind.partition("/")
    message.add_attachment(PICTURE, maintype=maintype, subtype=subtype, filename=name)
    return message.as_bytes()


def _with_type(desk: Desk, content_type: str, body: bytes) -> bytes:
    raw = reply(desk, "France", "")
    head = b"\r\n".join(
        line for line in raw.split(b"\r\n") if line and not line.startswith(b"Content-")
    )
    return head + f"\r\nContent-Type: {content_type}\r\n\r\n".encode() + body


def _shown_picture(desk: Desk) -> bytes:
    part = (
        b'--x\r\nContent-Type: text/html\r\n\r\n<p><img src="cid:a"></p>\r\n--x\r\nContent-Type: '
        b"image/png\r\nContent-ID: <a>\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw==\r\n"
        b"--x--\r\n"
    )
    return _with_type(desk, 'multipart/related; boundary="x"', part)


def _encrypted(desk: Desk) -> bytes:
    part = b"--x\r\nContent-Type: application/octet-stream\r\n\r\nabc\r\n--x--\r\n"
    return _with_type(desk, 'multipart/encrypted; boundary="x"', part)


MAILS: Mapping[str, tuple[Callable[[Desk], bytes], str]] = {
    "nothing": (lambda desk: reply(desk, "France", ""), "waits-empty"),
    "blank lines": (lambda desk: reply(desk, "France", " \n\u200b\n\xa0\n"), "waits-empty"),
    "a page without text": (
        lambda desk: _with_type(desk, "text/html", b"<html><body><div><br></div></body></html>"),
        "waits-empty",
    ),
    "only a signature": (lambda desk: reply(desk, "France", SIGNATURE), "waits-quotation"),
    "a forwarded mail": (_forwarded, "waits-forwarded"),
    "a forwarded mail, in line": (lambda desk: reply(desk, "France", INLINE), "waits-forwarded"),
    "a document": (lambda d: _with_file(d, "application/pdf", "o.pdf"), "waits-only-files"),
    "a photograph": (lambda d: _with_file(d, "image/png", "o.png"), "waits-only-picture"),
    "a picture in the text": (_shown_picture, "waits-only-picture"),
    "PGP": (lambda desk: reply(desk, "France", PGP), "waits-encrypted"),
    "PGP/MIME": (_encrypted, "waits-encrypted"),
    "S/MIME": (lambda d: _with_type(d, "application/pkcs7-mime", b"abc"), "waits-encrypted"),
    "another charset": (
        lambda d: _with_type(d, "text/plain; charset=utf-8", b"\x81\x8d\x8f\x90\x9d " * 20),
        "waits-undecodable",
    ),
}


@pytest.mark.parametrize("name", MAILS)
def test_a_mail_with_nothing_to_read_waits_and_is_not_answered(tmp_path: Path, name: str) -> None:
    """The player is told once that the mail waits and why; orders sent before stay in force."""
    make, code = MAILS[name]
    with mail_desk(tmp_path) as desk:
        desk.submit("France", ORDERS)
        (message,) = fetch(desk, make(desk))
        assert (message.state, [why.code for why in message.why]) == ("waiting", [code])
        assert desk.pending(reason="t")["France"] == ("A PAR - BUR",)
        ((kind, text),) = answers(desk)
        assert (kind, "niente da leggere" in " ".join(text.split())) == ("note", True)
        Inbox(desk).accept(message.id)
        assert [kind for kind, _ in answers(desk)] == ["note"]
        assert desk.pending(reason="t")["France"] == ("A PAR - BUR",)


def test_orders_beside_what_cannot_be_read_are_taken(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        files = _with_file(desk, "application/pdf", "o.pdf", ORDERS)
        forwarded = reply(desk, "France", f"A MAR - SPA\n\n{INLINE}")
        pgp = reply(desk, "France", f"F BRE - MAO\n\n{PGP}")
        assert [each.state for each in fetch(desk, files, forwarded, pgp)] == ["taken"] * 3


def test_orders_in_quoted_text_alone_are_answered_with_what_to_do(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        (message,) = fetch(desk, reply(desk, "France", "> A PAR - BUR\n"))
        assert message.state == "taken"
        assert "A PAR - BUR" in answers(desk)[0][1]


def test_an_answer_of_a_calendar_is_left_aside(tmp_path: Path) -> None:
    """The entry of a deadline can be accepted: that is no mail for anybody."""
    with mail_desk(tmp_path) as desk:
        (message,) = fetch(
            desk, _with_type(desk, "text/calendar; method=REPLY", b"BEGIN:VCALENDAR")
        )
        assert (message.state, answers(desk)) == ("aside", [])


@pytest.mark.parametrize("code_needed", ["yes", "no"])
def test_a_mail_that_asks_for_answers_elsewhere_is_taken_and_answered_at_the_registered_address(
    tmp_path: Path, code_needed: str
) -> None:
    with mail_desk(tmp_path, settings={"code_needed": code_needed}) as desk:
        (message,) = fetch(desk, reply(desk, "France", ORDERS, Reply_To="work@example.net"))
        assert message.state == "taken"
        letters = Inbox(desk).outbox.list_letters()
        assert [letter.address for letter in letters] == [ANNA]


ESCAPED = (
    "\x1b[1;31mA PAR\x1b[0m - BUR",
    "A PAR - \x1b]8;;http://x.example\x1b\\BUR\x1b]8;;\x1b\\",
    "\x1b(BA PAR - B\x1b[CUR\x1b[K",
    "^[[32mA PAR - BUR^[[0m",
    "[32mA PAR - BUR[0m",
    "\\e[1mA PAR - BUR\\e[0m",
    "A\x08A PAR - BUR\x07",
    "\x9b31mA PAR - BUR\x9b0m",
)


@pytest.mark.parametrize("line", ESCAPED)
def test_what_steers_a_terminal_is_taken_out_and_the_line_is_read(
    tmp_path: Path, line: str
) -> None:
    with mail_desk(tmp_path) as desk:
        fetch(desk, reply(desk, "France", line))
        assert desk.pending(reason="t")["France"] == ("A PAR - BUR",)
        assert "\x1b" not in answers(desk)[0][1]


@pytest.mark.parametrize("text", ["STAMPA A ITALY\n", "Ciao!\n\nPRESS TO ITALY\n"])
def test_press_alone_is_no_mail_with_orders(tmp_path: Path, text: str) -> None:
    """It is delivered, its words are no orders, and the orders in force stay."""
    with mail_desk(tmp_path) as desk:
        desk.submit("France", ORDERS)
        body = f"{text}A MAR - SPA? Oppure A PAR H.\nFINE STAMPA\n\nA presto\nAnna\n"
        (message,) = fetch(desk, reply(desk, "France", body))
        assert message.state == "taken"
        receipt = desk.receipt("France")
        assert receipt is not None
        assert (receipt.number, receipt.orders) == (1, ("A PAR - BUR",))
        assert [kind for kind, _ in answers(desk)] == ["receipt"]
        assert "Nessun ordine" not in answers(desk)[0][1]


def test_a_letter_without_orders_is_answered_with_what_to_write(tmp_path: Path) -> None:
    """It is no mail with orders: what was sent before stays, and no receipt is counted."""
    with mail_desk(tmp_path) as desk:
        desk.submit("France", ORDERS)
        (message,) = fetch(
            desk, reply(desk, "France", "Ciao! Direi che Marsiglia vada in Spagna. Anna")
        )
        assert message.state == "taken"
        receipt = desk.receipt("France")
        assert receipt is not None
        assert (receipt.number, receipt.orders) == (1, ("A PAR - BUR",))
        said = " ".join(answers(desk)[0][1].split())
        assert "«Direi che Marsiglia vada in Spagna.» — se è un ordine" in said
        assert "A MAR - SPA" in said


def test_a_sentence_beside_orders_is_in_the_receipt(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        text = "A ROM - VEN\n\nI'd rather have Naples stay where it is. Bruno"
        fetch(desk, reply(desk, "Italy", text))
        said = " ".join(answers(desk)[0][1].split())
        assert "Sentences that were not taken as orders" in said
        assert "F NAP H" in said
