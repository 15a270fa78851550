"""Links that open a position: both ways, and what is damaged."""

from __future__ import annotations

import re

import pytest

from alexmagnum.errors import AlexMagnumError
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.notation import write_order
from alexmagnum.position import Position
from alexmagnum.report.sheet import (
    LONG,
    SharedTable,
    find_fragment,
    make_fragment,
    read_fragment,
    read_table_text,
    write_fragment,
)
from tools.pictures import sample_turn

SMALL = "standard 1901-spring Austria:AVIE Italy:FADR,AVEN"
SPECIAL = (
    "alexmagnum[sea_capacity=2] 318-spring-retreats"
    " SEL:AMEN TOL:GALE,FEGI#2,AMEN!SEL.ATEB>SIW:ALE:CIP:2"
)


@pytest.mark.parametrize("text", [SMALL, SPECIAL])
def test_a_small_position_can_be_read_in_its_link(text: str) -> None:
    fragment = make_fragment(Position.from_text(text))

    assert fragment.startswith("t:" + text.partition("[")[0].partition(" ")[0])
    assert re.fullmatch(r"[\w.!~*'()%/:;,=+-]+", fragment)
    assert read_fragment(fragment) == SharedTable(text, {})


def test_a_turn_with_all_its_orders_comes_back_from_a_short_link() -> None:
    position, orders = sample_turn()

    fragment = make_fragment(position, orders)

    assert fragment.startswith("z:")
    assert len(fragment) < 1200
    shared = read_fragment(fragment)
    assert Position.from_text(shared.position) == position
    assert shared.orders == {
        power: tuple(write_order(order) for order in listed) for power, listed in orders.items()
    }


def test_the_length_decides_which_form_a_link_has() -> None:
    text = "standard 1901-spring Austria:"
    below = SharedTable(text + "A" * (LONG - len(text) - 2), {})
    above = SharedTable(text + "A" * (LONG - len(text) - 1), {})

    assert write_fragment(below).startswith("t:")
    assert write_fragment(above).startswith("z:")
    assert [read_fragment(write_fragment(each)) for each in (below, above)] == [below, above]


@pytest.mark.parametrize(
    "text",
    [
        SPECIAL,
        "alexmagnum 318-winter SEL:ABAB:BAB TOL:GALE,FEGI#2:ALE,MEN,TEB:CIP:2",
        "alexmagnum 323-2 TOL:::ALE",
        "standard 1901-autumn England:FNTH,AYOR France:FENG,APIC",
    ],
)
def test_orders_of_every_kind_of_phase_come_back(text: str) -> None:
    position = Position.from_text(text)
    orders = {power: legal_orders_of(position, power) for power in position.board.powers}

    shared = read_fragment(make_fragment(position, orders))

    assert any(orders.values())
    assert shared.orders == {
        power: tuple(write_order(order) for order in listed)
        for power, listed in orders.items()
        if listed
    }


def test_a_map_whose_id_has_underscores_comes_back() -> None:
    shared = SharedTable("my_map~2 1901-spring Austria:AVIE", {})

    assert read_fragment(write_fragment(shared)) == shared


def test_a_link_is_found_in_what_people_paste() -> None:
    fragment = make_fragment(Position.from_text(SMALL))

    assert find_fragment(f"Look at https://example.org/sandbox.html#{fragment}.") == fragment
    assert find_fragment(f"<file:///home/ada/sandbox.html#{fragment}>") == fragment
    assert find_fragment(fragment) == fragment
    assert find_fragment(SMALL) == ""
    assert find_fragment("see https://example.org/#top") == ""


def test_a_line_break_in_a_position_counts_as_a_blank() -> None:
    wrapped = (
        SMALL.replace(" Italy", "\nItaly") + "\nAustria: A VIE - TYR;  F ADR H\nItaly: A VEN H"
    )

    assert read_table_text(wrapped) == SharedTable(
        SMALL, {"Austria": ("A VIE - TYR", "F ADR H"), "Italy": ("A VEN H",)}
    )


def test_what_is_cut_off_or_damaged_is_refused() -> None:
    fragment = make_fragment(*sample_turn())

    for damaged in (fragment[:-5], fragment[:40], "z:" + "A" * 50, "z:%%%", "t:%FF%FE", "t:a_b~c"):
        with pytest.raises(AlexMagnumError, match="link-unreadable"):
            read_fragment(damaged)
