"""The corpus of messages, and reading one as the desk does, down to its orders.

``corpus/`` has each message as it came (``*.eml``), and ``expected.yaml`` what it comes to.  Below
is what holds for every message, whatever its bytes, and how messages are damaged at random.
"""

import random
import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from alexmagnum.cases.files import read_turn
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.parsing import commands
from alexmagnum.mail.parsing.message import IncomingMail, read_head, read_unguarded
from alexmagnum.mail.parsing.mime import MAX_LETTER, MAX_NAME
from alexmagnum.notation import Reading, read_orders, write_order
from alexmagnum.position import Position
from tests.case_library import read_yaml
from tests.mail.people import GAME, TOL

ROOT = Path(__file__).parents[2]
POSITIONS = Path(__file__).parent / "positions"
FOLDER = Path(__file__).parent / "corpus"
EXPECTED: dict[str, dict[str, Any]] = read_yaml(FOLDER / "expected.yaml")
CORPUS = {name: (FOLDER / f"{name}.eml").read_bytes() for name in EXPECTED}
CODES = {code[5:] for code in load_sentences("en").templates if code.startswith("note-")}


@cache
def position(name: str) -> Position:
    """Return a position by name; ``spring`` is the position of the sample turn."""
    path = ROOT / "orders" / "turn.yaml" if name == "spring" else POSITIONS / f"{name}.yaml"
    found = read_turn(path).position
    assert found is not None
    return found


def read(raw: bytes, sent: tuple[str, ...] = ()) -> IncomingMail:
    return read_unguarded(raw, (GAME,), sent)


def ordered(
    incoming: IncomingMail, power: str, where: str = "spring"
) -> tuple[commands.Requests, Reading]:
    """Return the requests and the orders in what a person wrote."""
    requests = commands.read_requests(incoming.text, position(where).board)
    return requests, read_orders(requests.orders_text, position(where), power)


def outcome(raw: bytes, entry: dict[str, Any]) -> dict[str, Any]:
    """Return how a message is understood, under the keys that its corpus entry has."""
    incoming = read(raw, tuple(entry.get("sent", ())))
    requests, reading = ordered(incoming, entry.get("power", "TOL"), entry.get("phase", "spring"))
    found: dict[str, Any] = {
        "kind": incoming.kind,
        "text": " ".join(incoming.text.split()),
        "orders": [write_order(o) for o in reading.orders.get(entry.get("power", "TOL"), ())],
        "unread": [line.text for line in reading.lines if line.error is not None],
        "commands": [f"{c.kind} {c.argument}".strip() for c in requests.commands],
        "press": [_press(piece) for piece in requests.press],
        "notes": sorted(incoming.codes),
        "bounced": list(incoming.bounced),
        "senders": list(incoming.senders),
        "subject": incoming.subject,
    }
    return found


def _press(piece: Any) -> dict[str, Any]:
    to = [*piece.readers, *(["all"] if piece.to_all else []), *(["gm"] if piece.to_master else [])]
    marks = {"anonymous": piece.anonymous, "open": not piece.closed, "unknown": list(piece.unknown)}
    return {"to": to, "text": piece.text, **{key: value for key, value in marks.items() if value}}


KINDS = {
    commands.PERSON,
    commands.OWN_PERSON,
    commands.AUTO_REPLY,
    commands.BOUNCE,
    commands.LIST,
    commands.OWN,
    commands.LOOP,
}
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
    for text in [
        incoming.subject,
        incoming.name,
        *(v for n in incoming.notes for v in n.data.values()),
    ]:
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
