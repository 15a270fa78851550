"""The fields of a message, decoded when they are asked for."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from itertools import islice

from alexmagnum.mail.parsing.decoding import field
from alexmagnum.mail.parsing.limits import MAX_HEADER

_ID = re.compile(r"<[!-;=?-~]{1,900}>")
_MOST_FIELDS = 1_000


class Headers:
    """The fields of one message by name, whatever the case, in the order they came.

    The standard library's newer header objects are not used: they raise on some malformed fields.
    """

    def __init__(self, message: Message) -> None:
        self._fields: dict[str, list[str]] = {}
        for name, value in islice(message.raw_items(), _MOST_FIELDS):
            self._fields.setdefault(name.casefold(), []).append(str(value)[:MAX_HEADER])

    def all(self, name: str) -> list[str]:
        """All fields of a name, decoded."""
        return [field(value) for value in self._fields.get(name.casefold(), ())]

    def get(self, name: str) -> str:
        """The first field of a name, decoded; "" if there is none."""
        return next(iter(self.all(name)), "")

    def count(self, name: str) -> int:
        return len(self._fields.get(name.casefold(), ()))

    def ids(self, *names: str) -> tuple[str, ...]:
        """The message ids in some fields, each once."""
        fields = [raw for name in names for raw in self._fields.get(name, ())]
        return tuple(dict.fromkeys(found for raw in fields for found in _ID.findall(raw)))

    def date(self) -> datetime | None:
        """The date that the writer's program set, in UTC; None if it is none."""
        try:
            found = parsedate_to_datetime(self.get("date"))
            return found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC)
        except (ValueError, TypeError, OverflowError, IndexError, AttributeError):
            return None
