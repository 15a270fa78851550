"""Anonymous games: whether players may know each other's names, and names found in a text.

Open this for the setting ``names``.  Reports leave the players out by themselves
(:mod:`alexmagnum.report.views`); texts that people write are searched for names here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from alexmagnum.board.geography import Province
from alexmagnum.board.model import Power
from alexmagnum.errors import GameError
from alexmagnum.game.players import read_players
from alexmagnum.game.standby import read_standby
from alexmagnum.game.state import Game
from alexmagnum.game.values import Player, Standby
from alexmagnum.i18n.folding import fold
from alexmagnum.i18n.sentences import LANGUAGES

_WORD = re.compile(r"\w+")

_SHORT = 3
"""Letters of a word of a name, such as "De", that counts only where it is written as a name."""


def hides_names(game: Game) -> bool:
    """Return whether no player may know who the others are.

    At the end of the game names are revealed, unless the setting ``names_at_end`` says otherwise.
    """
    settings = game.settings()
    if settings["names"] == "public":
        return False
    return settings["names_at_end"] == "hidden" or not game.head().is_over


def check_text_for_names(game: Game, text: str, *, own: Collection[str] = ()) -> None:
    """Refuse words of the game master for players that name a person, if names are hidden.

    The players of the powers ``own`` may be named.

    Raises:
        GameError: ``names-are-hidden``.
    """
    found = find_hidden_names(game, text, own=own)
    if found:
        raise GameError("names-are-hidden", names=", ".join(found))


def find_hidden_names(game: Game, text: str, *, own: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names and addresses of people in a text; none if names are public.

    Words that the map uses as well are no names.
    """
    if not hides_names(game):
        return ()
    people: tuple[Player | Standby, ...] = (
        *(player for player in read_players(game) if player.power not in own),
        *read_players(game, past=True),
        *read_standby(game, past=True),
    )
    known = set(_find_map_words(game))
    found = (name for person in people for name in find_names_of(person, text, strict=False))
    return tuple(dict.fromkeys(name for name in found if fold(name) not in known))


def find_names_of(person: Player | Standby, text: str, *, strict: bool) -> tuple[str, ...]:
    """Return the words of a person's name and the addresses that stand in a text.

    A word counts if it is written as a name; if ``strict``, in small letters too, unless it is
    short.
    """
    names = {fold(word) for word in _WORD.findall(person.name) if len(word) > 1}
    addresses = [one for one in person.addresses if one.casefold() in text.casefold()]
    words = [
        word
        for word in _WORD.findall(text)
        if fold(word) in names and (not word.islower() or (strict and len(word) > _SHORT))
    ]
    return tuple(dict.fromkeys((*words, *addresses)))


def _find_map_words(game: Game) -> Iterator[str]:
    """Yield the words of the names of powers and provinces, folded."""
    things: Iterable[Power | Province] = (
        *game.base.powers.values(),
        *game.base.provinces.values(),
    )
    for thing in things:
        for name in (thing.id, *map(thing.name, LANGUAGES)):
            yield from map(fold, _WORD.findall(name))
