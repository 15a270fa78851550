"""Nothing that others wrote steers the game master's terminal, whichever command shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from alexmagnum.cli import app
from alexmagnum.errors import GameError
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from tests.mail.mail_desk import mail, mail_desk, reply

EVIL = "\x1b[2J\x1b]0;owned\x07\u202e\x7f"
"""Clears the screen, names the window, rings, turns the direction of writing."""

SAID = f"""A PAR{EVIL} - BUR
A MAR - {EVIL}Atlantis
F BRE - {EVIL}

STAMPA A ITA{EVIL}
Ciao{EVIL}
FINE STAMPA

STAMPA A TUTTI
Salve{EVIL}
FINE STAMPA
"""


def _evil(raw: bytes) -> bytes:
    """Return a mail with control characters in its fields."""
    raw = raw.replace(b"Subject: ", b"Subject: " + EVIL.encode(), 1)
    return raw.replace(b"From: ", b'From: "' + EVIL.encode() + b'" ', 1)


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the output of each command in a game in which everybody writes control characters."""
    home = tmp_path_factory.mktemp("evil")
    folder, mails = home / "game", home / f"mails{EVIL}"
    with mail_desk(folder, settings={"mail_address": "game@example.org", "pictures": "no"}) as desk:
        raws = [
            reply(desk, "France", SAID, Message_ID="<1@example.org>"),
            mail(SAID, f"eve{EVIL}@example.net", Message_ID="<2@example.org>"),
        ]
    mails.mkdir()
    for number, raw in enumerate(raws):
        (mails / f"{number}{EVIL}.eml").write_bytes(_evil(raw))
    orders = home / f"orders{EVIL}.txt"
    orders.write_text(SAID, encoding="utf-8")
    commands = [
        ["inbox", "fetch", str(mails)],
        ["inbox", "list", "--all"],
        *(["inbox", "show", number, "--open"] for number in "12"),
        ["inbox", "accept", "2", "--power", "France", "--reason", f"why{EVIL}"],
        ["inbox", "list", "--press"],
        ["submit", "Italy", str(orders)],
        ["orders", "--reason", f"why{EVIL}"],
        ["submit", "Italy", str(orders), "--open"],
        ["outbox", "list", "--all"],
        *(["outbox", "show", number, "--open"] for number in "123"),
        ["status"],
        ["tick", str(mails), str(home / f"none{EVIL}")],
        ["inbox", "fetch", f"none{EVIL}"],
        ["submit", f"Italy{EVIL}", str(orders)],
        ["submit", "Italy", f"none{EVIL}"],
        ["player", "set", "Turkey", f"Carla <carla{EVIL}@example.org>"],
        ["settings", "mail_name", f"Anna{EVIL}"],
        ["history"],
        ["process", "1901-spring", "--allow-missing", "--reason", f"why{EVIL}"],
        ["report", "1901-spring"],
        ["history"],
    ]
    return {" ".join(c).replace(EVIL, "*"): _run(folder, c).output for c in commands}


def _run(folder: Path, command: list[str]) -> Result:
    done = CliRunner().invoke(app, ["--game", str(folder), *command])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def _steering(text: str) -> set[str]:
    return {c for c in text if not (c.isprintable() or c == "\n")}


def test_nothing_steers_the_terminal(outputs: dict[str, str]) -> None:
    assert {name: found for name, text in outputs.items() if (found := _steering(text))} == {}


def test_it_was_all_there_to_be_shown(outputs: dict[str, str]) -> None:
    """Else the test above would prove nothing."""
    texts = {name: " ".join(text.split()) for name, text in outputs.items()}

    assert all("STAMPA A TUTTI" in texts[f"inbox show {n} --open"] for n in "12")
    assert "STAMPA A TUTTI" in texts["outbox show 2 --open"]
    assert "[2J" in texts["history"]
    assert "Salve" in texts["inbox list --press"]
    assert "Salve" in texts["report 1901-spring"]
    assert "owned" in texts["history"]


def test_an_error_quotes_nothing_that_steers() -> None:
    error = GameError("cannot-write", path=f"game{EVIL}", why=f"why{EVIL}")

    assert not [lang for lang in LANGUAGES if _steering(load_sentences(lang).error(error))]
