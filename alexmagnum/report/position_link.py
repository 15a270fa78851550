"""The fragment of a link that opens a position, with orders, in a sandbox page.

Open this file to change what stands behind the ``#`` of such a link; ``docs/sandbox.md`` has the
format, and ``templates/position_link.js`` writes and reads the same in the page.
"""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import quote, unquote

from alexmagnum.errors import AlexMagnumError
from alexmagnum.notation import write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position

PLAIN, PACKED = "t:", "z:"
"""The beginnings of a fragment: of text that can be read, and of the same text compressed."""

LONG = 400
"""Characters beyond which a fragment is compressed."""

MOST = 200_000
"""Characters of the longest text that a fragment may hold."""

_LEFT_ALONE = ":,/;!+='()*"
_AFTER_A_LINK = ".,;:!?)'*"
_UNITS = re.compile(r"(?:\s*\w+:\S+)+\s*")
"""A line that goes on with a position: all its words have a colon, as no order has."""
_FRAGMENT = re.compile(r"(?:^|#)([tz]:[^\s<>\"]+)")


class SharedTable(NamedTuple):
    """The content of a link: the text of a position, and orders in canonical notation by power."""

    position: str
    orders: Mapping[str, tuple[str, ...]]


def make_fragment(position: Position, orders: Mapping[str, Iterable[Order]] | None = None) -> str:
    """Return the fragment that opens a position with orders, without its ``#``.

    Put it behind the address of any page that ``alexmagnum sandbox`` wrote for the same map.

    >>> make_fragment(Position.from_text("standard 1901-spring Austria:AVIE"))
    't:standard_1901-spring_Austria:AVIE'

    Raises:
        BadPosition: the position is impossible, with every fault.
    """
    written = {
        power: tuple(write_order(order) for order in listed)
        for power, listed in (orders or {}).items()
    }
    return write_fragment(SharedTable(position.to_text(), written))


def write_fragment(table: SharedTable) -> str:
    """Return the fragment of a position and orders that are texts already."""
    text = write_table_text(table)
    plain = PLAIN + _quote(text)
    if len(plain) <= LONG:
        return plain
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = deflate.compress(text.encode()) + deflate.flush()
    packed = PACKED + urlsafe_b64encode(data).decode("ascii").rstrip("=")
    return min(plain, packed, key=len)


def _quote(text: str) -> str:
    """Return a text with ``_`` for a blank and ``~`` for a line end; the rest as in addresses."""
    quoted = quote(text, safe=_LEFT_ALONE).replace("_", "%5F").replace("~", "%7E")
    return quoted.replace("%20", "_").replace("%0A", "~")


def write_table_text(table: SharedTable) -> str:
    """Return the lines of a table: the position, then ``TOL: A MEN - ALE; F SIS H`` by power."""
    orders = [
        f"{power}: {'; '.join(listed)}" for power, listed in sorted(table.orders.items()) if listed
    ]
    return "\n".join([table.position, *orders])


def find_fragment(text: str) -> str:
    """Return the fragment in a link, or in a text that is one; empty if there is none."""
    found = _FRAGMENT.search(text.strip())
    return found[1].rstrip(_AFTER_A_LINK) if found else ""


def read_fragment(fragment: str) -> SharedTable:
    """Return what a fragment shares.  Neither position nor orders are checked.

    Raises:
        AlexMagnumError: ``link-unreadable``: the fragment is cut off or damaged.
    """
    body = fragment[len(PLAIN) :]
    try:
        if fragment.startswith(PACKED):
            text = _inflate(body)
        else:
            text = unquote(body.replace("_", " ").replace("~", "\n"), errors="strict")
    except (ValueError, zlib.error):
        raise AlexMagnumError("link-unreadable") from None
    return read_table_text(text)


def _inflate(body: str) -> str:
    """Return the text of a compressed fragment.

    Raises:
        ValueError, zlib.error: it is damaged, or longer than any table.
    """
    inflate = zlib.decompressobj(-15)
    data = urlsafe_b64decode(body + "=" * (-len(body) % 4))
    text = inflate.decompress(data, MOST)
    if not inflate.eof or inflate.unused_data:
        raise ValueError("the text is cut off, or too long")
    return text.decode()


def read_table_text(text: str) -> SharedTable:
    """Return the position and the orders of the lines that :func:`write_table_text` wrote.

    A line break in the position counts as a blank.

    Raises:
        AlexMagnumError: ``link-unreadable``: a line is of another form.
    """
    lines = text.strip().splitlines() or [""]
    end = next((i for i, line in enumerate(lines) if i and not _UNITS.fullmatch(line)), len(lines))
    position = " ".join(line.strip() for line in lines[:end])
    orders: dict[str, tuple[str, ...]] = {}
    for line in lines[end:]:
        power, colon, listed = line.partition(":")
        if not colon or not power.strip():
            raise AlexMagnumError("link-unreadable")
        texts = tuple(part.strip() for part in listed.split(";") if part.strip())
        orders[power.strip()] = orders.get(power.strip(), ()) + texts
    return SharedTable(position, orders)
