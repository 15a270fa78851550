"""The site of a game: written on demand, and after every act if a setting names a folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.game.anonymity import leave_names_out
from alexmagnum.game.backups import FOLDER as BACKUPS
from alexmagnum.game.desk import Desk
from alexmagnum.game.folder import FOLDERS
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail.lock import hold_lock
from alexmagnum.mail.transport.outbox_folder import FOLDER as OUTBOX
from alexmagnum.site.folder import SiteChanges, read_manifest
from alexmagnum.site.published_game import (
    gather_game,
    gather_newest,
    has_pages,
    processed_records,
)
from alexmagnum.site.single_page import render_single_page
from alexmagnum.site.site_files import SiteRequest, publish_site

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
            :func:`alexmagnum.site.single_page.render_single_page`.
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
        nameless = leave_names_out(desk.game, words, ())
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
