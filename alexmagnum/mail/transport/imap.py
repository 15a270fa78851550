"""A mailbox on a server, read by IMAP: nothing in it is marked, moved or deleted."""

from __future__ import annotations

import imaplib
import re
import ssl
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from imap_tools import AND, BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.errors import (
    ImapToolsError,
    MailboxFolderSelectError,
    MailboxLoginError,
)

from alexmagnum.errors import GameError
from alexmagnum.mail.transport.mailbox_files import MOST, Found
from alexmagnum.mail.transport.passwords import find_password, is_local_host, password_variable

SECONDS = 60
"""Seconds that a server may take to answer."""

_BATCH = 200
"""Messages whose heads one request asks for."""

_ID = re.compile(rb"<[^<>\s]+>")
_UID = re.compile(rb"\bUID (\d+)")


@dataclass(frozen=True, slots=True)
class Account:
    """A folder on a mail server, with name and password."""

    host: str
    port: int
    security: str
    user: str
    folder: str
    password: str = field(repr=False)

    @property
    def origin(self) -> str:
        """The origin that is noted for its messages."""
        return f"imap:{self.user}@{self.host}/{self.folder}"


def read_account(settings: Mapping[str, str]) -> Account:
    """Return the mailbox that a game's settings name.

    Raises:
        GameError: ``imap-unset``, ``imap-open-line``, ``password-missing``.
    """
    host = settings["imap_host"]
    user = settings["imap_user"] or settings["mail_address"]
    if not host or not user:
        raise GameError("imap-unset")
    if settings["imap_security"] == "none" and not is_local_host(host):
        raise GameError("imap-open-line", host=host)
    secret = find_password("imap", user, host)
    if not secret:
        raise GameError(
            "password-missing", user=user, host=host, variable=password_variable("imap")
        )
    return Account(
        host,
        int(settings["imap_port"]),
        settings["imap_security"],
        user,
        settings["imap_folder"] or "INBOX",
        secret,
    )


def read_mailbox(account: Account, since: date, known: Callable[[str], bool]) -> Iterator[Found]:
    """Yield the messages that came on a day or later, except those whose Message-ID is known.

    Raises:
        GameError: ``imap-unreachable``, ``imap-login``, ``imap-folder``, ``imap-failed``.
    """
    with _open_folder(account) as box:
        uids = box.uids(AND(date_gte=since))
        for uid in _list_unknown(box.client, uids, known):
            found = _message(box.client, uid, account.origin)
            if found is not None:
                yield found


@contextmanager
def _open_folder(account: Account) -> Iterator[BaseMailBox]:
    """Open the folder for reading only."""
    try:
        with _connect(account) as box:
            _enter(box, account)
            yield box
    except (ImapToolsError, imaplib.IMAP4.error, OSError) as error:
        raise GameError("imap-failed", host=account.host, why=_describe_error(error)) from None


def _connect(account: Account) -> BaseMailBox:
    """Connect to the server; over TLS only if its certificate is good."""
    try:
        match account.security:
            case "tls":
                context = ssl.create_default_context()
                return MailBox(account.host, account.port, SECONDS, ssl_context=context)
            case "starttls":
                context = ssl.create_default_context()
                return MailBoxStartTls(account.host, account.port, SECONDS, context)
            case _:
                return MailBoxUnencrypted(account.host, account.port, SECONDS)
    except (ImapToolsError, imaplib.IMAP4.error, OSError, ValueError) as error:
        where = f"{account.host}:{account.port}"
        raise GameError("imap-unreachable", host=where, why=_describe_error(error)) from None


def _enter(box: BaseMailBox, account: Account) -> None:
    plain = (account.user + account.password).isascii()
    login = box.login if plain else box.login_utf8
    try:
        login(account.user, account.password, None)
    except (MailboxLoginError, imaplib.IMAP4.error) as error:
        data = {"user": account.user, "host": account.host, "why": _describe_error(error)}
        raise GameError("imap-login", **data) from None
    try:
        box.folder.set(account.folder, readonly=True)
    except (MailboxFolderSelectError, imaplib.IMAP4.error):
        names = ", ".join(folder.name for folder in box.folder.list()[:20])
        raise GameError("imap-folder", folder=account.folder, folders=names) from None


def _describe_error(error: Exception) -> str:
    """Return what a server or the system said, on one line."""
    result = getattr(error, "command_result", None)
    said = result[1][0] if result and result[1] else getattr(error, "strerror", "") or error
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return "".join(c if c.isprintable() else " " for c in text)[:200] or type(error).__name__


# -- messages --------------------------------------------------------------------------------------


def _list_unknown(
    client: imaplib.IMAP4, uids: Sequence[str], known: Callable[[str], bool]
) -> Iterator[str]:
    """Yield the messages without a Message-ID, or with an unknown one.

    Their heads are fetched first, so that a large mailbox is not fetched as a whole each time.
    """
    for at in range(0, len(uids), _BATCH):
        batch = uids[at : at + _BATCH]
        parts = "(UID BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])"
        _, answer = client.uid("FETCH", ",".join(batch), parts)
        seen = {uid for uid, name in _ids(answer) if known(name)}
        yield from (uid for uid in batch if uid not in seen)


def _ids(answer: Collection[object]) -> Iterator[tuple[str, str]]:
    """Yield the number and the Message-ID of each message in an answer.

    The number may stand before the field or behind it.
    """
    listed = list(answer)
    for item, behind in zip(listed, [*listed[1:], b""], strict=True):
        if isinstance(item, tuple):
            number = _UID.search(item[0]) or _UID.search(
                behind if isinstance(behind, bytes) else b""
            )
            name = _ID.search(item[1])
            if number and name:
                yield number[1].decode(), name[0].decode("ascii", "replace")


def _message(client: imaplib.IMAP4, uid: str, origin: str) -> Found | None:
    """Return a message as it is, None if it was removed meanwhile."""
    _, answer = client.uid("FETCH", uid, f"(INTERNALDATE BODY.PEEK[]<0.{MOST}>)")
    for item, behind in zip(answer, [*answer[1:], b""], strict=True):
        if isinstance(item, tuple):
            told = item[0] + b" " + (behind if isinstance(behind, bytes) else b"")
            return Found(bytes(item[1]), _arrival(told), origin)
    return None


def _arrival(told: bytes) -> datetime | None:
    """Return when the server received a message."""
    local = imaplib.Internaldate2tuple(told)
    return datetime.fromtimestamp(time.mktime(local), UTC) if local else None
