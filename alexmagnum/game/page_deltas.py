"""Differences between two copies of a file, page by page, so that old copies take little room.

A game file grows: most pages of an older copy are in the newer one as they were.  A delta holds
the others.  Everything here is pure.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

PAGE = 4096
"""Bytes of a page; those of SQLite have this size, and nothing depends on it."""

_MAGIC = b"ALXMDLT1"
_HEAD = struct.Struct(">QI")
_NUMBER = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class Delta:
    """The older copy's difference from a newer one: ``size`` in bytes, and its own pages."""

    size: int
    pages: dict[int, bytes]

    def apply(self, newer: bytes) -> bytes:
        """Return the older copy, made from the newer one."""
        whole = bytearray(newer[: self.size].ljust(self.size, b"\0"))
        for number, page in self.pages.items():
            whole[number * PAGE : number * PAGE + len(page)] = page
        return bytes(whole)

    def rebase(self, newer: Delta) -> Delta:
        """Return the same copy as a delta from the copy that ``newer`` is a delta from."""
        last = -(-self.size // PAGE)
        between = {number: page for number, page in newer.pages.items() if number < last}
        return Delta(self.size, between | self.pages)

    def encode(self) -> bytes:
        """Return the delta as the bytes of a file."""
        numbers = sorted(self.pages)
        head = _HEAD.pack(self.size, len(numbers))
        table = b"".join(_NUMBER.pack(number) for number in numbers)
        return _MAGIC + zlib.compress(
            head + table + b"".join(map(self.pages.__getitem__, numbers)), 1
        )

    @classmethod
    def decode(cls, data: bytes) -> Delta:
        """Return the delta of a file.

        Raises:
            ValueError: the file is damaged.
        """
        try:
            if not data.startswith(_MAGIC):
                raise ValueError("no delta")
            plain = zlib.decompress(data[len(_MAGIC) :])
            size, count = _HEAD.unpack_from(plain)
            numbers = [at for (at,) in _NUMBER.iter_unpack(plain[_HEAD.size :][: 4 * count])]
        except (zlib.error, struct.error) as error:
            raise ValueError(str(error)) from None
        begin = _HEAD.size + 4 * count
        return cls(
            size,
            {
                number: plain[begin + PAGE * place : begin + PAGE * (place + 1)]
                for place, number in enumerate(numbers)
            },
        )


def compare_copies(older: bytes, newer: bytes) -> Delta:
    """Return the delta from a newer copy to an older one."""
    views = memoryview(older), memoryview(newer)
    starts = range(0, len(older), PAGE)
    pages = {
        at // PAGE: bytes(views[0][at : at + PAGE])
        for at in starts
        if views[0][at : at + PAGE] != views[1][at : at + PAGE]
    }
    return Delta(len(older), pages)
