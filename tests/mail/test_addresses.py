"""A player with several addresses, and the reason of a changed deadline in the letters."""

from __future__ import annotations

from pathlib import Path

import pytest

from alexmagnum.cli.game_options import read_person
from alexmagnum.errors import GameError
from alexmagnum.game import Desk
from alexmagnum.game.letters import DRAFT
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.outbox import Outbox
from alexmagnum.workflow.changes import extend_deadline
from alexmagnum.workflow.letters import open_outbox, send_letters, update_letters
from tests.game.desks import Clock
from tests.mail.mail_desk import ANNA, fetch, mail_desk, reply

WORK = "a.neri@work.example.com"


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("Anna Neri", ()),
        ("Anna Neri <a@x.org>", ("a@x.org",)),
        ("Anna Neri <a@x.org>, <b@y.org>", ("a@x.org", "b@y.org")),
        ("Anna Neri <a@x.org> <b@y.org>", ("a@x.org", "b@y.org")),
        ("Anna Neri <a@x.org>; b@y.org", ("a@x.org", "b@y.org")),
        ("Anna Neri <a@x.org, b@y.org,c@z.org>", ("a@x.org", "b@y.org", "c@z.org")),
        ("Anna Neri <a@x.org>, <a@x.org>", ("a@x.org",)),
    ],
)
def test_a_person_has_as_many_addresses_as_are_named(text: str, addresses: tuple[str, ...]) -> None:
    person = read_person(text)

    assert person.name == "Anna Neri"
    assert tuple(filter(None, (person.address, *person.other_addresses))) == addresses


@pytest.mark.parametrize(
    "text", ["", "<a@x.org>", "Anna <a@x.org", "Anna a@x.org>", "Anna <>", "Anna <a b@x.org>"]
)
def test_a_person_without_a_name_or_with_half_an_address_is_refused(text: str) -> None:
    with pytest.raises(GameError, match="person-unreadable"):
        read_person(text)


def test_orders_are_taken_from_every_address_and_answered_at_the_first(desk: Desk) -> None:
    desk.set_player("France", name="Anna Neri", address=ANNA, other_addresses=(WORK,))
    (first,) = fetch(desk, reply(desk, "France", "A PAR H"))
    (second,) = fetch(desk, reply(desk, "France", "A PAR - BUR", sender=WORK.title()))
    letters = Outbox(desk).list_letters()

    assert (first.state, second.state) == ("taken", "taken")
    assert {letter.address for letter in letters} == {ANNA}


def test_new_addresses_take_the_place_of_those_before(desk: Desk) -> None:
    desk.set_player("France", address=ANNA, other_addresses=(WORK,))
    desk.set_player("France", name="Anna N.")
    kept = desk.players[0]
    desk.set_player("France", address="new@example.org", other_addresses=())
    (old,) = fetch(desk, reply(desk, "France", "A PAR H", sender=WORK))

    assert (kept.name, kept.addresses) == ("Anna N.", (ANNA, WORK))
    assert desk.players[0].addresses == ("new@example.org",)
    assert old.state == "waiting"


def test_a_bounce_from_any_address_names_the_power(desk: Desk) -> None:
    desk.set_player("France", address=ANNA, other_addresses=(WORK,))

    assert desk.players[0].writes_from({WORK})
    assert not desk.players[0].writes_from({"x" + WORK})


# -- the reason of a change of the deadline --------------------------------------------------------


def _texts(outbox: Outbox, kind: str) -> list[str]:
    found = [letter for letter in outbox.list_letters((DRAFT,)) if letter.kind == kind]
    return [" ".join(read_text(outbox.message(letter.id)).split()) for letter in found]


def test_the_reason_of_a_change_is_in_the_letter_about_it(tmp_path: Path) -> None:
    clock = Clock()
    with mail_desk(tmp_path, now=clock) as desk:
        update_letters(desk, opening=True)
        list(send_letters(open_outbox(desk)))
        clock.pass_by(hours=1)
        extend_deadline(desk, "2 days", "the server was down")
        extended = _texts(open_outbox(desk), "deadline")
        desk.pause("holidays")
        paused = _texts(open_outbox(desk), "deadline")

    assert [text.count("the server was down") for text in extended] == [1, 1]
    assert "Perché la scadenza è cambiata: the server was down" in extended[0]
    assert ["holidays" in text for text in paused] == [True, True]


def test_the_reason_is_in_the_letter_that_tells_the_deadline_instead(desk: Desk) -> None:
    update_letters(desk, opening=True)
    extend_deadline(desk, "2 days", "the server was down")
    outbox = open_outbox(desk)

    assert _texts(outbox, "deadline") == []
    assert all("the server was down" in text for text in _texts(outbox, "phase"))


def test_a_change_without_a_reason_gives_none(tmp_path: Path) -> None:
    clock = Clock()
    with mail_desk(tmp_path, now=clock) as desk:
        update_letters(desk, opening=True)
        list(send_letters(open_outbox(desk)))
        clock.pass_by(hours=1)
        extend_deadline(desk, "2 days", "the server was down")
        extend_deadline(desk, "3 days")

        assert not [t for t in _texts(open_outbox(desk), "deadline") if "changed:" in t]
