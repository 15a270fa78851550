"""The map that the page knows: the one that its script has handed over."""

from alexmagnum.board.model import near
from alexmagnum.errors import BadFile

_known = []


class _OwnMap:
    """The map with its own switches, if it is one of the package."""

    def __init__(self, board, switches):
        self.board = board
        self.rules = board.rules.changed(switches)

    def with_rules(self, switches):
        return self.board.with_rules(switches)


def set_board(board, own_switches):
    _known.clear()
    if own_switches:
        _known.append((board.id, _OwnMap(board, own_switches)))


def known_maps():
    return tuple([name for name, _ in _known])


def known_board(map_id):
    return _known[0][1]


def load_board(map_id, rules=None):
    known = known_maps()
    raise BadFile(map_id, "unknown-map", near=near(map_id, known), known=", ".join(known))
