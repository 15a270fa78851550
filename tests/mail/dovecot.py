"""A real IMAP server on this machine: Dovecot, in a folder of its own, as whoever runs the tests.

It is started on a free port of the loopback address.  Run by root, as in a container, its parts
get the users that its package made for them, and the mail is nobody's: Dovecot lets nothing of
root's be read.
"""

import getpass
import imaplib
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from tests.case_library import read_yaml

REQUIRED = "ALEXMAGNUM_REQUIRE_DOVECOT"  # the variable that makes a missing Dovecot a failure

USER, PASSWORD = "perdicca@example.net", "sesame"

_PLACES = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))
_PATIENCE = 60.0  # seconds for each of its answers: other tests keep the machine busy


class _Roles(NamedTuple):
    """Who runs what: the users of Dovecot's inner parts and of the door, and whose the mail is."""

    inner: str
    group: str
    outer: str
    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Dovecot:
    """A server that runs, with one mailbox."""

    port: int
    home: Path

    @property
    def settings(self) -> Mapping[str, str]:
        """Return the settings of a game that fetches from this server."""
        return self.settings_of()

    def settings_of(self, folder: str = "", scheme: str = "imap-open") -> Mapping[str, str]:
        """Return the settings of a game that fetches from a folder of this server."""
        return {"imap_server": f"{scheme}://{USER}@127.0.0.1:{self.port}/{folder}"}

    def deliver(self, *raws: bytes, at: datetime | None = None, folder: str = "INBOX") -> None:
        """Put messages into a folder, which is made if it is not there; ``at``: when they came,
        as the server has it."""
        stamp = imaplib.Time2Internaldate((at or datetime.now(UTC)).astimezone())
        with self.opened() as client:
            client.create(f'"{folder}"')
            for raw in raws:
                status, said = client.append(f'"{folder}"', "", stamp, raw)
                assert status == "OK", said

    def clear(self, folder: str = "INBOX") -> None:
        """Remove the messages in a folder, which other tests have left there."""
        with self.opened() as client:
            _, (count,) = client.select(f'"{folder}"')
            if int(count or b"0"):
                client.store("1:*", "+FLAGS", r"(\Deleted)")
                client.expunge()

    def flags(self, folder: str = "INBOX") -> list[str]:
        """Return the flags of the messages in a folder, in the server's words."""
        with self.opened() as client:
            client.select(f'"{folder}"', readonly=True)
            _, answer = client.fetch("1:*", "(FLAGS)")
            return [str(item) for item in answer if item]

    @contextmanager
    def opened(self) -> Iterator[imaplib.IMAP4]:
        """Connect to the server and log in."""
        with imaplib.IMAP4("127.0.0.1", self.port, timeout=_PATIENCE) as client:
            client.login(USER, PASSWORD)
            yield client


def find_dovecot() -> str | None:
    """Return the path of an installed Dovecot that speaks IMAP; None if there is none."""
    if (program := shutil.which("dovecot", path=_PLACES)) is None:
        return None
    return program if any(folder.is_file() for folder in _imap_parts(program)) else None


def _imap_parts(program: str) -> Iterator[Path]:
    """List the places where Dovecot's IMAP part may be; some systems package it separately."""
    prefix = Path(program).resolve().parents[1]
    for folder in (prefix / "lib", prefix / "libexec", Path("/usr/lib"), Path("/usr/libexec")):
        yield folder / "dovecot" / "imap"


@contextmanager
def dovecot(program: str) -> Iterator[Dovecot]:
    """Run a server with an empty mailbox while the context lasts."""
    with ExitStack() as until_done:
        yield _start(program, until_done)


def _start(program: str, until_done: ExitStack, attempts: int = 3) -> Dovecot:
    """Start a server; once more if another program took its port between choice and start."""
    try:
        return until_done.enter_context(_started(program))
    except AssertionError:
        if attempts == 1:
            raise
        return _start(program, until_done, attempts - 1)


@contextmanager
def _started(program: str) -> Iterator[Dovecot]:
    # Not in a folder of the tests: those are root's alone, and too deep for the names of sockets.
    with tempfile.TemporaryDirectory(prefix="dovecot-", ignore_cleanup_errors=True) as folder:
        server = Dovecot(_free_port(), Path(folder))
        _prepare(server, program)
        with (server.home / "log").open("wb") as log:
            running = subprocess.Popen([program, "-F", "-c", str(server.home / "conf")], stderr=log)
        try:
            _wait(server, running)
            yield server
        finally:
            running.terminate()
            with suppress(subprocess.TimeoutExpired):
                running.wait(_PATIENCE)
            running.kill()


def _prepare(server: Dovecot, program: str) -> None:
    """Write what it wants to know."""
    roles = _roles()
    home = server.home
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    version = tuple(map(int, re.findall(r"\d+", said.stdout)[:2]))
    forms = read_yaml(Path(__file__).with_suffix(".yaml"))
    names = ("both", "up to 2.3") if version < (2, 4) else ("version 2.4", "both", "from 2.4")
    conf = "".join(forms[name] for name in names).format(
        home=home, port=server.port, **roles._asdict()
    )
    (home / "conf").write_text(conf, encoding="utf-8")
    (home / "users").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n", encoding="utf-8")
    (home / "mail").mkdir()
    if os.getuid() == 0:
        home.chmod(0o755)
        os.chown(home / "mail", roles.uid, roles.gid)


def _roles() -> _Roles:
    import grp
    import pwd

    if os.getuid() != 0:
        me, group = getpass.getuser(), grp.getgrgid(os.getgid()).gr_name
        return _Roles(me, group, me, os.getuid(), os.getgid())
    nobody = pwd.getpwnam("nobody")
    return _Roles("dovecot", "dovecot", "dovenull", nobody.pw_uid, nobody.pw_gid)


def _free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


def _wait(server: Dovecot, running: subprocess.Popen[bytes]) -> None:
    """Until it lets one in."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            with server.opened():
                # Else it was another's that answered, on a port that both had chosen.
                assert running.poll() is None, _log(server)
                return
        except (OSError, imaplib.IMAP4.error):
            if running.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"Dovecot did not come up:\n{_log(server)}") from None
            time.sleep(0.05)


def _log(server: Dovecot) -> str:
    return (server.home / "log").read_text(encoding="utf-8", errors="replace")
