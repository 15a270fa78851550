"""A game by mail without a server, and a real IMAP server."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from alexmagnum.game.desk import Desk
from alexmagnum.mail.outbox import Outbox
from tests.game.desks import Clock
from tests.mail.dovecot import PASSWORD, REQUIRED, Dovecot, dovecot, find_dovecot
from tests.mail.mail_desk import mail_desk


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A game that has just begun: France writes Italian, Italy writes English."""
    with mail_desk(tmp_path / "game") as opened:
        yield opened


@pytest.fixture
def box(desk: Desk) -> Outbox:
    return Outbox(desk)


@pytest.fixture(scope="session")
def imap_server() -> Iterator[Dovecot]:
    """Start a Dovecot once for each worker; without one skip, or fail if it is required."""
    if (program := find_dovecot()) is None:
        reason = "no Dovecot found: install dovecot-imapd to test with a real IMAP server"
        (pytest.fail if os.environ.get(REQUIRED) else pytest.skip)(reason)
    with dovecot(program) as server:
        yield server


@pytest.fixture
def imap_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the password of the mailbox where the game looks for it."""
    monkeypatch.setenv("ALEXMAGNUM_IMAP_PASSWORD", PASSWORD)
