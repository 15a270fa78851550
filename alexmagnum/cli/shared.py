"""The options that mean the same everywhere, and the classes of the commands that take them.

``--game``, ``--lang``, ``--json``, ``--reason`` and ``--open`` stand here once.  All are accepted
before a command and after it.  A command takes those for which its function has a parameter, and
refuses the others.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from inspect import signature
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

GIVEN = "alexmagnum.cli.given"
"""The key of the shared options that were given so far, in the contexts of a call."""


def _share(ctx: click.Context, param: click.Parameter, value: object) -> object:
    """Return the value given here, else the one given before the command."""
    assert param.name is not None
    given: dict[str, object] = ctx.meta.setdefault(GIVEN, {})
    if ctx.get_parameter_source(param.name) is not ParameterSource.DEFAULT:
        given[param.name] = value
    return given.get(param.name, value)


SHARED = {
    option.name: option
    for option in (
        click.Option(
            ["--game", "game_path"],
            type=click.Path(path_type=Path),
            callback=_share,
            help="The game's folder (default: ALEXMAGNUM_GAME, else this folder).",
        ),
        click.Option(
            ["--lang"],
            type=click.Choice(("it", "en")),
            callback=_share,
            help="Language of the prose (default: that of the game, else of the locale).",
        ),
        click.Option(
            ["--json", "as_json"],
            is_flag=True,
            callback=_share,
            help="For machines: see docs/commands.md.",
        ),
        click.Option(
            ["--reason"],
            metavar="TEXT",
            default="",
            callback=_share,
            help="Why: goes into the journal, and into letters about a deadline.",
        ),
        click.Option(
            ["--open", "opened"],
            is_flag=True,
            callback=_share,
            help="Show what is closed, such as orders that wait (journaled).",
        ),
    )
}
"""The shared options by the name of the parameter that receives them."""


def options_before(*, hidden: bool) -> list[click.Parameter]:
    """Return the shared options as a group takes them: it notes them for the command behind it."""
    options: list[click.Parameter] = []
    for option in map(copy, SHARED.values()):
        option.expose_value, option.hidden = False, hidden
        options.append(option)
    return options


OLD_FORMS = {
    "text": "report [PHASE] --before TEXT, --after TEXT or --clear before|after",
    "inbox press": "inbox list --press, and inbox reject NUMBER --press",
    "outbox mark-sent": "outbox send NUMBER --by-hand",
    "outbox announce": "outbox remind --all",
    "player list": "status --people",
    "player note": "player set POWER --note TEXT",
    "player bot": "player replace POWER --bot BOT, or --back for --off",
    "standby list": "standby",
    "standby add": "standby 'NAME <ADDRESS>'",
    "standby remove": "standby --remove NUMBER",
    "standby invite": "standby --invite POWER",
    "lab replay": "new DIR --replay RESULTS SERIES GAME",
}
"""The commands that became part of others: the new form by the old one."""


class OldForm(click.ClickException):
    """Somebody typed a command that became part of another; the message has the new form."""

    exit_code = 2


def refuse_old_form(ctx: click.Context, args: list[str]) -> None:
    """Refuse a command as it was called before it became part of another.

    Raises:
        OldForm: with the new form.
    """
    words = [*ctx.command_path.split()[1:], *args[:1]]
    new = OLD_FORMS.get(" ".join(words))
    if new is not None:
        raise OldForm(f"'alexmagnum {' '.join(words)}' is now: alexmagnum {new}")


class Command(click.Command):
    """A command that receives the shared options, and what follows from them, by parameters.

    A function with ``desk`` and ``sentences`` is called with the open game of ``--game``, one with
    ``sentences`` alone with those of ``--lang``.
    """

    def __init__(self, name: str | None, *, callback: Callable[..., Any], **about: Any) -> None:
        super().__init__(name, callback=callback, **about)
        self._wants = set(signature(callback).parameters)
        takes = set(self._wants)
        if "desk" in takes:
            takes |= {"game_path", "lang"}
        elif "sentences" in takes:
            takes.add("lang")
        self.params += [option for name, option in SHARED.items() if name in takes]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        refuse_old_form(ctx, args)
        rest = super().parse_args(ctx, args)
        for name in ctx.meta.get(GIVEN, {}):
            if SHARED[name] not in self.params:
                option = SHARED[name].opts[0]
                raise click.UsageError(f"'{ctx.command_path}' takes no {option}.", ctx)
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        if "desk" in self._wants:
            # Imported late, as the desk is: most commands without a game do not load it.
            from alexmagnum.cli.game_options import opened_desk

            path, lang = ctx.params.pop("game_path"), ctx.params.pop("lang")
            with opened_desk(path, lang) as (desk, sentences):
                ctx.params.update(desk=desk, sentences=sentences)
                return super().invoke(ctx)
        if "sentences" in self._wants:
            from alexmagnum.cli.base import prose_language

            ctx.params["sentences"] = prose_language(ctx.params.pop("lang"))
        return super().invoke(ctx)


class Group(click.Group):
    """Commands of one subject; the shared options may stand before the name of one, too."""

    command_class = Command

    def __init__(self, *args: Any, **about: Any) -> None:
        super().__init__(*args, **about)
        self.params = self.params or options_before(hidden=True)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        refuse_old_form(ctx, args)
        return super().resolve_command(ctx, args)
