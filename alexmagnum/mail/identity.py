"""The author of a mail, and the decision whether that is certain enough to take it.

A mail is taken if it comes from the registered address of a player *and* brings the code of the
open phase (or answers a mail that did).  On any doubt it waits for the game master, with the
reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from email.parser import BytesHeaderParser
from email.policy import compat32

from alexmagnum.game import players
from alexmagnum.game.inbox_store import ASIDE, TAKEN, WAITING, InboxStore, Why
from alexmagnum.game.outbox_store import OutboxStore
from alexmagnum.game.reply_codes import Code
from alexmagnum.game.state import Game
from alexmagnum.i18n import zones
from alexmagnum.mail.game_signs import find_game_signs, find_reason_to_ignore
from alexmagnum.mail.parsing.addresses import remove_tag
from alexmagnum.mail.parsing.classify import BOUNCE, LIST, PERSON
from alexmagnum.mail.parsing.message import IncomingMail
from alexmagnum.mail.standby_mail import find_standby_reason

BOUNCED = "aside-bounce"
"""Why a notice is left aside which says that a letter came back."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision about a message: ``state`` is taken, waiting or aside.

    ``power`` is the power whose player seems to have written it, "" if nothing says so.
    """

    state: str
    power: str = ""
    why: tuple[Why, ...] = ()

    def doubted(self, *why: Why) -> Verdict:
        """Return the same verdict, but the message waits for further reasons."""
        return replace(self, state=WAITING, why=(*self.why, *why))


def judge_message(game: Game, message: IncomingMail, raw: bytes, received: datetime) -> Verdict:
    """Return the verdict on a message that came in at a time."""
    if message.kind == BOUNCE:
        return _judge_bounce(game, message)
    signs = find_game_signs(game, message)
    powers, codes = signs.powers, signs.codes
    if message.kind != PERSON and not (message.kind == LIST and powers):
        return Verdict(
            ASIDE, powers[0] if len(powers) == 1 else "", (Why.of(f"aside-{message.kind}"),)
        )
    ignored = find_reason_to_ignore(game, message, signs, raw)
    if ignored is not None:
        return Verdict(ASIDE, why=(ignored,))
    standby = None if powers or codes else find_standby_reason(game, message)
    if standby is not None:
        return Verdict(WAITING, why=(standby,))
    power = _power(powers, codes)
    doubts = [
        *_doubts_of_sender(game, message, powers, power, codes),
        *_doubts_of_code(game, message, power, codes),
        *_doubts_of_form(message),
        *_doubts_of_server(raw),
        *_doubts_of_number(game, power, received),
    ]
    if doubts:  # by itself it is no doubt: the answer goes to the registered address
        doubts += _doubts_of_reply_to(game, message)
    return Verdict(WAITING if doubts else TAKEN, power, tuple(doubts))


def _judge_bounce(game: Game, message: IncomingMail) -> Verdict:
    """Return the verdict on a notice that a mail could not be delivered, to some address."""
    failed = {address.casefold() for address in message.bounced}
    powers = [player.power for player in players.read_players(game) if player.writes_from(failed)]
    late = next((note.data for note in message.notes if note.code == "delivery-delayed"), None)
    if late and not failed:
        return Verdict(ASIDE, why=(Why("aside-delayed", late),))
    why = Why.of(BOUNCED, addresses=", ".join(message.bounced) or "?")
    return Verdict(ASIDE, powers[0] if len(powers) == 1 else "", (why,))


def _power(powers: tuple[str, ...], codes: tuple[Code, ...]) -> str:
    """Return the power of a message: by its address, by its codes if that does not decide it."""
    if len(powers) == 1:
        return powers[0]
    named = {code.power for code in codes if not powers or code.power in powers}
    return named.pop() if len(named) == 1 else ""


# -- doubts ----------------------------------------------------------------------------------------


def _doubts_of_sender(
    game: Game, message: IncomingMail, powers: tuple[str, ...], power: str, codes: tuple[Code, ...]
) -> Iterator[Why]:
    if message.kind == LIST:
        yield Why.of("waits-list")
    if not message.senders:
        yield Why.of("waits-no-sender")
    elif len(message.senders) > 1 or "from-several" in message.codes:
        yield Why.of("waits-several-senders", addresses=", ".join(message.senders))
    elif not powers:
        yield _doubt_stranger(game, message.senders[0], has_code=bool(codes))
    elif not power:
        yield Why.of("waits-several-powers", powers=", ".join(powers))
    if "address-in-name" in message.codes:
        yield Why.of("waits-address-in-name", name=message.name)


def _doubt_stranger(game: Game, address: str, *, has_code: bool) -> Why:
    """Return the doubt about a mail from an address of no player: it may be of somebody who is
    back, whose power a bot plays."""
    bots = {player.power for player in players.read_players(game) if player.is_bot}
    for past in reversed(players.read_players(game, past=True) if bots else ()):
        if past.power in bots and past.writes_from({address.casefold()}):
            data = {"address": address, "powers": past.power, "id": past.power}
            if players.find_person_before(game, past.power).writes_from({address.casefold()}):
                return Why.of("waits-before-bot", **data)
            return Why.of("waits-before-others", **data, name=past.name, own=past.address)
    code = "waits-other-address" if has_code else "waits-unknown-address"
    return Why.of(code, address=address)


def _doubts_of_reply_to(game: Game, message: IncomingMail) -> Iterator[Why]:
    """Return the doubt about a mail that asks for answers to another address."""
    known = (*message.senders, "", game.settings()["mail_address"].casefold())
    if remove_tag(message.reply_to) not in map(remove_tag, known):
        yield Why.of("waits-reply-to", address=message.reply_to)


def _doubts_of_code(
    game: Game, message: IncomingMail, power: str, codes: tuple[Code, ...]
) -> Iterator[Why]:
    if not power:
        return
    foreign = [code.power for code in codes if code.power != power]
    if foreign:
        yield Why.of("waits-code-of-other", powers=", ".join(dict.fromkeys(foreign)))
    head = game.head()
    now = Code(power, str(head.name))
    own = [
        *(code for code in codes if code.power == power),
        *_find_answered_codes(game, message, power),
    ]
    if now in own or (own and head.is_over):  # once the game is over any code tells who it is
        return
    if own:
        yield Why.of("waits-code-of-past", asked=own[-1].phase, current=now.phase)
    elif not foreign and game.settings()["code_needed"] == "yes":
        yield Why.of("waits-no-code")


def _find_answered_codes(game: Game, message: IncomingMail, power: str) -> list[Code]:
    """Return the codes of the mails that a message answers.

    Mails to the power have names that nobody can guess.
    """
    phases = OutboxStore(game.file).phases_referred_to(power, message.references)
    return [Code(power, phase) for phase in phases]


HALF_READ = frozenset({"too-large", "too-many-parts", "unreadable"})
"""Notes on a mail that was not read as a whole."""


def _doubts_of_form(message: IncomingMail) -> Iterator[Why]:
    """Return the doubt about a mail that was not read as a whole: its end may say otherwise."""
    if message.codes & HALF_READ:
        yield Why.of("waits-half-read")


_RESULT = re.compile(r"\b(dmarc|dkim|spf)\s*=\s*(\w+)")


def _doubts_of_server(raw: bytes) -> Iterator[Why]:
    """Return the doubt that our own mail server notes about the sender, on top of other fields.

    It is a hint in one direction only: a pass proves nothing, because anybody can write one.
    """
    fields = BytesHeaderParser(policy=compat32).parsebytes(raw[: 1 << 16])
    told = str(fields.get("Authentication-Results", ""))
    results: dict[str, set[str]] = {}
    for method, result in _RESULT.findall(told.casefold()):
        results.setdefault(method, set()).add(result)
    good = "pass" in results.get("dkim", ()) or "pass" in results.get("dmarc", ())
    if "fail" in results.get("dmarc", ()) or ("fail" in results.get("spf", ()) and not good):
        said = ", ".join(f"{method}={'/'.join(sorted(found))}" for method, found in results.items())
        yield Why.of("waits-forged", results=said)


def _doubts_of_number(game: Game, power: str, received: datetime) -> Iterator[Why]:
    """Return the doubt about too many mails: it stops two programs that answer each other."""
    most = int(game.settings()["mails_an_hour"])
    begin = zones.format_iso(received - timedelta(hours=1))
    count = (
        InboxStore(game.file).count_taken(power, begin, zones.format_iso(received)) if power else 0
    )
    if power and count >= most:
        yield Why.of("waits-too-many", count=str(count))
