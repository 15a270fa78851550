"""What kind of mail a message is: only what a person wrote to the game is answered."""

from __future__ import annotations

import re
from collections.abc import Collection
from email.message import Message
from typing import NamedTuple

from flufl.bounce import all_failures

from alexmagnum.mail.addresses import addresses, untagged
from alexmagnum.mail.headers import Headers
from alexmagnum.mail.vocabulary import Vocabulary, plain

PERSON, AUTO_REPLY, BOUNCE, LIST, OWN, LOOP = (
    "person",
    "auto-reply",
    "bounce",
    "list",
    "own",
    "loop",
)

LOOP_HEADER = "X-Alexmagnum"
"""The field that every mail of the game carries; no reply repeats it, only a copy does."""

_MOST_HOPS = 50
_AUTOMATIC = ("x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply", "x-vacation")
_LIST = ("list-id", "list-post", "list-help", "list-unsubscribe", "mailing-list", "x-mailing-list")
_PRECEDENCES = {"list": LIST, "bulk": AUTO_REPLY, "junk": AUTO_REPLY, "auto_reply": AUTO_REPLY}
_DAEMONS = frozenset({"mailer-daemon", "postmaster", "mail-daemon", "mdaemon"})


class Sorted(NamedTuple):
    """The kind of a message, and of a bounce the addresses that failed for good and for now."""

    kind: str
    bounced: tuple[str, ...] = ()
    delayed: tuple[str, ...] = ()


def sort(message: Message, headers: Headers, own: Collection[str], words: Vocabulary) -> Sorted:
    """The kind of a message; ``own``: the addresses of the game, without tags."""
    mine = {untagged(address.casefold()) for address in own}
    senders = {untagged(address) for address in addresses(headers.all("from"))}
    if _is_looping(headers, mine, bool(senders & mine)):
        return Sorted(LOOP)
    if senders & mine:
        return Sorted(OWN)
    subject = plain(headers.get("subject"))
    if _looks_bounced(message, headers, senders, subject, words):
        return _bounce(message)
    return Sorted(_automatic(message, headers, subject, words))


def _is_looping(headers: Headers, mine: Collection[str], sent_by_us: bool) -> bool:
    """Has a message of the game, or one that goes round, come in?"""
    if headers.count("received") > _MOST_HOPS:
        return True
    if headers.count(LOOP_HEADER) and not sent_by_us:
        return True
    return bool({untagged(a) for a in addresses(headers.all("x-loop"))} & set(mine))


def _looks_bounced(
    message: Message, headers: Headers, senders: Collection[str], subject: str, words: Vocabulary
) -> bool:
    kind = _parameter(message, "report-type")
    if message.get_content_type() == "multipart/report" and kind != "disposition-notification":
        return True
    if headers.count("x-failed-recipients"):
        return True
    daemon = any(address.partition("@")[0] in _DAEMONS for address in senders)
    return daemon or (_is_unsent(headers) and _begins(subject, words, "bounces"))


def _parameter(message: Message, name: str) -> str:
    """A parameter of the content type; "" where it is missing or mangled."""
    try:
        return str(message.get_param(name, "")).casefold()
    except (ValueError, TypeError, LookupError):
        return ""


def _bounce(message: Message) -> Sorted:
    """The failing addresses, by the many formats that reports have."""
    try:
        temporary, permanent = all_failures(message)
    except Exception:  # the formats are many, the reports that break them more
        temporary = permanent = frozenset()
    return Sorted(BOUNCE, _texts(permanent), _texts(temporary))


def _texts(found: Collection[bytes | str]) -> tuple[str, ...]:
    texts = (a.decode("ascii", "replace") if isinstance(a, bytes) else a for a in found)
    return tuple(sorted({text for each in texts for text in addresses([each])}))


def _automatic(message: Message, headers: Headers, subject: str, words: Vocabulary) -> str:
    """A machine's answer, a list's copy, or a person's letter."""
    stated = headers.get("auto-submitted").partition(";")[0].strip().casefold()
    if stated not in ("", "no") or any(headers.count(name) for name in _AUTOMATIC):
        return AUTO_REPLY
    if message.get_content_type() == "multipart/report":
        return AUTO_REPLY
    if any(headers.count(name) for name in _LIST):
        return LIST
    precedence = headers.get("precedence").strip().casefold()
    if precedence in _PRECEDENCES:
        return _PRECEDENCES[precedence]
    if _is_unsent(headers) or _begins(subject, words, "automatic"):
        return AUTO_REPLY
    return PERSON


def _is_unsent(headers: Headers) -> bool:
    """Is the return path the empty one, which machines use so that nothing comes back?"""
    return any(path.replace(" ", "") == "<>" for path in headers.all("return-path"))


def _begins(subject: str, words: Vocabulary, section: str) -> bool:
    """Is the subject one of the phrases, or does it go on with a sign after one?"""
    for phrase in words.of(section, "subjects"):
        if subject.startswith(phrase) and re.match(r" *(?:[:(\u2013-]|$)", subject[len(phrase) :]):
            return True
    return False
