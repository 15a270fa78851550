"""Short letters and letters of the game master, and what is due by the clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property, partial

from alexmagnum.board.model import list_examples
from alexmagnum.cases.schema import unit_text
from alexmagnum.errors import GameError
from alexmagnum.game.deadlines import (
    read_clock,
)
from alexmagnum.game.game import Game, Player, Standby
from alexmagnum.game.letters import (
    DEADLINE,
    DRAFT,
    ENDING,
    INVITATION,
    LETTER,
    OPENING,
    REMINDER,
    REOPENING,
    REPORT,
    RETRACTION,
    WELCOME,
    LetterKey,
    Mailing,
)
from alexmagnum.game.orders import find_last_submission, read_open_phase
from alexmagnum.game.people import (
    check_text_for_names,
    find_power_of_act,
    read_people,
    read_players,
    read_standby,
)
from alexmagnum.i18n.dates import parse_iso, to_local
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.composition import (
    Attachment,
    Letter,
    can_be_written_to,
    find_addressee,
    inline_picture,
    letter_address,
)
from alexmagnum.mail.letters import (
    Correspondence,
    DraftedLetters,
    Enclose,
    FinalFiles,
    PhaseReports,
    PhaseSection,
    calendar_file,
    compose_ending,
    compose_phase_letter,
    compose_reopening,
    describe_files,
    join_text,
    load_player_sentences,
    write_letter,
)
from alexmagnum.mail.outbox import SUPERSEDED, Outbox
from alexmagnum.mail.receipts import ClockReading, describe_missing, reword_deadline
from alexmagnum.notation.names import power_name
from alexmagnum.report.context import PhaseContext, filter_context
from alexmagnum.report.phase_report import compose_phase_report

# Composing any letter that follows from the game, from what it is about.


FOLLOWING = frozenset(
    {REPORT, OPENING, RETRACTION, WELCOME, INVITATION, ENDING, REOPENING, DEADLINE, REMINDER}
)
"""Occasions of letters that can be composed at any time of the game as it stands."""

_SHORT = frozenset({DEADLINE, REMINDER, REOPENING})
"""Occasions of letters without a report or a picture."""


@dataclass(frozen=True)
class Composer:
    """Composes the letters that show reports and pictures.

    ``past`` and ``open`` return the context of a processed phase and of the open one, ``enclose``
    the files that go with a view, ``final`` the final report.
    """

    outbox: Outbox
    past: Callable[[str], PhaseContext]
    open: Callable[[], PhaseContext]
    enclose: Enclose
    final: Callable[[Sentences], FinalFiles]
    _reports: dict[str, PhaseReports] = field(default_factory=dict)

    @cached_property
    def _players(self) -> Sequence[Player]:
        return read_players(self.outbox.game)

    @cached_property
    def _told(self) -> Correspondence:
        return Correspondence(self.outbox)

    def compose(self, key: LetterKey) -> Letter:
        """Return the letter that a key is about, as the game stands now."""
        game = self.outbox.game
        if key.occasion == INVITATION:
            return _compose_invitation(game, key, self.open(), self.enclose)
        player = _find_player(self._players, key)
        if key.occasion == ENDING:
            return compose_ending(game, player, self.final(load_player_sentences(game, player)))
        context = self._find_context(key, player)
        return compose_phase_letter(self._told, key, player, context, self.enclose)

    def _find_context(self, key: LetterKey, player: Player) -> PhaseContext:
        if key.occasion == WELCOME:
            return replace(self.open(), lists_house_rules=True)
        if key.occasion != REPORT:
            return self.open()
        phase = self._told.phases[key.outcomes[0]]
        if phase not in self._reports:
            self._reports[phase] = PhaseReports(self._told, phase)
        reports = self._reports[phase]
        changes = tuple(reports.changes(player))
        return replace(self.past(phase), version=reports.version(player), changes=changes)


def compose_letters(outbox: Outbox, keys: Iterable[LetterKey]) -> dict[LetterKey, Letter]:
    """Compose the letters that follow from the game as it stands.

    Those with reports or pictures are left out where the outbox has nothing to compose them with.
    """
    game, long, letters = outbox.game, None, dict[LetterKey, Letter]()
    for key in keys:
        if key.occasion in _SHORT:
            player = _find_player(read_players(game), key)
            desk = PhaseSection(game, player, load_player_sentences(game, player))
            if key.occasion == REOPENING:
                letters[key] = compose_reopening(game, player)
            else:
                write = _deadline_letter if key.occasion == DEADLINE else _reminder
                letters[key] = write(desk)
        elif key.occasion in FOLLOWING and outbox.start_composing is not None:
            long = long or outbox.start_composing(outbox)
            letters[key] = long(key)
    return letters


def _find_player(players: Sequence[Player], key: LetterKey) -> Player:
    return next(player for player in players if player.power == key.power)


# Short letters: changes of the deadline, and reminders of missing orders.


# -- deadlines -------------------------------------------------------------------------------------


def _deadline_letter(desk: PhaseSection) -> Letter:
    sentences = desk.sentences
    if desk.game.paused:
        code = "letter-deadline-stopped"
    else:
        code = "letter-deadline-is" if desk.game.deadline else "letter-deadline-none"
    said = sentences.format(code, phase=desk.phase, deadline=desk.deadline())
    return _short(
        desk, "letter-deadline", [said, *desk.deadline_reason(), desk.due()], calendar_file(desk)
    )


# -- reminders -------------------------------------------------------------------------------------


def reword_answer(outbox: Outbox, mailing: Mailing) -> None:
    """Name the deadline in force in a draft of an answer that was made before it changed."""
    game, grounds = outbox.game, mailing.grounds
    zone = game.settings["timezone"]
    before = ClockReading(grounds["deadline"], parse_iso(mailing.created), zone)
    now = ClockReading(read_clock(game), game.now(), zone)
    reword = partial(reword_deadline, before=before, now=now, seal=grounds["orders"])
    outbox.reword(mailing, reword, {**grounds, "deadline": now.clock})


def _reminder(desk: PhaseSection) -> Letter:
    lacking = read_open_phase(desk.game).lacking.get(desk.player.power, ())
    missing = describe_missing(lacking, desk.sentences)
    said = [desk.sentences.format("letter-missing", phase=desk.phase, things=missing)]
    if desk.game.deadline:
        said.append(desk.sentences.format("letter-missing-deadline", deadline=desk.deadline()))
    said += [*_orders_in_force(desk), desk.how_to_answer()]
    return _short(desk, "letter-reminder", said, {})


def _orders_in_force(desk: PhaseSection) -> Iterator[str]:
    phase = desk.game.head()
    row = find_last_submission(desk.game, int(phase.id), desk.player.power)
    if row and row.orders:
        rule = desk.game.settings["second_mail"]
        orders = "; ".join(row.orders)
        yield desk.sentences.format("letter-in-force", orders=orders)
        yield desk.sentences.format(f"letter-answer-{rule}")


def _short(
    desk: PhaseSection, subject: str, said: Sequence[str], files: Mapping[str, Attachment]
) -> Letter:
    sentences = desk.sentences
    opening = [
        sentences.format("letter-hello", name=desk.player.name),
        *said,
        *describe_files(files, sentences),
    ]
    return write_letter(sentences, sentences.format(subject), opening, files=files.values())


# Letters that the game master writes: to players, and to the people on the standby list.
#
# The words are the game master's own, as they were written. Subject and frame are in the language
# of each reader.


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
    outbox: Outbox, power: str, numbers: Sequence[int], reason: str = ""
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
    earlier = [
        mailing
        for mailing in outbox.list_letters((DRAFT,))
        if mailing.kind == INVITATION
        and mailing.key.standby in {person.id for person in people if isinstance(person, Standby)}
        and find_power_of_act(game, mailing.key.act or 0) == power
    ]
    made = _draft(outbox, INVITATION, people, None, reason, power)
    outbox.withdraw(earlier, SUPERSEDED)
    return made


def _check_words(game: Game, words: Words, readers: Readers) -> None:
    if not words.text.strip():
        raise GameError("letter-empty")
    if not words.subject.isprintable() or len(words.subject) > LONGEST_SUBJECT:
        raise GameError("line-unreadable", text=words.subject[:60])
    own = readers.powers if len(readers.powers) == 1 and not readers.standby else ()
    check_text_for_names(game, f"{words.subject}\n{words.text}", own=own)


def _find_people(game: Game, readers: Readers) -> list[Player | Standby]:
    players = [player for player in read_people(game) if player.power in readers.powers]
    standby = [person for person in read_standby(game) if person.id in readers.standby]
    return [*players, *standby]


def _draft(
    outbox: Outbox,
    occasion: str,
    people: Sequence[Player | Standby],
    letter: Callable[[Player | Standby], Letter] | None,
    reason: str,
    power: str = "",
) -> DraftedLetters:
    """Draft a letter to each of some people, in one act of the game master.

    Without ``letter`` they are composed of the game as it stands.
    """
    game, made = outbox.game, DraftedLetters()
    if not game.settings["mail_address"]:
        raise GameError("no-mail-address")
    with outbox.file.writing("letter"):
        with game.act(f"{occasion}-write", power, reason) as note:
            note.detail["letters"] = len(people)
        act = game.last_act()
        readers = dict[LetterKey, Player | Standby]()
        for person in people:
            whose, standby = (person.power, None) if isinstance(person, Player) else ("", person.id)
            if can_be_written_to(person):
                address = letter_address(person)
                key = LetterKey(occasion, whose, address, act=act, standby=standby)
                readers[key] = person
            elif whose:
                made.unaddressed.append(whose)
        letters = (
            {key: letter(person) for key, person in readers.items()}
            if letter
            else compose_letters(outbox, readers)
        )
        made.drafted += outbox.draft_all(letters)
    return made


# -- the letters -----------------------------------------------------------------------------------


def _compose_written_letter(
    game: Game, words: Words, readers: Readers, person: Player | Standby
) -> Letter:
    sentences = load_player_sentences(game, person)
    hello = sentences.format("letter-hello", name=person.name)
    frame = _frame(game, readers, person, sentences)
    if isinstance(person, Standby):
        foot = "letter-gm-answer-standby"
    else:
        has_press = game.settings["press"] != "off"
        foot = "letter-gm-answer" if has_press else "letter-gm-no-answer"
    return Letter(
        subject=words.subject or sentences.format("letter-from-gm"),
        text=join_text([hello, frame])
        + f"\n{words.text.strip()}\n\n"
        + join_text([sentences.format(foot)]),
        lang=sentences.lang,
    )


def _frame(game: Game, readers: Readers, person: Player | Standby, sentences: Sentences) -> str:
    if isinstance(person, Standby):
        return sentences.format("letter-gm-standby", game=game.name)
    if len(readers.powers) == 1:
        return sentences.format("letter-gm-you")
    players = {player.power for player in read_people(game)}
    if players <= set(readers.powers):
        return sentences.format("letter-gm-all")
    named = [power_name(game.base, p, sentences) for p in game.base.powers if p in readers.powers]
    return sentences.format("letter-gm-some", powers=", ".join(named))


def _compose_invitation(
    game: Game, key: LetterKey, context: PhaseContext, enclose: Enclose
) -> Letter:
    power, person = find_power_of_act(game, key.act or 0), find_addressee(game, key)
    sentences = load_player_sentences(game, person)
    view = filter_context(context, None)
    report = compose_phase_report(view, sentences)
    drawn = enclose(view, sentences, "").map
    name = power_name(game.base, power, sentences)
    desk = PhaseSection(game, Player(power, person.name), sentences)
    opening = [
        sentences.format("letter-hello", name=person.name),
        sentences.format("letter-invitation-is", power=name, game=game.name),
        *_describe_power(power, context, sentences),
        sentences.format("letter-open", phase=desk.phase, deadline=desk.deadline()),
        sentences.format("letter-invitation-answer"),
    ]
    subject = sentences.format("letter-invitation", power=name)
    picture = inline_picture(drawn) if drawn else None
    return write_letter(sentences, subject, opening, report, picture=picture)


def _describe_power(power: str, context: PhaseContext, sentences: Sentences) -> Iterator[str]:
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


# Actions that are due by the clock: reminders, announcements, processing, reports.


def reminder_day(game: Game) -> str:
    """Return the day on which reminders for the deadline are due, "" if it is too early or late.

    The day is part of a reminder's key, so that a deadline has one however often this is called.
    """
    settings = game.settings
    at = game.deadline
    if settings["reminders"] == "no" or not at:
        return ""
    start = parse_iso(at) - timedelta(hours=int(settings["reminder_hours"]))
    if not start <= game.now() < parse_iso(at):
        return ""
    return to_local(start, settings["timezone"]).date().isoformat()
