"""Settings: the house rules that differ from table to table, each with a safe default.

Open this to add a house rule: a line in :data:`SETTINGS`, and its sentence in the catalogues.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from alexmagnum.board.switches import SWITCHES, near, switch_faults
from alexmagnum.errors import GameError
from alexmagnum.game import clock
from alexmagnum.i18n import zones
from alexmagnum.i18n.sentences import LANGUAGES

RULES = "rules."
"""The prefix by which the settings name the switches of the rules."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A house rule: its default, and the values that it can have.

    These are some ``words``, or numbers from ``low`` to ``high``, or texts that ``check`` accepts
    (it raises a :class:`GameError`).  The sentence ``setting-<name>`` explains the rule.
    """

    default: str
    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    check: Callable[[str], object] | None = None

    @property
    def allowed(self) -> str:
        """Return the values that it can have, for a message; "" for a text."""
        if self.check:
            return ""
        return ", ".join(self.words) or f"{self.low}-{self.high}"

    def allows(self, value: str) -> bool:
        """Return whether the house rule can have a value.

        Raises:
            GameError: a text that cannot be read.
        """
        if self.check:
            self.check(value)
            return True
        if self.words:
            return value in self.words
        return value.isascii() and value.isdigit() and self.low <= int(value) <= self.high


_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
_WEB_ADDRESS = re.compile(r"https?://[A-Za-z0-9._~:/?@!$&'()*+,;=%\[\]-]{1,190}")
_HOST = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.?|\[?[0-9A-Fa-f:.]+\]?")


def check_address(text: str) -> None:
    """Refuse a text that is not a plain address, or has a ``+``, after which the game puts codes.

    Raises:
        GameError: ``address-unreadable``.
    """
    if text and not _ADDRESS.fullmatch(text):
        raise GameError("address-unreadable", text=text)


def check_gm_address(text: str) -> None:
    """Refuse a text that is not an address; it may have a ``+``.

    Raises:
        GameError: ``gm-address-unreadable``.
    """
    user, at, host = text.partition("@")
    if text and not _ADDRESS.fullmatch(user.replace("+", "-") + at + host):
        raise GameError("gm-address-unreadable", text=text)


def check_host(text: str) -> None:
    """Refuse a text that is not the name or number of a host.

    Raises:
        GameError: ``host-unreadable``.
    """
    if text and not _HOST.fullmatch(text):
        raise GameError("host-unreadable", text=text)


def check_web_address(text: str) -> None:
    """Refuse a text that is not the address of a page: it goes into players' sheets as a link.

    Raises:
        GameError: ``web-address-unreadable``.
    """
    if text and not _WEB_ADDRESS.fullmatch(text):
        raise GameError("web-address-unreadable", text=text[:60])


def check_line(text: str) -> None:
    """Refuse a text that a field of a mail cannot have: line breaks, control characters, too long.

    Raises:
        GameError: ``line-unreadable``.
    """
    if not text.isprintable() or len(text) > 200:
        raise GameError("line-unreadable", text=text[:60])


SETTINGS: Mapping[str, Setting] = {
    "second_mail": Setting("merge", ("merge", "replace")),
    "two_orders": Setting("last", ("last", "first")),
    "too_many_builds": Setting("first", ("first", "last")),
    "single_retreat": Setting("ask", ("ask", "auto")),
    "ahead": Setting("yes", ("yes", "no")),
    "fuzzy": Setting("notice", ("notice", "refuse")),
    "missing": Setting("wait", ("wait", "hold")),
    "timezone": Setting("Europe/Rome", check=zones.check_zone),
    "days_movement": Setting("7", low=1, high=60),
    "days_retreats": Setting("2", low=1, high=60),
    "days_winter": Setting("3", low=1, high=60),
    "days_picks": Setting("3", low=1, high=60),
    "slots": Setting("", check=clock.parse_slots),
    "next_deadline": Setting(clock.FROM_NOW, (clock.FROM_NOW, clock.FROM_DEADLINE)),
    "backups": Setting("10", low=0, high=1000),
    "lang": Setting("it", LANGUAGES),
    "addresses": Setting("private", ("private", "public")),
    "names": Setting("public", ("public", "hidden")),
    "names_at_end": Setting("revealed", ("revealed", "hidden")),
    "pictures": Setting("yes", ("yes", "no")),
    "sandbox": Setting("yes", ("yes", "no", "linked")),
    "sandbox_address": Setting("", check=check_web_address),
    "site_dir": Setting("", check=check_line),
    "site_address": Setting("", check=check_web_address),
    "press": Setting("held", ("off", "held", "relay")),
    "press_anonymous": Setting("no", ("no", "yes")),
    "mail_address": Setting("", check=check_address),
    "mail_name": Setting("", check=check_line),
    "gm_address": Setting("", check=check_gm_address),
    "gm_letters": Setting("stalls", ("no", "stalls", "all")),
    "code_needed": Setting("yes", ("yes", "no")),
    "waiting_note": Setting("yes", ("yes", "no")),
    "mails_an_hour": Setting("30", low=1, high=10000),
    "receipts": Setting("draft", ("draft", "send")),
    "reports": Setting("draft", ("draft", "send")),
    "reminders": Setting("draft", ("draft", "send", "no")),
    "reminder_hours": Setting("24", low=1, high=240),
    "announcements": Setting("draft", ("draft", "send", "no")),
    "imap_host": Setting("", check=check_host),
    "imap_port": Setting("993", low=1, high=65535),
    "imap_security": Setting("tls", ("tls", "starttls", "none")),
    "imap_user": Setting("", check=check_line),
    "imap_folder": Setting("INBOX", check=check_line),
    "transport": Setting("files", ("files", "smtp", "sendmail")),
    "smtp_host": Setting("", check=check_host),
    "smtp_port": Setting("587", low=1, high=65535),
    "smtp_security": Setting("starttls", ("starttls", "tls", "none")),
    "smtp_user": Setting("", check=check_line),
}
"""Every house rule, in the order in which they are listed.  The switches of the rules are settings
too, named ``rules.<switch>``."""

PRIVATE = (
    "backups",
    "site_",
    "mail_",
    "imap_",
    "smtp_",
    "transport",
    "gm_",
    "waiting_note",
    "mails_an_hour",
    "receipts",
    "reports",
    "reminders",
    "reminder_hours",
    "announcements",
)
"""Beginnings of the names of settings that concern the game master alone and are in no report."""

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
        if not name.startswith(PRIVATE) and name not in left_out
    }


_DEFAULTS = {name: setting.default for name, setting in SETTINGS.items()}


def default_settings() -> dict[str, str]:
    """Return every house rule with its default."""
    return dict(_DEFAULTS)


def check_setting(name: str, value: object) -> str:
    """Return a value as the text in which it is stored.

    Raises:
        GameError: unknown-setting (``near``: a similar name), bad-setting (``allowed``).
    """
    text = _text(value)
    if name.startswith(RULES):
        return _checked_switch(name, text)
    setting = SETTINGS.get(name)
    if setting is None:
        known = (*SETTINGS, *(RULES + switch for switch in SWITCHES))
        raise GameError("unknown-setting", name=name, near=near(name, known))
    if not setting.allows(text):
        raise GameError("bad-setting", name=name, value=text, allowed=setting.allowed)
    return text


def _text(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value).strip()


def _checked_switch(name: str, text: str) -> str:
    switch = name.removeprefix(RULES)
    if switch not in SWITCHES:
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
