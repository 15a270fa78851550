"""The mails of the sample turn and of the sample game, by the names in their file names."""

from collections.abc import Mapping
from pathlib import Path

ORDERS = Path(__file__).parents[1] / "orders"  # the folder of the sample turn and the sample game

NAMES: Mapping[str, str] = {
    "AUT": "autigone",
    "CAN": "candragrupta",
    "CAS": "cassandro",
    "LIS": "lisimaco",
    "SEL": "seleuco",
    "TOL": "tolomeo",
}
"""The name of each power in the names of files."""


def read_sample_mail(power: str) -> str:
    """Return the orders of a power in the sample turn as its player wrote them."""
    return (ORDERS / f"{NAMES[power]}.txt").read_text(encoding="utf-8")
