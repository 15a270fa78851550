"""``setup`` on real servers, answered at a terminal: what is asked, tried, written and checked."""

import json
import os
import plistlib
import re
import select
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword

from alexmagnum.game.desk import Desk
from alexmagnum.game.settings import check_setting
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.transport import PASSWORDS
from alexmagnum.workflow.setup import DEFAULTS, STARTERS, find_program, find_provider, write_starter
from tests.commands import NO_PICTURES, ROOT, Printed, run_command
from tests.mail.dovecot import PASSWORD, USER, Dovecot
from tests.mail.smtp_server import SmtpServer, run_smtp_server

PATIENCE = 60.0  # seconds for the next question: other tests keep the machine busy

IMAP_PROMPT, SMTP_PROMPT, SECRET_PROMPT = "Server of incoming", "Server of outgoing", "Password of"
TAIL = (("Your own address", "anna@example.org"), ("What shall start", "cron"))


@dataclass
class Table:
    """A folder of games, a home folder, and servers that know the address of the games."""

    home: Path
    imap: Dovecot
    smtp: SmtpServer
    folder: Path = field(init=False)

    def __post_init__(self) -> None:
        self.folder = self.home / "my games"
        self.imap_server = f"imap-open://127.0.0.1:{self.imap.port}"
        self.smtp_server = f"smtp-open://127.0.0.1:{self.smtp.port}"

    def converse(self, *answers: tuple[str, str | None], status: int = 0) -> str:
        """Answer prompts at a terminal, in their order; None is Ctrl-C.  Return what it showed."""
        words = [sys.executable, "-m", "alexmagnum", "--lang", "en", "setup", self.folder.name]
        shown = ""
        with subprocess.Popen(
            [sys.executable, "-c", _TERMINAL, *words, "--wait", "30"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "HOME": str(self.home), "PYTHONPATH": str(ROOT)},
            cwd=self.home,
            bufsize=0,
        ) as child:
            assert child.stdin
            assert child.stdout
            for prompt, answer in answers:
                asked = ""
                while prompt not in asked or not asked.endswith(": "):
                    is_ready = select.select([child.stdout], [], [], PATIENCE)[0]
                    if not (more := child.stdout.read(65536).decode() if is_ready else ""):
                        child.kill()
                    assert more, (prompt, shown + asked)
                    asked += more
                shown += asked
                child.stdin.write(b"\x03" if answer is None else f"{answer}\n".encode())
                if answer is None:
                    _press_until_ended(child)
            shown += child.stdout.read().decode()
        assert child.returncode == status, shown
        assert "Traceback" not in shown
        return shown.replace("\r\n", "\n")

    def run(self, *words: str, status: int = 0) -> Printed:
        home = {"HOME": str(self.home)}
        return run_command(*words, "--lang", "en", cwd=self.home, status=status, environment=home)

    def write_settings(self, **settings: str) -> None:
        """Write what an earlier 'setup' had kept."""
        servers = {"imap_server": self.imap_server, "smtp_server": self.smtp_server}
        data = {"mail_address": USER, "gm_address": USER, **servers, **settings}
        self.folder.mkdir()
        (self.folder / DEFAULTS).write_text(json.dumps(data), encoding="utf-8")
        names = (f"{USER}@127.0.0.1",)
        (self.home / PASSWORDS).write_text(json.dumps(dict.fromkeys(names, PASSWORD)))
        (self.home / PASSWORDS).chmod(0o600)


def _press_until_ended(child: subprocess.Popen[bytes]) -> None:
    """Press Ctrl-C again as people do: one that comes just before the line is read has no effect
    until another key is pressed."""
    assert child.stdin
    for _ in range(30):
        with suppress(subprocess.TimeoutExpired):
            child.wait(2)
            return
        with suppress(BrokenPipeError):
            child.stdin.write(b"\x03")
    child.kill()


_TERMINAL = """
import os, pty, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)  # who runs in the background ignores it
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
"""
"""Runs a command at a terminal of its own, whose keys and screen are two pipes."""


@pytest.fixture
def table(imap_server: Dovecot, tmp_path: Path) -> Iterator[Table]:
    """The server passes on what is to the address of the games, plus-addresses too."""

    def log_in(*about: object) -> AuthResult:
        said = about[-1]
        assert isinstance(said, LoginPassword)
        known = (said.login, said.password) == (USER.encode(), PASSWORD.encode())
        return AuthResult(success=known, handled=False)

    options = {"authenticator": log_in, "auth_require_tls": False, "auth_required": True}
    with run_smtp_server(**options) as smtp:
        imap_server.clear()
        smtp.on_data = partial(_deliver, imap_server, "")
        yield Table(tmp_path, imap_server, smtp)
    imap_server.clear()


def _deliver(server: Dovecot, lost: str, envelope: Envelope) -> None:
    (to,) = envelope.rcpt_tos
    if to.endswith("@example.net") and not (lost and lost in to):
        server.deliver(bytes(envelope.original_content or b""))


def test_the_first_hour_at_a_terminal(table: Table) -> None:
    """Every answer that cannot be right says what to do, and none is asked for twice."""
    table.run("new", str(table.folder / "alfa"), "--map", "standard", *NO_PICTURES)
    shown = table.converse(
        ("Address of the games", "perdicca@hotmail.it"),
        ("Address of the games", "perdicca"),
        ("Address of the games", USER),
        (SECRET_PROMPT, "wrong"),
        (IMAP_PROMPT, table.imap_server.replace("imap-open", "imaps")),
        (IMAP_PROMPT, table.imap_server),
        (IMAP_PROMPT, ""),
        (SECRET_PROMPT, PASSWORD),
        (SMTP_PROMPT, table.smtp_server),
        *TAIL,
    )

    for said in (
        "Outlook has let no program in",
        "Trying imap.example.net, mail.example.net",
        "Write the server as your provider's help names it",
        "The connection is not secure",
        "Many providers want a password made for programs",
        "have these settings now: alfa",
        "Works: the letters came back",
        "no 'tick' has run",
    ):
        assert said in shown, shown
    assert PASSWORD not in shown
    assert sorted(table.smtp.readers) == ["anna@example.org", USER.replace("@", "+setup@"), USER]
    secrets = table.home / PASSWORDS
    assert PASSWORD not in (table.folder / DEFAULTS).read_text(encoding="utf-8")
    assert json.loads(secrets.read_text()) == {f"{USER}@127.0.0.1": PASSWORD}
    assert secrets.stat().st_mode & 0o777 == 0o600
    assert PASSWORD.encode() not in (table.folder / "alfa" / "game.db").read_bytes()
    _check_what_follows(table)


def _check_what_follows(table: Table) -> None:
    """A check says that nothing has run yet, then what starts the games does; a second game needs
    its name and its players."""
    line = (table.folder / "crontab.txt").read_text(encoding="utf-8").splitlines()[-1]
    checks = table.run("setup", table.folder.name, "--check", "--json", status=1).data
    assert [one["check"] for one in checks if one["works"]] == ["imap", "smtp", "letter"]
    table.run("new", f"{table.folder.name}/beta", "--map", "standard", *NO_PICTURES)
    like = ("--like", f"{table.folder.name}/beta", "--set", "days_winter=9")
    table.run("new", "elsewhere/gamma", *like, "--player", "France=Zoe <zoe@example.net>")
    for path in (table.folder / "beta", table.home / "elsewhere" / "gamma"):
        with Desk.open(path) as desk:
            assert desk.settings["mail_address"] == USER
            assert desk.settings["imap_server"] == table.imap_server
            assert (desk.settings["receipts"], desk.settings["reports"]) == ("send", "draft")
            assert desk.settings["pictures"] == "no"
            assert desk.board.id == "standard"
    _run_line_of_cron(line, table.home)
    for game in ("alfa", "beta"):  # the letters of 'setup' are the game's own
        assert (
            table.run("inbox", "list", "--all", "--json", "--game", f"my games/{game}").data == []
        )
    assert "Works: 'tick' runs." in table.run("setup", table.folder.name, "--check").out


def _run_line_of_cron(line: str, home: Path) -> None:
    """Run the command of a line in an environment as empty as that of cron."""
    command = line.split(None, 5)[5].replace("\\%", "%").replace(shlex.quote(find_program()), "$AM")
    environment = {
        "HOME": str(home),
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(ROOT),
        "AM": f"{sys.executable} -m alexmagnum",
    }
    subprocess.run(["/bin/sh", "-c", command], env=environment, cwd="/", check=True)


@pytest.mark.proof
def test_what_was_answered_before_ctrl_c_is_not_asked_again(table: Table) -> None:
    assert "What you have answered is kept" in table.converse(
        ("Address of the games", USER), (SECRET_PROMPT, PASSWORD), (IMAP_PROMPT, None), status=1
    )
    second = table.converse(
        (f"to which players write [{USER}]", ""),
        (SECRET_PROMPT, PASSWORD),
        (IMAP_PROMPT, table.imap_server),
        (SMTP_PROMPT, None),
        status=1,
    )
    third = table.converse(("[perdicca", ""), (SMTP_PROMPT, table.smtp_server), *TAIL)

    assert "guess" not in second
    assert SECRET_PROMPT not in third
    assert IMAP_PROMPT not in third
    assert "Works: the letters came back" in third


def test_a_new_address_reaches_the_games_that_had_the_former_one(table: Table) -> None:
    table.write_settings(mail_address="old@example.net")
    for game in ("alfa", "beta"):
        table.run("new", f"my games/{game}", "--map", "standard", *NO_PICTURES)
    table.run("settings", "mail_address", "own@example.org", "--game", "my games/beta")
    table.run("settings", "gm_address", "second@example.org", "--game", "my games/alfa")
    table.converse(
        ("to which players write [old@", USER),
        (SECRET_PROMPT, PASSWORD),
        (IMAP_PROMPT, None),
        status=1,
    )
    shown = table.converse(
        ("to which players write [old@", USER),
        (SECRET_PROMPT, PASSWORD),
        (IMAP_PROMPT, table.imap_server),
        (SMTP_PROMPT, table.smtp_server),
        *TAIL,
    )
    assert "have these settings now: alfa." in shown
    assert "alfa keeps settings of its own: gm_address." in shown


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        pytest.param("perdicca", "was not back after 1 s", marks=pytest.mark.proof),
        ("+setup", "plus-addressing"),
    ],
)
def test_a_letter_that_does_not_come_back_says_what_to_look_for(
    table: Table, lost: str, said: str
) -> None:
    table.write_settings()
    table.smtp.on_data = partial(_deliver, table.imap, lost)
    assert said in table.run("setup", "my games", "--check", "--wait", "1", status=1).out


def test_a_check_tells_each_thing_that_does_not_work(table: Table) -> None:
    assert "is not set up" in table.run("setup", "--check", status=1).err
    table.write_settings(smtp_server="smtp-open://127.0.0.1:9", mail_address="perdicca@gmail.com")
    out = table.run("setup", "my games", "--check", status=1).out

    kept = (table.folder / DEFAULTS).read_text()
    assert "127.0.0.1:9 cannot be reached" in out
    assert "came back" not in out
    assert "no password for perdicca@gmail.com" in out
    assert "apppasswords" in out
    (table.folder / DEFAULTS).write_text('{"mail_adress": "x@example.net"}')
    assert DEFAULTS in table.run("new", "my games/alfa", status=1).err
    (table.folder / DEFAULTS).write_text(kept)
    (table.home / PASSWORDS).chmod(0o644)
    assert "chmod 600" in table.run("setup", "my games", "--check", status=1).out


# -- the files that start the games ----------------------------------------------------------------


AWKWARD = 'Anna\'s 100% $HOME & "yours"'


@pytest.fixture
def starters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Sequence[Path]]:
    """Write what starts the games of a folder with an awkward name."""
    monkeypatch.setenv("HOME", str(tmp_path))

    def write(kind: str) -> Sequence[Path]:
        paths, commands = write_starter(kind, tmp_path / AWKWARD)
        assert commands
        return paths

    return write


def test_folders_with_like_names_have_starters_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second took the file of the first one, which was never run again (a fourth attack)."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for kind in ("systemd", "launchd", "windows"):
        paths = [write_starter(kind, tmp_path / each / "games")[0] for each in "1212"]
        assert paths[:2] == paths[2:]
        assert {*paths[0]}.isdisjoint(paths[1])


def test_the_files_for_each_system_are_sound(starters: Callable[[str], Sequence[Path]]) -> None:
    (path,) = starters("windows")
    task = ET.parse(path).getroot()
    space = {"t": "http://schemas.microsoft.com/windows/2004/02/mit/task"}
    assert task.findtext(".//t:Exec/t:Command", None, space) == find_program()
    assert str(task.findtext(".//t:WorkingDirectory", None, space)).endswith(AWKWARD)
    (path,) = starters("launchd")
    agent = plistlib.loads(path.read_bytes())
    words = agent["ProgramArguments"]
    assert agent["Label"] == path.stem
    assert (words[0], words[1:3], words[-1]) == (find_program(), ["tick", "--all"], "--quiet")
    assert words[3].endswith(AWKWARD)
    (path,) = starters("cron")
    (line,) = [x for x in path.read_text("utf-8").splitlines() if not x.startswith("#")]
    assert re.match(r"\*/10 \* \* \* \*  \S", line)
    assert not re.search(r"(?<!\\)%", line), "cron takes it for the end of the line"
    assert AWKWARD in shlex.split(line.replace("\\%", "%"))[8].split("/")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_finds_no_fault_in_its_files(starters: Callable[[str], Sequence[Path]]) -> None:
    units = starters("systemd")
    command = ["systemd-analyze", "verify", "--man=no", *map(str, units)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if "alexmagnum" in line]
    assert (done.returncode, said) == (0, [])
    assert units[0].name == "alexmagnum-Anna-s-100-HOME-yours.service"
    assert """/Anna's 100%% $$HOME & \\"yours\\"" --process""" in units[0].read_text("utf-8")


def test_the_commands_for_cron_keep_the_lines_that_are_there(
    starters: Callable[[str], Sequence[Path]], tmp_path: Path
) -> None:
    """Twice, and the line stands there once."""
    (path,) = starters("cron")
    _, ((*command,),) = write_starter("cron", tmp_path / AWKWARD)
    program = tmp_path / "bin" / "crontab"
    program.parent.mkdir()
    file = shlex.quote(str(tmp_path / "installed"))
    program.write_text(f"""#!/bin/sh
if [ "$1" = -l ]; then cat {file}; else cat > {file}.new; mv {file}.new {file}; fi
""")
    program.chmod(0o755)
    (tmp_path / "installed").write_text("0 5 * * *  backup\n")
    for _ in range(2):
        subprocess.run(command, env={"PATH": f"{program.parent}:/usr/bin:/bin"}, check=True)

    ours = path.read_text("utf-8")
    assert (tmp_path / "installed").read_text() == f"0 5 * * *  backup\n{ours}"


@pytest.mark.skipif(sys.platform == "win32", reason="files have no owner there")
def test_settings_that_another_user_may_have_written_make_no_game(tmp_path: Path) -> None:
    """They would say where its mail and its password go (a fourth attack)."""
    path, new = tmp_path / DEFAULTS, ("new", "g", "--map", "standard", *NO_PICTURES)
    path.write_text('{"gm_address": "eve@example.org"}', encoding="utf-8")
    path.chmod(0o666)
    assert "somebody else" in run_command("--lang", "en", *new, cwd=tmp_path, status=1).err
    path.chmod(0o644)
    if os.geteuid() == 0:
        os.chown(path, 65534, -1)
        run_command(*new, cwd=tmp_path, status=1)
        os.chown(path, 0, -1)
    run_command(*new, cwd=tmp_path)


def test_the_table_of_providers_is_sound() -> None:
    rows = json.loads((ROOT / "alexmagnum/workflow/setup.json").read_text("utf-8"))
    domains = [domain for row in rows["providers"] for domain in row["domains"]]
    assert len(domains) == len(set(domains))
    assert set(rows["starters"]) == set(STARTERS)
    for provider in map(find_provider, (f"anna@{domain}" for domain in domains)):
        servers = [("imap_server", one) for one in provider.imap]
        for name, server in (*servers, *(("smtp_server", one) for one in provider.smtp)):
            assert check_setting(name, server) == server
        assert bool(provider.imap) == bool(provider.smtp) == (provider.note != "refused")
        if provider.note:
            assert f"setup-note-{provider.note}" in load_sentences("en").templates
        assert bool(provider.page) == (provider.note == "app")
    assert find_provider("anna@Example.org").imap == ["imap.example.org", "mail.example.org"]
