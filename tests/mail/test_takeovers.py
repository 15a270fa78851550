"""Who takes over a power gets one welcome with the position, and no old reports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from alexmagnum.game import Desk
from alexmagnum.game.game import Player
from alexmagnum.game.letters import DRAFT, SENT
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import send
from alexmagnum.workflow.changes import extend_deadline
from alexmagnum.workflow.letters import open_outbox, update_letters
from alexmagnum.workflow.materials import ReportRequest, compose_report
from alexmagnum.workflow.publish import process_phase
from tests.game.desks import Clock
from tests.mail.mail_desk import fetch, mail_desk, reply

CARLA = "carla@example.com"
SPRING, AUTUMN = "1901-spring", "1901-autumn"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Make a game in its second phase whose reports were sent."""
    with mail_desk(tmp_path, settings={"pictures": "no"}) as desk:
        process_phase(desk, SPRING, allow_missing=True)
        list(send(Outbox(desk)))
        yield desk


def _replace(desk: Desk, power: str = "France", address: str = CARLA) -> None:
    desk.replace_player(Player(power, "Carla Verdi", address, lang="en"))


def _letters(desk: Desk, address: str = CARLA, *states: str) -> list[str]:
    """Return the kinds of the letters to an address."""
    listed = open_outbox(desk).list_letters(states or (DRAFT, SENT))
    return [letter.kind for letter in listed if letter.address == address]


def _text(desk: Desk, address: str = CARLA) -> str:
    box = open_outbox(desk)
    *_, last = (m for m in box.list_letters((DRAFT, SENT)) if m.address == address)
    return " ".join(read_text(box.message(last.id)).split())


def _send(desk: Desk) -> None:
    list(send(open_outbox(desk)))


def test_the_welcome_has_the_position_the_orders_in_force_and_what_is_due(desk: Desk) -> None:
    desk.submit("France", "A PAR - BUR\nF BRE H\n\nBuilds:\nBuild A PAR")
    _replace(desk)
    text = _text(desk)

    assert _letters(desk) == ["welcome"]
    assert "You have taken over France" in text
    assert "A PAR - BUR; F BRE H" in text
    assert "Still without an order: A MAR" in text
    assert "Orders kept for the winter: Build A PAR" in text
    assert "Please send:" in text
    assert "Open phase: Autumn 1901" in text
    assert "Here is the report" not in text


def test_the_welcome_is_one_letter_and_no_old_report_follows(desk: Desk) -> None:
    desk.submit("France", "A PAR - BUR\nF BRE H\nA MAR H")
    _replace(desk)
    assert "Nothing is missing" in _text(desk)
    _send(desk)
    for made in (update_letters(desk), update_letters(desk)):
        assert not made.drafted
    update_letters(desk, opening=True)  # the welcome has the phase that is open
    _send(desk)
    assert _letters(desk) == ["welcome"]
    process_phase(desk, AUTUMN, allow_missing=True)  # later reports follow, as for everybody
    _send(desk)
    assert _letters(desk) == ["welcome", "report"]


def test_the_welcome_follows_the_game_until_it_is_sent(desk: Desk) -> None:
    """Other orders, another deadline, another phase: the draft is always about the present."""
    _replace(desk)
    desk.submit("France", "A PAR H")
    assert "A PAR H" in _text(desk)
    extend_deadline(desk, "2 days", "a storm")
    assert "a storm" in _text(desk)
    assert _letters(desk, CARLA, DRAFT) == ["welcome"]
    process_phase(desk, AUTUMN, allow_missing=True)
    desk.undo()

    assert _letters(desk, CARLA, DRAFT) == ["welcome"]
    assert "Autumn 1901" in _text(desk)


def test_a_welcome_that_was_dropped_does_not_come_back(desk: Desk) -> None:
    _replace(desk)
    box = open_outbox(desk)
    box.drop(box.list_letters((DRAFT,))[-1].id)
    desk.submit("France", "A PAR H")

    assert _letters(desk) == []


def test_after_an_undo_the_newcomer_hears_of_the_phase_that_their_welcome_told(desk: Desk) -> None:
    _replace(desk)
    _send(desk)
    desk.undo()
    update_letters(desk)

    assert _letters(desk) == ["welcome", "phase"]
    assert "Spring 1901" in _text(desk)


def test_a_correction_of_a_phase_before_them_goes_to_the_others_alone(desk: Desk) -> None:
    process_phase(desk, AUTUMN, allow_missing=True)
    _send(desk)
    _replace(desk)
    _send(desk)
    desk.amend(SPRING, "Italy", "A VEN - PIE")
    update_letters(desk)
    box = open_outbox(desk)
    mine = [m for m in box.list_letters((DRAFT,)) if m.address == CARLA]

    assert all(SPRING not in str(box.message(m.id)["Subject"]) for m in mine)
    assert all("Spring" not in str(box.message(m.id)["Subject"]) for m in mine)
    assert [m.kind for m in box.list_letters((DRAFT,)) if m.power == "Italy"]


def test_a_wrong_address_is_corrected_and_the_welcome_goes_there(desk: Desk) -> None:
    _replace(desk, address="crala@example.com")
    desk.set_player("France", address=CARLA, other_addresses=())

    assert _letters(desk, "crala@example.com") == []
    assert _letters(desk) == ["welcome"]


def test_who_comes_to_a_vacant_power_is_welcomed_and_nobody_of_the_beginning(desk: Desk) -> None:
    desk.set_player("Germany", name="Dino", address="dino@example.com")
    desk.set_player("Italy", address="bruno.new@example.com", other_addresses=())
    assert _letters(desk, "dino@example.com") == ["welcome"]
    assert "welcome" not in _letters(desk, "bruno.new@example.com")


def test_what_the_former_player_wrote_is_in_nothing_for_the_new_one(tmp_path: Path) -> None:
    """Neither lines of their mails that were not read, nor their press."""
    text = "A PAR H Anna\nA MAR - Annaland\nPRESS TO GM\nI am Anna\nENDPRESS\n"
    clock = Clock()
    settings = {"pictures": "no", "names": "hidden"}
    with mail_desk(tmp_path, settings=settings, now=clock) as desk:
        fetch(desk, reply(desk, "France", text))
        clock.pass_by(hours=1)
        _replace(desk)
        fetch(desk, reply(desk, "France", "ORDERS", sender=CARLA))
        process_phase(desk, SPRING, allow_missing=True)
        box = open_outbox(desk)
        letters = [box.message(m.id).as_string() for m in box.list_letters() if m.address == CARLA]
        told = str(
            compose_report(desk, ReportRequest(SPRING, "France", "json"), load_sentences("en"))
        )

    assert any("A PAR H" in text for text in letters)
    assert not [text for text in (*letters, told) if "Anna" in text]
