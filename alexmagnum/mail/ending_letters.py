"""Letters about the end of the game: the final report, and that a game that had ended goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from alexmagnum.game.anonymity import find_hidden_names
from alexmagnum.game.history import read_history
from alexmagnum.game.outbox_store import (
    ENDING,
    REOPENING,
    RETRACTION,
    SENDING,
    SENT,
    UNCERTAIN,
    LetterKey,
    Mailing,
)
from alexmagnum.game.players import read_people
from alexmagnum.game.state import Game
from alexmagnum.game.values import GameEnd, Player
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.letters.composition import Attachment, Letter
from alexmagnum.mail.letters.envelope import can_be_written_to, letter_address
from alexmagnum.mail.letters.html_letter import compose_page, inline_picture
from alexmagnum.mail.letters.phase_section import (
    DraftedLetters,
    PhaseSection,
    describe_files,
    join_text,
    load_player_sentences,
)
from alexmagnum.mail.outbox import Outbox
from alexmagnum.position import Position
from alexmagnum.report.document import PhaseReport
from alexmagnum.report.ending_text import format_end
from alexmagnum.report.final_report import BRIEF
from alexmagnum.report.formats import render_report
from alexmagnum.report.map_pictures import PageMap

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


def draft_ending(outbox: Outbox, final: Callable[[Sentences], FinalFiles]) -> DraftedLetters:
    """Draft for every player that the game is over, with the final report, once for every end."""
    game, letters = outbox.game, dict[LetterKey, Letter]()
    made, told, head = DraftedLetters(), _Told(outbox), outbox.game.head().id
    for player in read_people(game):
        last = told.last(player)
        if last is not None and (last.key.occasion, last.key.opened) == (ENDING, head):
            continue
        times = told.count(player, ENDING)
        key = LetterKey(ENDING, player.power, letter_address(player), opened=head, times=times)
        if not can_be_written_to(player):
            made.unaddressed.append(player.power)
        elif outbox.by_key(key) is None:
            letters[key] = _ending_letter(game, player, final(load_player_sentences(game, player)))
    made.drafted += outbox.draft_all(letters, phase=_last_phase(game)) if letters else []
    return made


def draft_reopening(outbox: Outbox) -> DraftedLetters:
    """Draft, for every player who was told that the game is over, that it goes on."""
    game, made, told = outbox.game, DraftedLetters(), _Told(outbox)
    head = game.head().id
    for player in read_people(game):
        last = told.last(player)
        if last is None or last.key.occasion != ENDING or not can_be_written_to(player):
            continue
        times = told.count(player, ENDING)
        key = LetterKey(REOPENING, player.power, letter_address(player), opened=head, times=times)
        if outbox.by_key(key) is None and not _is_retracted(outbox, player, last):
            made.drafted.append(outbox.draft(key, _reopening_letter(game, player)))
    return made


def _is_retracted(outbox: Outbox, player: Player, ending: Mailing) -> bool:
    """Return whether a letter that takes reports back was drafted since a letter about the end."""
    return any(
        mailing.key.occasion == RETRACTION
        and mailing.power == player.power
        and mailing.id > ending.id
        and mailing.state != "dropped"
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


def _last_phase(game: Game) -> str:
    """Return the phase whose code a letter about the end carries."""
    line = game.line()
    return line[-1].name if line else str(game.position(game.head().id).phase)


# -- the letters -----------------------------------------------------------------------------------


def _ending_letter(game: Game, player: Player, final: FinalFiles) -> Letter:
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
        about=_last_phase(game),
        text=join_text(opening, render_report(brief, "text")),
        html=compose_page(opening, sentences, title=brief.phase, season=brief, picture=drawn),
        inline=(drawn,) if drawn else (),
        attachments=tuple(files.values()),
        lang=sentences.lang,
    )


def _list_files(final: FinalFiles) -> dict[str, Attachment]:
    """Return the files of a letter about the end, by the sentence that names each."""
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
    undone = [entry for entry in read_history(game, None, None, None) if entry.action == "undo"]
    if undone and undone[-1].reason and not find_hidden_names(game, undone[-1].reason):
        yield sentences.format("final-reason", reason=undone[-1].reason)


def _reopening_letter(game: Game, player: Player) -> Letter:
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
