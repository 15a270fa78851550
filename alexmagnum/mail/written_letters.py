"""Letters that the game master writes: to players, and to the people on the standby list.

The words are the game master's own, as they were written.  Subject and frame are in the language of
each reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from alexmagnum.board.examples import list_examples
from alexmagnum.cases.schema_writer import unit_text
from alexmagnum.errors import GameError
from alexmagnum.game.anonymity import check_text_for_names
from alexmagnum.game.outbox_store import DRAFT, INVITATION, LETTER, LetterKey
from alexmagnum.game.players import read_people
from alexmagnum.game.standby import find_standby, read_standby
from alexmagnum.game.state import Game
from alexmagnum.game.takeovers import find_power_of_act
from alexmagnum.game.values import Player, Standby
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.letters.composition import Letter
from alexmagnum.mail.letters.envelope import can_be_written_to, letter_address
from alexmagnum.mail.letters.html_letter import compose_page, inline_picture
from alexmagnum.mail.letters.phase_section import (
    DraftedLetters,
    Enclosed,
    PhaseSection,
    join_text,
    load_player_sentences,
)
from alexmagnum.mail.notices import SUPERSEDED
from alexmagnum.mail.outbox import Outbox
from alexmagnum.report.formats import render_report
from alexmagnum.report.names import power_name
from alexmagnum.report.phase_context import PhaseContext
from alexmagnum.report.phase_report import compose_phase_report
from alexmagnum.report.views import View, filter_context

LONGEST_SUBJECT = 200
"""Characters of a subject that the game master writes."""


@dataclass(frozen=True, slots=True)
class Words:
    """The game master's own text; without a ``subject`` the letter has the usual one."""

    text: str
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Readers:
    """The readers of a game master's letter: the players of some powers, people on standby."""

    powers: tuple[str, ...] = ()
    standby: tuple[int, ...] = ()


def draft_written_letters(
    outbox: Outbox, words: Words, readers: Readers, reason: str = ""
) -> DraftedLetters:
    """Draft a letter of the game master to each reader.

    Raises:
        GameError: ``letter-empty``, ``letter-to-nobody``, ``line-unreadable`` (the subject),
            ``names-are-hidden``, ``no-mail-address``.
    """
    game = outbox.game
    _check_words(game, words, readers)
    people = _find_people(game, readers)
    if not people:
        raise GameError("letter-to-nobody", **list_examples(game.base))

    def letter(person: Player | Standby) -> Letter:
        return _compose_written_letter(game, words, readers, person)

    return _draft(outbox, LETTER, people, letter, reason)


def draft_invitations(
    outbox: Outbox,
    power: str,
    numbers: Sequence[int],
    context: PhaseContext,
    enclose: Callable[[View, Sentences, str], Enclosed],
    reason: str = "",
) -> DraftedLetters:
    """Draft, for people on the standby list, an invitation to take over a power.

    It has the position as everybody may see it.  An earlier one that was not sent is withdrawn.

    Raises:
        GameError: ``standby-empty``, ``no-standby``, ``no-mail-address``.
    """
    game = outbox.game
    people = _find_people(game, Readers(standby=tuple(numbers)))
    if not people:
        raise GameError("standby-empty")

    def letter(person: Player | Standby) -> Letter:
        return _compose_invitation(game, power, person, context, enclose)

    earlier = [
        mailing
        for mailing in outbox.list_letters((DRAFT,))
        if mailing.kind == INVITATION
        and mailing.key.standby in {person.id for person in people if isinstance(person, Standby)}
        and find_power_of_act(game, mailing.key.act or 0) == power
    ]
    made = _draft(outbox, INVITATION, people, letter, reason, power)
    outbox.withdraw(earlier, SUPERSEDED)
    return made


def renew_invitations(
    outbox: Outbox,
    context: Callable[[], PhaseContext],
    enclose: Callable[[View, Sentences, str], Enclosed],
    at: str,
) -> DraftedLetters:
    """Compose anew the drafted invitations that show the game as it was before an instant.

    ``context`` is called only if there are any.
    """
    game, made = outbox.game, DraftedLetters()
    for mailing in outbox.list_letters((DRAFT,)):
        if mailing.kind != INVITATION or mailing.created > at or mailing.key.standby is None:
            continue
        person = find_standby(game, mailing.key.standby)
        power = find_power_of_act(game, mailing.key.act or 0)
        letter = _compose_invitation(game, power, person, context(), enclose)
        if number := outbox.renew(mailing.key, letter):
            made.renewed.append(number)
    return made


def _check_words(game: Game, words: Words, readers: Readers) -> None:
    if not words.text.strip():
        raise GameError("letter-empty")
    if not words.subject.isprintable() or len(words.subject) > LONGEST_SUBJECT:
        raise GameError("line-unreadable", text=words.subject[:60])
    own = readers.powers if len(readers.powers) == 1 and not readers.standby else ()
    check_text_for_names(game, f"{words.subject}\n{words.text}", own=own)


def _find_people(game: Game, readers: Readers) -> list[Player | Standby]:
    """Return the readers in the order of powers, then of the list."""
    players = [player for player in read_people(game) if player.power in readers.powers]
    standby = [person for person in read_standby(game) if person.id in readers.standby]
    return [*players, *standby]


def _draft(
    outbox: Outbox,
    occasion: str,
    people: Sequence[Player | Standby],
    letter: Callable[[Player | Standby], Letter],
    reason: str,
    power: str = "",
) -> DraftedLetters:
    """Draft a letter to each of some people, in one act of the game master."""
    game, made = outbox.game, DraftedLetters()
    if not game.settings()["mail_address"]:
        raise GameError("no-mail-address")
    with outbox.file.writing("letter"):
        with game.act(f"{occasion}-write", power, reason) as note:
            note.detail["letters"] = len(people)
        act = game.last_act()
        letters: dict[LetterKey, Letter] = {}
        for person in people:
            if can_be_written_to(person):
                letters[_key(occasion, person, act)] = letter(person)
            elif isinstance(person, Player):
                made.unaddressed.append(person.power)
        made.drafted += outbox.draft_all(letters)
    return made


def _key(occasion: str, person: Player | Standby, act: int) -> LetterKey:
    address = letter_address(person)
    if isinstance(person, Player):
        return LetterKey(occasion, person.power, address=address, act=act)
    return LetterKey(occasion, "", address=address, act=act, standby=person.id)


# -- the letters -----------------------------------------------------------------------------------


def _compose_written_letter(
    game: Game, words: Words, readers: Readers, person: Player | Standby
) -> Letter:
    sentences = load_player_sentences(game, person)
    hello = sentences.format("letter-hello", name=person.name)
    frame = _frame(game, readers, person, sentences)
    foot = sentences.format(_foot(game, person))
    return Letter(
        subject=words.subject or sentences.format("letter-from-gm"),
        text=join_text([hello, frame]) + f"\n{words.text.strip()}\n\n" + join_text([foot]),
        lang=sentences.lang,
    )


def _frame(game: Game, readers: Readers, person: Player | Standby, sentences: Sentences) -> str:
    """Return the sentence that says to whom the game master writes."""
    if isinstance(person, Standby):
        return sentences.format("letter-gm-standby", game=game.info.name)
    if len(readers.powers) == 1:
        return sentences.format("letter-gm-you")
    players = {player.power for player in read_people(game)}
    if players <= set(readers.powers):
        return sentences.format("letter-gm-all")
    named = [power_name(game.base, p, sentences) for p in game.base.powers if p in readers.powers]
    return sentences.format("letter-gm-some", powers=", ".join(named))


def _foot(game: Game, person: Player | Standby) -> str:
    """Return the code of the sentence on how to answer the game master."""
    if isinstance(person, Standby):
        return "letter-gm-answer-standby"
    return "letter-gm-answer" if game.settings()["press"] != "off" else "letter-gm-no-answer"


def _compose_invitation(
    game: Game,
    power: str,
    person: Player | Standby,
    context: PhaseContext,
    enclose: Callable[[View, Sentences, str], Enclosed],
) -> Letter:
    sentences = load_player_sentences(game, person)
    view = filter_context(context, None)
    report = compose_phase_report(view, sentences)
    picture = enclose(view, sentences, "").map
    drawn = inline_picture(picture) if picture else None
    desk = PhaseSection(game, Player(power, person.name), sentences)
    opening = [
        sentences.format("letter-hello", name=person.name),
        sentences.format(
            "letter-invitation-is",
            power=power_name(game.base, power, sentences),
            game=game.info.name,
        ),
        *_describe_power(power, context, sentences),
        sentences.format("letter-open", phase=desk.phase, deadline=desk.deadline()),
        sentences.format("letter-invitation-answer"),
    ]
    return Letter(
        subject=sentences.format(
            "letter-invitation", power=power_name(game.base, power, sentences)
        ),
        about=report.code,
        text=join_text(opening, render_report(report, "text")),
        html=compose_page(opening, sentences, title=report.phase, season=report, picture=drawn),
        inline=(drawn,) if drawn else (),
        lang=sentences.lang,
    )


def _describe_power(power: str, context: PhaseContext, sentences: Sentences) -> Iterator[str]:
    """Return the paragraph on the units and the centres of a power, none if it has neither."""
    position = context.position
    units = sorted(unit_text(unit) for unit in position.units if unit.power == power)
    centres = [centre for centre, owner in position.owners.items() if owner == power]
    names = [position.board.provinces[centre].name(sentences.lang) for centre in centres]
    if units or centres:
        yield sentences.format(
            "letter-invitation-has",
            units=", ".join(units) or "–",
            count=len(centres),
            centres=", ".join(names) or "–",
        )
