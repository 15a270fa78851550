"""Submissions: which lines of a mail count, what a second mail changes, and orders sent ahead."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.board import load_board
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Receipt
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.notation.sections import EVERYTHING, PHASE, read_fresh_start
from alexmagnum.position import Phase, Position, Unit
from tests.case_library import read_yaml
from tests.each import check_each
from tests.game.desks import dump, new_desk, refusal, resolve, submit_all

MAILS = read_yaml(Path(__file__).with_name("mails.yaml"))  # mails, and what they come to


def _verdicts(receipt: Receipt) -> dict[str, tuple[str, str]]:
    """Verdict and code by line; every code has a sentence that its data fills."""
    for line in receipt.lines:
        for lang in LANGUAGES:
            assert not line.code or load_sentences(lang).format(line.code, **line.data)
    return {line.text: (line.verdict, line.code) for line in receipt.lines}


def _desk(folder: Path, board: str = "standard", **settings: Any) -> Desk:
    return new_desk(folder, board, settings=settings)


def _send(desk: Desk, power: str, mails: Sequence[str]) -> Receipt:
    """Return the receipt of the last of some mails."""
    receipts = [desk.submit(power, text) for text in mails]
    assert desk.verify() == ()
    return receipts[-1]


# -- the lines of a mail ---------------------------------------------------------------------------


def test_a_receipt_says_of_every_line_what_was_understood(desk: Desk) -> None:
    receipt = desk.submit(
        "france",
        "Hello!\nA Paris to Burgundy\nA Marsiglie S A PAR - BUR\nF BRE - MUN\n"
        "A LON H\nA MAR tra\nA KIE H\nsee you",
    )

    assert (receipt.power, receipt.phase, receipt.number) == ("France", "1901-spring", 1)
    assert receipt.orders == ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MUN")
    assert receipt.missing == ()
    verdicts = _verdicts(receipt)
    assert verdicts["A Paris to Burgundy"] == ("good", "")
    assert verdicts["A Marsiglie S A PAR - BUR"] == ("doubtful", "misspelt")
    assert verdicts["F BRE - MUN"] == ("impossible", "not-adjacent")
    assert verdicts["A LON H"][0] == "impossible"
    assert verdicts["A MAR tra"][0] == "unreadable"
    assert verdicts["see you"] == ("prose", "")
    assert desk.submit("England", "A LVP H").missing == ("F EDI", "F LON")


def test_the_mail_itself_is_kept_as_it_came(desk: Desk, tmp_path: Path) -> None:
    text = "  Ciao,\r\n\tA PAR - BUR  \n\n-- \nEnrico"
    desk.submit("France", text, source="mail 17")
    assert [(row[3], row[5]) for row in dump(tmp_path)["mail"]] == [("mail 17", text)]


def test_a_mail_without_an_order_that_counts_changes_nothing(desk: Desk) -> None:
    desk.submit("France", "A PAR H")
    for text in ("Thank you!", "F BRE to Nowhereland", ""):
        second = desk.submit("France", text)
        assert (second.orders, second.replaces) == (("A PAR H",), False)


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


def test_orders_below_the_heading_of_another_season_do_not_count(desk: Desk) -> None:
    for heading in MAILS["other_season"]:
        receipt = desk.submit("France", f"{heading}\nA PAR H")
        assert receipt.orders == (), heading
        assert _verdicts(receipt)["A PAR H"] == ("impossible", "other-season")
    for heading in MAILS["this_season"]:
        receipt = desk.submit("Italy", f"Cancel everything\n{heading}\nA ROM H")
        assert receipt.orders == ("A ROM H",), heading


def test_status_counts_and_shows_no_order(desk: Desk) -> None:
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
    wanted = [("open-orders", "France", "asked to"), ("open-ahead", "", "too")]
    assert [(e.action, e.power, e.reason) for e in opened] == wanted
    assert "BUR" not in repr(desk.history())


# -- a second mail: it adds to the first one, unless it begins anew --------------------------------


@pytest.mark.parametrize(("second", "orders"), MAILS["second"])
def test_a_second_mail_adds_unless_it_says_that_it_replaces(
    desk: Desk, second: str, orders: Sequence[str]
) -> None:
    receipt = _send(desk, "France", [MAILS["first"], second])
    assert desk.settings["second_mail"] == "merge"
    assert (receipt.number, receipt.orders) == (2, tuple(orders))
    assert receipt.earlier == ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO")
    assert receipt.replaces is (receipt.orders != receipt.earlier)
    assert desk.receipt("France") == receipt
    if second == "A PAR - MOS":  # it is named although the earlier order counts
        assert [line.verdict for line in receipt.lines] == ["impossible"]


def test_a_complaint_about_an_order_in_force_is_none(desk: Desk) -> None:
    sent = ("A PAR - BUR", "F BRE - MAO")
    for said in ("A PAR H is not what I wrote!", "Ciao, F BRE H non è quello che ho scritto."):
        assert _send(desk, "France", ["\n".join(sent), said]).orders == sent


def test_a_second_mail_replaces_the_first_where_the_house_says_so(tmp_path: Path) -> None:
    with _desk(tmp_path, second_mail="replace") as desk:
        second = _send(desk, "France", ["A PAR H\nA MAR H", "A PAR - PIC"])
    assert (second.orders, second.replaces, second.number) == (("A PAR - PIC",), True, 2)


@pytest.mark.parametrize("rule", ["merge", "replace"])
def test_a_later_good_pick_counts_and_a_void_one_changes_nothing(tmp_path: Path, rule: str) -> None:
    with _desk(tmp_path, "alexmagnum", second_mail=rule) as desk:
        assert _send(desk, "TOL", ["Scelgo Tebe", "Scelgo Menfi"]).orders == ("Pick MEN",)
        assert _send(desk, "TOL", ["Scelgo Candragrupta", "Pick LAH"]).orders == ("Pick MEN",)
        assert _send(desk, "CAN", ["Pick LAH", "Pick TAX"]).orders == ("Pick TAX",)


def test_retreats_are_combined_unit_by_unit(desk: Desk) -> None:
    resolve(desk, {"Italy": "A VEN - TYR\nA ROM - VEN", "Austria": "F TRI H"})
    resolve(desk, {"Italy": "A TYR S A VEN - TRI\nA VEN - TRI", "Austria": "F TRI H"})
    assert _send(desk, "Austria", ["Disband F TRI", "F TRI - ALB"]).orders == ("F TRI - ALB",)
    assert _send(desk, "Austria", ["F TRI - BUL/SC"]).orders == ("F TRI - ALB",)


def test_a_void_retreat_leaves_its_unit_without_an_order(desk: Desk) -> None:
    """The receipt, ``status`` and ``process`` say so alike, as they do of a void pick."""
    resolve(desk, {"Italy": "A VEN - TYR\nA ROM - VEN", "Austria": "F TRI H"})
    resolve(desk, {"Italy": "A TYR S A VEN - TRI\nA VEN - TRI", "Austria": "F TRI H"})
    assert _send(desk, "Austria", ["F TRI - BUL/SC"]).missing == ("F TRI",)
    assert desk.status().missing == ("Austria",)
    error = refusal(lambda: desk.process("1901-autumn-retreats"))
    assert (error.code, error.data["list"]) == ("orders-missing", "Austria: F TRI")


def test_an_order_for_a_unit_that_is_gone_stands_for_no_other(desk: Desk) -> None:
    assert _send(desk, "France", ["A BUR H\nA PAR H\nA MAR H"]).missing == ("F BRE",)


def _gain_two(desk: Desk) -> None:
    """Let France gain two centres in 1901, so that it may build two units."""
    resolve(desk, {"France": "A MAR - SPA\nF BRE - MAO\nA PAR - BUR"})
    resolve(desk, {"France": "A SPA H\nF MAO - POR"})


@pytest.mark.parametrize("case", MAILS["builds"])
def test_builds_are_added_as_long_as_there_is_room(desk: Desk, case: str) -> None:
    mails, orders = MAILS["builds"][case]
    _gain_two(desk)
    assert set(_send(desk, "France", mails).orders) == set(orders)


@pytest.mark.parametrize(
    ("rule", "built"),
    [("first", ("Build F BRE", "Build A MAR")), ("last", ("Build A PAR", "Build A MAR"))],
)
def test_too_many_builds(tmp_path: Path, rule: str, built: tuple[str, ...]) -> None:
    with _desk(tmp_path, too_many_builds=rule) as desk:
        _gain_two(desk)
        outcome = resolve(desk, {"France": "Build F BRE\nBuild A MAR\nBuild A PAR"}).outcome

    done = [entry for entry in outcome.results if entry.result == "succeeds"]
    assert tuple(f"Build {entry.order.unit}" for entry in done) == built  # type: ignore[union-attr]


@pytest.mark.parametrize(("mails", "orders"), MAILS["first_units"])
def test_first_units_are_added_and_the_later_one_for_a_centre_counts(
    tmp_path: Path, mails: Sequence[str], orders: Sequence[str]
) -> None:
    """Ptolemy has Memphis and Thebes, and room for two units."""
    with _desk(tmp_path, "alexmagnum") as desk:
        for pick in ("Pick MEN", "Pick TEB", "", "", ""):
            resolve(desk, {"TOL": pick} if pick else {})
        assert _send(desk, "TOL", mails).orders == tuple(orders)


@pytest.mark.parametrize(("second", "ahead"), MAILS["advance"])
def test_advance_orders_are_added_too(
    desk: Desk, second: str, ahead: Mapping[str, Sequence[str]]
) -> None:
    _send(desk, "France", ["A PAR - BUR\nRetreats:\nA PAR - GAS", second])

    stand = desk.ahead(reason="").get("France", {})
    assert {kind: list(orders) for kind, orders in stand.items()} == ahead


def test_mails_that_are_read_again_after_an_undo_come_to_the_same(desk: Desk) -> None:
    """A correction changes the position, so the mails for the open phase are read anew."""
    resolve(desk, {"France": MAILS["first"]})
    orders = _send(desk, "Italy", ["A ROM H\nA VEN H", "All orders:\nF NAP H", "A VEN - TYR"])
    desk.amend("1901-spring", "France", "A PAR H")
    assert desk.open_receipts()["Italy"].orders == orders.orders == ("F NAP H", "A VEN - TYR")
    assert desk.verify() == ()


def test_words_that_begin_a_complete_set_or_withdraw_what_was_sent() -> None:
    def check(line: str, scope: str, cancels: str) -> None:
        start = read_fresh_start(line, load_board("alexmagnum"))
        if not scope:
            assert start is None
        else:
            assert start is not None
            assert (start.scope, start.cancels) == (scope, bool(cancels))
            assert not cancels or start.rest == ""

    for kind, scope, cancels in (
        ("whole", EVERYTHING, ""),
        ("cancel_all", EVERYTHING, "cancels"),
        ("cancel", PHASE, "cancels"),
        ("none", "", ""),
    ):
        check_each([(line, scope, cancels) for line in MAILS["fresh"][kind]], check)


# -- orders sent ahead -----------------------------------------------------------------------------

ATTACK = {"Italy": "A VEN - TYR\nA ROM - VEN\nF NAP H", "Austria": "A VIE H\nA BUD H\nF TRI H"}
SECOND = "A TYR S A VEN - TRI\nA VEN - TRI\nF NAP H"


def _dislodged(desk: Desk, ahead: str, later: Mapping[str, str] | None = None) -> None:
    """Trieste falls in the autumn; Austria's autumn mail ends with orders ahead."""
    resolve(desk, ATTACK)
    submit_all(desk, {"Italy": SECOND, "Austria": f"{ATTACK['Austria']}\n{ahead}"})
    resolve(desk, later)


@pytest.mark.parametrize("ahead", MAILS["retreats_ahead"])
def test_retreats_sent_with_the_moves_are_kept_until_needed(desk: Desk, ahead: str) -> None:
    _dislodged(desk, ahead)
    assert str(desk.phase) == "1901-autumn-retreats"
    assert desk.pending(reason="")["Austria"] == ("F TRI - ALB",)
    assert desk.status().blocks == ()
    processed = desk.process("1901-autumn-retreats")
    assert processed.orders == {"Austria": ("F TRI - ALB",)}
    assert processed.seals[0].digest
    assert desk.verify() == ()


@pytest.mark.parametrize("text", MAILS["moves_among_retreats"])
def test_moves_below_a_word_about_retreats_are_moves(desk: Desk, text: str) -> None:
    assert desk.submit("Austria", text).orders == ("A VIE - GAL", "A BUD - SER", "F TRI - ALB")


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
    """A bare unit below the heading is one to build, and does not count now."""
    resolve(desk, {"France": "A MAR - SPA\nF BRE - MAO\nA PAR H"})
    alone = desk.submit("France", "Builds:\nF Brest\nA MAR")
    assert (alone.orders, len(alone.missing)) == ((), 3)
    desk.submit("France", "A SPA H\nF MAO - POR\nA PAR H\nCostruzioni:\nF Brest\nA MAR")
    kept = desk.ahead("France", reason="")
    resolve(desk)
    assert kept == {"France": {"winter": ("Build F BRE", "Build A MAR")}}
    assert desk.pending(reason="") == {"France": ("Build F BRE", "Build A MAR")}


def test_a_choice_below_a_heading_of_builds_is_no_build(desk: Desk) -> None:
    resolve(desk, {"France": "A MAR - SPA\nF BRE - MAO\nA PAR H"})
    for builds in (" F Bre or A Mar", "\nA Brest una flotta"):
        desk.submit("France", f"A SPA H\nBuilds:{builds}")
        assert desk.ahead("France", reason="") == {}


def test_nothing_is_taken_ahead_where_the_house_does_not(tmp_path: Path) -> None:
    with _desk(tmp_path, ahead="no") as desk:
        receipt = desk.submit("Austria", "F TRI H\nRetreats:\nF TRI - ALB")
        assert _verdicts(receipt)["F TRI - ALB"] == ("impossible", "ahead-not-taken")
        _dislodged(desk, "Retreats:\nF TRI - ALB")
        assert desk.pending(reason="") == {}


# -- phases ----------------------------------------------------------------------------------------


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
    """The phase is passed over then, and recorded; a correction does as the rule was then."""
    attack = "F ION - NAP\nF TYS S F ION - NAP"
    with new_desk(tmp_path, start=_one_way_out(), settings={"single_retreat": rule}) as desk:
        processed = resolve(desk, {"Turkey": attack})
        assert str(desk.phase) == phase
        if rule == "auto":
            assert processed.passed == ("1901-autumn-retreats",)
            passed = desk.processed("1901-autumn-retreats")
            assert passed.orders == {"Italy": ("A NAP - ROM",)}
            assert passed.seals == ()
            assert [r.state for r in desk.phases()] == ["processed", "passed", "open"]
        while desk.position.phase.kind != "movement":
            resolve(desk)
        desk.set("single_retreat", "ask" if rule == "auto" else "auto")
        for _ in range(2):  # the second time it corrects what was corrected
            assert desk.amend("1901-autumn", "Turkey", attack).changes == ()
        assert (str(desk.phase), desk.verify()) == ("1902-spring", ())


def test_another_phase_is_refused_with_the_open_one_named(desk: Desk) -> None:
    error = refusal(lambda: desk.process("1902-spring", allow_missing=True))
    assert (error.code, error.data["current"]) == ("not-the-open-phase", "1901-spring")
