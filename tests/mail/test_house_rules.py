"""House rules reach the players in the first letter, in a welcome and on request."""

from __future__ import annotations

from pathlib import Path

import pytest

from alexmagnum.board import load_board
from alexmagnum.game.game import Player
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.drafts import update_drafts
from alexmagnum.mail.outbox import Outbox
from alexmagnum.notation import read_orders
from alexmagnum.orders import Pick
from alexmagnum.report.context import gather_past_phase
from alexmagnum.report.formats import format_report_in_all
from tests.game.desks import new_desk
from tests.mail.mail_desk import answers, composing_outbox, fetch, mail_desk, reply

RULE = {"en": "Of two orders for one unit", "it": "Di due ordini per la stessa unità"}
SPRING = "1901-spring"


def _letters(box: Outbox, numbers: list[int]) -> dict[str, str]:
    """The text of some letters by power, its lines joined."""
    texts = {box.find(n).power: read_text(box.message(n)) for n in numbers}
    return {power: " ".join(text.split()) for power, text in texts.items()}


def test_the_first_letter_and_a_welcome_list_the_house_rules_and_reports_do_not(
    tmp_path: Path,
) -> None:
    with mail_desk(tmp_path) as desk:
        box = composing_outbox(desk)
        opening = _letters(box, update_drafts(box, opening=True).drafted)
        desk.process(SPRING, allow_missing=True)
        report = _letters(box, update_drafts(box).drafted)
        desk.replace_player(Player("France", "Dora", "dora@example.org", "en"))
        welcome = _letters(box, update_drafts(box).drafted)

    assert RULE["it"] in opening["France"]
    assert RULE["en"] in opening["Italy"]
    assert RULE["en"] in welcome["France"]
    assert not [text for text in report.values() for rule in RULE.values() if rule in text]
    assert "scrivi REGOLE" in report["France"]
    assert "write RULES" in report["Italy"]


@pytest.mark.parametrize("lang", RULE)
def test_without_mail_the_first_report_lists_the_house_rules_and_data_always_does(
    tmp_path: Path, lang: str
) -> None:
    sentences = load_sentences(lang)
    with new_desk(tmp_path) as desk:
        desk.process(SPRING, allow_missing=True)
        second = str(desk.phase)
        desk.process(second, allow_missing=True)
        first, later = (
            format_report_in_all(gather_past_phase(desk, phase), None, sentences, None)
            for phase in (SPRING, second)
        )

    assert [form for form, text in first.items() if RULE[lang] not in text] == []
    assert [form for form, text in later.items() if RULE[lang] in text] == ["json"]


@pytest.mark.parametrize(
    ("power", "asked", "lang"), [("France", "REGOLE", "it"), ("Italy", "house rules", "en")]
)
def test_a_player_who_asks_for_the_house_rules_gets_those_in_force(
    tmp_path: Path, power: str, asked: str, lang: str
) -> None:
    with mail_desk(tmp_path, settings={"two_orders": "first"}) as desk:
        fetch(desk, reply(desk, power, asked))
        ((_, text),) = answers(desk)

    assert load_sentences(lang).format("house-two-orders-first") in " ".join(text.split())
    assert "example.org" not in text


@pytest.mark.parametrize("lang", RULE)
def test_the_first_letter_of_the_cyprus_year_shows_a_pick_that_can_be_sent_as_it_stands(
    tmp_path: Path, lang: str
) -> None:
    """Each power is shown a centre that it may pick: India alone, for Candragrupta."""
    board = load_board("alexmagnum")
    players = [Player(power, power, f"{power}@example.org", lang) for power in board.powers]
    settings = {"mail_address": "game@example.org"}
    with new_desk(tmp_path, "alexmagnum", players=players, settings=settings) as desk:
        box = composing_outbox(desk)
        letters = _letters(box, update_drafts(box, opening=True).drafted)
        position = desk.position

    assert letters.keys() == board.powers.keys()
    for power, text in letters.items():
        shown = text.partition("«" if lang == "it" else "“")[2]
        example = shown.partition("»" if lang == "it" else "”")[0]
        (pick,) = read_orders(example, position, power).orders[power]
        assert isinstance(pick, Pick)
        assert (power == "CAN") == (board.provinces[pick.centre].area == "india")
