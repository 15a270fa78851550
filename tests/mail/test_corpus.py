"""Every message of the corpus comes to just what its player meant."""

from __future__ import annotations

import email
from typing import Any

import pytest

from tests.mail.corpus_reader import CORPUS, EXPECTED, FOLDER, outcome

DEFAULTS: dict[str, Any] = {
    "kind": "person",
    "orders": [],
    "unread": [],
    "commands": [],
    "press": [],
    "bounced": [],
}
"""What is so for every message whose entry does not say otherwise."""


def test_every_message_has_an_entry() -> None:
    assert {path.stem for path in FOLDER.glob("*.eml")} == EXPECTED.keys()


def test_the_corpus_is_large_enough() -> None:
    machines = [name for name, entry in EXPECTED.items() if entry.get("kind", "person") != "person"]

    assert len(EXPECTED) >= 120
    assert len(machines) >= 12


@pytest.mark.parametrize("name", EXPECTED)
def test_a_message_comes_to_what_was_meant(name: str) -> None:
    entry = EXPECTED[name]
    wanted = {**DEFAULTS, **entry}
    if "text" in wanted:
        wanted["text"] = " ".join(wanted["text"].split())
    found = outcome(CORPUS[name], entry)

    checked = found.keys() & wanted.keys()
    assert {key: found[key] for key in checked} == {key: wanted[key] for key in checked}


BOTH_NEEDED = {
    "plain-empty",
    "plain-stub",
    "plain-tells-not-what-is-quoted",
    "plain-tells-not-what-is-struck-out",
}
"""Messages whose plain text or page alone says something else, on purpose."""


def _halves() -> list[tuple[str, bytes]]:
    """Yield the plain text and the page of each message that has both, as two messages."""
    found = []
    for name in sorted(EXPECTED.keys() - BOTH_NEEDED):
        raw = CORPUS[name]
        whole = email.message_from_bytes(raw)
        if whole.get_content_type() == "multipart/alternative":
            head = raw.partition(b"MIME-Version")[0]
            parts = [p for p in whole.walk() if p.get_content_type() in ("text/plain", "text/html")]
            found += [(name, head + b"MIME-Version: 1.0\r\n" + part.as_bytes()) for part in parts]
    return found


@pytest.mark.parametrize(
    ("name", "raw"), _halves(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_the_plain_text_and_the_page_alone_come_to_the_same(name: str, raw: bytes) -> None:
    """Read each alone, so that neither depends on the other."""
    assert outcome(raw, EXPECTED[name])["orders"] == EXPECTED[name]["orders"]
