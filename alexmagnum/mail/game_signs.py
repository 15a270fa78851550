"""The signs by which a mail belongs to a game: a code, a tag, its thread, its sender.

Open this when a mail reaches the wrong game, or when somebody's private mail is treated as mail of
the game.  Every letter of a game has its tag in the subject (``[AM-perdicca]``) and in the address
for answers (``gm+perdicca-7h2k9mqx@example.org``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from email.policy import compat32

from alexmagnum.game import players
from alexmagnum.game.inbox_store import Why
from alexmagnum.game.outbox_store import WARNING, LetterKey, OutboxStore
from alexmagnum.game.reply_codes import Code, find_codes, game_slug, is_code
from alexmagnum.game.state import Game
from alexmagnum.mail.parsing.addresses import remove_tag
from alexmagnum.mail.parsing.message import IncomingMail

_SUBJECT_TAG = re.compile(r"\[AM-([a-z0-9-]+)\]", re.IGNORECASE)


SEVERAL_GAMES = "waits-several-games"
"""Why a mail waits that could be meant for several games."""


def question_key(game: Game, power: str) -> LetterKey:
    """Return the key of the letter that asks a player for which game a mail was meant."""
    return LetterKey(WARNING, power, phase=str(game.head().name), times=1)


@dataclass(frozen=True, slots=True)
class GameSigns:
    """The signs in a mail for one game.

    ``codes`` are the game's codes in it; ``tagged``: it has the game's tag; ``other_tag`` is a tag
    of another game, "" if there is none; ``answers``: it answers a letter of the game; ``powers``
    are those whose players have the address that it is from.
    """

    codes: tuple[Code, ...]
    tagged: bool
    other_tag: str
    answers: bool
    powers: tuple[str, ...]

    @property
    def names_game(self) -> bool:
        """Tell whether the mail itself names the game, whoever sent it."""
        return bool(self.codes) or self.tagged or self.answers

    @property
    def names_other(self) -> bool:
        """Tell whether the mail names another game and not this one."""
        return bool(self.other_tag) and not self.names_game


def find_game_signs(game: Game, message: IncomingMail) -> GameSigns:
    """Return the signs in a mail for a game."""
    own = game_slug(game)
    tags = tuple(_find_tags(message, game.settings()["mail_address"]))
    return GameSigns(
        codes=find_codes(game, (message.subject, *message.to)),
        tagged=own in tags,
        other_tag=next((tag for tag in tags if tag != own), ""),
        answers=OutboxStore(game.file).is_referred_to(message.references),
        powers=find_powers_at(game, message),
    )


def _find_tags(message: IncomingMail, address: str) -> Iterator[str]:
    """Yield the tags of games in the subject and in the addresses of a mail."""
    yield from (tag.casefold() for tag in _SUBJECT_TAG.findall(message.subject))
    for to in message.to:
        tag = to.partition("@")[0].partition("+")[2]
        name, _, code = tag.rpartition("-")
        if name and is_code(code) and remove_tag(to) == address.casefold():
            yield name


def find_powers_at(game: Game, message: IncomingMail) -> tuple[str, ...]:
    """Return the powers whose players have the address that a message is from."""
    senders = {address.casefold() for address in message.senders}
    return tuple(
        player.power for player in players.read_players(game) if player.writes_from(senders)
    )


def find_reason_to_ignore(
    game: Game, message: IncomingMail, signs: GameSigns, raw: bytes
) -> Why | None:
    """Return why a person's mail is none of the game's business, None if it may be.

    It names another game, or a spam filter has marked it, or the game master wrote it.
    """
    if signs.names_other:
        return Why.of("aside-other-game", tag=signs.other_tag)
    if is_marked_as_spam(raw) and not signs.names_game:
        return Why.of("aside-spam")
    address = game.settings()["gm_address"].casefold()
    is_from_master = bool(address) and message.senders == (address,)
    if is_from_master and not signs.powers and not signs.codes:
        return Why.of("aside-gm")
    return None


_SPAM_FIELDS = ("X-Spam-Flag", "X-Spam-Status", "X-Spam", "X-Spam-Result")


def is_marked_as_spam(raw: bytes) -> bool:
    """Tell whether a spam filter on the way has marked a mail as spam."""
    fields = BytesHeaderParser(policy=compat32).parsebytes(raw[: 1 << 16])
    marks = (str(fields.get(name, "")).strip().casefold() for name in _SPAM_FIELDS)
    return any(mark.startswith(("yes", "true", "spam")) for mark in marks)
