"""What stands below a letter without being part of it: signatures, adverts, disclaimers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from alexmagnum.mail.parsing.lines import SIGNATURE, Line
from alexmagnum.mail.parsing.vocabulary import Vocabulary, plain

_BARE = re.compile(r"(?:--|[\u2014\u2013]) ?")
"""The same without its blank, or made one dash: people also part their paragraphs with it."""

_ORDER_LIKE = re.compile(r"\W*[afg]\b|.*\w ?[-\u2013\u2014>\u2192]+ ?\w", re.IGNORECASE)
_ARMOUR = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----")
_ARMOUR_FIELD = re.compile(r"(?:Hash|Charset): .*")
_SEAL = re.compile(r"-----BEGIN PGP SIGNATURE-----")
_LONGEST = 150
"""Characters of a line that a program puts below a letter."""


def signed(lines: Sequence[Line], own: Sequence[bool], words: Vocabulary) -> list[bool]:
    """Which of the writer's own lines are signature.

    ``-- `` cuts as far as the next quotation: whoever answers below it is read; and as far as the
    end of press, which was signed.  Without its blank it cuts only if nothing below it looks like
    an order.  A line such as ``Inviato da iPhone`` goes alone, as people write on below it.
    """
    gone = [False] * len(lines)
    cut = False
    singles, cuts = (tuple(words.of("signatures", key)) for key in ("lines", "cuts"))
    for i, line in enumerate(lines):
        spelt = plain(line.text).strip(" *_-[(")
        if not own[i] or spelt.strip(" .*_-])") in words.of("press", "end"):
            cut = False
            continue
        cut = cut or line.text == SIGNATURE or spelt.startswith(cuts)
        cut = cut or (_BARE.fullmatch(line.text) is not None and not _orders_below(lines, own, i))
        cut = cut or _SEAL.match(line.text) is not None
        alone = len(spelt) <= _LONGEST and spelt.startswith(singles)
        gone[i] = cut or alone or line.signature or _is_armour(lines, i)
    return gone


def _orders_below(lines: Sequence[Line], own: Sequence[bool], at: int) -> bool:
    """Does any line look like an order, down to the next quotation?"""
    for i in range(at + 1, len(lines)):
        if not own[i]:
            return False
        if _ORDER_LIKE.match(lines[i].text):
            return True
    return False


def _is_armour(lines: Sequence[Line], at: int) -> bool:
    """The first lines of a letter that is signed by PGP."""
    if _ARMOUR.match(lines[at].text):
        return True
    return bool(
        at and _ARMOUR_FIELD.fullmatch(lines[at].text) and _ARMOUR.match(lines[at - 1].text)
    )
