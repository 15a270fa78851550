"""The command ``publish``: a game as a static site, or as one page."""

from __future__ import annotations

from pathlib import Path

import click

from alexmagnum.cli.arguments import read_power
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
from alexmagnum.report.phase_context import GM
from alexmagnum.site.published_game import EVERYTHING
from alexmagnum.workflow.game_site import write_site


@click.command()
@click.argument("places", nargs=-1, type=PATH, metavar="[GAME] DIR")
@click.option(
    "--for", "reader", metavar="POWER", help="What one player may see, press to them too."
)
@click.option("--gm", "for_gm", is_flag=True, help="What the game master may see.")
@click.option(
    "--all", "everything", is_flag=True, help="After the end: picks and press of everybody too."
)
@json_option
@game_option
@game_lang_option
def publish(
    places: tuple[Path, ...],
    reader: str | None,
    for_gm: bool,
    everything: bool,
    as_json: bool,
    folder: Path | None,
    lang: str | None,
) -> None:
    """Publish the game as a static site in the folder DIR.

    The pages open from the disk, without a network, and can be put on any host as they are.
    Without more they have what everybody may see, and nothing of orders that wait.  GAME is the
    game's folder; it may also be given by --game, or be the folder you stand in.

    Publish into the same folder again after each phase: only what changed is written, and what
    'undo' took back is removed.  Files that the site did not write are left alone.  With the
    setting site_dir this happens by itself.

    \b
    Example:
      alexmagnum publish site
      alexmagnum publish my-game my-game-site --for TOL
    """
    if not 1 <= len(places) <= 2:
        raise click.UsageError("name the folder of the site: alexmagnum publish [GAME] DIR")
    if (reader is not None) + for_gm + everything > 1:
        raise click.UsageError("--for, --gm and --all exclude each other")
    game = places[0] if len(places) == 2 else folder
    target = places[-1]
    with opened_desk(game, lang) as (desk, sentences):
        audience = _find_audience(reader, for_gm, everything, desk)
        changes = write_site(desk, target, audience, sentences)
        if as_json:
            print_json(
                {
                    "site": str(target),
                    "written": list(changes.written),
                    "unchanged": changes.kept,
                    "removed": list(changes.removed),
                }
            )
        else:
            print_site_changes(target, changes, sentences)


def _find_audience(reader: str | None, for_gm: bool, everything: bool, desk: Desk) -> str | None:
    """Return for whom the site is: a power, the game master, everything, or None for everybody."""
    if everything:
        return EVERYTHING
    if for_gm or (reader is not None and reader.lower() == GM):
        return GM
    if reader is None or reader.lower() == "public":
        return None
    return read_power(reader, desk.board)
