"""Where mail comes from and leaves by: IMAP, Maildir, mbox, SMTP, sendmail, files; passwords."""

import imaplib
import json
import os
import re
import select
import shutil
import smtplib
import socket
import ssl
import subprocess
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from imap_tools import AND, BaseMailBox, errors
from imap_tools.utils import check_command_status

from alexmagnum.errors import GameError
from alexmagnum.files import open_own, write_whole
from alexmagnum.game.file import OUTBOX
from alexmagnum.game.game import Game
from alexmagnum.game.settings import MailServer, read_imap_server, read_smtp_server
from alexmagnum.mail.parsing.mime import MAX_BYTES, unify_lines

# The contract of a carrier, which is a way of sending mail, and its errors.
#
# No way of sending can be undone, nor asked afterwards whether it happened. So each carrier calls
# ``seal`` at the last instant at which the other side cannot have taken the mail. A carrier that
# is stopped after that, before a refusal, cannot know whether the mail was sent.


Seal = Callable[[], None]
_Seconds = dict[str, float]  # that the carriers of a command have taken, by place

BLOCKING_CODES = frozenset(
    """
    mail-no-way mail-no-host mail-no-server mail-no-login mail-open-line password-missing
    """.split()  # noqa: SIM905 (six quoted codes would be as many lines)
)
"""The codes that concern every mail: as things are, none can be sent."""


class NotSent(GameError):
    """A mail that is still here.

    ``mail-later``: try again; ``mail-refused``: it would be refused again; or one of
    :data:`BLOCKING_CODES`.
    """


class DeliveryUnknown(GameError):
    """Nobody knows whether a mail was sent (``mail-unsure``)."""


class Carrier:
    """A way to send mails, as many as there are; to be closed afterwards."""

    @abstractmethod
    def carry(self, name: str, data: bytes, sender: str, to: str, seal: Seal) -> None:
        """Send a mail, ``data`` as it goes over the wire, to one address.

        ``name`` is that of its draft.  ``seal`` is called once, while the other side cannot have
        taken the mail.

        Raises:
            NotSent, DeliveryUnknown.
        """

    def close(self) -> None:  # most have nothing open
        """End what is open."""


def try_later(error: Exception) -> NotSent:
    """Return the error of a mail that may go at another time."""
    return NotSent("mail-later", why=describe_error(error))


def delivery_unknown(error: Exception) -> DeliveryUnknown:
    """Return the error of a mail that may have been sent."""
    return DeliveryUnknown("mail-unsure", why=describe_error(error))


def describe_error(error: Exception) -> str:
    """Return what a server or the system said, on one line."""
    said: object = getattr(error, "strerror", None) or str(error) or type(error).__name__
    code = ""
    if isinstance(error, smtplib.SMTPResponseException):
        code, said = f"{error.smtp_code} ", error.smtp_error
    elif getattr(error, "command_result", None):  # of an IMAP server
        said = next(iter(error.command_result[1]), "") or said  # type: ignore[attr-defined]
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return to_printable_line(code + text)


def to_printable_line(text: str) -> str:
    """Return a foreign text on one line, without what a terminal obeys."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:300]


# Mail read from files, folders and standard input. Nothing is changed in any of them.


STDIN = "-"

MOST = MAX_BYTES + 1
"""Bytes of a message that are read: enough to see that it is too large."""

_FROM = b"From "  # the beginning of each message of an mbox
_SEPARATOR = re.compile(  # with a time and year, or nothing, between an empty line and a field
    rb"(?<=\n)\r?\n(From (?:-?[ \t\r]*|(?=.*\b\d{4}\b)(?=.*\d:\d\d).*)\n)"
    rb"(?=(?:>From .*\n)*[!-9;-~]+[ \t]*:)"
)
_SHIELDED = re.compile(rb"^>(>*From )", re.MULTILINE)  # a line that would begin a message
_BLOCK, _LONGEST_SEPARATOR = 1 << 20, 1000  # bytes


class Found(NamedTuple):
    """A message: its bytes, when our own server received it, and the place it was found in.

    ``received`` is in UTC, None if nobody noted it.
    """

    raw: bytes
    received: datetime | None
    origin: str


def read_source(place: str, stdin: BinaryIO) -> Iterator[Found]:
    """Yield the messages of a source.

    A source is a file (``.eml`` or mbox), a Maildir, a folder of ``.eml`` files, or standard input
    (``-``).

    Raises:
        GameError: ``source-missing``, ``source-empty``, ``source-unreadable``.
    """
    if place == STDIN:
        yield from _read_stream(stdin, STDIN)
        return
    path = Path(place)
    try:
        if path.is_dir():
            yield from _read_folder(path)
        else:
            with path.open("rb") as stream:
                yield from _read_stream(stream, to_printable_line(path.name))
    except FileNotFoundError:
        raise GameError("source-missing", path=place) from None
    except OSError as error:
        raise GameError("source-unreadable", path=place, why=error.strerror or "") from None


def _read_folder(path: Path) -> Iterator[Found]:
    """Yield the messages of a folder; a Maildir keeps the time of delivery as that of the file."""
    subfolders = [path / name for name in ("new", "cur") if (path / name).is_dir()]
    files = sorted(
        file
        for folder in subfolders or [path]
        for file in folder.iterdir()
        if file.is_file() and not file.name.startswith(".")
    )
    if not subfolders:
        files = [file for file in files if file.suffix.lower() == ".eml"]
        if not files:
            raise GameError("source-empty", path=str(path))
    for file in files:
        with file.open("rb") as stream:
            raw = stream.read(MOST)
        delivered = datetime.fromtimestamp(file.stat().st_mtime, UTC) if subfolders else None
        origin = to_printable_line(f"{path.name}/{file.name}")
        yield Found(raw, received_at(raw) or delivered, origin)


def _read_stream(stream: BinaryIO, origin: str) -> Iterator[Found]:
    if not (first := stream.readline(MOST)).startswith(_FROM):
        if not (raw := first + stream.read(MOST - len(first))).strip():
            raise GameError("source-empty", path=origin)
        yield Found(raw, received_at(raw), origin)
        return
    separator, said, ahead = first, bytearray(), b""
    while block := stream.read(_BLOCK):
        ahead, start = ahead + block, 0
        for found in _SEPARATOR.finditer(ahead):
            said += ahead[start : found.start(1)]
            yield _make_mbox_message(separator, said, origin)
            separator, said, start = found[1], bytearray(), found.end()
        end = max(start, len(ahead) - _LONGEST_SEPARATOR)  # one may go on in the next block
        said += ahead[start:end][: max(MOST - len(said), 0)]
        ahead = ahead[end:]
    yield _make_mbox_message(separator, said + ahead, origin)


def _make_mbox_message(separator: bytes, said: bytearray, origin: str) -> Found:
    """Return a message of an mbox; the line before it gives sender and time of delivery."""
    raw = _SHIELDED.sub(rb"\1", said)[:MOST]
    date = separator.removeprefix(_FROM).strip().partition(b" ")[2]
    return Found(raw, received_at(raw) or _date(date.decode("ascii", "replace")), origin)


# -- when ------------------------------------------------------------------------------------------


def read_fields(raw: bytes) -> Message:
    """Return the header fields of a mail as they stand in it."""
    return BytesHeaderParser(policy=compat32).parsebytes(unify_lines(raw[: 1 << 16]))


def received_at(raw: bytes) -> datetime | None:
    """Return when our own server received a message, None if it did not note it.

    Its note stands above those of other servers.  The sender's own ``Date`` proves nothing.
    """
    fields = read_fields(raw).get_all("Received", [])
    return _date(str(fields[0]).rpartition(";")[2]) if fields else None


def _date(text: str) -> datetime | None:
    """Parse an instant as mail writes it, into UTC; without a zone it is taken for UTC."""
    try:
        at = parsedate_to_datetime(" ".join(text.split()))
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


# Letters left in a folder, for the game master's own mail program to send.


class FileCarrier(Carrier):
    """Leaves mails in a folder, each a file that mail programs open as a mail to be sent."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def carry(self, name: str, data: bytes, sender: str, to: str, seal: Seal) -> None:
        beside = self.folder / f".{name}"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open_own(beside, "wb") as stream:
                stream.write(b"X-Unsent: 1\r\n" + data)
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise try_later(error) from None
        seal()
        try:
            beside.replace(self.folder / name)
        except OSError as error:
            raise delivery_unknown(error) from None


# Passwords of mail servers: from the environment, a private file or the keyring, never the game.


SERVICE = "alexmagnum"
"""The service under which the keyring keeps them; the name is ``user@host``."""

PASSWORDS = ".alexmagnum-passwords.json"
"""The file in the home folder that has them by the same name: cron can read it, no keyring."""


def password_variable(protocol: str) -> str:
    """Return the variable that may hold the password: ``ALEXMAGNUM_IMAP_PASSWORD``."""
    return f"ALEXMAGNUM_{protocol.upper()}_PASSWORD"


def find_password(protocol: str, user: str, host: str) -> str:
    """Return the password for a server (``imap``, ``smtp``), "" if none is known.

    Raises:
        GameError: ``passwords-open``, ``passwords-unreadable``.
    """
    name = f"{user}@{host}"
    account = os.environ.get(f"ALEXMAGNUM_{protocol.upper()}_ACCOUNT", name)
    given = os.environ.get(password_variable(protocol), "") if account == name else ""
    return given or _read_passwords().get(name, "") or _read_keyring(name)


def store_password(user: str, host: str, secret: str) -> None:
    """Keep a password in the private file; raise ``cannot-write``, or as :func:`find_password`."""
    known = _read_passwords() | {f"{user}@{host}": secret}
    write_whole(Path.home() / PASSWORDS, json.dumps(known, indent=1) + "\n", private=True)


def _read_passwords() -> dict[str, str]:
    """Return the passwords in the private file, which nobody else may read."""
    if not (path := Path.home() / PASSWORDS).exists():
        return {}
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise GameError("passwords-open", path=str(path))
    try:
        return {str(name): str(word) for name, word in json.loads(path.read_bytes()).items()}
    except (OSError, ValueError, AttributeError):
        raise GameError("passwords-unreadable", path=str(path)) from None


def _read_keyring(name: str) -> str:
    import keyring
    from keyring.errors import KeyringError

    with suppress(KeyringError):  # a computer may have none
        return keyring.get_password(SERVICE, name) or ""
    return ""


def is_local_host(host: str) -> bool:
    """Return whether a host is this computer: only there may a password go unencrypted."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


# A connection to a mail server, which can neither speak slowly for ever nor fill the memory.


TIMEOUT = 60.0
"""Seconds that a server may take for an answer."""

_ANSWER = MOST + (1 << 20)  # bytes that an answer may have: a mail and what is told of it

_PACE = 1 << 14  # bytes for which an answer may take a second longer, as on a slow line
_CONVERSATION = 600.0  # seconds after which a server is asked nothing more before the next tick


class _Line(socket.socket):
    """A socket whose timeout is for a whole answer; what is sent begins the next one."""

    end = _until = 0.0
    _room = _ANSWER

    def sendall(self, *args: Any) -> None:
        self.end = self.end or time.monotonic() + _CONVERSATION
        if time.monotonic() > self.end:
            raise TimeoutError("the connection lasts too long")
        try:
            super().sendall(*args)
        finally:  # who hangs up may have said why
            self._until, self._room = time.monotonic() + (self.gettimeout() or 0.0), _ANSWER

    def recv_into(self, *args: Any) -> int:
        patience, left = self.gettimeout(), self._until - time.monotonic()
        if (patience and left <= 0) or self._room <= 0:
            raise TimeoutError("the answer is too long")
        self.settimeout(patience and left)  # without patience nobody waits
        count = super().recv_into(*args)
        self.settimeout(patience)
        self._until, self._room = self._until + count / _PACE, self._room - count
        return count

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:  # by imaplib from 3.14 on
        piece = bytearray(buflen)
        return bytes(piece[: self.recv_into(piece)])


class _SecretLine(_Line, ssl.SSLSocket):
    """The same through TLS."""


def _make_tls_context() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.sslsocket_class = _SecretLine
    return context


def _open_line(server: MailServer) -> socket.socket:
    plain = socket.create_connection((server.host, server.port), TIMEOUT)
    line: socket.socket = _Line(fileno=plain.detach())
    line.settimeout(TIMEOUT)
    if server.security == "tls":
        line = _make_tls_context().wrap_socket(line, server_hostname=server.host)
    line.sendall(b"")  # the server speaks first
    return line


# A mailbox on a server, read by IMAP: nothing in it is marked, moved or deleted.


IMAP = "imap:"
"""The beginning of the origins of messages from mailboxes."""

BEHIND = "behind:"
"""It stands before the origin of a message behind one that the server does not show: neither the
last place nor the last day that was read may rise over that one."""

_BATCH, _HEAD, _MOST_LISTED = 200, 1 << 13, 100_000  # heads in one request, bytes of each; in all

_ID = re.compile(rb"\s*Message-ID:\s{0,80}(<[!-;=?-~]{1,900}>)", re.IGNORECASE)
"""A Message-ID that is read alike here and by the reader of mail; any other is none."""

_UID = re.compile(rb"\bUID (\d+)", re.IGNORECASE)
_SIZE = re.compile(rb"\bRFC822\.SIZE (\d+)", re.IGNORECASE)
_ARRIVAL = re.compile(rb'\bINTERNALDATE "([ \d]\d-\w{3}-20\d\d [^"]+)"', re.IGNORECASE)
_BODY = re.compile(
    rb"\bBODY\[[^]]{0,200}\](?:<(?P<start>\d+)>)? "
    rb'(?:(?P<literal>\{\d+\})|"(?P<quoted>(?:[^"\\]++|\\.)*+)"|NIL)',
    re.IGNORECASE,
)
_END_OF_HEAD = re.compile(rb"\n\r?\n")

_IMAP_ERRORS = (errors.ImapToolsError, imaplib.IMAP4.error, OSError, ValueError, OverflowError)

_REFUSALS = 8  # after so many a mailbox is not read further: the fault is not that of some mails


@dataclass(frozen=True, slots=True)
class Account(MailServer):
    """A folder on a mail server, with name and password."""

    password: str = field(default="", repr=False)

    @property
    def origin(self) -> str:
        """The beginning of the origins of its messages."""
        return f"{IMAP}{self.user}@{self.host}/{self.folder}"


def read_account(settings: Mapping[str, str], password: str = "") -> Account:
    """Return the mailbox that a game's settings name, with its password or one to be tried.

    Raises:
        GameError: ``imap-unset``, ``imap-open-line``, ``password-missing``.
    """
    server = read_imap_server(settings["imap_server"])
    user = (server.user if server else "") or settings["mail_address"]
    if not server or not user:
        raise GameError("imap-unset")
    host = server.host
    if server.security == "none" and not is_local_host(host):
        raise GameError("imap-open-line", host=host)
    if not (secret := password or find_password("imap", user, host)):
        raise GameError(
            "password-missing", user=user, host=host, variable=password_variable("imap")
        )
    return Account(host, server.port, server.security, user, server.folder or "INBOX", secret)


Known = Callable[[str, str], bool]
"""Tells whether a message is known, by its Message-ID, "" if another one has it, and by its place,
which is its ``origin`` and rises: "" where places do not last.  A place says more: under a known
Message-ID another text may come."""


def read_mailbox(
    account: Account, since: date, known: Known, last: Callable[[str], str] = lambda start: ""
) -> Iterator[Found]:
    """Yield the messages that came on a day or later, except those that are known.

    ``last`` returns of the places that begin so the last one that was read, if any: messages behind
    it are new whatever their day, which is wrong where the server's clock was.

    Raises:
        GameError: ``imap-unreachable``, ``imap-login``, ``imap-folder``; ``imap-failed``: the
            mailbox was not read to its end; ``imap-withheld``: nor were the mails that it names.
    """
    reading, is_ended = _Reading(account, since, known, last), False
    end = time.monotonic() + _CONVERSATION
    while not is_ended:
        before = reading.refusals
        try:
            yield from reading.read_line()
            is_ended = True
        except GameError:
            is_ended = reading.refusals in (before, _REFUSALS) or time.monotonic() > end
            if is_ended and not reading.withheld:
                raise
    if reading.withheld:
        raise GameError("imap-withheld", host=account.host, mails="; ".join(reading.withheld))


@contextmanager
def open_mailbox(account: Account) -> Iterator[BaseMailBox]:
    """Open the folder of an account; a refusal at any step is an error."""
    box = _connect(account)
    try:
        _enter(box, account)
        yield box
        with suppress(errors.ImapToolsError, imaplib.IMAP4.error, OSError):
            box.logout()  # everything was read, whatever the server says now
    except GameError:
        raise
    except _IMAP_ERRORS as error:
        raise GameError("imap-failed", host=account.host, why=describe_error(error)) from None
    finally:
        with suppress(OSError):
            box.client.shutdown()


class _Imap(imaplib.IMAP4):
    def __init__(self, account: Account) -> None:
        self._account = account
        super().__init__(account.host, account.port)
        if account.security == "starttls":
            self.starttls(_make_tls_context())

    def _create_socket(self, timeout: float | None = None) -> socket.socket:
        return _open_line(self._account)

    def read(self, size: int) -> bytes:
        if size > _ANSWER:
            raise self.abort(f"{size} bytes")  # memory is taken before they come
        return super().read(size)


class _Mailbox(BaseMailBox):
    def __init__(self, account: Account) -> None:
        self._account = account
        super().__init__()

    def _get_mailbox_client(self) -> imaplib.IMAP4:
        return _Imap(self._account)


def _connect(account: Account) -> BaseMailBox:
    try:
        return _Mailbox(account)
    except (errors.ImapToolsError, imaplib.IMAP4.error, OSError, ValueError) as error:
        place = f"{account.host}:{account.port}"
        raise GameError("imap-unreachable", host=place, why=describe_error(error)) from None


def _enter(box: BaseMailBox, account: Account) -> None:
    login = box.login if (account.user + account.password).isascii() else box.login_utf8
    try:
        login(account.user, account.password, None)
    except imaplib.IMAP4.abort:
        raise  # the line broke, which says nothing about the password
    except (errors.MailboxLoginError, imaplib.IMAP4.error) as error:
        data = {"user": account.user, "host": account.host, "why": describe_error(error)}
        raise GameError("imap-login", **data) from None
    try:
        box.folder.set(account.folder, readonly=True)
    except errors.MailboxFolderSelectError:
        names = ", ".join(to_printable_line(folder.name) for folder in box.folder.list()[:20])
        raise GameError("imap-folder", folder=account.folder, folders=names) from None


@dataclass
class _Reading:
    """A mailbox that is being read, over another line where a mail has broken the first one;
    ``withheld`` names the mails that the server does not show, and says why."""

    account: Account
    since: date
    known: Known
    last: Callable[[str], str]
    withheld: list[str] = field(default_factory=list)
    refusals: int = 0
    _places: str = ""
    _batch: int = _BATCH
    _last: int = 0  # of those listed
    _unknown: dict[str, str] = field(default_factory=dict)  # those to be fetched: a name of each
    _names: set[str] = field(default_factory=set)

    def read_line(self) -> Iterator[Found]:
        """Yield what is left to be read, until the end or until the line breaks.

        Raises:
            GameError: as :func:`read_mailbox`.
        """
        with open_mailbox(self.account) as box:
            validity = box.client.response("UIDVALIDITY")[1][-1] or b""
            # Without it UIDs are those of this connection alone.
            places = f"{self.account.origin} {validity.decode()}." if validity.isdigit() else ""
            if self._last and not (places and places == self._places):
                raise imaplib.IMAP4.error("UIDVALIDITY has changed")
            self._places = places
            uids = {*map(int, _search(box.client, str(AND(date_gte=self.since))))}
            if place := self.last(places) if places else "":
                number = int(place.removeprefix(places))
                # A server gives the last message for such a range, whatever its number.
                behind = map(int, _search(box.client, f"UID {number}:*"))
                uids |= {uid for uid in behind if uid >= number}
            else:  # the days of the senders count too: the server's clock may be wrong
                uids |= {*map(int, _search(box.client, str(AND(sent_date_gte=self.since))))}
            left = iter([str(uid) for uid in sorted(uids) if uid > self._last])
            while True:
                while self._unknown:
                    yield from self._fetch_next(box.client)
                if not (batch := list(islice(left, self._batch))):
                    return
                self._list(box.client, batch)

    def _fetch_next(self, client: imaplib.IMAP4) -> Iterator[Found]:
        uid = next(iter(self._unknown))
        name = self._unknown.pop(uid)
        origin = self._place(uid) or self.account.origin
        if self.withheld:
            origin = BEHIND + origin
        try:
            found = _message(client, uid, origin)
        except _IMAP_ERRORS as error:
            self.withheld.append(f"{name} ({describe_error(error)})")
            self._go_on_after(error)
        else:
            yield from filter(None, [found])

    def _place(self, uid: str) -> str:
        return self._places and f"{self._places}{uid:0>10}"

    def _list(self, client: imaplib.IMAP4, batch: Sequence[str]) -> None:
        """Note which of some messages are not known: heads are fetched first, so as not to fetch a
        large mailbox as a whole each time; one by one once the server has refused some."""
        parts = f"(UID INTERNALDATE BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)]<0.{_HEAD}>)"
        heads, refusal = dict[tuple[str, int], tuple[bytes, bytes]](), None
        try:
            heads = _fetch(client, ",".join(batch), parts)
        except _IMAP_ERRORS as error:
            refusal, self._batch = error, 1
        if refusal is None or len(batch) == 1:
            for uid in batch:
                told, head = heads.get((uid, 0), (b"", b""))
                found, arrival = _ID.match(head), _ARRIVAL.search(told)
                name = found[1].decode("ascii") if found else ""
                is_known = self.known("" if name in self._names else name, self._place(uid))
                self._names.add(name)
                if not is_known:
                    day = arrival[1].decode("ascii", "replace").strip() if arrival else ""
                    title = " ".join(filter(None, (day, name))) or f"UID {uid}"
                    self._unknown[uid] = to_printable_line(title)
                self._last = int(uid)
        if refusal is not None:
            self._go_on_after(refusal)
            for uid in batch if len(batch) > 1 else ():
                self._list(client, [uid])

    def _go_on_after(self, error: Exception) -> None:
        """Count a refusal; raise it if nothing more can be asked over this line."""
        self.refusals += 1
        is_refusal = isinstance(error, (errors.ImapToolsError, imaplib.IMAP4.error))
        is_broken = isinstance(error, imaplib.IMAP4.abort) or not is_refusal
        if is_broken or self.refusals == _REFUSALS:
            raise error


def _message(client: imaplib.IMAP4, uid: str, origin: str) -> Found | None:
    """Return a message as it is, None if it was removed meanwhile.

    A server may give less than was asked for, so the rest is asked for until its size is reached.
    Some servers only estimate sizes: there the message ends where the server says that nothing
    follows, but not within its head.

    Raises:
        imaplib.IMAP4.error: the message is in the mailbox, and the server does not show it whole.
    """
    raw, told, size = b"", b"", MOST
    while len(raw) < size:
        parts = f"(INTERNALDATE RFC822.SIZE BODY.PEEK[]<{len(raw)}.{MOST - len(raw)}>)"
        told, piece = _fetch(client, uid, parts).get((uid, len(raw)), (b"", None))
        if piece == b"" and _END_OF_HEAD.search(raw):
            break
        if not piece and not raw and uid not in _search(client, f"UID {uid}"):
            return None
        if not piece:
            raise imaplib.IMAP4.error(f"UID {uid}: the server shows only {len(raw)} bytes")
        raw += piece
        known = _SIZE.search(told)
        size = min(int(known[1]) if known else 0, MOST)
    arrival = _ARRIVAL.search(told)
    return Found(raw, _date(arrival[1].decode("ascii", "replace")) if arrival else None, origin)


def _search(client: imaplib.IMAP4, criteria: str) -> list[str]:
    """Return the UIDs that a server finds; raise an error if it does not say which they are."""
    status, answer = client.uid("SEARCH", criteria)
    check_command_status((status, answer), errors.MailboxUidsError)
    lines = [line or b"" for line in answer if not isinstance(line, tuple)]
    numbers = b" ".join(lines).split(maxsplit=_MOST_LISTED)
    exist = client.untagged_responses.get("EXISTS", [b""])[-1]  # it stays for the next search
    is_answered = answer != [None] or exist == b"0"
    is_list = len(lines) == len(answer) and all(number.isdigit() for number in numbers)
    if not is_answered or not is_list:
        raise imaplib.IMAP4.error("SEARCH: no list of messages")
    return [number.decode() for number in dict.fromkeys(numbers)]


def _fetch(
    client: imaplib.IMAP4, uids: str, parts: str
) -> dict[tuple[str, int], tuple[bytes, bytes]]:
    """Return pieces of messages, each with the server's words about it, by UID and offset.

    Raises:
        MailboxFetchError: the server refused, which does not mean that a message was removed.
    """
    client.response("FETCH")  # a request that was refused may have left some
    status, answer = client.uid("FETCH", uids, parts)
    check_command_status((status, answer), errors.MailboxFetchError)
    pieces, told, literal = dict[tuple[str, int], tuple[bytes, bytes]](), b"", b""
    for item in answer:
        if isinstance(item, tuple):  # a line up to some bytes, and these; the line goes on
            told, literal = told + item[0] + b" ", bytes(item[1])
            if len(told) > _HEAD:
                raise imaplib.IMAP4.error("FETCH: an answer without an end")
            continue
        told += item or b""
        if body := _BODY.search(told):
            told = told[: body.start()] + told[body.end() :]  # a mail's text tells nothing of it
            quoted = re.sub(rb"\\(.)", rb"\1", body["quoted"] or b"")
            if number := _UID.search(told):
                place = number[1].decode(), int(body["start"] or 0)
                pieces[place] = told, literal if body["literal"] else quoted
        told = b""
    return pieces


# Mails handed to this computer's own mail system.


SENDMAIL = "ALEXMAGNUM_SENDMAIL"
"""The variable that names the program, where it is not the usual one.  No setting does: a game
from elsewhere would choose what runs on this computer."""

_SECONDS = 120.0  # the time that the program may take for a mail
_TEMPORARY = 75  # the exit status by which sendmail asks to try again later


class SendmailCarrier(Carrier):
    """Hands mails to this computer's own mail system."""

    def __init__(self, seconds: _Seconds) -> None:
        named = os.environ.get(SENDMAIL) or "sendmail"
        places = (os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/lib")
        if (found := shutil.which(named, path=os.pathsep.join(places))) is None:
            raise NotSent("mail-no-way", why=f"{named}: not found")
        self.program, self._seconds = found, seconds

    def carry(self, name: str, data: bytes, sender: str, to: str, seal: Seal) -> None:
        if self.program in self._seconds:
            raise NotSent("mail-no-way", why=f"{self.program}: timeout")
        seal()
        try:
            done = subprocess.run(
                [self.program, "-i", "-f", sender, "--", to],
                input=data.replace(b"\r\n", b"\n"),
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except OSError as error:
            raise NotSent("mail-no-way", why=f"{self.program}: {describe_error(error)}") from None
        except subprocess.TimeoutExpired as error:
            self._seconds[self.program] = _SECONDS  # so it would do with the next mail
            raise delivery_unknown(error) from None
        if done.returncode < 0:
            raise DeliveryUnknown("mail-unsure", why=f"{self.program}: {-done.returncode}")
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            why = f"{Path(self.program).name}: {said[-1] if said else done.returncode}"
            code = "mail-later" if done.returncode == _TEMPORARY else "mail-refused"
            raise NotSent(code, why=to_printable_line(why))


# Mails sent by a server, by SMTP.


LAST_WORD = 300.0
"""Seconds to wait for its answer once it has a mail: it may look for viruses first."""

_LEADING_DOT = re.compile(rb"^\.", re.MULTILINE)

_GOOD, _BAD = range(200, 300), range(400, 600)  # a server does what it was asked, or does not
_WHO_ARE_YOU = (530, 534, 535, 538)  # it asks for a name and a password, or for others


class _InUtf8(str):
    """A text that is sent in UTF-8 by smtplib, which asks for ASCII."""

    def encode(self, encoding: str = "", errors: str = "") -> bytes:
        return super().encode("utf-8", "surrogateescape")  # as the environment has bytes


class _Smtp(smtplib.SMTP):
    def __init__(self, server: MailServer) -> None:
        self._place = server
        super().__init__(server.host, server.port)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return _open_line(self._place)

    def auth(self, mechanism: str, authobject: Any, **how: Any) -> tuple[int, bytes]:
        def answer(*asked: Any) -> Any:
            return (said := authobject(*asked)) and _InUtf8(said)

        return super().auth(mechanism, answer, **how)

    def send(self, s: str | bytes) -> None:  # type: ignore[override]  # no buffers
        """Send something, unless the server has spoken: its answers would then be out of step."""
        if self.has_spoken():
            code, said = self.getreply()
            raise smtplib.SMTPResponseException(code, b"said out of turn: " + said)
        super().send(s)

    def has_spoken(self) -> bool:
        """Tell whether the server has said something, or hung up, while it should listen."""
        if self.sock is None:
            return False
        self.file = self.file or self.sock.makefile("rb")
        patience = self.sock.gettimeout()
        self.sock.settimeout(0)
        try:
            return bool(self.file.peek() or select.select([self.sock], [], [], 0)[0])
        except ssl.SSLWantReadError:
            return False
        finally:
            self.sock.settimeout(patience)


class SmtpCarrier(Carrier):
    """Sends mails by a server, all over one connection."""

    def __init__(
        self, settings: Mapping[str, str], password: str = "", *, seconds: _Seconds | None = None
    ) -> None:
        if (named := read_smtp_server(settings["smtp_server"])) is None:
            raise NotSent("mail-no-host")
        self._named, self._where = named, f"{named.host}:{named.port}"
        self.user = named.user or settings["mail_address"]
        self._password = password  # one to be tried; "" for the one that is known
        self._server: _Smtp | None = None
        self.seconds = {} if seconds is None else seconds
        self._began = time.monotonic()

    def carry(self, name: str, data: bytes, sender: str, to: str, seal: Seal) -> None:
        server = self._open_server()
        size = [f"size={len(data)}"] if server.has_extn("size") else []
        try:
            if (answer := server.mail(sender, size))[0] in _WHO_ARE_YOU:
                raise self._no_login(smtplib.SMTPResponseException(*answer))
            _expect(answer)
            _expect(server.rcpt(to))
            _expect(server.docmd("DATA"), range(354, 355))  # else it takes the mail for commands
            ended = data if data.endswith(b"\r\n") else data + b"\r\n"
            _transfer(server, _LEADING_DOT.sub(b"..", ended))
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            raise self._refusal(error) from None
        try:
            seal()
        except BaseException:
            self._drop()  # without the final dot nothing is sent
            raise
        self._hand_over(server)

    def _hand_over(self, server: _Smtp) -> None:
        """Send the dot that hands a mail over to the server, and read the answer.  A server that
        answers twice has its word on the mail still to come: it follows where a right server
        answers the next command, whose answer differs."""
        assert server.sock is not None, "it has just listened"
        try:
            server.sock.settimeout(LAST_WORD)
            try:
                server.send(b".\r\n")
            except smtplib.SMTPException as error:
                self._drop()  # a mail without its end is none
                raise self._refusal(error) from None
            code, said = server.getreply()
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            self.seconds[self._where] = _CONVERSATION  # with the next mail it would do so too
            raise delivery_unknown(error) from None
        is_taken, following = code in _GOOD, (421, b"")
        with suppress(OSError, smtplib.SMTPException):  # who hangs up has said all
            server.sock.settimeout(TIMEOUT)
            server.sock.sendall(b"RSET\r\n" if is_taken else b"QUIT\r\n")
            following = server.getreply()
        if not is_taken or following[0] not in _GOOD:
            self._drop()
        if following[0] in (_BAD if is_taken else _GOOD) and following[0] not in (221, 421):
            raise delivery_unknown(smtplib.SMTPResponseException(*following))
        if not is_taken:
            answer = smtplib.SMTPResponseException(code, said)
            raise self._refusal(answer) if code in _BAD else delivery_unknown(answer)

    def check(self) -> None:
        """Log in, and out again, or raise the ``NotSent`` of a letter."""
        self._open_server()
        self.close()

    def _open_server(self) -> _Smtp:
        self._server = self._server or self._connect()
        return self._server

    def _connect(self) -> _Smtp:
        server: _Smtp | None = None
        end = self._began + _CONVERSATION - self.seconds.get(self._where, 0.0)
        try:
            if time.monotonic() >= end:
                raise TimeoutError("it takes too long, or has not answered a letter")
            server = _Smtp(self._named)
            if self._named.security == "starttls":
                server.starttls(context=_make_tls_context())
            cast("_Line", server.sock).end = end
            self._log_in(server)
        except (OSError, smtplib.SMTPException, ValueError) as error:  # no host has such a name
            if server is not None:
                server.close()
            if isinstance(error, GameError):
                raise
            if isinstance(error, smtplib.SMTPAuthenticationError):
                raise self._no_login(error) from None
            raise NotSent("mail-no-server", where=self._where, why=describe_error(error)) from None
        return server

    def _log_in(self, server: smtplib.SMTP) -> None:
        server.ehlo_or_helo_if_needed()
        if not server.has_extn("auth"):
            return
        secret = self._password or find_password("smtp", self.user, self._named.host)
        if not secret and not self._named.user and is_local_host(self._named.host):
            return  # a server of one's own may take mail without
        if not secret:
            named = {"user": self.user, "host": self._named.host}
            raise NotSent("password-missing", **named, variable=password_variable("smtp"))
        if self._named.security == "none" and not is_local_host(self._named.host):
            raise NotSent("mail-open-line", host=self._named.host)
        server.login(self.user, _InUtf8(secret))

    def _no_login(self, error: smtplib.SMTPResponseException) -> NotSent:
        return NotSent(
            "mail-no-login", where=self._where, user=self.user, why=describe_error(error)
        )

    def _refusal(self, error: Exception) -> NotSent:
        """Return the error of a mail that the server did not take, for now or for good (5xx)."""
        if not isinstance(error, smtplib.SMTPResponseException):
            return try_later(error)
        is_from_server = isinstance(error.smtp_error, bytes)  # smtplib has text for a long line
        is_about_login = error.smtp_code in _WHO_ARE_YOU  # for this reader: others may be its own
        for_good = error.smtp_code >= 500 and is_from_server and not is_about_login
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
        before, now = self.seconds.get(self._where, 0.0), time.monotonic()
        self.seconds[self._where], self._began = before + now - self._began, now


def _transfer(server: smtplib.SMTP, data: bytes) -> None:
    """Send the lines of a mail; what a server says before it hangs up is its answer."""
    assert server.sock is not None, "it has just answered"
    try:
        server.sock.sendall(data)
    except ConnectionError:
        _expect(server.getreply())
        raise


def _expect(answer: tuple[int, bytes], good: range = _GOOD) -> None:
    """Refuse an answer that does not let us go on."""
    code, said = answer
    if code not in good:
        raise smtplib.SMTPResponseException(code, said)


# The way of sending mail that a game's settings choose.


def choose_carrier(game: Game) -> Carrier:
    """Return the carrier that the settings of a game choose.

    Raises:
        NotSent: ``mail-no-way``, ``mail-no-host``, if something that it needs is not set.
    """
    match game.settings["transport"]:
        case "smtp":
            return SmtpCarrier(game.settings, seconds=game.sending)
        case "sendmail":
            return SendmailCarrier(game.sending)
        case _:
            return FileCarrier(game.file.folder / OUTBOX)
