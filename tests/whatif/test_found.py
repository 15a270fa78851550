"""The position is found in every report that is mailed, whatever mail programs do to it."""

from __future__ import annotations

from itertools import cycle

import pytest

from alexmagnum.board import load_board
from alexmagnum.mail.saved import saved_texts
from alexmagnum.play.game import play_game
from alexmagnum.position import Position
from alexmagnum.report.pasting import pasted_turn
from alexmagnum.report.words import LANGUAGES, words
from alexmagnum.whatif import find_position
from tests.mail.clients import BETWEEN, BOTTOM, TOP, Letter
from tests.mail.mails import FOREIGN, MARKED, UNMARKED
from tests.mail.people import TOL
from tests.whatif.mailed import FORMS, GOING_ON, MANGLERS, as_page, asked, report, same


def _found(raw: str | bytes) -> Position:
    data = raw if isinstance(raw, bytes) else raw.encode()
    return find_position(saved_texts(data)).taken.sound


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", GOING_ON)
def test_every_format_of_every_report_carries_the_position(name: str, form: str, lang: str) -> None:
    wanted = asked(name)

    assert wanted is not None
    assert same(_found(report(name, form, lang)), wanted)


@pytest.mark.parametrize("how", MANGLERS)
@pytest.mark.parametrize("name", GOING_ON)
def test_a_text_report_may_be_mangled(name: str, how: str) -> None:
    wanted = asked(name)

    assert wanted is not None
    assert same(_found(MANGLERS[how](report(name, "text"))), wanted)


@pytest.mark.parametrize("name", GOING_ON)
def test_a_text_report_may_be_made_a_page(name: str) -> None:
    wanted = asked(name)

    assert wanted is not None
    for how, page in as_page(report(name, "text")):
        assert same(_found(page), wanted), how


@pytest.mark.parametrize("client", [*MARKED, *UNMARKED, *FOREIGN], ids=lambda c: c.__name__)
@pytest.mark.parametrize("name", ["sample", "retreats"])
def test_every_mail_program_may_quote_it(name: str, client) -> None:  # type: ignore[no-untyped-def]
    wanted = asked(name)

    assert wanted is not None
    for place in (TOP, BOTTOM, BETWEEN):
        raw = client(Letter(TOL, 7, place, old=report(name, "text")))
        assert same(_found(raw), wanted), place


@pytest.mark.parametrize("map_id", ["alexmagnum", "standard"])
def test_every_position_of_a_game_is_found_as_it_was(map_id: str) -> None:
    manglers = cycle(MANGLERS.values())
    for played in play_game(load_board(map_id), 11, years=4):
        for text in (pasted_turn(played.position, words("it")) for _ in range(2)):
            assert same(_found(next(manglers)(text)), played.position)
