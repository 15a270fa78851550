"""The site of a game: written on demand, and after every act if a setting names a folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.site.folder import SiteChanges, read_manifest
from alexmagnum.site.published_game import gather_game
from alexmagnum.site.single_page import render_single_page
from alexmagnum.site.site_files import SiteRequest, publish_site


@dataclass(frozen=True, slots=True)
class SiteUpdate:
    """What became of the site after an act: its folder, what changed there, or why nothing did."""

    folder: Path
    changes: SiteChanges = field(default_factory=SiteChanges)
    failure: GameError | None = None


def write_site(desk: Desk, folder: Path, audience: str | None, sentences: Sentences) -> SiteChanges:
    """Bring the site in a folder up to date for an audience; return what changed.

    Raises:
        GameError: ``site-before-the-end``, ``site-empty``; the folder cannot take the site;
            ``cannot-write``.
    """
    with desk.reading():
        game, state = gather_game(desk, audience), _find_state(desk)
    pictures = desk.settings["pictures"] == "yes"
    address = desk.settings["site_address"] if audience is None else ""
    return publish_site(game, SiteRequest(folder, sentences, pictures, state, address))


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


def is_site_stale(desk: Desk) -> bool:
    """Return whether the setting names a folder whose site is of another moment of the game."""
    folder = find_site_folder(desk)
    if folder is None:
        return False
    try:
        manifest = read_manifest(folder)
    except GameError:
        return True
    return manifest is None or manifest["state"] != _find_state(desk)


def _find_state(desk: Desk) -> str:
    """Return a digest of the phases and deadlines: what a site has to follow at once."""
    moment = (desk.phases(), desk.deadline, desk.paused, desk.position.to_text())
    return sha256(repr(moment).encode()).hexdigest()[:32]
