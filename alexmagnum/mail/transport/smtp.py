"""Mails sent by a server, by SMTP."""

from __future__ import annotations

import re
import smtplib
import ssl
from collections.abc import Mapping
from contextlib import suppress

from alexmagnum.mail.transport.delivery import (
    NotSent,
    Seal,
    delivery_unknown,
    describe_error,
    try_later,
)
from alexmagnum.mail.transport.passwords import find_password, is_local_host, password_variable

TIMEOUT = 30.0
"""Seconds to wait for a server's answer."""

LAST_WORD = 300.0
"""Seconds to wait for its answer once it has a mail: it may look for viruses first."""

_LEADING_DOT = re.compile(rb"^\.", re.MULTILINE)

_WHO_ARE_YOU = (530, 534, 535, 538)
"""The codes by which a server asks for a name and a password, or for others."""


class SmtpCarrier:
    """Sends mails by a server, all over one connection."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self.host, self.port = settings["smtp_host"], int(settings["smtp_port"])
        self.security = settings["smtp_security"]
        self.user = settings["smtp_user"] or settings["mail_address"]
        self._named = bool(settings["smtp_user"])
        self._server: smtplib.SMTP | None = None
        if not self.host:
            raise NotSent("mail-no-host")

    def carry(self, name: str, data: bytes, sender: str, to: str, seal: Seal) -> None:
        server = self._open_server()
        size = [f"size={len(data)}"] if server.has_extn("size") else []
        try:
            _expect(server.mail(sender, size))
            _expect(server.rcpt(to))
            _expect(server.docmd("DATA"))
            server.send(_double_dots(data))
        except smtplib.SMTPResponseException as error:
            raise self._refusal(error) from None
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            raise try_later(error) from None
        try:
            seal()
        except BaseException:
            self._drop()  # without the final dot nothing is sent
            raise
        self._hand_over(server)

    def _hand_over(self, server: smtplib.SMTP) -> None:
        """Send the dot that hands a mail over to the server, and read the answer."""
        assert server.sock is not None, "the mail has just gone through it"
        try:
            server.sock.settimeout(LAST_WORD)
            server.send(b".\r\n")
            code, said = server.getreply()
            server.sock.settimeout(TIMEOUT)
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            raise delivery_unknown(error) from None
        answer = smtplib.SMTPResponseException(code, said)
        if 400 <= code < 600:
            raise self._refusal(answer)
        if not 200 <= code < 300:
            self._drop()
            raise delivery_unknown(answer)

    def _open_server(self) -> smtplib.SMTP:
        """Return the server, connected anew if the connection is dead."""
        if self._server is not None:
            try:
                _expect(self._server.rset())
            except (OSError, smtplib.SMTPException):
                self._drop()
        if self._server is None:
            self._server = self._connect()
        return self._server

    def _connect(self) -> smtplib.SMTP:
        """Connect to the server, encrypted as the settings say, and log in."""
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
        secret = find_password("smtp", self.user, self.host)
        if not secret and not self._named and is_local_host(self.host):
            return  # a server of one's own may take mail without
        if not secret:
            named = {"user": self.user, "host": self.host}
            raise NotSent("password-missing", **named, variable=password_variable("smtp"))
        if self.security == "none" and not is_local_host(self.host):
            raise NotSent("mail-open-line", host=self.host)
        server.login(self.user, secret)

    def _no_way(self, error: Exception) -> NotSent:
        """Return the error of a server that cannot be reached or does not let us in."""
        if isinstance(error, NotSent):
            return error
        if isinstance(error, smtplib.SMTPAuthenticationError):
            return self._no_login(error)
        where = f"{self.host}:{self.port}"
        return NotSent("mail-no-server", where=where, why=describe_error(error))

    def _no_login(self, error: smtplib.SMTPResponseException) -> NotSent:
        where = f"{self.host}:{self.port}"
        return NotSent("mail-no-login", where=where, user=self.user, why=describe_error(error))

    def _refusal(self, error: smtplib.SMTPResponseException) -> NotSent:
        """Return the error of a mail that the server did not take, for now or for good (5xx)."""
        if error.smtp_code in _WHO_ARE_YOU:
            return self._no_login(error)
        for_good = error.smtp_code >= 500
        return NotSent("mail-refused" if for_good else "mail-later", why=describe_error(error))

    def _drop(self) -> None:
        if self._server is not None:
            self._server.close()
        self._server = None

    def close(self) -> None:
        """End the connection."""
        if self._server is not None:
            with suppress(OSError, smtplib.SMTPException):
                self._server.quit()
        self._drop()


def _double_dots(data: bytes) -> bytes:
    """Return a mail as SMTP wants it: leading dots doubled, the last line ended."""
    ended = data if data.endswith(b"\r\n") else data + b"\r\n"
    return _LEADING_DOT.sub(b"..", ended)


def _expect(answer: tuple[int, bytes]) -> None:
    """Check that an answer lets us go on (2xx, 3xx).

    Raises:
        SMTPResponseException: any other.
    """
    code, said = answer
    if not 200 <= code < 400:
        raise smtplib.SMTPResponseException(code, said)
