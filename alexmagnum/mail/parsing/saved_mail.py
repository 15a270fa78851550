"""What somebody saved of a mail, in whatever form: the message, its page, or some of its text.

Nothing is taken out here: quotations and what is forwarded stay, marked with ``>`` as deep as
they stand.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from email.message import Message

from alexmagnum.mail.parsing.decoding import clean, decode
from alexmagnum.mail.parsing.flowed import unflow
from alexmagnum.mail.parsing.html import page_lines
from alexmagnum.mail.parsing.message import parsed
from alexmagnum.mail.parsing.mime import Body, take_apart
from alexmagnum.mail.parsing.vocabulary import vocabulary

_MOST_FORWARDED = 20
_FIELD = rb"[A-Za-z][A-Za-z0-9-]*:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*"
_MESSAGE = re.compile(
    rb"\s*(?:From [^\r\n]*\r?\n)?(?=(?:%b)*?"
    rb"(?:from|received|return-path|delivered-to|message-id|mime-version|content-type):)"
    rb"(?:%b){2,}(?:\r?\n|\Z)" % (_FIELD, _FIELD),
    re.IGNORECASE,
)
_PAGE = re.compile(r"\s*<(?:!doctype|html|head|body|meta|\?xml|!--)", re.IGNORECASE)
_ELEMENT = re.compile(r"</(?:body|div|pre|p|table|blockquote|span)>|<br ?/?>", re.IGNORECASE)


def saved_texts(raw: bytes) -> tuple[str, ...]:
    """The texts in what was saved: of a message every part, plain and as its page shows it.

    Nothing is raised, whatever the bytes.
    """
    if _MESSAGE.match(raw.removeprefix(codecs.BOM_UTF8)):
        return tuple(_of_message(parsed(raw)[0], _MOST_FORWARDED))
    text = _decoded(raw)
    if _PAGE.match(text):
        return (_shown(text),)
    if text.lstrip().startswith("{"):
        return (text, *_of_data(text))
    return (clean(text), *((_shown(text),) if _ELEMENT.search(text) else ()))


def _of_data(text: str) -> Iterator[str]:
    """The texts in data as JSON, which a report may be as well."""
    try:
        left = [json.loads(text)]
    except (ValueError, RecursionError):
        return
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, (list, dict)):
            left += reversed(list(value.values() if isinstance(value, dict) else value))


def _decoded(raw: bytes) -> str:
    """The text of a file: Windows saves some in UTF-16."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", "replace")
    return decode(raw.removeprefix(codecs.BOM_UTF8), "").text


def _of_message(message: Message, forwarded: int) -> Iterator[str]:
    parts = take_apart(message)
    for body in parts.bodies:
        yield from _of_body(body)
    for inner in parts.forwarded[:forwarded]:
        for text in _of_message(inner, forwarded // 2):
            yield "\n".join(f"> {line}" for line in text.split("\n"))


def _of_body(body: Body) -> Iterator[str]:
    if body.plain is not None:
        yield unflow(body.plain, delsp=body.delsp) if body.flowed else body.plain
    if body.page is not None:
        yield _shown(body.page)


def _shown(page: str) -> str:
    """The text that a page shows."""
    lines = page_lines(page, vocabulary()).lines
    return "\n".join("> " * line.depth + line.text for line in lines)
