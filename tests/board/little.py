"""A small map with one of everything, and ways to break it."""

import copy
import json
from collections.abc import Callable
from operator import delitem, setitem
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Edit = Callable[[Json, Json], None]
"""Breaks a map: takes the map and its shapes and changes them."""


HERE = Path(__file__).parent
LITTLE: Json = json.loads((HERE / "little.json").read_text("utf-8"))
SHAPES: Json = json.loads((HERE / "little.geojson").read_text("utf-8"))


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
