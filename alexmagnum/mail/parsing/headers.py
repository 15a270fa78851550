"""The header fields of a mail, decoded on access."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from itertools import islice

from alexmagnum.mail.parsing.decoding import decode_field
from alexmagnum.mail.parsing.limits import MAX_HEADER

_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,900}>")
_MAX_FIELDS = 1_000


class Headers:
    """The header fields of one mail by name, in the order they came; case does not matter.

    The standard library's newer header objects are not used: they raise on some malformed fields.
    """

    def __init__(self, message: Message) -> None:
        self._fields: dict[str, list[str]] = {}
        for name, value in islice(message.raw_items(), _MAX_FIELDS):
            self._fields.setdefault(name.casefold(), []).append(str(value)[:MAX_HEADER])

    def all(self, name: str) -> list[str]:
        """Return all fields of a name, decoded."""
        return [decode_field(value) for value in self._fields.get(name.casefold(), ())]

    def get(self, name: str) -> str:
        """Return the first field of a name, decoded; "" if there is none."""
        return next(iter(self.all(name)), "")

    def count(self, name: str) -> int:
        """Return how many fields of a name there are."""
        return len(self._fields.get(name.casefold(), ()))

    def ids(self, *names: str) -> tuple[str, ...]:
        """Return the message ids in the fields of some names, each once."""
        fields = [raw for name in names for raw in self._fields.get(name, ())]
        return tuple(dict.fromkeys(found for raw in fields for found in _MESSAGE_ID.findall(raw)))

    def date(self) -> datetime | None:
        """Return the date that the writer's program set, in UTC; None if it is not a date."""
        try:
            date = parsedate_to_datetime(self.get("date"))
            return date.replace(tzinfo=date.tzinfo or UTC).astimezone(UTC)
        except (ValueError, TypeError, OverflowError, IndexError, AttributeError):
            return None
