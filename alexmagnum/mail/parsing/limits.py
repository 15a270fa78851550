"""Limits on how much of a mail is read: enough for any letter, too little to block the reader."""

from __future__ import annotations

import re

MAX_BYTES = 8 << 20
"""Bytes of a mail; the rest is ignored. The text of a mail comes before its pictures."""

MAX_HEADER = 8_000
"""Characters of one header field."""

MAX_TEXT = 400_000
"""Characters of all parts that are text, together."""

MAX_LETTER = 50_000
"""Characters of the writer's own text."""

MAX_LINES = 10_000
"""Lines of one text, quotations included."""

MAX_PARTS = 100
MAX_DEPTH = 12
MAX_NAME = 300
"""Characters of a subject or a name."""

_NESTING = re.compile(rb"boundary|message/rfc822", re.IGNORECASE)
_MAX_NESTING = 400


def is_nested_too_deep(raw: bytes) -> bool:
    """Tell whether a mail has too many parts within parts.

    The standard parser compares each line with every open boundary, so such a mail takes minutes.
    """
    return sum(1 for _ in _NESTING.finditer(raw)) > _MAX_NESTING


def keep_head(raw: bytes) -> bytes:
    """Return the header fields of a mail without its body and without fields about the body."""
    head = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0]
    return re.sub(rb"(?im)^content-", b"X-Content-", head) + b"\n\n"
