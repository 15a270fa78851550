"""Letters with reports: welcome, report, correction, end of the game."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from alexmagnum.game.deadlines import find_clock_change
from alexmagnum.game.game import Change, Game, GameEnd, Player, Standby
from alexmagnum.game.inbox_store import game_slug, subject_prefix, subject_tag
from alexmagnum.game.letters import (
    DROPPED,
    ENDING,
    OPENING,
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
from alexmagnum.game.orders import find_possible_pick, read_receipt
from alexmagnum.game.people import find_hidden_names, find_takeover, read_people, took_over_after
from alexmagnum.game.phases import find_outcome, list_differences, list_versions
from alexmagnum.game.records import OVER, JournalRow
from alexmagnum.game.submissions import read_advance_orders
from alexmagnum.game.undo import find_lost_orders
from alexmagnum.i18n.dates import format_instant, parse_iso
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail.composition import (
    Attachment,
    CalendarEntry,
    Inline,
    Letter,
    can_be_written_to,
    compose_page,
    inline_picture,
    letter_address,
    phase_words,
    write_cancelled_entry,
    write_deadline_entry,
)
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.receipts import describe_missing
from alexmagnum.notation.names import power_name
from alexmagnum.position import Position
from alexmagnum.report.context import PhaseContext, View, filter_context
from alexmagnum.report.document import PhaseReport, wrap_text
from alexmagnum.report.final_report import BRIEF
from alexmagnum.report.formats import PageMap, render_report
from alexmagnum.report.phase_report import compose_phase_report
from alexmagnum.report.words import describe_required_orders, format_end

# The part of a letter about the open phase: what the player has to send, by when, and how.


RULE = "=" * 70
"""The line between the words to the player and the report.  It must not look like that of a
signature: some mail programs hide what follows one."""


@dataclass(frozen=True, slots=True)
class Enclosed:
    """The pictures of a letter: the map as PNG, the order sheet as a page; empty for none.

    ``front`` is the part of the map with the player's units, for the page of the letter.
    """

    map: bytes = b""
    sheet: str = ""
    front: bytes = b""


@dataclass(slots=True)
class DraftedLetters:
    """The result of a round of letters.

    ``drafted`` and ``renewed`` are the numbers of new drafts and of drafts composed anew;
    ``withdrawn`` those of drafts that say what they may say no longer; ``unaddressed`` are the
    powers that have no address.
    """

    drafted: list[int] = field(default_factory=list)
    renewed: list[int] = field(default_factory=list)
    withdrawn: list[int] = field(default_factory=list)
    unaddressed: list[str] = field(default_factory=list)

    def add(self, more: DraftedLetters) -> None:
        """Add the letters of another round."""
        self.drafted += more.drafted
        self.renewed += more.renewed
        self.withdrawn += more.withdrawn
        self.unaddressed += more.unaddressed


def load_player_sentences(game: Game, player: Player | Standby) -> Sentences:
    """Return the sentences in the language of a player, or of somebody on the standby list."""
    return load_sentences(player.lang or game.settings["lang"])


def join_text(paragraphs: Sequence[str], report: str = "") -> str:
    """Return the text of a letter: its paragraphs, and a report below them."""
    said = "\n\n".join(wrap_text(paragraph) for paragraph in paragraphs) + "\n"
    return f"{said}\n{RULE}\n\n{report}" if report else said


@dataclass(frozen=True, slots=True)
class PhaseSection:
    """The open phase as a letter presents it to one player."""

    game: Game
    player: Player
    sentences: Sentences

    @property
    def phase(self) -> str:
        return phase_words(self.game, str(self.game.head().name), self.sentences.lang)

    @property
    def is_over(self) -> bool:
        return bool(self.game.head().kind == OVER)

    def deadline(self) -> str:
        """Return the deadline in words, or the words for a stopped clock or no deadline."""
        if self.game.paused:
            return self.sentences.format("clock-stopped")
        at = self.game.deadline
        return (
            format_instant(at, self._zone(), self.sentences)
            if at
            else self.sentences.format("no-deadline")
        )

    def deadline_reason(self) -> Iterator[str]:
        """Return the paragraph with the reason of the last change of the deadline, if it has one.

        A reason that names somebody in an anonymous game stays in the journal.
        """
        change = find_clock_change(self.game)
        if change and change.reason and not find_hidden_names(self.game, change.reason):
            yield self.sentences.format("letter-deadline-why", reason=change.reason)

    def _zone(self) -> str:
        return self.game.settings["timezone"]

    def demand(self) -> str:
        """Return what the player has to send, "" if nothing."""
        if self.is_over:
            return ""
        auto = self.game.settings["single_retreat"] == "auto"
        position = self.game.position
        return dict(describe_required_orders(position, self.sentences, auto=auto)).get(
            self.player.power, ""
        )

    def paragraphs(self) -> Iterator[str]:
        """Return the paragraphs on what is open now, and how to answer."""
        if self.is_over:
            yield self.sentences.format("letter-report-over")
            return
        yield self.sentences.format("letter-open", phase=self.phase, deadline=self.deadline())
        yield from self.deadline_reason()
        yield self.due()
        if self.player.has_bot_in(self.game.head().name):
            yield self.sentences.format("letter-bot-stands-in", bot=self.player.bot)
        if self.demand():
            yield self.how_to_answer()
            yield from self._how_to_pick()

    def _how_to_pick(self) -> Iterator[str]:
        """Return the paragraph on how to write a pick, in the Cyprus year."""
        head = self.game.head()
        if head.kind != "picks":
            return
        position = self.game.find_position(head.id)
        centre = find_possible_pick(position, self.player.power)
        name = position.board.provinces[centre].name(self.sentences.lang) if centre else ""
        yield self.sentences.format("letter-how-picks", centre=name)

    def how_to_answer(self) -> str:
        """Return the paragraph on how to answer, so that the code shows whose the orders are."""
        phase = str(self.game.head().name)
        tag = subject_tag(self.game, self.player.power, phase).strip("()")
        return self.sentences.format("letter-how", tag=tag)

    def due(self) -> str:
        owed = self.demand()
        return self.sentences.format("letter-due" if owed else "letter-due-nothing", due=owed)


# -- files -----------------------------------------------------------------------------------------


def collect_files(desk: PhaseSection, about: str, enclosed: Enclosed) -> Mapping[str, Attachment]:
    """Return the files of a letter about a phase, by the code of the sentence that names each."""
    owed = desk.demand()
    files: dict[str, Attachment] = {}
    if enclosed.map:
        files["letter-file-map"] = Attachment(f"map-{about}.png", "image/png", enclosed.map)
    if owed and enclosed.sheet:
        name = f"orders-{desk.game.head().name}-{desk.player.power}.html"
        files["letter-file-sheet"] = Attachment(name, "text/html", enclosed.sheet.encode())
    if owed and desk.game.deadline:
        files |= calendar_file(desk)
    return files


def calendar_file(desk: PhaseSection) -> Mapping[str, Attachment]:
    """Return the deadline as a calendar file, or the file that removes it where none runs."""
    phase, at = str(desk.game.head().name), desk.game.deadline
    code = "letter-file-calendar" if at else "letter-file-no-calendar"
    entry = _entry(desk, phase)
    data = (
        write_deadline_entry(entry, parse_iso(at), desk.due())
        if at
        else write_cancelled_entry(entry)
    )
    return {code: Attachment(f"deadline-{phase}.ics", "text/calendar", data)}


def _entry(desk: PhaseSection, phase: str) -> CalendarEntry:
    game, address = desk.game, desk.game.settings["mail_address"]
    whose = hashlib.sha256(f"{game.info.created} {desk.player.power}".encode()).hexdigest()[:8]
    return CalendarEntry(
        uid=f"{game_slug(game)}-{phase}-{whose}@{address.partition('@')[2]}",
        organizer=address,
        now=game.now(),
        lang=desk.sentences.lang,
        summary=desk.sentences.format(
            "letter-calendar", game=subject_prefix(game), phase=desk.phase
        ),
    )


def describe_files(files: Mapping[str, Attachment], sentences: Sentences) -> Iterator[str]:
    """Return the paragraph that names the files, if there are any."""
    if files:
        yield sentences.format(
            "letter-attached", files="; ".join(sentences.format(code) for code in files)
        )


# The part of a letter to somebody who takes over a power: the orders that they find there.


def welcome_paragraphs(desk: PhaseSection) -> Iterator[str]:
    """Return the paragraphs on the power and on the orders in force, sent by whoever had it before.

    Reports of phases that are over are not repeated: the position is all that counts.
    """
    game, sentences, power = desk.game, desk.sentences, desk.player.power
    name = power_name(game.base, power, sentences)
    yield sentences.format("letter-welcome-is", power=name, game=game.name)
    receipt = read_receipt(game, game.head(), power)
    if receipt and receipt.orders:
        code = "letter-welcome-bot" if receipt.bot else "letter-welcome-orders"
        yield sentences.format(code, orders="; ".join(receipt.orders), bot=receipt.bot)
        if receipt.missing:
            missing = describe_missing(receipt.missing, sentences)
            yield sentences.format("letter-welcome-missing", things=missing)
        else:
            yield sentences.format("letter-welcome-complete")
    elif desk.demand():
        yield sentences.format("letter-welcome-none")
    for kind, orders in read_advance_orders(game, power).get(power, {}).items():
        later = sentences.format(f"ahead-{kind}")
        yield sentences.format("letter-welcome-ahead", later=later, orders="; ".join(orders))


# Letters about the end of the game: the final report, and that a game that had ended goes on.


_OF_THE_END = (ENDING, REOPENING, RETRACTION)
"""Letters that tell whether the game is over: a retraction says that a phase is open again."""


@dataclass(frozen=True, slots=True)
class FinalFiles:
    """The final report in one language: how the game ended, the report, and the map at the end for
    its page and as PNG (empty for none)."""

    end: GameEnd
    position: Position
    report: PhaseReport
    page_map: PageMap | None = None
    map: bytes = b""

    def render(self, form: str) -> str:
        """Return the report in a format."""
        return render_report(self.report, form, self.page_map if form == "html" else None)

    def brief(self) -> PhaseReport:
        """Return the report with the sections that a letter repeats."""
        kept = tuple(section for section in self.report.sections if section.key in BRIEF)
        return replace(self.report, sections=kept)


def find_ending_keys(outbox: Outbox) -> dict[Player, LetterKey]:
    """Return the letters that the game is over: one to every player for every end."""
    told, head = _Told(outbox), outbox.game.head().id
    keys = dict[Player, LetterKey]()
    for player in read_people(outbox.game):
        last = told.last(player)
        if last is None or (last.key.occasion, last.key.opened) != (ENDING, head):
            times = told.count(player, ENDING)
            address = letter_address(player)
            keys[player] = LetterKey(ENDING, player.power, address, opened=head, times=times)
    return keys


def find_reopening_keys(outbox: Outbox) -> dict[Player, LetterKey]:
    """Return the letters, to every player who was told that the game is over, that it goes on."""
    told, head = _Told(outbox), outbox.game.head().id
    keys = dict[Player, LetterKey]()
    for player in read_people(outbox.game):
        last = told.last(player)
        is_told = last is not None and last.key.occasion == ENDING and can_be_written_to(player)
        if last is not None and is_told and not _is_retracted(outbox, player, last):
            times = told.count(player, ENDING)
            address = letter_address(player)
            keys[player] = LetterKey(REOPENING, player.power, address, opened=head, times=times)
    return keys


def _is_retracted(outbox: Outbox, player: Player, ending: Mailing) -> bool:
    """Return whether a letter that takes reports back was drafted since a letter about the end."""
    return any(
        mailing.key.occasion == RETRACTION
        and mailing.power == player.power
        and mailing.id > ending.id
        and mailing.state != DROPPED
        for mailing in outbox.list_letters()
    )


def was_told_of_end(outbox: Outbox, player: Player) -> bool:
    """Return whether the last that a player was told is that the game is over."""
    last = _Told(outbox).last(player)
    return last is not None and last.key.occasion == ENDING


class _Told:
    """The news of the game's end that each player received, by letters that were or may have been
    sent; a player with a new address counts as another player."""

    def __init__(self, outbox: Outbox) -> None:
        self._letters = [
            mailing
            for mailing in outbox.list_letters((SENDING, SENT, UNCERTAIN))
            if mailing.key.occasion in _OF_THE_END
        ]

    def _to(self, player: Player) -> Iterator[Mailing]:
        whose = player.power, letter_address(player)
        return (m for m in self._letters if (m.power, m.key.address) == whose)

    def last(self, player: Player) -> Mailing | None:
        """Return the last letter to a player about the end, None if there is none."""
        return max(self._to(player), key=lambda mailing: mailing.id, default=None)

    def count(self, player: Player, occasion: str) -> int:
        """Return how many letters of an occasion a player was sent."""
        return sum(mailing.key.occasion == occasion for mailing in self._to(player))


def find_last_phase(game: Game) -> str:
    """Return the phase whose code a letter about the end carries."""
    line = game.line()
    return line[-1].name if line else str(game.position.phase)


# -- the letters -----------------------------------------------------------------------------------


def compose_ending(game: Game, player: Player, final: FinalFiles) -> Letter:
    sentences = load_player_sentences(game, player)
    files = _list_files(final)
    opening = [
        sentences.format("letter-hello", name=player.name),
        format_end(final.end, final.position, sentences),
        *_reason(final.end, sentences),
        sentences.format("letter-final-is"),
        *describe_files(files, sentences),
        sentences.format("letter-report-over"),
    ]
    drawn, brief = inline_picture(final.map) if final.map else None, final.brief()
    return Letter(
        subject=sentences.format("letter-ending"),
        about=find_last_phase(game),
        text=join_text(opening, render_report(brief, "text")),
        html=compose_page(opening, sentences, title=brief.phase, season=brief, picture=drawn),
        inline=(drawn,) if drawn else (),
        attachments=tuple(files.values()),
        lang=sentences.lang,
    )


def _list_files(final: FinalFiles) -> dict[str, Attachment]:
    lang, files = final.report.lang, {}
    if final.map:
        files["letter-file-map"] = Attachment("map-final.png", "image/png", final.map)
    files["letter-file-final"] = Attachment(
        f"final-report.{lang}.html", "text/html", final.render("html").encode()
    )
    files["letter-file-final-data"] = Attachment(
        f"final-report.{lang}.json", "application/json", final.render("json").encode()
    )
    return files


def _reason(end: GameEnd, sentences: Sentences) -> Iterator[str]:
    if end.reason:
        yield sentences.format("final-reason", reason=end.reason)


def _why_reopened(game: Game, sentences: Sentences) -> Iterator[str]:
    """Return the reason that the game master gave for opening the game again, if any.

    A reason that names somebody in an anonymous game stays in the journal.
    """
    undone = game.file.find(JournalRow, "WHERE action = 'undo' ORDER BY id DESC")
    if undone and undone.reason and not find_hidden_names(game, undone.reason):
        yield sentences.format("final-reason", reason=undone.reason)


def compose_reopening(game: Game, player: Player) -> Letter:
    sentences = load_player_sentences(game, player)
    section = PhaseSection(game, player, sentences)
    opening = [
        sentences.format("letter-hello", name=player.name),
        sentences.format("letter-reopened-is"),
        *_why_reopened(game, sentences),
        *section.paragraphs(),
    ]
    return Letter(
        subject=sentences.format("letter-reopened"),
        text=join_text(opening),
        html=compose_page(opening, sentences, title=section.phase),
        lang=sentences.lang,
    )


# Reports that each player has received, and which reports and retractions are still to be
# drafted.
#
# Open this for when a corrected report goes out, and what it is compared with.


@dataclass(frozen=True, slots=True)
class Received:
    """The reports that a player received about one phase.

    ``outcomes`` are those reported, in their order.  ``stands`` is False if the player was told
    since that the last of them was taken back.
    """

    outcomes: tuple[int, ...] = ()
    stands: bool = False


class SentReports:
    """The reports each player received about each phase, by letters that were or may be sent.

    A player with a new address counts as another player.
    """

    def __init__(self, outbox: Outbox) -> None:
        self._received: dict[tuple[str, str], dict[str, Received]] = defaultdict(dict)
        names = outbox.game.phases_of_outcomes()
        for mailing in outbox.list_letters((SENDING, SENT, UNCERTAIN)):
            for outcome in mailing.key.outcomes:
                self._add(mailing, outcome, names[outcome])

    def _add(self, mailing: Mailing, outcome: int, phase: str) -> None:
        received = self._received[mailing.power, mailing.key.address]
        before = received.get(phase, Received()).outcomes
        reports = mailing.key.occasion in (REPORT, WELCOME)
        received[phase] = Received((*before, outcome) if reports else before, reports)

    def by_phase(self, player: Player) -> Mapping[str, Received]:
        """Return what a player received, by phase."""
        return self._received.get((player.power, letter_address(player)), {})

    @property
    def phases(self) -> frozenset[str]:
        """The phases about which anybody received a report."""
        return frozenset(phase for received in self._received.values() for phase in received)


def _make_key(occasion: str, outcomes: Collection[int], player: Player, times: int) -> LetterKey:
    """Return the key of a letter about outcomes; ``times`` tells it from another about the same."""
    return LetterKey(
        occasion,
        player.power,
        address=letter_address(player),
        outcomes=tuple(sorted(outcomes)),
        times=times,
    )


class PhaseReports:
    """The report of one processed phase, compared with those that each player has received.

    Versions that a player never received do not count: what was taken back in time may have come
    of orders that do not count, and that nobody is to read.
    """

    def __init__(self, outbox: Outbox, phase: str, sent: SentReports) -> None:
        self._outbox, self._game = outbox, outbox.game
        self._phase, self._sent = phase, sent
        self._outcome = find_outcome(self._game, phase, None).id
        self._versions = {one.id: one.version for one in list_versions(self._game, phase)}
        self._changes: dict[int, tuple[Change, ...]] = {}

    def key(self, player: Player) -> LetterKey | None:
        """Return the key of the letter to a player.

        Return None if the player has a report and nothing has changed since, and for a player who
        took over when the phase was over: their welcome has the position.  A player who came back
        gets the report that was drafted for them before they left.
        """
        known = self._find_received(player)
        is_settled = not known.outcomes or (known.stands and known.outcomes[-1] == self._outcome)
        again = self._outcome in known.outcomes and not self._is_last(known)
        key = _make_key(REPORT, [self._outcome], player, len(known.outcomes) if again else 0)
        if is_settled and took_over_after(self._game, player.power, self._phase):
            return key if self._outbox.by_key(key) else None
        if known.stands and known.outcomes[-1] != self._outcome and not self.changes(player):
            return None
        return key

    def _is_last(self, known: Received) -> bool:
        return known.stands and known.outcomes[-1] == self._outcome

    def version(self, player: Player) -> int:
        """Return which of the reports of the phase this is for a player; the first is 1."""
        return len(self._find_received(player).outcomes) + 1

    def changes(self, player: Player) -> Sequence[Change]:
        """Return what differs from the last report that a player has received."""
        known = self._find_received(player).outcomes
        return self._changes_since(known[-1]) if known else ()

    def _find_received(self, player: Player) -> Received:
        return self._sent.by_phase(player).get(self._phase, Received())

    def _changes_since(self, outcome: int) -> tuple[Change, ...]:
        if outcome not in self._changes:
            since = self._versions[outcome]
            self._changes[outcome] = list_differences(self._game, self._phase, None, since=since)
        return self._changes[outcome]


def retraction_key(outbox: Outbox, player: Player, sent: SentReports) -> LetterKey | None:
    """Return the key of the letter that retracts reports; None if the player has none of those."""
    current = {row.name for row in outbox.game.line()}
    wrong = [
        received
        for phase, received in sent.by_phase(player).items()
        if received.stands and phase not in current
    ]
    if not wrong:
        return None
    outcomes = [received.outcomes[-1] for received in wrong]
    times = sum(len(received.outcomes) for received in wrong)
    return _make_key(RETRACTION, outcomes, player, times)


# -- welcomes --------------------------------------------------------------------------------------

_INFORMS = frozenset({REPORT, RETRACTION, OPENING, WELCOME})
"""Occasions of letters from which a player knows the position."""


def make_welcome_key(game: Game, player: Player) -> LetterKey:
    """Return the key of the letter that welcomes a player as things stand now.

    It changes with the open phase, with what led to it, and with the orders in force.
    """
    head = game.head()
    receipt = None if head.is_over else read_receipt(game, head, player.power)
    resolved = [row.id for row in game.line() if not row.passed]
    return LetterKey(
        WELCOME,
        player.power,
        address=letter_address(player),
        outcomes=tuple(resolved[-1:]),
        opened=int(head.id),
        seal=receipt.digest if receipt else "",
    )


def welcome_key(outbox: Outbox, player: Player) -> LetterKey | None:
    """Return the key of the letter that welcomes a player; None if they need no welcome.

    Players who have had their power from the beginning need none, nor do those who know the
    position from another letter, or whose welcome the game master has dropped.
    """
    game = outbox.game
    if game.head().is_over or not find_takeover(game, player.power):
        return None
    address = letter_address(player)
    for mailing in outbox.list_letters((SENDING, SENT, UNCERTAIN, DROPPED)):
        is_known = mailing.key.occasion in _INFORMS and mailing.state != DROPPED
        is_unwanted = mailing.key.occasion == WELCOME and mailing.problem is None
        to_them = (mailing.power, mailing.key.address) == (player.power, address)
        if to_them and mailing.created >= player.since and (is_known or is_unwanted):
            return None
    return make_welcome_key(game, player)


def has_welcome(outbox: Outbox, player: Player, phase: int) -> bool:
    """Return whether a player has, or is about to get, a welcome with what a phase asks for."""
    return any(
        mailing.key.occasion == WELCOME
        and mailing.key.opened == phase
        and (mailing.power, mailing.key.address) == (player.power, letter_address(player))
        and mailing.created >= player.since
        for mailing in outbox.list_letters()
        if mailing.state != DROPPED
    )


# Letters to every player: reports, retractions of reports, and what the open phase asks for.
#
# A letter is written in its player's language, and of that player's view alone.


Enclose = Callable[[View, Sentences, str], Enclosed]
"""Returns the files that go with the letter to a power, made of its view."""


_SUBJECTS = {
    REPORT: "letter-report",
    OPENING: "letter-phase",
    RETRACTION: "letter-taken",
    WELCOME: "letter-welcome",
}


def find_opening_key(outbox: Outbox, player: Player) -> LetterKey | None:
    """Return the key of the letter on what the open phase asks for, one for every phase.

    A player whose welcome has it gets no second letter.
    """
    head = int(outbox.game.head().id)
    if has_welcome(outbox, player, head):
        return None
    return LetterKey(OPENING, player.power, letter_address(player), opened=head)


def compose_phase_letter(
    outbox: Outbox, key: LetterKey, player: Player, context: PhaseContext, enclose: Enclose
) -> Letter:
    """Write a report as a letter, with the map; with sheet and deadline if orders are owed."""
    game = outbox.game
    sentences = load_player_sentences(game, player)
    shown = filter_context(context, player.power)
    season = compose_phase_report(shown, sentences)
    enclosed = enclose(shown, sentences, player.power)
    desk = PhaseSection(game, player, sentences)
    files = collect_files(desk, season.code, enclosed)
    opening = [
        sentences.format("letter-hello", name=player.name),
        *_purpose(season, key.occasion, desk),
        *_retraction(outbox, player, key, season, sentences),
        *desk.paragraphs(),
        *describe_files(files, sentences),
    ]
    drawn = _inline_map(enclosed, sentences)
    return Letter(
        subject=_subject(season, key.occasion, sentences),
        about=season.code,
        text=join_text(opening, render_report(season, "text")),
        html=compose_page(opening, sentences, title=season.phase, season=season, picture=drawn),
        inline=(drawn,) if drawn else (),
        attachments=tuple(files.values()),
        lang=sentences.lang,
    )


def _inline_map(enclosed: Enclosed, sentences: Sentences) -> Inline | None:
    """Return the picture in the page of a letter: the player's front, else the whole map."""
    if enclosed.front:
        return inline_picture(enclosed.front, sentences.format("page-front"))
    return inline_picture(enclosed.map) if enclosed.map else None


def _subject(season: PhaseReport, occasion: str, sentences: Sentences) -> str:
    if occasion == REPORT and season.version > 1:
        return sentences.format("letter-report-again", version=season.version)
    return sentences.format(_SUBJECTS[occasion])


def _purpose(season: PhaseReport, occasion: str, desk: PhaseSection) -> Iterator[str]:
    """Return the paragraphs that say what the letter is, where that is not obvious."""
    sentences = desk.sentences
    if occasion == WELCOME:
        yield from welcome_paragraphs(desk)
    elif occasion == REPORT:
        code = "letter-report-is-again" if season.version > 1 else "letter-report-is"
        yield sentences.format(code, phase=season.phase, version=season.version)


def _retraction(
    outbox: Outbox, player: Player, key: LetterKey, season: PhaseReport, sentences: Sentences
) -> Iterator[str]:
    """Return the paragraphs that say which reports no longer count, in a letter about that.

    The open phase was undone if it is among them; else a correction led to another phase.
    """
    if key.occasion != RETRACTION:
        return
    names = outbox.game.phases_of_outcomes()
    void = [names[outcome] for outcome in key.outcomes]
    phases = "; ".join(phase_words(outbox.game, name, sentences.lang) for name in void)
    if season.code in void:
        yield sentences.format("letter-taken-is", phase=season.phase)
        yield sentences.format("letter-void-list", phases=phases)
        reopened = max(outcome for outcome in key.outcomes if names[outcome] == season.code)
        yield from _lost_orders(outbox.game, player, reopened, sentences)
    else:
        yield sentences.format("letter-void-is", phase=season.phase, phases=phases)
    if was_told_of_end(outbox, player):
        yield sentences.format("letter-reopened-is")


def _lost_orders(game: Game, player: Player, outcome: int, sentences: Sentences) -> Iterator[str]:
    """Return the paragraph that names the player's orders that no longer fit, with the reasons."""
    lost = [
        f"{misfit.order} ({sentences.format(misfit.code, **misfit.data)})"
        for misfit in find_lost_orders(game, player.power, outcome)
    ]
    if lost:
        yield sentences.format("letter-lost-orders", orders="; ".join(lost))
