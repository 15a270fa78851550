"""How much of a message is looked at: enough for any letter, too little to be kept busy by."""

from __future__ import annotations

import re

MAX_BYTES = 8 << 20
"""Of a message; what is beyond is left aside.  The text of a letter comes before its pictures."""

MAX_HEADER = 8_000
"""Characters of one header field."""

MAX_TEXT = 400_000
"""Characters of all parts that are text."""

MAX_LETTER = 50_000
"""Characters of what a person wrote."""

MAX_LINES = 10_000
"""Lines of one text, with all that is quoted in it."""

MAX_PARTS = 100
MAX_DEPTH = 12
MAX_NAME = 300
"""Characters of a subject or a name."""

_NESTING = re.compile(rb"boundary|message/rfc822", re.IGNORECASE)
_MOST_NESTED = 400


def is_tangled(raw: bytes) -> bool:
    """Are there so many parts within parts that taking them apart is not worth it?

    The standard parser tries each line against every boundary that is open.
    """
    return sum(1 for _ in _NESTING.finditer(raw)) > _MOST_NESTED


def head_alone(raw: bytes) -> bytes:
    """The fields of a message without its body, and without what its body is made of."""
    head = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0]
    return re.sub(rb"(?im)^content-", b"X-Content-", head) + b"\n\n"
