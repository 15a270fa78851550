"""The sentences and words that the bundle takes along, cut down to what a page can say."""

from __future__ import annotations

import ast
import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

CATALOGUES = "alexmagnum/i18n/catalogues"
WORDS = "alexmagnum/notation/words"

OF_MAILS = ("sections", "seasons", "periods", "fresh", "names")
"""The sections of words for what stands around orders in a mail; a page has none."""


def list_resources(root: Path, sources: Iterable[str]) -> dict[str, str]:
    """Return by path the texts that the judge reads when it runs.

    ``sources``: the compiled files.  Of the catalogues only sentences are kept whose code stands
    in one of them.
    """
    texts = _list_texts(sources)
    resources: dict[str, str] = {}
    for path in sorted((root / CATALOGUES).glob("*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        kept = {code: sentence for code, sentence in table.items() if code in texts}
        if kept:
            resources[f"{CATALOGUES}/{path.name}"] = write_ordered(kept)
    for path in sorted((root / WORDS).glob("*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        kept = {section: words for section, words in table.items() if section not in OF_MAILS}
        resources[f"{WORDS}/{path.name}"] = write_ordered(kept)
    return resources


def _list_texts(sources: Iterable[str]) -> frozenset[str]:
    """Return all texts that stand in the sources of a program."""
    return frozenset(
        node.value
        for source in sources
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def write_ordered(value: Any) -> str:
    """Return data as JSON whose objects keep their order: as ``{"": [key, value, ...]}``."""
    return json.dumps(order_keys(value), ensure_ascii=False, separators=(",", ":"))


def order_keys(value: Any) -> Any:
    """Return data with every object as a list of its keys and values."""
    if isinstance(value, Mapping):
        pairs = [part for key, entry in value.items() for part in (key, order_keys(entry))]
        return {"": pairs}
    if isinstance(value, list | tuple):
        return [order_keys(entry) for entry in value]
    return value
