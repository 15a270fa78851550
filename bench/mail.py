"""The time to read a thousand messages of the corpus, with and without their orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter

from alexmagnum.cases.files import read_turn
from alexmagnum.mail.parsing.commands import read_requests
from alexmagnum.mail.parsing.message import read_message
from alexmagnum.notation import read_orders

ROOT = Path(__file__).parent.parent
CORPUS = ROOT / "tests" / "mail" / "corpus"
MESSAGES = 1_000
REPORT = ROOT / "tests" / "approved" / "322-spring.it.txt"
"""The report that was sent, with which every message is compared."""

GAME = ("perdicca@example.net",)


def measure(rounds: int) -> list[dict[str, object]]:
    """Return the median seconds for all messages, by how far they are read."""
    messages = [path.read_bytes() for path in sorted(CORPUS.glob("*.eml"))]
    batch = list(islice(cycle(messages), MESSAGES))
    jobs = {"read_message": _read, "read_message, to the orders": _orders}
    return [
        {"stage": name, "messages": len(batch), "seconds": round(_seconds(job, batch, rounds), 2)}
        for name, job in jobs.items()
        if batch
    ]


def _seconds(job: Callable[[Sequence[bytes]], None], batch: Sequence[bytes], rounds: int) -> float:
    """Return the median seconds over some rounds, after a round that is not counted."""
    times = []
    for _ in range(rounds + 1):
        start = perf_counter()
        job(batch)
        times.append(perf_counter() - start)
    return median(times[1:])


def _read(batch: Sequence[bytes]) -> None:
    sent = (REPORT.read_text("utf-8"),)
    for raw in batch:
        read_message(raw, own=GAME, sent=sent)


def _orders(batch: Sequence[bytes]) -> None:
    sent = (REPORT.read_text("utf-8"),)
    position = read_turn(ROOT / "orders" / "turn.yaml").position
    assert position is not None
    for raw in batch:
        text = read_message(raw, own=GAME, sent=sent).text
        read_orders(read_requests(text, position.board).orders_text, position, "TOL")
