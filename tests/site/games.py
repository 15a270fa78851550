"""Games to publish, and what their sites hold."""

from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.site.site import MANIFEST, SiteChanges, write_site
from tests.game.desks import new_desk, play


def played_game(folder: Path, phases: int = 9, **settings: str) -> Desk:
    """Return a random game of Alex Magnum after some phases, without pictures unless asked."""
    desk = new_desk(folder, "alexmagnum", settings={"pictures": "no", **settings})
    play(desk, phases, seed=3)
    return desk


def publish(desk: Desk, folder: Path, audience: str | None = None, lang: str = "en") -> SiteChanges:
    """Publish a game for an audience."""
    return write_site(desk, folder, audience, load_sentences(lang))


def find_refusal(desk: Desk, folder: Path, audience: str | None = None, lang: str = "en") -> str:
    """Return the code of the error with which publishing is refused."""
    with pytest.raises(GameError) as refusal:
        publish(desk, folder, audience, lang)
    return refusal.value.code


def read_site(folder: Path) -> dict[str, str]:
    """Return the text of every file of a site by its name, without the manifest."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MANIFEST
    }


def read_times(folder: Path) -> dict[str, int]:
    """Return when each file of a site was written."""
    return {name: (folder / name).stat().st_mtime_ns for name in read_site(folder)}
