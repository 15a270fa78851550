"""What a second mail changes: it adds to the first one, unless it begins anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.board import load_board
from alexmagnum.game import Desk
from alexmagnum.game.game import Receipt
from alexmagnum.game.mail_sections import EVERYTHING, PHASE, read_fresh_start
from tests.game.desks import Clock, new_desk, submit_all

BOARD = load_board("alexmagnum")


def _desk(folder: Path, board: str = "standard", **settings: Any) -> Desk:
    return new_desk(folder, board, now=Clock(), settings=settings)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with _desk(tmp_path) as opened:
        yield opened


def _send(desk: Desk, power: str, mails: Sequence[str]) -> Receipt:
    """Return the receipt of the last of some mails."""
    receipts = [desk.submit(power, text) for text in mails]
    assert desk.verify() == ()
    return receipts[-1]


# -- units, picks ---------------------------------------------------------------------------------

FIRST = "A PAR - BUR\nA MAR S A PAR - BUR\nF BRE - MAO"


@pytest.mark.parametrize(
    ("second", "orders"),
    [
        ("A PAR - PIC", ("A MAR S A PAR - BUR", "F BRE - MAO", "A PAR - PIC")),
        ("Grazie!\nF BRE H", ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE H")),
        ("A PAR - MOS", ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO")),
        ("A PAR - PIC\nA PAR - GAS", ("A MAR S A PAR - BUR", "F BRE - MAO", "A PAR - GAS")),
        ("A PAR verso dove?", ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO")),
        ("Tutti gli ordini:\nA PAR - PIC", ("A PAR - PIC",)),
        ("Hi!\n\nAll my orders for spring 1901:\nA PAR H", ("A PAR H",)),
        ("All orders: A PAR H; F BRE H", ("A PAR H", "F BRE H")),
        ("ANNULLA TUTTO\nA MAR H", ("A MAR H",)),
        ("Annulla tutto.", ()),
        ("Annulla", ()),
        ("A MAR H\nclear all", ("A MAR H",)),
        ("All orders", ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO")),
        ("A MAR H\nThese are all my orders.", ("A PAR - BUR", "F BRE - MAO", "A MAR H")),
    ],
)
def test_a_second_mail_adds_unless_it_says_that_it_replaces(
    desk: Desk, second: str, orders: tuple[str, ...]
) -> None:
    receipt = _send(desk, "France", [FIRST, second])

    assert receipt.orders == orders
    assert receipt.earlier == ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO")
    assert desk.receipt("France") == receipt


def test_an_impossible_order_is_named_although_the_earlier_one_counts(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        receipt = _send(desk, "France", [FIRST, "A PAR - MOS"])

    assert [line.verdict for line in receipt.lines] == ["impossible"]
    assert not receipt.replaces


@pytest.mark.parametrize("rule", ["merge", "replace"])
def test_a_later_good_pick_counts_and_a_void_one_changes_nothing(tmp_path: Path, rule: str) -> None:
    with _desk(tmp_path, "alexmagnum", second_mail=rule) as desk:
        assert _send(desk, "TOL", ["Scelgo Tebe", "Scelgo Menfi"]).orders == ("Pick MEN",)
        assert _send(desk, "TOL", ["Scelgo Candragrupta", "Pick LAH"]).orders == ("Pick MEN",)
        assert _send(desk, "CAN", ["Pick LAH", "Pick TAX"]).orders == ("Pick TAX",)


def test_retreats_are_combined_unit_by_unit(desk: Desk) -> None:
    submit_all(desk, {"Italy": "A VEN - TYR\nA ROM - VEN", "Austria": "F TRI H"})
    desk.process("1901-spring", allow_missing=True)
    submit_all(desk, {"Italy": "A TYR S A VEN - TRI\nA VEN - TRI", "Austria": "F TRI H"})
    desk.process("1901-autumn", allow_missing=True)
    assert _send(desk, "Austria", ["Disband F TRI", "F TRI - ALB"]).orders == ("F TRI - ALB",)
    assert _send(desk, "Austria", ["F TRI - BUL/SC"]).orders == ("F TRI - ALB",)


# -- builds, first units --------------------------------------------------------------------------

BUILDS: Mapping[str, tuple[Sequence[str], tuple[str, ...]]] = {
    "the same build is one": (["Build A MAR", "Build A MAR"], ("Build A MAR",)),
    "another adds": (["Build A MAR", "Build F BRE"], ("Build A MAR", "Build F BRE")),
    "the later goes first": (
        ["Build A MAR\nBuild F BRE", "Build A PAR"],
        ("Build F BRE", "Build A PAR"),
    ),
    "the last two count": (
        ["Build A MAR", "Build F BRE", "Build A PAR"],
        ("Build F BRE", "Build A PAR"),
    ),
    "the later for a place": (["Build A MAR", "Build F MAR"], ("Build F MAR",)),
    "an impossible one takes no room": (
        ["Build A MAR\nBuild F BRE", "Build F PAR"],
        ("Build A MAR", "Build F BRE", "Build F PAR"),
    ),
    "waived": (["Build A MAR\nBuild F BRE", "Waive"], ("Build F BRE", "Waive")),
    "anew": (["Build A MAR", "Annulla tutto\nBuild F BRE"], ("Build F BRE",)),
}


@pytest.mark.parametrize("case", BUILDS)
def test_builds_are_added_as_long_as_there_is_room(desk: Desk, case: str) -> None:
    mails, orders = BUILDS[case]
    submit_all(desk, {"France": "A MAR - SPA\nF BRE - MAO\nA PAR - BUR"})
    desk.process("1901-spring", allow_missing=True)
    submit_all(desk, {"France": "A SPA H\nF MAO - POR"})
    desk.process("1901-autumn", allow_missing=True)

    assert set(_send(desk, "France", mails).orders) == set(orders)


def _deploying(folder: Path, **settings: Any) -> Desk:
    """Ptolemy has Memphis and Thebes, and room for two units."""
    desk = _desk(folder, "alexmagnum", **settings)
    for number, centre in enumerate(("MEN", "TEB", "", "", ""), 1):
        if centre:
            desk.submit("TOL", f"Pick {centre}")
        desk.process(f"323-{number}", allow_missing=True)
    return desk


@pytest.mark.parametrize(
    ("mails", "orders"),
    [
        (["A MEN", "F TEB"], ("Build A MEN", "Build F TEB")),
        (["A MEN\nG TEB", "F MEN"], ("Build G TEB", "Build F MEN")),
        (["G MEN", "G TEB"], ("Build G TEB",)),
        (["A MEN", "A MEN"], ("Build A MEN",)),
        (["A MEN\nF TEB", "Tutti gli ordini:\nG MEN"], ("Build G MEN",)),
    ],
)
def test_first_units_are_added_and_the_later_one_for_a_centre_counts(
    tmp_path: Path, mails: Sequence[str], orders: tuple[str, ...]
) -> None:
    with _deploying(tmp_path) as desk:
        assert _send(desk, "TOL", mails).orders == orders


# -- orders for later phases ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("second", "ahead"),
    [
        ("Ritirate:\nA MAR - SPA", {"retreats": ("A MAR - SPA", "A PAR - GAS")}),
        ("Retreats:\nA PAR - PIC", {"retreats": ("A PAR - PIC",)}),
        ("Retreats:\nA PAR - Nowhere", {"retreats": ("A PAR - GAS",)}),
        ("Retreats:", {}),
        ("All orders:\nA PAR H", {}),
        ("Cancel everything", {}),
        ("Clear\nA PAR H", {"retreats": ("A PAR - GAS",)}),
    ],
)
def test_advance_orders_are_added_too(
    desk: Desk, second: str, ahead: Mapping[str, tuple[str, ...]]
) -> None:
    _send(desk, "France", ["A PAR - BUR\nRetreats:\nA PAR - GAS", second])

    assert desk.ahead(reason="").get("France", {}) == ahead


def test_mails_that_are_read_again_after_an_undo_come_to_the_same(desk: Desk) -> None:
    """A correction changes the position, so the mails for the open phase are read anew."""
    desk.submit("France", FIRST)
    desk.process("1901-spring", allow_missing=True)
    orders = _send(desk, "Italy", ["A ROM H\nA VEN H", "All orders:\nF NAP H", "A VEN - TYR"])
    desk.amend("1901-spring", "France", "A PAR H")

    receipt = desk.receipt("Italy")
    assert receipt is not None
    assert receipt.orders == orders.orders == ("F NAP H", "A VEN - TYR")
    assert desk.verify() == ()


# -- words ----------------------------------------------------------------------------------------

WHOLE = (
    "All orders",
    "all my orders:",
    "Complete orders",
    "These are all my orders.",
    "Start over",
    "This replaces my earlier orders",
    "Ignore my previous mail",
    "Replace everything",
    "Tutti gli ordini",
    "Ecco tutti i miei ordini:",
    "ORDINI COMPLETI",
    "* Tutti gli ordini *",
    "Sostituisce tutto",
    "Questa mail sostituisce la mail precedente",
    "Da capo",
    "Ignora gli ordini precedenti",
    "Tutti gli ordini di Tolomeo per l'autunno 322:",
)
CANCEL_ALL = ("Annulla tutto", "annullo tutti gli ordini", "Cancel all orders", "CLEAR ALL")
CANCEL = ("Annulla", "Cancella gli ordini", "clear my orders", "cancel orders", "annulla ordini.")
NONE = (
    "All orders as before",
    "Tutti gli ordini restano uguali",
    "Annulla assenza",
    "Stop",
    "",
    "Non annullare tutto",
    "all quiet",
    "Annulla patta",
    "I will send all orders tomorrow",
    "A MEN - TEB",
    "Tutto bene, ordini domani",
    "Cancella A MEN",
    "Ordini",
    "clear skies today",
)


@pytest.mark.parametrize("line", WHOLE)
def test_words_that_begin_a_complete_set(line: str) -> None:
    start = read_fresh_start(line, BOARD)
    assert start is not None
    assert (start.scope, start.cancels) == (EVERYTHING, False)


@pytest.mark.parametrize(
    ("line", "scope"), [(x, EVERYTHING) for x in CANCEL_ALL] + [(x, PHASE) for x in CANCEL]
)
def test_words_that_withdraw_what_was_sent(line: str, scope: str) -> None:
    start = read_fresh_start(line, BOARD)
    assert start is not None
    assert (start.scope, start.cancels, start.rest) == (scope, True, "")


@pytest.mark.parametrize("line", NONE)
def test_other_lines_replace_nothing(line: str) -> None:
    assert read_fresh_start(line, BOARD) is None


def test_a_new_game_adds(desk: Desk) -> None:
    assert desk.settings["second_mail"] == "merge"
