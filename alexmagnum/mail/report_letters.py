"""Reports, and what the open phase asks for, as letters to everybody who plays.

A letter is written in its player's language and out of his view alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from alexmagnum.game.players import read_players
from alexmagnum.game.records import OVER
from alexmagnum.game.state import Game
from alexmagnum.game.values import Player
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.letters.composition import Letter
from alexmagnum.mail.letters.envelope import can_be_written_to
from alexmagnum.mail.letters.html_letter import dressed, picture
from alexmagnum.mail.letters.phase_section import (
    Asked,
    Enclosed,
    Made,
    files_of,
    list_of_files,
    mark,
    plain_text,
    words_of,
)
from alexmagnum.mail.outbox import DRAFT, Outbox
from alexmagnum.mail.sent_reports import TAKEN, Reports, ToldSoFar, taken_key
from alexmagnum.report.document import PhaseReport
from alexmagnum.report.formats import render_report
from alexmagnum.report.phase_context import PhaseContext
from alexmagnum.report.phase_report import compose_phase_report
from alexmagnum.report.views import View, filter_context

Enclose = Callable[[View, Sentences, str], Enclosed]
"""Makes what goes with the letter to a power, out of its view."""


# -- reports ---------------------------------------------------------------------------------------


def draft_reports(
    outbox: Outbox, context: PhaseContext, enclose: Enclose, *, renew: bool = False
) -> Made:
    """The report of a phase processed, for everybody who plays and knows nothing of it, or
    something else; once.

    ``renew``: none are made, but drafts that nobody has changed are composed anew.
    """
    head, phase = outbox.game.head(), str(context.position.phase)
    reports = Reports(outbox, phase, ToldSoFar(outbox))

    def known(player: Player) -> PhaseContext:
        changes = tuple(reports.changes(player))
        return replace(context, version=reports.version(player), changes=changes)

    carries = phase if head.kind == OVER else str(head.name)
    occasion = _Occasion("report", carries, known, enclose)
    return _draft_all(outbox, occasion, reports.key, renew)


def draft_opening(
    outbox: Outbox, context: PhaseContext, enclose: Enclose, *, renew: bool = False
) -> Made:
    """What the open phase asks for, for everybody who plays; once for every phase."""
    head = outbox.game.head()

    def key(player: Player) -> str:
        return f"phase:{head.id}:{player.power}:{mark(player)}"

    occasion = _Occasion("phase", str(head.name), lambda player: context, enclose)
    return _draft_all(outbox, occasion, key, renew)


def draft_taken_back(
    outbox: Outbox, context: PhaseContext, enclose: Enclose, *, renew: bool = False
) -> Made:
    """That reports were taken back, and what is open again, for everybody whom one has reached."""
    told = ToldSoFar(outbox)

    def key(player: Player) -> str:
        return taken_key(outbox, player, told)

    occasion = _Occasion(TAKEN, str(outbox.game.head().name), lambda player: context, enclose)
    return _draft_all(outbox, occasion, key, renew)


@dataclass(frozen=True, slots=True)
class _Occasion:
    """What letters are about: their kind, the phase whose code they carry, and the report to each
    player."""

    kind: str
    carries: str
    context: Callable[[Player], PhaseContext]
    enclose: Enclose


def _draft_all(
    outbox: Outbox, occasion: _Occasion, key: Callable[[Player], str], renew: bool
) -> Made:
    """Make the letters that are not made yet, or ``renew`` the drafts of those that are; for whom
    ``key`` is "" there is none."""
    made, carries = Made(), occasion.carries
    for player in read_players(outbox.game):
        if not key(player):
            continue
        known = outbox.by_key(key(player))
        if not can_be_written_to(player):
            made.unaddressed.append(player.power)
        elif known is None and not renew:
            letter = _season_letter(outbox.game, occasion, player)
            kind = "phase" if occasion.kind == TAKEN else occasion.kind
            number = outbox.draft(kind, key(player), player.power, letter, phase=carries)
            made.drafted.append(number)
        elif renew and known is not None and known.state == DRAFT:
            letter = _season_letter(outbox.game, occasion, player)
            made.renewed += [known.id] * outbox.renew(known.key, letter)
    return made


def _season_letter(game: Game, occasion: _Occasion, player: Player) -> Letter:
    """A report as a letter, with the map, and for who owes orders the sheet and the deadline."""
    sentences = words_of(game, player)
    shown = filter_context(occasion.context(player), player.power)
    season = compose_phase_report(shown, sentences)
    enclosed = occasion.enclose(shown, sentences, player.power)
    desk = Asked(game, player, sentences)
    files = files_of(desk, season.code, enclosed)
    opening = [
        sentences.format("letter-hello", name=player.name),
        *_what(season, occasion, sentences),
        *desk.paragraphs(),
        *list_of_files(files, sentences),
    ]
    drawn = picture(enclosed.map) if enclosed.map else None
    return Letter(
        subject=_subject(season, occasion, sentences),
        about=season.code,
        text=plain_text(opening, render_report(season, "text")),
        html=dressed(opening, sentences, title=season.phase, season=season, picture=drawn),
        inline=(drawn,) if drawn else (),
        attachments=tuple(files.values()),
        lang=sentences.lang,
    )


def _subject(season: PhaseReport, occasion: _Occasion, sentences: Sentences) -> str:
    if occasion.kind == "report" and season.version > 1:
        return sentences.format("letter-report-again", version=season.version)
    return sentences.format(f"letter-{occasion.kind}")


def _what(season: PhaseReport, occasion: _Occasion, sentences: Sentences) -> Iterator[str]:
    """What the letter is, where that does not go without saying."""
    if occasion.kind == TAKEN:
        yield sentences.format("letter-taken-is", phase=season.phase)
    elif occasion.kind == "report":
        code = "letter-report-is-again" if season.version > 1 else "letter-report-is"
        yield sentences.format(code, phase=season.phase, version=season.version)
