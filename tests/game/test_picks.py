"""Picks in a game: void ones, those of another period, and what submit, status and orders say."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player
from tests.case_library import read_yaml
from tests.game.desks import new_desk, resolve
from tests.mail.mail_desk import GAME, answers, fetch, reply

BRUNO = "bruno@example.com"
MAILS = read_yaml(Path(__file__).with_name("mails.yaml"))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    players = [Player("TOL", "Bruno Sardi", BRUNO, "it"), Player("SEL", "Lidia Neri", lang="it")]
    with new_desk(tmp_path, "alexmagnum", players=players, settings={"mail_address": GAME}) as desk:
        yield desk
        assert desk.verify() == ()


def _count_given(desk: Desk, power: str) -> int:
    return next(status.given for status in desk.status().powers if status.power == power)


def test_a_void_pick_never_replaces_a_good_one_and_everything_agrees(desk: Desk) -> None:
    resolve(desk, {"TOL": "Scelgo Menfi"})

    void = desk.submit("SEL", "Scelgo Menfi\nPick MEN")
    assert (void.orders, void.missing, void.lines[0].code) == (
        ("Pick MEN",),
        ("Pick",),
        "pick-owned",
    )
    assert _count_given(desk, "SEL") == 0, "it would be published (R30), but brings nothing"
    assert desk.pending("SEL", reason="test") == {"SEL": ("Pick MEN",)}

    assert desk.submit("SEL", "Scelgo Babilonia").orders == ("Pick BAB",)
    for text in ("Scelgo Menfi", "Siwa", "Scelgo Sparta", "Scelgo Tebe\nScelgo Tiro"):
        receipt = desk.submit("SEL", text)
        assert (receipt.orders, receipt.missing) == (("Pick BAB",), ())
        assert receipt.lines[0].verdict in ("impossible", "ambiguous")
    assert _count_given(desk, "SEL") == 1
    assert desk.pending("SEL", reason="test") == {"SEL": ("Pick BAB",)}


def test_a_pick_for_another_period_replaces_none_and_that_is_said(desk: Desk) -> None:
    desk.submit("TOL", "Scelgo Babilonia")
    for text in MAILS["other_period"]:
        receipt = desk.submit("TOL", text)
        assert receipt.orders == ("Pick BAB",), text
        assert "other-season" in {line.code for line in receipt.lines}


def test_the_heading_of_this_period_is_no_hindrance(desk: Desk) -> None:
    for text in ("Periodo 1: Tebe", "323-1\nTebe", "Nel primo periodo scelgo Tebe."):
        desk.submit("TOL", "Scelgo Babilonia")
        assert desk.submit("TOL", text).orders == ("Pick TEB",)
    assert desk.submit("TOL", "Periodo 1: Menfi\nPeriodo 2: Tebe").orders == ("Pick MEN",)


def test_a_period_in_spring_is_another_season(tmp_path: Path) -> None:
    with new_desk(tmp_path, "standard") as desk:
        receipt = desk.submit("France", "A PAR - BUR\n\nPeriodo 2:\nA MAR - SPA")
        assert receipt.orders == ("A PAR - BUR",)
        assert receipt.lines[-1].code == "other-season"


def test_by_mail_neither_the_player_nor_the_sender_signs_with_a_pick(desk: Desk) -> None:
    """Bruno Sardi plays, and his mail program calls him Mat."""
    for number, (text, orders) in enumerate(MAILS["signed"]):
        raw = reply(desk, "TOL", text, sender=f"Mat <{BRUNO}>", Message_ID=f"<{number}@x.org>")
        (message,) = fetch(desk, raw)
        assert message.state == "taken"
        assert list(desk.open_receipts()["TOL"].orders) == orders
    said = "\n".join(text for _, text in answers(desk))
    assert "SAR" not in said
    assert "più scelte" in said
    assert "MAT" in said, "the mail with nothing but a name is asked about"
