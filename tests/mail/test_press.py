"""Press out of mails: held or relayed, never to anybody else, and never by accident."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import Desk
from alexmagnum.game.people import drop_press, read_press
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.answers import LONGEST
from alexmagnum.mail.inbox import Inbox
from alexmagnum.report.context import gather_past_phase
from alexmagnum.report.formats import format_report
from tests.game.desks import dump
from tests.mail.mail_desk import BRUNO, answers, fetch, mail_desk, reply


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with mail_desk(tmp_path / "game") as opened:
        yield opened


def _press_receipt(desk: Desk, text: str, power: str = "France") -> str:
    """Send a mail with press, and return what its receipt says of the press."""
    fetch(desk, reply(desk, power, text, Message_ID=f"<{len(answers(desk))}@x>"))
    told = next(t for k, t in reversed(answers(desk)) if k == "receipt")
    return " ".join(told.partition("STAMPA\n")[2].split())


def _report(desk: Desk, recipient: str | None) -> str:
    return format_report(
        gather_past_phase(desk, "1901-spring"), recipient, "text", load_sentences("it")
    )


def test_press_is_held_for_the_report_of_its_readers(desk: Desk) -> None:
    told = _press_receipt(desk, "STAMPA A Italia\nAndiamo in Baviera.\nFINE STAMPA\nA PAR - BUR")
    assert "tenuta" in told
    assert [mailing.kind for mailing in Inbox(desk).outbox.list_letters()] == ["receipt"]
    desk.process("1901-spring", allow_missing=True)

    assert [piece.state for piece in read_press(desk)] == ["published"]
    readers = {r: "Baviera" in _report(desk, r) for r in ("France", "Italy", "Turkey", None)}
    assert readers == {"France": True, "Italy": True, "Turkey": False, None: False}


def test_it_is_neither_an_order_nor_a_command(desk: Desk) -> None:
    _press_receipt(desk, "STAMPA A TUTTI\nA PAR - PIC\nPATTA\nFINE STAMPA\nA PAR - BUR")

    assert desk.pending(reason="t")["France"] == ("A PAR - BUR",)
    assert desk.status().tally == {}


def test_a_phase_taken_back_and_resolved_again_has_it_again(desk: Desk) -> None:
    _press_receipt(desk, "STAMPA A TUTTI\nCiao a tutti\nFINE STAMPA")
    desk.process("1901-spring", allow_missing=True)
    desk.undo()
    desk.process("1901-spring", allow_missing=True)

    assert "Ciao a tutti" in _report(desk, None)


def test_it_is_relayed_at_once_where_the_table_wants_that(desk: Desk) -> None:
    """One letter to each reader who has an address; the writer hears who has none."""
    desk.set("press", "relay")
    told = _press_receipt(desk, "STAMPA A Italia, Turchia\nAndiamo in Baviera.\nFINE STAMPA")
    outbox = Inbox(desk).outbox
    (letter,) = [mailing for mailing in outbox.list_letters() if mailing.kind == "press"]
    text = outbox.text(letter)

    assert (letter.power, letter.address) == ("Italy", BRUNO)
    assert "France to Italy, Turkey:\n\nAndiamo in Baviera." in text
    assert "Non inoltrata a Turchia" in told
    desk.process("1901-spring", allow_missing=True)
    assert "Baviera" not in _report(desk, "Italy")


def test_the_game_master_alone_may_be_written_to(desk: Desk) -> None:
    desk.set("press", "relay")
    assert "l'arbitro" in _press_receipt(desk, "STAMPA ALL'ARBITRO\nSono in ritardo\nFINE STAMPA")
    desk.process("1901-spring", allow_missing=True)

    assert "Sono in ritardo" in _report(desk, "gm")
    assert "Sono in ritardo" not in _report(desk, None) + _report(desk, "Italy")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("STAMPA A Atlantide, Italia\nciao\nFINE STAMPA", "atlantide"),
        ("STAMPA A TUTTI\nciao\n\nA PAR - BUR", "manca la fine"),
        ("STAMPA ANONIMA A TUTTI\nciao\nFINE STAMPA", "è firmata"),
        ("STAMPA A TUTTI\n\nFINE STAMPA", "è vuota"),
        ("STAMPA A TUTTI\n" + "lungo\n" * (LONGEST // 5) + "FINE STAMPA", "supera i"),
    ],
)
@pytest.mark.parametrize("setting", ["held", "relay"])
def test_where_it_is_not_sure_who_is_to_read_what_nobody_does(
    desk: Desk, setting: str, text: str, why: str
) -> None:
    desk.set("press", setting)
    told = _press_receipt(desk, text)

    assert "non accettata" in told
    assert why in told
    assert read_press(desk) == ()
    assert {mailing.kind for mailing in Inbox(desk).outbox.list_letters()} == {"receipt"}


def test_a_game_without_press_says_so(desk: Desk) -> None:
    desk.set("press", "off")
    assert "non c'è stampa" in _press_receipt(desk, "STAMPA A TUTTI\nciao\nFINE STAMPA")
    assert read_press(desk) == ()


@pytest.mark.parametrize(
    "name",
    [
        "Anna",
        "Anna Neri",
        "— Anna Neri",
        "France",
        "Francia.",
        "anna",
        "Anna Neri (Francia)",
        "-- \nAnna",
        "*Anna*\nFrancia",
    ],
)
def test_who_writes_without_a_name_is_named_nowhere(desk: Desk, name: str) -> None:
    """Check signatures too."""
    desk.set("press_anonymous", "yes")
    _press_receipt(desk, f"STAMPA ANONIMA A TUTTI\nUn fantasma.\n\n{name}\nFINE STAMPA")

    assert read_press(desk)[0].text == "Un fantasma."
    assert read_press(desk)[0].manner == "anonymous"


@pytest.mark.parametrize("text", ["Un fantasma.\n\nSaluti da Anna", "Neri vince\nsempre"])
def test_who_betrays_himself_is_told_and_nobody_reads_it(desk: Desk, text: str) -> None:
    desk.set("press_anonymous", "yes")
    assert "contiene il tuo nome" in _press_receipt(
        desk, f"STAMPA ANONIMA A TUTTI\n{text}\nFINE STAMPA"
    )
    assert read_press(desk) == ()


@pytest.mark.parametrize("heading", ["STAMPA", "LETTERA DI STAMPA A Italia", "STANPA A Italia"])
def test_an_order_in_press_does_not_count_however_press_begins(desk: Desk, heading: str) -> None:
    _press_receipt(desk, f"{heading}\nA PAR - PIC\nFINE STAMPA\nA PAR - BUR")

    assert desk.pending(reason="t")["France"] == ("A PAR - BUR",)


def test_relayed_without_a_name_it_tells_none(desk: Desk) -> None:
    desk.set("press", "relay")
    desk.set("press_anonymous", "yes")
    _press_receipt(desk, "STAMPA ANONIMA A Italia\nUn fantasma.\n\nAnna\nFINE STAMPA")
    outbox = Inbox(desk).outbox
    letter = next(mailing for mailing in outbox.list_letters() if mailing.kind == "press")
    message = outbox.message(letter.id).as_string()

    assert "Somebody to Italy:" in message
    assert "anna" not in message.casefold()
    assert "France" not in message


def test_the_game_master_keeps_a_piece_out_of_the_report(desk: Desk) -> None:
    _press_receipt(desk, "STAMPA A TUTTI\nInsulti\nFINE STAMPA")
    number = read_press(desk)[0].id
    assert drop_press(desk, number, "insults").text == "Insulti"
    with pytest.raises(GameError, match="no-press"):
        drop_press(desk, number, "")
    desk.process("1901-spring", allow_missing=True)

    assert "Insulti" not in _report(desk, None) + _report(desk, "gm")
    assert [row[7] for row in dump(desk.folder)["press"]] == ["dropped"]
