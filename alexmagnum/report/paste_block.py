"""The turn file at the end of a report, for pasting into a file of its own."""

from __future__ import annotations

from dataclasses import asdict, fields
from functools import lru_cache

from alexmagnum.board.load import known_maps, load_board
from alexmagnum.board.model import Board
from alexmagnum.cases.schema_writer import turn_text
from alexmagnum.errors import AlexMagnumError
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.position import Position
from alexmagnum.whatif.position_finder import add_end_line

OWN_MAP = "own-map"
"""Stands for a map that is not in the package while its turn file is written."""


def format_turn_file(position: Position, sentences: Sentences) -> str:
    """Return a position as the text of a turn file.

    It names the map if the package has that map.  Only the players know the file of another map,
    so a comment in place of the key asks for it.  The last line proves that the text is complete
    when somebody copies it out of a mail.
    """
    board = position.board
    if is_packaged_map(board):
        return add_end_line(turn_text(position))
    _, _, rest = add_end_line(turn_text(position, map_name=OWN_MAP)).partition("\n")
    title = " ".join(board.name(sentences.lang).split())  # a comment is one line
    return "# " + sentences.format("turn-own-map", title=title) + f"\n{rest}"


@lru_cache(maxsize=8)
def is_packaged_map(board: Board) -> bool:
    """Return whether a board is a map of the package, under any switches of its rules.

    Its id is not enough: a map made from one of the package may have kept the id.
    """
    if board.id not in known_maps():
        return False
    try:
        packaged = load_board(board.id).with_rules(asdict(board.rules))
    except AlexMagnumError:
        return False
    return all(
        getattr(board, field.name) == getattr(packaged, field.name)
        for field in fields(board)
        if field.name != "geometry"
    )
