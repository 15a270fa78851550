"""The tray: what players said to the game master, kept until it is answered or put away."""

from collections.abc import Sequence

from alexmagnum.errors import GameError
from alexmagnum.game import mail_store
from alexmagnum.game.game import Game, Player
from alexmagnum.game.people import LEFT_OUT, is_of_former_player, leave_writer_out, read_players
from alexmagnum.game.records import Passage
from alexmagnum.game.settings import lower_ascii
from alexmagnum.mail.drafts import DraftedLetters, draft_written_letters
from alexmagnum.mail.letters import Readers
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.parsing.commands import OWN_PERSON, PERSON
from alexmagnum.mail.parsing.message import IncomingMail
from alexmagnum.mail.parsing.passages import AUTOMATIC, Part, is_urgent


def store_parts(
    game: Game, message: int, power: str, parts: Sequence[Part], *, is_sure: bool = True
) -> None:
    """Store what a mail says to the game master, unless the same of the player waits already and
    no letter told of it, or it is automatic.

    ``is_sure``: the player wrote it; what was uncertain before does not count then.
    """
    store = mail_store.InboxStore(game.file)
    if before := store.find_passage(message):
        if before.power != power:  # the game master accepted the mail for this one
            store.move_passage(message, power)
        return
    is_automatic = any(part.kind == AUTOMATIC for part in parts)
    waiting = (one for one in store.find_passages() if is_automatic or one.letter is None)
    said = [one for one in waiting if one.power == power]
    if is_sure:
        said = [one for one in said if store.find(one.message).state == mail_store.TAKEN]
    known = [[*map(Part._make, one.parts)] for one in said]
    if parts and (list(parts) not in known or LEFT_OUT in str(parts)):
        urgent = any(is_urgent(part.text) for part in parts if part.kind != AUTOMATIC)
        store.add_passage(message, power, parts, urgent=urgent)


def find_passage(game: Game, number: int) -> Passage:
    """Return what a mail says to the game master.

    Raises:
        GameError: ``tray-nothing``.
    """
    if (passage := mail_store.InboxStore(game.file).find_passage(number)) is None:
        raise GameError("tray-nothing", number=str(number))
    return passage


def close_passages(game: Game, numbers: Sequence[int], reason: str = "") -> tuple[Passage, ...]:
    """Put away what some mails say, and return it."""
    for number in numbers:
        find_passage(game, number)
    with game.act("tray-done", reason=reason) as note:
        note.detail["messages"] = list(numbers)
        mail_store.InboxStore(game.file).close_passages(numbers, game.stamp())
    return tuple(find_passage(game, number) for number in numbers)


def find_writer(game: Game, passage: Passage) -> Player | None:
    """Return the player who wrote something, None if somebody else has their power since."""
    if is_of_former_player(game, passage.power, passage.received, passage.message):
        return None
    return next((one for one in read_players(game) if one.power == passage.power), None)


def answer_passage(outbox: Outbox, number: int, text: str, reason: str = "") -> DraftedLetters:
    """Draft the game master's answer to what a player said in a mail, and put that away.

    Raises:
        GameError: ``tray-nothing``, ``tray-former``, and those of
            :func:`alexmagnum.mail.drafts.draft_written_letters`.
    """
    game = outbox.game
    if find_writer(game, (passage := find_passage(game, number))) is None:
        raise GameError("tray-former", number=str(number))
    with game.file.writing("letter"):
        readers = Readers((passage.power,))
        made = draft_written_letters(outbox, text, readers, reason=reason, answers=number)
        if made.drafted:
            close_passages(game, _list_told_together(game, passage), reason)
    return made


def _list_told_together(game: Game, passage: Passage) -> list[int]:
    """Return what one answer answers: all that one letter told, or the passage alone."""
    others = mail_store.InboxStore(game.file).find_passages() if passage.letter else ()
    told = [one.message for one in others if one.letter == passage.letter]
    return list(dict.fromkeys([passage.message, *told]))


# Answers by mail, through the game: the game master answers the letter that told of a passage.
#
# Its address for answers has a code of its own.  Only mail with that code from the game master's
# address is passed on, without the addresses in it.


FOR_ANSWERS = "answer-"
"""Stands for the phase in a code for answers, before the number of the message."""


def answer_address(game: Game, passage: Passage) -> str:
    """Return the address that passes an answer on to the player, "" if the game has none."""
    return mail_store.reply_address(game, passage.power, f"{FOR_ANSWERS}{passage.message}")


# Commands by mail: every letter to the game master has a code of its own, in the subject and in
# the address for answers.  Only mail with such a code from the game master's address is obeyed.


FOR_MASTER = "gm-"
"""Stands for the phase in the codes of letters to the game master, before the letter's name."""


def find_master_code(game: Game, letter: str) -> tuple[str, str]:
    """Return the end of the subject of a letter to the game master, and its address for answers,
    both with its code."""
    about = game, next(iter(game.base.powers)), FOR_MASTER + letter
    return f"(GM-{mail_store.find_or_make_code(*about)})", mail_store.reply_address(*about)


def find_master_codes(game: Game, *texts: str) -> tuple[str, ...]:
    """Return the names of the letters to the game master whose codes some texts have."""
    names = (code.phase for code in mail_store.find_codes(game, texts))
    return tuple(n.removeprefix(FOR_MASTER) for n in names if n.startswith(FOR_MASTER))


def is_from_master(game: Game, message: IncomingMail) -> bool:
    """Tell whether a mail that a person wrote comes from the game master's address, which may be
    that of the game."""
    master = lower_ascii(game.settings["gm_address"])
    return bool(master) and message.kind in (PERSON, OWN_PERSON) and message.senders == (master,)


def find_answered(game: Game, message: IncomingMail) -> int | None:
    """Return the number of the mail that the game master answers in a mail, None if none."""
    if not is_from_master(game, message):
        return None
    codes = mail_store.find_codes(game, (message.subject, *message.to))
    numbers = (c.phase.removeprefix(FOR_ANSWERS) for c in codes if c.phase.startswith(FOR_ANSWERS))
    return next(map(int, numbers), None)


def pass_on(outbox: Outbox, number: int, message: IncomingMail) -> Passage:
    """Draft a mail of the game master as the answer to what a player said, and return that."""
    game, passage = outbox.game, find_passage(outbox.game, number)
    own = mail_store.hide_codes(game, message.text)  # a quotation that was not recognised has them
    text = leave_writer_out(game, own, passage.power, message.name, message.senders[0])
    if not answer_passage(outbox, number, text).drafted:
        raise GameError("no-address", power=passage.power)
    return passage
