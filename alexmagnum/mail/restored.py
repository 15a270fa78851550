"""Letters after a copy of the game file was restored: none goes out twice without being asked for.

A letter that went out after the copy was made is drafted again when the same things happen again.
Where the replaced file told of it, the draft becomes ``uncertain``; where nobody knows, letters
wait until the game master has looked at them.
"""

from __future__ import annotations

from alexmagnum.errors import GameError
from alexmagnum.game.outbox_store import DRAFT, UNCERTAIN
from alexmagnum.game.restore import find_drafts_sent_before, is_mail_held
from alexmagnum.mail.outbox import Outbox


def flag_letters_sent_before(outbox: Outbox) -> None:
    """Make drafts uncertain that went out before the restore, as the replaced file tells."""
    if not find_drafts_sent_before(outbox.game):
        return
    with outbox.file.writing("outbox"):
        for mailing, sent in find_drafts_sent_before(outbox.game):
            problem = GameError("letter-went-before", sent=sent)
            outbox.store.set_state(mailing.id, UNCERTAIN, problem=problem)


def refuse_while_held(outbox: Outbox) -> None:
    """Refuse to send letters that nobody has named, while they wait for the game master's look.

    Raises:
        GameError: ``mail-held``.
    """
    waiting = outbox.list_letters((DRAFT,))
    if waiting and is_mail_held(outbox.game):
        raise GameError("mail-held", count=str(len(waiting)))
