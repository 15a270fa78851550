"""The way of sending mail that a game's settings choose."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from alexmagnum.mail.transport.delivery import Carrier
from alexmagnum.mail.transport.outbox_folder import FOLDER, FileCarrier
from alexmagnum.mail.transport.sendmail import SendmailCarrier
from alexmagnum.mail.transport.smtp import SmtpCarrier


def choose_carrier(folder: Path, settings: Mapping[str, str]) -> Carrier:
    """Return the carrier that the settings of the game in a folder choose.

    Raises:
        NotSent: ``mail-no-way``, ``mail-no-host``, if something that it needs is not set.
    """
    match settings["transport"]:
        case "smtp":
            return SmtpCarrier(settings)
        case "sendmail":
            return SendmailCarrier()
        case _:
            return FileCarrier(folder / FOLDER)
