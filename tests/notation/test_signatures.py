"""Signatures below orders: no name of a person is an order, whatever the phase and the closing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from alexmagnum.notation import read_orders
from alexmagnum.orders import Pick
from alexmagnum.position import Phase, Position
from tests.case_library import read_yaml
from tests.notation.tables import position, retreating
from tests.sizes import sampled, sized

PICKS = position("alexmagnum", "", "picks")
CENTRES = dict.fromkeys(PICKS.board.centres, "TOL")
DEPLOYMENT = position("alexmagnum", "", "deployment", owners=CENTRES)
SPRING = position("alexmagnum", "TOL: A MEN, F EGI, G TIR, A SAR; SEL: A BAB")
WINTER = replace(position("alexmagnum", "TOL: A MEN", owners=CENTRES), phase=Phase(318, "winter"))

_NAMES = read_yaml(Path(__file__).with_name("names.yaml"))
FIRST_NAMES = f"{_NAMES['italian']} {_NAMES['english']}".split()
SURNAMES = _NAMES["surnames"].split()

PLACES_AND_NAMES = _NAMES["places"].split()
"""Names that places have too, or nearly: every run tries them all."""

CLOSINGS = _NAMES["closings"]

ORDERS: dict[str, tuple[Position, tuple[str, ...]]] = {
    "picks": (PICKS, ("Ciao!\nScelgo Babilonia", "Babylon", "Ci devo pensare ancora.")),
    "deployment": (DEPLOYMENT, ("G BAB\nA TEB", "Generale: Babilonia", "Ci penso.")),
    "winter": (WINTER, ("A TEB and F TIR", "Rinuncio", "Ci penso.")),
    "removals": (replace(SPRING, phase=Phase(318, "winter")), ("Remove A SAR", "Ci penso.")),
    "movement": (SPRING, ("A MEN - TEB\nF EGI H", "Ci penso.")),
    "retreats": (
        retreating("alexmagnum", "TOL: A MEN, G SAR", "SEL: A TEB"),
        ("A MEN - SIW", "Ci penso."),
    ),
}


SHARE = sized(4, 25) / 100
"""The share of the common names that sign a letter of each kind of phase; rare ones all do."""


def _sign(body: str, closing: str, name: str, surname: str) -> str:
    return body + closing.format(name=name, surname=surname, initial=name[0])


def _texts(kind: str) -> Iterator[tuple[str, str]]:
    """Return letters with a signature, each with its body alone."""
    rng = Random(kind)
    for name in dict.fromkeys((*PLACES_AND_NAMES, *FIRST_NAMES)):
        many = len(CLOSINGS) if name in PLACES_AND_NAMES[: sized(4, 99)] else sized(0, 4)
        chosen = rng.sample(CLOSINGS, many) if many else ()
        chosen = chosen or (rng.sample(CLOSINGS, 1) if rng.random() < SHARE else ())
        for closing in chosen:
            body = rng.choice(ORDERS[kind][1])
            yield body, _sign(body, closing, name, rng.choice(SURNAMES))


@sampled
@pytest.mark.parametrize("kind", ORDERS)
def test_no_signature_is_an_order_in_any_phase(kind: str) -> None:
    where, bodies = ORDERS[kind]
    meant = {body: read_orders(body, where, "TOL").orders for body in bodies}

    for body, text in _texts(kind):
        assert read_orders(text, where, "TOL").orders == meant[body], text


@pytest.mark.parametrize("name", ["Lidia", "Ale", "Rod"])
def test_a_signature_that_could_be_a_centre_is_asked_about_where_there_is_no_pick(
    name: str,
) -> None:
    error = read_orders(f"Ci penso.\n\n{name}", PICKS, "TOL").lines[-1].error

    assert error is not None
    assert error.code == "name-or-centre"


def test_the_name_of_the_writer_is_no_order() -> None:
    for text in (
        "Scelgo Babilonia\nSardi",
        "Sardi\nScelgo Babilonia",
        "Scelgo Babilonia\nM. Sardi",
    ):
        reading = read_orders(text, PICKS, "TOL", writers=["Mario Sardi"])
        assert reading.orders == {"TOL": (Pick("BAB"),)}
    assert read_orders("Sardi", PICKS, "TOL", writers=["Mario Sardi"]).orders == {}
    assert read_orders("Scelgo Sardi", PICKS, "TOL", writers=["Mario Sardi"]).orders


def test_a_power_with_the_writers_name_does_not_get_their_orders() -> None:
    """Viola is a name of Candragrupta too."""
    reading = read_orders("Viola\nScelgo Babilonia", PICKS, "TOL", writers=["Viola Rossi"])

    assert reading.orders == {"TOL": (Pick("BAB"),)}


def test_a_unit_alone_in_winter_is_built_nowhere_but_in_ones_own_vacant_centres() -> None:
    where = replace(WINTER, owners={"MEN": "TOL", "SAR": "SEL"})

    for text in ("A MEN", "A SAR", "A presto", "W. Rossi", "Passo domani"):
        assert read_orders(text, where, "TOL").orders == {}
