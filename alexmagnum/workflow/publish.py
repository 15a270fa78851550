"""Processing, correcting and ending with all that is published after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from alexmagnum.builds import pause_collection
from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.game.copies import FOLDER as BACKUPS
from alexmagnum.game.copies import Restored, list_copies, restore_copy
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import FOLDERS, is_game_folder
from alexmagnum.game.game import Processed, Surroundings
from alexmagnum.game.mail_store import DRAFT
from alexmagnum.game.people import leave_names_out
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.game.status import mark_folder
from alexmagnum.game.submissions import say_unwritten
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail.drafts import DraftedLetters
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import Delivery
from alexmagnum.mail.transport import FOLDER as OUTBOX
from alexmagnum.mail.transport import hold_lock
from alexmagnum.report.formats import MapPictures
from alexmagnum.site.frame import gather_game, gather_newest, has_pages, processed_records
from alexmagnum.site.pages import render_single_page
from alexmagnum.site.site import SiteChanges, SiteRequest, publish_site, read_manifest
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

# The site of a game: written on demand, and after every act if a setting names a folder.


_PATIENCE = 60.0
"""Seconds to wait for another command that writes the site."""


@dataclass(frozen=True, slots=True)
class SiteUpdate:
    """The state of the site after an act: its folder, what changed there, or why nothing did."""

    folder: Path
    changes: SiteChanges = field(default_factory=SiteChanges)
    failure: GameError | None = None


def write_site(desk: Desk, folder: Path, audience: str | None, sentences: Sentences) -> SiteChanges:
    """Bring the site in a folder up to date for an audience; return what changed."""
    wanted, own = folder.resolve(), desk.folder.resolve()
    if any(wanted.is_relative_to(own / name) for name in (*FOLDERS, BACKUPS, OUTBOX)):
        raise GameError("site-folder-of-game", path=str(folder))
    with hold_lock(desk.folder, "site", _PATIENCE, busy="site-busy"):
        with desk.reading():
            game, state = gather_game(desk, audience), _find_state(desk)
        pictures = desk.settings["pictures"] == "yes"
        address = desk.settings["site_address"] if audience is None else ""
        return publish_site(game, SiteRequest(folder, sentences, pictures, state, address))


def write_single_page(
    desk: Desk, path: Path, audience: str | None, sentences: Sentences, phase: str = ""
) -> int:
    """Write a page with all phases of a game, or with one, for an audience; return its bytes."""
    name = desk.processed(phase).phase if phase else ""
    game = gather_game(desk, audience)
    pictures = desk.settings["pictures"] == "yes"
    page = render_single_page(game, sentences, name, pictures=pictures)
    write_whole(path, page, private=audience is not None)
    return len(page.encode())


def update_site(desk: Desk) -> SiteUpdate | None:
    """Bring the site that the setting names up to date for everybody; None without a setting.

    A failure spoils nothing: it is in the result, and the next act tries again.
    """
    folder = _find_site_folder(desk)
    if folder is None:
        return None
    try:
        return SiteUpdate(folder, write_site(desk, folder, None, load_sentences(desk.lang)))
    except GameError as error:
        failure = error
    except Exception as error:
        # Whatever is wrong with the pages, the phase is resolved and its mails have to go.
        failure = GameError("site-stumbled", why=f"{type(error).__name__}: {error}"[:200])
    return SiteUpdate(folder, failure=failure)


def _find_site_folder(desk: Desk) -> Path | None:
    """Return the folder that the setting names; a relative path starts at the game's folder."""
    name = desk.settings["site_dir"]
    return desk.folder / Path(name).expanduser() if name else None


def follow_with_site(desk: Desk) -> SiteUpdate | None:
    """Bring the site up to date if it is of another moment; None if there is nothing to do."""
    folder = _find_site_folder(desk)
    if folder is None or not has_pages(desk):
        return None
    with suppress(GameError):
        manifest = read_manifest(folder)
        if manifest is not None and manifest["state"] == _find_state(desk):
            return None
    return update_site(desk)


def _find_state(desk: Desk) -> str:
    """Return a digest of what a public site has to follow at once, and of nothing secret.

    That is phases, deadlines, house rules, the names of players, the game master's words.
    """
    with desk.reading():
        names = [record.name for record in processed_records(desk)]
        words = [text for name in names for texts in desk.texts(name).values() for text in texts]
        nameless = leave_names_out(desk, words, ())
        seen = gather_newest(desk, None).content
        moment = (
            desk.phases(),
            desk.deadline,
            desk.paused,
            desk.position.to_text(),
            desk.settings["site_address"],
            sorted(seen.house_rules.items()),
            seen.players,
            [nameless.get(text, text) for text in words],
        )
    return sha256(repr(moment).encode()).hexdigest()[:32]


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
