"""Folding of text, so that case and accents stop mattering."""

from __future__ import annotations

import unicodedata


def fold(text: str) -> str:
    """Lower case without accents: ``Selèuco`` and ``SELEUCO`` become ``seleuco``."""
    if text.isascii():
        return text.lower()
    spelt = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in spelt if not unicodedata.combining(letter))
