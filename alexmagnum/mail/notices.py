"""Short letters and letters of the game master, and what is due by the clock."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property, partial

from alexmagnum.board.model import list_examples
from alexmagnum.cases.schema import unit_text
from alexmagnum.errors import GameError
from alexmagnum.game.deadlines import (
    find_clock_change,
    read_clock,
)
from alexmagnum.game.game import Game, Player, Standby
from alexmagnum.game.letters import (
    DEADLINE,
    DRAFT,
    DROPPED,
    ENDING,
    INVITATION,
    LETTER,
    OPENING,
    REMINDER,
    REOPENING,
    REPORT,
    RETRACTION,
    SENDING,
    SENT,
    UNCERTAIN,
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
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.game.records import OVER
from alexmagnum.i18n.dates import parse_iso, to_local
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.composition import (
    Attachment,
    Letter,
    can_be_written_to,
    compose_page,
    find_addressee,
    inline_picture,
    letter_address,
)
from alexmagnum.mail.letters import (
    DraftedLetters,
    Enclose,
    FinalFiles,
    PhaseReports,
    PhaseSection,
    SentReports,
    calendar_file,
    compose_ending,
    compose_phase_letter,
    compose_reopening,
    describe_files,
    find_last_phase,
    find_opening_key,
    join_text,
    load_player_sentences,
    retraction_key,
    welcome_key,
)
from alexmagnum.mail.outbox import Compose, Outbox
from alexmagnum.mail.receipts import ClockReading, describe_missing, reword_deadline
from alexmagnum.notation.names import power_name
from alexmagnum.report.context import PhaseContext, filter_context
from alexmagnum.report.formats import render_report
from alexmagnum.report.phase_report import compose_phase_report

# Composing any letter that follows from the game, from what it is about; and drafting it.


FOLLOWING = frozenset(
    {REPORT, OPENING, RETRACTION, WELCOME, INVITATION, ENDING, REOPENING, DEADLINE, REMINDER}
)
"""Occasions of letters that can be composed at any time of the game as it stands."""

_SHORT = frozenset({REOPENING, DEADLINE, REMINDER})
"""Occasions of letters without a report or a picture."""


@dataclass(frozen=True, slots=True)
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

    def compose(self, key: LetterKey) -> Letter:
        """Return the letter that a key is about, as the game stands now."""
        game = self.outbox.game
        if key.occasion == INVITATION:
            return _compose_invitation(game, key, self.open(), self.enclose)
        player = _find_player(game, key)
        if key.occasion == ENDING:
            return compose_ending(game, player, self.final(load_player_sentences(game, player)))
        context = self._find_context(key, player)
        return compose_phase_letter(self.outbox, key, player, context, self.enclose)

    def _find_context(self, key: LetterKey, player: Player) -> PhaseContext:
        if key.occasion == WELCOME:
            return replace(self.open(), lists_house_rules=True)
        if key.occasion != REPORT:
            return self.open()
        phase = self.outbox.game.phases_of_outcomes()[key.outcomes[0]]
        if phase not in self._reports:
            self._reports[phase] = PhaseReports(self.outbox, phase, SentReports(self.outbox))
        reports = self._reports[phase]
        changes = tuple(reports.changes(player))
        return replace(self.past(phase), version=reports.version(player), changes=changes)


class Composing:
    """Composes letters of one round; what makes the long ones is started with the first."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox

    def can_compose(self, key: LetterKey) -> bool:
        """Tell whether a letter follows from the game, and can be composed here."""
        is_at_hand = self._outbox.start_composing is not None or key.occasion in _SHORT
        return key.occasion in FOLLOWING and is_at_hand

    def __call__(self, key: LetterKey) -> Letter:
        """Return the letter that a key is about."""
        return _compose_short(self._outbox.game, key) if key.occasion in _SHORT else self._long(key)

    @cached_property
    def _long(self) -> Compose:
        assert self._outbox.start_composing is not None, "there is something to compose with"
        return self._outbox.start_composing(self._outbox)


def _compose_short(game: Game, key: LetterKey) -> Letter:
    player = _find_player(game, key)
    if key.occasion == REOPENING:
        return compose_reopening(game, player)
    desk = PhaseSection(game, player, load_player_sentences(game, player))
    return _deadline_letter(desk) if key.occasion == DEADLINE else _reminder(desk)


def _find_player(game: Game, key: LetterKey) -> Player:
    return next(player for player in read_players(game) if player.power == key.power)


def find_carried_phase(game: Game, key: LetterKey) -> str:
    """Return the phase whose code a letter carries: the open one, or that of which it tells."""
    if key.occasion == ENDING:
        return find_last_phase(game)
    if key.occasion == REPORT and game.head().is_over:
        return game.phases_of_outcomes()[key.outcomes[0]]
    return str(game.head().name)


def draft_letters(outbox: Outbox, keys: Mapping[Player, LetterKey | None]) -> DraftedLetters:
    """Draft the letters that were not drafted yet, one to a player; None stands for none.

    A deadline or a reminder takes the place of an earlier one that was not sent.
    """
    made, compose, letters = DraftedLetters(), Composing(outbox), dict[LetterKey, Letter]()
    wanted = {player: key for player, key in keys.items() if key is not None}
    known = outbox.by_keys(wanted.values())
    for player, key in wanted.items():
        if not can_be_written_to(player):
            made.unaddressed.append(player.power)
        elif key not in known:
            letters[key] = compose(key)
    if letters:
        # One transaction for all, begun when the pictures are drawn: others wait for it.
        phase = find_carried_phase(outbox.game, next(iter(letters)))
        _supersede(outbox, letters)
        made.drafted += outbox.draft_all(letters, phase=phase)
    return made


def _supersede(outbox: Outbox, letters: Collection[LetterKey]) -> None:
    replaced = {(key.kind, key.power) for key in letters if key.occasion in (DEADLINE, REMINDER)}
    drafts = outbox.list_letters((DRAFT,)) if replaced else ()
    outbox.withdraw([one for one in drafts if (one.kind, one.power) in replaced], SUPERSEDED)


def draft_reports(outbox: Outbox, phase: str, sent: SentReports) -> DraftedLetters:
    """Draft the report of a processed phase for every player who has no report or another one.

    ``sent`` is what the players have received.
    """
    return _draft_for_all(outbox, PhaseReports(outbox, phase, sent).key)


def draft_retractions(outbox: Outbox, sent: SentReports) -> DraftedLetters:
    """Draft, for every player who has received one of them, that reports were taken back.

    The letters say what is open again.  ``sent`` is what the players have received.
    """
    return _draft_for_all(outbox, lambda player: retraction_key(outbox, player, sent))


def draft_opening(outbox: Outbox) -> DraftedLetters:
    """Draft what the open phase asks for, for every player, once for every phase."""
    return _draft_for_all(outbox, partial(find_opening_key, outbox))


def draft_welcomes(outbox: Outbox) -> DraftedLetters:
    """Draft, once for every player who took over a power, a letter with the position, the orders
    in force, what is due and the house rules."""
    return _draft_for_all(outbox, partial(welcome_key, outbox))


def _draft_for_all(outbox: Outbox, key: Callable[[Player], LetterKey | None]) -> DraftedLetters:
    return draft_letters(outbox, {player: key(player) for player in read_people(outbox.game)})


# Short letters: changes of the deadline, and reminders of missing orders.


SUPERSEDED = "letter-superseded"
"""Why a draft was dropped that a later one replaces."""

# -- deadlines -------------------------------------------------------------------------------------


def draft_deadline(outbox: Outbox) -> DraftedLetters:
    """Draft, once for every change of the deadline, a letter to each player who owes orders.

    Players who have a later letter with the deadline get none, and nor do players who had no letter
    about the phase: the first one tells them the deadline.
    """
    game, keys = outbox.game, dict[Player, LetterKey]()
    change = find_clock_change(game)
    listed = outbox.list_letters() if change else ()
    for player in read_people(game) if change else ():
        assert change is not None
        address, phase = letter_address(player), str(game.head().name)
        own = [one for one in listed if (one.power, one.phase) == (player.power, phase)]
        has_letter = any(
            one.address == address and one.state in (SENT, SENDING, UNCERTAIN) for one in own
        )
        owes = PhaseSection(game, player, load_player_sentences(game, player)).demand()
        if has_letter and owes and not _knows_deadline(own, change.at):
            keys[player] = LetterKey(DEADLINE, player.power, address, act=change.id)
    return draft_letters(outbox, keys)


def _knows_deadline(listed: Sequence[Mailing], at: str) -> bool:
    """Return whether some letters about the open phase have the deadline as of an instant."""
    return any(
        mailing.kind in ("report", "phase", "welcome")
        and mailing.state != DROPPED
        and mailing.created >= at
        for mailing in listed
    )


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


def draft_reminders(outbox: Outbox, day: str) -> DraftedLetters:
    """Draft, once for every ``day`` and phase, a reminder to each player whose orders are missing.

    Raises:
        GameError: ``game-is-over``.
    """
    lacking, head = read_open_phase(outbox.game).lacking, int(outbox.game.head().id)
    keys = {
        player: LetterKey(REMINDER, player.power, letter_address(player), opened=head, day=day)
        for player in read_people(outbox.game)
        if lacking.get(player.power)
    }
    return draft_letters(outbox, keys)


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
    """Return the orders of the player that are in force, and whether an answer adds to them."""
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
    return Letter(
        subject=sentences.format(subject),
        text=join_text(opening),
        html=compose_page(opening, sentences, title=sentences.format(subject)),
        attachments=tuple(files.values()),
        lang=sentences.lang,
    )


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
        compose = Composing(outbox)
        letters: dict[LetterKey, Letter] = {}
        for person in people:
            if can_be_written_to(person):
                key = _key(occasion, person, act)
                letters[key] = letter(person) if letter else compose(key)
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
    if isinstance(person, Standby):
        return sentences.format("letter-gm-standby", game=game.name)
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
    return "letter-gm-answer" if game.settings["press"] != "off" else "letter-gm-no-answer"


def _compose_invitation(
    game: Game, key: LetterKey, context: PhaseContext, enclose: Enclose
) -> Letter:
    power, person = find_power_of_act(game, key.act or 0), find_addressee(game, key)
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
            game=game.name,
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


def find_unreported_phases(outbox: Outbox) -> list[str]:
    """Return the phase processed last, if a player has no report of it drafted."""
    return _lacking_a_report(outbox, SentReports(outbox), list_processed_phases(outbox.game)[-1:])


def find_outdated_phases(outbox: Outbox, sent: SentReports) -> list[str]:
    """Return the phases whose outcome differs from the last report that a player received."""
    return _lacking_a_report(
        outbox, sent, [name for name in list_processed_phases(outbox.game) if name in sent.phases]
    )


def _lacking_a_report(outbox: Outbox, sent: SentReports, names: Sequence[str]) -> list[str]:
    """Return the phases whose report has to be drafted for some player."""
    readers = [player for player in read_players(outbox.game) if can_be_written_to(player)]
    keys = {name: map(PhaseReports(outbox, name, sent).key, readers) for name in names}
    return [name for name in names if any(key and not outbox.by_key(key) for key in keys[name])]


def is_beginning(outbox: Outbox) -> bool:
    """Return whether the first phase is open, about which nobody received a report."""
    head, line = outbox.game.head(), outbox.game.line()
    first = head.kind != OVER and all(row.passed for row in line)
    return first and str(head.name) not in SentReports(outbox).phases
