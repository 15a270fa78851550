"""Letters to the game master: what the game waits for, once a day for each situation.

``tick`` runs every few minutes, so a letter is written only when its situation has had none that
day.  A letter that cannot be sent stays a draft, and the next tick tries again.
"""

from __future__ import annotations

from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.gm_letters import DRAFT, SENDING, SENT, GmLetterStore
from alexmagnum.game.reply_codes import subject_prefix
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.i18n.zones import to_local
from alexmagnum.mail.letters.composition import Letter, compose, encode_mail, make_message_id
from alexmagnum.mail.lock import hold_lock
from alexmagnum.mail.transport.carriers import choose_carrier
from alexmagnum.mail.transport.delivery import DeliveryUnknown
from alexmagnum.report.wrapping import wrap_text
from alexmagnum.workflow.situation import Situation
from alexmagnum.workflow.situation_text import (
    describe_phase,
    list_advice,
    list_other_mails,
    list_waits,
    name_phase,
)


def is_letter_due(desk: Desk, situation: Situation) -> bool:
    """Tell whether the settings want the game master to be written to about a situation."""
    settings = desk.settings
    if not settings["gm_address"] or settings["gm_letters"] == "no":
        return False
    news = settings["gm_letters"] == "all" and (situation.resolved or situation.other_mails)
    return situation.needs_game_master or bool(news)


def tell_game_master(desk: Desk, situation: Situation) -> bool:
    """Write to the game master about a situation, unless a letter of today says it already.

    Return whether a letter of today says it.

    Raises:
        GameError: the letter could not be sent; it is tried again next time.
    """
    if not is_letter_due(desk, situation):
        return False
    store, game = GmLetterStore(desk.game.file), desk.game
    day = to_local(game.now(), desk.settings["timezone"]).date().isoformat()
    digest = situation.digest(all_news=desk.settings["gm_letters"] == "all")
    with game.file.writing("tick"):
        known = store.find(day, digest)
        if known is None:
            address = desk.settings["gm_address"]
            mail = _compose(desk, situation)
            number = store.add(day, digest, game.stamp(), address, mail)
            store.drop_drafts(but=number)
        elif known.state == DRAFT:
            number = known.id
        else:
            return True
    return _send(desk, number)


def _send(desk: Desk, number: int) -> bool:
    """Send a letter that is a draft; one that may have been sent is never sent again."""
    store, game = GmLetterStore(desk.game.file), desk.game
    settings = desk.settings

    def seal() -> None:
        with game.file.writing("tick"):
            store.set_state(number, SENDING)

    def unseal() -> None:
        with game.file.writing("tick"):
            store.set_state(number, DRAFT)

    with hold_lock(game.file.folder, "send"):
        carrier = choose_carrier(game.file.folder, settings)
        try:
            sender = settings["mail_address"] or settings["gm_address"]
            name = f"gm-{number:04}.eml"
            carrier.carry(name, store.mail(number), sender, settings["gm_address"], seal)
        except DeliveryUnknown:
            raise
        except GameError:
            unseal()
            raise
        finally:
            carrier.close()
    with game.act("gm-letter") as note:
        note.detail["letter"] = number
        store.set_state(number, SENT, sent=game.stamp())
    return True


def _compose(desk: Desk, situation: Situation) -> bytes:
    """Return the letter as it goes over the wire, in the language of the game."""
    settings, sentences = desk.settings, load_sentences(desk.lang)
    sender = settings["mail_address"] or settings["gm_address"]
    letter = Letter(
        subject=f"{subject_prefix(desk.game)} {_subject(situation, sentences)}",
        text=_write_text(desk, situation, sentences),
        lang=desk.lang,
        to=settings["gm_address"],
        sender_name=settings["mail_name"] or str(desk.game.info.name),
        sender=sender,
        message_id=make_message_id("gm", desk.game.entropy(16), sender.partition("@")[2]),
        date=to_local(desk.game.now(), settings["timezone"]),
    )
    return encode_mail(compose(letter))


def _subject(situation: Situation, sentences: Sentences) -> str:
    if situation.failures or situation.stuck or situation.returned:
        return sentences.format("gm-letter-failed")
    if situation.is_past or situation.mails:
        return sentences.format("gm-letter-waits")
    return sentences.format("gm-letter-news")


def _write_text(desk: Desk, situation: Situation, sentences: Sentences) -> str:
    """Return the text: the phase, what is waited for, what failed, and what to do."""
    failures = [sentences.error(failure) for failure in situation.failures]
    waits = list_waits(situation, desk, sentences)
    parts = [
        [sentences.format("gm-letter-game", game=desk.game.info.name)],
        [
            sentences.format("situation-resolved", phase=name_phase(phase, desk, sentences))
            for phase in situation.resolved
        ],
        [describe_phase(situation, desk, sentences)],
        [f"- {line}" for line in (*waits, *failures)],
        [f"- {line}" for line in list_other_mails(situation, desk, sentences)],
        list_advice(situation, sentences),
        [sentences.format("gm-letter-foot")],
    ]
    return "\n".join(
        "".join(f"{wrap_text(line, rest=_indent(line))}\n" for line in part)
        for part in parts
        if part
    )


def _indent(line: str) -> str:
    """Return the indent of the second line of a paragraph: that of an item of a list, or none."""
    return "  " if line.startswith("- ") else ""
