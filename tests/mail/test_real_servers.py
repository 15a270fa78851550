"""Games on a real IMAP server and a real SMTP server: what players get, and what never leaves.

The players answer what arrives; each step of the game master is a command.
"""

import re
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from time import sleep

import pytest

from tests.mail import game_by_mail
from tests.mail.dovecot import Dovecot
from tests.mail.game_by_mail import CYPRUS, MEANT, PEOPLE, WHO, MailboxGame, Played, answer
from tests.mail.people import GAME
from tests.mail.smtp_server import parse_mail, run_smtp_server

SPRING = "322-spring"
MASTER, CARLA = "gm@example.org", "carla@example.net"
AT_WORK = "m.okafor@work.example.com"
SEND = dict.fromkeys(("receipts", "reports", "announcements"), "send")


@pytest.fixture
def game(imap_server: Dovecot, tmp_path: Path) -> Iterator[Played]:
    with run_smtp_server() as post:
        mailbox = MailboxGame(tmp_path / "perdicca", imap_server, post)
        mailbox.create(PEOPLE)
        yield Played(mailbox)


def _set(game: Played, settings: dict[str, str]) -> MailboxGame:
    for name, value in settings.items():
        game.mailbox.run("settings", name, value)
    return game.mailbox


def _announce(game: Played) -> None:
    """Tell everybody what is due."""
    game.mailbox.run("outbox", "remind", "--all")
    game.mailbox.run("outbox", "send")


def list_texts(game: Played, power: str, since: int = 0) -> list[str]:
    """The subjects and texts of the mails to a player after the first so many."""
    texts = []
    for mail in game.mailbox.mails_to(WHO[power].address, since):
        body = mail.get_body(("plain",))
        texts.append(" ".join(f"{mail['Subject']} {body.get_content() if body else ''}".split()))
    return texts


def test_a_period_by_mail_resolves_the_orders_that_were_meant(game: Played) -> None:
    """The game master sees no order without asking, and the mailbox stays as it is."""
    game_by_mail.play_first_period(game)
    box, meant = game.mailbox, MEANT[CYPRUS[0]]
    with box.desk() as desk:
        found = desk.processed(CYPRUS[0]).orders
        assert {power: orders for power, orders in found.items() if orders} == meant
        assert desk.verify() == ()
        assert str(desk.phase) == CYPRUS[1]
    assert not [order for (order,) in meant.values() if order in "\n".join(box.printed)]
    assert not re.search(r"Seen|Answered|Deleted|Flagged", " ".join(box.imap.flags()))
    readers = {to for envelope in box.smtp.taken for to in envelope.rcpt_tos}
    assert readers == {who.address for who in PEOPLE}
    ids = [str(parse_mail(each.original_content or b"")["Message-ID"]) for each in box.smtp.taken]
    assert len(ids) == len({*ids})
    assert '"messages": []' in box.run("inbox", "fetch", "--whole", "--json")


# -- a spring: second mails, deadlines, a correction, a restored copy ------------------------------


def test_players_hear_of_all_that_changes_and_no_stale_letter_leaves(game: Played) -> None:
    """The Cyprus year is played without mail."""
    with game.mailbox.desk() as desk:
        for phase in CYPRUS:
            for power, orders in MEANT[phase].items():
                desk.submit(power, "\n".join(orders))
            desk.process(phase, allow_missing=True)
    _announce(game)
    _check_second_mail(game)
    _check_reminders(game)
    _check_note(game)
    _check_calendar(game)
    _check_closed_phase(game)
    _check_correction(game)
    _check_restore(game)


def _check_second_mail(game: Played) -> None:
    """The second mail adds and changes, a third one replaces everything."""
    game.write("TOL", "A MEN - TEB\nF TIR H")
    game.fetch()
    game.write("TOL", "F TIR - FEN\nG ALE H")
    game.fetch()
    added = list_texts(game, "TOL")[-1]
    game.write("TOL", "Annulla tutto\nF TIR H")
    game.fetch()
    replaced = list_texts(game, "TOL")[-1]

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

    assert not [text for text in list_texts(game, "AUT", before) if "Promemoria" in text]
    (reminder,) = list_texts(game, "TOL", before)
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
    (receipt,) = list_texts(game, "LIS", before)
    assert "G BIS H" in receipt


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


def _check_closed_phase(game: Played) -> None:
    """Receipts of a closed phase stay here, and the journal says so; the reports go out."""
    box = game.mailbox
    game.write("CAS", "G MAC H")
    box.run("inbox", "fetch")
    before = len(box.smtp.taken)
    box.run("process", SPRING, "--allow-missing")
    box.run("outbox", "send")

    assert len(list_texts(game, "CAS", before)) == 1
    assert "G MAC H" not in list_texts(game, "CAS", before)[0].partition("==")[0]
    assert len(box.smtp.taken) == before + len(PEOPLE)
    with box.desk() as desk:
        withdrawn = [dict(e.detail) for e in desk.history() if e.action == "mail-withdraw"]
    assert {"letter-mail-decided", "letter-overtaken"} <= {str(e["why"]) for e in withdrawn}


def _check_correction(game: Played) -> None:
    """A rehearsal changes and sends nothing; the correction goes to all who had the report."""
    box = game.mailbox
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


# -- a draw ----------------------------------------------------------------------------------------


def _subjects(game: Played, address: str) -> list[str]:
    return [str(mail["Subject"]) for mail in game.mailbox.mails_to(address)]


@pytest.mark.proof
def test_a_game_that_all_want_to_draw_waits_for_the_game_master_and_ends(game: Played) -> None:
    box = _set(game, {**SEND, "gm_address": MASTER, "missing": "hold"})
    _announce(game)
    game.write_all("323-1")
    box.run("tick")
    for who in PEOPLE:
        game.write(who.power, {"it": "PATTA", "en": "DRAW"}[who.lang])
    box.let_pass(-1)
    waits = box.run("tick", "--process", status=1)
    with box.desk() as desk:
        assert str(desk.phase) == "323-1"
    box.run("end", "--draw", "--reason", "quattro voti su quattro")
    ended = {who.power: len(_subjects(game, who.address)) for who in PEOPLE}
    final = box.mails_to(WHO["TOL"].address)[-1]
    box.run("tick")
    again = {who.power: len(_subjects(game, who.address)) for who in PEOPLE}
    box.run("undo", "--reason", "uno ha votato per sbaglio")
    box.run("tick")
    box.run("verify")

    assert "tutti quelli che votano vogliono la patta" in waits
    told = [" ".join(str(mail.get_content()).split()) for mail in box.mails_to(MASTER)]
    assert any("alexmagnum end --draw" in text for text in told)
    assert "La partita è finita" in str(final["Subject"])
    names = [part.get_filename() for part in final.iter_attachments()]
    assert names == ["final-report.it.html", "final-report.it.json"]
    assert again == ended  # nobody is told twice
    for who in PEOPLE:
        words = {"it": "Si continua a giocare", "en": "The game goes on"}
        assert words[who.lang] in _subjects(game, who.address)[-1]


# -- people ----------------------------------------------------------------------------------------


@pytest.mark.proof
def test_people_come_and_go_by_mail_and_nobody_learns_their_names(
    game: Played, tmp_path: Path
) -> None:
    """A second address, an anonymous game, standby, a takeover, letters of one's own."""
    box = _set(game, {**SEND, "names": "hidden", "addresses": "public"})
    margaret = WHO["SEL"]
    box.run("player", "set", "SEL", f"{margaret.name} <{margaret.address}>, <{AT_WORK}>")
    _announce(game)
    game.write_all("323-1", but=("SEL",))
    game.write("SEL", "Pick BAB", sender=AT_WORK)
    box.run("tick")
    box.run("standby", f"Carla Verdi <{CARLA}>", "--speaks", "en")
    box.run("standby", "--invite", "LIS")
    box.run("tick")
    game.arrive(
        answer(box.last_mail(CARLA), f"Carla Verdi <{CARLA}>", "Yes, with pleasure."), name="yes"
    )
    box.run("tick")
    waiting = box.run("inbox", "list")
    before = len(game.mailbox.mails_to(WHO["LIS"].address))
    box.run("player", "replace", "LIS", "--standby", "1", "--reason", "he has left")
    news = tmp_path / "news.txt"
    news.write_text("Monday is a holiday.", encoding="utf-8")
    box.run("letter", "write", "--all", str(news), "--subject", "Monday")
    box.run("tick")
    sleep(1)  # letters have their second: a welcome of the same one knows of a new deadline
    box.let_pass(-1)
    box.run("tick", "--process")
    listed = box.run("history", "--people")
    carla = game.mailbox.mails_to(CARLA)

    assert "Carla Verdi" in waiting
    kinds = [str(mail["Subject"]).partition("] ")[2].partition(",")[0] for mail in carla]
    assert kinds == ["Invitation: Lysimachus", "Welcome", "Monday", "New deadline", "Report"]
    assert "Pick SAR" in carla[1].as_string()
    assert len(game.mailbox.mails_to(WHO["LIS"].address)) == before
    assert "Margaret Okafor. " in listed
    _check_names(game)


def _check_names(game: Played) -> None:
    """Check that no mail names anybody but its reader."""
    people = {person.address: person.name for person in PEOPLE} | {CARLA: "Carla Verdi"}
    for address in people:
        others = [word for a, name in people.items() if a != address for word in (a, name)]
        others += [AT_WORK]
        for mail in game.mailbox.mails_to(address):
            text = "\n".join(_parts(mail))
            assert not [word for word in others if word in text], (address, mail["Subject"])
            assert str(mail["From"]).endswith(f"<{GAME}>")
            assert not re.search(r"^(Cc|Bcc|Sender|Resent-\w+):", text, re.MULTILINE)


def _parts(mail: EmailMessage) -> list[str]:
    found = [f"{name}: {value}" for name, value in mail.items()]
    for part in mail.walk():
        payload = part.get_payload(decode=True)
        found.append(payload.decode("utf-8", "replace") if isinstance(payload, bytes) else "")
    return found
