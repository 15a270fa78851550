"""Place the names of maps, and keep them in their files of shapes: no command searches for them.

    python -m tools.place_names [MAP.json ...]

Without a map, those that come along.  Run it after a change of shapes, of names of provinces or of
the way names are placed; names that a file keeps for another map are placed when it is drawn.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from alexmagnum.board import load_board
from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import Grid
from alexmagnum.draw.labels import LabelPlacing, digest_map, place_names
from alexmagnum.draw.map_shapes import load_atlas
from alexmagnum.i18n.sentences import LANGUAGES

MAPS = ("alexmagnum", "standard")


def main() -> None:
    """Write the names of the maps that the command line names."""
    for name in sys.argv[1:] or MAPS:
        board = load_board(name)
        path = Path(board.geometry).resolve()
        raw = json.loads(path.read_text("utf-8"))
        raw["names"] = {lang: place_anew(board, lang) for lang in LANGUAGES}
        path.write_text(format_shapes(raw), "utf-8")
        print(f"{path}: {path.stat().st_size:,} bytes")


def place_anew(board: Board, lang: str) -> Mapping[str, Any]:
    """Return the names of a map and the places of fleets in one language, for its file."""
    atlas = replace(load_atlas(board), placed={})
    placing = LabelPlacing(board, atlas, Grid(atlas), lang)
    names, moved = place_names(placing)
    return {
        "digest": digest_map(placing),
        "names": {n.province: [n.at, n.lines, n.size, n.angle, n.bend] for n in names},
        "fleets": {
            id_: ground.slots
            for id_, ground in moved.grounds.items()
            if ground.slots != atlas.grounds[id_].slots
        },
    }


def format_shapes(raw: Mapping[str, Any]) -> str:
    """Return the text of a file of shapes: one feature to a line, and one language of names."""
    head = {key: value for key, value in raw.items() if key not in ("features", "names")}
    features = ",\n".join(map(_compact, raw["features"]))
    names = ",\n".join(
        f"{json.dumps(lang)}:{_compact(kept)}" for lang, kept in raw.get("names", {}).items()
    )
    opening = json.dumps({**head, "features": []}, ensure_ascii=False)[:-2]
    return f"{opening}\n{features}\n]" + (f',\n"names": {{\n{names}\n}}}}\n' if names else "}\n")


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
