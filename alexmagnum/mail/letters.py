"""Letters with reports: welcome, report, correction, end of the game."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from alexmagnum.game.deadlines import find_clock_change
from alexmagnum.game.game import Change, Game, GameEnd, Player, Standby
from alexmagnum.game.inbox_store import game_slug, subject_prefix, subject_tag
from alexmagnum.game.letters import (
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
from alexmagnum.game.people import find_hidden_names, took_over_after
from alexmagnum.game.phases import find_outcome, list_differences, list_versions
from alexmagnum.game.records import Entry
from alexmagnum.game.submissions import read_advance_orders
from alexmagnum.game.undo import find_lost_orders
from alexmagnum.i18n.dates import format_instant, parse_iso
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail.composition import (
    Attachment,
    Inline,
    Letter,
    compose_page,
    find_last_phase,
    inline_picture,
    letter_address,
    phase_words,
    write_calendar_entry,
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
    powers that have no address.  ``dropped`` and ``back`` count the drafts that were overtaken by
    events, and those that are right again.
    """

    drafted: list[int] = field(default_factory=list)
    renewed: list[int] = field(default_factory=list)
    withdrawn: list[int] = field(default_factory=list)
    unaddressed: list[str] = field(default_factory=list)
    dropped: int = 0
    back: int = 0


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

    def deadline(self) -> str:
        """Return the deadline in words, or the words for a stopped clock or no deadline."""
        if self.game.paused:
            return self.sentences.format("clock-stopped")
        at, zone = self.game.deadline, self.game.settings["timezone"]
        return (
            format_instant(at, zone, self.sentences) if at else self.sentences.format("no-deadline")
        )

    def deadline_reason(self) -> Iterator[str]:
        """Return the paragraph with the reason of the last change of the deadline, if it has one.

        A reason that names somebody in an anonymous game stays in the journal.
        """
        change = find_clock_change(self.game)
        if change and change.reason and not find_hidden_names(self.game, change.reason):
            yield self.sentences.format("letter-deadline-why", reason=change.reason)

    def demand(self) -> str:
        """Return what the player has to send, "" if nothing."""
        if self.game.head().is_over:
            return ""
        auto = self.game.settings["single_retreat"] == "auto"
        position = self.game.position
        return dict(describe_required_orders(position, self.sentences, auto=auto)).get(
            self.player.power, ""
        )

    def paragraphs(self) -> Iterator[str]:
        """Return the paragraphs on what is open now, and how to answer."""
        if self.game.head().is_over:
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


def write_letter(
    sentences: Sentences,
    subject: str,
    opening: Sequence[str],
    report: PhaseReport | None = None,
    *,
    title: str = "",
    about: str = "",
    picture: Inline | None = None,
    files: Iterable[Attachment] = (),
) -> Letter:
    """Return a letter as text and as a page: paragraphs, and a report with its picture below."""
    return Letter(
        subject=subject,
        about=about or (report.code if report else ""),
        text=join_text(opening, render_report(report, "text") if report else ""),
        html=compose_page(
            opening,
            sentences,
            title=title or (report.phase if report else subject),
            season=report,
            picture=picture,
        ),
        inline=(picture,) if picture else (),
        attachments=tuple(files),
        lang=sentences.lang,
    )


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
    game, phase, at = desk.game, str(desk.game.head().name), desk.game.deadline
    address, said = game.settings["mail_address"], desk.sentences
    whose = hashlib.sha256(f"{game.info.created} {desk.player.power}".encode()).hexdigest()[:8]
    data = write_calendar_entry(
        f"{game_slug(game)}-{phase}-{whose}@{address.partition('@')[2]}",
        address,
        game.now(),
        said.format("letter-calendar", game=subject_prefix(game), phase=desk.phase),
        said.lang,
        parse_iso(at) if at else None,
        desk.due(),
    )
    code = "letter-file-calendar" if at else "letter-file-no-calendar"
    return {code: Attachment(f"deadline-{phase}.ics", "text/calendar", data)}


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


# -- the letters -----------------------------------------------------------------------------------


def compose_ending(game: Game, player: Player, final: FinalFiles) -> Letter:
    sentences = load_player_sentences(game, player)
    files = _list_files(final)
    opening = [
        sentences.format("letter-hello", name=player.name),
        format_end(final.end, final.position, sentences),
        *([sentences.format("final-reason", reason=final.end.reason)] * bool(final.end.reason)),
        sentences.format("letter-final-is"),
        *describe_files(files, sentences),
        sentences.format("letter-report-over"),
    ]
    return write_letter(
        sentences,
        sentences.format("letter-ending"),
        opening,
        final.brief(),
        about=find_last_phase(game),
        picture=inline_picture(final.map) if final.map else None,
        files=files.values(),
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


def _why_reopened(game: Game, sentences: Sentences) -> Iterator[str]:
    """Return the reason that the game master gave for opening the game again, if any.

    A reason that names somebody in an anonymous game stays in the journal.
    """
    undone = game.file.find(Entry, "WHERE action = 'undo' ORDER BY id DESC")
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
    return write_letter(
        sentences, sentences.format("letter-reopened"), opening, title=section.phase
    )


# What players know from the letters that they received.


@dataclass(frozen=True, slots=True)
class Received:
    """The reports that a player received about one phase.

    ``outcomes`` are those reported, in their order.  ``stands`` is False if the player was told
    since that the last of them was taken back.
    """

    outcomes: tuple[int, ...] = ()
    stands: bool = False


class Correspondence:
    """The letters of a game so far, and what each player knows from those that were or may be sent.

    A player with a new address counts as another player.
    """

    def __init__(self, outbox: Outbox) -> None:
        self.game = outbox.game
        self.letters = outbox.list_letters()
        self.by_key = {mailing.key: mailing for mailing in reversed(self.letters)}
        self.phases = self.game.phases_of_outcomes()
        self._sent: dict[tuple[str, str], list[Mailing]] = defaultdict(list)
        self._received: dict[tuple[str, str], dict[str, Received]] = defaultdict(dict)
        for mailing in self.letters:
            if mailing.state in (SENDING, SENT, UNCERTAIN):
                self._note_sent(mailing)

    def _note_sent(self, mailing: Mailing) -> None:
        self._sent[mailing.power, mailing.address].append(mailing)
        received = self._received[mailing.power, mailing.key.address]
        reports = mailing.key.occasion in (REPORT, WELCOME)
        for outcome in mailing.key.outcomes:
            phase = self.phases[outcome]
            before = received.get(phase, Received()).outcomes
            received[phase] = Received((*before, outcome) if reports else before, reports)

    def list_sent(self, player: Player) -> Sequence[Mailing]:
        """Return the letters that a player received, or may have, oldest first."""
        return self._sent.get((player.power, letter_address(player)), ())

    def list_news_of_end(self, player: Player) -> Sequence[Mailing]:
        """Return the letters from which a player knows whether the game is over.

        A retraction says that a phase is open again.
        """
        occasions = (ENDING, REOPENING, RETRACTION)
        return [one for one in self.list_sent(player) if one.key.occasion in occasions]

    def was_told_of_end(self, player: Player) -> bool:
        """Return whether the last that a player was told is that the game is over."""
        told = self.list_news_of_end(player)
        return bool(told) and told[-1].key.occasion == ENDING

    def reports_to(self, player: Player) -> Mapping[str, Received]:
        """Return the reports that a player received, by phase."""
        return self._received.get((player.power, letter_address(player)), {})

    @property
    def reported_phases(self) -> frozenset[str]:
        """The phases about which anybody received a report."""
        return frozenset(phase for received in self._received.values() for phase in received)


class PhaseReports:
    """The report of one processed phase, compared with those that each player has received.

    Versions that a player never received do not count: what was taken back in time may have come
    of orders that do not count, and that nobody is to read.
    """

    def __init__(self, told: Correspondence, phase: str) -> None:
        self._told, self._game, self._phase = told, told.game, phase
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
        is_last = known.stands and known.outcomes[-1] == self._outcome
        is_settled = not known.outcomes or is_last
        again = self._outcome in known.outcomes and not is_last
        times = len(known.outcomes) if again else 0
        address = letter_address(player)
        key = LetterKey(REPORT, player.power, address, (self._outcome,), times=times)
        if is_settled and took_over_after(self._game, player.power, self._phase):
            return key if key in self._told.by_key else None
        if known.stands and not is_last and not self.changes(player):
            return None
        return key

    def version(self, player: Player) -> int:
        """Return which of the reports of the phase this is for a player; the first is 1."""
        return len(self._find_received(player).outcomes) + 1

    def changes(self, player: Player) -> Sequence[Change]:
        """Return what differs from the last report that a player has received."""
        known = self._find_received(player).outcomes
        if not known:
            return ()
        if known[-1] not in self._changes:
            since = self._versions[known[-1]]
            self._changes[known[-1]] = list_differences(self._game, self._phase, None, since=since)
        return self._changes[known[-1]]

    def _find_received(self, player: Player) -> Received:
        return self._told.reports_to(player).get(self._phase, Received())


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


def compose_phase_letter(
    told: Correspondence, key: LetterKey, player: Player, context: PhaseContext, enclose: Enclose
) -> Letter:
    """Write a report as a letter, with the map; with sheet and deadline if orders are owed."""
    game = told.game
    sentences = load_player_sentences(game, player)
    shown = filter_context(context, player.power)
    season = compose_phase_report(shown, sentences)
    enclosed = enclose(shown, sentences, player.power)
    desk = PhaseSection(game, player, sentences)
    files = collect_files(desk, season.code, enclosed)
    opening = [
        sentences.format("letter-hello", name=player.name),
        *_purpose(season, key.occasion, desk),
        *_retraction(told, player, key, season, sentences),
        *desk.paragraphs(),
        *describe_files(files, sentences),
    ]
    picture = None
    if enclosed.front:  # the part of the map with the player's units
        picture = inline_picture(enclosed.front, sentences.format("page-front"))
    elif enclosed.map:
        picture = inline_picture(enclosed.map)
    if key.occasion == REPORT and season.version > 1:
        subject = sentences.format("letter-report-again", version=season.version)
    else:
        subject = sentences.format(_SUBJECTS[key.occasion])
    return write_letter(sentences, subject, opening, season, picture=picture, files=files.values())


def _purpose(season: PhaseReport, occasion: str, desk: PhaseSection) -> Iterator[str]:
    """Return the paragraphs that say what the letter is, where that is not obvious."""
    sentences = desk.sentences
    if occasion == WELCOME:
        yield from welcome_paragraphs(desk)
    elif occasion == REPORT:
        code = "letter-report-is-again" if season.version > 1 else "letter-report-is"
        yield sentences.format(code, phase=season.phase, version=season.version)


def _retraction(
    told: Correspondence, player: Player, key: LetterKey, season: PhaseReport, sentences: Sentences
) -> Iterator[str]:
    """Return the paragraphs that say which reports no longer count, in a letter about that.

    The open phase was undone if it is among them; else a correction led to another phase.
    """
    if key.occasion != RETRACTION:
        return
    names = told.phases
    void = [names[outcome] for outcome in key.outcomes]
    phases = "; ".join(phase_words(told.game, name, sentences.lang) for name in void)
    if season.code in void:
        yield sentences.format("letter-taken-is", phase=season.phase)
        yield sentences.format("letter-void-list", phases=phases)
        reopened = max(outcome for outcome in key.outcomes if names[outcome] == season.code)
        yield from _lost_orders(told.game, player, reopened, sentences)
    else:
        yield sentences.format("letter-void-is", phase=season.phase, phases=phases)
    if told.was_told_of_end(player):
        yield sentences.format("letter-reopened-is")


def _lost_orders(game: Game, player: Player, outcome: int, sentences: Sentences) -> Iterator[str]:
    lost = [
        f"{misfit.order} ({sentences.format(misfit.code, **misfit.data)})"
        for misfit in find_lost_orders(game, player.power, outcome)
    ]
    if lost:
        yield sentences.format("letter-lost-orders", orders="; ".join(lost))
