"""Processing, correcting and ending with all that is published after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from alexmagnum.builds import pause_collection
from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.game.backups import FOLDER as BACKUPS
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import FOLDERS
from alexmagnum.game.game import Amendment, Entropy, GameEnd, Now, Processed
from alexmagnum.game.people import leave_names_out
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.game.restore import Restored, restore_copy
from alexmagnum.game.undo import Declaration
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail.letters import DraftedLetters
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import Delivery, Reconciled, reconcile
from alexmagnum.mail.transport import FOLDER as OUTBOX
from alexmagnum.mail.transport import hold_lock
from alexmagnum.report.formats import MapPictures
from alexmagnum.site.frame import gather_game, gather_newest, has_pages, processed_records
from alexmagnum.site.pages import render_single_page
from alexmagnum.site.site import SiteChanges, SiteRequest, publish_site, read_manifest
from alexmagnum.workflow.letters import (
    phases_to_report,
    send_automatic,
    update_letters,
)
from alexmagnum.workflow.materials import (
    Materials,
    complete_folder,
    unwritten_phases,
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
    """Bring the site in a folder up to date for an audience; return what changed.

    Raises:
        GameError: ``site-before-the-end``, ``site-empty``; ``site-folder-of-game``, or the folder
            cannot take the site; ``site-busy``; ``cannot-write``.
    """
    _refuse_folders_of_game(desk, folder)
    with hold_lock(desk.folder, "site", _PATIENCE, busy="site-busy"):
        with desk.reading():
            game, state = gather_game(desk, audience), _find_state(desk)
        pictures = desk.settings["pictures"] == "yes"
        address = desk.settings["site_address"] if audience is None else ""
        return publish_site(game, SiteRequest(folder, sentences, pictures, state, address))


def _refuse_folders_of_game(desk: Desk, folder: Path) -> None:
    """Refuse a folder in which the game keeps files of its own, and all folders in it."""
    wanted, own = folder.resolve(), desk.folder.resolve()
    if any(wanted.is_relative_to(own / name) for name in (*FOLDERS, BACKUPS, OUTBOX)):
        raise GameError("site-folder-of-game", path=str(folder))


def write_single_page(
    desk: Desk, path: Path, audience: str | None, sentences: Sentences, phase: str = ""
) -> int:
    """Write a page with all phases of a game, or with one, for an audience; return its bytes.

    Raises:
        GameError: ``unknown-phase``, ``not-past``; as :func:`write_site` and
            :func:`alexmagnum.site.pages.render_single_page`.
    """
    name = desk.processed(phase).phase if phase else ""
    game = gather_game(desk, audience)
    pictures = desk.settings["pictures"] == "yes"
    page = render_single_page(game, sentences, name, pictures=pictures)
    write_whole(path, page, private=audience is not None)
    return len(page.encode())


def find_site_folder(desk: Desk) -> Path | None:
    """Return the folder that the setting names, None if it names none.

    A relative path starts at the game's folder.
    """
    name = desk.settings["site_dir"]
    return desk.folder / Path(name).expanduser() if name else None


def update_site(desk: Desk) -> SiteUpdate | None:
    """Bring the site that the setting names up to date for everybody; None without a setting.

    A failure spoils nothing: it is in the result, and the next act tries again.
    """
    folder = find_site_folder(desk)
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


def follow_with_site(desk: Desk) -> SiteUpdate | None:
    """Bring the site up to date if it is of another moment; None if there is nothing to do."""
    return update_site(desk) if is_site_stale(desk) else None


def is_site_stale(desk: Desk) -> bool:
    """Return whether the setting names a folder whose site is of another moment of the game."""
    folder = find_site_folder(desk)
    if folder is None or not has_pages(desk):
        return False
    try:
        manifest = read_manifest(folder)
    except GameError:
        return True
    return manifest is None or manifest["state"] != _find_state(desk)


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
# ``process``, ``amend``, ``undo``, ``redo``, ``tick`` and the library all publish through
# :func:`publish`.


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
    reconciled: Reconciled = field(default_factory=Reconciled)
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
    materials = Materials(desk)
    try:
        files = complete_folder(materials, phases)
        receipts = write_new_receipts(desk) if opened else ()
        reconciled = reconcile(Outbox(desk))
        letters = update_letters(materials, to_report)
        deliveries, unsent = send_automatic(desk) if sends else ((), None)
        site = update_site(desk)
    except (OSError, GameError) as error:
        raise _unpublished(desk, error) from None
    return Published(
        reports=files.reports,
        final=files.final,
        sheets=files.sheets,
        receipts=receipts,
        reconciled=reconciled,
        letters=letters,
        deliveries=deliveries,
        unsent=unsent,
        site=site,
    )


def rewrite_reports(desk: Desk) -> Iterator[Path]:
    """Write the reports of every processed phase anew, as it stands now, and yield their folders.

    The final report and the order sheets of the open phase are written too; no letter is.

    Raises:
        GameError: ``cannot-write``.
    """
    maps = MapPictures()
    for phase in list_processed_phases(desk):
        yield write_reports(Materials(desk, maps), phase)
    final = complete_folder(Materials(desk, maps)).final
    if final is not None:
        yield final


def _unpublished(desk: Desk, error: OSError | GameError) -> GameError:
    """Say that the act is stored all the same, and which command writes what is missing."""
    if isinstance(error, GameError):
        why = load_sentences(desk.lang).error(error)
    else:
        why = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    last = list_processed_phases(desk)[-1:]
    if last:
        return GameError("reports-unwritten", phase=last[0], why=why)
    return GameError("sheets-unwritten", why=why)


# Processing the open phase and publishing the results.


@dataclass(frozen=True, slots=True)
class ProcessedPhase:
    """A phase that was processed, and what was published of it."""

    processed: Processed
    published: Published


def process_phase(
    desk: Desk,
    phase: str,
    *,
    allow_missing: bool = False,
    reason: str = "",
    sends: bool = True,
    anyway: bool = False,
) -> ProcessedPhase:
    """Resolve the open phase, which has to be named, open the next, and publish: reports, order
    sheets, receipts and letters.

    Processing the phase that was processed last again changes nothing, but publishes again; and
    whatever an act before left unwritten, because it was interrupted, is written too.

    With ``anyway`` the game plays on although everybody with a vote wants to end it.

    Raises:
        GameError: ``unknown-phase``, ``not-the-open-phase``, ``game-is-over``, ``orders-missing``,
            ``draw-agreed``, ``concede-agreed``;
            ``reports-unwritten`` if the phase was resolved and its files could not be written.
    """
    done = desk.process(phase, allow_missing=allow_missing, reason=reason, anyway=anyway)
    phases, to_report = [done.phase], [done.phase]
    if done.unchanged:
        phases += [other for other in unwritten_phases(desk) if other != done.phase]
        to_report = list(phases_to_report(desk, done.phase, ()))
    return ProcessedPhase(
        done, publish(desk, phases, to_report=to_report, opened=True, sends=sends)
    )


# Going back and correcting: undo, redo, and amending a past phase.


@dataclass(frozen=True, slots=True)
class Correction:
    """A past phase that was amended, and what was published anew."""

    amendment: Amendment
    published: Published


def undo_phase(desk: Desk, reason: str = "") -> Published:
    """Take back the last processing or correction, and tell whoever received its report.

    Raises:
        GameError: there is nothing to undo.
    """
    desk.undo(reason)
    return publish(desk)


def redo_phase(desk: Desk, reason: str = "", *, anyway: bool = False) -> Published:
    """Put back what was undone last, and tell whoever was told otherwise.

    Raises:
        GameError: there is nothing to redo, or orders or settings came since and it is not to be
            done ``anyway``.
    """
    desk.redo(reason, anyway=anyway)
    return publish(desk)


def amend_orders(desk: Desk, phase: str, power: str, text: str, reason: str = "") -> Correction:
    """Correct all orders of a power in a past phase, replay the game from there, and publish.

    Raises:
        GameError: ``unknown-phase``, ``not-past``, or the orders cannot be read.
    """
    return _publish_correction(desk, desk.amend(phase, power, text, reason=reason))


def amend_rules(
    desk: Desk, phase: str, rules: Mapping[str, object], reason: str = ""
) -> Correction:
    """Correct switches of the rules from a past phase on, replay the game, and publish.

    Raises:
        GameError: ``unknown-phase``, ``not-past``, ``unknown-setting``, ``bad-setting``.
    """
    return _publish_correction(desk, desk.amend_settings(phase, rules, reason))


def rehearse_orders(desk: Desk, phase: str, power: str, text: str) -> Amendment:
    """Return what correcting a power's orders would change; nothing changes.

    Raises:
        GameError: as :func:`amend_orders`.
    """
    return desk.amend(phase, power, text, dry_run=True)


def rehearse_rules(desk: Desk, phase: str, rules: Mapping[str, object]) -> Amendment:
    """Return what correcting switches of the rules would change; nothing changes.

    Raises:
        GameError: as :func:`amend_rules`.
    """
    return desk.amend_settings(phase, rules, dry_run=True)


def _publish_correction(desk: Desk, amendment: Amendment) -> Correction:
    changed = dict.fromkeys(change.phase for change in amendment.changes)
    to_report = phases_to_report(desk, amendment.phase, changed)
    rewritten = dict.fromkeys((amendment.phase, *amendment.replayed))
    return Correction(amendment, publish(desk, rewritten, to_report=to_report))


# Ending a game: seal it, write its final report, and tell every player.


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game that the game master ended, and what was published of it."""

    end: GameEnd
    published: Published


def end_game(desk: Desk, declared: Declaration, reason: str = "") -> EndedGame:
    """End the game as the game master declares, and publish the final report.

    ``undo_phase`` opens the game again and tells the players.

    Raises:
        GameError: ``game-is-over``, ``no-such-power``, ``end-needs-power``, ``end-power-out``;
            ``reports-unwritten`` if the game was ended and its files could not be written.
    """
    end = desk.end(declared, reason)
    return EndedGame(end, publish(desk, sends=True))


# The game master's own words in a report.


@dataclass(frozen=True, slots=True)
class Commentary:
    """The words in the report of a phase after a change.

    If the phase is processed already, ``reports`` is the folder of its reports, written anew, and
    ``letters`` are the drafts composed anew.
    """

    texts: tuple[str, ...]
    reports: Path | None = None
    letters: DraftedLetters = field(default_factory=DraftedLetters)


def add_commentary(desk: Desk, phase: str, where: str, text: str) -> Commentary:
    """Add words ``before`` or ``after`` the results of a phase; "" takes away those that are
    there.

    Raises:
        GameError: ``unknown-phase``, ``cannot-write``.
    """
    desk.add_text(phase, where, text)
    texts = tuple(desk.texts(phase)[where])
    if not list_processed_phases(desk, [phase]):
        return Commentary(texts)
    materials = Materials(desk)
    folder = write_reports(materials, phase)
    return Commentary(texts, folder, update_letters(materials))


# Restoring a copy of the game file, while no other command fetches or sends mail.


def restore(
    folder: Path, number: int, now: Now, entropy: Entropy, actor: str, reason: str = ""
) -> Restored:
    """Put a copy in the place of the game file, which is kept aside.

    A final report of the replaced file is removed if the game goes on in the copy.

    Raises:
        GameError: no-backup, backup-damaged; game-busy, mail-busy; cannot-write.
    """
    with ExitStack() as locks:
        for command in ("tick", "send"):
            locks.enter_context(hold_lock(folder, command))
        restored = restore_copy(folder, number, now, entropy, actor, reason)
        if not restored.is_over:
            withdraw_final_report(folder)
        return restored
