"""Publishing after an act on the game: reports, order sheets, receipts, letters, sending.

``process``, ``amend``, ``undo``, ``redo``, ``tick`` and the library all publish through
:func:`publish`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.garbage import pause_collection
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.letters.envelope import can_be_written_to
from alexmagnum.mail.letters.phase_section import DraftedLetters
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.reconcile import Reconciled, reconcile
from alexmagnum.mail.sending import Delivery
from alexmagnum.report.map_pictures import MapPictures
from alexmagnum.workflow.game_site import SiteUpdate, update_site
from alexmagnum.workflow.letters import draft_letters_after_act
from alexmagnum.workflow.materials import Materials, writes_letters
from alexmagnum.workflow.outbox import send_automatic
from alexmagnum.workflow.receipts import write_new_receipts
from alexmagnum.workflow.reports import (
    processed_phases,
    withdraw_final_report,
    write_final_report,
    write_reports,
)
from alexmagnum.workflow.sheets import write_sheets


@dataclass(frozen=True, slots=True)
class Published:
    """Everything that was published after an act.

    ``reports`` are the folders of the phases whose reports were written, ``final`` that of the
    final report if the game is over; ``sheets`` and
    ``receipts`` the files of the open phase; ``reconciled`` counts the drafts that were dropped or
    came back; ``letters`` are the drafts; ``deliveries`` the results of letters that the settings
    send by themselves, and ``unsent`` why none could be sent, if so.  ``site`` is what became of
    the site, None if the game keeps none.
    """

    reports: tuple[Path, ...] = ()
    final: Path | None = None
    sheets: tuple[Path, ...] = ()
    receipts: tuple[Path, ...] = ()
    reconciled: Reconciled = field(default_factory=lambda: Reconciled(0, 0))
    letters: DraftedLetters = field(default_factory=DraftedLetters)
    deliveries: tuple[Delivery, ...] = ()
    unsent: GameError | None = None
    site: SiteUpdate | None = None


@pause_collection()
def publish(
    desk: Desk,
    phases: Iterable[str] = (),
    *,
    to_report: Sequence[str] = (),
    opened: bool = False,
    sends: bool = False,
) -> Published:
    """Publish what an act changed, and return what was written, drafted and sent.

    ``phases`` were processed or changed: their reports are written.  ``to_report`` are those of
    which every player gets a letter.  ``opened``: the act opened a new phase, for which orders
    sent in advance may count now.  ``sends``: letters go out at once where the settings say so.

    Raises:
        GameError: ``reports-unwritten`` or ``sheets-unwritten`` (``why``): the act is stored, and
            not all that follows from it could be written.
    """
    try:
        return _publish(desk, phases, to_report, opened, sends)
    except (OSError, GameError) as error:
        raise _unpublished(desk, error) from None


def rewrite_reports(desk: Desk) -> Iterator[Path]:
    """Write the reports of every processed phase anew, as it stands now, and yield their folders.

    The final report and the order sheets of the open phase are written too; no letter is.

    Raises:
        GameError: ``cannot-write``.
    """
    maps = MapPictures()
    for phase in processed_phases(desk):
        yield write_reports(Materials(desk, maps), phase)
    materials = Materials(desk, maps)
    final = _publish_final_report(materials)
    if final is not None:
        yield final
    write_sheets(materials)


def _publish_final_report(materials: Materials) -> Path | None:
    """Write the final report if the game is over and return its folder; if not, remove it."""
    if materials.desk.phase is None:
        return write_final_report(materials)
    withdraw_final_report(materials.desk.folder)
    return None


def _unpublished(desk: Desk, error: OSError | GameError) -> GameError:
    """Say that the act is stored all the same, and which command writes what is missing."""
    if isinstance(error, GameError):
        why = load_sentences(desk.lang).error(error)
    else:
        why = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    last = processed_phases(desk)[-1:]
    if last:
        return GameError("reports-unwritten", phase=last[0], why=why)
    return GameError("sheets-unwritten", why=why)


def _publish(
    desk: Desk, phases: Iterable[str], to_report: Sequence[str], opened: bool, sends: bool
) -> Published:
    materials = Materials(desk)
    with closing(materials.maps):
        return _publish_from(materials, phases, to_report, opened, sends)


def _publish_from(
    materials: Materials,
    phases: Iterable[str],
    to_report: Sequence[str],
    opened: bool,
    sends: bool,
) -> Published:
    desk, changed = materials.desk, tuple(phases)
    _start_pictures(materials, changed, to_report)
    reports = tuple(write_reports(materials, phase) for phase in changed)
    final = _publish_final_report(materials)
    receipts = write_new_receipts(desk) if opened else ()
    sheets = write_sheets(materials)
    outbox = Outbox(desk.game)
    reconciled = reconcile(outbox)
    letters = draft_letters_after_act(materials, outbox, to_report, opened=opened)
    deliveries, unsent = send_automatic(desk) if sends else ((), None)
    return Published(
        reports=reports,
        final=final,
        sheets=sheets,
        receipts=receipts,
        reconciled=reconciled,
        letters=letters,
        deliveries=deliveries,
        unsent=unsent,
        site=update_site(desk),
    )


def _start_pictures(materials: Materials, phases: Sequence[str], to_report: Sequence[str]) -> None:
    """Have the pictures of reports and letters made while those are written."""
    desk = materials.desk
    with desk.reading():  # drawing is outside: it takes a second
        for phase in {*phases, *to_report}:
            materials.find_context(phase)
        players = [player for player in desk.players if can_be_written_to(player)]
    for phase in phases:
        materials.start_map(phase)
    if writes_letters(desk):
        for phase, player in product(to_report, players):
            materials.start_enclosed(phase, player.power)
