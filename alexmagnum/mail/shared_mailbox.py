"""One mailbox for several games: its mail is fetched once, and each mail goes to its game."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from alexmagnum.errors import GameError
from alexmagnum.files import MAX_ORDERS, read_own, write_whole
from alexmagnum.game import mail_store
from alexmagnum.game.game import Game
from alexmagnum.game.mail_orders import names_something
from alexmagnum.game.mail_store import ORDERS_ELSEWHERE, ORDERS_PARTLY, SETTLED, SEVERAL_GAMES
from alexmagnum.game.people import read_players
from alexmagnum.i18n.dates import format_iso
from alexmagnum.mail import inbox
from alexmagnum.mail.answers import question_key
from alexmagnum.mail.parsing.commands import BOUNCE, PERSON, read_requests
from alexmagnum.mail.parsing.message import IncomingMail, read_message
from alexmagnum.mail.parsing.passages import Words
from alexmagnum.mail.transport import BEHIND, Account, Found, read_mailbox, read_source

# Choosing the game of a mail, where one mailbox serves several games.
#
# A mail goes to its game by its code or tag, else by the letter that it answers, else by its
# sender. Where these name several games the mail could belong to each of them: it waits in all,
# and its sender is asked. The player's answer settles it.


def choose_games(candidates: Mapping[str, inbox.GameSigns]) -> tuple[str, ...]:
    """Return the games that a mail could belong to: one, several, or none.

    >>> choose_games({})
    ()
    """

    def find(has_sign: Callable[[inbox.GameSigns], object]) -> set[str]:
        return {name for name, signs in candidates.items() if has_sign(signs)}

    coded, answered = find(lambda signs: signs.codes), find(lambda signs: signs.answers)
    senders = find(lambda signs: signs.powers)
    # A tag counts if it is not that of a game with a code in the mail.
    known = {candidates[name].slug for name in coded}
    named = coded | find(lambda signs: signs.tagged and signs.slug not in known)
    if not coded and len({candidates[name].slug for name in named}) == 1:
        named = named & answered or named & senders or named  # games that share a name
    if answered.isdisjoint(named):
        named |= answered
    if not named and not find(lambda signs: signs.names_other):
        named = senders
    return tuple(name for name in candidates if name in named)


# -- mails that could belong to several games ------------------------------------------------------


def settle_mails_of_several_games(games: Mapping[str, Game]) -> None:
    """Set aside the mails that waited in several games and whose game is known now.

    It is known once the mail was taken in a game, or the player has answered the letter in which a
    game asked.  A mail that waits in a game as one of a stranger is known by a game in which it
    waits as one of a player.
    """
    for name, game in games.items():
        for message in mail_store.InboxStore(game.file).find_all(mail_store.WAITING):
            could_be_others = any(why.code in (SEVERAL_GAMES, SETTLED) for why in message.why)
            if could_be_others or not message.power:
                _settle(message, name, games)


def _settle(message: mail_store.Message, name: str, games: Mapping[str, Game]) -> None:
    """Set a message of a game aside if it was settled in this game or another."""
    is_invited = any(why.code in mail_store.STANDBY_REASONS for why in message.why)
    is_strange = not (message.power or is_invited)
    for other, game in games.items():
        if (copy := mail_store.InboxStore(game.file).find_by_key(message.key)) is None:
            continue
        is_of_player_there = is_strange and copy.state == mail_store.WAITING and copy.power
        # Without a code it was taken by hand, or as the game was fetched alone.
        is_by_hand = any(why.code == SEVERAL_GAMES for why in copy.why)
        is_taken = copy.state == mail_store.TAKEN and (is_by_hand or is_strange)
        if is_taken or is_of_player_there or _was_question_answered(game, copy):
            own = games[name]
            store = mail_store.InboxStore(own.file)
            is_kept_back = {ORDERS_ELSEWHERE, ORDERS_PARTLY} & {why.code for why in message.why}
            if other == name and message.power and not store.find_passage(message.id):
                inbox.Inbox(own).keep_words(message, is_left_out=bool(is_kept_back))
            with own.file.writing("fetch"):
                why = mail_store.Why.of(SETTLED, game=other)
                store.update(message.id, (why,), state=mail_store.ASIDE)
                if other != name and store.find_passage(message.id):  # they are told there
                    store.close_passages([message.id], own.stamp())
            return


def _was_question_answered(game: Game, message: mail_store.Message) -> bool:
    """Tell whether the player answered with orders, after a mail, the letter that asked about it.

    An answer with words alone, or a mail that came after the question, leaves the doubt.
    """
    question = mail_store.OutboxStore(game.file).by_key(question_key(game, message.power))
    if question is None or message.id > int(question.grounds["waiting"]):
        return False
    store = mail_store.InboxStore(game.file)
    return any(
        question.message_id in read_message(store.raw(later.id)).references
        for later in store.find_all(mail_store.TAKEN)
        if later.power == message.power and later.received >= message.received
        if later.mail and store.has_good_orders(later.mail)
    )


# One mailbox for several games: its mail is fetched once, and each mail goes to its game.
#
# Mail of no game is left where it is. The Message-IDs and places of all mails that were looked at
# are noted in a file beside the games, so that the next fetch does not fetch them again; whoever
# removes that file loses nothing. That a game has stored a mail is not enough: a fetch of that game
# alone stores the mails of the others as well, and leaves them aside.


_MOST_LINES = 300  # of a mail in which orders for several games are looked for

NOTES = "mailbox.json"
"""The file with the mails that were looked at, in the folder of the games."""


_BARE = frozenset({"needs-verb", "name-or-centre"})  # errors of what may be a signature


class OrderLines(NamedTuple):
    """Lines of a mail that may be orders in a game, those that surely are meant as such, and those
    that are only a name, which may be a signature."""

    all: frozenset[str] = frozenset()
    sure: frozenset[str] = frozenset()
    bare: frozenset[str] = frozenset()


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

    def fetch(self, account: Account) -> None:
        """Fetch the mail of a mailbox and store each new mail in its game."""
        noted = self._find_noted(account)
        keys, still_there = set(noted), set[str]()
        since = min(inbox.Inbox(game).since() for game in self.games.values())

        def is_known(name: str, place: str) -> bool:
            origin = BEHIND + place if BEHIND + place in keys else place
            found = {*filter(None, (origin, name))}
            is_noted = bool(found) and found <= keys
            still_there.update(found if is_noted else ())
            return is_noted

        def find_last(start: str) -> str:
            # The notes are empty where somebody keeps the mailbox empty.
            last = [mail_store.InboxStore(g.file).find_last(start) for g in self.games.values()]
            return max((*(key for key in noted if key.startswith(start)), *last), default="")

        try:
            behind = ""
            for found in read_mailbox(account, since, is_known, find_last):
                origin = behind + found.origin.removeprefix(behind)
                if key := self.give(found._replace(origin=origin)):
                    still_there |= {key, origin}
                    keys |= still_there
                else:
                    behind = BEHIND  # it has to be fetched again
            # Others are not in the mailbox any more, or too old to be fetched.
            keys -= noted - still_there
        finally:
            if keys != noted:
                here = {"fingerprint": self._fingerprint(), "messages": self._find_last_numbers()}
                notes = {**self._read_notes(), account.origin: {**here, "keys": sorted(keys)}}
                write_whole(self.folder / NOTES, json.dumps(notes, indent=0) + "\n", private=True)

    def _read_notes(self) -> dict[str, Any]:
        """Return what is noted about each mailbox, by its origin."""
        with suppress(OSError, ValueError, TypeError):  # none yet, or damaged
            return dict(json.loads(read_own(self.folder / NOTES)))
        return {}

    def _find_noted(self, account: Account) -> frozenset[str]:
        """Return the names of the mails of a mailbox that were looked at for these games and
        players.  None counts once a game has fewer messages: it was put back from a copy."""
        with suppress(KeyError, TypeError, ValueError):  # none yet, or damaged
            data = self._read_notes()[account.origin]
            before, now = dict(data["messages"]), self._find_last_numbers()
            is_whole = all(now[name] >= number for name, number in before.items())
            if is_whole and data["fingerprint"] == self._fingerprint():
                return frozenset(map(str, data["keys"]))
        return frozenset()

    def read(self, place: str | Account, stdin: BinaryIO) -> None:
        """Store the mail of a mailbox or a source, each in its game."""
        if isinstance(place, Account):
            self.fetch(place)
        else:
            for found in read_source(place, stdin):
                self.give(found)

    def give(self, found: Found) -> str:
        """Store a mail in its game, or in each that it could belong to.

        Return its key, "" if it has to be fetched again: a game could not store it, or it belongs
        to none of these and one could not be opened.
        """
        message, _ = inbox.read_new(found.raw, self.folder)
        chosen, at = self._choose(message), format_iso(found.received) if found.received else ""
        # What came before a game was made is for the others, if there are any.
        began = {name: self.games[name].info.created for name in chosen}
        late = {name for name in chosen if at < began[name] <= self.games[name].stamp()}
        chosen = tuple(name for name in chosen if name not in late) or chosen
        named = chosen + self._find_other_games(message, chosen)
        doubts = self._find_doubts(message, named)
        is_settled = bool(chosen) or self.is_complete
        ordering = {name: self._find_order_lines(name, message) for name in named if doubts}
        for name in chosen:
            own, others = ordering.get(name, OrderLines()), ordering.values()
            is_elsewhere = any(one.all - own.all or one.sure - own.sure for one in others)
            code = ORDERS_PARTLY if own.all or len(chosen) == 1 else ORDERS_ELSEWHERE  # who asks
            more = [mail_store.Why.of(code)] if is_elsewhere else []
            try:
                inbox.Inbox(self.games[name]).keep(found, *doubts, *more)
            except GameError as error:
                self.failures[name] = error
                is_settled = False
        return message.key if is_settled else ""

    def _choose(self, message: IncomingMail) -> tuple[str, ...]:
        """Return the games of a mail; a notice of failed delivery goes to the readers' games."""
        games = {n: game for n, game in self.games.items() if not self._is_of_other(game, message)}
        candidates = {name: inbox.find_game_signs(game, message) for name, game in games.items()}
        if not self.is_complete:  # the tag may be that of a game that could not be opened
            candidates = {name: replace(s, coded=True) for name, s in candidates.items()}
        chosen = choose_games(candidates)
        if message.kind == BOUNCE and not chosen:
            failed = message.bounced
            return tuple(name for name, game in games.items() if inbox.find_powers_at(game, failed))
        if message.kind == BOUNCE or any(signs.names_other for signs in candidates.values()):
            return chosen
        return chosen or tuple(
            name for name, game in games.items() if inbox.find_standby_reason(game, message)
        )

    def _find_other_games(self, message: IncomingMail, chosen: tuple[str, ...]) -> tuple[str, ...]:
        """Return the games for which a mail that answers another one has all its orders, or some
        that are none there."""
        if message.kind != PERSON or len(chosen) != 1 or len(self.games) == 1:
            return ()
        game = self.games[chosen[0]]
        answers = inbox.find_game_signs(game, message).answers
        if any(letter.key == question_key(game, letter.power) for letter in answers):
            return ()
        heads = "\n".join(s for s in (message.subject, *message.text.split("\n")) if ":" in s)
        found = {name: self._find_order_lines(name, message) for name in self.games}
        if (own := found[chosen[0]]).sure:  # below them a bare name may be a signature
            left = {n: own.all.union(s for s in o.bare if s not in heads) for n, o in found.items()}
            found = {n: one._replace(sure=one.sure - left[n]) for n, one in found.items()}
        return tuple(name for name, one in found.items() if one.sure)

    def _find_order_lines(self, name: str, message: IncomingMail) -> OrderLines:
        """Return what of a mail may be an order in a game; the whole if the game is damaged."""
        with suppress(Exception):  # it is named where the mail is stored or handled
            return self._read_order_lines(name, message)
        return OrderLines(frozenset({message.text}))

    def _read_order_lines(self, name: str, message: IncomingMail) -> OrderLines:
        game = self.games[name]
        asked = read_requests(message.text, game.base)
        text = f"{message.subject}\n{asked.orders_text}"[:MAX_ORDERS]
        powers = () if game.head().is_over else inbox.find_powers_at(game, message.senders)
        words = Words.of((), game.position, powers)
        found = [*islice((line for line in words.read(text) if line.text), _MOST_LINES)]
        lines = {line.text: line.prose for line in found}
        bare = {one.text for one in found if one.bare or (one.error and one.error.code in _BARE)}
        sure = {one for one, is_prose in lines.items() if not is_prose or words.has_order(one)}
        more = {one for one in lines if names_something(one, game.base) or words.may_be_order(one)}
        return OrderLines(frozenset(sure | more), frozenset(sure), frozenset(bare))

    def _is_of_other(self, game: Game, message: IncomingMail) -> bool:
        """Tell whether a mail without a code of a game is of another, which knew it as one of a
        player before its sender was in this game."""
        addresses = {*message.senders, *message.bounced}
        since = [one.since for one in read_players(game) if one.writes_from(addresses)]
        for store in (mail_store.InboxStore(g.file) for g in self.games.values() if g is not game):
            copy = store.find_by_key(message.key)
            is_old = copy and copy.power and copy.received < min(since, default=game.info.created)
            if copy and is_old and read_message(store.raw(copy.id)).digest == message.digest:
                signs = inbox.find_game_signs(game, message)
                return not (signs.codes or signs.answers)
        return False

    def _find_doubts(self, message: IncomingMail, chosen: tuple[str, ...]) -> list[mail_store.Why]:
        """Return why a mail has to wait although its sender and its code may be right."""
        if message.kind == BOUNCE:
            return []
        if len(chosen) > 1:
            names = ", ".join(str(self.games[name].info.name) for name in chosen)
            return [mail_store.Why.of(SEVERAL_GAMES, games=names)]
        if chosen and not self.is_complete and message.kind == PERSON:
            signs = inbox.find_game_signs(self.games[chosen[0]], message)
            return [] if signs.names_game else [mail_store.Why.of(mail_store.GAME_UNREAD)]
        return []

    def _find_last_numbers(self) -> dict[str, int]:
        """Return the number of the last message of each game."""
        return {
            name: mail_store.InboxStore(g.file).find_last_number() for name, g in self.games.items()
        }

    def _fingerprint(self) -> str:
        known = [
            [name, mail_store.game_slug(game), sorted(str(player) for player in read_players(game))]
            for name, game in sorted(self.games.items())
        ]
        return sha256(json.dumps(known).encode()).hexdigest()
