"""Reading the files given to ``adjudicate``, ``check`` and ``whatif``: turns and orders."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from alexmagnum.board.load import read_bytes, read_text
from alexmagnum.cases.case_files import SUFFIXES, turn_of
from alexmagnum.cases.model import Turn
from alexmagnum.cases.resolution import resolve_turn
from alexmagnum.cases.schema_reader import read_file
from alexmagnum.cases.yaml_reader import parse_yaml
from alexmagnum.errors import BadFile
from alexmagnum.notation import Line, NotationSettings, read_orders
from alexmagnum.notation.power_names import find_power
from alexmagnum.orders import Order
from alexmagnum.position import Position
from alexmagnum.whatif.position_finder import PositionSearch, find_position


class TurnOrders(NamedTuple):
    """The position of a turn, every line of orders, and the orders read from them by power."""

    position: Position
    lines: Sequence[Line]
    orders: Mapping[str, Sequence[Order]]


class ReadTurn(NamedTuple):
    """A turn; ``search`` says where in a mail its position was found, None for a turn file."""

    turn: Turn
    search: PositionSearch | None = None


def read_any_turn(path: Path, map_id: str | None, phase: str = "") -> ReadTurn:
    """Return the turn of a turn file, or the position in a mailed report.

    If a mail has several positions, return the one of ``phase``, or the newest.

    Raises:
        BadFile, BadPosition, BadMap: the file is neither, or it is faulty.
    """
    raw = read_raw(path)
    # Imported late: a turn file is read without the parser of mail.
    from alexmagnum.mail.parsing.saved_mail import read_saved_texts

    texts = read_saved_texts(raw)
    data = _parse_data(raw, path)
    if isinstance(data, dict) and not data.keys().isdisjoint(_TURN_KEYS):
        if _OWN_MAP.search(texts[0]) and "map" not in data and not map_id:
            raise BadFile(str(path), "turn-no-map", line="1")
        return ReadTurn(_turn_of_phase(data, path, map_id, phase))
    try:
        search = find_position(texts, source=str(path), map_id=map_id, phase=phase)
    except BadFile as error:
        if error.code == "no-turn" and str(path) != "-" and path.suffix.lower() in SUFFIXES:
            read_file(path)  # raises the YAML error with its line, if the file is not YAML
        raise
    return ReadTurn(Turn(search.taken.sound, {}), search)


def _turn_of_phase(data: dict[str, Any], path: Path, map_id: str | None, phase: str) -> Turn:
    """Return the turn in the data of a turn file.

    Raises:
        BadFile, BadPosition, BadMap: the data is faulty, or the turn is of another phase.
    """
    turn = turn_of(data, str(path), map_id)
    if phase and (turn.position is None or str(turn.position.phase) != phase.lower()):
        known = str(turn.position.phase) if turn.position else str(data["phase"])
        raise BadFile(str(path), "turn-not-there", phase=phase, known=known)
    return turn


_TURN_KEYS = frozenset({"units", "previous", "cases", "phase"})
"""A turn file has at least one of these keys."""

_OWN_MAP = re.compile(r"^# map: ", re.MULTILINE)


def _parse_data(raw: bytes, path: Path) -> Any:
    """Return the data of a YAML or JSON file, or None if it is neither."""
    try:
        return parse_yaml(raw.decode("utf-8-sig"), str(path))
    except (UnicodeDecodeError, BadFile):
        return None


def read_turn_orders(
    turn: Turn, files: Sequence[Path] = (), settings: NotationSettings | None = None
) -> TurnOrders:
    """Return a turn with its own orders, replaced by the orders of files where they have any.

    Raises:
        BadFile: a file cannot be read, or names no power.
    """
    settings = settings or NotationSettings()
    position = turn.position or resolve_turn(turn).position
    lines: list[Line] = []
    understood: dict[str, Sequence[Order]] = {}
    for power, written in turn.orders.items():
        reading = read_orders("\n".join(written), position, power, settings=settings)
        lines += reading.lines
        understood.update(reading.orders)
    return add_order_files(TurnOrders(position, lines, understood), files, settings)


def add_order_files(
    before: TurnOrders, files: Sequence[Path], settings: NotationSettings | None = None
) -> TurnOrders:
    """Return a turn in which the orders of files replace those of the same powers.

    A second file of the same power adds to its first.

    Raises:
        BadFile: as for :func:`read_turn_orders`.
    """
    position, lines, understood = before.position, list(before.lines), dict(before.orders)
    replaced: set[str] = set()
    for path in files:
        power = find_power(position.board, path.stem)
        text = read_order_text(path)
        reading = read_orders(
            text, position, power or None, settings=settings or NotationSettings()
        )
        if any(line.power is None and not line.prose for line in reading.lines):
            raise BadFile(str(path), "no-power")
        writers = {line.power for line in reading.lines if line.power and not line.prose}
        new = writers - replaced
        lines = [line for line in lines if line.power not in new] + list(reading.lines)
        for name in writers:
            earlier = () if name in new else understood.get(name, ())
            understood[name] = _merge_orders(earlier, reading.orders.get(name, ()))
        replaced |= writers
    return TurnOrders(position, lines, understood)


def _merge_orders(before: Sequence[Order], later: Sequence[Order]) -> tuple[Order, ...]:
    """Return both lists of orders; a later order for a unit replaces the earlier one."""
    units = {getattr(order, "unit", None) for order in later} - {None}
    return (*(o for o in before if getattr(o, "unit", None) not in units), *later)


def read_order_text(path: Path) -> str:
    """Return the text of a file of orders; ``-`` is standard input.

    Raises:
        BadFile: the file cannot be read.
    """
    if str(path) != "-":
        return read_text(path)
    try:
        return read_raw(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile("-", "not-utf8", byte=str(error.start)) from None


def read_raw(path: Path) -> bytes:
    """Return the bytes of a file, or of standard input for ``-``.

    Raises:
        BadFile: the file cannot be read.
    """
    return sys.stdin.buffer.read() if str(path) == "-" else read_bytes(path)
