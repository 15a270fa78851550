"""The part of a letter about the open phase: what the player has to send, by when, and how."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from alexmagnum.game import reply_codes
from alexmagnum.game.anonymity import find_hidden_names
from alexmagnum.game.deadlines import find_clock_change, read_deadline, read_seconds_left
from alexmagnum.game.records import OVER
from alexmagnum.game.required_orders import find_possible_pick
from alexmagnum.game.state import Game
from alexmagnum.game.values import Player, Standby
from alexmagnum.i18n import zones
from alexmagnum.i18n.date_text import format_instant
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail.letters.calendar_entry import (
    CalendarEntry,
    write_cancelled_entry,
    write_deadline_entry,
)
from alexmagnum.mail.letters.composition import Attachment
from alexmagnum.mail.letters.envelope import phase_words
from alexmagnum.report.required_orders_text import describe_required_orders
from alexmagnum.report.wrapping import wrap_text

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
    return load_sentences(player.lang or game.settings()["lang"])


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
        if read_seconds_left(self.game) is not None:
            return self.sentences.format("clock-stopped")
        at = read_deadline(self.game)
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
        return self.game.settings()["timezone"]

    def demand(self) -> str:
        """Return what the player has to send, "" if nothing."""
        if self.is_over:
            return ""
        auto = self.game.settings()["single_retreat"] == "auto"
        position = self.game.position(self.game.head().id)
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
        position = self.game.position(head.id)
        centre = find_possible_pick(position, self.player.power)
        name = position.board.provinces[centre].name(self.sentences.lang) if centre else ""
        yield self.sentences.format("letter-how-picks", centre=name)

    def how_to_answer(self) -> str:
        """Return the paragraph on how to answer, so that the code shows whose the orders are."""
        phase = str(self.game.head().name)
        tag = reply_codes.subject_tag(self.game, self.player.power, phase).strip("()")
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
    if owed and read_deadline(desk.game):
        files |= calendar_file(desk)
    return files


def calendar_file(desk: PhaseSection) -> Mapping[str, Attachment]:
    """Return the deadline as a calendar file, or the file that removes it where none runs."""
    phase, at = str(desk.game.head().name), read_deadline(desk.game)
    code = "letter-file-calendar" if at else "letter-file-no-calendar"
    entry = _entry(desk, phase)
    data = (
        write_deadline_entry(entry, zones.parse_iso(at), desk.due())
        if at
        else write_cancelled_entry(entry)
    )
    return {code: Attachment(f"deadline-{phase}.ics", "text/calendar", data)}


def _entry(desk: PhaseSection, phase: str) -> CalendarEntry:
    """Return the calendar entry for a phase, whose name is unique among games and players."""
    game, address = desk.game, desk.game.settings()["mail_address"]
    whose = hashlib.sha256(f"{game.info.created} {desk.player.power}".encode()).hexdigest()[:8]
    return CalendarEntry(
        uid=f"{reply_codes.game_slug(game)}-{phase}-{whose}@{address.partition('@')[2]}",
        organizer=address,
        now=game.now(),
        lang=desk.sentences.lang,
        summary=desk.sentences.format(
            "letter-calendar", game=reply_codes.subject_prefix(game), phase=desk.phase
        ),
    )


def describe_files(files: Mapping[str, Attachment], sentences: Sentences) -> Iterator[str]:
    """Return the paragraph that names the files, if there are any."""
    if files:
        yield sentences.format(
            "letter-attached", files="; ".join(sentences.format(code) for code in files)
        )
