"""Findings about names that a player, or the program when it reads orders, could confuse."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from alexmagnum.errors import Fault

if TYPE_CHECKING:
    from alexmagnum.board.geography import Names, Province
    from alexmagnum.board.model import Board, Power

WORDS = frozenset(
    """
    a f g h s c r t tr army armata falange phalanx fleet flotta general generale
    hold holds stand xxx mantiene tiene ferma difende to in via
    supports support app appoggia supporta sostiene convoys convoy convoglia trasporta
    disband scioglie elimina sbanda build costruisce remove rimuove waive rinuncia
    pick sceglie scelgo neu
    """.split()  # noqa: SIM905 (fifty quoted words would be harder to read)
)
"""Words of the notation, which no province may have for a name.

``tra`` is not among them: as a word it stands between two units, where no province can."""


def fold(text: str) -> str:
    """Return a name as it is compared: without case, accents and punctuation.

    >>> fold("Selèuco"), fold("Foci dell'Indo")
    ('seleuco', 'foci dell indo')
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return re.sub(r"[\W_]+", " ", plain.casefold()).strip()


def name_faults(board: Board) -> Iterator[Fault]:
    """Yield all findings about the names of provinces and powers."""
    owners: dict[str, list[str]] = defaultdict(list)
    for province in board.provinces.values():
        for name in _folded_names(province):
            if province.id not in owners[name]:
                owners[name].append(province.id)
    yield from _find_same(board, owners)
    yield from _find_near(board, owners)
    yield from _find_reserved(board, owners)
    yield from _check_powers(board)
    yield from _find_untranslated(board)


def _folded_names(thing: Province | Power) -> set[str]:
    """Return all names of a province or power, folded."""
    return {fold(text) for text in (thing.id, *thing.names.values(), *thing.aliases)}


def _find_same(board: Board, owners: dict[str, list[str]]) -> Iterator[Fault]:
    ids = {fold(pid): pid for pid in board.provinces}
    for name, (first, *others) in owners.items():
        for other in others:
            owner = ids.get(name)
            if owner in (first, other):
                bearer = other if owner == first else first
                data = {"name": name, "province": bearer, "other": str(owner)}
                yield Fault(f"provinces.{bearer}", "name-is-id", data)
            else:
                data = {"name": name, "province": other, "other": first}
                yield Fault(f"provinces.{other}", "same-name", data)


def _find_near(board: Board, owners: dict[str, list[str]]) -> Iterator[Fault]:
    """Yield names of different provinces that are one letter apart and five letters or longer.

    Two aliases may be near each other: they are written on no map.
    """
    proper = {fold(text) for p in board.provinces.values() for text in p.names.values()}
    for a, b in _list_near_pairs(name for name in owners if len(name) >= 5):
        one, two = owners[a][0], owners[b][0]
        if set(owners[a]).isdisjoint(owners[b]) and not proper.isdisjoint((a, b)):
            data = {"name": b, "province": two, "like": a, "other": one}
            yield Fault(f"provinces.{two}", "near-name", data, "warning")


def _list_near_pairs(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs of names that are one letter apart.

    Such names share a variant with one letter left out, so that few pairs have to be compared.
    """
    variants: dict[str, list[str]] = defaultdict(list)
    for name in names:
        for variant in {name} | {name[:i] + name[i + 1 :] for i in range(len(name))}:
            variants[variant].append(name)
    pairs = {pair for alike in variants.values() for pair in combinations(sorted(alike), 2)}
    return sorted((a, b) for a, b in pairs if a != b and _is_one_letter_off(a, b))


def _is_one_letter_off(a: str, b: str) -> bool:
    """Tell whether changing, adding or leaving out one letter turns ``b`` into ``a``."""
    if len(a) > len(b):
        a, b = b, a
    i = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    return a[i + 1 :] == b[i + 1 :] if len(a) == len(b) else a[i:] == b[i + 1 :]


def _find_reserved(board: Board, owners: dict[str, list[str]]) -> Iterator[Fault]:
    """Yield provinces named like a power or like a word of the notation.

    A power's name is a warning only: where an order may name a power, no province can be.
    """
    powers = {name: power for power in board.powers.values() for name in _folded_names(power)}
    for name, provinces in owners.items():
        for province in provinces:
            where, data = f"provinces.{province}", {"name": name, "province": province}
            if name in WORDS:
                yield Fault(where, "name-is-word", data)
            elif name in powers:
                named = {**data, "power": powers[name].id}
                yield Fault(where, "name-is-power", named, "warning")


def _check_powers(board: Board) -> Iterator[Fault]:
    owner: dict[str, str] = {}
    for power in board.powers.values():
        for name in sorted(_folded_names(power)):
            other = owner.setdefault(name, power.id)
            if other != power.id:
                data = {"name": name, "power": power.id, "other": other}
                yield Fault(f"powers.{power.id}", "same-power-name", data)


def _find_untranslated(board: Board) -> Iterator[Fault]:
    """Yield what has no name in one of the languages of the map's own name."""
    named: list[tuple[str, Names]] = [
        *((f"powers.{p.id}", p.names) for p in board.powers.values()),
        *((f"provinces.{p.id}", p.names) for p in board.provinces.values()),
        *((f"rivers.{r.id}", r.names) for r in board.rivers),
        *((f"portages.{p.id}", p.names) for p in board.portages),
        *((f"coasts.{c.code}", c.names) for c in board.coasts.values()),
    ]
    for where, names in named:
        for language in board.names:
            if language not in names:
                data = {"language": language}
                yield Fault(f"{where}.name", "language-missing", data, "warning")
