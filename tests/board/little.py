"""A small map with one of everything, and ways to break it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from operator import delitem, setitem
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Edit = Callable[[Json, Json], None]
"""Breaks a map: takes the map and its shapes and changes them."""


def _province(pid: str, name: str, **keys: Any) -> Json:
    return {"id": pid, "name": {"en": name}, "aliases": [], **keys}


LITTLE: Json = {
    "format": 1,
    "id": "little",
    "name": {"en": "Little"},
    "geometry": "little.geojson",
    "coasts": {"NC": {"name": {"en": "north coast"}}, "SC": {"name": {"en": "south coast"}}},
    "powers": [
        {"id": "RED", "name": {"en": "Red"}, "start_centres": ["PEN"], "units": ["F PEN/NC"]},
        {"id": "BLU", "name": {"en": "Blue"}, "start_centres": ["MOU"], "units": ["G MOU"]},
    ],
    "provinces": [
        _province("PEN", "Peninsula", coastal=True, coasts=["NC", "SC"], centre="fixed"),
        _province("MOU", "Delta", coastal=True, river=["run"], centre="fixed", major=True),
        _province("INL", "Upcountry", river=["run"], centre="neutral"),
        _province("HIL", "Highlands"),
        _province("NEC", "Narrows", coastal=True),
        _province("SHO", "Gravel", coastal=True, centre="neutral"),
        _province("ISL", "Rock", terrain="island", coastal=True, centre="neutral"),
        _province("NSE", "Cold Sea", terrain="sea", capacity=2),
        _province("WSE", "Wide Sea", terrain="sea", capacity=2),
        _province("GUL", "Basin", terrain="sea", capacity=2),
    ],
    "borders": [
        ["MOU", "NSE", "fleet"],
        ["INL", "MOU", "both"],
        ["HIL", "INL", "army"],
        ["NSE", "PEN/NC", "fleet"],
        ["PEN/SC", "WSE", "fleet"],
        ["MOU", "PEN", "army"],
        ["MOU", "PEN/NC", "fleet"],
        ["ISL", "NSE", "fleet"],
        ["NEC", "NSE", "fleet"],
        ["MOU", "NEC", "both"],
        ["HIL", "NEC", "army"],
        ["GUL", "SHO", "fleet"],
        ["NEC", "SHO", "army"],
        ["NSE", "WSE", "fleet"],
        ["HIL", "SHO", "army"],
    ],
    "rivers": [{"id": "run", "name": {"en": "Run"}, "mouth": "MOU", "course": ["MOU", "INL"]}],
    "portages": [
        {
            "id": "haul",
            "name": {"en": "Haul"},
            "over": "NEC",
            "ends": [["NSE"], ["GUL"]],
            "raiders": ["SHO", "HIL"],
        }
    ],
    "straits": [{"between": ["MOU", "NEC"], "over": "NSE", "type": "both"}],
    "impassable": ["x-waste"],
    "rules": {"nobility": 10, "sea_capacity": 2, "victory_centres": 3},
}


def _box(west: float, south: float, east: float, north: float) -> list[list[float]]:
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


def _feature(pid: str, rings: list[list[list[float]]], slots: int = 1) -> Json:
    (west, south), (east, north) = rings[0][0], rings[0][2]
    x, y = (west + east) / 2, (south + north) / 2
    properties: Json = {"kind": "province", "label": [x, y]}
    properties["units"] = [[x, y + 0.1 * slot] for slot in range(slots)]
    geometry = {"type": "Polygon", "coordinates": rings}
    return {"type": "Feature", "id": pid, "properties": properties, "geometry": geometry}


SHAPES: Json = {
    "type": "FeatureCollection",
    "features": [
        _feature("PEN", [_box(0, 2, 1, 3)]),
        _feature("MOU", [_box(1, 2, 2, 3)]),
        _feature("INL", [_box(1, 1, 2, 2)]),
        _feature("HIL", [_box(2, 1, 3, 2)]),
        _feature("NEC", [_box(2.2, 2, 4, 3)]),
        _feature("SHO", [_box(3, 1, 4, 2)]),
        _feature("ISL", [_box(5.2, 3.2, 5.8, 3.8)]),
        _feature("NSE", [_box(0, 3, 6, 4), _box(5.2, 3.2, 5.8, 3.8)], slots=2),
        _feature("WSE", [_box(-1, 2, 0, 4)], slots=2),
        _feature("GUL", [_box(4, 1, 5, 2.9)], slots=2),
        {
            "id": "x-waste",
            "properties": {"kind": "impassable"},
            "geometry": {"type": "Polygon", "coordinates": [_box(0, 1, 1, 2)]},
        },
        {"id": "a-lake", "properties": {"kind": "lake"}, "geometry": None},
    ],
}


def write(folder: Path, *edits: Edit) -> Path:
    """Write the little map and its shapes, broken by the edits; return the map's path."""
    board, shapes = copy.deepcopy(LITTLE), copy.deepcopy(SHAPES)
    for edit in edits:
        edit(board, shapes)
    (folder / "little.geojson").write_text(json.dumps(shapes), "utf-8")
    path = folder / "little.json"
    path.write_text(json.dumps(board), "utf-8")
    return path


def _find(holder: Any, key: str) -> Any:
    """Return the index of a list's entry (by number or id), or the key itself."""
    if not isinstance(holder, list):
        return key
    if key.isdigit():
        return int(key)
    return next(i for i, entry in enumerate(holder) if entry["id"] == key)


def _walk(root: Any, path: str) -> tuple[Any, Any]:
    *steps, last = path.split(".")
    for step in steps:
        root = root[_find(root, step)]
    return root, _find(root, last)


def _edit(path: str, change: Callable[[Any, Any], None], *, in_shapes: bool = False) -> Edit:
    return lambda board, shapes: change(*_walk(shapes if in_shapes else board, path))


def put(path: str, value: Any) -> Edit:
    """Set a key of the map, as in ``put("provinces.MOU.coastal", False)``."""
    return _edit(path, lambda holder, key: setitem(holder, key, value))


def drop(path: str) -> Edit:
    """Take a key, or the entry of a list, out of the map."""
    return _edit(path, delitem)


def add(path: str, value: Any) -> Edit:
    """Append to a list of the map."""
    return _edit(path, lambda holder, key: holder[key].append(value))


def draw(path: str, value: Any) -> Edit:
    """Set a key of the shapes, as in ``draw("features.PEN.properties.label", [9, 9])``."""
    return _edit(path, lambda holder, key: setitem(holder, key, value), in_shapes=True)


def undraw(path: str) -> Edit:
    """Take a key, or a feature, out of the shapes."""
    return _edit(path, delitem, in_shapes=True)


def box(pid: str, west: float, south: float, east: float, north: float) -> Edit:
    """Draw a province elsewhere."""
    return draw(f"features.{pid}.geometry.coordinates", [_box(west, south, east, north)])
