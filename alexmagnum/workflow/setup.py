"""Setting up a folder of games: its mail settings, the servers tried, and what starts ``tick``.

Open this for the settings with which new games of a folder begin, and for what ``setup --check``
tries.  The file ``setup.json`` has the providers that are known, and the ways to start ``tick``.
"""

import json
import os
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from alexmagnum.errors import AlexMagnumError, GameError
from alexmagnum.files import read_json, write_whole
from alexmagnum.game.desk import Desk
from alexmagnum.game.settings import check_setting, default_settings
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail import transport
from alexmagnum.mail.composition import Letter, compose, encode_mail, make_message_id
from alexmagnum.workflow.changes import change_setting
from alexmagnum.workflow.tick import TICK_ALL, OpenDesk, find_game_folders

_HERE = Path(__file__).resolve().parent


def _read_data(key: str) -> Any:
    return json.loads((_HERE / "setup.json").read_text(encoding="utf-8"))[key]


# The settings with which new games of a folder begin.


DEFAULTS = "alexmagnum.json"
"""The file with these settings, by name, in the folder of the games."""


def read_defaults(folder: Path) -> dict[str, str]:
    """Return the settings with which new games of a folder begin; none if it was never set up.

    Raises:
        BadFile: the file is no JSON; GameError: ``setup-defaults-unreadable`` (no settings in it),
            ``setup-defaults-open`` (somebody else may have written where mail goes).
    """
    path = folder / DEFAULTS
    if os.name == "posix" and path.is_file():
        about = path.stat()
        if about.st_uid not in (0, os.geteuid()) or about.st_mode & 0o022:
            raise GameError("setup-defaults-open", path=str(path))
    data: Any = read_json(path) if path.is_file() else {}
    try:
        return {name: check_setting(name, value) for name, value in data.items()}
    except (GameError, AttributeError):
        raise GameError("setup-defaults-unreadable", path=str(path)) from None


def write_defaults(folder: Path, settings: Mapping[str, str]) -> None:
    text = json.dumps(dict(settings), ensure_ascii=False, indent=1)
    write_whole(folder / DEFAULTS, text + "\n", private=True)


def apply_defaults(
    folder: Path, settings: Mapping[str, str], former: Mapping[str, str], open_desk: OpenDesk
) -> tuple[dict[str, list[str]], dict[str, AlexMagnumError]]:
    """Set them in the games of a folder that have this address, the former one or none; return
    their names, each with the settings that stay as its game master has chosen (neither servers nor
    the address, nor what ``former`` settings said), and the games that could not be opened."""
    done, missed = dict[str, list[str]](), dict[str, AlexMagnumError]()
    with suppress(GameError):  # there may be no games yet
        for path in find_game_folders(folder):
            try:
                with open_desk(path) as desk:
                    own = _apply(desk, settings, {**default_settings(), **former})
                    done |= {} if own is None else {str(desk.name): own}
            except AlexMagnumError as error:
                missed[path.name] = error
    return done, missed


def _apply(desk: Desk, settings: Mapping[str, str], usual: Mapping[str, str]) -> list[str] | None:
    """Set them in one game and return those that stay, None if it has another address."""
    now = desk.settings
    if now["mail_address"] not in ("", usual["mail_address"], settings["mail_address"]):
        return None
    others = [name for name in settings if now[name] != settings[name]]
    own = [n for n in others if n not in _MAILBOX and now[n] != usual[n]]
    for name in (name for name in others if name not in own):
        change_setting(desk, name, settings[name], "setup")
    return own


# Providers of mail, and the servers that let one in.


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider of mail, with the servers to be tried in turn; none where programs may not log in.

    ``note`` says what is special about it (the sentence ``setup-note-<note>``), ``page`` where.
    """

    name: str
    domains: Sequence[str]
    imap: Sequence[str]
    smtp: Sequence[str]
    note: str = ""
    page: str = ""


def find_provider(address: str) -> Provider:
    """Return the provider of an address; of an unknown one, the usual names of its servers."""
    domain = address.lower().rpartition("@")[2]
    known = (Provider(**row) for row in _read_data("providers"))
    imap, smtp = [f"imap.{domain}", f"mail.{domain}"], [f"smtp.{domain}", f"mail.{domain}"]
    guess = Provider(domain, [domain], imap, [*smtp, *(f"smtps://{host}" for host in smtp)])
    return next((one for one in known if domain in one.domains), guess)


UNREACHABLE = ("imap-unreachable", "mail-no-server")
REFUSED = ("imap-login", "mail-no-login", "password-missing")
"""The codes of servers that were not reached, and of those that want another password."""


def find_server(
    protocol: str, servers: Sequence[str], settings: Mapping[str, str], password: str
) -> tuple[str, GameError | None]:
    """Return the first of some servers (``imap`` or ``smtp``) that lets one in; else the first that
    was reached, else the first, with what is wrong with it."""
    tried = []
    for server in servers:
        named = {**settings, f"{protocol}_server": server}
        error = _find_error(partial(_log_in, protocol, named, password))
        if error is None or error.code not in UNREACHABLE:
            return server, error
        tried.append((server, error))
    return tried[0]


def _log_in(protocol: str, settings: Mapping[str, str], password: str = "") -> None:
    if protocol == "imap":
        with transport.open_mailbox(transport.read_account(settings, password)):
            return
    transport.SmtpCarrier(settings, password).check()


def _find_error(step: Callable[[], None]) -> GameError | None:
    try:
        step()
    except GameError as error:
        return error
    return None


def find_help(error: GameError, provider: Provider) -> str:
    """Return the code of the sentence that says what to do about a server, "" if there is none."""
    if error.code in REFUSED:
        return f"setup-note-{provider.note}" if provider.note else "setup-help-login"
    if "certificate" in (why := str(error.data.get("why", "")).lower()) or "ssl" in why:
        return "setup-help-tls"
    return "setup-help-server" if error.code in UNREACHABLE else ""


# What works and what does not: the logins, a letter that comes back, what starts ``tick``.


_PAUSE = 3.0  # seconds between two looks into the mailbox

_LATEST_TICK = timedelta(hours=1)


def run_checks(
    folder: Path, settings: Mapping[str, str], sentences: Sentences, wait: float
) -> Iterator[tuple[str, GameError | None]]:
    """Yield what works (``setup-ok-<what>``), and what does not with its error.

    A letter is sent only if both servers let one in, and awaited for ``wait`` seconds.
    """
    logins = {name: _find_error(partial(_log_in, name, settings)) for name in PROTOCOLS}
    yield from logins.items()
    if not any(logins.values()):
        yield "letter", _find_error(partial(_send_and_wait, settings, sentences, wait))
    yield "tick", _find_error(partial(_check_tick, folder))


PROTOCOLS = ("imap", "smtp")
_MAILBOX = ("mail_address", *(f"{protocol}_server" for protocol in PROTOCOLS))


def _check_tick(folder: Path) -> None:
    lock = folder / f"{TICK_ALL}.lock"
    last = lock.stat().st_mtime if lock.exists() else 0
    if datetime.now(UTC) - datetime.fromtimestamp(last, UTC) > _LATEST_TICK:
        raise GameError("setup-no-tick", folder=str(folder))


def _send_and_wait(settings: Mapping[str, str], sentences: Sentences, wait: float) -> None:
    """Send letters to the game's address, as players answer to it and to the game master; wait
    until the first two are back."""
    address = settings["mail_address"]
    plus, host = address.replace("@", "+setup@"), address.rpartition("@")[2]
    carrier, sent = transport.SmtpCarrier(settings), dict[str, str]()
    try:
        for to in dict.fromkeys((plus, address, settings.get("gm_address") or address)):
            sent[to] = make_message_id("setup", os.urandom(16), host)
            letter = Letter(
                sentences.format("setup-letter"),
                sentences.format("setup-letter-text") + "\n",
                to=to,
                sender=address,
                message_id=sent[to],
                date=datetime.now(UTC),
            )
            data = encode_mail(compose(letter))
            with suppress(*[GameError] * (to == plus)):  # some servers refuse it
                carrier.carry("setup", data, address, to, lambda: None)
    finally:
        carrier.close()
    account, end = transport.read_account(settings), time.monotonic() + wait
    missing = {sent[address], sent[plus]}
    while missing:
        since = datetime.now(UTC).date() - timedelta(days=1)
        for found in transport.read_mailbox(
            account, since, lambda name, place: name not in missing
        ):
            missing.discard(str(transport.read_fields(found.raw)["Message-ID"]))
        if missing and time.monotonic() >= end:
            code = "setup-not-back" if sent[address] in missing else "setup-no-plus"
            raise GameError(code, address=address, seconds=f"{wait:.0f}")
        time.sleep(_PAUSE if missing else 0)


# What starts ``tick``: the recipes of the documents, with this program and folder in them.


STARTERS = ("cron", "systemd", "launchd", "windows")

_RECIPES = (_HERE / "recipes", _HERE.parents[1] / "docs" / "recipes")
"""Where the recipes are: in the installed package, or in a checkout."""


def find_usual_starter() -> str:
    """Return the way to start ``tick`` that fits this computer."""
    usual = {"win32": "windows", "darwin": "launchd"}
    return usual.get(sys.platform, "systemd" if Path("/run/systemd/system").is_dir() else "cron")


def write_starter(kind: str, folder: Path) -> tuple[list[Path], list[list[str]]]:
    """Write the files that start ``tick`` for a folder, named after it; return them, and the
    commands that switch it on."""
    plan, recipes = _read_data("starters")[kind], next(path for path in _RECIPES if path.is_dir())
    name = f"alexmagnum-{re.sub('[^A-Za-z0-9]+', '-', folder.name).strip('-')}"
    quoted = _quote(str(folder), kind)
    for each in (name, f"{name}-{sha256(str(folder).encode()).hexdigest()[:8]}"):
        places = {"home": str(Path.home()), "folder": str(folder), "name": each}
        paths = {recipe: Path(path.format(**places)) for recipe, path in plan["files"].items()}
        there = [path.read_text(encoding="utf-8") for path in paths.values() if path.is_file()]
        if not there or any(quoted in text for text in there):
            break  # it is not that of another folder with such a name
    for recipe, path in paths.items():
        text = (recipes / recipe).read_text(encoding="utf-8")
        text = text.replace(">alexmagnum<", f">{places['name']}<")
        text = text.replace(plan["program"], _quote(find_program(), kind))
        write_whole(path, text.replace(plan["folder"], quoted))
    return [*paths.values()], [[w.format(**places) for w in each] for each in plan["commands"]]


def _quote(path: str, kind: str) -> str:
    if kind in ("launchd", "windows"):
        return escape(path)
    if kind == "systemd":
        return '"' + re.sub(r'[\\"]', r"\\\g<0>", path).replace("%", "%%").replace("$", "$$") + '"'
    return shlex.quote(path).replace("%", "\\%")


def find_program() -> str:
    """Return the path of the command ``alexmagnum`` that belongs to this Python."""
    program = Path(sys.executable).with_name("alexmagnum")
    beside = program.with_suffix(".exe") if sys.platform == "win32" else program
    return str(beside if beside.exists() else Path(sys.argv[0]).resolve())
