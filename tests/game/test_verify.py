"""What was changed in the file by hand is found, as far as it is compared; else all is well."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from tests.game.desks import change_by_hand, dump, new_desk, open_desk, play
from tests.sizes import one_in, sized

MAIL = """Cara Rosa, ecco gli ordini:

> ieri scrivevi altro
F BRE - MAO, A PAR-BUR; A MAR S A PAR - BUR   (ho cambiato idea)
A MAR H
F TRI H
Costruzioni: A PAR

Ciao!"""


@pytest.fixture
def played_game(
    built_once: Callable[[str, Callable[[Path], object]], Path], tmp_path: Path
) -> Path:
    """Return the folder of a game with three phases, in which everything is sound."""

    def build(folder: Path) -> None:
        with new_desk(folder / "game") as desk:
            play(desk, 3)
            assert desk.verify() == ()

    return Path(shutil.copytree(built_once("three-phases", build) / "game", tmp_path / "game"))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("UPDATE resolved SET result = 'succeeds' WHERE result = 'fails'", "verify-result"),
        ("UPDATE resolved SET sentence_it = 'forse' WHERE id = 1", "verify-sentence"),
        ("DELETE FROM resolved WHERE id = 2", "verify-results"),
        ("UPDATE seals SET orders = '[\"A PAR H\"]' WHERE power = 'France'", "verify-seal"),
        ("UPDATE submissions SET digest = '0000-0000' WHERE id = 1", "verify-seal"),
        ("UPDATE seals SET orders = '[\"A XXX H\"]' WHERE power = 'Italy'", "verify-orders"),
        ("UPDATE outcomes SET digest = 'x' WHERE id = 2", "verify-outcome"),
        (
            "UPDATE positions SET data = replace(data, '1901', '1902') WHERE phase = 3",
            "verify-next",
        ),
        (
            "UPDATE positions SET data = replace(data, 'VEN', 'TYR') WHERE phase = 3",
            "verify-position",
        ),
        ("UPDATE positions SET data = '7' WHERE phase = 2", "verify-position"),
        ("UPDATE positions SET digest = 'x' WHERE phase = 1", "verify-position-digest"),
        ("UPDATE submissions SET effective = '['", "verify-unreadable"),
        ("UPDATE submissions SET effective = '7' WHERE id = 1", "verify-unreadable"),
        ("UPDATE submissions SET effective = 'null' WHERE id = 2", "verify-unreadable"),
        ("UPDATE seals SET orders = '['", "verify-orders"),
        ("UPDATE seals SET added = '7'", "verify-orders"),
        ("UPDATE outcomes SET rules = '['", "verify-orders"),
        ("UPDATE outcomes SET rules = '[]'", "verify-orders"),
        ("UPDATE positions SET data = '['", "verify-position"),
        ("UPDATE submissions SET replaces = 1 WHERE id = 2", "verify-lines"),
        ("UPDATE orders SET canonical = 'A PAR H' WHERE id = 3", "verify-lines"),
        ("UPDATE orders SET verdict = 'replaced' WHERE id = 3", "verify-lines"),
        ("UPDATE orders SET text = 'A XXX H' WHERE id = 3", "verify-mail"),
        ("UPDATE mail SET text = 'A PAR H' WHERE id = 1", "verify-mail"),
        ("UPDATE mail SET power = 'Italy' WHERE power = 'France'", "verify-mail"),
        ("DELETE FROM journal", "verify-gap"),
        ("DELETE FROM journal WHERE id = 3", "verify-gap"),
        ("UPDATE games SET head = 1", "verify-moves"),
        ("UPDATE outcomes SET passed = 1 WHERE id = 1", "verify-passed"),
        ("UPDATE undo_log SET source = 1", "verify-moves"),
        ("UPDATE undo_log SET state = 'undone' WHERE id = 1", "verify-moves"),
        ("UPDATE settings SET value = 'Mars/X' WHERE name = 'timezone'", "verify-setting"),
        ("UPDATE settings SET value = 'xx' WHERE name = 'days_movement'", "verify-setting"),
        ("UPDATE phases SET parent = 3 WHERE id = 2", "verify-circle"),
    ],
)
def test_a_change_by_hand_is_found_in_what_is_compared(
    played_game: Path, change: str, code: str
) -> None:
    before = dump(played_game)
    change_by_hand(played_game, change)
    assert dump(played_game) != before
    with open_desk(played_game) as desk:
        findings = desk.verify()
    assert code in {finding.code for finding in findings}
    for finding in findings:
        assert all(load_sentences(lang).format(finding.code, **finding.data) for lang in LANGUAGES)


@pytest.mark.parametrize("second_mail", one_in(2, ["merge", "replace"]))
@pytest.mark.parametrize("too_many_builds", one_in(2, ["first", "last"]))
@pytest.mark.parametrize("two_orders", one_in(2, ["first", "last"]))
def test_a_game_in_which_everything_happened_verifies(
    tmp_path: Path, second_mail: str, too_many_builds: str, two_orders: str
) -> None:
    """Mails with prose, orders for others, corrections, orders sent ahead, undo, amendments."""
    rules = {
        "second_mail": second_mail,
        "too_many_builds": too_many_builds,
        "two_orders": two_orders,
        "single_retreat": "auto",
    }
    with new_desk(tmp_path, settings=rules) as desk:
        for text in (MAIL, "Nothing new.", "F BRE - ENG", MAIL):
            desk.submit("France", text)
        play(desk, sized(4, 7))
        desk.submit("France", "Waive")
        desk.undo()
        assert desk.verify() == ()
        desk.redo()
        desk.amend("1901-spring", "France", "A PAR H")
        assert desk.verify() == ()
        play(desk, sized(4, 6), seed=3)
        desk.amend("1901-spring", "France", MAIL)
        desk.amend_settings("1901-spring", {"last_year": 1920})
        desk.undo()
        desk.set("too_many_builds", "first")
        play(desk, 3, seed=4)
        assert desk.verify() == ()
