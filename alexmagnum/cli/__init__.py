"""The command line: thin commands over the library, imported only when they are called.

The options that mean the same everywhere stand here once: ``--game``, ``--lang``, ``--json``,
``--reason`` and ``--open``.  All are accepted before a command and after it.  A command says which
it takes, and refuses the others; its function receives them in one value, the ``Call``.
"""

import importlib
import sys
from copy import copy
from io import StringIO, TextIOWrapper
from itertools import compress
from keyword import iskeyword
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from alexmagnum import __build__, __version__
from alexmagnum.files import show_progress_to

GIVEN = "alexmagnum.cli.given"
"""The key of the shared options that were given so far, in the contexts of a call."""


def _share(ctx: click.Context, param: click.Parameter, value: object) -> object:
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


def _refuse_old_form(ctx: click.Context, args: list[str]) -> None:
    """Refuse a command as it was called before it became part of another, with the new form."""
    if (old := " ".join([*ctx.command_path.split()[1:], *args[:1]])) in OLD_FORMS:
        raise OldForm(f"'alexmagnum {old}' is now: alexmagnum {OLD_FORMS[old]}")


class Command(click.Command):
    """A command whose function receives a ``Call`` with the shared options that it takes.

    It takes ``--lang``, ``--json`` unless ``json`` is False, and those that are asked for.
    """

    opens_game = False
    """Whether the game of ``--game`` is open while the command runs."""

    def __init__(
        self,
        name: str | None,
        *,
        game: bool = False,
        json: bool = True,
        reason: bool = False,
        opened: bool = False,
        **about: Any,
    ) -> None:
        super().__init__(name, **about)
        taken = (game or self.opens_game, True, json, reason, opened)
        self.params += compress(SHARED.values(), taken)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        _refuse_old_form(ctx, args)
        rest = super().parse_args(ctx, args)
        for name in ctx.meta.get(GIVEN, {}):
            if SHARED[name] not in self.params:
                option = SHARED[name].opts[0]
                raise click.UsageError(f"'{ctx.command_path}' takes no {option}.", ctx)
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        # Imported late: --help does not need it.
        from alexmagnum.cli.base import Call

        given = {name: ctx.params.pop(name) for name in SHARED if name in ctx.params}
        call = ctx.params["call"] = Call(**given)
        if not self.opens_game:
            return super().invoke(ctx)
        # Imported late, as the desk is: most commands without a game do not load it.
        from alexmagnum.cli.game_options import open_game

        with open_game(call) as ctx.params["call"]:
            return super().invoke(ctx)


class GameCommand(Command):
    """A command that works on a game: its function receives a ``GameCall`` with the open desk."""

    opens_game = True


class Group(click.Group):
    """Commands of one subject; the shared options may stand before the name of one, too."""

    command_class = Command

    def __init__(self, *args: Any, **about: Any) -> None:
        super().__init__(*args, **about)
        self.params = self.params or options_before(hidden=True)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        _refuse_old_form(ctx, args)
        return super().resolve_command(ctx, args)


# Command name: (module, one line for the list, group).  The list is here so that --help need
# not import the commands.
COMMANDS = {
    "adjudicate": ("turns", "Resolve one phase and print the report.", "Turns"),
    "check": ("turns", "Say what each order means, and what is wrong with it.", "Turns"),
    "whatif": ("whatif", "Try orders on the position of a mail; compare plans.", "Turns"),
    "options": ("options", "List the legal orders, or count them and their outcomes.", "Turns"),
    "bot": ("options", "Orders that a bot would give, with reasons.", "Turns"),
    "engine": ("options", "Answer other programs: JSON requests in, outcomes out.", "Turns"),
    "sandbox": ("maps", "A page to set up, order and judge any position.", "Turns"),
    "cases": ("variants", "Run case files and show what came out otherwise.", "Variants"),
    "map": ("maps", "Show a map, draw it, or check one of yours.", "Variants"),
    "play": ("variants", "Play a full game at random.", "Variants"),
    "lab": ("variants", "Thousands of games by bots: is a map fair?", "Variants"),
    "setup": ("setup", "Mail for a folder of games: ask, try, check.", "Game master"),
    "new": ("games", "Make a folder with a new game.", "Game master"),
    "status": ("status", "Phase, deadline, who is in, what blocks.", "Game master"),
    "games": ("games", "The games of a folder, one line each.", "Game master"),
    "submit": ("inbox", "Enter or replace a power's orders.", "Game master"),
    "orders": ("inbox", "Open the orders that wait.", "Game master"),
    "inbox": ("inbox", "Mail: fetch, list, show, accept, reject.", "Game master"),
    "preview": ("phases", "What processing now would give.", "Game master"),
    "process": ("phases", "Resolve the open phase, write its reports.", "Game master"),
    "report": ("phases", "Print the report of a phase, or put words into it.", "Game master"),
    "publish": ("phases", "The game as a site, from a disk or on a host.", "Game master"),
    "sheet": ("phases", "Pages on which players tap their orders.", "Game master"),
    "outbox": ("outbox", "Letters: list, show, send, drop, remind.", "Game master"),
    "tick": ("inbox", "Fetch, answer, remind, for cron.", "Game master"),
    "end": ("phases", "Close the game, with its last report.", "Game master"),
    "undo": ("phases", "Take back the last processing.", "Game master"),
    "redo": ("phases", "Put back what was taken back.", "Game master"),
    "amend": ("phases", "Correct a past phase and play on.", "Game master"),
    "deadline": ("phases", "Show, set, extend, pause, resume the deadline.", "Game master"),
    "player": ("people", "Set, replace, mark absent.", "Game master"),
    "standby": ("people", "People ready to take over, and invitations.", "Game master"),
    "letter": ("people", "Write to players in your own words.", "Game master"),
    "settings": ("games", "List or set the house rules.", "Game master"),
    "history": ("status", "What was done, and why a unit fared so.", "Game master"),
    "verify": ("games", "Play the game again and compare.", "Game master"),
    "restore": ("games", "List the copies of the game file, or restore one.", "Game master"),
    "export": ("games", "Write the whole game into one file.", "Game master"),
    "import": ("games", "Make a game out of such a file.", "Game master"),
}


class GameGroup(Group):
    """A group of commands that work on a game."""

    command_class = GameCommand


class Commands(Group):
    """The commands by group, each imported when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"alexmagnum.cli.{COMMANDS[cmd_name][0]}")
        command = getattr(module, cmd_name + "_" * iskeyword(cmd_name))
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            close = get_close_matches(args[0], COMMANDS, 1)
            hint = f" Did you mean '{close[0]}'?" if close else ""
            raise click.UsageError(error.message + hint, ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for group in dict.fromkeys(group for _, _, group in COMMANDS.values()):
            with formatter.section(group):
                formatter.write_dl(
                    [(name, line) for name, (_, line, g) in COMMANDS.items() if g == group]
                )


@click.group(
    cls=Commands,
    params=options_before(hidden=False),
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="'alexmagnum COMMAND --help' tells more, with an example.",
)
@click.version_option(
    f"{__version__} ({__build__})", prog_name="alexmagnum", message="%(prog)s %(version)s"
)
def app() -> None:
    """Adjudicator for Alex Magnum and for standard Diplomacy, and the game master's desk."""
    click.get_current_context().with_resource(show_progress_to(show_layout_progress))


def show_layout_progress(part: float) -> None:
    """Show how far the layout of a map without shapes is; only a terminal shows it."""
    if sys.stderr.isatty():
        # Imported late, as the commands are.
        from alexmagnum.cli.base import layout_bar

        layout_bar(_asked_language()).show(part)


def main() -> None:
    """Run the command line: errors are a line or two, never a traceback.

    Exit status: 0 done; 1 the thing asked for failed; 2 wrong usage or an unusable file.
    """
    sys.stderr = sys.stderr or StringIO()  # whoever started the command closed it
    for stream in (sys.stdout, sys.stderr):
        # A terminal or pipe that lacks a letter (Windows) gets a stand-in, never a traceback.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app(prog_name="alexmagnum")
    except ValueError as error:
        # Imported late: --help is to start no slower for what it does not need.
        from alexmagnum.cli.base import print_error

        sys.exit(print_error(error, _asked_language()))
    except OSError as error:
        click.echo(f"alexmagnum: {error.strerror or error}", err=True)
        sys.exit(1)


def _asked_language() -> str | None:
    for option, value in zip(sys.argv, [*sys.argv[1:], ""], strict=True):
        if option == "--lang":
            return value
        if option.startswith("--lang="):
            return option.partition("=")[2]
    return None
