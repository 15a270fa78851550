"""The command ``settings``: list and change the house rules and rule switches of a game."""

from __future__ import annotations

from dataclasses import asdict

import click

from alexmagnum.board.model import Board
from alexmagnum.board.switches import near
from alexmagnum.cli.game_options import desk_command, json_option, reason_option
from alexmagnum.cli.letter_lines import print_drafted_letters
from alexmagnum.cli.output import print_json
from alexmagnum.cli.site_lines import bring_site_up_to_date
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.settings import RULES, SETTINGS
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.workflow.settings import change_setting


@click.command()
@click.argument("name", required=False)
@click.argument("value", required=False)
@json_option
@reason_option
@desk_command
def settings(
    desk: Desk,
    sentences: Sentences,
    name: str | None,
    value: str | None,
    as_json: bool,
    reason: str,
) -> None:
    """List the house rules, show one, or set one.

    A rule switch is named rules.SWITCH.  A new value counts from the open phase on; use
    'amend --set' to correct a switch of a past phase.  docs/settings.md explains each setting.

    \b
    Example:
      alexmagnum settings second_mail merge --reason "as agreed at the table"
    """
    if name is not None and value is not None:
        letters = change_setting(desk, name, value, reason)
        if not as_json:
            print_drafted_letters(desk, letters, sentences)
        bring_site_up_to_date(desk, sentences, as_json=as_json)
    now = desk.settings
    if name is not None and name not in now:
        now = {**now, name: str(_map_default(name, desk.board))}
    listed = {name: now[name]} if name is not None else now
    if as_json:
        print_json(dict(listed))
        return
    for key, setting in listed.items():
        meaning = sentences.templates.get(f"setting-{key}", "") if key in SETTINGS else ""
        click.echo(f"{f'{key} = {setting}':<32}  {meaning}".rstrip())


def _map_default(name: str, board: Board) -> object:
    """Return the value that the map gives a switch.

    Raises:
        GameError: ``unknown-setting``.
    """
    switches = {RULES + switch: value for switch, value in asdict(board.rules).items()}
    if name not in switches:
        raise GameError("unknown-setting", name=name, near=near(name, (*SETTINGS, *switches)))
    return switches[name]
