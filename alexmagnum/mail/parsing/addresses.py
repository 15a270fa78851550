"""Addresses in the header fields of a mail: its sender and its recipients.

Text that only looks like an address is kept as a name, so that a note can show it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_ADDRESS = re.compile(r"[^\s<>()@,;:\"\[\]\\]{1,64}@[^\s<>()@,;:\"\[\]\\]{1,253}")
_ADDRESS_IN_BRACKETS = re.compile(
    r"(?P<name>[^<>]*)<\s*(?P<address>[^<>\s]*)\s*>\s*(?:\([^()]*\))?"
)
_ADDRESS_WITH_COMMENT = re.compile(r"(?P<address>[^\s<>(),;\"]+)\s*(?:\((?P<name>[^()]*)\))?")
_LIST_ITEM = re.compile(r"(?:\"(?:[^\"\\]|\\.)*+\"|<[^<>]*+>|\([^()]*+\)|[^,;])++")
_MAX_MAILBOXES = 200


class Mailbox(NamedTuple):
    """One person in an address field; ``address`` is in lower case, or "" if it is not valid."""

    name: str
    address: str


def parse_mailboxes(field: str) -> list[Mailbox]:
    """Return the mailboxes in a decoded address field.

    >>> parse_mailboxes('"Rossi, Mario" <M.Rossi@Example.org>')
    [Mailbox(name='Rossi, Mario', address='m.rossi@example.org')]
    >>> parse_mailboxes("Mario Rossi m@example.org")
    [Mailbox(name='Mario Rossi m@example.org', address='')]
    """
    items = (match[0].strip() for match in _LIST_ITEM.finditer(field))
    return [_parse_mailbox(item) for item in items if item][:_MAX_MAILBOXES]


def _parse_mailbox(text: str) -> Mailbox:
    match = _ADDRESS_IN_BRACKETS.fullmatch(text) or _ADDRESS_WITH_COMMENT.fullmatch(text)
    if match is None or not is_address(match["address"]):
        return Mailbox(text, "")
    name = (match["name"] or "").strip().strip('"').replace('\\"', '"').strip()
    return Mailbox(name, match["address"].casefold())


def is_address(text: str) -> bool:
    """Tell whether a text has the form of an address."""
    return _ADDRESS.fullmatch(text) is not None


def find_addresses(fields: Iterable[str]) -> tuple[str, ...]:
    """Return the valid addresses in some decoded fields, each once."""
    addresses = (mailbox.address for field in fields for mailbox in parse_mailboxes(field))
    return tuple(dict.fromkeys(filter(None, addresses)))


def remove_tag(address: str) -> str:
    """Return an address without its tag: ``gm+am-k7@example.org`` becomes ``gm@example.org``."""
    user, at, host = address.partition("@")
    return user.partition("+")[0] + at + host
