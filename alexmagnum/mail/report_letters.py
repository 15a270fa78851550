"""Letters to every player: reports, retractions of reports, and what the open phase asks for.

A letter is written in its player's language, and of that player's view alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace

from alexmagnum.game.misfits import find_lost_orders
from alexmagnum.game.outbox_store import (
    DRAFT,
    OPENING,
    REPORT,
    RETRACTION,
    WELCOME,
    LetterKey,
)
from alexmagnum.game.players import read_people
from alexmagnum.game.records import OVER
from alexmagnum.game.state import Game
from alexmagnum.game.values import Player
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.ending_letters import was_told_of_end
from alexmagnum.mail.letters.composition import Inline, Letter
from alexmagnum.mail.letters.envelope import can_be_written_to, letter_address, phase_words
from alexmagnum.mail.letters.html_letter import compose_page, inline_picture
from alexmagnum.mail.letters.phase_section import (
    DraftedLetters,
    Enclosed,
    PhaseSection,
    collect_files,
    describe_files,
    join_text,
    load_player_sentences,
)
from alexmagnum.mail.letters.welcome import welcome_paragraphs
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sent_reports import (
    PhaseReports,
    SentReports,
    has_welcome,
    retraction_key,
    welcome_key,
)
from alexmagnum.report.document import PhaseReport
from alexmagnum.report.formats import render_report
from alexmagnum.report.phase_context import PhaseContext
from alexmagnum.report.phase_report import compose_phase_report
from alexmagnum.report.views import View, filter_context

Enclose = Callable[[View, Sentences, str], Enclosed]
"""Returns the files that go with the letter to a power, made of its view."""


_SUBJECTS = {
    REPORT: "letter-report",
    OPENING: "letter-phase",
    RETRACTION: "letter-taken",
    WELCOME: "letter-welcome",
}


# -- reports ---------------------------------------------------------------------------------------


def draft_reports(
    outbox: Outbox,
    context: PhaseContext,
    enclose: Enclose,
    sent: SentReports,
    *,
    renew: bool = False,
) -> DraftedLetters:
    """Draft the report of a processed phase for every player who has no report or another one.

    ``sent`` is what the players have received.  With ``renew`` nothing new is drafted; drafts that
    nobody has changed are composed anew.
    """
    head, phase = outbox.game.head(), str(context.position.phase)
    reports = PhaseReports(outbox, phase, sent)

    def context_for(player: Player) -> PhaseContext:
        changes = tuple(reports.changes(player))
        return replace(context, version=reports.version(player), changes=changes)

    carries = phase if head.kind == OVER else str(head.name)
    occasion = _Occasion(REPORT, carries, context_for, enclose)
    return _draft_all(outbox, occasion, reports.key, renew)


def draft_opening(
    outbox: Outbox, context: PhaseContext, enclose: Enclose, *, renew: bool = False
) -> DraftedLetters:
    """Draft what the open phase asks for, for every player, once for every phase.

    A player whose welcome has it gets no second letter.
    """
    head = outbox.game.head()

    def key(player: Player) -> LetterKey | None:
        if has_welcome(outbox, player, int(head.id)):
            return None
        return LetterKey(OPENING, player.power, letter_address(player), opened=int(head.id))

    occasion = _Occasion(OPENING, str(head.name), lambda player: context, enclose)
    return _draft_all(outbox, occasion, key, renew)


def draft_welcomes(
    outbox: Outbox, context: Callable[[], PhaseContext], enclose: Enclose, *, renew: bool = False
) -> DraftedLetters:
    """Draft, once for every player who took over a power, a letter with the position, the orders
    in force, what is due and the house rules.

    ``context`` is called only if somebody gets a letter.
    """
    phase = str(outbox.game.head().name)

    def context_for(player: Player) -> PhaseContext:
        return replace(context(), lists_house_rules=True)

    occasion = _Occasion(WELCOME, phase, context_for, enclose)
    return _draft_all(outbox, occasion, lambda player: welcome_key(outbox, player), renew)


def draft_retractions(
    outbox: Outbox,
    context: Callable[[], PhaseContext],
    enclose: Enclose,
    sent: SentReports,
    *,
    renew: bool = False,
) -> DraftedLetters:
    """Draft, for every player who has received one of them, that reports were taken back.

    The letters say what is open again; ``context`` is called only if somebody gets a letter.
    ``sent`` is what the players have received.
    """

    def key(player: Player) -> LetterKey | None:
        return retraction_key(outbox, player, sent)

    occasion = _Occasion(
        RETRACTION, str(outbox.game.head().name), lambda player: context(), enclose
    )
    return _draft_all(outbox, occasion, key, renew)


@dataclass(frozen=True, slots=True)
class _Occasion:
    """The subject of a round of letters.

    ``carries`` is the phase whose code they carry, ``context`` returns what the report to a player
    is made of.
    """

    name: str
    carries: str
    context: Callable[[Player], PhaseContext]
    enclose: Enclose


def _draft_all(
    outbox: Outbox, occasion: _Occasion, key: Callable[[Player], LetterKey | None], renew: bool
) -> DraftedLetters:
    """Draft the letters that are not drafted yet, or ``renew`` the drafts there are.

    A player gets no letter if ``key`` returns None for them.
    """
    made, letters = DraftedLetters(), dict[LetterKey, Letter]()
    wanted_by = {player: wanted for player in read_people(outbox.game) if (wanted := key(player))}
    drafts = outbox.by_keys(wanted_by.values())
    for player, wanted in wanted_by.items():
        known = drafts.get(wanted)
        if not can_be_written_to(player):
            made.unaddressed.append(player.power)
        elif (known is not None and known.state == DRAFT) if renew else known is None:
            letters[wanted] = _phase_letter(outbox, occasion, player, wanted)
    # One transaction for all, begun when the pictures are drawn: others wait for it.
    if not renew:
        made.drafted += outbox.draft_all(letters, phase=occasion.carries) if letters else []
        return made
    with outbox.file.writing("draft") if letters else nullcontext():
        for wanted, letter in letters.items():
            if number := outbox.renew(wanted, letter, phase=occasion.carries):
                made.renewed.append(number)
    return made


def _phase_letter(outbox: Outbox, occasion: _Occasion, player: Player, key: LetterKey) -> Letter:
    """Write a report as a letter, with the map; with sheet and deadline if orders are owed."""
    game = outbox.game
    sentences = load_player_sentences(game, player)
    shown = filter_context(occasion.context(player), player.power)
    season = compose_phase_report(shown, sentences)
    enclosed = occasion.enclose(shown, sentences, player.power)
    desk = PhaseSection(game, player, sentences)
    files = collect_files(desk, season.code, enclosed)
    opening = [
        sentences.format("letter-hello", name=player.name),
        *_purpose(season, occasion, desk),
        *_retraction(outbox, player, key, season, sentences),
        *desk.paragraphs(),
        *describe_files(files, sentences),
    ]
    drawn = _inline_map(enclosed, sentences)
    return Letter(
        subject=_subject(season, occasion, sentences),
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


def _subject(season: PhaseReport, occasion: _Occasion, sentences: Sentences) -> str:
    """Return the subject without the game and the phase."""
    if occasion.name == REPORT and season.version > 1:
        return sentences.format("letter-report-again", version=season.version)
    return sentences.format(_SUBJECTS[occasion.name])


def _purpose(season: PhaseReport, occasion: _Occasion, desk: PhaseSection) -> Iterator[str]:
    """Return the paragraphs that say what the letter is, where that is not obvious."""
    sentences = desk.sentences
    if occasion.name == WELCOME:
        yield from welcome_paragraphs(desk)
    elif occasion.name == REPORT:
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
