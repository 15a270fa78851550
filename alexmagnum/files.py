"""Reading files within bounds, writing them whole or not at all, progress of work, templates."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from itertools import chain, islice
from pathlib import Path
from stat import S_ISREG
from typing import IO, TYPE_CHECKING, Any, TypeVar

from alexmagnum.errors import BadFile, GameError

if TYPE_CHECKING:
    from jinja2 import Environment

# Reading files, which may come from anybody: what they hold is bounded before it is worked on.


MOST_BYTES, MOST_YAML, MOST_OF_GAME = 32 << 20, 4 << 20, 512 << 20
"""The bytes of a file that is read as a whole, also of a letter; the characters of one in YAML; the
bytes of a whole game."""

MOST_VALUES, DEEPEST, LONGEST_NAME = 500_000, 100, 200
"""The values of a YAML file, counted anew at each alias; how deep data is nested; the characters of
a key or a name."""

MAX_ORDERS = 8_000
"""The characters of a text that are read as orders."""


def is_line(text: str) -> bool:
    """Return whether a text is one printable line, not too long, as every name is."""
    return text.isprintable() and len(text) <= LONGEST_NAME


def is_file(path: Path) -> bool:
    """Return whether a path that somebody named is that of a file; no file's name is endless."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def find_below(name: str, *folders: Path) -> Path | None:
    """Return the file that a document names, if it is in one of some folders or below it.

    Nobody knows who wrote the document: its names have no root and no computer, and no link leads
    out of the folders.
    """
    for folder in () if Path(name).anchor else folders:
        with suppress(OSError, RuntimeError, ValueError):  # no name of a file, links in a circle
            real = (folder / name).resolve()
            if real.is_file() and any(real.is_relative_to(each.resolve()) for each in folders):
                return folder / name
    return None


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """Return the text of a file in UTF-8, as :func:`read_bytes` does its bytes."""
    return decode_text(read_bytes(path, most), str(path))


def decode_text(data: bytes, name: str) -> str:
    """Return a text in UTF-8 with plain line ends; raise ``not-utf8`` for any other."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(name, "not-utf8", byte=str(error.start)) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def bound_orders(text: str, name: str) -> str:
    """Return a text of orders; raise ``orders-too-long`` for one longer than anybody writes."""
    if len(text) > MAX_ORDERS:
        raise BadFile(name, "orders-too-long", most=str(MAX_ORDERS))
    return text


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file.

    Raises:
        BadFile: ``no-file``, ``is-folder``, ``unreadable-file`` or ``file-too-large``.
    """
    name = str(path)
    try:
        with path.open("rb") as stream:
            return read_stream(stream, name, most)
    except BadFile:
        raise
    except (FileNotFoundError, ValueError):  # a name with a zero byte is none of a file
        raise BadFile(name, "no-file") from None
    except OSError as error:
        if isinstance(error, (IsADirectoryError, PermissionError)) and path.is_dir():
            raise BadFile(name, "is-folder") from None
        raise BadFile(name, "unreadable-file", reason=error.strerror or "") from None


def read_stream(stream: IO[bytes], name: str, most: int = MOST_BYTES) -> bytes:
    """Return all bytes of a stream; raise ``file-too-large`` if there are more than ``most``."""
    data = stream.read(most + 1)
    if len(data) > most:
        raise BadFile(name, "file-too-large", most=f"{most / (1 << 20):g}")
    return data


def inflate(data: bytes, most: int, form: int = zlib.MAX_WBITS) -> bytes:
    """Return what zlib has compressed; raise ``zlib.error`` if it is damaged or has more than
    ``most`` bytes.
    """
    inflater = zlib.decompressobj(form)
    plain = inflater.decompress(data, most + 1)
    if not inflater.eof or inflater.unused_data or len(plain) > most:
        raise zlib.error("cut off, or too long")
    return plain


class DuplicateKeyError(Exception):
    """A key is in a JSON object twice; json itself would let the second win."""


def refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these pairs, if no key is there twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise DuplicateKeyError(Counter(key for key, _ in pairs).most_common(1)[0][0])
    return found


def read_json(path: Path, most: int = MOST_BYTES) -> object:
    """Return the JSON value in a file."""
    return parse_json(read_text(path, most), str(path))


def parse_json(text: str, name: str) -> object:
    """Return the JSON value of a text; ``name`` says in errors which file it is from.

    Raises:
        BadFile: ``not-json``, with line and column in ``where``; ``duplicate-key``;
            ``file-beyond-bounds``.
    """
    try:
        data = json.loads(text, object_pairs_hook=refuse_duplicates)
    except DuplicateKeyError as error:
        raise BadFile(name, "duplicate-key", key=str(error)[:LONGEST_NAME]) from None
    except json.JSONDecodeError as error:
        data = {"line": str(error.lineno), "column": str(error.colno)}
        raise BadFile(name, "not-json", f"{error.lineno}:{error.colno}", **data) from None
    except (ValueError, RecursionError):
        # A number of thousands of digits, or brackets nested thousands deep.
        raise BadFile(name, "not-json", "1:1", line="1", column="1") from None
    return _check_bounds(data, name, len(text))


def _check_bounds(data: object, name: str, most: int) -> object:
    """Return data that has at most so many values, and neither deep nesting nor a long key."""
    level: list[Any] = [data]
    for _ in range(DEEPEST):
        level = [each for each in level if isinstance(each, (dict, list, tuple))]
        if not level:
            return data
        keys = chain.from_iterable(each for each in level if isinstance(each, dict))
        if any(isinstance(key, str) and len(key) > LONGEST_NAME for key in keys):
            break
        inner = (each.values() if isinstance(each, dict) else each for each in level)
        level = list(islice(chain.from_iterable(inner), most + 1))
        most -= len(level)
        if most < 0:
            break
    raise _refuse_bounds(name)


def _refuse_bounds(name: str) -> BadFile:
    bounds = {"values": str(MOST_VALUES), "depth": str(DEEPEST), "name": str(LONGEST_NAME)}
    return BadFile(name, "file-beyond-bounds", **bounds)


@cache
def _yaml_loader() -> type:
    """Return a YAML reader for which only ``true`` and ``false`` are booleans: a power may be NO.

    It refuses a key that is there twice, of which the second would win, and knows no merge keys.
    """
    import yaml  # imported late: loading it takes longer than most commands need

    # The base is chosen at run time: the C reader, where the wheel has it.
    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
            seen = set()
            for key_node, _ in node.value:
                key = key_node.value
                if isinstance(key, str) and key in seen:
                    mark, key = key_node.start_mark, key[:LONGEST_NAME]
                    raise yaml.constructor.ConstructorError(None, None, f"'{key}' twice", mark)
                if isinstance(key, str):
                    seen.add(key)
            return dict(super().construct_mapping(node, deep))

        def construct_scalar(self, node: yaml.ScalarNode) -> Any:
            if len(node.value) > LONGEST_NAME and node.tag != "tag:yaml.org,2002:str":
                raise ValueError("no number or date is so long")
            return super().construct_scalar(node)

        def flatten_mapping(self, node: yaml.MappingNode) -> None:
            """Merge nothing: a key << is a key like any other."""

    left_out = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:merge")
    Loader.yaml_implicit_resolvers = {
        first: [(tag, regexp) for tag, regexp in resolvers if tag not in left_out]
        for first, resolvers in Loader.yaml_implicit_resolvers.items()
    }
    Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("(true|false)$"), list("tf"))
    return Loader


def parse_yaml(text: str, source: str) -> Any:
    """Return the data of a text in YAML; faults name ``source`` as the file.

    Raises:
        BadFile: it is not YAML, holds an impossible value, or too much.
    """
    import yaml

    if len(text) > MOST_YAML:
        raise BadFile(source, "file-too-large", most=str(MOST_YAML >> 20))
    if sum(map(text.count, ",[{\n\x85\u2028\u2029")) > MOST_VALUES:  # it would take a gigabyte
        raise _refuse_bounds(source)
    try:
        data = yaml.load(text, _yaml_loader())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        detail = str(getattr(error, "problem", "") or "").strip()
        raise BadFile(source, "file-not-yaml", where=where, detail=detail) from None
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        # Nested thousands deep, or no number, date or boolean though a tag says so.
        raise BadFile(source, "value-cannot-be") from None
    return _check_bounds(data, source, MOST_VALUES)


# Writing a file whole, or leaving the old one as it was.


PRIVATE, SHARED = 0o600, 0o644
"""The rights of a file with secrets, and of one that others may read; Windows has neither."""

_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_OWN = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
_FLAGS = {"rb": 0, "wb": _OWN | os.O_TRUNC, "ab": _OWN | os.O_APPEND, "ab+": _OWN | os.O_APPEND}

PART, _OLD = ".part", 3600
"""How the name of a file that is being written ends; after so many seconds nobody writes it."""

RESTORING = ".restore-"
"""The beginning of the name of a folder in which a game file is restored."""

_DATABASE = b"SQLite format 3\x00"  # the beginning of a game's file


def open_own(path: Path, mode: str = "rb") -> IO[bytes]:
    """Open a file of the program's own, private if it is new.

    Whoever may write in its folder may have laid something else there: a link is not written to,
    and what is no file, and could keep the program for ever, raises ``OSError`` as if it were not
    there.
    """
    stream: IO[bytes] = os.fdopen(os.open(path, _AT_ONCE | _FLAGS[mode], PRIVATE), mode)
    if not S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))
    return stream


def read_own(path: Path) -> bytes:
    """Return the bytes of such a file."""
    with open_own(path) as stream:
        return stream.read()


def write_whole(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file as a whole, a text in UTF-8, and wait until it is on the disk.

    A command that is killed, or a power cut, leaves the file as it was.  Only its owner can read a
    ``private`` file.

    Raises:
        GameError: ``cannot-write``; ``is-a-database``: the file is that of a game, which only
            another such file may replace.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if not data.startswith(_DATABASE) and path.is_file():
            with path.open("rb") as stream:
                if stream.read(len(_DATABASE)) == _DATABASE:  # somebody may name it by mistake
                    raise GameError("is-a-database", path=str(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(PART, f".{path.name}.", path.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(name).chmod(PRIVATE if private else SHARED)
            Path(name).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise GameError("cannot-write", path=str(path), why=error.strerror or "") from None


def remove_leftovers(folder: Path) -> None:
    """Remove what killed commands had begun to write in a folder and below it."""
    for path in (*folder.rglob(f".*{PART}"), *folder.glob(f"{RESTORING}*")):
        with suppress(OSError):  # another command was quicker
            if path.stat().st_mtime < time.time() - _OLD:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


# Listeners for slow work.
#
# A command says who shows how far the work is; the work itself, rooms away, tells them.


T = TypeVar("T")

ShowPart = Callable[[float], None]
"""Hears what part of the work is done, from 0 to 1."""

HearThinking = Callable[[str, str], None]
"""Hears which bot begins to think, and for which power; "" and "" when it has ended."""

_HEAR: ContextVar[HearThinking] = ContextVar("hear", default=lambda bot, power: None)
_SHOW: ContextVar[ShowPart] = ContextVar("show", default=lambda part: None)


def show_progress_to(show: ShowPart) -> AbstractContextManager[None]:
    """Let slow work within the block say how far it is."""
    return _set_within_block(_SHOW, show)


@contextmanager
def _set_within_block(variable: ContextVar[T], value: T) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def show_progress(part: float) -> None:
    """Tell the listener what part of the work is done."""
    _SHOW.get()(part)


def hear_who_thinks(hear: HearThinking) -> AbstractContextManager[None]:
    """Let work within the block say which bot thinks."""
    return _set_within_block(_HEAR, hear)


@contextmanager
def tell_who_thinks(bot: str, power: str) -> Iterator[None]:
    """Tell the listener that a bot thinks within the block."""
    hear = _HEAR.get()
    hear(bot, power)
    try:
        yield
    finally:
        hear("", "")


# The making of Jinja environments: every page, text and picture is laid out by the same rules.


def make_environment(
    *packages: str, escape: bool = True, **filters: Callable[..., Any]
) -> Environment:
    """Return an environment with the templates in the folders ``templates/`` of some packages.

    Keep it: it compiles a template when it is first needed, and then holds it.  ``escape`` makes
    every text safe in HTML and SVG.  A name that a template does not know is an error.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined  # only for pages

    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in packages]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=escape,
    )
    environment.filters.update(filters)
    return environment
