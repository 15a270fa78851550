"""Read the TOML tables of the package: sentences, words of orders, words of mail programs.

Commands keep what they read in the user's cache, as JSON: it is read ten times as fast.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from alexmagnum.user_cache import read_cached, write_cached

Table = dict[str, Any]


def load_tables(paths: Iterable[Path | Traversable]) -> list[Table]:
    """Return the tables of some files.  They hold texts, numbers and lists, no dates.

    Raises:
        ValueError: one of them is not TOML.
    """
    texts = [path.read_text(encoding="utf-8") for path in paths]
    name = f"tables-{hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:32]}.json"
    kept = _read(read_cached(name), len(texts))
    if kept is not None:
        return kept
    import tomllib  # only where nothing is kept

    tables = [tomllib.loads(text) for text in texts]
    content = json.dumps(tables, ensure_ascii=False).encode()
    write_cached(name, hashlib.sha256(content).digest() + content)
    return tables


def _read(kept: bytes | None, count: int) -> list[Table] | None:
    """Return the tables that a file of the cache holds; None if it is damaged."""
    digest, content = (kept or b"")[:32], (kept or b"")[32:]
    if not content or hashlib.sha256(content).digest() != digest:
        return None
    try:
        tables = json.loads(content)
    except ValueError:
        return None
    is_sound = isinstance(tables, list) and all(isinstance(table, dict) for table in tables)
    return tables if is_sound and len(tables) == count else None
