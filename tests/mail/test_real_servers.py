"""Games on real servers: second mails, stale letters, corrections, a restored copy, a draw."""

from __future__ import annotations

from collections import Counter
from email.message import EmailMessage
from pathlib import Path

from tests.mail.dovecot import Dovecot
from tests.mail.game_by_mail import WHO, Played
from tests.mail.mailbox_game import MailboxGame
from tests.mail.scripted_letters import CYPRUS, MEANT, PEOPLE
from tests.mail.smtp_server import parse_mail, run_smtp_server

SPRING = "322-spring"
MASTER = "gm@example.org"
SETTINGS = {
    **dict.fromkeys(("receipts", "reports", "announcements"), "send"),
    "gm_address": MASTER,
    "missing": "hold",
}
VOTES = {"it": "PATTA", "en": "DRAW"}


def _start_spring(box: MailboxGame) -> None:
    """Create the game, play the Cyprus year without mail, and tell everybody of the spring."""
    box.create(PEOPLE)
    with box.desk() as desk:
        for phase in CYPRUS:
            for power, orders in MEANT[phase].items():
                desk.submit(power, "\n".join(orders))
            desk.process(phase)
    box.run("outbox", "remind", "--all")
    box.run("outbox", "send")


def _list_texts(game: Played, power: str, since: int = 0) -> list[str]:
    """The subjects and texts of the mails to a player after the first so many."""
    return [_text(mail) for mail in game.mailbox.mails_to(WHO[power].address, since)]


def _text(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    return " ".join(f"{mail['Subject']} {body.get_content() if body else ''}".split())


def test_a_second_mail_adds_and_no_stale_letter_leaves(
    imap_server: Dovecot, tmp_path: Path
) -> None:
    with run_smtp_server() as post:
        game = Played(MailboxGame(tmp_path / "perdicca", imap_server, post, separate=False))
        _start_spring(game.mailbox)
        _check_second_mail(game)
        _check_reminders(game)
        _check_note(game)
        _check_closed_phase(game)


def _check_second_mail(game: Played) -> None:
    """The second mail adds and changes, a third one replaces everything."""
    game.write("TOL", "A MEN - TEB\nF TIR H")
    game.fetch()
    game.write("TOL", "F TIR - FEN\nG ALE H")
    game.fetch()
    added = _list_texts(game, "TOL")[-1]
    game.write("TOL", "Annulla tutto\nF TIR H")
    game.fetch()
    replaced = _list_texts(game, "TOL")[-1]

    for order in ("A MEN - TEB", "F TIR - FEN", "G ALE H"):
        assert order in added
    assert added.count("(nuovo)") == 2
    assert "«F TIR H»" in added
    assert "A MEN - TEB" not in replaced.partition("«")[0]
    assert "«A MEN - TEB»" in replaced


def _check_reminders(game: Played) -> None:
    """A reminder shows the orders in force; there is none to who completes theirs before."""
    box = game.mailbox
    box.run("outbox", "remind")
    game.write("AUT", "\n".join(MEANT[SPRING]["AUT"]))
    before = len(box.smtp.taken)
    game.fetch()

    assert not [text for text in _list_texts(game, "AUT", before) if "Promemoria" in text]
    (reminder,) = _list_texts(game, "TOL", before)
    assert "F TIR H" in reminder
    assert "si aggiunge" in reminder


def _check_note(game: Played) -> None:
    """A note that a mail waits does not go out once the mail was accepted; its receipt does."""
    box = game.mailbox
    game.write("LIS", "G BIS H", "from work", sender="sven@work.example.com")
    box.run("inbox", "fetch")
    listed = box.run("outbox", "list")
    box.run("inbox", "accept", game.number("from work"))
    before = len(box.smtp.taken)
    box.run("outbox", "send")

    (note,) = (line for line in listed.splitlines() if "A mail in your name waits" in line)
    for word in ("bozza", "avviso", "LIS", SPRING, "kB", "min"):
        assert word in note, listed
    (receipt,) = _list_texts(game, "LIS", before)
    assert "G BIS H" in receipt


def _check_closed_phase(game: Played) -> None:
    """Receipts of a closed phase stay here, and the journal says so; the reports go out."""
    box = game.mailbox
    game.write("CAS", "G MAC H")
    box.run("inbox", "fetch")
    before = len(box.smtp.taken)
    box.run("process", SPRING, "--allow-missing")
    box.run("outbox", "send")

    assert len(_list_texts(game, "CAS", before)) == 1
    assert "G MAC H" not in _list_texts(game, "CAS", before)[0].partition("==")[0]
    assert len(box.smtp.taken) == before + len(PEOPLE)
    with box.desk() as desk:
        withdrawn = [dict(e.detail) for e in desk.history() if e.action == "mail-withdraw"]
    assert {"letter-mail-decided", "letter-overtaken"} <= {str(e["why"]) for e in withdrawn}


def test_players_hear_of_deadlines_and_corrections_and_nothing_twice(
    imap_server: Dovecot, tmp_path: Path
) -> None:
    with run_smtp_server() as post:
        game = Played(MailboxGame(tmp_path / "perdicca", imap_server, post, separate=False))
        _start_spring(game.mailbox)
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
    (told,) = _list_texts(game, "TOL", sent)
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
    assert len(_list_texts(game, "SEL", sent)) == 1


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


def _subjects(game: Played, address: str) -> list[str]:
    return [str(mail["Subject"]) for mail in game.mailbox.mails_to(address)]


def test_a_game_that_all_want_to_draw_waits_for_the_game_master_and_ends(
    imap_server: Dovecot, tmp_path: Path
) -> None:
    with run_smtp_server() as post:
        game = Played(MailboxGame(tmp_path / "perdicca", imap_server, post, separate=False))
        box = game.mailbox
        box.create(PEOPLE)
        for name, value in SETTINGS.items():
            box.run("settings", name, value)
        box.run("outbox", "remind", "--all")
        box.run("outbox", "send")
        game.write_all("323-1")
        box.run("tick")
        for who in PEOPLE:
            game.write(who.power, VOTES[who.lang])
        box.let_pass(-1)
        waits = box.run("tick", "--process", status=1)
        with box.desk() as desk:
            assert str(desk.phase) == "323-1"
        box.run("end", "--draw", "--reason", "quattro voti su quattro")
        ended = {who.power: len(_subjects(game, who.address)) for who in PEOPLE}
        final = game.mailbox.mails_to(WHO["TOL"].address)[-1]
        box.run("tick")
        again = {who.power: len(_subjects(game, who.address)) for who in PEOPLE}
        box.run("undo", "--reason", "uno ha votato per sbaglio")
        box.run("tick")
        box.run("verify")

    assert "tutti quelli che votano vogliono la patta" in waits
    told = [" ".join(str(mail.get_content()).split()) for mail in game.mailbox.mails_to(MASTER)]
    assert any("alexmagnum end --draw" in text for text in told)
    assert "La partita è finita" in str(final["Subject"])
    names = [part.get_filename() for part in final.iter_attachments()]
    assert names == ["final-report.it.html", "final-report.it.json"]
    assert again == ended  # nobody is told twice
    for who in PEOPLE:
        words = {"it": "Si continua a giocare", "en": "The game goes on"}
        assert words[who.lang] in _subjects(game, who.address)[-1]
