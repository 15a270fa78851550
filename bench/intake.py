"""The time of ``inbox fetch`` for a thousand messages, each stored, accepted and answered.

The sample turn is played by mail.  Each player sends their orders again and again, as plain text
or as a web page, alone or above the whole quoted report; one mail in ten asks for status and
orders instead, one in twenty brings press to all.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

from alexmagnum.cases.files import read_turn
from alexmagnum.cli import app
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import NewGame, Player, Surroundings
from alexmagnum.game.mail_store import reply_address
from alexmagnum.mail.outbox import Outbox
from alexmagnum.workflow.publish import update_letters

ROOT = Path(__file__).parent.parent
BEGUN = datetime(2026, 11, 20, 12, tzinfo=UTC)
SETTINGS = {
    "mail_address": "perdicca@example.net",
    "pictures": "no",
    "press": "relay",
    "mails_an_hour": "10000",
}
PLAYERS = {
    "TOL": "tolomeo",
    "CAS": "cassandro",
    "LIS": "lisimaco",
    "AUT": "autigone",
    "SEL": "seleuco",
    "CAN": "candragrupta",
}


class FetchTime(NamedTuple):
    """Seconds by the clock, and ``busy`` seconds of the processor."""

    seconds: float
    busy: float


def time_fetch(messages: int) -> FetchTime:
    """Return how long it takes to fetch so many messages."""
    with tempfile.TemporaryDirectory() as name:
        folder, mails = Path(name) / "game", Path(name) / "mails"
        mails.mkdir()
        for number, raw in enumerate(_create_game_and_mails(folder, messages)):
            (mails / f"{number:05}.eml").write_bytes(raw)
        return _time_command(folder, mails)


def _time_command(folder: Path, mails: Path) -> FetchTime:
    around = Surroundings(now=lambda: BEGUN + timedelta(days=2))
    call = ["--game", str(folder), "inbox", "fetch", str(mails)]
    start, busy = perf_counter(), process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        app.main(call, prog_name="alexmagnum", obj=around, standalone_mode=False)
    return FetchTime(perf_counter() - start, process_time() - busy)


# -- the messages ----------------------------------------------------------------------------------


def _create_game_and_mails(folder: Path, messages: int) -> Iterator[bytes]:
    """Create a game in a folder and yield mails for it."""
    players = [
        Player(power, who.title(), f"{who}@example.org", "it") for power, who in PLAYERS.items()
    ]
    start = read_turn(ROOT / "orders" / "turn.yaml").position
    new = NewGame("alexmagnum", players=players, start=start, settings=SETTINGS)
    with Desk.create(folder, new, Surroundings(lambda: BEGUN)) as desk:
        update_letters(desk, opening=True)
        reports = _opening_letters(desk)
        for number in range(messages):
            yield _mail(desk, number, reports)


def _opening_letters(desk: Desk) -> dict[str, str]:
    """Return the letter that each player has received and quotes."""
    outbox = Outbox(desk)
    return {mailing.power: outbox.text(mailing) for mailing in outbox.list_letters()}


def _mail(desk: Desk, number: int, reports: dict[str, str]) -> bytes:
    power = list(PLAYERS)[number % len(PLAYERS)]
    turn = number // len(PLAYERS)
    message = EmailMessage(policy=SMTP)
    message["From"] = f"{PLAYERS[power].title()} <{PLAYERS[power]}@example.org>"
    message["To"] = reply_address(desk, power, str(desk.phase))
    message["Subject"] = "Re: [AM-game]"
    message["Message-ID"] = f"<{number}@mail.example.org>"
    message["Date"] = BEGUN + timedelta(minutes=number)
    text = _mail_text(power, turn)
    report_lines = reports[power].split("\n") if turn % 2 else []
    quoted = [
        "Il giorno 20 novembre 2026 alle 13:00 Arbitro ha scritto:",
        "",
        *_quote(report_lines),
    ]
    message.set_content(
        "\n".join([text, "", *quoted] if report_lines else [text]), cte="quoted-printable"
    )
    if turn % 3 == 0:
        page = "".join(f"<div>{line or '<br>'}</div>" for line in text.split("\n"))
        cited = "<br>".join(report_lines)
        page = f"<html><body>{page}<blockquote>{cited}</blockquote></body></html>"
        message.add_alternative(page, subtype="html", cte="quoted-printable")
    return message.as_bytes()


def _mail_text(power: str, turn: int) -> str:
    if turn % 10 == 5:
        return "STATO\nORDINI"
    orders = (ROOT / "orders" / f"{PLAYERS[power]}.txt").read_text(encoding="utf-8")
    if turn % 20 == 8:
        return f"{orders}\n\nSTAMPA A TUTTI\nCi vediamo a Babilonia.\nFINE STAMPA\n"
    return orders


def _quote(lines: Sequence[str]) -> list[str]:
    return [f"> {line}" for line in lines]
