"""Every way to break a map, from ``broken.yaml``: the edits, the fault's code and its place."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.board.little import Edit, add, draw, drop, put, undraw
from tests.case_library import read_yaml

Case = tuple[tuple[Edit, ...], str, str]


def _edits(entry: dict[str, Any]) -> Iterator[Edit]:
    for name, change in (("put", put), ("add", add), ("draw", draw)):
        for path, value in entry.get(name, {}).items():
            yield change(path, value)
    for name, change in (("many", put), ("crowd", draw)):
        for path, (value, count) in entry.get(name, {}).items():
            yield change(path, [value] * count)
    for name, cut in (("drop", drop), ("undraw", undraw)):
        yield from map(cut, entry.get(name, ()))


_FILE = read_yaml(Path(__file__).with_name("broken.yaml"))
_CASES = {
    kind: [(tuple(_edits(entry)), entry["code"], entry["at"]) for entry in entries]
    for kind, entries in _FILE.items()
}
SHAPE: list[Case] = _CASES["shape"]
SOUND: list[Case] = _CASES["sound"]
CHECK_ERRORS: list[Case] = _CASES["check_errors"]
WARNINGS: list[Case] = _CASES["warnings"]
