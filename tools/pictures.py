"""Make the pictures of the documents anew.

    python -m tools.pictures

Each shows a map, the sample turn or the sample game as the program draws it today.  A test compares
what they were made from.
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
"""The text in a picture that tells what it was made from."""

_SAY = load_sentences("en")


def main() -> None:
    """Draw all of them; none is written anew that would be the same."""
    with tempfile.TemporaryDirectory() as folder:
        for name, scene in scenes(partial(sample_outcome, Path(folder) / "game")).items():
            path, drawn = DOCS / name, render_svg(scene(), embed_fonts=False)
            if source_of(path) == digest(drawn):
                print(f"{name} is up to date")
                continue
            path.write_bytes(_labelled(render_png(drawn), digest(drawn)))
            print(f"{name} {path.stat().st_size:,} bytes")


def scenes(sample: Callable[[], Outcome]) -> Mapping[str, Callable[[], Scene]]:
    """What each picture shows, by file; ``sample`` gives the phase of the sample game."""
    return {
        "map.png": lambda: _board("alexmagnum"),
        "standard.png": lambda: _board("standard"),
        "turn.png": lambda: _turn(adjudicate(*sample_turn())),
        "game.png": lambda: _turn(sample()),
    }


def sample_turn() -> tuple[Position, Mapping[str, Sequence[Order]]]:
    """The sample turn with the orders of all six powers."""
    position = read_turn(SAMPLE_TURN).position
    assert position is not None
    files = sorted(SAMPLE_TURN.parent.glob("*.txt"))
    texts = [path.read_text(encoding="utf-8") for path in files]
    read = [read_orders(text, position, None) for text in texts]
    return position, {p: orders for reading in read for p, orders in reading.orders.items()}


def sample_outcome(folder: Path) -> Outcome:
    """The drawn phase of the sample game, which is played in a new folder for that."""
    for phase in play(read_story(), folder):
        if phase == SAMPLE_PHASE:
            break
    with Desk.open(folder) as desk:
        return desk.processed(SAMPLE_PHASE).outcome


def _board(map_id: str) -> Scene:
    position = first_position(load_board(map_id))
    return draw_position(position, _SAY, **_titles(position))


def _turn(outcome: Outcome) -> Scene:
    return draw_turn(outcome, _SAY, **_titles(outcome.position))


def _titles(position: Position) -> dict[str, str]:
    board = position.board
    return {
        "title": board.name(_SAY.lang),
        "subtitle": phase_name(position.phase, board, _SAY),
    }


def digest(drawn: str) -> str:
    """What tells one drawing from another; the pixels may differ from machine to machine."""
    return hashlib.sha256(drawn.encode()).hexdigest()


def _labelled(picture: bytes, source: str) -> bytes:
    """A PNG that tells what it was made from."""
    note = PngInfo()
    note.add_text(SOURCE, source)
    written = BytesIO()
    Image.open(BytesIO(picture)).save(written, "PNG", optimize=True, pnginfo=note)
    return written.getvalue()


def source_of(path: Path) -> str:
    """What a picture was made from; empty if there is none, or it does not tell."""
    if not path.is_file():
        return ""
    with Image.open(path) as picture:
        return str(picture.info.get(SOURCE, ""))


if __name__ == "__main__":
    main()
