"""Anonymous games: what the setting ``names`` hides, and what the end reveals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import Desk
from alexmagnum.game.game import Player, Standby
from alexmagnum.game.letters import DRAFT
from alexmagnum.game.people import add_standby, read_press
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.game.undo import DRAW, Declaration
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.notices import Readers, Words, draft_written_letters
from alexmagnum.mail.outbox import Outbox
from alexmagnum.report.context import GM, gather_open_phase, gather_past_phase
from alexmagnum.report.formats import FORMATS, format_report
from alexmagnum.workflow.changes import (
    change_setting,
    extend_deadline,
    invite_standby,
)
from alexmagnum.workflow.letters import open_outbox
from alexmagnum.workflow.materials import ReportRequest, compose_report
from alexmagnum.workflow.publish import process_phase, publish
from tests.mail.mail_desk import ANNA, BRUNO, answers, fetch, mail_desk, reply

EN = load_sentences("en")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    settings = {"names": "hidden", "addresses": "public", "press": "relay", "pictures": "no"}
    with mail_desk(tmp_path, settings=settings) as desk:
        yield desk


def _press(desk: Desk, text: str) -> bool:
    """Tell whether press of France to Italy was passed on."""
    before = len(read_press(desk))
    fetch(desk, reply(desk, "France", f"PRESS TO ITALY\n{text}\nENDPRESS\n"))
    return len(read_press(desk)) > before


@pytest.mark.parametrize(
    "text", ["I am Anna.", "sono anna, ciao", "Write to ANNA@example.org!", "A. Neri of France"]
)
def test_press_with_the_name_or_address_of_its_writer_goes_back(desk: Desk, text: str) -> None:
    assert not _press(desk, text)
    assert "Anna" not in "".join(said for kind, said in answers(desk) if kind == "press")


@pytest.mark.parametrize("text", ["Is Bruno Italy?", "Shall we ally?", "Shall we ally?\nAnna"])
def test_press_may_guess_at_others_and_loses_a_signature(desk: Desk, text: str) -> None:
    """To refuse the name of another would tell the writer who plays."""
    assert _press(desk, text)
    (said,) = (said for kind, said in answers(desk) if kind == "press")

    assert "Anna" not in said


@pytest.mark.parametrize("name", ["Leo Di Stefano", "Sara Will"])
def test_press_may_use_words_that_are_names_as_well(desk: Desk, name: str) -> None:
    desk.set_player("France", name=name)

    assert _press(desk, "Will you help? I will, di certo. Sarà bello.")
    first, *_, last = name.lower().split()
    assert not _press(desk, f"I hope so. Ciao, {first}")
    assert not _press(desk, f"I am {last} of France")


def test_press_may_be_signed_where_names_are_public(desk: Desk) -> None:
    desk.set("names", "public")

    assert _press(desk, "I am Anna.")


def test_the_note_about_a_doubtful_mail_does_not_show_its_address(desk: Desk) -> None:
    fetch(desk, reply(desk, "France", "A PAR H", sender="bruno.private@example.com"))
    ((kind, text),) = answers(desk)

    assert kind == "note"
    assert "bruno" not in text
    assert "da un indirizzo che la partita non conosce" in " ".join(text.split())


@pytest.mark.parametrize(
    "text", ["Well played, Bruno!", "bruno is ill", f"Write to {ANNA}", "Carla waits"]
)
def test_the_game_master_s_words_may_name_nobody(desk: Desk, text: str) -> None:
    """Not players, past or present, nor people on the standby list."""
    add_standby(desk, Standby(0, "Dino Gialli", "dino@example.net"))
    deadline = desk.deadline
    for words in (text, "Thank you, Gialli"):
        for act in (
            lambda words=words: desk.add_text("1901-spring", "before", words),
            lambda words=words: extend_deadline(desk, "1 day", words),
            lambda words=words: desk.set_deadline(None, words),
        ):
            with pytest.raises(GameError, match="names-are-hidden"):
                act()

    assert desk.deadline == deadline
    desk.add_text("1901-spring", "before", "Well played, Italy!")
    assert desk.texts("1901-spring")["before"]


def test_words_of_the_map_are_no_names(desk: Desk) -> None:
    desk.set_player("Germany", name="Berlin Munich")

    desk.add_text("1901-spring", "before", "Berlin is quiet.")
    assert desk.texts("1901-spring")["before"]


def _names_player(desk: Desk, phase: str, reader: str | None) -> bool:
    """Tell whether a report names a player, in any of its formats."""
    context = gather_past_phase(desk, phase) if phase else gather_open_phase(desk)
    texts = [format_report(context, reader, form, EN, pictures=False) for form in FORMATS]
    return any(word in text for text in texts for word in ("Anna", "Bianchi", BRUNO))


def test_only_the_game_master_reads_names_before_the_end(desk: Desk) -> None:
    desk.process("1901-spring", allow_missing=True)
    for phase in ("1901-spring", ""):
        assert _names_player(desk, phase, GM)
        assert not any(_names_player(desk, phase, reader) for reader in (None, "France", "Italy"))


@pytest.mark.parametrize(("at_end", "named"), [("revealed", True), ("hidden", False)])
def test_the_end_reveals_names_as_the_setting_says(desk: Desk, at_end: str, named: bool) -> None:
    desk.set("names_at_end", at_end)
    desk.process("1901-spring", allow_missing=True)
    desk.end(Declaration(DRAW))
    publish(desk)
    final = "".join(path.read_text("utf-8") for path in _final_files(desk))

    assert ("Bruno Bianchi" in final) is named
    assert _names_player(desk, "1901-spring", None) is named
    desk.undo()
    assert not _names_player(desk, "1901-spring", None)


def _final_files(desk: Desk) -> list[Path]:
    files = [p for p in desk.folder.rglob("*") if p.suffix in (".txt", ".html", ".json", ".md")]
    found = [p for p in files if "final" in str(p.relative_to(desk.folder))]
    assert found
    return [p for p in found if not p.name.startswith("gm.")]


def test_the_reason_of_an_end_names_nobody_whose_name_stays_hidden(desk: Desk) -> None:
    desk.set("names_at_end", "hidden")
    desk.process("1901-spring", allow_missing=True)
    with pytest.raises(GameError, match="names-are-hidden"):
        desk.end(Declaration(DRAW), "Bruno proposed it")

    assert desk.phase is not None


def test_names_hidden_later_leave_drafts_and_reports(tmp_path: Path) -> None:
    with mail_desk(tmp_path, settings={"pictures": "no"}) as desk:
        add_standby(desk, Standby(0, "Dino Gialli", "dino@example.net"))
        process_phase(desk, "1901-spring", allow_missing=True)
        invite_standby(desk, "Turkey")
        desk.replace_player(Player("Italy", "Emma Blu", "emma@example.net"))
        before = [text for text in _everything(desk) if "Carla" in text]
        change_setting(desk, "names", "hidden")
        after = [text for text in _everything(desk) if "Carla" in text]

    assert len(before) > 5
    assert not after


def test_names_hidden_later_leave_words_that_were_written_before(tmp_path: Path) -> None:
    with mail_desk(tmp_path, settings={"pictures": "no"}) as desk:
        fetch(desk, reply(desk, "France", "PRESS TO ALL\nI am Anna. Is Bruno Italy?\nENDPRESS\n"))
        desk.add_text("1901-spring", "before", "Well played, Bruno!")
        process_phase(desk, "1901-spring", allow_missing=True)
        draft_written_letters(
            Outbox(desk), Words("Thank you, Bruno."), Readers(("France", "Italy"))
        )
        made = change_setting(desk, "names", "hidden")
        letters = [open_outbox(desk).find(number).power for number in made.withdrawn]
        said = [
            format_report(gather_past_phase(desk, "1901-spring"), r, "text", EN, pictures=False)
            for r in ("Italy", "France", GM)
        ]

    assert letters == ["France"]
    assert "I am […]. Is Bruno Italy?" in said[0]
    assert "I am Anna. Is Bruno Italy?" in said[1]
    assert "Well played, […]!" in said[0]
    assert "Well played, Bruno!" in said[2]


def _everything(desk: Desk) -> list[str]:
    """Return every draft and every report that is not the game master's."""
    box = open_outbox(desk)
    files = (desk.folder / "reports").rglob("*.*")
    reports = [
        str(compose_report(desk, ReportRequest(phase, reader, form), EN))
        for phase in list_processed_phases(desk)
        for reader in (None, *desk.board.powers)
        for form in FORMATS
    ]
    drafts = [read_text(box.message(m.id)) for m in box.list_letters((DRAFT,))]
    return [*drafts, *reports, *(path.read_text("utf-8") for path in files)]


@pytest.mark.parametrize(
    "sender", [f"Bruno Bianchi <{BRUNO}>", "Dario Verdi <dario@elsewhere.net>"]
)
def test_a_mail_accepted_for_another_says_nothing_of_who_wrote_it(desk: Desk, sender: str) -> None:
    """Neither in the lines that are quoted nor in the fields; its orders count."""
    name, _, address = sender.rstrip(">").partition(" <")
    text = f"A PAR - BUR\nF BRE - MAO says {name}\nA MAR nonsense {address}\n\n{name}\n"
    raw = reply(desk, "France", text, sender=sender, Message_ID=f"<1@{address.split('@')[1]}>")
    (waiting,) = fetch(desk, raw)
    assert waiting.state == "waiting"
    inbox = Inbox(desk)
    assert inbox.accept(waiting.id, "France").state == "taken"

    (letter,) = (each for each in inbox.outbox.list_letters() if each.kind == "receipt")
    said = inbox.outbox.mail(letter.id).decode().casefold()
    assert "f bre - mao" in said
    for word in (*name.casefold().split(), address, address.split("@")[1]):
        assert word not in said, word
    receipt = desk.receipt("France")
    assert receipt is not None
    assert name.split()[0] not in str(receipt.lines)
    assert {"A PAR - BUR", "F BRE - MAO"} <= set(receipt.orders)
