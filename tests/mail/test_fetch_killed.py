"""Killed anywhere while it fetches: no message counts twice, none is lost."""

from __future__ import annotations

from pathlib import Path

from tests.mail.dovecot import Dovecot
from tests.mail.fetch_killing import kill_fetchers


def test_fetchers_killed_at_random_and_a_real_mailbox(
    tmp_path: Path, imap_server: Dovecot, imap_password: None
) -> None:
    """A few of those that ``python -m tests.mail.killing`` kills by the hundred."""
    toll = kill_fetchers(tmp_path, 4, imap_server, seed=7)

    assert toll.killed > 0
    assert toll.otherwise == []


def test_fetchers_killed_at_random_and_a_maildir(tmp_path: Path) -> None:
    toll = kill_fetchers(tmp_path, 2, None, seed=7)

    assert toll.killed > 0
    assert toll.otherwise == []
