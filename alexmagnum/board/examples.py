"""Examples that sentences give: orders, powers and a year of the map that is played.

Open this file when a sentence shows how something is written.  Every example is derived from the
board, so that no map needs a list of its own and no game shows another map's names.
"""

from __future__ import annotations

from collections.abc import Iterator

from alexmagnum.board.geography import split_location
from alexmagnum.board.model import Board, Power


def list_examples(board: Board, reader: str = "") -> dict[str, str]:
    """Return the examples for a sentence, by the name of their field.

    Orders are of centres of the power that reads them, if it has any on the map; powers are others
    than the reader.  Nothing depends on a position: an example tells nobody anything.

    >>> from alexmagnum.board.load import load_board
    >>> examples = list_examples(load_board("standard"), "Germany")
    >>> examples["example_army"], examples["example_to"], examples["example_fleet"]
    ('A BER', 'KIE', 'F BER')
    >>> examples["example_powers"], examples["example_year"]
    ('Austria, England', '1901')
    """
    homes = list(_list_homes(board, reader))
    army, to = _find_march(board, homes)
    fleet = next((id_ for id_ in homes if _takes_fleets(board, id_)), "")
    others = [id_ for id_ in board.powers if id_ != reader] or list(board.powers)
    return {
        "example_army": f"A {army}",
        "example_to": to,
        "example_fleet": f"F {_first_coast(board, fleet)}" if fleet else f"A {army}",
        "example_power": others[0],
        "example_other": others[1] if len(others) > 1 else others[0],
        "example_powers": ", ".join(others[:2]),
        "example_powers_typed": ",".join(others[:2]),
        "example_year": str(_find_year(board)),
    }


def _list_homes(board: Board, reader: str) -> Iterator[str]:
    """Yield land provinces, those that an example should be of first."""
    own = board.powers.get(reader)
    powers: list[Power] = [own] if own else []
    for power in (*powers, *board.powers.values()):
        yield from (split_location(unit.partition(" ")[2])[0] for unit in power.units)
        yield from power.homes
    yield from board.centres
    yield from (province.id for province in board.provinces.values() if not province.is_sea)


def _find_march(board: Board, homes: list[str]) -> tuple[str, str]:
    """Return a province and a neighbour to which an army can walk."""
    graph = board.army_graph
    for id_ in homes:
        near = list(graph.neighbors(id_)) if id_ in graph else []
        if near:
            return id_, min(near, key=list(board.provinces).index)
    first = homes[0] if homes else next(iter(board.provinces))
    return first, first


def _takes_fleets(board: Board, id_: str) -> bool:
    return board.provinces[id_].coastal and not board.provinces[id_].is_sea


def _first_coast(board: Board, id_: str) -> str:
    """Return where a fleet stands in a province: its first coast, if there are several."""
    coasts = board.provinces[id_].coasts
    return f"{id_}/{coasts[0]}" if coasts else id_


def _find_year(board: Board) -> int:
    """Return the first year that has seasons."""
    first = board.rules.first_year
    if not board.rules.picks:
        return first
    return first - 1 if board.years_bc else first + 1
