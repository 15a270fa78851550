"""Reports, and what the open phase asks for, as letters to everybody who plays.

A letter is written in its player's language and out of his view alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from alexmagnum.game.people import players
from alexmagnum.game.processing import differences, find_outcome, versions
from alexmagnum.game.state import OVER, Game
from alexmagnum.game.values import Change, Player
from alexmagnum.mail.asked import (
    Asked,
    Enclosed,
    Made,
    files_of,
    list_of_files,
    mark,
    plain_text,
    words_of,
)
from alexmagnum.mail.composing import Letter
from alexmagnum.mail.dressing import dressed, picture
from alexmagnum.mail.envelope import can_be_written_to
from alexmagnum.mail.outbox import DRAFT, Outbox
from alexmagnum.mail.standing import gone, report_key
from alexmagnum.report.document import Season
from alexmagnum.report.formats import render
from alexmagnum.report.season import season_report
from alexmagnum.report.views import SeasonContext, View, view
from alexmagnum.report.words import Words

Enclose = Callable[[View, Words, str], Enclosed]
"""Makes what goes with the letter to a power, out of its view."""


# -- reports ---------------------------------------------------------------------------------------


def draft_reports(
    outbox: Outbox, context: SeasonContext, enclose: Enclose, *, renew: bool = False
) -> Made:
    """The report of a phase processed, for everybody who plays; once for every version of it.

    ``renew``: drafts that were made already, and that nobody has changed, are composed anew.
    """
    game = outbox.game
    phase = str(context.position.phase)
    outcome = int(find_outcome(game, phase, None)["id"])
    head = game.head()
    carries = phase if head["kind"] == OVER else str(head["name"])

    def key(player: Player) -> str:
        return report_key(outcome, player.power, mark(player))

    known = _Known(outbox, context, outcome)
    return _draft_all(outbox, _Occasion("report", carries, known, enclose), key, renew)


def draft_opening(
    outbox: Outbox, context: SeasonContext, enclose: Enclose, *, renew: bool = False
) -> Made:
    """What the open phase asks for, for everybody who plays; once for every phase."""
    head = outbox.game.head()

    def key(player: Player) -> str:
        return f"phase:{head['id']}:{player.power}:{mark(player)}"

    occasion = _Occasion("phase", str(head["name"]), lambda player: context, enclose)
    return _draft_all(outbox, occasion, key, renew)


@dataclass(frozen=True, slots=True)
class _Occasion:
    """What letters are about: their kind, the phase whose code they carry, and the report to each
    player."""

    kind: str
    carries: str
    context: Callable[[Player], SeasonContext]
    enclose: Enclose


class _Known:
    """The report of an outcome, beside the versions before it that each player has.

    Those that did not reach him are none: what was taken back in time may have come of orders that
    do not count, and that nobody is to read.
    """

    def __init__(self, outbox: Outbox, context: SeasonContext, outcome: int) -> None:
        self._game = outbox.game
        self._context = context
        self._phase = str(context.position.phase)
        self._before = [v for v in versions(self._game, self._phase) if v.id < outcome]
        self._gone = gone(outbox)
        self._changes: dict[int, tuple[Change, ...]] = {}

    def __call__(self, player: Player) -> SeasonContext:
        whose = (player.power, mark(player))
        known = [v.version for v in self._before if report_key(v.id, *whose) in self._gone]
        changes = self._since(known[-1]) if known else ()
        return replace(self._context, version=len(known) + 1, changes=changes)

    def _since(self, version: int) -> tuple[Change, ...]:
        if version not in self._changes:
            self._changes[version] = differences(self._game, self._phase, None, since=version)
        return self._changes[version]


def _draft_all(
    outbox: Outbox, occasion: _Occasion, key: Callable[[Player], str], renew: bool
) -> Made:
    made, carries = Made(), occasion.carries
    for player in players(outbox.game):
        known = outbox.by_key(key(player))
        if not can_be_written_to(player):
            made.unaddressed.append(player.power)
        elif known is None:
            letter = _season_letter(outbox.game, occasion, player)
            number = outbox.draft(occasion.kind, key(player), player.power, letter, phase=carries)
            made.drafted.append(number)
        elif renew and known.state == DRAFT:
            letter = _season_letter(outbox.game, occasion, player)
            made.renewed += [known.id] * outbox.renew(known.key, letter)
    return made


def _season_letter(game: Game, occasion: _Occasion, player: Player) -> Letter:
    """A report as a letter, with the map, and for who owes orders the sheet and the deadline."""
    say = words_of(game, player)
    shown = view(occasion.context(player), player.power)
    season = season_report(shown, say)
    enclosed = occasion.enclose(shown, say, player.power)
    desk = Asked(game, player, say)
    files = files_of(desk, season.code, enclosed)
    opening = [
        say.say("letter-hello", name=player.name),
        _what(season, occasion, say),
        *desk.paragraphs(),
        *list_of_files(files, say),
    ]
    drawn = picture(enclosed.map) if enclosed.map else None
    return Letter(
        subject=_subject(season, occasion, say),
        about=season.code,
        text=plain_text(opening, render(season, "text")),
        html=dressed(opening, say, title=season.phase, season=season, picture=drawn),
        inline=(drawn,) if drawn else (),
        attachments=tuple(files.values()),
        lang=say.lang,
    )


def _subject(season: Season, occasion: _Occasion, say: Words) -> str:
    if occasion.kind == "report" and season.version > 1:
        return say.say("letter-report-again", version=season.version)
    return say.say(f"letter-{occasion.kind}")


def _what(season: Season, occasion: _Occasion, say: Words) -> str:
    again = "-again" if occasion.kind == "report" and season.version > 1 else ""
    return say.say(f"letter-{occasion.kind}-is{again}", phase=season.phase, version=season.version)
