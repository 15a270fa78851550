"""Finding and loading maps: those that come with the package, or files of the game master."""

from __future__ import annotations

import copyreg
import json
import pickle
from dataclasses import asdict, fields, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alexmagnum.board.map_reader import Draft, read_map
from alexmagnum.board.model import Board
from alexmagnum.board.soundness import soundness_faults
from alexmagnum.board.switches import near, switch_faults
from alexmagnum.errors import BadFile, BadMap, Fault

if TYPE_CHECKING:
    from collections.abc import Mapping


def load_board(id_or_path: str | Path, rules: Mapping[str, Any] | None = None) -> Board:
    """Load a map by id (``"alexmagnum"``, ``"standard"``) or by the path of a file.

    ``rules`` sets switches differently from the map.

    >>> load_board("standard").rules.victory_centres
    18

    Raises:
        BadFile: there is no such map, or the file is not JSON.
        BadMap: it cannot be played on; ``faults`` lists everything that is wrong with it.
    """
    path = find_map(id_or_path)
    board, faults = check_map(path)
    faults += tuple(switch_faults(rules or {}))
    if any(fault.severity == "error" for fault in faults):
        raise BadMap("bad-map", str(id_or_path), faults)
    return board.with_rules(rules or {})


def check_map(path: Path) -> tuple[Board, tuple[Fault, ...]]:
    """Read a map file; return the board made of its usable values, and all faults and warnings.

    Raises:
        BadFile: the file cannot be read or is not JSON.
    """
    draft = read_map_text(read_text(path), str(path))
    faults = (*draft.faults, *soundness_faults(draft))
    return replace(draft.board, geometry=_shapes_path(path, draft)), faults


@lru_cache(maxsize=4)
def read_map_text(text: str, name: str) -> Draft:
    """Read the text of a map; ``name`` says in errors which file it is from.

    A text that was just read is not read again: a game has a copy of the map that its reports ask
    for too.

    Raises:
        BadFile: the text is not JSON.
    """
    return read_map(parse_json(text, name))


def _shapes_path(path: Path, draft: Draft) -> str:
    """Return the path of the map's shapes, which lie beside it; "" if it has none."""
    name = draft.board.geometry
    return str(path.parent / name) if name and (path.parent / name).is_file() else ""


def maps_folder() -> Path:
    """Return the folder of the maps: in the package when installed, beside it in a checkout."""
    here = Path(__file__).resolve()
    installed = here.parents[1] / "maps"
    return installed if installed.is_dir() else here.parents[2] / "maps"


def known_maps() -> tuple[str, ...]:
    """Return the ids of the maps that come with the package."""
    return tuple(sorted(path.stem for path in maps_folder().glob("*.json")))


def find_map(id_or_path: str | Path) -> Path:
    """Return the file of a map given by id or by path.

    Raises:
        BadFile: there is no such map; ``near`` in the data is the id that was probably meant.
    """
    text = str(id_or_path)
    path = Path(id_or_path)
    if isinstance(id_or_path, Path) or "/" in text or "\\" in text or path.suffix:
        return path
    shipped = maps_folder() / f"{text.lower()}.json"
    if text and shipped.is_file():
        return shipped
    if path.is_file():
        return path
    known = known_maps()
    raise BadFile(text, "unknown-map", near=near(text, known), known=", ".join(known))


def read_text(path: Path) -> str:
    """Return the text of a file in UTF-8.

    Raises:
        BadFile: ``no-file``, ``is-folder``, ``unreadable-file`` or ``not-utf8``.
    """
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(str(path), "not-utf8", byte=str(error.start)) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file.

    Raises:
        BadFile: ``no-file``, ``is-folder`` or ``unreadable-file``.
    """
    name = str(path)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise BadFile(name, "no-file") from None
    except OSError as error:
        if path.is_dir():
            raise BadFile(name, "is-folder") from None
        raise BadFile(name, "unreadable-file", reason=error.strerror or "") from None


class _DuplicateKeyError(Exception):
    """A key is in a JSON object twice; json itself would let the second win."""


def _refuse_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _DuplicateKeyError(next(key for key in keys if keys.count(key) > 1))
    return found


def read_json(path: Path) -> object:
    """Return the JSON value in a file.

    Raises:
        BadFile: as for :func:`read_text` and :func:`parse_json`.
    """
    return parse_json(read_text(path), str(path))


def parse_json(text: str, name: str) -> object:
    """Return the JSON value of a text; ``name`` says in errors which file it is from.

    Raises:
        BadFile: ``not-json``, with line and column in ``where``; ``duplicate-key``.
    """
    try:
        return json.loads(text, object_pairs_hook=_refuse_duplicates)
    except _DuplicateKeyError as error:
        raise BadFile(name, "duplicate-key", key=str(error)) from None
    except json.JSONDecodeError as error:
        where = f"{error.lineno}:{error.colno}"
        data = {"line": str(error.lineno), "column": str(error.colno)}
        raise BadFile(name, "not-json", where, **data) from None
    except (ValueError, RecursionError):
        # A number of thousands of digits, or brackets nested thousands deep.
        raise BadFile(name, "not-json", "1:1", line="1", column="1") from None


# -- boards in pickles: a map of the package travels as its id and digest --------------------------


def _reduce_board(board: Board) -> tuple[Any, ...]:
    """Tell pickle how to make a board again: by its id if it comes with the package."""
    rules = asdict(board.rules)
    if board.id in known_maps() and board == known_board(board.id).with_rules(rules):
        return _restore_board, (board.id, board.digest, rules)
    return Board, tuple(getattr(board, field.name) for field in fields(board))


def _restore_board(map_id: str, digest: str, rules: Mapping[str, Any]) -> Board:
    board = known_board(map_id).with_rules(rules)
    if board.digest != digest:
        raise pickle.UnpicklingError(f"the map {map_id} has changed since this was stored")
    return board


@cache
def known_board(map_id: str) -> Board:
    """Return a map of the package, loaded once in a process."""
    return load_board(map_id)


copyreg.pickle(Board, _reduce_board)
