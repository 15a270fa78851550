"""Mails in which nothing can be read, and why.

Open this file when a mail with nothing in it is answered, or one that says something is not.
"""

from __future__ import annotations

from alexmagnum.mail.parsing.message import IncomingMail

FORWARDED, ENCRYPTED, UNDECODABLE = "waits-forwarded", "waits-encrypted", "waits-undecodable"
ONLY_FILES, ONLY_PICTURE = "waits-only-files", "waits-only-picture"
ONLY_QUOTATION, EMPTY = "waits-quotation", "waits-empty"
"""Why a mail waits in which nothing can be read: codes of sentences."""

FAULTS = (FORWARDED, ENCRYPTED, UNDECODABLE, ONLY_FILES, ONLY_PICTURE, ONLY_QUOTATION, EMPTY)
"""All of these codes."""

_LEAST_READABLE = 0.7
"""The share of a text's characters that have to be readable."""

_REASONS = (
    ("encrypted", ENCRYPTED),
    ("forwarded-ignored", FORWARDED),
    ("forwarded", FORWARDED),
    ("undecodable", UNDECODABLE),
    ("attachment-ignored", ONLY_FILES),
    ("only-picture", ONLY_PICTURE),
    ("only-quotation", ONLY_QUOTATION),
)
"""The notes that say why a mail has no text, the weightiest first."""


def find_fault(mail: IncomingMail) -> str:
    """Return why nothing in a mail can be read, one of the codes above; "" if something can."""
    text = mail.text.strip()
    if not text:
        found = [reason for code, reason in _REASONS if code in mail.codes]
        return _name_files(mail, found[0]) if found else EMPTY
    shown = "".join(text.split())
    lost = shown.count("\ufffd")
    return UNDECODABLE if lost > (1 - _LEAST_READABLE) * len(shown) else ""


def _name_files(mail: IncomingMail, reason: str) -> str:
    """Return a reason; attached pictures are told from other files."""
    if reason != ONLY_FILES:
        return reason
    types = [note.data["type"] for note in mail.notes if note.code == "attachment-ignored"]
    return ONLY_PICTURE if all(type_.startswith("image/") for type_ in types) else ONLY_FILES
