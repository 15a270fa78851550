"""Checks that a map holds together: everything that play relies on, checked at loading.

Each check takes the board as read and yields its faults; no check stops at the first fault.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from alexmagnum.board.geography import ARMY, BOTH, FLEET, split_location
from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.board.switches import near
from alexmagnum.errors import Fault

if TYPE_CHECKING:
    from alexmagnum.board.geography import Border, Province, River
    from alexmagnum.board.map_reader import Draft
    from alexmagnum.board.model import Power

_UNIT = re.compile(r"([AFG]) ([A-Z][A-Z0-9]*)(?:/([A-Z]+))?")


def soundness_faults(draft: Draft) -> Iterator[Fault]:
    """Yield everything in a well-formed map that would make play impossible or undefined."""
    board = draft.board
    for province in board.provinces.values():
        yield from _check_province(board, province)
    yield from _check_borders(draft)
    for river in board.rivers:
        yield from _check_river(board, river)
    yield from _check_portages(board)
    yield from _check_straits(draft)
    for power in board.powers.values():
        yield from _check_power(board, power)
    yield from _check_ownership(board)
    if not draft.has_era and _years_count_down(board):
        yield Fault("era", "era-missing", _first_and_last(board))
        board = replace(board, years_bc=True)
    yield from start_faults(board)
    yield from _check_colors(board)


def start_faults(board: Board) -> Iterator[Fault]:
    """Yield what makes the start impossible to play with the switches of a board.

    A new game that changes switches checks this again.
    """
    yield from _check_generals(board)
    yield from calendar_faults(board)
    yield from _check_victory(board)


def calendar_faults(board: Board) -> Iterator[Fault]:
    """Yield a fault unless the years count from the first to the last."""
    rules = board.rules
    if not rules.last_year or rules.first_year == rules.last_year:
        return
    counts_down = _years_count_down(board)
    if counts_down != board.years_bc:
        code = "years-down" if counts_down else "years-up"
        yield Fault("era", code, _first_and_last(board))


def kinds_of_border(board: Board) -> dict[tuple[str, str], str]:
    """Return the border kind by pair of locations as the map gives them, both ways round."""
    kinds = {(b.a, b.b): b.kind for b in board.borders}
    return {(b, a): kind for (a, b), kind in kinds.items()} | kinds


def unknown_province(board: Board, where: str, text: str) -> Fault:
    """Return the fault of a text that should be a province id."""
    return Fault(where, "no-such-province", {"province": text, "near": near(text, board.provinces)})


def _check_province(board: Board, province: Province) -> Iterator[Fault]:
    where = f"provinces.{province.id}"
    yield from _check_rivers_of(board, province)
    yield from _check_coasts_of(board, province)
    if province.is_sea and (province.coastal or province.coasts or province.centre):
        yield Fault(where, "land-keys-at-sea", {"province": province.id})
    if province.coasts and not province.coastal:
        yield Fault(f"{where}.coasts", "coasts-inland", {"province": province.id})
    if province.major and not province.centre:
        yield Fault(f"{where}.major", "major-without-centre", {"province": province.id})


def _check_rivers_of(board: Board, province: Province) -> Iterator[Fault]:
    """Check that the rivers that a province lists exist and pass through it."""
    where = f"provinces.{province.id}"
    rivers = {river.id: river for river in board.rivers}
    for river in province.rivers:
        if river not in rivers:
            data = {"river": river, "near": near(river, rivers)}
            yield Fault(f"{where}.river", "unknown-river", data)
        elif province.id not in rivers[river].course:
            data = {"river": river, "province": province.id}
            yield Fault(f"{where}.river", "river-not-on-course", data)


def _check_coasts_of(board: Board, province: Province) -> Iterator[Fault]:
    """Check that the separate coasts that a province lists exist and are several."""
    where = f"provinces.{province.id}"
    for coast in province.coasts:
        if coast not in board.coasts:
            data = {"coast": coast, "near": near(coast, board.coasts)}
            yield Fault(f"{where}.coasts", "coast-not-listed", data)
    if len(province.coasts) == 1 or len(set(province.coasts)) < len(province.coasts):
        yield Fault(f"{where}.coasts", "not-several-coasts", {"province": province.id})


def _check_borders(draft: Draft) -> Iterator[Fault]:
    board = draft.board
    seen: dict[frozenset[str], tuple[str, str]] = {}
    for i, border in zip(draft.border_at, board.borders, strict=True):
        where = f"borders[{i}]"
        data = {"a": border.a, "b": border.b}
        problems = [
            f for end in (border.a, border.b) for f in _check_end(board, where, border, end)
        ]
        yield from problems
        if problems:
            continue
        if split_location(border.a)[0] == split_location(border.b)[0]:
            yield Fault(where, "border-with-itself", data)
            continue
        first, kind = seen.setdefault(frozenset((border.a, border.b)), (where, border.kind))
        if kind != border.kind:
            yield Fault(where, "border-conflict", {**data, "first": first})
        elif first != where:
            yield Fault(where, "border-twice", {**data, "first": first}, "warning")


def _check_end(board: Board, where: str, border: Border, end: str) -> Iterator[Fault]:
    """Yield the faults of one end of a border."""
    name, slash, coast = end.partition("/")
    province = board.provinces.get(name)
    data = {"a": border.a, "b": border.b, "province": name}
    if province is None:
        yield unknown_province(board, where, name)
        return
    if slash and coast not in province.coasts:
        yield Fault(where, "no-such-coast", {"location": end})
    elif slash and border.kind != FLEET:
        yield Fault(where, "army-border-with-coast", data)
    elif province.coasts and not slash and border.kind != ARMY:
        yield Fault(where, "coast-missing", {**data, "known": ", ".join(province.coasts)})
    if province.is_sea and border.kind != FLEET:
        yield Fault(where, "army-border-at-sea", data)
    if border.kind != ARMY and not _takes_fleets(province):
        yield Fault(where, "fleet-border-inland", data)


def _takes_fleets(province: Province) -> bool:
    return province.is_sea or province.coastal or bool(province.rivers)


def _check_river(board: Board, river: River) -> Iterator[Fault]:
    where = f"rivers.{river.id}.course"
    for name in river.course:
        province = board.provinces.get(name)
        if province is None:
            yield unknown_province(board, where, name)
        elif province.is_sea:
            yield Fault(where, "river-at-sea", {"river": river.id, "province": name})
        elif river.id not in province.rivers:
            data = {"river": river.id, "province": name}
            yield Fault(f"provinces.{name}.river", "river-not-listed", data)
    kinds = kinds_of_border(board)
    for a, b in zip(river.course, river.course[1:], strict=False):
        if a in board.provinces and b in board.provinces and kinds.get((a, b)) != BOTH:
            yield Fault(where, "river-step", {"river": river.id, "a": a, "b": b})


def _check_portages(board: Board) -> Iterator[Fault]:
    for portage in board.portages:
        where = f"portages.{portage.id}"
        over = board.provinces.get(portage.over)
        if over is None:
            yield unknown_province(board, f"{where}.over", portage.over)
        elif over.is_sea:
            yield Fault(f"{where}.over", "portage-over-sea", {"province": portage.over})
        for end in (*portage.ends[0], *portage.ends[1]):
            if end not in board.provinces:
                yield unknown_province(board, f"{where}.ends", end)
            elif not board.provinces[end].is_sea:
                yield Fault(f"{where}.ends", "portage-end-on-land", {"province": end})
        for end in set(portage.ends[0]) & set(portage.ends[1]):
            yield Fault(f"{where}.ends", "portage-ends-meet", {"province": end})
        for raider in portage.raiders:
            if raider not in board.provinces:
                yield unknown_province(board, f"{where}.raiders", raider)
            elif board.provinces[raider].is_sea:
                yield Fault(f"{where}.raiders", "raider-at-sea", {"province": raider})


def _check_straits(draft: Draft) -> Iterator[Fault]:
    board = draft.board
    kinds = kinds_of_border(board)
    for i, strait in zip(draft.strait_at, board.straits, strict=True):
        where = f"straits[{i}]"
        a, b = strait.between
        unknown = [name for name in (a, b, strait.over) if name not in board.provinces]
        yield from (unknown_province(board, where, name) for name in unknown)
        if unknown:
            continue
        if kinds.get((a, b)) != strait.kind:
            data = {"a": a, "b": b, "kind": strait.kind}
            yield Fault(where, "strait-without-border", data)
        if not board.provinces[strait.over].is_sea:
            yield Fault(where, "strait-over-land", {"province": strait.over})


def _check_power(board: Board, power: Power) -> Iterator[Fault]:
    where = f"powers.{power.id}"
    if power.id == INDEPENDENT:
        yield Fault(f"{where}.id", "reserved-id", {"id": power.id})
    for home in power.homes:
        if home not in board.provinces:
            yield unknown_province(board, f"{where}.start_centres", home)
        elif board.provinces[home].centre != "fixed":
            yield Fault(f"{where}.start_centres", "home-not-fixed", {"province": home})
    for text in power.units:
        yield from _check_unit(board, f"{where}.units", text)
    if sum(text.startswith("G ") for text in power.units) > 1:
        yield Fault(f"{where}.units", "two-generals", {"power": power.id})


def _check_generals(board: Board) -> Iterator[Fault]:
    """Check that no power starts with a general in a game without nobility."""
    for power in board.powers.values():
        if not board.rules.nobility and any(text.startswith("G ") for text in power.units):
            data = {"power": power.id}
            yield Fault(f"powers.{power.id}.units", "general-without-nobility", data)


def _check_unit(board: Board, where: str, text: str) -> Iterator[Fault]:
    """Yield the faults of a starting unit."""
    match = _UNIT.fullmatch(text)
    if not match:
        yield Fault(where, "not-unit", {"found": text})
        return
    kind, name, coast = match.groups(default="")
    province = board.provinces.get(name)
    if province is None:
        yield unknown_province(board, where, name)
    elif coast and coast not in province.coasts:
        yield Fault(where, "no-such-coast", {"location": f"{name}/{coast}"})
    elif kind != "F" and province.is_sea:
        yield Fault(where, "army-afloat", {"unit": text})
    elif kind == "F" and not _takes_fleets(province):
        yield Fault(where, "fleet-inland", {"unit": text})
    elif (kind == "F") != bool(coast) and province.coasts:
        yield Fault(where, "coast-unsaid" if kind == "F" else "army-on-coast", {"unit": text})


def _check_ownership(board: Board) -> Iterator[Fault]:
    """Check that starting units fit in their provinces and each fixed centre has one owner."""
    standing: Counter[str] = Counter()
    owner: dict[str, str] = {}
    for power in board.powers.values():
        for text in power.units:
            match = _UNIT.fullmatch(text)
            if match and match[2] in board.provinces:
                standing[match[2]] += 1
                if standing[match[2]] == board.provinces[match[2]].capacity + 1:
                    yield Fault(f"powers.{power.id}.units", "over-capacity", {"unit": text})
        for home in power.homes:
            if owner.setdefault(home, power.id) != power.id:
                data = {"province": home, "other": owner[home]}
                yield Fault(f"powers.{power.id}.start_centres", "home-of-two", data)
    for province in board.provinces.values():
        if province.centre == "fixed" and province.id not in owner:
            data = {"province": province.id}
            yield Fault(f"provinces.{province.id}.centre", "fixed-without-power", data)


def _years_count_down(board: Board) -> bool:
    return bool(board.rules.last_year) and board.rules.last_year < board.rules.first_year


def _first_and_last(board: Board) -> dict[str, str]:
    return {"first": str(board.rules.first_year), "last": str(board.rules.last_year)}


def _check_victory(board: Board) -> Iterator[Fault]:
    """Check that no power has won before the game begins (R33)."""
    needed = board.rules.victory_centres
    for power in board.powers.values():
        if len(set(power.homes)) >= needed:
            data = {"power": power.id, "needed": str(needed)}
            yield Fault("rules.victory_centres", "won-at-start", data)


def _check_colors(board: Board) -> Iterator[Fault]:
    """Check that no two powers have the same colour."""
    owner: dict[str, str] = {}
    for power in board.powers.values():
        first = owner.setdefault(power.color.casefold(), power.id) if power.color else power.id
        if first != power.id:
            data = {"power": power.id, "other": first, "color": power.color}
            yield Fault(f"powers.{power.id}.color", "same-color", data)
