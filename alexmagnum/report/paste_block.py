"""The position at the end of a report, to be saved as a turn file."""

from __future__ import annotations

from dataclasses import asdict, fields

from alexmagnum.board.load import known_maps, load_board
from alexmagnum.board.model import Board
from alexmagnum.cases.schema_writer import turn_text
from alexmagnum.errors import AlexMagnumError
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.position import Position
from alexmagnum.whatif.position_finder import add_end_line

OWN_MAP = "own-map"
"""What a map that does not come with the package is called while its turn is written."""


def format_turn_file(position: Position, sentences: Sentences) -> str:
    """A position as the text of a turn file.

    It names the map if that comes with the package.  Of another one nobody but the table knows
    the file: a comment in the place of the key says what is to be given there.  By its last line
    it is known to be whole, when somebody takes it out of a mail.
    """
    board = position.board
    if is_packaged_map(board):
        return add_end_line(turn_text(position))
    _, _, rest = add_end_line(turn_text(position, map_name=OWN_MAP)).partition("\n")
    title = " ".join(board.name(sentences.lang).split())  # a comment is one line
    return "# " + sentences.format("turn-own-map", title=title) + f"\n{rest}"


def is_packaged_map(board: Board) -> bool:
    """Whether a board is a map of the package under any switches; its id alone does not say so,
    since a map made from one of them may have kept it."""
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
