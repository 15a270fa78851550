"""A calendar that moves, a correction and a restored copy on real servers: what players get."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.mail.dovecot import Dovecot
from tests.mail.game_by_mail import Played
from tests.mail.mailbox_game import MailboxGame
from tests.mail.scripted_letters import MEANT
from tests.mail.smtp_server import parse_mail, run_smtp_server
from tests.mail.test_second_mail_on_real_servers import SPRING, list_texts, start_spring


def test_players_hear_of_deadlines_and_corrections_and_nothing_twice(
    imap_server: Dovecot, tmp_path: Path
) -> None:
    with run_smtp_server() as post:
        game = Played(MailboxGame(tmp_path / "perdicca", imap_server, post, separate=False))
        start_spring(game.mailbox)
        for power, orders in MEANT[SPRING].items():
            game.write(power, "\n".join(orders))
        game.fetch()
        _check_calendar(game)
        _check_correction(game)
        _check_restore(game)


def _check_calendar(game: Played) -> None:
    """A deadline that is moved pulls the following ones along, and its letter goes out."""
    box = game.mailbox
    before = box.run("deadline", "show", "--ahead", "3")
    sent = len(box.smtp.taken)
    box.run("deadline", "extend", "2", "days", "--reason", "Elena viaggia")
    after = box.run("deadline", "show", "--ahead", "3")
    box.run("outbox", "send")

    assert before != after
    assert len(after.splitlines()) >= 3
    (told,) = list_texts(game, "TOL", sent)
    assert "Elena viaggia" in told


def _check_correction(game: Played) -> None:
    """A rehearsal changes and sends nothing; the correction goes to all who had the report."""
    box = game.mailbox
    box.run("process", SPRING, "--allow-missing")
    box.run("outbox", "send")
    sent = len(box.smtp.taken)
    orders = box.folder.parent / "corrected.txt"
    orders.write_text("G ALE H", encoding="utf-8")
    journal = box.run("history", "-n", "1")
    rehearsed = box.run("amend", SPRING, "TOL", str(orders), "--dry-run")
    assert box.run("history", "-n", "1") == journal
    box.run("outbox", "send")
    assert len(box.smtp.taken) == sent

    box.run("amend", SPRING, "TOL", str(orders), "--reason", "una riga letta male")
    box.run("outbox", "send")
    assert SPRING in rehearsed
    assert len(list_texts(game, "SEL", sent)) == 1


def _check_restore(game: Played) -> None:
    """A copy takes the place of the file, and no letter that went since goes a second time."""
    box = game.mailbox
    assert box.run("restore").strip()
    box.run("restore", "1")
    box.run("outbox", "send")
    box.run("tick")

    ids = Counter(str(parse_mail(m.original_content or b"")["Message-ID"]) for m in box.smtp.taken)
    assert set(ids.values()) == {1}
    assert box.run("check", "--integrity").strip()
    assert box.run("verify").strip()
