"""What holds for every message, whatever its bytes; and messages damaged at random."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Sequence

from alexmagnum.mail.parsing.commands import AUTO_REPLY, BOUNCE, LIST, LOOP, OWN, PERSON
from alexmagnum.mail.parsing.message import IncomingMail, read_head, read_unguarded
from alexmagnum.mail.parsing.mime import CODES, MAX_LETTER, MAX_NAME
from tests.mail.corpus_reader import ordered
from tests.mail.people import GAME, TOL

KINDS = {PERSON, AUTO_REPLY, BOUNCE, LIST, OWN, LOOP}
STEERING = {"Cc", "Cf", "Cs"}


def check_message(raw: bytes) -> IncomingMail:
    """Read some bytes as a message and check everything that holds for every message."""
    incoming = read_unguarded(raw, (GAME,), (TOL.old,))
    assert incoming.key
    head = read_head(raw)
    assert (head.message_id, head.senders) == (incoming.message_id, incoming.senders)
    assert head.subject == incoming.subject
    assert incoming.kind in KINDS
    assert incoming.codes <= CODES
    one_line = [
        incoming.subject,
        incoming.name,
        *(v for n in incoming.notes for v in n.data.values()),
    ]
    for text in one_line:
        assert not any(unicodedata.category(c) in {*STEERING, "Zl", "Zp"} for c in text), text
    assert len(incoming.subject) <= MAX_NAME
    for text in (incoming.text, incoming.removed):
        assert not any(unicodedata.category(c) in STEERING and c != "\n" for c in text), text
        text.encode("utf-8")
    assert len(incoming.text) <= MAX_LETTER
    for address in (*incoming.senders, *incoming.to, *incoming.bounced):
        assert address.count("@") == 1
        assert not any(c.isspace() or c in "<>" for c in address)
    ordered(incoming, "TOL")
    return incoming


def mutate(raw: bytes, source: random.Random, others: Sequence[bytes]) -> bytes:
    """Return a message with some damage, as it occurs on the way or is done on purpose."""
    data = bytearray(raw)
    for _ in range(source.randint(1, 4)):
        at = source.randrange(len(data) + 1)
        size = source.choice((1, 3, 40, 400))
        match source.randrange(6):
            case 0:
                del data[at : at + size]
            case 1:
                data[at:at] = source.randbytes(size % 40)
            case 2:
                data[at:at] = data[at : at + size] * source.randint(1, 3)
            case 3:
                data[at:at] = source.choice(SCRAPS)
            case 4:
                other = source.choice(others)
                start = source.randrange(len(other) + 1)
                data[at:at] = other[start : start + size]
            case _:
                data[at : at + 1] = bytes([source.randrange(256)])
    return bytes(data)


SCRAPS = [
    b"\r\n", b"\n", b"\r", b"\r\n\r\n", b"\r\n\t", b"\0", b"\x1b[2J", b"\xe2\x80\xae", b"\xff",
    b"=?utf-8?B?w6g", b"=?x?q?=FF?=", b"=?utf-8?q??=", b"\r\n> ", b"> > > ", b"\r\n-- \r\n",
    b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n",
    b"Content-Type: message/rfc822\r\n\r\n",
    b"Content-Type: text/plain; charset*=utf-8'en'%ff; format=flowed\r\n",
    b'Content-Type: text/plain; charset="\xff\xfe"\r\n',
    b"Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 666 a\r\n#0V%T\r\nend\r\n",
    b"Content-Transfer-Encoding: base64\r\n",
    b"Content-Disposition: attachment; filename*=utf-8''%E2%82%AC.txt\r\n",
    b"<blockquote>", b"</div></div>", b"<!--", b"<style>", b"&#x202e;&#0;&#xd800;",
    b"STAMPA A TUTTI\r\n", b"FINE STAMPA\r\n", b"Il giorno 20 nov 2026 x@y.z ha scritto:\r\n",
    b"-----Messaggio originale-----\r\n", b"Da: a\r\nInviato: b\r\nA: c\r\nOggetto: d\r\n",
]  # fmt: skip
