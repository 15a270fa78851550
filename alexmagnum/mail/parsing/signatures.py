"""Detection of signatures, adverts and disclaimers below a letter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from alexmagnum.mail.parsing.quoted_lines import SIGNATURE, Line
from alexmagnum.mail.parsing.vocabulary import Vocabulary, fold_phrase

_LOOSE_SIGNATURE = re.compile(r"(?:--|[\u2014\u2013]) ?")
"""``--`` without its blank, or one long dash. People also separate paragraphs with it."""

_ORDER_LIKE = re.compile(r"\W*[afg]\b|.*\w ?[-\u2013\u2014>\u2192]+ ?\w", re.IGNORECASE)
_PGP_TEXT = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----")
_PGP_FIELD = re.compile(r"(?:Hash|Charset): .*")
_PGP_SIGNATURE = re.compile(r"-----BEGIN PGP SIGNATURE-----")
_MAX_PROGRAM_LINE = 150
"""Characters of a line that a mail program adds below a letter."""


def find_signature_lines(
    lines: Sequence[Line], own: Sequence[bool], words: Vocabulary
) -> list[bool]:
    """Tell for each line whether it is one of the writer's own lines and part of a signature.

    ``-- `` starts a signature, which ends at the next quotation, because some people answer below
    it, or at the end of press, which may be signed. ``--`` without its blank starts one only if no
    line below it looks like an order. A line such as ``Inviato da iPhone`` is removed alone,
    because people write on below it.
    """
    removed = [False] * len(lines)
    in_signature = False
    program_lines = tuple(words.get("signatures", "lines"))
    disclaimers = tuple(words.get("signatures", "cuts"))
    press_ends = words.get("press", "end")
    for i, line in enumerate(lines):
        phrase = fold_phrase(line.text).strip(" *_-[(")
        if not own[i] or phrase.strip(" .*_-])") in press_ends:
            in_signature = False
            continue
        in_signature = (
            in_signature or phrase.startswith(disclaimers) or _starts_signature(lines, own, i)
        )
        is_program_line = len(phrase) <= _MAX_PROGRAM_LINE and phrase.startswith(program_lines)
        removed[i] = in_signature or is_program_line or line.signature or _is_pgp_head(lines, i)
    return removed


def _starts_signature(lines: Sequence[Line], own: Sequence[bool], at: int) -> bool:
    text = lines[at].text
    if text == SIGNATURE or _PGP_SIGNATURE.match(text):
        return True
    return _LOOSE_SIGNATURE.fullmatch(text) is not None and not _has_orders_below(lines, own, at)


def _has_orders_below(lines: Sequence[Line], own: Sequence[bool], at: int) -> bool:
    """Tell whether a line looks like an order, from here to the next quotation."""
    for i in range(at + 1, len(lines)):
        if not own[i]:
            return False
        if _ORDER_LIKE.match(lines[i].text):
            return True
    return False


def _is_pgp_head(lines: Sequence[Line], at: int) -> bool:
    """Tell whether a line is one of the first two of a letter signed with PGP."""
    if _PGP_TEXT.match(lines[at].text):
        return True
    return bool(at and _PGP_FIELD.fullmatch(lines[at].text) and _PGP_TEXT.match(lines[at - 1].text))
