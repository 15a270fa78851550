"""Letters left in a folder, for the game master's own mail program to send."""

from __future__ import annotations

import os
from pathlib import Path

from alexmagnum.files import PRIVATE
from alexmagnum.mail.transport.delivery import Seal, delivery_unknown, try_later

FOLDER = "outbox"
"""The folder of a game in which these mails lie."""


class FileCarrier:
    """Leaves mails in a folder, each a file that mail programs open as a mail to be sent."""

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
            raise try_later(error) from None
        seal()
        try:
            beside.replace(self.folder / name)
        except OSError as error:
            raise delivery_unknown(error) from None

    def close(self) -> None:
        """Do nothing: no connection is open."""
