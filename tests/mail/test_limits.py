"""Messages that are made to keep a reader busy are read in time that grows with them alone."""

from __future__ import annotations

import pytest

from alexmagnum.mail.parsing.message import read_message
from alexmagnum.mail.parsing.mime import MAX_LETTER
from tests.each import cells
from tests.mail.message_checks import check_message
from tests.mail.mime import Part, message, multi, text
from tests.sizes import one_in, sampled, sized

SIZE, MANY = sized(8_000, 100_000), sized(10_000, 100_000)
FIELDS = [("From", "a@example.org"), ("To", "b@example.org")]
PAGES = [
    "<",
    "<!--",
    "<a ",
    "<a b='",
    "<div>",
    "</div>",
    "<p>",
    "<blockquote>",
    "&",
    "&#",
    "<s>x",
    "<b id=1>",
    "<table><tr><td>x",
    "<style>",
    "<![",
    "<br>",
    "&nbsp;",
    "<div></span>",
]
TEXTS = [
    ">",
    "> ",
    "> a\n",
    "a:\n",
    "Da: x\n",
    "Da: x\nInviato:\n",
    f"{'-' * 200}\n",
    "\n",
    "à",
    "x ",
    "----- messaggio originale\n",
    "- messaggio originale -\n",
    "Il 20 ha scritto:\n",
    "Il 20\n",
    "AAA à",
    "A MEN - TEB\n",
    "A MEN - TEB, ",
    "STAMPA A TOL\n",
    "FINE STAMPB\n",
    "stato\n",
    "A Mefni - Tebbe\n",
    "--\n",
    "-- \n",
    "a \n",
    "ORDINI\n",
    "stampa tutto\n",
    "A tutti\n",
]
NAMES = cells("""
From|Subject|To|Message-ID|Date|References|Content-Type|Content-Disposition
Content-Transfer-Encoding
""")
VALUES = ["=?utf-8?q?a?= ", "<", "a@b,", '"', "(", '"\\', "=?x?", "<a@b>"]


def _filled(scrap: str) -> str:
    return scrap * (SIZE // len(scrap))


@sampled
@pytest.mark.parametrize("scrap", one_in(4, PAGES))
def test_a_page_of_one_thing(scrap: str) -> None:
    """Among them those on which parsers that build a tree take minutes."""
    check_message(message(FIELDS, text(_filled(scrap), "html", encoding="8bit")))


@sampled
@pytest.mark.parametrize("scrap", one_in(8, TEXTS))
def test_a_text_of_one_thing(scrap: str) -> None:
    check_message(message(FIELDS, text(_filled(scrap), encoding="8bit", more="; format=flowed")))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", one_in(4, VALUES))
def test_a_field_of_one_thing(name: str, value: str) -> None:
    check_message(message([*FIELDS, (name, value * 9_000)], text("x")))


@pytest.mark.parametrize(
    "raw",
    one_in(
        3,
        [
            b"Content-Type: multipart/mixed; boundary=a\r\n\r\n" * MANY,
            b"Content-Type: message/rfc822\r\n\r\n" * MANY,
            b"Content-Type: message/rfc822\r\n\r\n" * 390 + b"x\n" * MANY,
            b"Content-Type: multipart/mixed; boundary=a\r\n\r\n"
            + b"--a\r\n\r\nx\r\n" * (MANY // 2),
            message([("Received", "x")] * (MANY // 2), text("x")),
            message([("From", "a@b.c, " * 500)] * 500, text("x")),
            message(
                FIELDS, Part("text/plain", b"A" * SIZE, (("Content-Transfer-Encoding", "base64"),))
            ),
            bytes(range(256)) * 2_000,
        ],
    ),
    ids=["boundaries", "messages", "deep", "parts", "fields", "senders", "base64", "bytes"],
)
def test_a_message_of_one_thing(raw: bytes) -> None:
    check_message(raw)


def test_messages_within_messages_are_not_taken_apart_for_ever() -> None:
    inner = message(FIELDS, text("A MEN H"))
    for i in range(60):
        inner = message(FIELDS, multi("mixed", Part("message/rfc822", inner), boundary=f"b{i}"))

    assert check_message(inner).text == ""


def test_a_letter_has_an_end() -> None:
    """More than that nobody writes; that it was cut is said."""
    incoming = read_message(message(FIELDS, text("Caro arbitro, " * 6_000, encoding="8bit")))

    assert len(incoming.text) <= MAX_LETTER
    assert "too-large" in incoming.codes


def test_what_lies_beyond_the_largest_message_is_left_aside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The text comes before the pictures."""
    monkeypatch.setattr("alexmagnum.mail.parsing.message.MAX_BYTES", 1_000)
    body = multi("mixed", text("A MEN H"), text("x" * 5_000), boundary="b")
    incoming = check_message(message(FIELDS, body))

    assert incoming.text.startswith("A MEN H")
    assert "too-large" in incoming.codes
