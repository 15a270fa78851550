"""Measuring a Parquet file by its own headers, before anything unpacks it.

A table of somebody else's results may be made to fill the memory: a page of a few bytes unpacks to
gigabytes, or one value stands for millions of rows.  The footer and the header of every page are
read here, in the compact protocol of Thrift, and nothing else.
"""

from typing import Any

from alexmagnum.errors import AlexMagnumError

LEAST = 128_000_000
"""The bytes that any table may unpack to."""

RATIO = 400
"""A table may unpack to so many bytes for each of its own; tables of real games stay below."""

_VALUE = 16  # the bytes of a value in memory, beside the texts that it refers to

DAMAGED = (IndexError, KeyError, TypeError, ValueError, RecursionError)
"""The errors that made-up data lead to."""


def check_table(data: bytes, name: str) -> None:
    """Refuse a Parquet file that is none, or unpacks to more than its size allows.

    Raises:
        AlexMagnumError: ``lab-table-damaged``, ``lab-table-large``.
    """
    try:
        size = _measure(data)
    except DAMAGED:
        raise AlexMagnumError("lab-table-damaged", path=name) from None
    if size > LEAST + RATIO * len(data):
        raise AlexMagnumError("lab-table-large", path=name, size=str(size // 1_000_000))


def _measure(data: bytes) -> int:
    """Return the bytes that all pages unpack to, and that their values take in memory.

    Fields have the numbers of Parquet's definition: of a column 5 is the number of values, 6 and 7
    are its bytes unpacked and as they lie there, 9 and 11 where its pages and its dictionary begin;
    of a page 2 and 3 are its bytes, and 5, 7 and 8 the kinds of page, each with its values in 1.
    """
    length = int.from_bytes(data[-8:-4], "little")
    if data[:4] != b"PAR1" or data[-4:] != b"PAR1" or length + 12 > len(data):
        raise ValueError("no Parquet file")
    size = 0
    for group in _Reader(data, len(data) - 8 - length).struct()[4]:
        for chunk in group[1]:
            column = chunk[3]
            at = min(column[9], column.get(11, column[9]))
            end = at + column[7]
            size += column[6] + _VALUE * column[5]
            while at < end:
                reader = _Reader(data, at)
                page = reader.struct()
                size += page[2] + _VALUE * max(
                    (page[kind][1] for kind in (5, 7, 8) if kind in page), default=0
                )
                if page[2] < 0 or page[3] < 0:
                    raise ValueError("a page of a negative size")
                at = reader.at + page[3]
    return size


class _Reader:
    """Reads a value of Thrift's compact protocol, from a place of some bytes on."""

    def __init__(self, data: bytes, at: int) -> None:
        if at < 0:
            raise IndexError("before the beginning")
        self.data, self.at = data, at

    def struct(self) -> dict[int, Any]:
        """Return the fields of a struct by their numbers."""
        fields: dict[int, Any] = {}
        number = 0
        while (head := self._byte()) != 0:
            number = number + (head >> 4) if head >> 4 else self._number()
            fields[number] = head & 15 == 1 if head & 15 in (1, 2) else self._value(head & 15)
        return fields

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            if shift > 63:
                raise ValueError("a number that is too long")

    def _number(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def _value(self, kind: int) -> Any:
        match kind:
            case 1 | 2 | 3:
                return self._byte()
            case 4 | 5 | 6:
                return self._number()
            case 7:
                self.at += 8
                return None
            case 8:
                length = self._varint()
                self.at += length
                return None
            case 9 | 10:
                head = self._byte()
                count = head >> 4 if head >> 4 < 15 else self._varint()
                return [self._value(head & 15) for _ in range(count)]
            case 12:
                return self.struct()
            case _:
                raise ValueError("a kind of value that Parquet has not")
