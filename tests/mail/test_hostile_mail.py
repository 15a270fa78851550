"""Mails that are made to cost time, memory or room, or to be taken for those of a player.

A budget is in processor time, and many times what a mail takes: what is not read in linear time
takes minutes.
"""

import base64
import signal
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest

from alexmagnum.game.change_log import list_logs
from alexmagnum.game.mail_store import ASIDE, NEW, TAKEN, WAITING, find_or_make_code
from alexmagnum.mail import inbox as inbox_module
from alexmagnum.mail.inbox import Inbox, _remove_comments
from alexmagnum.mail.parsing.message import read_message
from alexmagnum.mail.transport import Found
from alexmagnum.notation import read_orders
from tests.game.desks import Clock
from tests.mail.mail_desk import ANNA, at, fetch, mail, mail_desk, reply
from tests.sizes import one_in

SECONDS, MEMORY = 10, 64 << 20
HEAD = b"From: anna@example.org\r\nSubject: x\r\nMessage-ID: <a@b>\r\nMIME-Version: 1.0\r\n"
BOUNCE = HEAD.replace(b"anna@", b"MAILER-DAEMON@")


def _part(body: bytes, kind: bytes = b"text/plain", head: bytes = HEAD) -> bytes:
    return head + b"Content-Type: " + kind + b"\r\n\r\n" + body


def _multi(parts: Iterator[bytes], head: bytes = HEAD, kind: bytes = b"mixed") -> bytes:
    body = b"".join(b"--b\r\nContent-Type: " + part + b"\r\n" for part in parts)
    return _part(body + b"--b--\r\n", b"multipart/" + kind + b"; boundary=b", head)


def _nested(count: int, body: bytes) -> bytes:
    head = b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n"
    return HEAD + b"".join(head % (number, number) for number in range(count)) + body


STATUS = b"message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n"
FAILED = b"Final-Recipient: rfc822; anna%d@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
MAILS: dict[str, Callable[[], bytes]] = {
    "7.9 million semicolons": lambda: _part(b"A PAR H", b"text/plain" + b";" * 7_900_000),
    "95 parts of parameters": lambda: _multi(
        b"text/plain" + b"; a=b" * 16_000 + b"\r\n\r\nx" for _ in range(95)
    ),
    "390 multiparts and a million lines": lambda: _nested(390, b"\r\n" + b"x\r\n" * 1_000_000),
    "25,000 tables": lambda: _part(b"<table><tr><td>x" * 25_000, b"text/html"),
    "a bounce of 4 MB": lambda: _multi(
        (STATUS + b"".join(FAILED % n for n in range(48_000)) for _ in [0]), BOUNCE, b"report"
    ),
    "paragraphs of blanks": lambda: _part(b"<p> " * 190_000, b"text/html"),
    "hidden paragraphs": lambda: _part(
        b"<i>x</i>" * 20_000 + b"<p hidden>" + b"<p>" * 60_000, b"text/html"
    ),
    "newlines of a page": lambda: _part(b"<pre>" + b"\n" * 390_000, b"text/html"),
    "a character of 5,000 digits": lambda: _part(b"<p>&#" + b"9" * 5_000 + b";", b"text/html"),
    "heads above quoted lines": lambda: _multi(
        b"text/plain\r\n\r\n" + b"From: a\nSent: b\n> q\n" * 3_333 for _ in range(6)
    ),
    "lines with labels": lambda: _multi(b"text/plain\r\n\r\n" + b"re:\n" * 9_990 for _ in range(6)),
    "lines that may start signatures": lambda: _part(b"--\n" * 9_990 + b"A PAR H"),
    "a bounce of one line": lambda: _part(b"a@b.c " * 650_000, head=BOUNCE),
    "names in pieces": lambda: _multi(
        b"a/b" + b"".join(b"; name*%d*=utf-8''%%41" % n for n in range(4_000)) + b"\r\n\r\nx"
        for _ in range(95)
    ),
    "lines that are no boundaries": lambda: _nested(20, b"--b1x\r\n" * 900_000),
    "800,000 parts": lambda: _multi(b"\r\nx" for _ in range(400_000)),
    "digests": lambda: HEAD + b"Content-Type: multipart/digest; boundary=b\r\n\r\n--b\r\n" * 90_000,
    "messages": lambda: HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 200 + b"x\n" * 3_000_000,
    "900,000 fields": lambda: b"X-A: b\r\n" * 900_000 + _part(b"A PAR H"),
    "a field of 7 MB": lambda: b"X-A: b\r\n" + b" c\r\n" * 1_700_000 + _part(b"A PAR H"),
    "references": lambda: b"References: " + b"<a@b> " * 1_000_000 + b"\r\n" + _part(b"A PAR H"),
    "encoded words": lambda: b"Subject: " + b"=?utf-8?q?a?= " * 500_000 + b"\r\n" + _part(b"x"),
    "a long boundary": lambda: _part(b"--" + b"b" * 4_000_000, b"multipart/x; boundary=bbbbbbbb"),
    "a boundary that is no ASCII": lambda: _part(b"--\xe0\r\n", b"multipart/x; boundary=\xe0\xff"),
    "blanks behind a boundary": lambda: _multi(
        b"\r\n--b" + b" " * 99_999 + b"x" for _ in range(70)
    ),
    "uuencode": lambda: _part(
        b"#0V%T\r\n" * 1_000_000, b"text/plain\r\nContent-Transfer-Encoding: x-uuencode"
    ),
    "base64 of base64": lambda: _part(
        base64.encodebytes(base64.encodebytes(b"A PAR H\n" * 400_000)),
        b"text/plain\r\nContent-Transfer-Encoding: base64",
    ),
    "quoted-printable": lambda: _part(
        b"=41" * 2_000_000, b"text/plain\r\nContent-Transfer-Encoding: quoted-printable"
    ),
    "UTF-7": lambda: _part(b"+AAAA-" * 1_000_000, b"text/plain; charset=utf-7"),
    "one long quotation mark": lambda: _part(b">" * 400_000),
    "flowed": lambda: _part(b"a \n" * 130_000, b"text/plain; format=flowed"),
    "cells": lambda: _part(b"<table><tr>" + b"<td>x" * 70_000, b"text/html"),
    "classes": lambda: _part((b"<a class='" + b"x " * 1_900 + b"'>") * 100, b"text/html"),
    "quoted orders": lambda: _part(b"> A PAR - BUR\n" * 30_000),
    "blank lines": lambda: _part(b"\n" * 7_000_000),
}
"""The first five once kept the mail of a game from being read."""

TEXTS = (
    """
F PAN,|F PAN,¶|A PAR,|A PAR e |A PAR no, |A PAR - BUR - |A PAR;|A PAR -> |A-|a |(|# |
A PAR - BUR con l'appoggio di A MAR, |A Pariggi - Borgognna¶|A PAR, il resto tiene, |
PRESS TO FRANCEE, |STAMPA A TUTTI¶|FINE STAMPB¶|Parigi va in Borgogna? |
Ritirate:¶A PAR - BUR¶Inverno:¶Costruire A PAR¶|no |no, |i, |wait, |the |e |fl |
e tutte |A PAR H e |armies |se A PAR |Costruire PAR e |A PAR - BUR, anzi |ok, e,
""".replace("\n", "")
    .replace("¶", "\n")
    .split("|")
)


@contextmanager
def _budget(seconds: float = SECONDS) -> Iterator[None]:
    """Fail after so much processor time."""

    def stop(*_: object) -> None:
        raise TimeoutError

    if sys.platform == "win32":
        yield
        return
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("name", one_in(5, MAILS))
def test_a_mail_made_to_cost_time_is_read(name: str) -> None:
    raw = MAILS[name]()
    with _budget():
        read = read_message(raw)
    assert "unreadable" not in read.codes


@pytest.mark.proof
@pytest.mark.parametrize("name", MAILS)
def test_a_mail_made_to_cost_memory_is_read(name: str) -> None:
    raw = MAILS[name]()
    read_message(raw)
    tracemalloc.start()
    read_message(raw)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MEMORY


def test_equal_lines_of_a_letter_that_was_sent_cost_no_memory() -> None:
    tracemalloc.start()
    read = read_message(_part(b"hello\r\n" * 1_000), sent=["hello\n" * 1_000])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "repeats-sent" in read.codes
    assert peak < MEMORY // 4


@pytest.mark.parametrize("scrap", one_in(16, TEXTS))
def test_a_text_made_to_cost_time_is_taken_or_waits(tmp_path: Path, scrap: str) -> None:
    """So is one of 50 kB, and a stranger's: the mail behind them is taken in any case."""
    with mail_desk(tmp_path) as desk, _budget():
        fetch(desk, mail(scrap * (8_000 // len(scrap)), "eve@example.net", Message_ID="<s@x>"))
        texts = (scrap * (50_000 // len(scrap)), scrap * (8_000 // len(scrap)), "A PAR - BUR\n")
        for number, said in enumerate(texts):
            with _budget():
                (found,) = fetch(desk, reply(desk, "France", said, Message_ID=f"<{number}@x>"))
            assert found.state in (TAKEN, WAITING)
            assert "waits-stumbled" not in [why.code for why in found.why]
    assert found.state == TAKEN


def test_equal_lines_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Mock(wraps=read_orders)
    monkeypatch.setattr("alexmagnum.mail.parsing.passages.read_orders", read)
    with mail_desk(tmp_path) as desk:
        fetch(desk, reply(desk, "France", "nc\n" * 100))
    assert 0 < read.call_count < 10


# -- a mail on which the program stops -------------------------------------------------------------


def test_a_mail_on_which_the_program_was_stopped_twice_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again once, because whatever stopped the program may not have been the mail."""
    with mail_desk(tmp_path) as desk:
        for number in (1, 2):
            raw = reply(desk, "France", "A PAR - BUR\n", Message_ID=f"<{number}@example.org>")
            Inbox(desk).keep(Found(raw, at(9 + number), "x"))
        with monkeypatch.context() as patch:
            patch.setattr(Inbox, "_parse_mail", Mock(side_effect=SystemExit))
            for _ in range(2):
                with pytest.raises(SystemExit):
                    fetch(desk)
        assert [message.state for message in Inbox(desk).store.find_all()] == [NEW, NEW]
        first, second = fetch(desk)
    reasons = [why.code for why in first.why]
    assert (first.state, first.power, reasons) == (WAITING, "France", ["waits-stopped"])
    assert second.state == TAKEN


@pytest.mark.parametrize("fields", [{"Message_ID": "<1@x>"}, {}])
def test_a_mail_on_which_the_program_was_stopped_before_it_was_stored_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fields: dict[str, str]
) -> None:
    with mail_desk(tmp_path) as desk:
        raw = reply(desk, "France", "A PAR - BUR\n", **fields)
        before = set(tmp_path.iterdir())
        with monkeypatch.context() as patch:
            stop = Mock(side_effect=SystemExit)
            patch.setattr("alexmagnum.mail.parsing.message.read_message", stop)
            for _ in range(2):
                with pytest.raises(SystemExit):
                    fetch(desk, raw)
            (found,) = fetch(desk, raw)
            assert fetch(desk, raw) == []
        reasons = [why.code for why in found.why]
        assert (found.state, found.power, reasons) == (WAITING, "France", ["waits-stopped"])
        other = reply(desk, "France", "A PAR - PIC\n", Message_ID="<2@x>")
        assert [each.state for each in fetch(desk, other)] == [TAKEN]
    assert sum(path.name.startswith(".reading-") for path in set(tmp_path.iterdir()) - before) == 1


# -- what strangers send ---------------------------------------------------------------------------


def test_of_strangers_mails_only_the_beginning_is_kept_and_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    with mail_desk(tmp_path, now=clock) as desk:
        store = Inbox(desk).store
        for number in range(4):
            raw = mail("hello " * 4_000, "eve@example.net", Message_ID=f"<{number}@example.net>")
            (found,) = fetch(desk, raw)
            assert found.state == ASIDE
            assert fetch(desk, raw) == []
        assert store.size_of_unproven() < 70_000
        assert store.raw(found.id).startswith(b"X-Alexmagnum-Kept: ")
        with monkeypatch.context() as patch:
            patch.setattr(inbox_module, "_MOST_OF_STRANGERS", 0)
            (none,) = fetch(desk, mail("hello", "eve@example.net", Message_ID="<9@example.net>"))
        assert len(store.raw(none.id)) < 100
        clock.at += timedelta(days=100)
        fetch(desk, mail("hello", "eve@example.net", Message_ID="<8@example.net>"))
        sizes = [len(store.raw(message.id)) for message in store.find_all()]
        assert [size < 100 for size in sizes] == [True, True, True, True, True, False]
        assert fetch(desk, raw) == []
        player = reply(desk, "France", "A PAR - BUR\n" + "\n" * 99_999)
        (kept,) = fetch(desk, player)
        assert store.raw(kept.id) == player


def test_a_known_address_alone_keeps_no_long_mail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody can write it in ``From``, and former players know codes; without room less is kept,
    but never nothing."""
    with mail_desk(tmp_path, settings={"gm_address": "gm@example.org"}) as desk:
        code = find_or_make_code(desk, "France", "1901-spring")
        coded = {"to": f"game+prova-{code}@example.org", "sender": "eve@example.net"}
        fetch(desk, reply(desk, "Italy", "STATUS"))
        thread = {"In_Reply_To": Inbox(desk).outbox.list_letters()[0].message_id}  # Italy's
        fields: tuple[dict[str, str], ...] = ({}, {"sender": "gm@example.org"}, thread, coded, {})
        for number, more in enumerate(fields):
            before = Inbox(desk).store.size_of_unproven()
            fetch(desk, mail("A PAR - BUR\n" * 25_000, Message_ID=f"<{number}@x>", **more))
            kept = Inbox(desk).store.size_of_unproven() - before
            assert kept // 1024 == (256 if number < 4 else 16)
            if number == 3:
                monkeypatch.setattr(inbox_module, "_MOST_OF_STRANGERS", 0)
        monkeypatch.setattr(inbox_module, "_MOST_OF_PLAYER", -1)  # then a code keeps no more
        (long,) = fetch(desk, reply(desk, "France", "A PAR - BUR\n" + "x" * 300_000))
        assert len(Inbox(desk).store.raw(long.id)) // 1024 == 256


def test_a_mail_cannot_say_of_itself_that_it_was_shortened(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        first, other = (reply(desk, "France", f"A PAR - {to}\n") for to in ("BUR", "PIC"))
        mark = f"X-Alexmagnum-Kept: {read_message(first).digest}\n".encode()
        raws = [
            raw.replace(b"From:", b"Message-ID: <1@x>\r\nFrom:", 1)
            for raw in (first, mark + other, b"X: y\n" + mark + other)
        ]
        states = [message.state for message in fetch(desk, *raws)]
    assert states == [TAKEN, WAITING]


def test_the_change_log_has_a_mail_once(tmp_path: Path) -> None:
    noise = base64.encodebytes(bytes(hash((n, 7)) % 251 for n in range(60_000))).decode("ascii")
    with mail_desk(tmp_path) as desk:
        raw = reply(desk, "France", f"A PAR - BUR\n-- \n{noise}")
        fetch(desk)
        before = list_logs(tmp_path)[0].stat().st_size
        fetch(desk, raw)
        assert list_logs(tmp_path)[0].stat().st_size - before < 1.9 * len(raw)


# -- whose a mail is -------------------------------------------------------------------------------


def test_a_second_text_under_a_known_message_id_waits(tmp_path: Path) -> None:
    """The same mail by another way, with other fields, is the same mail."""
    with mail_desk(tmp_path) as desk:
        first, other = (
            reply(desk, "France", said, Message_ID="<1@example.org>")
            for said in ("A PAR - BUR\n", "A PAR - PIC\n")
        )
        (taken,) = fetch(desk, first)
        at = b"from x by y; Sat, 21 Nov 2026 10:00:00 +0000\r\n" + first
        assert fetch(desk, b"Received: " + at) == []
        second, again = fetch(desk, other, b"Resent-Date: " + at)
        assert fetch(desk, first, other) == []
        assert len(fetch(desk, *(mail("", Subject=said, Date="") for said in ("A H", "B H")))) == 2
    assert taken.state == TAKEN
    for each in (second, again):
        assert (each.state, [why.code for why in each.why]) == (WAITING, ["waits-same-id"])


OWN, FORGED = "mx.example.net", "evil.example"
VERDICTS = [
    # The fields of a mail from the top, and whether its sender is doubted.
    ([f"{OWN}; spf=fail", f"{OWN}; dkim=pass header.d=example.org"], False),
    ([f"{OWN}; spf=pass", f"{OWN}; dmarc=fail header.from=example.org"], True),
    ([f"{OWN}; dmarc/1=fail header.from=example.org"], True),
    ([f"{OWN}; spf=fail", f"{OWN}; dkim=pass header.d={FORGED}"], True),
    ([f"{OWN}; spf=fail", f"{FORGED}; dkim=pass header.d=example.org"], True),
    ([f"{OWN}; spf=fail", "", f"{OWN}; dkim=pass header.d=example.org"], True),
    ([f"{OWN}; spf=pass", f"{FORGED}; dmarc=fail"], False),
]


@pytest.mark.parametrize("code_needed", one_in(2, ["yes", "no"]))
def test_verdicts_count_that_our_own_server_wrote(tmp_path: Path, code_needed: str) -> None:
    """Those on top, with its name; a signature clears the domain that the mail comes from."""
    for number, (told, is_doubted) in enumerate(VERDICTS):
        with mail_desk(tmp_path / str(number), settings={"code_needed": code_needed}) as desk:
            written = reply if code_needed == "yes" else lambda _, __, text: mail(text, ANNA)
            fields = [f"Authentication-Results: {each}" if each else "Received: x" for each in told]
            raw = "\r\n".join([*fields, ""]).encode() + written(desk, "France", "A PAR - BUR\n")
            (found,) = fetch(desk, raw)
        assert [why.code for why in found.why] == (["waits-forged"] if is_doubted else []), told


@pytest.mark.parametrize("told", ['"' + r"\"" * 32_000 + '"', "(" * 31_000 + ")" * 31_000])
def test_verdicts_made_to_cost_time_are_read(told: str) -> None:
    with _budget(1):
        left = _remove_comments(f'{told} a (b "c)" d) e="f"')
    assert left.split() == ["a", "e=f"]


def test_press_hides_the_codes_of_the_game(tmp_path: Path) -> None:
    """Its writer may have quoted a letter of their own."""
    with mail_desk(tmp_path, settings={"press": "relay"}) as desk:
        code = find_or_make_code(desk, "France", desk.head().name)
        said = f"PRESS TO ALL\n(France-{code.upper()}) 12345678 game+prova-{code}@x\nENDPRESS\n"
        fetch(desk, reply(desk, "France", said))
        box = Inbox(desk).outbox
        (relayed,) = (box.text(letter) for letter in box.list_letters() if letter.kind == "press")
    assert "(France-********) 12345678 game+prova-********@x" in relayed
