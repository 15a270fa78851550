"""The last sections of a report: house rules, players, and the seals of the orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from alexmagnum.game.clock import parse_slots
from alexmagnum.game.settings import BY_MAIL
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.report.document import Cell, Column, Items, Section, Table
from alexmagnum.report.names import name_player, power_name
from alexmagnum.report.views import View

WORDED = (
    "second_mail",
    "two_orders",
    "too_many_builds",
    "single_retreat",
    "ahead",
    "fuzzy",
    "missing",
    "addresses",
    "names",
    "names_at_end",
    "press",
    "press_anonymous",
    "code_needed",
)
"""House rules with a sentence for each value."""

FIGURES = ("days_movement", "days_retreats", "days_winter", "days_picks")
"""House rules with one sentence for any value; weekly slots replace them."""

SWITCH = "rules."
"""The beginning of the settings that are switches of the rules."""


def house_rules_section(view: View, sentences: Sentences) -> Section | None:
    """Return the house rules; people read them in the first report, then where they stand."""
    section = list_house_rules(view, sentences)
    if section is None or view.content.lists_house_rules:
        return section
    pointer = sentences.format(_pointer(view.content.house_rules))
    return replace(section, pointer=pointer, folded=False)


def changed_house_rules_section(view: View, sentences: Sentences) -> Section | None:
    """Return the house rules that changed during the phase: those in force now, then the old."""
    rules, changes = view.content.house_rules, view.content.setting_changes
    public = {name: change for name, change in changes.items() if _is_public(name, rules)}
    if not public or view.content.lists_house_rules:
        return None
    before = {**rules, **{name: old for name, (old, _) in public.items()}}
    after = {**rules, **{name: new for name, (_, new) in public.items()}}
    old, new = (
        list(format_house_rules({n: v for n, v in settings.items() if v}, sentences))
        for settings in (before, after)
    )
    lines = [
        *(sentences.format("house-now", rule=rule) for rule in new if rule not in old),
        *(sentences.format("house-no-longer", rule=rule) for rule in old if rule not in new),
    ]
    if not lines:
        return None
    return Section("house-changed", sentences.format("section-house-changed"), Items(tuple(lines)))


def _is_public(name: str, house_rules: Mapping[str, str]) -> bool:
    """Tell whether players see a setting; a switch is none of the settings once it is unset."""
    return name in house_rules or name.startswith(SWITCH)


def list_house_rules(view: View, sentences: Sentences) -> Section | None:
    """Return the house rules of the game, whoever reads them."""
    lines = tuple(format_house_rules(view.content.house_rules, sentences))
    if not lines:
        return None
    return Section("house", sentences.format("section-house"), Items(lines), folded=True)


def _pointer(house_rules: Mapping[str, str]) -> str:
    """Return the code of the sentence that says where the house rules are."""
    return "house-pointer-mail" if BY_MAIL[0] in house_rules else "house-pointer"


def format_house_rules(settings: Mapping[str, str], sentences: Sentences) -> Iterator[str]:
    """Yield the house rules among some settings in words."""
    slots = settings.get("slots", "")
    for name, value in settings.items():
        if name in WORDED:
            yield sentences.format(f"house-{_code(name)}-{value}")
        elif name in FIGURES and not slots:
            yield sentences.format(f"house-{_code(name)}", value=value)
        elif name.startswith(SWITCH):
            yield _format_switch(name.removeprefix(SWITCH), value, sentences)
    if slots:
        times = [
            sentences.format(f"house-slot-{slot.weekday}", time=f"{slot.at:%H:%M}")
            for slot in parse_slots(slots)
        ]
        yield sentences.format("house-slots", slots=", ".join(times))


def _format_switch(name: str, value: str, sentences: Sentences) -> str:
    """Return a switch of the rules in words; switches without figures have a sentence per value."""
    code = f"switch-{_code(name)}"
    worded = f"{code}-{value}"
    return sentences.format(worded if worded in sentences.templates else code, value=value)


def _code(name: str) -> str:
    """Return the name of a setting as it stands in the codes of sentences."""
    return name.replace("_", "-")


def players_section(view: View, sentences: Sentences) -> Section | None:
    """Return who plays each power, with addresses if the game publishes them."""
    board = view.content.position.board
    players = view.content.players
    if not players:
        return None
    columns = [
        Column("power", sentences.format("column-power")),
        Column("name", sentences.format("column-name")),
    ]
    if any(player.address for player in players):
        columns.append(Column("address", sentences.format("column-address")))
    rows = tuple(
        (
            Cell(power_name(board, player.power, sentences), player.power),
            Cell(name_player(player, sentences)),
            *([Cell(", ".join(player.addresses))] if len(columns) > 2 else []),
        )
        for player in players
    )
    return Section("players", sentences.format("section-players"), Table(tuple(columns), rows))


def seals_section(view: View, sentences: Sentences) -> Section | None:
    """Return the seal of every power's orders, so that players can compare it with their receipts.

    :mod:`alexmagnum.game.seals` explains seals.
    """
    board = view.content.position.board
    seals = view.content.seals
    if not seals:
        return None
    columns = (
        Column("power", sentences.format("column-power")),
        Column("digest", sentences.format("column-digest")),
        Column("salt", sentences.format("column-salt")),
        Column("orders", sentences.format("column-orders")),
    )
    rows = tuple(
        (
            Cell(f"{power_name(board, seal.power, sentences)} ({seal.power})", seal.power),
            Cell(seal.digest),
            Cell(seal.salt),
            Cell("; ".join(seal.orders), list(seal.orders)),
        )
        for seal in seals
    )
    note = sentences.format("seals-note", phase=view.content.position.phase)
    title = sentences.format("section-seals")
    return Section("seals", title, Table(columns, rows), note, folded=True)
