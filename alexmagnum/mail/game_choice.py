"""Choosing the game of a mail, where one mailbox serves several games.

A mail goes to its game by its code or tag, else by the letter that it answers, else by its sender.
Where these name several games the mail could belong to each of them: it waits in all, and its
sender is asked.  The player's answer settles it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from alexmagnum.game.inbox_store import ASIDE, TAKEN, WAITING, InboxStore, Message, Why
from alexmagnum.game.outbox_store import OutboxStore
from alexmagnum.game.state import Game
from alexmagnum.mail.game_signs import SEVERAL_GAMES, GameSigns, question_key
from alexmagnum.mail.parsing.message import read_message

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A game that a mail may belong to: its slug, and the signs in the mail for it."""

    slug: str
    signs: GameSigns


def choose_games(candidates: Mapping[Key, Candidate]) -> tuple[Key, ...]:
    """Return the games that a mail could belong to: one, several, or none.

    >>> choose_games({})
    ()
    """
    coded = _find_keys(candidates, lambda signs: signs.codes)
    answered = _find_keys(candidates, lambda signs: signs.answers)
    senders = _find_keys(candidates, lambda signs: signs.powers)
    named = coded | _find_other_names(candidates, coded)
    if not coded and len(_slugs(candidates, named)) == 1:
        named = named & answered or named & senders or named  # games that share a name
    if answered.isdisjoint(named):
        named |= answered
    if not named and not _find_keys(candidates, lambda signs: signs.names_other):
        named = senders
    return tuple(key for key in candidates if key in named)


def _find_keys(
    candidates: Mapping[Key, Candidate], has_sign: Callable[[GameSigns], object]
) -> set[Key]:
    """Return the games with some sign in the mail."""
    return {key for key, each in candidates.items() if has_sign(each.signs)}


def _find_other_names(candidates: Mapping[Key, Candidate], coded: set[Key]) -> set[Key]:
    """Return the games whose tag is in the mail and is not that of a game with a code in it."""
    known = _slugs(candidates, coded)
    return {key for key, each in candidates.items() if each.signs.tagged and each.slug not in known}


def _slugs(candidates: Mapping[Key, Candidate], keys: set[Key]) -> set[str]:
    return {candidates[key].slug for key in keys}


# -- mails that could belong to several games ------------------------------------------------------


def settle_mails_of_several_games(games: Mapping[str, Game]) -> None:
    """Set aside the mails that waited in several games and whose game is known now.

    It is known once the mail was taken in a game, or the player has answered the letter in which a
    game asked.  A mail that waits in a game as one of a stranger is known by a game whose player
    wrote it.
    """
    for name, game in games.items():
        for message in InboxStore(game.file).find_all((WAITING,)):
            if _is_of_several_games(message) or not message.power:
                _settle(message, name, games)


def _is_of_several_games(message: Message) -> bool:
    return any(why.code == SEVERAL_GAMES for why in message.why)


def _settle(message: Message, name: str, games: Mapping[str, Game]) -> None:
    """Set a message of a game aside if it was settled in this game or another."""
    for other, game in games.items():
        copy = InboxStore(game.file).find_by_key(message.key)
        if copy is None:
            continue
        is_of_player_there = bool(copy.power) and not message.power
        if copy.state == TAKEN or is_of_player_there or _was_question_answered(game, copy):
            own = games[name]
            with own.file.writing("fetch"):
                why = Why.of("aside-settled", game=other)
                InboxStore(own.file).set_verdict(message.id, ASIDE, message.power, (why,))
            return


def _was_question_answered(game: Game, message: Message) -> bool:
    """Tell whether the player answered, after a mail, the letter that asked about it."""
    if not message.power:
        return False
    question = OutboxStore(game.file).find_by_key(question_key(game, message.power))
    store = InboxStore(game.file)
    return question is not None and any(
        question.message_id in read_message(store.raw(later.id)).references
        for later in store.find_all((TAKEN,))
        if later.power == message.power and later.received >= message.received
    )
