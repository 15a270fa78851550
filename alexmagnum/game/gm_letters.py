"""The letters to the game master in the game file, each with the day and the situation it is about.

Open this for why ``tick`` wrote to the game master, or did not: a situation has one letter a day.
"""

from __future__ import annotations

from alexmagnum.game.file import GameFile
from alexmagnum.game.records import GmLetterRow

DRAFT, SENDING, SENT, DROPPED = "draft", "sending", "sent", "dropped"


class GmLetterStore:
    """The letters to the game master.  Whoever changes one has a transaction open."""

    def __init__(self, file: GameFile) -> None:
        self._file = file

    def find(self, day: str, situation: str) -> GmLetterRow | None:
        """Return the letter about a situation on a day, None if none was written."""
        return self._file.find(
            GmLetterRow,
            "WHERE day = ? AND situation = ? AND state != ? ORDER BY id DESC LIMIT 1",
            day,
            situation,
            DROPPED,
        )

    def add(self, day: str, situation: str, created: str, address: str, mail: bytes) -> int:
        """Add a letter as a draft and return its number."""
        return self._file.insert(
            "gm_letters",
            day=day,
            situation=situation,
            created=created,
            address=address,
            mail=mail,
            state=DRAFT,
        )

    def list_letters(self) -> tuple[GmLetterRow, ...]:
        """Return the letters, oldest first."""
        return self._file.select(GmLetterRow, "ORDER BY id")

    def mail(self, number: int) -> bytes:
        """Return a letter byte for byte."""
        row = self._file.row("SELECT mail FROM gm_letters WHERE id = ?", number)
        assert row is not None, "letters are never deleted"
        return bytes(row["mail"])

    def drop_drafts(self, but: int) -> None:
        """Drop the drafts, which could not be sent, in favour of a later letter."""
        for row in self._file.select(GmLetterRow, "WHERE state = ? AND id != ?", DRAFT, but):
            self._file.update("gm_letters", row.id, state=DROPPED)

    def set_state(self, number: int, state: str, sent: str = "") -> None:
        """Set the state of a letter, and when it was sent."""
        self._file.update("gm_letters", number, state=state, sent=sent)
