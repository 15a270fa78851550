"""The corpus of messages, and reading one as the desk does, down to its orders.

``corpus/`` has each message as it came (``*.eml``), and ``expected.yaml`` what it comes to.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from alexmagnum.cases.files import read_turn
from alexmagnum.mail.parsing.commands import Requests, read_requests
from alexmagnum.mail.parsing.message import IncomingMail, read_unguarded
from alexmagnum.notation import Reading, read_orders, write_order
from alexmagnum.position import Position
from tests.case_library import read_yaml
from tests.mail.people import GAME

ROOT = Path(__file__).parents[2]
POSITIONS = Path(__file__).parent / "positions"
FOLDER = Path(__file__).parent / "corpus"
EXPECTED: dict[str, dict[str, Any]] = read_yaml(FOLDER / "expected.yaml")
CORPUS = {name: (FOLDER / f"{name}.eml").read_bytes() for name in EXPECTED}


@cache
def position(name: str) -> Position:
    """Return a position by name; ``spring`` is the position of the sample turn."""
    path = ROOT / "orders" / "turn.yaml" if name == "spring" else POSITIONS / f"{name}.yaml"
    found = read_turn(path).position
    assert found is not None
    return found


def read(raw: bytes, sent: tuple[str, ...] = ()) -> IncomingMail:
    return read_unguarded(raw, (GAME,), sent)


def ordered(incoming: IncomingMail, power: str, where: str = "spring") -> tuple[Requests, Reading]:
    """Return the requests and the orders in what a person wrote."""
    board = position(where).board
    requests = read_requests(incoming.text, board)
    return requests, read_orders(requests.orders_text, position(where), power)


def outcome(raw: bytes, entry: dict[str, Any]) -> dict[str, Any]:
    """Return how a message is understood, under the keys that its corpus entry has."""
    incoming = read(raw, tuple(entry.get("sent", ())))
    requests, reading = ordered(incoming, entry.get("power", "TOL"), entry.get("phase", "spring"))
    orders = [write_order(o) for o in reading.orders.get(entry.get("power", "TOL"), ())]
    found: dict[str, Any] = {
        "kind": incoming.kind,
        "text": " ".join(incoming.text.split()),
        "orders": orders,
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
