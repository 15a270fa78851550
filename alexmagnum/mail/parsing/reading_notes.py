"""Notes on what was odd about a mail, for its receipt and for the game master."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

_CODES = """address-in-name attachment-ignored attachment-read charset-guessed cut-below
delivery-delayed encrypted forwarded forwarded-ignored forwarded-own from-malformed from-missing
from-several html-only looks-automatic no-message-id only-picture only-quotation quotation-broken
repeats-sent struck-out too-large too-many-parts undecodable unreadable"""

CODES = frozenset(_CODES.split())
"""All codes; the sentence catalogues have a sentence for each."""


class Note(NamedTuple):
    """A code, and the data that its sentence needs."""

    code: str
    data: Mapping[str, str]

    @classmethod
    def of(cls, code: str, **data: str) -> Note:
        """Return a note with the data given by keyword."""
        return cls(code, data)
