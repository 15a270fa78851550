"""The maps that the page knows: those that its script has handed over."""

from alexmagnum.board.switches import near
from alexmagnum.errors import BadFile
from page_library import _dict

_boards = _dict()


def add_board(board):
    _boards[board.id] = board


def known_maps():
    return tuple(sorted(_boards))


def known_board(map_id):
    return _boards[map_id]


def load_board(map_id, rules=None):
    if map_id not in _boards:
        known = known_maps()
        raise BadFile(map_id, "unknown-map", near=near(map_id, known), known=", ".join(known))
    return _boards[map_id].with_rules(rules or {})
