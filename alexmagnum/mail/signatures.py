"""What stands below a letter without being part of it: signatures, adverts, disclaimers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from alexmagnum.mail.lines import Line
from alexmagnum.mail.vocabulary import Vocabulary, plain

_DELIMITER = re.compile(r"(?:--|[\u2014\u2013]) ?")
_ARMOUR = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----")
_ARMOUR_FIELD = re.compile(r"(?:Hash|Charset): .*")
_SEAL = re.compile(r"-----BEGIN PGP SIGNATURE-----")
_LONGEST = 150
"""Characters of a line that a program puts below a letter."""


def signed(lines: Sequence[Line], own: Sequence[bool], words: Vocabulary) -> list[bool]:
    """Which of the writer's own lines are signature.

    ``-- `` cuts as far as the next quotation: whoever answers below it is read.  A line such as
    ``Inviato da iPhone`` goes alone, as people write on below it.
    """
    gone = [False] * len(lines)
    cut = False
    singles = tuple(words.of("signatures", "lines"))
    cuts = tuple(words.of("signatures", "cuts"))
    for i, line in enumerate(lines):
        if not own[i]:
            cut = False
            continue
        spelt = plain(line.text).strip(" *_-[(")
        cut = cut or _DELIMITER.fullmatch(line.text) is not None or spelt.startswith(cuts)
        cut = cut or _SEAL.match(line.text) is not None
        alone = len(spelt) <= _LONGEST and spelt.startswith(singles)
        gone[i] = cut or alone or line.signature or _is_armour(lines, i)
    return gone


def _is_armour(lines: Sequence[Line], at: int) -> bool:
    """The first lines of a letter that is signed by PGP."""
    if _ARMOUR.match(lines[at].text):
        return True
    return bool(
        at and _ARMOUR_FIELD.fullmatch(lines[at].text) and _ARMOUR.match(lines[at - 1].text)
    )
