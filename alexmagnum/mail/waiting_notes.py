"""Notes that tell a player that a mail in their name waits for the game master.

Open this for what such a note says, and which mails get one.  A note says only where the mail is
from, or why nothing can be read in it, and carries the code: a player who wrote that mail has only
to answer.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from alexmagnum.game.anonymity import hides_names
from alexmagnum.game.inbox_store import Message, Why
from alexmagnum.game.outbox_store import DROPPED, WARNING, LetterKey
from alexmagnum.game.players import read_players
from alexmagnum.game.state import Game
from alexmagnum.game.values import Player
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail.answers import last_phase
from alexmagnum.mail.game_signs import SEVERAL_GAMES, question_key
from alexmagnum.mail.letters.composition import Letter
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.parsing.readability import FAULTS
from alexmagnum.report.wrapping import wrap_text

_REASONS_UNTOLD = frozenset({"waits-too-many", "waits-list", "waits-stumbled", "waits-automatic"})
"""Reasons to wait that the player does not hear of."""

_MOST_NOTES = 3
"""The most notes a player gets in a phase: mails in their name may come from many addresses."""


def find_reachable_player(game: Game, power: str) -> Player | None:
    """Return the player of a power; None if there is no address to write to or from."""
    if not game.settings()["mail_address"]:
        return None
    return next((p for p in read_players(game) if p.power == power and p.address), None)


def tell_that_mail_waits(outbox: Outbox, row: Message, power: str, why: tuple[Why, ...]) -> None:
    """Draft a note to the registered player about a mail that waits, if they are to hear of it.

    A note that says the same is drafted once a phase.
    """
    codes = {reason.code for reason in why}
    player = find_reachable_player(outbox.game, power)
    silent = _REASONS_UNTOLD & codes or outbox.game.settings()["waiting_note"] == "no"
    if silent or player is None:
        return
    games = [reason.data["games"] for reason in why if reason.code == SEVERAL_GAMES]
    if games:
        _ask_which_game(outbox, player, row, games[0])
    else:
        _warn(outbox, player, row, next((code for code in FAULTS if code in codes), ""))


def _ask_which_game(outbox: Outbox, player: Player, row: Message, games: str) -> None:
    """Ask a player, once a phase, whether a mail was meant for this game or another.

    The letter carries the code of this game, so that an answer to it says for which one it is.
    """
    sentences = _load_sentences(outbox, player)
    said = sentences.format("which-game-text", games=games, game=outbox.game.info.name)
    letter = _compose(outbox, sentences, "subject-which-game", said)
    key = question_key(outbox.game, player.power)
    known = outbox.by_key(key)
    if known is not None and known.state == DROPPED and known.problem is not None:
        outbox.store.set_grounds(known.id, replace(known.grounds, waiting=row.id))
        outbox.bring_back([known])
    else:
        outbox.draft(key, replace(letter, about_message=row.id))


def _warn(outbox: Outbox, player: Player, row: Message, fault: str) -> None:
    """Warn a player that a mail in their name waits; ``fault``: why it cannot be read."""
    sentences = _load_sentences(outbox, player)
    if fault:
        said = sentences.format("waiting-unread-text", why=sentences.format(fault))
    else:
        # An address that is not this player's may be another player's.
        own = all(player.writes_from([each]) for each in row.sender.casefold().split(", "))
        secret = hides_names(outbox.game) and not own
        code = "waiting-text-hidden" if secret else "waiting-text"
        said = sentences.format(code, sender=row.sender or "?")
    letter = _compose(outbox, sentences, "subject-waiting", said)
    key = _find_free_key(outbox, player.power, letter.text)
    if key is not None:
        outbox.draft(key, replace(letter, about_message=row.id))


def _find_free_key(outbox: Outbox, power: str, text: str) -> LetterKey | None:
    """Return the key for a further note in the open phase, None if the player needs none.

    Dropped notes do not count: the player has not read them.
    """
    first, notes = LetterKey(WARNING, power, phase=str(outbox.game.head().name)), 0
    for key in (replace(first, times=times) for times in count()):
        if key == question_key(outbox.game, power):
            continue
        known = outbox.by_key(key)
        if known is None:
            return key
        if known.state != DROPPED:
            notes += 1
            if notes == _MOST_NOTES or outbox.text(known).split() == text.split():
                return None
    return None


def _compose(outbox: Outbox, sentences: Sentences, subject: str, said: str) -> Letter:
    return Letter(
        sentences.format(subject),
        f"{wrap_text(said)}\n",
        about=last_phase(outbox.game),
        lang=sentences.lang,
    )


def _load_sentences(outbox: Outbox, player: Player) -> Sentences:
    return load_sentences(player.lang or outbox.game.settings()["lang"])
