"""``settings``: the house rules of a game, and the switches of the rules."""

from __future__ import annotations

from dataclasses import asdict

import click

from alexmagnum.board.model import Board
from alexmagnum.board.switches import near
from alexmagnum.cli.game_options import desk_command, json_option, reason_option
from alexmagnum.cli.output import print_json
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.settings import RULES, SETTINGS
from alexmagnum.i18n.sentences import Sentences


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

    Switches of the rules are set as rules.SWITCH; what is set counts from the open phase on
    (a wrong switch of a past phase is mended by 'amend --set').  docs/settings.md explains each.

    \b
    Example:
      alexmagnum settings second_mail merge --reason "as agreed at the table"
    """
    if name is not None and value is not None:
        desk.set(name, value, reason)
    now = desk.settings
    if name is not None and name not in now:
        now = {**now, name: str(_map_value(name, desk.board))}
    listed = {name: now[name]} if name is not None else now
    if as_json:
        print_json(dict(listed))
        return
    for key, setting in listed.items():
        meaning = sentences.templates.get(f"setting-{key}", "") if key in SETTINGS else ""
        click.echo(f"{f'{key} = {setting}':<32}  {meaning}".rstrip())


def _map_value(name: str, board: Board) -> object:
    """Return the value that the map gives to a switch.

    Raises:
        GameError: ``unknown-setting``.
    """
    switches = {RULES + switch: value for switch, value in asdict(board.rules).items()}
    if name not in switches:
        raise GameError("unknown-setting", name=name, near=near(name, (*SETTINGS, *switches)))
    return switches[name]
