"""The command ``publish``: a game as a static site, or as one page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from alexmagnum.cli.arguments import read_phase, read_power
from alexmagnum.cli.game_options import (
    PATH,
    game_lang_option,
    game_option,
    json_option,
    opened_desk,
)
from alexmagnum.cli.output import print_json
from alexmagnum.cli.site_lines import print_site_changes
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.report.phase_context import GM
from alexmagnum.site.published_game import EVERYTHING
from alexmagnum.workflow.game_site import write_single_page, write_site
from alexmagnum.workflow.reports import PUBLIC


@dataclass(frozen=True, slots=True)
class PublishOptions:
    """The arguments and options of ``publish``, named as click has them."""

    places: tuple[Path, ...]
    reader: str | None
    for_gm: bool
    everything: bool
    single: Path | None
    phase: str | None
    as_json: bool

    def check(self) -> None:
        """Refuse options that do not go together.

        Raises:
            click.UsageError: with what is missing or too much.
        """
        if not self.single and not 1 <= len(self.places) <= 2:
            raise click.UsageError("Name the folder of the site: alexmagnum publish [GAME] DIR")
        if self.single and len(self.places) > 1:
            raise click.UsageError(
                "With --single name at most the game: publish [GAME] --single FILE"
            )
        if self.phase and not self.single:
            raise click.UsageError("--phase belongs to --single; a site has every phase")
        if (self.reader is not None) + self.for_gm + self.everything > 1:
            raise click.UsageError("--for, --gm and --all exclude each other")

    def game(self, folder: Path | None) -> Path | None:
        """Return the game's folder among the places, else the one of ``--game``."""
        named = self.places[:1] if self.single else self.places[:-1]
        return named[0] if named else folder


@click.command()
@click.argument("places", nargs=-1, type=PATH, metavar="[GAME] DIR")
@click.option(
    "--for", "reader", metavar="POWER", help="What one player may see, press to them too."
)
@click.option("--gm", "for_gm", is_flag=True, help="What the game master may see.")
@click.option(
    "--all", "everything", is_flag=True, help="After the end: picks and press of everybody too."
)
@click.option("--single", type=PATH, metavar="FILE", help="One page instead of a folder.")
@click.option("--phase", help="With --single: this phase alone.")
@json_option
@game_option
@game_lang_option
def publish(folder: Path | None, lang: str | None, **arguments: Any) -> None:
    """Publish the game as a static site in the folder DIR.

    The pages open from the disk, without a network, and can be put on any host as they are.
    Without more they have what everybody may see, and nothing of orders that wait.  GAME is the
    game's folder; it may also be given by --game, or be the folder you stand in.

    Publish into the same folder again after each phase: only what changed is written, and what
    'undo' took back is removed.  Files that the site did not write are left alone.  With the
    setting site_dir this happens by itself.

    --single writes a short game, or one phase of any game, as one page that can be mailed.

    \b
    Example:
      alexmagnum publish site
      alexmagnum publish my-game my-game-site --for TOL
      alexmagnum publish --single cyprus.html --phase 323-1
    """
    options = PublishOptions(**arguments)
    options.check()
    with opened_desk(options.game(folder), lang) as (desk, sentences):
        if options.single:
            _publish_page(desk, options, options.single, sentences)
        else:
            _publish_folder(desk, options, options.places[-1], sentences)


def _publish_folder(
    desk: Desk, options: PublishOptions, target: Path, sentences: Sentences
) -> None:
    changes = write_site(desk, target, _find_audience(options, desk), sentences)
    if options.as_json:
        data = {
            "site": str(target),
            "written": list(changes.written),
            "unchanged": changes.kept,
            "removed": list(changes.removed),
        }
        print_json(data)
    else:
        print_site_changes(target, changes, sentences)


def _publish_page(desk: Desk, options: PublishOptions, path: Path, sentences: Sentences) -> None:
    phase = read_phase(options.phase) if options.phase else ""
    size = write_single_page(desk, path, _find_audience(options, desk), sentences, phase)
    if options.as_json:
        print_json({"page": str(path), "bytes": size})
    else:
        click.echo(sentences.format("site-single-written", path=path, size=size // 1000))


def _find_audience(options: PublishOptions, desk: Desk) -> str | None:
    """Return the audience of the pages: a power, the game master, everything, or None (public)."""
    if options.everything:
        return EVERYTHING
    reader = options.reader
    if options.for_gm or (reader is not None and reader.lower() == GM):
        return GM
    return None if reader is None or reader.lower() == PUBLIC else read_power(reader, desk.board)
