"""How a mail leaves: by SMTP, by this computer's sendmail, or as a file for another program.

No way of sending can be undone, nor asked afterwards whether it has happened.  So each carrier
calls ``seal`` at the last instant at which the other side cannot have taken the mail: whoever is
stopped after that, and was not told that it is not taken, does not know what became of it.
"""

from __future__ import annotations

import os
import re
import shutil
import smtplib
import ssl
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from alexmagnum.errors import GameError
from alexmagnum.files import PRIVATE
from alexmagnum.mail.transport.passwords import is_here, password, variable

TIMEOUT = 30.0
"""Seconds to wait for a server's word."""

LAST_WORD = 300.0
"""Seconds to wait for its word on a mail that it has: it may look for viruses first."""

SENDMAIL = "ALEXMAGNUM_SENDMAIL"
"""The variable that names the program, where it is not the usual one.  No setting does: a game
from elsewhere would choose what runs on this computer."""

FOLDER = "outbox"
"""Where mails lie that another program is to send."""

Seal = Callable[[], None]


class NotSent(GameError):
    """A mail that is still here: ``mail-later`` (try again), ``mail-refused`` (it would be refused
    again), or one of :data:`NO_WAY`."""


NO_WAY = (
    *("mail-no-way", "mail-no-host", "mail-no-server", "mail-no-login", "mail-open-line"),
    "password-missing",
)
"""The codes that concern every mail: none can be sent as things are."""


class NobodyKnows(GameError):
    """A mail that may have gone or not (``mail-unsure``)."""


class Carrier(Protocol):
    """A way out, for as many mails as there are; to be closed."""

    def carry(self, name: str, data: bytes, sender: str, to: str, seal: Seal) -> None:
        """Send a mail, ``data`` as it goes over the wire, to one address.

        ``name`` is that of its draft.  ``seal`` is called once, as long as the other side cannot
        have taken it.

        Raises:
            NotSent, NobodyKnows.
        """

    def close(self) -> None: ...


def carrier_of(folder: Path, settings: Mapping[str, str]) -> Carrier:
    """The way out that a game's settings name.

    Raises:
        NotSent: ``mail-no-way``, if something that it needs is not set.
    """
    match settings["transport"]:
        case "smtp":
            return SmtpCarrier(settings)
        case "sendmail":
            return SendmailCarrier()
        case _:
            return FileCarrier(folder / FOLDER)


# -- files -----------------------------------------------------------------------------------------


class FileCarrier:
    """Leaves mails in a folder, each a file that mail programs open as one to be sent."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def carry(self, name: str, data: bytes, sender: str, to: str, seal: Seal) -> None:
        beside = self.folder / f".{name}"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE)
            with os.fdopen(handle, "wb") as stream:
                stream.write(b"X-Unsent: 1\r\n" + data)
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise _later(error) from None
        seal()
        try:
            beside.replace(self.folder / name)
        except OSError as error:
            raise _unsure(error) from None

    def close(self) -> None:
        """Nothing is open."""


# -- sendmail --------------------------------------------------------------------------------------

_TEMPORARY = 75
"""The exit status with which sendmail says: later."""


class SendmailCarrier:
    """Hands mails to this computer's own mail system."""

    def __init__(self) -> None:
        named = os.environ.get(SENDMAIL) or "sendmail"
        places = (os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/lib")
        found = shutil.which(named, path=os.pathsep.join(places))
        if found is None:
            raise NotSent("mail-no-way", why=f"{named}: not found")
        self.program = found

    def carry(self, name: str, data: bytes, sender: str, to: str, seal: Seal) -> None:
        seal()
        command = [self.program, "-i", "-f", sender, "--", to]
        try:
            done = subprocess.run(
                command,
                input=data.replace(b"\r\n", b"\n"),
                capture_output=True,
                timeout=TIMEOUT * 4,
                check=False,
            )
        except OSError as error:
            raise NotSent("mail-no-way", why=f"{self.program}: {_words(error)}") from None
        except subprocess.TimeoutExpired as error:
            raise _unsure(error) from None
        if done.returncode < 0:
            raise NobodyKnows("mail-unsure", why=f"{self.program}: {-done.returncode}")
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            why = f"{Path(self.program).name}: {said[-1] if said else done.returncode}"
            code = "mail-later" if done.returncode == _TEMPORARY else "mail-refused"
            raise NotSent(code, why=_line(why))

    def close(self) -> None:
        """Nothing is open."""


# -- SMTP ------------------------------------------------------------------------------------------

_LEADING_DOT = re.compile(rb"^\.", re.MULTILINE)

_WHO_ARE_YOU = (530, 534, 535, 538)
"""The codes with which a server wants a name and a password first, or others."""


class SmtpCarrier:
    """Sends mails by a server; one line to it serves for all."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self.host, self.port = settings["smtp_host"], int(settings["smtp_port"])
        self.security = settings["smtp_security"]
        self.user = settings["smtp_user"] or settings["mail_address"]
        self._named = bool(settings["smtp_user"])
        self._server: smtplib.SMTP | None = None
        if not self.host:
            raise NotSent("mail-no-host")

    def carry(self, name: str, data: bytes, sender: str, to: str, seal: Seal) -> None:
        server = self._ready()
        size = [f"size={len(data)}"] if server.has_extn("size") else []
        try:
            _expect(server.mail(sender, size))
            _expect(server.rcpt(to))
            _expect(server.docmd("DATA"))
            server.send(_dotted(data))
        except smtplib.SMTPResponseException as error:
            raise self._refusal(error) from None
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            raise _later(error) from None
        try:
            seal()
        except BaseException:
            self._drop()  # without the final dot nothing is sent
            raise
        self._hand_over(server)

    def _hand_over(self, server: smtplib.SMTP) -> None:
        """Send the dot after which a mail is the server's, and hear what it says."""
        assert server.sock is not None, "the mail has just gone through it"
        try:
            server.sock.settimeout(LAST_WORD)
            server.send(b".\r\n")
            code, said = server.getreply()
            server.sock.settimeout(TIMEOUT)
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            raise _unsure(error) from None
        answer = smtplib.SMTPResponseException(code, said)
        if 400 <= code < 600:
            raise self._refusal(answer)
        if not 200 <= code < 300:
            self._drop()
            raise _unsure(answer)

    def _ready(self) -> smtplib.SMTP:
        """The server, with a line to it that is alive."""
        if self._server is not None:
            try:
                _expect(self._server.rset())
            except (OSError, smtplib.SMTPException):
                self._drop()
        if self._server is None:
            self._server = self._connected()
        return self._server

    def _connected(self) -> smtplib.SMTP:
        """A new line to the server, secret as it is set, with a name and a password."""
        context = ssl.create_default_context()
        server: smtplib.SMTP | None = None
        try:
            if self.security == "tls":
                server = smtplib.SMTP_SSL(self.host, self.port, timeout=TIMEOUT, context=context)
            else:
                server = smtplib.SMTP(self.host, self.port, timeout=TIMEOUT)
            if self.security == "starttls":
                server.starttls(context=context)
            self._log_in(server)
        except (OSError, smtplib.SMTPException, NotSent) as error:
            if server is not None:
                server.close()
            raise self._no_way(error) from None
        return server

    def _log_in(self, server: smtplib.SMTP) -> None:
        server.ehlo_or_helo_if_needed()
        if not server.has_extn("auth"):
            return
        secret = password("smtp", self.user, self.host)
        if not secret and not self._named and is_here(self.host):
            return  # a server of one's own may take mail without
        if not secret:
            named = {"user": self.user, "host": self.host}
            raise NotSent("password-missing", **named, variable=variable("smtp"))
        if self.security == "none" and not is_here(self.host):
            raise NotSent("mail-open-line", host=self.host)
        server.login(self.user, secret)

    def _no_way(self, error: Exception) -> NotSent:
        """What keeps us from the server."""
        if isinstance(error, NotSent):
            return error
        if isinstance(error, smtplib.SMTPAuthenticationError):
            return self._no_login(error)
        where = f"{self.host}:{self.port}"
        return NotSent("mail-no-server", where=where, why=_words(error))

    def _no_login(self, error: smtplib.SMTPResponseException) -> NotSent:
        where = f"{self.host}:{self.port}"
        return NotSent("mail-no-login", where=where, user=self.user, why=_words(error))

    def _refusal(self, error: smtplib.SMTPResponseException) -> NotSent:
        """A mail that the server did not take: for now, for good (5xx), or like any other."""
        if error.smtp_code in _WHO_ARE_YOU:
            return self._no_login(error)
        for_good = error.smtp_code >= 500
        return NotSent("mail-refused" if for_good else "mail-later", why=_words(error))

    def _drop(self) -> None:
        if self._server is not None:
            self._server.close()
        self._server = None

    def close(self) -> None:
        """Take leave of the server."""
        if self._server is not None:
            with suppress(OSError, smtplib.SMTPException):
                self._server.quit()
        self._drop()


def _dotted(data: bytes) -> bytes:
    """A mail as it goes before the final dot: no line of its own ends it, and its last is whole."""
    ended = data if data.endswith(b"\r\n") else data + b"\r\n"
    return _LEADING_DOT.sub(b"..", ended)


def _expect(answer: tuple[int, bytes]) -> None:
    """Take an answer that lets us go on (2xx, 3xx).

    Raises:
        SMTPResponseException: any other.
    """
    code, said = answer
    if not 200 <= code < 400:
        raise smtplib.SMTPResponseException(code, said)


# -- errors ----------------------------------------------------------------------------------------


def _later(error: Exception) -> NotSent:
    return NotSent("mail-later", why=_words(error))


def _unsure(error: Exception) -> NobodyKnows:
    return NobodyKnows("mail-unsure", why=_words(error))


def _words(error: Exception) -> str:
    """What a server or the system said, on one line."""
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        return _line(f"{error.smtp_code} {text}")
    return _line(getattr(error, "strerror", None) or str(error) or type(error).__name__)


def _line(text: str) -> str:
    """A foreign text, fit to be printed: one line, without what a terminal obeys."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(plain.split())[:300]
