"""Write the maps of docs/balance.md: Alex Magnum with one change each, to be measured by the lab.

    python -m tools.map_proposals           # writes plans/maps
    python -m tools.map_proposals --check   # says which of them are out of date

They have no shapes: no picture is drawn of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "maps" / "alexmagnum.json"
FOLDER = ROOT / "plans" / "maps"

Map = dict[str, Any]
"""A map as its JSON file has it."""


def restore_six_to_pick(data: Map) -> None:
    """Go back to the map that was played before: six centres to pick in India, no neighbour."""
    empty_iran(data)
    _find_province(data, "GAN")["centre"] = "start"


def empty_iran(data: Map) -> None:
    """Take away the centres from which a neighbour of Chandragupta can begin, and their star."""
    for centre in ("SOG", "ARI", "DRA"):
        del _find_province(data, centre)["centre"]
    del _find_province(data, "BAT")["major"]
    _find_province(data, "PER")["major"] = True


def open_india(data: Map) -> None:
    """Give India two more borders to the west."""
    data["borders"] += [["ARA", "MAL", "army"], ["PRP", "TAX", "army"]]


PROPOSALS: Mapping[str, Callable[[Map], None]] = {
    "six-to-pick": restore_six_to_pick,
    "no-neighbour": empty_iran,
    "two-borders": open_india,
}
"""The changes by the name of their map."""


def write_proposal(name: str) -> str:
    """Return the text of the file of a map with a change."""
    data: Map = json.loads(SOURCE.read_text(encoding="utf-8"))
    PROPOSALS[name](data)
    data["id"] = name
    del data["geometry"]
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _find_province(data: Map, name: str) -> Map:
    found: Map = next(province for province in data["provinces"] if province["id"] == name)
    return found


def main() -> None:
    """Write the maps, or compare those that are there."""
    parser = argparse.ArgumentParser(description="Write the maps of docs/balance.md.")
    parser.add_argument("--check", action="store_true", help="only compare them")
    check = parser.parse_args().check
    old = []
    for name in PROPOSALS:
        path, text = FOLDER / f"{name}.json", write_proposal(name)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            old.append(name)
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8", newline="\n")
    if check and old:
        sys.exit(f"Out of date: {', '.join(old)}. Run python -m tools.map_proposals")


if __name__ == "__main__":
    main()
