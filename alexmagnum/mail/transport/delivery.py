"""The contract of a carrier, which is a way of sending mail, and its errors.

No way of sending can be undone, nor asked afterwards whether it happened.  So each carrier calls
``seal`` at the last instant at which the other side cannot have taken the mail.  A carrier that
is stopped after that, before a refusal, cannot know whether the mail was sent.
"""

from __future__ import annotations

import smtplib
from collections.abc import Callable
from typing import Protocol

from alexmagnum.errors import GameError

Seal = Callable[[], None]

BLOCKING_CODES = frozenset(
    {
        "mail-no-way",
        "mail-no-host",
        "mail-no-server",
        "mail-no-login",
        "mail-open-line",
        "password-missing",
    }
)
"""The codes that concern every mail: as things are, none can be sent."""


class NotSent(GameError):
    """A mail that is still here.

    ``mail-later``: try again; ``mail-refused``: it would be refused again; or one of
    :data:`BLOCKING_CODES`.
    """


class DeliveryUnknown(GameError):
    """Nobody knows whether a mail was sent (``mail-unsure``)."""


class Carrier(Protocol):
    """A way to send mails, as many as there are; to be closed afterwards."""

    def carry(self, name: str, data: bytes, sender: str, to: str, seal: Seal) -> None:
        """Send a mail, ``data`` as it goes over the wire, to one address.

        ``name`` is that of its draft.  ``seal`` is called once, while the other side cannot have
        taken the mail.

        Raises:
            NotSent, DeliveryUnknown.
        """

    def close(self) -> None:
        """End what is open."""


def try_later(error: Exception) -> NotSent:
    """Return the error of a mail that may go at another time."""
    return NotSent("mail-later", why=describe_error(error))


def delivery_unknown(error: Exception) -> DeliveryUnknown:
    """Return the error of a mail that may have been sent."""
    return DeliveryUnknown("mail-unsure", why=describe_error(error))


def describe_error(error: Exception) -> str:
    """Return what a server or the system said, on one line."""
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        return to_printable_line(f"{error.smtp_code} {text}")
    return to_printable_line(getattr(error, "strerror", None) or str(error) or type(error).__name__)


def to_printable_line(text: str) -> str:
    """Return a foreign text on one line, without what a terminal obeys."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(plain.split())[:300]
