"""The pieces of reading a message, one claim each."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.mail.answers import _NOTES_FOR_WRITERS
from alexmagnum.mail.parsing.commands import find_removed_orders
from alexmagnum.mail.parsing.html import read_page
from alexmagnum.mail.parsing.message import read_message
from alexmagnum.mail.parsing.mime import (
    CODES,
    clean_text,
    decode,
    decode_field,
    find_addresses,
    load_vocabulary,
    remove_tag,
    split_lines,
    to_one_line,
    unflow,
)
from alexmagnum.mail.parsing.own_text import find_quotation, find_signature_lines
from alexmagnum.orders import Move
from tests.mail.clients import TOP, Letter
from tests.mail.corpus_reader import position
from tests.mail.mime import message, text
from tests.mail.people import GAME, TOL

FIELDS = [("From", "Bruno <b@example.org>"), ("Date", "Fri, 20 Nov 2026 18:12:13 +0100")]


# -- text ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "declared", "said", "guessed"),
    [
        (b"A MEN \x96 TEB", "iso-8859-1", "A MEN – TEB", ""),
        (b"A MEN \x96 TEB", "us-ascii", "A MEN – TEB", ""),
        ("però".encode(), "utf-8", "però", ""),
        ("però".encode(), "iso-8859-1", "però", "utf-8"),
        (b"per\xf2", "utf-8", "però", "windows-1252"),
        (b"per\xf2", "no-such-charset", "però", "windows-1252"),
        (b"per\xf2", "", "però", "windows-1252"),
        (b"plain", "no-such-charset", "plain", "us-ascii"),
        (b"plain", "", "plain", ""),
        (b"+AOg-", "utf-7", "è", ""),
        (b"nyrk", "rot13", "nyrk", "us-ascii"),
        (b"\x81\x8d", "iso-8859-1", "\ufffd\ufffd", ""),
    ],
)
def test_bytes_are_read_whatever_is_declared(
    data: bytes, declared: str, said: str, guessed: str
) -> None:
    assert decode(data, declared) == (said, guessed)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("=?utf-8?Q?=E2=80=93?= x", "– x"),
        ("=?iso-8859-1?Q?per=F2_=96?=", "però –"),
        ("=?no-such?Q?per=F2?=", "però"),
        ("=?utf-8?B?!!!?=", ""),
        ("per\udcf2", "però"),
        ("=?utf-8?Q?a=0D=0AB:_c?=", "a B: c"),
        ("=?utf-8?Q?=1B[2J=E2=80=AEx?=", "x"),
    ],
)
def test_a_field_is_one_line_that_steers_nothing(raw: str, said: str) -> None:
    assert decode_field(raw) == said


def test_a_line_for_a_terminal_is_not_too_long() -> None:
    assert len(to_one_line("x" * 10_000)) == 300


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("A\u00a0MEN\t- TEB\r\nx\ry\u2028z", "A MEN - TEB\nx\ny\nz"),
        ("A MENàTEB", "A MEN → TEB"),
        ("A MEN à TEB", "A MEN → TEB"),
        ("F EGE#1 à EGE", "F EGE#1 → EGE"),
        ("la città è bella", "la città è bella"),
        ("A MEN è A TEB", "A MEN è A TEB"),
        ("A MEN \uf0e0 TEB", "A MEN → TEB"),
    ],
)
def test_characters_are_made_plain(raw: str, said: str) -> None:
    """Outlook's arrow is one only between two ids: elsewhere it is a letter."""
    assert clean_text(raw) == said


@pytest.mark.parametrize(
    ("flowed", "delsp", "said"),
    [
        ("a \nb", False, "a b"),
        ("a \nb", True, "ab"),
        ("> a \n> b\nc", False, "> a b\nc"),
        ("> a \n>> b", False, "> a \n>> b"),
        (" > a", False, "> a"),
        ("a \n-- \nb \nc", False, "a \n-- \nb c"),
    ],
)
def test_flowed_text(flowed: str, delsp: bool, said: str) -> None:
    """Lines flow on within one quoting depth, and never into a signature."""
    assert unflow(flowed, delsp=delsp) == said


# -- lines -----------------------------------------------------------------------------------------


def own(said: str) -> str:
    """Return the writer's own lines of a plain text, without signatures, joined by bars."""
    lines = split_lines(said)
    found = find_quotation(lines, load_vocabulary()).own
    gone = find_signature_lines(lines, found, load_vocabulary())
    rows = zip(lines, found, gone, strict=True)
    return "|".join(line.text for line, keep, sign in rows if keep and not sign and line.text)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("a\n\nOn 20 Nov 2026, X <x@y.z> wrote:\n> b", "a"),
        ("a\n\nX wrote:\n> b", "a"),
        ("a\n\nX wrote:\nb", "a|X wrote:|b"),
        ("a\nIl 20/11/26 18:12, X ha scritto:\nb", "a"),
        ("a\nAm 20.11.26 um 18:12 schrieb X:\n> b\nc", "a|c"),
        ("a\nLe 20 nov. 2026 à 18:12, X a écrit :\n> b", "a"),
        ("a\nQuoting X <x@y.z>:\n\n> b", "a"),
        ("Il 3 novembre X ha scritto che viene:\nb", "Il 3 novembre X ha scritto che viene:|b"),
        ("a\n-----Messaggio originale-----\nb", "a"),
        ("a\n-------- Original Message --------\nb", "a"),
        ("a\n----- ORDINI -----\nb", "a|----- ORDINI -----|b"),
        ("a\n____________\nDa: x\nInviato: y\nA: z\nOggetto: w\nb", "a"),
        ("a\nDa: x\nb\nc", "a|Da: x|b|c"),
        ("From: x\nSent: y\nTo: z\n u\nSubject: w\n\n> b\nc", "c"),
        ("a\nFrom: x\nSent: y\nTo: z\n u\nSubject: w\n\n> b\nc", "a"),
        ("a\n--- Original message ---\nFrom: x\nSent: y\nTo: z\n\n> b\nc", "a"),
        ("a\nBegin forwarded message:\n\nFrom: x\nb", "a"),
        ("> a\nb\n> c\nd", "b|d"),
    ],
)
def test_what_is_quoted(said: str, kept: str) -> None:
    assert own(said) == kept


@pytest.mark.parametrize(
    "head",
    [
        "Da: Arbitro\nInviato: venerdì",
        "From: GM\nDate: Fri 20 Nov 2026",
        "Il 20/11/2026 alle 18:12 Arbitro ha scritto",
        "El vie, 20 nov 2026 a las 18:12, Arbitro (<a@example.net>) escribió:",
        "Em sex., 20 de nov. de 2026 às 18:12, Arbitro <a@example.net> escreveu:",
        '20 novembre 2026 18:12 da "Arbitro" <a@example.net>:',
        '20.11.2026, 18:12, "Arbitro" <a@example.net>:',
        "Venerdì, 20 Novembre 2026, 06:12PM +01:00 da Arbitro a@example.net :",
    ],
)
def test_what_says_when_and_who_stands_above_a_quotation_whatever_its_language(head: str) -> None:
    assert own(f"A MEN H\n\n{head}\n\nA ISR - DAM") == "A MEN H"


@pytest.mark.parametrize(
    "said",
    [
        "Bruno mi ha scritto il 20/11",
        "Da: Menfi\nA: Tebe",
        "Ti ho scritto il 20/11/2026 alle 18:12",
        "Vieni il 20/11, alle 18:",
    ],
)
def test_what_a_player_tells_stands_above_none(said: str) -> None:
    assert own(f"{said}\nA ISR - DAM") == f"{said}\nA ISR - DAM".replace("\n", "|")


def test_a_mark_that_a_page_left_in_the_text_marks_a_quotation() -> None:
    assert own("A MEN H\n&gt; A ISR - DAM\n&gt;&gt; F FOC H") == "A MEN H"


def test_the_rest_of_a_quoted_line_that_was_broken_is_no_answer() -> None:
    """Expect a quotation: it is unmarked, between two marked lines, one of which was full."""
    long = "> Gli ordini presi dal tuo messaggio sono A ISR - DAM, F TIR - FEN e"
    found = find_quotation(split_lines(f"{long}\nF FOC H\n> e basta\nA MEN H"), load_vocabulary())

    assert found.own == [False, False, False, True]
    assert found.wrapped_ends == "F FOC H"
    assert own("> Ordini?\nF FOC H\n> e poi?\nA MEN H") == "F FOC H|A MEN H"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("a\n-- \nBruno\nA ISR - DAM", "a"),
        ("a\n--\nBruno\ntel. 06 1234", "a"),
        ("A MEN H\n--\nA ISR - DAM\n--\nF FOC H", "A MEN H|--|A ISR - DAM|--|F FOC H"),
        ("a\n-- \nBruno\n> b\nc", "a|c"),
        ("a\nInviato da iPhone\nb", "a|b"),
        ("a\nSent from my Galaxy", "a"),
        ("a\nSent my troops to Thebes", "a|Sent my troops to Thebes"),
        ("a\nQuesto messaggio e i suoi allegati sono riservati.\nb", "a"),
    ],
)
def test_what_is_signature(said: str, kept: str) -> None:
    assert own(said) == kept


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("<p>a<p>b<br>c", ["a", "b", "c"]),
        ("<div>a</div>b <i>c</i>", ["a", "b c"]),
        ("a<script>b</script><style>c</style><!-- d -->", ["a"]),
        ("a < b <- c", ["a < b <- c"]),
        ("<td>a</td><td>b</td>", ["a b"]),
        ("<pre>a\n  b</pre>c", ["a", "b", "c"]),
        ("a<span style='display: none'>b<p>c</p></span>d", ["ad"]),
        ("<p style='visibility:hidden'>a<p>b", ["b"]),
        ("a&nbsp;&egrave;&#x2192;&bogus;", ["a è→&bogus;"]),
        ("<a title='x>y' href=\"<b>\">a</a>", ["a"]),
        ("a<!-- b", ["a"]),
        ("<div style='display:none'>a<p>b</p><br>c</div>d", ["d"]),
    ],
)
def test_a_page_as_lines(source: str, lines: list[str]) -> None:
    found = [line.text for line in read_page(source, load_vocabulary()).lines]

    assert [line for line in found if line] == lines


@pytest.mark.parametrize(
    ("source", "depths"),
    [
        ("a<blockquote>b</blockquote>c", [0, 1, 0]),
        ("a<span class=yahoo_quoted>b</span>c", [0, 1, 0]),
        ("a<span id=x_divRplyFwdMsg>b</span>c<div>d</div>", [0, 1, 1]),
        ("a<blockquote style='border: none'>b</blockquote>c", [0, 0, 0]),
        ("a<blockquote>b</div>c", [0, 1, 1]),
        ("<div>a<blockquote>b</div>c", [0, 1, 0]),
        ("a<br>&gt; b<br>c", [0, 1, 0]),
    ],
)
def test_how_deep_the_lines_of_a_page_are_quoted(source: str, depths: list[int]) -> None:
    assert [
        line.depth for line in read_page(source, load_vocabulary()).lines if line.text
    ] == depths


# -- messages --------------------------------------------------------------------------------------


def test_the_same_mail_without_an_id_has_the_same_key() -> None:
    """From two folders it comes with other fields of transport, and other line ends."""
    first = message([*FIELDS, ("X-Folder", "a")], text("A MEN H\n\nciao"))
    second = message([("Received", "x"), *FIELDS], text("A MEN H\n\nciao", encoding="base64"))
    third = message(FIELDS, text("A MEN - TEB\n\nciao"))
    keys = [read_message(raw).key for raw in (first, second.replace(b"\r\n", b"\n"), third)]

    assert keys[0] == keys[1] != keys[2]
    assert keys[0].startswith("digest:")


def test_who_wrote_to_whom_and_when() -> None:
    fields = [
        ("From", "=?utf-8?Q?Andr=C3=A9?= <A@Example.org>"),
        ("Reply-To", "Other <other@example.org>"),
        ("To", "GM <gm+am-k7@example.net>, b@example.org"),
        ("Cc", "c@example.org"),
        ("X-Original-To", "gm+am-k7@example.net"),
        ("Message-ID", " <1@example.org> "),
        ("In-Reply-To", "<0@example.net>"),
        ("References", "<r@example.net> <0@example.net>"),
        ("Date", "Fri, 20 Nov 2026 18:12:13 +0100"),
    ]
    incoming = read_message(message(fields, text("x")))

    assert (incoming.name, incoming.senders) == ("André", ("a@example.org",))
    assert incoming.reply_to == "other@example.org"
    assert incoming.to == ("gm+am-k7@example.net", "b@example.org", "c@example.org")
    assert incoming.key == incoming.message_id == "<1@example.org>"
    assert incoming.references == ("<r@example.net>", "<0@example.net>")
    assert incoming.date == datetime(2026, 11, 20, 17, 12, 13, tzinfo=UTC)


def test_tags_are_no_part_of_an_address() -> None:
    assert remove_tag("gm+am-k7@example.net") == "gm@example.net"
    assert find_addresses(["gm+am-k7@example.net"]) == ("gm+am-k7@example.net",)


def test_orders_in_what_was_taken_out_can_be_told() -> None:
    """``>`` is a sign for a move too: perhaps it was no quotation."""
    said = read_message(message(Letter(TOL, 1, TOP).fields(), text("> A MEN - ALE")))

    assert find_removed_orders(said.removed, position("spring"), "TOL") == (Move("A MEN", "ALE"),)


def test_own_addresses_are_known_in_any_case() -> None:
    raw = message([("From", "GM <Perdicca+X@Example.net>")], text("x"))

    assert read_message(raw, own=(GAME.upper(),)).kind == "own"
    assert read_message(raw).kind == "person"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_note_has_a_sentence(lang: str) -> None:
    sentences = load_sentences(lang).templates

    assert {code.removeprefix("note-") for code in sentences if code.startswith("note-")} == CODES
    assert _NOTES_FOR_WRITERS < CODES
