"""Fold text so that case and accents do not matter when it is compared."""

from __future__ import annotations

import unicodedata


def fold(text: str) -> str:
    """Return a text in lower case without accents: ``Selèuco`` becomes ``seleuco``."""
    if text.isascii():
        return text.lower()
    spelt = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in spelt if not unicodedata.combining(letter))
