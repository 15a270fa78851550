"""Keep the places of a map's names in the user's cache, so that they are searched for only once.

They are the places on the empty map, which every picture of it begins from: no unit and no order
has a part in them.  What the cache holds is never trusted: names that do not fit the map, or stand
where none is ever tried, are placed anew.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Any

from alexmagnum.draw.atlas import Atlas, ProvinceDrawing
from alexmagnum.draw.fleet_places import FARTHEST, move_fleet_places
from alexmagnum.draw.labels import Label, LabelPlacing, can_place_at, place_labels
from alexmagnum.draw.paths import distance
from alexmagnum.draw.scene import Point
from alexmagnum.user_cache import find_cache_folder, read_cached, write_cached

_CODE = (
    *("atlas.py", "fleet_places.py", "grid.py", "label_costs.py", "labels.py", "name_store.py"),
    *("paths.py", "scene.py", "symbols.py", "fonts/__init__.py", "fonts/metrics.json"),
)
"""The files that decide where names stand: after a change of one, names are placed anew."""

Named = tuple[tuple[Label, ...], Atlas]
"""The names of a map, and its atlas with the places of fleets that fit them."""


def place_names(placing: LabelPlacing) -> Named:
    """Return the names of a whole map, kept or found now, and the atlas with its fleets moved."""
    if placing.atlas.is_part or find_cache_folder() is None:
        return _place(placing)
    key = make_key(placing)
    name = f"names-{key[:24]}.json"
    kept = _read(read_cached(name), key, placing)
    if kept is not None:
        return kept
    made = _place(placing)
    write_cached(name, _write(made, key))
    return made


def _place(placing: LabelPlacing) -> Named:
    """Place all names, then the fleets."""
    names = place_labels(placing)
    return names, move_fleet_places(placing.board, placing.atlas, placing.grid, names)


def make_key(placing: LabelPlacing) -> str:
    """Return a digest of all that the places depend on: map, language, letters and program."""
    board, atlas, lang = placing.board, placing.atlas, placing.lang
    provinces = [(p.id, p.is_sea, p.name(lang)) for p in board.provinces.values()]
    lettered = [
        (feature.look, feature.names.get(lang, feature.name), feature.label)
        for feature in atlas.of("impassable")
    ]
    grounds = [
        (g.id, [len(ring) for ring in g.rings], g.slots, g.name, g.city, sorted(g.coasts.items()))
        for g in atlas.grounds.values()
    ]
    sheet = atlas.width, atlas.height, atlas.least_letter, next(iter(board.names), "")
    digest = hashlib.sha256(
        repr((_digest_of_code(), lang, provinces, lettered, grounds, sheet)).encode()
    )
    rings = chain.from_iterable(ground.rings for ground in atlas.grounds.values())
    digest.update(array("d", chain.from_iterable(chain.from_iterable(rings))).tobytes())
    return digest.hexdigest()


@cache
def _digest_of_code() -> str:
    """Return a digest of the files that decide where names stand."""
    here, digest = Path(__file__).parent, hashlib.sha256()
    for name in _CODE:
        digest.update((here / name).read_bytes())
    return digest.hexdigest()


def _write(named: Named, key: str) -> str:
    """Return names and places of fleets as the text of a file."""
    names, atlas = named
    rows = [
        [name.province, name.lines, name.at, name.size, name.angle, name.bend] for name in names
    ]
    slots = {ground.id: ground.slots for ground in atlas.grounds.values()}
    return json.dumps({"about": "may be deleted", "key": key, "names": rows, "slots": slots})


def _read(content: bytes | None, key: str, placing: LabelPlacing) -> Named | None:
    """Return the names and places in a file; None if it holds none that fit the map."""
    if content is None:
        return None
    try:
        raw = json.loads(content)
        if raw["key"] != key:
            return None
        names = tuple(_read_names(raw["names"], placing))
        order = [id_ for id_ in placing.atlas.grounds if id_ in {n.province for n in names}]
        if [name.province for name in names] != order:
            return None
        return names, _move_fleets(placing, raw["slots"])
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        return None


def _read_names(rows: Sequence[Any], placing: LabelPlacing) -> Iterator[Label]:
    """Yield the names of a file.

    Raises:
        ValueError: one of them is set as no name is, or where none is tried.
    """
    for province, lines, (x, y), size, angle, bend in rows:
        sea = placing.board.provinces[province].is_sea
        label = Label(province, tuple(lines), (x, y), size, sea, angle, bend)
        whole = can_place_at(label, placing)
        if whole is None:
            raise ValueError(province)
        yield whole


def _move_fleets(placing: LabelPlacing, slots: Mapping[str, Any]) -> Atlas:
    """Return the atlas with the fleets at the places of a file.

    Raises:
        ValueError: a place is not in its sea, or is another than a fleet can have.
    """
    grounds = dict(placing.atlas.grounds)
    for id_, ground in grounds.items():
        places = tuple((x, y) for x, y in slots[id_])
        if places != ground.slots:
            if not (placing.board.provinces[id_].is_sea and _fit(places, ground, placing)):
                raise ValueError(id_)
            grounds[id_] = replace(ground, slots=places)
    return replace(placing.atlas, grounds=grounds)


def _fit(places: Sequence[Point], ground: ProvinceDrawing, placing: LabelPlacing) -> bool:
    """Return whether fleets of a sea can stand at some places instead of those of the map."""
    return len(places) == len(ground.slots) and all(
        place == slot
        or (
            isinstance(place[0], float)
            and isinstance(place[1], float)
            and isfinite(place[0] + place[1])
            and distance(place, slot) < FARTHEST
            and placing.grid.owner_at(place) == ground.id
        )
        for place, slot in zip(places, ground.slots, strict=True)
    )
