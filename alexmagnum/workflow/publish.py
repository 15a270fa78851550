"""Processing, correcting and ending with all that is published after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from alexmagnum.builds import pause_collection
from alexmagnum.errors import GameError
from alexmagnum.game.copies import Restored, list_copies, restore_copy
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import hold_lock, is_game_folder
from alexmagnum.game.game import Processed, Surroundings
from alexmagnum.game.mail_store import DRAFT
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.game.status import mark_folder
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.drafts import DraftedLetters
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import Delivery
from alexmagnum.report.formats import MapPictures
from alexmagnum.site.site import SiteUpdate, update_site
from alexmagnum.workflow.materials import (
    Materials,
    complete_folder,
    final_folder,
    send_automatic,
    unwritten_phases,
    update_letters,
    withdraw_final_report,
    write_new_receipts,
    write_reports,
)

# Publishing after an act on the game: reports, order sheets, receipts, letters, sending.
#
# ``process``, ``amend``, ``undo``, ``redo``, ``end``, ``tick`` and the library all publish through
# :func:`publish`.


@dataclass(frozen=True, slots=True)
class Published:
    """Everything that was published after an act.

    ``reports`` are the folders of the phases whose reports were written, ``final`` that of the
    final report if the game is over; ``letters`` are the drafts; ``deliveries`` the results of
    letters that the settings send by themselves, and ``unsent`` why none could be sent, if so.
    ``site`` is what became of the site, None if the game keeps none.
    """

    reports: tuple[Path, ...] = ()
    final: Path | None = None
    letters: DraftedLetters = field(default_factory=DraftedLetters)
    deliveries: tuple[Delivery, ...] = ()
    unsent: GameError | None = None
    site: SiteUpdate | None = None


@pause_collection()
def publish(
    desk: Desk, phases: Iterable[str] = (), *, opened: bool = False, sends: bool = False
) -> Published:
    """Publish what an act changed, and return what was written, drafted and sent.

    ``phases`` were processed or changed: their reports are written.  ``opened``: the act opened
    a new phase, for which orders sent in advance may count now.  ``sends``: letters go out at once
    where the settings say so.

    Raises:
        GameError: ``act-unwritten`` (``why``): the act is stored, and not all that follows from it
            could be written.
    """
    materials = Materials(desk)
    try:
        reports = complete_folder(materials, phases)
        if opened:
            write_new_receipts(desk)
        letters = update_letters(desk, materials)
        mark_folder(desk)
        deliveries, unsent = send_automatic(desk) if sends else ((), None)
        site = update_site(desk)
    except (OSError, GameError) as error:
        raise say_unwritten(error, desk.lang) from None
    return Published(reports, final_folder(desk), letters, deliveries, unsent, site)


def rewrite_reports(desk: Desk) -> Iterator[Path]:
    """Write the reports of every processed phase anew, as it stands now, and yield their folders.

    The final report and the order sheets of the open phase are written too; no letter is.
    """
    maps = MapPictures()
    for phase in list_processed_phases(desk):
        yield write_reports(Materials(desk, maps), phase)
    complete_folder(Materials(desk, maps))
    if final := final_folder(desk):
        yield final


def say_unwritten(error: OSError | GameError, lang: str) -> GameError:
    """Say that an act is stored all the same, and that the next command writes what is missing."""
    if isinstance(error, GameError):
        why = load_sentences(lang).error(error)
    else:
        why = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    return GameError("act-unwritten", why=why)


def process_phase(
    desk: Desk,
    phase: str,
    *,
    allow_missing: bool = False,
    reason: str = "",
    sends: bool = True,
    anyway: bool = False,
) -> tuple[Processed, Published]:
    """Resolve the open phase, which has to be named, open the next, and publish: reports, order
    sheets, receipts and letters.

    Processing the phase that was processed last again changes nothing, but publishes again; and
    whatever an act before left unwritten, because it was interrupted, is written too.

    With ``anyway`` the game plays on although everybody with a vote wants to end it.  Receipts
    that the settings send go first: they are of the phase that closes.
    """
    sends_receipts = desk.settings["receipts"] == "send"
    receipts, unsent = send_automatic(desk) if sends_receipts else ((), None)
    done = desk.process(phase, allow_missing=allow_missing, reason=reason, anyway=anyway)
    unwritten = unwritten_phases(desk) if done.unchanged else []
    published = publish(desk, (done.phase, *unwritten), opened=True, sends=sends)
    deliveries = (*receipts, *published.deliveries)
    return done, replace(published, deliveries=deliveries, unsent=published.unsent or unsent)


# Restoring a copy of the game file, while no other command fetches or sends mail.


def restore(folder: Path, number: int | None, around: Surroundings, reason: str = "") -> Restored:
    """Put a copy in the place of the game file, which is kept aside; without a number, the file as
    the last act left it.

    A final report of the replaced file is removed if the game goes on in the copy.

    Raises:
        GameError: ``no-game``, if nothing of one is there; as :func:`restore_copy`.
    """
    if not (is_game_folder(folder) or list_copies(folder)):
        raise GameError("no-game", path=str(folder))
    with ExitStack() as locks:
        for command in ("tick", "send"):
            locks.enter_context(hold_lock(folder, command))
        restored = restore_copy(folder, number, around, reason)
        with Desk.open(folder, around) as desk:
            box = Outbox(desk)
            for draft in box.list_letters((DRAFT,)):
                if box.read(draft) is None:  # the folder may be another one
                    box.write(draft, box.mail(draft.id))
        if not restored.is_over:
            withdraw_final_report(folder)
        return restored
