"""Contexts of reports for every kind of phase, with secrets in them.

Open this first when a test needs a report."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from alexmagnum.board import load_board
from alexmagnum.board.model import Board
from alexmagnum.campaign import first_position, next_position
from alexmagnum.cases.files import read_turn
from alexmagnum.game.game import Change, Player, Receipt, Seal, Understood
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.notation import read_orders, write_order
from alexmagnum.position import Phase, Position, Unit
from alexmagnum.report.context import PhaseContext
from alexmagnum.report.formats import MapPictures, format_report_in_all

ROOT = Path(__file__).parent.parent.parent
BOARD = load_board("alexmagnum")

NAMES = {
    "SEL": "Giulia Ferri",
    "TOL": "Marco D'Angelo",
    "LIS": "Anna <Annina> Conti",
    "AUT": "Tom Baker",
    "CAS": "Chiara | Russo",
    "CAN": "Peter Møller",
}

HOUSE = {
    **{"second_mail": "replace", "two_orders": "last", "too_many_builds": "first"},
    **{"single_retreat": "ask", "ahead": "yes", "fuzzy": "notice", "missing": "wait"},
    **{"timezone": "Europe/Rome", "days_movement": "7", "days_retreats": "2", "days_winter": "3"},
    **{"days_picks": "3", "slots": "", "lang": "it", "addresses": "private"},
}


def process_orders(position: Position, texts: Mapping[str, str]) -> PhaseContext:
    """Return the context of a phase after processing it with orders as written."""
    orders = {p: read_orders(text, position, p).orders.get(p, ()) for p, text in texts.items()}
    outcome = adjudicate(position, orders)
    return PhaseContext(
        "Diadochi",
        position,
        outcome,
        before=(
            "The Nile was high that year.\nNobody slept.\n\nAnd the *fleets* sailed <at once>.",
        ),
        after=("Two mails came a minute late; they counted.",),
        following=next_position(outcome),
        deadline="2026-11-22T22:59:00Z",
        house_rules=HOUSE,
        players=tuple(Player(p, NAMES.get(p, p), f"{p.lower()}@example.org") for p in texts),
        seals=tuple(
            Seal(power, "7F3A-91C2", "0badc0de", tuple(map(write_order, listed)))
            for power, listed in orders.items()
        ),
    )


@cache
def sample_turn() -> PhaseContext:
    """Return spring 318 BC as in ``orders/``, with lines that could not be read."""
    position = read_turn(ROOT / "orders" / "turn.yaml").position
    assert position is not None
    files = {path.stem: path for path in (ROOT / "orders").glob("*.txt")}
    texts = {
        power.id: files[power.name("it").lower().replace("è", "e")].read_text(encoding="utf-8")
        for power in BOARD.powers.values()
    }
    lis = Understood(
        "A Bithynia - Pontus", "", "unreadable", "no-unit-there", {"fragment": "A Bithynia"}
    )
    receipt = Receipt(
        "LIS", "318-spring", 1, "2026-11-20T10:00:00Z", (lis,), (), (), "AA-BB", False
    )
    return replace(process_orders(position, texts), receipts={"LIS": receipt})


@cache
def picks(board: Board = BOARD) -> PhaseContext:
    """Return the first period of picks: awards, a contested centre, a void pick, a missing one."""
    return process_orders(
        first_position(board),
        {
            **{"SEL": "Pick BAB", "TOL": "Pick ALE", "LIS": "Pick ALE"},
            **{"AUT": "Pick CEL", "CAS": "Pick CYX", "CAN": ""},
        },
    )


@cache
def deployment() -> PhaseContext:
    """Return the deployment after a single period of picks."""
    position = picks(BOARD.with_rules({"picks": 1})).following
    assert position is not None
    return process_orders(position, {"SEL": "Build A BAB", "CAN": "", "AUT": "Build F BAB"})


@cache
def standard() -> PhaseContext:
    """Return an autumn of the standard game: no nobility, years AD."""
    position = replace(first_position(load_board("standard")), phase=Phase(1901, "autumn"))
    texts = {"Austria": "A BUD - RUM", "France": "F BRE - ENG", "Italy": "A VEN - TRI\nnonsense"}
    return process_orders(position, texts)


@cache
def retreats() -> PhaseContext:
    """Return the retreats of the sample turn."""
    position = sample_turn().following
    assert position is not None
    return process_orders(position, {"CAS": "F CRE - LIB", "AUT": "Disband F EGE#3"})


@cache
def autumn(year: int = 319) -> PhaseContext:
    """Return an autumn at the end of a year: centres change hands, one power is eliminated."""
    units = (
        Unit("TOL", "G", "NOC"),
        Unit("TOL", "A", "ISR"),
        Unit("TOL", "F", "EGI", number=1),
        Unit("SEL", "G", "BAB"),
        Unit("SEL", "A", "OPI"),
        Unit("LIS", "F", "EGE", number=1),
        Unit("CAS", "G", "TES"),
        Unit("CAN", "G", "TAX"),
        Unit("NEU", "A", "CIR"),
    )
    owners = {
        **dict.fromkeys(("ALE", "MEN", "TIR"), "TOL"),
        **dict.fromkeys(("BAB", "ISR", "ASS", "SUS"), "SEL"),
        **{"BIS": "LIS", "TES": "CAS", "ATE": "CAS", "TAX": "CAN", "LAH": "CAN"},
    }
    homes = {"TOL": ("ALE", "MEN"), "SEL": ("BAB", "ASS"), "CAN": ("TAX",)}
    points = dict.fromkeys(BOARD.powers, 9) | {"TOL": 10, "AUT": 4, "LIS": 0}
    position = Position(BOARD, Phase(year, "autumn"), units, owners, homes=homes, nobility=points)
    return process_orders(position, {"TOL": "G NOC - MEN", "SEL": "A OPI - ASS", "CAN": ""})


@cache
def winter() -> PhaseContext:
    """Return the winter after :func:`autumn`."""
    position = autumn().following
    assert position is not None
    return process_orders(position, {"TOL": "Build F ALE", "SEL": "Build A BAB\nWaive", "CAN": ""})


@cache
def corrected_turn() -> PhaseContext:
    """Return the sample turn in a second version."""
    return replace(
        sample_turn(),
        version=2,
        changes=(
            Change("318-spring", "result", "F ROD", "stands", "succeeds"),
            Change("318-spring", "dislodged", "F CRE", "", "EGI, ION"),
            Change("318-spring", "unit", "F MNC", "AUT", ""),
            Change("318-autumn", "owner", "MEN", "TOL", "CAS"),
        ),
    )


@cache
def open_turn() -> PhaseContext:
    """Return the sample turn before it is processed, with the orders of two powers."""
    lines = (Understood("F Rodi nel mare", "", "unreadable", "unknown-verb", {"fragment": "mare"}),)
    return replace(
        sample_turn(),
        outcome=None,
        following=None,
        seals=(),
        receipts={
            "TOL": Receipt(
                "TOL",
                "318-spring",
                2,
                "2026-11-20T10:00:00Z",
                lines,
                ("A MEN - ALE",),
                ("G ALE", "F TIR"),
                "7F3A-91C2",
                True,
            )
        },
        pending={"TOL": ("A MEN - ALE",), "SEL": ("G BAB - DUR",)},
        ahead={"TOL": {"retreats": ("F TIR - FEN",), "winter": ("Build A ALE",)}},
    )


ALL: Mapping[str, Callable[[], PhaseContext]] = {
    **{"sample": sample_turn, "picks": picks, "retreats": retreats, "autumn": autumn},
    **{"deployment": deployment, "standard": standard},
    **{
        "last": lambda: autumn(301),
        "winter": winter,
        "corrected": corrected_turn,
        "waiting": open_turn,
    },
}
"""Every kind of phase, by name."""


def second_power(name: str) -> str:
    """Return the second power of the board of one of :data:`ALL`."""
    return list(ALL[name]().position.board.powers)[1]


_MAPS = MapPictures()


def all_formats(
    context: PhaseContext, recipient: str | None, lang: str, *, opened: bool = False
) -> Mapping[str, str]:
    """Return the report for one reader in every format; a map that was drawn for one test is not
    drawn again for the next."""
    return format_report_in_all(context, recipient, load_sentences(lang), _MAPS, opened=opened)
