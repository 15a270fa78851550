"""The words by which a mail replaces everything sent before: ``All orders:``, ``Annulla tutto``.

Without such words a mail adds to the earlier ones (setting ``second_mail``).  Open this to add a
phrase; ``docs/players.md`` and ``docs/giocatori.md`` list the usual ones.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.game.mail_sections import has_heading_words_alone

PHASE, ALL = "phase", "all"
"""The orders that a mail replaces: those for the open phase, or those for later phases as well."""

_LEAD = r"(?:(?:ecco|questi|questo|sono|vi|ti|mando|invio|here|these|this|are|is|e)\b\W*)*"

_EARLIER = r"""
    (?: all | everything | tutto | tutti
      | (?:all\s+)? (?:of\s+)? (?:my\s+|the\s+)? (?:earlier|previous|former|old|last)
        \s+ (?:orders|ones|(?:e-?)?mails?|messages?)
      | (?:tutti\s+)? (?:gli\s+|i\s+|la\s+|le\s+|il\s+|l')? (?:miei\s+|mia\s+)?
        (?:ordini|mail|e-?mail|messaggi|messaggio) \s+ precedent[ei]
      | quell[aeio] \s+ (?:precedent[ei]|di\s+prima)
    )
"""

_WHOLE = rf"""
    (?: (?:all|complete|full|whole) \s+ (?:of\s+)? (?:my\s+|the\s+|our\s+)? (?:set\s+of\s+)?
        (?:new\s+)? orders
      | (?:the\s+)? (?:complete|full|whole) \s+ set
      | (?:this\s+|this\s+mail\s+|these\s+)? replac(?:e|es|ing) \s+ {_EARLIER}
      | (?:ignore|forget|disregard|discard) \s+ {_EARLIER}
      | start(?:ing)? \s+ (?:over|again|afresh|from\s+scratch)
      | tutti \s+ (?:gli\s+|i\s+)? (?:miei\s+|nostri\s+)? (?:nuovi\s+)? ordini
      | (?:gli\s+|i\s+miei\s+)? ordini \s+ completi
      | (?:questa\s+mail\s+|questo\s+messaggio\s+|questi\s+ordini\s+)?
        sostitui(?:sce|sco|sci|te|scono) \s+ {_EARLIER}
      | (?:ignora|ignorate|dimentica|dimenticate|scarta|scartate) \s+ {_EARLIER}
      | (?:ricomincio|si\s+ricomincia|riparto)? \s* da \s+ (?:capo|zero)
    )
"""

_CANCEL_ALL = r"""
    (?: (?:annulla|annullo|annullate|cancella|cancello|cancellate) \s+
        (?: tutto | tutti \s+ (?:gli\s+|i\s+)? (?:miei\s+)? ordini )
      | (?:clear|cancel|withdraw) \s+
        (?: everything | all (?: \s+ (?:of\s+)? (?:my\s+|the\s+)? orders )? )
    )
"""

_CANCEL_PHASE = r"""
    (?: (?:annulla|annullo|annullate|cancella|cancello|cancellate)
        (?: \s+ (?:gli\s+|i\s+)? (?:miei\s+)? ordini (?:\s+precedenti)? )?
      | clear (?: \s+ (?:my\s+|the\s+)? (?:earlier\s+|previous\s+)? orders )?
      | (?:cancel|withdraw) \s+ (?:my\s+|the\s+)? (?:earlier\s+|previous\s+)? orders
    )
"""

_LINE = re.compile(
    rf"""[\s*_\-•·#"'«»“”]* {_LEAD}
        (?: (?P<whole>{_WHOLE}) | (?P<cancel_all>{_CANCEL_ALL}) | (?P<cancel>{_CANCEL_PHASE}) )
        \b (?P<more>[^:.;!]*) (?P<stop>[:.;!]*) (?P<rest>.*)""",
    re.IGNORECASE | re.VERBOSE,
)

_MARKS = " \t*_-•·#\"'«»“”()[],"

_LONGEST = 120
"""Characters of a line that can have such words."""


class FreshStart(NamedTuple):
    """A line that replaces what was sent before.

    ``scope`` is :data:`PHASE` or :data:`ALL`.  ``cancels``: it does so even if no order follows.
    ``rest`` is what is left of the line to be read: a heading or orders.
    """

    scope: str
    cancels: bool
    rest: str


class FreshText(NamedTuple):
    """A text without the words that replace what was sent before; ``number`` is their line."""

    text: str
    scope: str = ""
    cancels: bool = False
    number: int = 0


def read_fresh_start(line: str, board: Board) -> FreshStart | None:
    """Return a line as one that replaces what was sent before, None if it is another line.

    Besides the words themselves the line may have those of a heading (``All my orders for spring
    322``), and orders behind a colon or a full stop.
    """
    found = _LINE.fullmatch(line) if len(line) <= _LONGEST else None
    if found is None:
        return None
    more, rest = found["more"].strip(_MARKS), found["rest"].strip(_MARKS)
    if more and not has_heading_words_alone(more, board):
        return None
    scope = PHASE if found["cancel"] else ALL
    heading = f"{more}: " if more else ""
    return FreshStart(scope, not found["whole"], f"{heading}{rest}".strip())


def split_fresh_start(text: str, board: Board) -> FreshText:
    """Return a text without the first line that replaces what was sent before."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        start = read_fresh_start(line, board)
        if start is not None:
            lines[number - 1] = start.rest
            return FreshText("\n".join(lines), start.scope, start.cancels, number)
    return FreshText(text)
