"""Draw the pictures of the documents again.

    python -m tools.pictures

Each shows a map, the sample turn or the sample game as the program draws it today.  A test compares
their sources.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from alexmagnum.board import load_board
from alexmagnum.campaign import first_position
from alexmagnum.cases.case_files import read_turn
from alexmagnum.draw import Scene, draw_position, draw_turn, render_png, render_svg
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import Outcome, adjudicate
from alexmagnum.notation import read_orders
from alexmagnum.orders import Order
from alexmagnum.position import Position
from alexmagnum.report.names import phase_name
from tools.demo import play, read_story

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SAMPLE_TURN = ROOT / "orders" / "turn.yaml"
SAMPLE_PHASE = "320-spring"
"""The phase of the sample game that is drawn."""

SOURCE = "svg-sha256"
"""The metadata field of a picture that holds the digest of its source."""

_SAY = load_sentences("en")


def main() -> None:
    """Draw all pictures and write those that have changed."""
    with tempfile.TemporaryDirectory() as folder:
        for name, scene in scenes(partial(sample_outcome, Path(folder) / "game")).items():
            path, drawn = DOCS / name, render_svg(scene(), embed_fonts=False)
            if source_of(path) == digest(drawn):
                print(f"{name} is up to date")
                continue
            path.write_bytes(_add_source(render_png(drawn), digest(drawn)))
            print(f"{name} {path.stat().st_size:,} bytes")


def scenes(sample: Callable[[], Outcome]) -> Mapping[str, Callable[[], Scene]]:
    """Return the scene of each picture, by file; ``sample`` returns the sample game's phase."""
    return {
        "map.png": lambda: _board("alexmagnum"),
        "standard.png": lambda: _board("standard"),
        "turn.png": lambda: _turn(adjudicate(*sample_turn())),
        "game.png": lambda: _turn(sample()),
    }


def sample_turn() -> tuple[Position, Mapping[str, Sequence[Order]]]:
    """Return the sample turn with the orders of all six powers."""
    position = read_turn(SAMPLE_TURN).position
    assert position is not None
    files = sorted(SAMPLE_TURN.parent.glob("*.txt"))
    texts = [path.read_text(encoding="utf-8") for path in files]
    read = [read_orders(text, position, None) for text in texts]
    return position, {p: orders for reading in read for p, orders in reading.orders.items()}


def sample_outcome(folder: Path) -> Outcome:
    """Play the sample game in a new folder, and return the outcome of the phase to draw."""
    for phase in play(read_story(), folder):
        if phase == SAMPLE_PHASE:
            break
    with Desk.open(folder) as desk:
        return desk.processed(SAMPLE_PHASE).outcome


def _board(map_id: str) -> Scene:
    position = first_position(load_board(map_id))
    title, subtitle = _titles(position)
    return draw_position(position, _SAY, title=title, subtitle=subtitle)


def _turn(outcome: Outcome) -> Scene:
    title, subtitle = _titles(outcome.position)
    return draw_turn(outcome, _SAY, title=title, subtitle=subtitle)


def _titles(position: Position) -> tuple[str, str]:
    """Return the name of the map and that of the phase."""
    board = position.board
    return board.name(_SAY.lang), phase_name(position.phase, board, _SAY)


def digest(drawn: str) -> str:
    """Return the digest of a drawing's SVG; the pixels may differ from machine to machine."""
    return hashlib.sha256(drawn.encode()).hexdigest()


def _add_source(picture: bytes, source: str) -> bytes:
    """Return a PNG with the digest of its source in it."""
    note = PngInfo()
    note.add_text(SOURCE, source)
    written = BytesIO()
    Image.open(BytesIO(picture)).save(written, "PNG", optimize=True, pnginfo=note)
    return written.getvalue()


def source_of(path: Path) -> str:
    """Return the digest of a picture's source; empty if the file or its digest is missing."""
    if not path.is_file():
        return ""
    with Image.open(path) as picture:
        return str(picture.info.get(SOURCE, ""))


if __name__ == "__main__":
    main()
