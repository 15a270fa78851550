"""The command ``setup``: asks for what a folder of games needs, tries it, and checks it later."""

import shlex
from dataclasses import asdict
from pathlib import Path
from subprocess import list2cmdline

import click

from alexmagnum.cli import Command
from alexmagnum.cli.base import PATH, Call, number_option, style
from alexmagnum.cli.game_options import open_folder, refusals
from alexmagnum.errors import GameError
from alexmagnum.game.file import FILE
from alexmagnum.game.settings import check_setting, read_server
from alexmagnum.mail.transport import store_password
from alexmagnum.workflow import setup as workflow_setup

GOES_OUT = {
    "transport": "smtp",
    **dict.fromkeys(("receipts", "reminders", "announcements"), "send"),
}
"""Settings by which the game sends what no game master has to read first."""


@click.command(cls=Command)
@click.argument("folder", type=PATH, default=Path())
@click.option("--check", is_flag=True, help="Ask nothing: tell what works and what does not.")
@number_option("--wait", 120, "Seconds to wait until a letter is back.")
def setup(call: Call, folder: Path, check: bool, wait: int) -> None:
    """Ask for what the games of FOLDER (default: this folder) need, and try it with real mail.

    You are asked for the address of the games and its password.  The servers of well-known
    providers are found, those of others are guessed and tried.  The files that start 'tick' every
    ten minutes are written.  The settings are kept in FOLDER for all its games, new ones too; the
    password is kept in a file in your home folder that only you can read.  Ctrl-C loses nothing:
    run 'setup' again to go on.

    At the end, or with --check at once, everything is tried: both logins, a letter to the games,
    which has to come back, and the last tick.  With --check nothing is asked, and the exit status
    is 1 if anything does not work.

    \b
    Example:
      alexmagnum setup games --check
    """
    folder = folder.resolve()
    folder = folder.parent if (folder / FILE).is_file() else folder
    if call.as_json and not check:
        raise click.UsageError("--json goes with --check.")
    with refusals(call.sentences.lang):
        settings = workflow_setup.read_defaults(folder)
        if check and not settings.keys() >= {"mail_address", "imap_server", "smtp_server"}:
            raise GameError("setup-unfinished", folder=str(folder))
        try:
            if not check:
                _Interview(call, folder, settings).ask()
            works = _check(call, folder, settings, wait)
        except (click.Abort, KeyboardInterrupt):
            call.say(["", call.format("setup-kept", folder=folder)])
            raise SystemExit(1) from None
    if check and not works:
        raise SystemExit(1)


def _check(call: Call, folder: Path, settings: dict[str, str], wait: int) -> bool:
    """Print what works and what does not; return whether everything does."""
    provider, found = workflow_setup.find_provider(settings["mail_address"]), []
    call.say([call.format("setup-checking", seconds=wait)])
    for what, error in workflow_setup.run_checks(folder, settings, call.sentences, wait):
        found.append({"check": what, "works": error is None, "problem": error and error.code})
        own = settings.get("gm_address") or settings["mail_address"]
        works = call.format(f"setup-ok-{what}", **{**settings, "gm_address": own})
        call.say(_error_lines(call, error, provider) if error else [works])
    call.answer(found, [])
    return all(one["works"] for one in found)


def _error_lines(call: Call, error: GameError, provider: workflow_setup.Provider) -> list[str]:
    """Return what went wrong, and what to do about it."""
    code, said = (
        workflow_setup.find_help(error, provider),
        style(call.sentences.error(error), "red"),
    )
    return [said, call.format(code, **asdict(provider))] if code else [said]


class _Interview:
    """The questions of ``setup``; what is answered is kept at once, in ``settings`` and on disk.

    Another address than the former one comes to the disk at the end, when all games have it: the
    next ``setup`` knows them by the former one.
    """

    def __init__(self, call: Call, folder: Path, settings: dict[str, str]) -> None:
        self.call, self.folder, self.settings = call, folder, settings
        self.former = dict(settings)
        self.password = ""

    def ask(self) -> None:
        self._say("setup-begin", folder=self.folder)
        provider = self._ask_address()
        for protocol in workflow_setup.PROTOCOLS:
            self._ask_server(protocol, provider)
        own = self.settings.get("gm_address") or self.settings["mail_address"]
        gm_address = self._ask_setting("gm_address", own)
        self._keep(**{**GOES_OUT, **self.settings, "gm_address": gm_address})
        about = self.folder, self.settings, self.former, open_folder
        games, missed = workflow_setup.apply_defaults(*about)
        workflow_setup.write_defaults(self.folder, self.settings)
        self._say("setup-applied", games=", ".join(games) or "–")
        for name, error in missed.items():
            self._say("setup-missed", game=name, why=self.call.sentences.error(error))
        for name, kept in games.items():
            if kept:
                self._say("setup-own", game=name, settings=", ".join(kept))
        kinds, question = (
            click.Choice(workflow_setup.STARTERS),
            self.call.format("setup-ask-starter"),
        )
        kind = click.prompt(question, type=kinds, default=workflow_setup.find_usual_starter())
        paths, commands = workflow_setup.write_starter(kind, self.folder)
        self._say("setup-written", paths="\n".join(f"  {path}" for path in paths))
        join = list2cmdline if kind == "windows" else shlex.join
        self._say("setup-switch-on", commands="\n".join(f"  {join(words)}" for words in commands))

    def _say(self, code: str, **data: object) -> None:
        click.echo(self.call.format(code, **data))

    def _keep(self, **settings: str) -> None:
        self.settings |= settings
        if self.former.get("mail_address") in (None, self.settings["mail_address"]):
            workflow_setup.write_defaults(self.folder, self.settings)

    def _ask_setting(self, name: str, default: str | None) -> str:
        """Ask until the answer is a value of the setting."""
        while True:
            try:
                question = self.call.format(f"setup-ask-{name.replace('_', '-')}")
                return check_setting(name, click.prompt(question, default=default))
            except GameError as error:
                click.echo(style(self.call.sentences.error(error), "red"))

    def _ask_address(self) -> workflow_setup.Provider:
        """Ask for the address of the games, until it is one whose provider lets programs in."""
        while True:
            before = self.settings.get("mail_address")
            address = self._ask_setting("mail_address", before)
            if (provider := workflow_setup.find_provider(address)).note:
                self._say(f"setup-note-{provider.note}", **asdict(provider))
            if address and provider.imap:
                for protocol in workflow_setup.PROTOCOLS if address != before else ():
                    self.settings.pop(f"{protocol}_server", None)
                self._keep(mail_address=address)
                return provider

    def _ask_server(self, protocol: str, provider: workflow_setup.Provider) -> None:
        """Try the servers that may be right; ask for what is missing until one lets us in."""
        name, address = f"{protocol}_server", self.settings["mail_address"]
        usual = provider.imap if protocol == "imap" else provider.smtp
        servers = [self.settings[name]] if name in self.settings else usual
        while True:
            self._say("setup-trying", servers=", ".join(servers))
            server, error = workflow_setup.find_server(
                protocol, servers, self.settings, self.password
            )
            if error is None:
                break
            if error.code != "password-missing":
                click.echo("\n".join(_error_lines(self.call, error, provider)))
                servers = [self._ask_setting(name, server)]
            if error.code in workflow_setup.REFUSED:
                question = self.call.format("setup-ask-password", address=address)
                self.password = click.prompt(question, hide_input=True).strip()
        self._keep(**{name: server})
        if self.password:
            named = read_server(server, protocol)
            store_password(named.user or address, named.host, self.password)
