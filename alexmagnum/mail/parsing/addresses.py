"""Who wrote, and to whom: addresses that are addresses, and what is odd about the others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_ADDRESS = re.compile(r"[^\s<>()@,;:\"\[\]\\]{1,64}@[^\s<>()@,;:\"\[\]\\]{1,253}")
_MAILBOX = re.compile(r"(?P<name>[^<>]*)<\s*(?P<address>[^<>\s]*)\s*>\s*(?:\([^()]*\))?")
_COMMENTED = re.compile(r"(?P<address>[^\s<>(),;\"]+)\s*(?:\((?P<name>[^()]*)\))?")
_ITEM = re.compile(r"(?:\"(?:[^\"\\]|\\.)*+\"|<[^<>]*+>|\([^()]*+\)|[^,;])++")
_MOST = 200


class Mailbox(NamedTuple):
    """One person in an address field; ``address`` in lower case, "" if it is none."""

    name: str
    address: str


def mailboxes(field: str) -> list[Mailbox]:
    """The mailboxes of a decoded address field.

    >>> mailboxes('"Rossi, Mario" <M.Rossi@Example.org>')
    [Mailbox(name='Rossi, Mario', address='m.rossi@example.org')]
    >>> mailboxes("Mario Rossi m@example.org")
    [Mailbox(name='Mario Rossi m@example.org', address='')]
    """
    items = (match[0].strip() for match in _ITEM.finditer(field))
    return [_mailbox(item) for item in items if item][:_MOST]


def _mailbox(text: str) -> Mailbox:
    match = _MAILBOX.fullmatch(text) or _COMMENTED.fullmatch(text)
    if match is None or not is_address(match["address"]):
        return Mailbox(text, "")
    name = (match["name"] or "").strip().strip('"').replace('\\"', '"').strip()
    return Mailbox(name, match["address"].casefold())


def is_address(text: str) -> bool:
    """Is it an address by its look?"""
    return _ADDRESS.fullmatch(text) is not None


def addresses(fields: Iterable[str]) -> tuple[str, ...]:
    """All addresses of some decoded fields, each once."""
    found = (box.address for text in fields for box in mailboxes(text))
    return tuple(dict.fromkeys(filter(None, found)))


def untagged(address: str) -> str:
    """An address without the tag of its user: ``gm+am-k7@example.org`` is ``gm@example.org``."""
    user, at, host = address.partition("@")
    return user.partition("+")[0] + at + host
