"""Anonymous games: whether players may know each other's names, and names found in a text.

Open this for the setting ``names``.  Reports leave the players out by themselves
(:mod:`alexmagnum.report.views`); texts that people write are searched for names here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from alexmagnum.board.geography import Province
from alexmagnum.board.model import Power
from alexmagnum.errors import GameError
from alexmagnum.game.everyday_words import EVERYDAY_WORDS
from alexmagnum.game.players import read_players
from alexmagnum.game.standby import read_standby
from alexmagnum.game.state import Game
from alexmagnum.game.values import Player, Press, Standby
from alexmagnum.i18n.folding import fold
from alexmagnum.i18n.sentences import LANGUAGES

_WORD = re.compile(r"\w+")

_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")

_SHORTEST = 3
"""Letters of a word that counts as a name wherever it stands: two letters mean too much else."""

_SIGNED = re.compile(
    r"(?:^|[,.;:!?–—-])\s*(\w+)\W*$|\b(?:i am|i'm|i’m|name is|sono|mi chiamo)\s+(\w+)",
    re.IGNORECASE | re.MULTILINE,
)
"""Where a word is a name even if it means something else: at the end of a line after a comma or
alone, and after "I am"."""

LEFT_OUT = "[…]"
"""The text that stands in place of a name that was written before names were hidden."""


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
    """Return the names and addresses of people in a text; none if names are public."""
    if not hides_names(game):
        return ()
    people: tuple[Player | Standby, ...] = (
        *(player for player in read_players(game) if player.power not in own),
        *read_players(game, past=True),
        *read_standby(game, past=True),
    )
    return find_names_of(game, people, text)


def find_names_of(game: Game, people: Iterable[Player | Standby], text: str) -> tuple[str, ...]:
    """Return the words of people's names, and their addresses, that stand in a text.

    Capital and small letters are the same.  A word that means something else too, in the language
    or on the map, counts only where it is a signature or follows "I am".
    """
    unclear = EVERYDAY_WORDS | set(_find_map_words(game))
    signed = {fold(word) for match in _SIGNED.findall(text) for word in match if word}
    written, folded = text.casefold(), {word: fold(word) for word in _WORD.findall(text)}
    found: list[str] = []
    for person in people:
        names = {fold(word) for word in _WORD.findall(person.name) if len(word) > 1}
        plain = {name for name in names if len(name) >= _SHORTEST} - unclear
        known = plain | (names & signed)
        found += [word for word, name in folded.items() if name in known]
        found += [address for address in person.addresses if address.casefold() in written]
    return tuple(dict.fromkeys(found))


def leave_names_out(game: Game, texts: Iterable[str], press: Iterable[Press]) -> Mapping[str, str]:
    """Return, by text, how players read what names somebody; nothing if names are public.

    Such texts were written before names were hidden.  In press only its writer's names are left
    out: to leave out those of others would tell who plays.
    """
    if not hides_names(game):
        return {}
    everybody = (*read_players(game, past=True), *read_players(game))
    found = {text: find_hidden_names(game, text) for text in texts}
    for piece in press:
        writers = [person for person in everybody if person.power == piece.sender]
        found[piece.text] = (
            *found.get(piece.text, ()),
            *find_names_of(game, writers, piece.text),
        )
    return {text: _leave_out(text, names) for text, names in found.items() if names}


def leave_writer_out(game: Game, text: str, power: str, name: str, address: str) -> str:
    """Return a mail as the player of a power may read it who did not write it.

    The names and addresses of its writer and of all others are left out, if names are hidden;
    a line that had nothing else is empty.
    """
    if not hides_names(game):
        return text
    writer = Player("", name, address)
    found = {
        *find_hidden_names(game, text, own=(power,)),
        *find_names_of(game, (writer,), text),
        *_ADDRESS.findall(text),
    }
    lines = _leave_out(text, found).split("\n")
    return "\n".join(line if _WORD.search(line) or LEFT_OUT not in line else "" for line in lines)


def _leave_out(text: str, names: Collection[str]) -> str:
    """Return a text without some words, the longest first: an address may have a name in it."""
    for name in sorted(names, key=len, reverse=True):
        letters = re.IGNORECASE if "@" in name else re.NOFLAG
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", LEFT_OUT, text, flags=letters)
    return text


def _find_map_words(game: Game) -> Iterator[str]:
    """Yield the words of the names of powers and provinces, folded."""
    things: Iterable[Power | Province] = (
        *game.base.powers.values(),
        *game.base.provinces.values(),
    )
    for thing in things:
        for name in (thing.id, *map(thing.name, LANGUAGES)):
            yield from map(fold, _WORD.findall(name))
