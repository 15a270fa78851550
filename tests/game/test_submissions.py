"""Submissions: which lines of a mail count, why others do not, and what house rules change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.board import load_board
from alexmagnum.errors import GameError
from alexmagnum.game import Desk
from alexmagnum.game.game import Receipt
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.position import Phase, Position, Unit
from tests.game.desks import Clock, dump, new_desk, submit_all


def _verdicts(receipt: Receipt) -> dict[str, tuple[str, str]]:
    """Verdict and code by line; every code has a sentence that its data fills."""
    for line in receipt.lines:
        for lang in LANGUAGES:
            assert not line.code or load_sentences(lang).format(line.code, **line.data)
    return {line.text: (line.verdict, line.code) for line in receipt.lines}


def _desk(folder: Path, **settings: Any) -> Desk:
    return new_desk(folder, now=Clock(), settings=settings)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with _desk(tmp_path) as opened:
        yield opened


def test_a_receipt_says_of_every_line_what_was_understood(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        receipt = desk.submit(
            "france",
            "Hello!\nA Paris to Burgundy\nA Marsiglie S A PAR - BUR\nF BRE - MUN\n"
            "A LON H\nA MAR tra\nA KIE H\nsee you",
        )

    assert receipt.power == "France"
    assert receipt.phase == "1901-spring"
    assert receipt.number == 1
    assert receipt.orders == ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MUN")
    assert receipt.missing == ()
    verdicts = _verdicts(receipt)
    assert verdicts["A Paris to Burgundy"] == ("good", "")
    assert verdicts["A Marsiglie S A PAR - BUR"] == ("doubtful", "misspelt")
    assert verdicts["F BRE - MUN"] == ("impossible", "not-adjacent")
    assert verdicts["A LON H"][0] == "impossible"
    assert verdicts["A MAR tra"][0] == "unreadable"
    assert verdicts["see you"] == ("prose", "")


def test_the_mail_itself_is_kept_as_it_came(tmp_path: Path) -> None:
    text = "  Ciao,\r\n\tA PAR - BUR  \n\n-- \nEnrico"
    with _desk(tmp_path) as desk:
        desk.submit("France", text, source="mail 17")

    assert [(row[3], row[5]) for row in dump(tmp_path)["mail"]] == [("mail 17", text)]


def test_missing_units_are_named(desk: Desk) -> None:
    assert desk.submit("France", "A PAR H").missing == ("F BRE", "A MAR")


@pytest.mark.parametrize(
    ("rule", "orders", "replaces"),
    [("replace", ("A PAR - PIC",), True), ("merge", ("A MAR H", "A PAR - PIC"), True)],
)
def test_a_second_mail(tmp_path: Path, rule: str, orders: tuple[str, ...], replaces: bool) -> None:
    with _desk(tmp_path, second_mail=rule) as desk:
        desk.submit("France", "A PAR H\nA MAR H")
        second = desk.submit("France", "A PAR - PIC")

    assert second.orders == orders
    assert second.replaces is replaces
    assert second.number == 2


@pytest.mark.parametrize("text", ["Thank you!", "F BRE to Nowhereland", ""])
def test_a_mail_without_an_order_that_counts_changes_nothing(tmp_path: Path, text: str) -> None:
    with _desk(tmp_path) as desk:
        desk.submit("France", "A PAR H")
        second = desk.submit("France", text)

    assert second.orders == ("A PAR H",)
    assert not second.replaces


@pytest.mark.parametrize(("rule", "order"), [("last", "A PAR - PIC"), ("first", "A PAR H")])
def test_two_orders_for_one_unit(tmp_path: Path, rule: str, order: str) -> None:
    with _desk(tmp_path, two_orders=rule) as desk:
        receipt = desk.submit("France", "A PAR H\nA PAR - PIC")

    assert receipt.orders == (order,)
    assert ("replaced", "order-replaced") in _verdicts(receipt).values()


def test_a_misspelt_name_can_be_refused(tmp_path: Path) -> None:
    with _desk(tmp_path, fuzzy="refuse") as desk:
        receipt = desk.submit("France", "A Marsiglie H")

    assert receipt.orders == ()
    assert receipt.lines[0].verdict == "unreadable"


def test_orders_for_another_power_do_not_count(desk: Desk) -> None:
    receipt = desk.submit("France", "A PAR H\nOrders for Italy:\nA ROM - APU")

    assert receipt.orders == ("A PAR H",)
    assert _verdicts(receipt)["A ROM - APU"] == ("impossible", "second-hand")
    assert desk.receipt("Italy") is None


@pytest.mark.parametrize(
    "heading",
    [
        "Autumn 1901",
        "Orders for autumn:",
        "Spring 1902:",
        "Francia - primavera 1902",
        "1901-autumn",
    ],
)
def test_orders_for_another_season_do_not_count(tmp_path: Path, heading: str) -> None:
    with _desk(tmp_path) as desk:
        receipt = desk.submit("France", f"{heading}\nA PAR H")

    assert receipt.orders == ()
    assert _verdicts(receipt)["A PAR H"] == ("impossible", "other-season")


@pytest.mark.parametrize(
    "heading", ["Spring 1901", "Ordini primavera 1901:", "France, spring 1901", "Orders:", "Moves"]
)
def test_headings_of_this_season_are_fine(desk: Desk, heading: str) -> None:
    assert desk.submit("France", f"{heading}\nA PAR H").orders == ("A PAR H",)


def test_status_counts_and_shows_no_order(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        desk.submit("France", "A PAR - BUR\nA Marsiglie H\nF BRE - MUN")
        status = desk.status()

    france = next(each for each in status.powers if each.power == "France")
    assert (france.given, france.wanted, france.doubtful, france.submissions) == (3, 3, 2, 1)
    assert status.blocks == ("block-orders-missing",)
    assert "BUR" not in repr(status)


def test_what_is_opened_is_in_the_journal_and_nothing_else_tells_orders(desk: Desk) -> None:
    desk.submit("France", "A PAR - BUR\nRetreats:\nA PAR - GAS")
    assert "BUR" not in repr(desk.history())
    assert desk.history(unit="A PAR") == ()

    assert desk.pending("France", reason="asked to") == {"France": ("A PAR - BUR",)}
    assert desk.ahead(reason="too") == {"France": {"retreats": ("A PAR - GAS",)}}
    opened = [entry for entry in desk.history() if entry.action.startswith("open-")]
    assert [(e.action, e.power, e.reason) for e in opened] == [
        ("open-orders", "France", "asked to"),
        ("open-ahead", "", "too"),
    ]
    assert "BUR" not in repr(desk.history())


# -- orders sent ahead ----------------------------------------------------------------------------

ATTACK = {"Italy": "A VEN - TYR\nA ROM - VEN\nF NAP H", "Austria": "A VIE H\nA BUD H\nF TRI H"}
SECOND = {
    "Italy": "A TYR S A VEN - TRI\nA VEN - TRI\nF NAP H",
    "Austria": "A VIE H\nA BUD H\nF TRI H\n{ahead}",
}


def _dislodged(desk: Desk, ahead: str, later: Mapping[str, str] | None = None) -> None:
    """Trieste falls in the autumn; Austria's autumn mail ends with orders ahead."""
    submit_all(desk, ATTACK)
    desk.process("1901-spring", allow_missing=True)
    submit_all(desk, {power: text.format(ahead=ahead) for power, text in SECOND.items()})
    submit_all(desk, later or {})
    desk.process("1901-autumn", allow_missing=True)


@pytest.mark.parametrize(
    "ahead",
    [
        "Ritirate:\nF TRI - ALB",
        "Retreats, if needed:\nF TRI - ALB",
        "Eventuali ritirate: la flotta di Trieste si ritira in Albania",
        "RITIRATE\n- F Trieste > Albania",
    ],
)
def test_retreats_sent_with_the_moves_are_kept_until_needed(desk: Desk, ahead: str) -> None:
    _dislodged(desk, ahead)

    assert str(desk.phase) == "1901-autumn-retreats"
    assert desk.pending(reason="")["Austria"] == ("F TRI - ALB",)
    assert desk.status().blocks == ()
    processed = desk.process("1901-autumn-retreats")
    assert processed.orders == {"Austria": ("F TRI - ALB",)}
    assert processed.seals[0].digest
    assert desk.verify() == ()


def test_what_does_not_fit_is_dropped_and_never_told(desk: Desk) -> None:
    _dislodged(desk, "Retreats:\nA VIE - BOH\nF TRI - VEN")

    assert desk.pending(reason="") == {}
    assert desk.receipt("Austria") is None
    assert "BOH" not in repr(desk.history())


def test_orders_ahead_can_be_replaced_before_and_after_their_phase_opens(desk: Desk) -> None:
    _dislodged(desk, "Retreats:\nF TRI - ALB", {"Austria": "Retreats:\nF TRI - ADR"})
    assert desk.pending(reason="")["Austria"] == ("F TRI - ADR",)

    desk.submit("Austria", "Disband F TRI")
    assert desk.pending(reason="")["Austria"] == ("Disband F TRI",)


def test_an_empty_heading_takes_orders_ahead_back(desk: Desk) -> None:
    _dislodged(desk, "Retreats:\nF TRI - ALB", {"Austria": "Retreats:\n"})

    assert desk.pending(reason="") == {}


def test_builds_sent_in_the_autumn_wait_for_the_winter(desk: Desk) -> None:
    """A bare unit below the heading is one to build."""
    submit_all(desk, {"France": "A MAR - SPA\nF BRE - MAO\nA PAR H"})
    desk.process("1901-spring", allow_missing=True)
    desk.submit("France", "A SPA H\nF MAO - POR\nA PAR H\nCostruzioni:\nF Brest\nA MAR")
    kept = desk.ahead("France", reason="")
    desk.process("1901-autumn", allow_missing=True)

    assert kept == {"France": {"winter": ("Build F BRE", "Build A MAR")}}
    assert desk.pending(reason="") == {"France": ("Build F BRE", "Build A MAR")}


def test_nothing_is_taken_ahead_where_the_house_does_not(tmp_path: Path) -> None:
    with _desk(tmp_path, ahead="no") as desk:
        receipt = desk.submit("Austria", "F TRI H\nRetreats:\nF TRI - ALB")
        assert _verdicts(receipt)["F TRI - ALB"] == ("impossible", "ahead-not-taken")
        _dislodged(desk, "Retreats:\nF TRI - ALB")

        assert desk.pending(reason="") == {}


def test_an_order_ahead_does_not_count_now(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        receipt = desk.submit("France", "Builds:\nA PAR\nA MAR")

    assert receipt.orders == ()
    assert len(receipt.missing) == 3


# -- phases ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "built"),
    [("first", ("Build F BRE", "Build A MAR")), ("last", ("Build A PAR", "Build A MAR"))],
)
def test_too_many_builds(tmp_path: Path, rule: str, built: tuple[str, ...]) -> None:
    with _desk(tmp_path, too_many_builds=rule) as desk:
        submit_all(desk, {"France": "A MAR - SPA\nF BRE - MAO\nA PAR - BUR"})
        desk.process("1901-spring", allow_missing=True)
        submit_all(desk, {"France": "A SPA H\nF MAO - POR"})
        desk.process("1901-autumn", allow_missing=True)
        desk.submit("France", "Build F BRE\nBuild A MAR\nBuild A PAR")
        outcome = desk.process("1901-winter", allow_missing=True).outcome

    done = [entry for entry in outcome.results if entry.result == "succeeds"]
    assert tuple(f"Build {entry.order.unit}" for entry in done) == built  # type: ignore[union-attr]


def _one_way_out() -> Position:
    """Naples falls in autumn 1901; Apulia is taken, so that only Rome is open."""
    units = (Unit("Italy", "A", "NAP"), Unit("Italy", "A", "APU"))
    fleets = (Unit("Turkey", "F", "ION"), Unit("Turkey", "F", "TYS"))
    board = load_board("standard")
    return Position(
        board, Phase(1901, "autumn"), (*units, *fleets), {"NAP": "Italy", "CON": "Turkey"}
    )


@pytest.mark.parametrize(
    ("rule", "phase"), [("ask", "1901-autumn-retreats"), ("auto", "1901-winter")]
)
def test_the_only_retreat_is_taken_by_itself_where_the_house_says_so(
    tmp_path: Path, rule: str, phase: str
) -> None:
    """The phase is passed over then, and recorded."""
    with new_desk(tmp_path, start=_one_way_out(), settings={"single_retreat": rule}) as desk:
        desk.submit("Turkey", "F ION - NAP\nF TYS S F ION - NAP")
        processed = desk.process("1901-autumn", allow_missing=True)

        assert str(desk.phase) == phase
        if rule == "auto":
            assert processed.passed == ("1901-autumn-retreats",)
            passed = desk.processed("1901-autumn-retreats")
            assert passed.orders == {"Italy": ("A NAP - ROM",)}
            assert passed.seals == ()
            assert [r.state for r in desk.phases()] == ["processed", "passed", "open"]
        assert desk.verify() == ()


def test_another_phase_is_refused_with_the_open_one_named(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk, pytest.raises(GameError) as caught:
        desk.process("1902-spring", allow_missing=True)

    assert caught.value.code == "not-the-open-phase"
    assert caught.value.data["current"] == "1901-spring"
