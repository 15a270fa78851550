"""The tables of results: what columns each has, and how they are sorted.

Open this file to add a column.  docs/lab.md says what each column counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars

Rows = list[dict[str, Any]]
"""The rows of one table, each by column name."""

TABLES: Mapping[str, Mapping[str, Any]] = {
    "games": {
        "series": polars.String,
        "game": polars.Int32,
        "seed": polars.UInt64,
        "map": polars.String,
        "victory": polars.String,  # "centres", "nobility", or "" if the limit of years ended it
        "winners": polars.List(polars.String),
        "phases": polars.Int32,
        "years": polars.Int32,
        "last_phase": polars.String,
        "battles": polars.Int32,
        "sea_battles": polars.Int32,
    },
    "seats": {
        "series": polars.String,
        "game": polars.Int32,
        "power": polars.String,
        "bot": polars.String,
        "start": polars.List(polars.String),  # its centres before the first spring, sorted
        "share": polars.Float64,
        "centres": polars.Int32,
        "nobility": polars.Int32,
        "eliminated": polars.Int32,
        "first_contact": polars.Int32,
        "opening": polars.String,
        "forfeits": polars.Int32,
        "fault": polars.String,
    },
    "years": {
        "series": polars.String,
        "game": polars.Int32,
        "power": polars.String,
        "year": polars.Int32,
        "number": polars.Int32,
        "centres": polars.Int32,
        "units": polars.Int32,
        "nobility": polars.Int32,
    },
    "orders": {
        "series": polars.String,
        "game": polars.Int32,
        "power": polars.String,
        "kind": polars.String,
        "given": polars.Int32,
        "successful": polars.Int32,
    },
    "provinces": {
        "series": polars.String,
        "game": polars.Int32,
        "province": polars.String,
        "entries": polars.Int32,
        "battles": polars.Int32,
    },
    "rules": {
        "series": polars.String,
        "game": polars.Int32,
        "ruling": polars.String,
        "times": polars.Int32,
    },
    "timings": {
        "series": polars.String,
        "game": polars.Int32,
        "bot_seconds": polars.Float64,
        "judge_seconds": polars.Float64,
        "seconds": polars.Float64,
    },
}
"""The tables by name, with the type of every column.

All but ``timings`` follow from the plan alone: they are the same byte for byte on any number of
processes.  ``timings`` is in processor time, and differs from run to run.
"""


def make_frame(table: str, rows: Rows) -> polars.DataFrame:
    """Return the rows of a table with its types, in the order in which they are given."""
    return polars.DataFrame(rows, schema=dict(TABLES[table]), orient="row", strict=True)
