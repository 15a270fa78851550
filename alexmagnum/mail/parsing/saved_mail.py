"""Reading of mail that somebody saved to a file: as a message, as HTML, or as some text of it.

Nothing is taken out here: quotations and forwarded mail stay, marked with ``>`` as deep as they
stand.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from email.message import Message

from alexmagnum.mail.parsing.decoding import clean_text, decode
from alexmagnum.mail.parsing.flowed import unflow
from alexmagnum.mail.parsing.html import read_page
from alexmagnum.mail.parsing.message import parse_message
from alexmagnum.mail.parsing.mime import Body, find_parts
from alexmagnum.mail.parsing.vocabulary import load_vocabulary

_MAX_FORWARDED = 20
_FIELD = rb"[A-Za-z][A-Za-z0-9-]*:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*"
_MESSAGE = re.compile(
    rb"\s*(?:From [^\r\n]*\r?\n)?(?=(?:%b)*?"
    rb"(?:from|received|return-path|delivered-to|message-id|mime-version|content-type):)"
    rb"(?:%b){2,}(?:\r?\n|\Z)" % (_FIELD, _FIELD),
    re.IGNORECASE,
)
_HTML_START = re.compile(r"\s*<(?:!doctype|html|head|body|meta|\?xml|!--)", re.IGNORECASE)
_HTML_TAG = re.compile(r"</(?:body|div|pre|p|table|blockquote|span)>|<br ?/?>", re.IGNORECASE)


def read_saved_texts(raw: bytes) -> tuple[str, ...]:
    """Return the texts in a saved file: of a message every part, as plain text and from HTML.

    Never raises, whatever the bytes.
    """
    if _MESSAGE.match(raw.removeprefix(codecs.BOM_UTF8)):
        return tuple(_read_message_texts(parse_message(raw)[0], _MAX_FORWARDED))
    text = _decode_file(raw)
    if _HTML_START.match(text):
        return (_read_html(text),)
    if text.lstrip().startswith("{"):
        return (text, *_read_json_texts(text))
    return (clean_text(text), *((_read_html(text),) if _HTML_TAG.search(text) else ()))


def _read_json_texts(text: str) -> Iterator[str]:
    """Yield the texts in JSON, which a report may be as well."""
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


def _decode_file(raw: bytes) -> str:
    """Decode a file; programs on Windows save some in UTF-16."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", "replace")
    return decode(raw.removeprefix(codecs.BOM_UTF8), "").text


def _read_message_texts(message: Message, max_forwarded: int) -> Iterator[str]:
    parts = find_parts(message)
    for body in parts.bodies:
        yield from _read_body_texts(body)
    for inner in parts.forwarded[:max_forwarded]:
        for text in _read_message_texts(inner, max_forwarded // 2):
            yield "\n".join(f"> {line}" for line in text.split("\n"))


def _read_body_texts(body: Body) -> Iterator[str]:
    if body.plain is not None:
        yield unflow(body.plain, delsp=body.delsp) if body.flowed else body.plain
    if body.html is not None:
        yield _read_html(body.html)


def _read_html(source: str) -> str:
    lines = read_page(source, load_vocabulary()).lines
    return "\n".join("> " * line.depth + line.text for line in lines)
