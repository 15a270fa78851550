"""The notation: reading orders as people write them, in any language, and writing them.

Everything that other rooms use is imported here.
"""

from __future__ import annotations

from alexmagnum.notation.names import find_province
from alexmagnum.notation.reader import read_canonical, read_order, read_orders, read_unit
from alexmagnum.notation.words import Lexicon, Line, NotationSettings, Notice, Reading, word_tables
from alexmagnum.notation.writer import describe_order, order_in, order_words, write_order

__all__ = [
    "Lexicon",
    "Line",
    "NotationSettings",
    "Notice",
    "Reading",
    "describe_order",
    "find_province",
    "order_in",
    "order_words",
    "read_canonical",
    "read_order",
    "read_orders",
    "read_unit",
    "word_tables",
    "write_order",
]
