"""Settings: the house rules that differ from table to table, and the values that each can have."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import time
from email.errors import HeaderParseError
from email.headerregistry import Address
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase

from alexmagnum.board.model import SWITCHES, near, switch_faults
from alexmagnum.errors import GameError
from alexmagnum.files import is_line
from alexmagnum.i18n.dates import check_zone, parse_span, parse_weekday
from alexmagnum.i18n.sentences import LANGUAGES, fold

FROM_NOW, FROM_DEADLINE = "now", "deadline"
"""From where the next deadline is counted: the values of the setting ``next_deadline``."""

WAIT, GO_ON, STANDBY, DISORDER = "wait", "hold", "standby", "disorder"
"""Values of the settings ``missing`` and ``misses``: the fates of a power without orders."""


# Weekly slots, at which deadlines can fall.


@dataclass(frozen=True, slots=True)
class Slot:
    """A weekly time for deadlines, local: ``weekday`` 0 is Monday."""

    weekday: int
    at: time


_SLOT = re.compile(r"([^\W\d_]+)\s*(?:at|ore|h|alle)?\s*(\d{1,2})(?:[:.](\d{2}))?", re.UNICODE)


def parse_slots(text: str) -> tuple[Slot, ...]:
    """Read weekly times: ``mon 19:00, thu 19:00`` or ``lun 19.00; gio 19``; "" is none.

    >>> parse_slots("gio 19")
    (Slot(weekday=3, at=datetime.time(19, 0)),)
    """
    parts = [part.strip() for part in re.split(r"[,;]", text) if part.strip()]
    return tuple(sorted({_parse_slot(part) for part in parts}, key=lambda s: (s.weekday, s.at)))


def _parse_slot(text: str) -> Slot:
    match = _SLOT.fullmatch(fold(text))
    weekday = parse_weekday(match[1]) if match else None
    if match is None or weekday is None or int(match[2]) > 23 or int(match[3] or 0) > 59:
        raise GameError("slots-unreadable", text=text)
    return Slot(weekday, time(int(match[2]), int(match[3] or 0)))


# Misses: what becomes of a power after several phases without orders.


_MISSES = re.compile(rf"(?:after )?([1-9]\d?)(?: miss(?:es)?)?:? (?:civil )?({STANDBY}|{DISORDER})")


def parse_misses(text: str) -> Mapping[int, str]:
    """Read what happens after how many misses; "" is nothing.

    >>> dict(parse_misses("after 2 misses: standby, 3: civil disorder"))
    {2: 'standby', 3: 'disorder'}

    Raises:
        GameError: misses-unreadable.
    """
    steps = {}
    for part in filter(None, (part.strip() for part in re.split(r"[,;]", text.lower()))):
        if (match := _MISSES.fullmatch(part)) is None or int(match[1]) in steps:
            raise GameError("misses-unreadable", text=text)
        steps[int(match[1])] = match[2]
    return steps


# Settings: the house rules that differ from table to table, each with a safe default.
#
# Open this to add a house rule: a line in :data:`SETTINGS`, and its sentence in the catalogues.


RULES = "rules."
"""The prefix by which the settings name the switches of the rules."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A house rule: its default, and the values that it can have.

    These are some ``words``, or numbers from ``low`` to ``high``, or texts that ``check`` accepts
    (it raises a :class:`GameError`).  One that is ``private`` concerns the game master alone and is
    in no report.  One that goes ``outside`` the game, to a server, an address or a path, lets mail
    go by itself, or says what mails need and who is told of them, is set by nobody but the game
    master of this computer: an import resets it.
    The sentence ``setting-<name>`` explains the rule.
    """

    default: str
    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    check: Callable[[str], object] | None = None
    private: bool = False
    outside: bool = False

    @property
    def allowed(self) -> str:
        """Return the values that it can have, for a message; "" for a text."""
        return "" if self.check else ", ".join(self.words) or f"{self.low}-{self.high}"

    def allows(self, value: str) -> bool:
        """Return whether the house rule can have a value."""
        if self.check:
            self.check(value)
            return True
        if self.words:
            return value in self.words
        return value.isascii() and value.isdigit() and self.low <= int(value) <= self.high


_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
ANY_ADDRESS = re.compile(r"[^\s<>()@,;:\"\[\]\\]{1,64}@[^\s<>()@,;:\"\[\]\\]{1,253}")
"""An address as people and mails may have it."""

_ASCII_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
_WEB_ADDRESS = re.compile(r"https?://[A-Za-z0-9._~:/?@!$&'()*+,;=%\[\]-]{1,190}")
_HOST = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.?|\[?[0-9A-Fa-f:.]+\]?")


def lower_ascii(text: str) -> str:
    """Return a text, such as an address, as it is compared.  Letters outside ASCII stay as they
    are: two people may have addresses that differ in them."""
    return text.translate(_ASCII_LOWER)


@lru_cache(maxsize=256)
def to_ascii_address(address: str) -> str:
    """Return an address as every mail can carry it, its domain in ASCII, or "" if none can."""
    local, at, domain = address.rpartition("@")
    try:
        host = domain.encode("idna")
        plain = local + at + host.decode("ascii")
        good = Address(addr_spec=plain).addr_spec == plain and plain.isascii() and is_line(plain)
        # Of ß it makes ss, which is the domain of others.
        good &= " " not in plain and (domain.isascii() or host.decode("idna") == domain.lower())
    except (ValueError, IndexError, HeaderParseError):
        return ""
    return plain if good else ""


def check_address(text: str) -> None:
    """Refuse a text that is no plain address, or has a ``+``, after which the game puts codes."""
    if text and not _ADDRESS.fullmatch(text):
        raise GameError("address-unreadable", text=text)


def check_gm_address(text: str) -> None:
    """Refuse a text that is not an address; it may have a ``+``."""
    user, at, host = text.partition("@")
    if text and not _ADDRESS.fullmatch(user.replace("+", "-") + at + host):
        raise GameError("gm-address-unreadable", text=text)


@dataclass(frozen=True, slots=True)
class MailServer:
    """A server of mail: where it is, how the line is protected, the name to log in with.

    ``security`` is ``tls``, ``starttls`` or ``none``; ``user`` is "" for the game's own address.
    """

    host: str
    port: int
    security: str
    user: str = ""
    folder: str = ""


_SCHEMES = {
    "imaps": ("tls", 993),
    "imap": ("starttls", 143),
    "imap-open": ("none", 143),
    "smtps": ("tls", 465),
    "smtp": ("starttls", 587),
    "smtp-open": ("none", 25),
}
_SERVER = re.compile(
    r"(?:(?P<scheme>[a-z-]+)://)?(?:(?P<user>[^/:]+)@)?"
    r"(?P<host>\[[^\]]*\]|[^:/@]*)(?::(?P<port>\d{1,5}))?(?:/(?P<folder>.*))?"
)


def read_server(text: str, usual: str) -> MailServer:
    """Return the server in a text such as ``imaps://name@host:port/folder``, or a host alone.

    ``usual`` is the scheme of a text that names none.

    Raises:
        GameError: ``host-unreadable``; ``line-unreadable``.
    """
    check_line(text)
    found, protocol = _SERVER.fullmatch(text), usual[:4]
    scheme = (found["scheme"] or usual) if found else ""
    if not found or not _HOST.fullmatch(found["host"]) or not scheme.startswith(protocol):
        raise GameError("host-unreadable", text=text)
    if scheme not in _SCHEMES or (found["folder"] and protocol == "smtp"):
        raise GameError("host-unreadable", text=text)
    security, port = _SCHEMES[scheme]
    if not 1 <= (port := int(found["port"] or port)) <= 65535:
        raise GameError("host-unreadable", text=text)
    return MailServer(found["host"], port, security, found["user"] or "", found["folder"] or "")


def read_imap_server(text: str) -> MailServer | None:
    """Return the server and folder from which mail is fetched, None for ""."""
    return read_server(text, "imaps") if text else None


def read_smtp_server(text: str) -> MailServer | None:
    """Return the server that sends mail, None for ""."""
    return read_server(text, "smtp") if text else None


def check_sandbox(text: str) -> None:
    """Refuse what is neither yes, no nor linked, nor the address of a page."""
    if "://" in text:
        check_web_address(text)
    elif text not in ("yes", "no", "linked"):
        raise GameError("bad-setting", name="sandbox", value=text, allowed="yes, no, linked")


HOLD = "hold "
"""Begins the value of the setting ``reports`` by which a report waits for a last look."""


def check_reports(text: str) -> None:
    """Refuse what is neither draft, nor send, nor a time to hold reports: ``hold 2 hours``."""
    if text.startswith(HOLD):
        parse_span(text.removeprefix(HOLD))
    elif text not in ("draft", "send"):
        allowed = "draft, send, hold 2 hours"
        raise GameError("bad-setting", name="reports", value=text, allowed=allowed)


def check_web_address(text: str) -> None:
    """Refuse a text that is not the address of a page: it goes into players' sheets as a link."""
    if text and not _WEB_ADDRESS.fullmatch(text):
        raise GameError("web-address-unreadable", text=text[:60])


def check_line(text: str) -> None:
    """Refuse a text that no field of a mail can have: with line breaks, or too long."""
    if not is_line(text):
        raise GameError("line-unreadable", text=text[:60])


_BOTS = ("bot:random", "bot:dumb", "bot:blend", "bot:search")

SETTINGS: Mapping[str, Setting] = {
    "second_mail": Setting("merge", ("merge", "replace")),
    "two_orders": Setting("last", ("last", "first")),
    "too_many_builds": Setting("first", ("first", "last")),
    "single_retreat": Setting("ask", ("ask", "auto")),
    "ahead": Setting("yes", ("yes", "no")),
    "fuzzy": Setting("notice", ("notice", "refuse")),
    "missing": Setting(WAIT, (WAIT, GO_ON, STANDBY, *_BOTS)),
    "grace": Setting("0", low=0, high=720),
    "misses": Setting("", check=parse_misses),
    "late_notice": Setting("named", ("named", "unnamed", "no"), private=True),
    "timezone": Setting("Europe/Rome", check=check_zone),
    "days_movement": Setting("7", low=1, high=60),
    "days_retreats": Setting("2", low=1, high=60),
    "days_winter": Setting("3", low=1, high=60),
    "days_picks": Setting("3", low=1, high=60),
    "slots": Setting("", check=parse_slots),
    "next_deadline": Setting(FROM_NOW, (FROM_NOW, FROM_DEADLINE)),
    "backups": Setting("10", low=0, high=1000, private=True),
    "second_place": Setting("", check=check_line, private=True, outside=True),
    "lang": Setting("it", LANGUAGES),
    "addresses": Setting("private", ("private", "public")),
    "names": Setting("public", ("public", "hidden")),
    "names_at_end": Setting("revealed", ("revealed", "hidden")),
    "pictures": Setting("yes", ("yes", "no")),
    "sandbox": Setting("yes", check=check_sandbox),
    "site_dir": Setting("", check=check_line, private=True, outside=True),
    "site_address": Setting("", check=check_web_address, private=True, outside=True),
    "press": Setting("held", ("off", "held", "relay")),
    "press_anonymous": Setting("no", ("no", "yes")),
    "mail_address": Setting("", check=check_address, private=True, outside=True),
    "mail_name": Setting("", check=check_line, private=True),
    "gm_address": Setting("", check=check_gm_address, private=True, outside=True),
    "gm_letters": Setting("stalls", ("no", "stalls", "all"), private=True, outside=True),
    "code_needed": Setting("yes", ("yes", "no"), outside=True),
    "waiting_note": Setting("yes", ("yes", "no"), private=True, outside=True),
    "mails_an_hour": Setting("30", low=1, high=10000, private=True, outside=True),
    "receipts": Setting("draft", ("draft", "send"), private=True, outside=True),
    "reports": Setting("draft", check=check_reports, private=True, outside=True),
    "reminders": Setting("draft", ("draft", "send", "no"), private=True, outside=True),
    "reminder_hours": Setting("24", low=1, high=240, private=True),
    "announcements": Setting("draft", ("draft", "send", "no"), private=True, outside=True),
    "imap_server": Setting("", check=read_imap_server, private=True, outside=True),
    "transport": Setting("files", ("files", "smtp", "sendmail"), private=True, outside=True),
    "smtp_server": Setting("", check=read_smtp_server, private=True, outside=True),
}
"""Every house rule, in the order in which they are listed.  The switches of the rules are settings
too, named ``rules.<switch>``."""

OF_HIDDEN_NAMES = ("names", "names_at_end")
"""House rules that reports leave out while names are public, as in most games."""

BY_MAIL = ("press", "press_anonymous", "code_needed")
"""House rules that mean nothing in a game without mail."""


def select_house_rules(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that players see: none about the game master's own mailbox, and those
    about mail only if the game uses mail."""
    left_out = (
        *(() if settings["mail_address"] else BY_MAIL),
        *(OF_HIDDEN_NAMES if settings["names"] == "public" else ()),
    )
    return {
        name: value
        for name, value in settings.items()
        if name not in left_out and not (name in SETTINGS and SETTINGS[name].private)
    }


def default_settings() -> dict[str, str]:
    """Return every house rule with its default."""
    return {name: setting.default for name, setting in SETTINGS.items()}


def check_setting(name: str, value: object) -> str:
    """Return a value as the text in which it is stored.

    Raises:
        GameError: unknown-setting (``near``: a similar name), bad-setting (``allowed``).
    """
    text = ("no", "yes")[value] if isinstance(value, bool) else str(value).strip()
    if name.startswith(RULES):
        return _checked_switch(name, text)
    if (setting := SETTINGS.get(name)) is None:
        known = (*SETTINGS, *(RULES + switch for switch in SWITCHES))
        raise GameError("unknown-setting", name=name, near=near(name, known))
    if not setting.allows(text):
        raise GameError("bad-setting", name=name, value=text, allowed=setting.allowed)
    return text


def _checked_switch(name: str, text: str) -> str:
    if (switch := name.removeprefix(RULES)) not in SWITCHES:
        hint = near(switch, SWITCHES)
        raise GameError("unknown-setting", name=name, near=RULES + hint if hint else "")
    if any(switch_faults({switch: parse_switch(text)})):
        raise GameError("bad-setting", name=name, value=text, allowed=SWITCHES[switch].allowed)
    return text


def parse_switch(text: str) -> int | str:
    """Return the value of a switch from the text in which it is stored."""
    return int(text) if text.isascii() and text.isdigit() else text


def read_switches(settings: Mapping[str, str]) -> dict[str, int | str]:
    """Return the switches of the rules among some settings."""
    return {
        name.removeprefix(RULES): parse_switch(text)
        for name, text in settings.items()
        if name.startswith(RULES)
    }
