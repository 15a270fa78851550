"""Mails handed to this computer's own mail system."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from alexmagnum.mail.transport.delivery import (
    DeliveryUnknown,
    NotSent,
    Seal,
    delivery_unknown,
    describe_error,
    to_printable_line,
)

SENDMAIL = "ALEXMAGNUM_SENDMAIL"
"""The variable that names the program, where it is not the usual one.  No setting does: a game
from elsewhere would choose what runs on this computer."""

_SECONDS = 120.0
"""The time that the program may take for a mail."""

_TEMPORARY = 75
"""The exit status by which sendmail asks to try again later."""


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
                timeout=_SECONDS,
                check=False,
            )
        except OSError as error:
            raise NotSent("mail-no-way", why=f"{self.program}: {describe_error(error)}") from None
        except subprocess.TimeoutExpired as error:
            raise delivery_unknown(error) from None
        if done.returncode < 0:
            raise DeliveryUnknown("mail-unsure", why=f"{self.program}: {-done.returncode}")
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            why = f"{Path(self.program).name}: {said[-1] if said else done.returncode}"
            code = "mail-later" if done.returncode == _TEMPORARY else "mail-refused"
            raise NotSent(code, why=to_printable_line(why))

    def close(self) -> None:
        """Do nothing: no connection is open."""
