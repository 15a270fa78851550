"""Lines that commands print about the site of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from alexmagnum.cli.output import style
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.sentences import Sentences

if TYPE_CHECKING:
    from alexmagnum.site.folder import SiteChanges
    from alexmagnum.workflow.game_site import SiteUpdate


def print_site_changes(folder: Path, changes: SiteChanges, sentences: Sentences) -> None:
    """Print where a site is and what was written there."""
    from alexmagnum.site.page_frame import INDEX

    text = sentences.format(
        "site-published",
        path=folder,
        written=len(changes.written),
        kept=changes.kept,
        removed=len(changes.removed),
        index=folder / INDEX,
    )
    click.echo(text)


def print_site_update(update: SiteUpdate | None, sentences: Sentences) -> None:
    """Print what became of the site after an act, if the game keeps one."""
    if update is not None and update.failure is None:
        print_site_changes(update.folder, update.changes, sentences)
    print_site_failure(update, sentences)


def bring_site_up_to_date(desk: Desk, sentences: Sentences, *, as_json: bool = False) -> None:
    """Bring the site of the setting up to date after a change to what it shows, and say so.

    With ``as_json`` only a failure is printed.
    """
    if not desk.settings["site_dir"]:
        return
    from alexmagnum.workflow.game_site import follow_with_site  # loads everything that draws

    update = follow_with_site(desk)
    if as_json:
        print_site_failure(update, sentences)
    else:
        print_site_update(update, sentences)


def print_site_failure(update: SiteUpdate | None, sentences: Sentences) -> None:
    """Print on standard error why the site is not up to date, if so."""
    if update is not None and update.failure is not None:
        why = sentences.error(update.failure)
        click.echo(style(sentences.format("site-unpublished", why=why), "yellow"), err=True)
