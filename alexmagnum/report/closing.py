"""The foot of a report: house rules, who plays, and the seals of the orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from alexmagnum.game.clock import parse_slots
from alexmagnum.report.blocks import power_name
from alexmagnum.report.document import Cell, Column, Items, Section, Table
from alexmagnum.report.views import View
from alexmagnum.report.words import Words

WORDED = (
    *("second_mail", "two_orders", "too_many_builds", "single_retreat"),
    *("ahead", "fuzzy", "missing", "addresses", "press", "press_anonymous", "code_needed"),
)
"""House rules with a sentence to each value."""

FIGURES = ("days_movement", "days_retreats", "days_winter", "days_picks")
"""House rules with one sentence for any value; they count where no weekly slots are set."""

SWITCH = "rules."
"""How settings name the switches of the rules."""


def house_rules(view: View, words: Words) -> Section | None:
    """How this table plays, as sentences."""
    lines = tuple(house_lines(view.shown.house_rules, words))
    return Section("house", words.say("season-house"), Items(lines)) if lines else None


def house_lines(settings: Mapping[str, str], words: Words) -> Iterator[str]:
    """The settings in words; those that are no rule of the table (the language) say nothing."""
    slots = settings.get("slots", "")
    for name, value in settings.items():
        if name in WORDED:
            yield words.say(f"house-{_code(name)}-{value}")
        elif name in FIGURES and not slots:
            yield words.say(f"house-{_code(name)}", value=value)
        elif name.startswith(SWITCH):
            yield _switch(name.removeprefix(SWITCH), value, words)
    if slots:
        times = [
            words.say(f"house-slot-{slot.weekday}", time=f"{slot.at:%H:%M}")
            for slot in parse_slots(slots)
        ]
        yield words.say("house-slots", slots=", ".join(times))


def _switch(name: str, value: str, words: Words) -> str:
    """A switch of the rules; those that are no figure have a sentence to each value."""
    code = f"switch-{_code(name)}"
    worded = f"{code}-{value}"
    return words.say(worded if worded in words.sentences else code, value=value)


def _code(name: str) -> str:
    return name.replace("_", "-")


def players(view: View, words: Words) -> Section | None:
    """Who plays what; addresses where the table publishes them."""
    board = view.shown.position.board
    listed = view.shown.players
    if not listed:
        return None
    columns = [Column("power", words.say("column-power")), Column("name", words.say("column-name"))]
    if any(player.address for player in listed):
        columns.append(Column("address", words.say("column-address")))
    rows = tuple(
        (
            Cell(power_name(board, player.power, words), player.power),
            Cell(player.name),
            *([Cell(player.address)] if len(columns) > 2 else []),
        )
        for player in listed
    )
    return Section("players", words.say("season-players"), Table(tuple(columns), rows))


def seals(view: View, words: Words) -> Section | None:
    """The digest of every power's orders, for comparison with the receipts, and how to work it
    out (see :mod:`alexmagnum.game.sealing`)."""
    board = view.shown.position.board
    listed = view.shown.seals
    if not listed:
        return None
    columns = (
        Column("power", words.say("column-power")),
        Column("digest", words.say("column-digest")),
        Column("salt", words.say("column-salt")),
        Column("orders", words.say("column-orders")),
    )
    rows = tuple(
        (
            Cell(f"{power_name(board, seal.power, words)} ({seal.power})", seal.power),
            Cell(seal.digest),
            Cell(seal.salt),
            Cell("; ".join(seal.orders), list(seal.orders)),
        )
        for seal in listed
    )
    note = words.say("seals-note", phase=view.shown.position.phase)
    return Section("seals", words.say("season-seals"), Table(columns, rows), note)
