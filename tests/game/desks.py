"""Games to test on, with a clock that stands still and salts that are always the same.

Open this first when you test anything that needs a game.
"""

import sqlite3
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from alexmagnum.bots.random_player import random_orders
from alexmagnum.errors import AlexMagnumError
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import FILE, GameFile
from alexmagnum.game.game import NewGame, Processed, Surroundings
from alexmagnum.game.mail_store import LetterKey, Occasion, OutboxStore
from alexmagnum.game.records import TABLES
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.notation import write_order

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)

Dump = dict[str, list[tuple[Any, ...]]]
Rows = dict[str, list[dict[str, Any]]]


class Clock:
    """A clock that stands still until a test moves it."""

    def __init__(self, at: datetime = NOON) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def pass_by(self, **span: float) -> None:
        self.at += timedelta(**span)


def salts(seed: int = 1) -> Any:
    """Return a source of random bytes that is the same in every run."""
    return Random(seed).randbytes


def new_desk(folder: Path, board: str = "standard", **options: Any) -> Desk:
    """Create a game; on the standard map unless another is named."""
    clock = options.pop("now", Clock())
    return Desk.create(folder, NewGame(board, **options), Surroundings(clock, salts()))


def open_desk(folder: Path, **options: Any) -> Desk:
    return Desk.open(folder, Surroundings(options.pop("now", Clock()), salts(2)), **options)


def submit_all(desk: Desk, orders: Mapping[str, str]) -> None:
    for power, text in orders.items():
        desk.submit(power, text)


def resolve(desk: Desk, orders: Mapping[str, str] | None = None) -> Processed:
    """Submit some orders and resolve the open phase, whatever orders are missing."""
    submit_all(desk, orders or {})
    return desk.process(str(desk.phase), allow_missing=True)


def submit_random(desk: Desk, rng: Random) -> None:
    """Submit the random player's orders for the open phase."""
    for power, listed in random_orders(desk.position, rng).items():
        desk.submit(power, "\n".join(map(write_order, listed)))


def play(desk: Desk, phases: int, seed: int = 1) -> None:
    """Play some phases of a random game."""
    rng = Random(seed)
    for _ in range(phases):
        if desk.phase is None:
            return
        submit_random(desk, rng)
        resolve(desk)


def refusal(act: Callable[[], object]) -> AlexMagnumError:
    """Return the error with which an act is refused; every language has a sentence for it."""
    with pytest.raises(AlexMagnumError) as caught:
        act()
    assert all(load_sentences(lang).error(caught.value) for lang in LANGUAGES)
    return caught.value


def change_by_hand(folder: Path, *statements: str) -> None:
    """Change the file of a game with SQL, behind the back of the program."""
    db = sqlite3.connect(folder / FILE)
    with db:
        for statement in statements:
            db.execute(statement)
    db.close()


def add_mail(file: GameFile) -> None:
    """Store a message whose bytes are no text, and an answer to it, in the open transaction."""
    at = "2026-11-20T12:00:00Z"
    key = file.insert(
        "messages",
        key="<1@example.org>",
        raw=bytes(range(256)),
        origin="test",
        received=at,
        fetched=at,
        sender="anna@example.org",
        subject="Ordini",
        state="waiting",
        why="[]",
        power="",
        phase="",
        mail=None,
    )
    OutboxStore(file).add(
        LetterKey(Occasion.ANSWER, file.rows("SELECT id FROM powers")[0]["id"], answers=key),
        b"\xff",
        bytes(range(256)),
        phase="",
        address="anna@example.org",
        message_id="<2@example.org>",
        created=at,
    )


def dump(folder: Path, *left_out: str) -> Dump:
    """Return every row of the file, by table."""
    return {
        table: [tuple(row.values()) for row in rows]
        for table, rows in dump_rows(folder).items()
        if table not in left_out
    }


def dump_rows(folder: Path) -> Rows:
    """Return every row of the file as a mapping, by table."""
    db = sqlite3.connect(folder / FILE)
    db.row_factory = sqlite3.Row
    try:
        return {
            table: [dict(row) for row in db.execute(f"SELECT * FROM {table} ORDER BY rowid")]
            for table in TABLES
        }
    finally:
        db.close()
