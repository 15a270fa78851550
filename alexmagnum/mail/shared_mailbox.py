"""One mailbox for several games: its mail is fetched once, and each mail goes to its game.

Mail of no game is left where it is.  The Message-IDs of all mails that were looked at are noted in
a file beside the games, so that the next fetch does not fetch them again; whoever removes that file
loses nothing.  That a game has stored a mail is not enough: a fetch of that game alone stores the
mails of the others as well, and leaves them aside.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.game.inbox_store import Why
from alexmagnum.game.players import read_players
from alexmagnum.game.reply_codes import game_slug
from alexmagnum.game.state import Game
from alexmagnum.mail.game_choice import Candidate, choose_games
from alexmagnum.mail.game_signs import SEVERAL_GAMES, find_game_signs
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.parsing.classify import BOUNCE, PERSON
from alexmagnum.mail.parsing.message import IncomingMail, read_message
from alexmagnum.mail.standby_mail import find_standby_reason
from alexmagnum.mail.transport.imap import Account, read_mailbox
from alexmagnum.mail.transport.mailbox_files import Found

NOTES = "mailbox.json"
"""The file with the mails that were looked at, in the folder of the games."""


@dataclass
class SharedMailbox:
    """Some games in one folder, by the names of their folders, and mail for all of them.

    ``is_complete`` tells that every game of the folder could be opened.  ``failures`` has the
    errors of games that could not store a mail, by game.
    """

    folder: Path
    games: Mapping[str, Game]
    is_complete: bool = True
    failures: dict[str, GameError] = field(default_factory=dict)
    count: int = 0

    def fetch(self, account: Account) -> None:
        """Fetch the mail of a mailbox and store each new mail in its game.

        Raises:
            GameError: the mailbox could not be read to its end; what was read is stored.
        """
        notes = _Notes(self.folder / NOTES, self._fingerprint())
        since = min(Inbox(game).since() for game in self.games.values())

        def is_known(key: str) -> bool:
            return notes.has(key) or any(Inbox(g).claims(key) for g in self.games.values())

        try:
            for found in read_mailbox(account, since, is_known):
                key = self.give(found)
                if key:
                    notes.keys.add(key)
            notes.forget_removed()
        finally:
            notes.save()

    def give_all(self, source: Iterator[Found]) -> None:
        """Store the mail of a source, each in its game."""
        for found in source:
            self.give(found)

    def give(self, found: Found) -> str:
        """Store a mail in its game, or in each that it could belong to.

        Return its key, "" if it has to be fetched again: a game could not store it, or it belongs
        to none of these and one could not be opened.
        """
        message = read_message(found.raw)
        chosen = self._choose(message)
        doubts = self._find_doubts(message, chosen)
        is_settled = bool(chosen) or self.is_complete
        for name in chosen:
            try:
                self.count += Inbox(self.games[name]).keep(found, *doubts) is not None
            except GameError as error:
                self.failures[name] = error
                is_settled = False
        return message.key if is_settled else ""

    def _choose(self, message: IncomingMail) -> tuple[str, ...]:
        """Return the games of a mail; a notice of failed delivery goes to the readers' games."""
        candidates = {
            name: Candidate(game_slug(game), find_game_signs(game, message))
            for name, game in self.games.items()
        }
        chosen = choose_games(candidates)
        if message.kind == BOUNCE and not chosen:
            failed = {address.casefold() for address in message.bounced}
            return tuple(
                name
                for name, game in self.games.items()
                if any(player.writes_from(failed) for player in read_players(game))
            )
        is_for_other = any(each.signs.names_other for each in candidates.values())
        if message.kind != PERSON or is_for_other:
            return chosen
        return chosen or tuple(
            name for name, game in self.games.items() if find_standby_reason(game, message)
        )

    def _find_doubts(self, message: IncomingMail, chosen: tuple[str, ...]) -> list[Why]:
        """Return why a mail has to wait although its sender and its code may be right."""
        if message.kind == BOUNCE:
            return []
        if len(chosen) > 1:
            names = ", ".join(str(self.games[name].info.name) for name in chosen)
            return [Why.of(SEVERAL_GAMES, games=names)]
        if chosen and not self.is_complete and message.kind == PERSON:
            signs = find_game_signs(self.games[chosen[0]], message)
            return [] if signs.names_game else [Why.of("waits-game-unread")]
        return []

    def _fingerprint(self) -> str:
        """Return a digest of what decides to which game a mail goes: games and addresses."""
        known = [
            [name, game_slug(game), sorted(str(player) for player in read_players(game))]
            for name, game in sorted(self.games.items())
        ]
        return sha256(json.dumps(known).encode()).hexdigest()


class _Notes:
    """The Message-IDs of the mails that were looked at."""

    def __init__(self, path: Path, fingerprint: str) -> None:
        self.path = path
        self.fingerprint = fingerprint
        self.keys: set[str] = set()
        self._found: set[str] = set()
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["fingerprint"] == fingerprint:
                self.keys = set(map(str, data["keys"]))
        except (OSError, ValueError, KeyError, TypeError):
            pass  # there is none yet, or it is damaged: the mails are looked at again
        self._before = set(self.keys)

    def has(self, key: str) -> bool:
        """Tell whether a mail that is in the mailbox was looked at."""
        if key in self.keys:
            self._found.add(key)
            return True
        return False

    def forget_removed(self) -> None:
        """Forget the mails that are not in the mailbox any more, or are too old to be fetched."""
        self.keys -= self._before - self._found

    def save(self) -> None:
        """Write the file if anything has changed."""
        if self.keys != self._before:
            data = {"fingerprint": self.fingerprint, "keys": sorted(self.keys)}
            write_whole(self.path, json.dumps(data, indent=0) + "\n", private=True)
