"""What is written parses back to itself, and the two readers agree."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum import notation
from alexmagnum import orders as order_types
from alexmagnum.board.model import Board
from alexmagnum.errors import NotationError
from alexmagnum.notation.order_parser import OrderParser
from alexmagnum.notation.words import lexicon
from alexmagnum.notation.writer import CanonicalReader
from alexmagnum.position import Dislodged, Phase, Position, Unit
from tests.case_library import cases_in, read_yaml
from tests.notation.tables import board, position, retreating
from tests.sizes import drawn, sampled, sized

PHASES = ("spring", "retreats", "winter", "deployment", "picks")


@cache
def spots(map_id: str) -> tuple[tuple[str, str, str, int], ...]:
    """List every kind, province, coast and number that a unit can have on a map."""
    return tuple(
        (kind, p.id, coast, number)
        for p in board(map_id).provinces.values()
        for kind in ("F" if p.is_sea else "AF" if p.coastal or p.rivers else "A")
        for coast in ((p.coasts or ("",)) if kind == "F" else ("",))
        for number in range(1, p.capacity + 1)
    )


@st.composite
def positions(draw: st.DrawFn) -> Position:
    map_id = draw(st.sampled_from(["standard", "alexmagnum"]))
    powers = list(board(map_id).powers)
    chosen = draw(
        st.lists(
            st.sampled_from(spots(map_id)),
            min_size=2,
            max_size=12,
            unique_by=lambda spot: (spot[1], spot[3]),
        )
    )
    if map_id == "alexmagnum":  # a crowded sea, mostly
        seas = [spot for spot in spots(map_id) if board(map_id).provinces[spot[1]].is_sea]
        sea = draw(st.sampled_from(seas))
        taken = {(spot[1], spot[3]) for spot in chosen}
        chosen += [("F", sea[1], "", n) for n in (1, 2, 3) if (sea[1], n) not in taken]
    units = tuple(
        Unit(draw(st.sampled_from(powers)), kind, at, coast, number)
        for kind, at, coast, number in chosen
    )
    if (season := draw(st.sampled_from(PHASES))) != "retreats":
        return Position(board(map_id), Phase(318, season), units)
    by = Unit(powers[0], "A", "ROM" if map_id == "standard" else "ROD")
    return Position(
        board(map_id),
        Phase(318, "spring", retreats=True),
        (),
        dislodged=tuple(Dislodged(unit, by, ()) for unit in units),
    )


def _goals(where: Position) -> st.SearchStrategy[str]:
    """Provinces, coasts, and the fleets of seas that hold some."""
    provinces = where.board.provinces.values()
    fleets = [u.place for u in where.units if where.board.provinces[u.province].capacity > 1]
    coasts = [f"{p.id}/{coast}" for p in provinces for coast in p.coasts]
    return st.sampled_from([*(p.id for p in provinces), *coasts, *fleets * 5])


def orders(where: Position) -> st.SearchStrategy[order_types.Order]:
    """Draw any order of the position's phase, sensible or not."""
    unit = st.sampled_from(sorted(where.names))
    match where.phase.kind:
        case "movement":
            goal = _goals(where)
            return st.one_of(
                st.builds(order_types.Hold, unit),
                st.builds(order_types.Move, unit, goal, st.booleans()),
                st.builds(order_types.Support, unit, unit, st.none() | goal),
                st.builds(order_types.Convoy, unit, unit, goal),
            )
        case "retreats":
            coasts = [f"{p.id}/{c}" for p in where.board.provinces.values() for c in p.coasts]
            goal = st.sampled_from([*where.board.provinces, *coasts])
            return st.builds(order_types.Retreat, unit, goal) | st.builds(order_types.Disband, unit)
        case "winter":
            return st.one_of(
                st.builds(order_types.Remove, unit),
                _builds(where.board),
                st.builds(order_types.Waive),
            )
        case "deployment":
            return _builds(where.board) | st.builds(order_types.Waive)
    return st.builds(order_types.Pick, st.sampled_from(sorted(where.board.provinces)))


def _builds(on: Board) -> st.SearchStrategy[order_types.Build]:
    new = [f"{kind} {p.id}" for p in on.provinces.values() for kind in "AFG"]
    new += [f"F {p.id}/{coast}" for p in on.provinces.values() for coast in p.coasts]
    return st.builds(order_types.Build, st.sampled_from(new))


@drawn(27, 1200)
@given(st.data())
def test_what_is_written_reads_back(data: st.DataObject) -> None:
    """Read an order alone, in a mail, in lower case, and strictly, without any assumption."""
    where = data.draw(positions())
    order = data.draw(orders(where))
    text = notation.write_order(order)

    assert notation.read_order(text, where) == order
    assert (
        notation.read_order(text.lower(), where, settings=notation.NotationSettings(fuzzy="refuse"))
        == order
    )
    for lang in lexicon().describe:
        assert notation.read_order(notation.order_in(text, lang), where) == order
    power = next(iter(where.board.powers))
    if not isinstance(order, (order_types.Build, order_types.Pick, order_types.Waive)):
        power = where.names[order.unit].power
    reading = notation.read_orders(f"  - {text} !", where, power)
    if not (where.phase.kind == "winter" and isinstance(order, order_types.Remove)):
        assert reading.orders == {power: (order,)}
        assert reading.lines[0].notices == ()


@drawn(18, 600)
@given(st.data())
def test_the_fast_reader_and_the_tolerant_one_agree(data: st.DataObject) -> None:
    """Compare them on any movement order, for its power, for another one, and for none."""
    where = replace(data.draw(positions()), phase=Phase(318, "spring"), dislodged=())
    if not where.units:
        return
    text = notation.write_order(data.draw(orders(where)))
    for power in (None, *where.board.powers):
        assert CanonicalReader(where).read(text, power) in (None, _tolerant(text, where, power))
    assert CanonicalReader(where).read(text, None) is not None or "/" in text.split(" - ")[0]


def _tolerant(text: str, where: Position, power: str | None) -> order_types.Order | None:
    try:
        return OrderParser(text, where, power, lexicon(), notation.NotationSettings()).parse()
    except NotationError:
        return None


def test_the_readers_agree_on_the_datc() -> None:
    """Whatever the fast reader takes, the tolerant one reads the same."""
    for case in cases_in("datc"):
        if (where := case.turn.position) is None or where.phase.kind != "movement":
            continue
        for power, lines in case.turn.orders.items():
            for text in lines:
                fast = CanonicalReader(where).read(text, power)
                assert fast in (None, _tolerant(text, where, power)), case.id


def test_a_whole_turn_is_read_fast() -> None:
    """Canonical lines are read as values, and in the order written."""
    units = (Unit("Italy", "A", "ROM"), Unit("Italy", "A", "VEN"))
    where = Position(board("standard"), Phase(1901, "spring"), units)
    lines = {"Italy": ["A ROM - APU", "A VEN S A ROM - APU", "a ven h"]}

    assert notation.read_canonical(lines, where) == {
        "Italy": (
            order_types.Move("A ROM", "APU"),
            order_types.Support("A VEN", "A ROM", "APU"),
            order_types.Hold("A VEN"),
        )
    }


@drawn(9, 400)
@given(st.data())
def test_every_order_is_described_in_both_languages(data: st.DataObject) -> None:
    """Check that a description has the names of the map, and nothing left to fill in."""
    where = data.draw(positions())
    order = data.draw(orders(where))
    texts = {lang: notation.describe_order(order, where.board, lang) for lang in ("it", "en")}

    assert texts["it"] != texts["en"]
    assert not any("{" in text or "#" in text for text in texts.values())


# Signatures below orders: no name of a person is an order, whatever the phase and the closing.


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
        many = len(CLOSINGS) if name in PLACES_AND_NAMES[: sized(4, 99)] else sized(0, 2)
        chosen = rng.sample(CLOSINGS, many) if many else ()
        chosen = chosen or (rng.sample(CLOSINGS, 1) if rng.random() < SHARE else ())
        for closing in chosen:
            body = rng.choice(ORDERS[kind][1])
            yield body, _sign(body, closing, name, rng.choice(SURNAMES))


@sampled
@pytest.mark.parametrize("kind", ORDERS)
def test_no_signature_is_an_order_in_any_phase(kind: str) -> None:
    where, bodies = ORDERS[kind]
    meant = {body: notation.read_orders(body, where, "TOL").orders for body in bodies}

    for body, text in _texts(kind):
        assert notation.read_orders(text, where, "TOL").orders == meant[body], text


@pytest.mark.parametrize("name", ["Lidia", "Ale", "Rod"])
def test_a_signature_that_could_be_a_centre_is_asked_about_where_there_is_no_pick(
    name: str,
) -> None:
    error = notation.read_orders(f"Ci penso.\n\n{name}", PICKS, "TOL").lines[-1].error

    assert error is not None
    assert error.code == "name-or-centre"


def test_the_name_of_the_writer_is_no_order() -> None:
    for text in (
        "Scelgo Babilonia\nSardi",
        "Sardi\nScelgo Babilonia",
        "Scelgo Babilonia\nM. Sardi",
    ):
        reading = notation.read_orders(text, PICKS, "TOL", writers=["Mario Sardi"])
        assert reading.orders == {"TOL": (order_types.Pick("BAB"),)}
    assert notation.read_orders("Sardi", PICKS, "TOL", writers=["Mario Sardi"]).orders == {}
    assert notation.read_orders("Scelgo Sardi", PICKS, "TOL", writers=["Mario Sardi"]).orders
    for text, counts in (("Un giorno in più?\nAnna\nSardi", False), ("Anna\nSardi", True)):
        reading = notation.read_orders(text, PICKS, "TOL", writers=["Anna Neri"])
        assert bool(reading.orders) == counts


def test_a_power_with_the_writers_name_does_not_get_their_orders() -> None:
    """Viola is a name of Candragrupta too."""
    reading = notation.read_orders("Viola\nScelgo Babilonia", PICKS, "TOL", writers=["Viola Rossi"])

    assert reading.orders == {"TOL": (order_types.Pick("BAB"),)}


def test_a_unit_alone_in_winter_is_built_nowhere_but_in_ones_own_vacant_centres() -> None:
    where = replace(WINTER, owners={"MEN": "TOL", "SAR": "SEL"})

    for text in ("A MEN", "A SAR", "A presto", "W. Rossi", "Passo domani"):
        assert notation.read_orders(text, where, "TOL").orders == {}
