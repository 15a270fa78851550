"""All that the files and letters of an act show, each thing made once; and one report on demand.

Open this for what a report, an order sheet or a letter is made of.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from alexmagnum.cases.files import read_turn, resolve_turn
from alexmagnum.game import mail_store
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import GameEnd, parse_power
from alexmagnum.game.orders import find_required_orders, require_open_phase
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.i18n.dates import format_briefly, format_instant
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.position import Phase, Position
from alexmagnum.report import context as report_context
from alexmagnum.report import formats
from alexmagnum.report.document import PhaseReport
from alexmagnum.report.final_report import BRIEF, compose_final_report
from alexmagnum.report.final_report import CODE as FINAL
from alexmagnum.report.sheet import Sandbox, SheetHeading, render_order_sheet


@dataclass(frozen=True, slots=True)
class FinalFiles:
    """The final report in one language: how the game ended, the report, and the map at the end for
    its page and as PNG (empty for none)."""

    end: GameEnd
    position: Position
    report: PhaseReport
    page_map: formats.PageMap | None = None
    map: bytes = b""

    def render(self, form: str) -> str:
        """Return the report in a format."""
        return formats.render_report(self.report, form, self.page_map if form == "html" else None)

    def brief(self) -> PhaseReport:
        """Return the report with the sections that a letter repeats."""
        kept = tuple(section for section in self.report.sections if section.key in BRIEF)
        return replace(self.report, sections=kept)


@dataclass(frozen=True, slots=True)
class Enclosed:
    """The pictures of a letter: the map as PNG, the order sheet as a page; empty for none.

    ``front`` is the part of the map with the player's units, for the page of the letter.
    """

    map: bytes = b""
    sheet: str = ""
    front: bytes = b""


@dataclass(frozen=True, slots=True)
class OrderSheet:
    """The order sheet of one power: its page and the language of it."""

    power: str
    lang: str
    page: str

    @property
    def file(self) -> str:
        """The name of the sheet's file."""
        return f"{self.power}.{self.lang}.html"


class Materials:
    """Everything that the files and letters of one act show, made when it is first asked for.

    A phase is read once and a picture drawn once however many readers see it.  It holds the game as
    it stands now: make a new one after every change of the game.
    """

    def __init__(self, desk: Desk, maps: formats.MapPictures | None = None) -> None:
        self.desk = desk
        self.maps = maps or formats.MapPictures()
        self._past: dict[str, report_context.PhaseContext] = {}
        self._sheets: dict[tuple[str, str], OrderSheet] = {}
        self._final: dict[str, FinalFiles] = {}

    @property
    def has_pictures(self) -> bool:
        """Tell whether the game has maps and order sheets."""
        return self.desk.settings["pictures"] == "yes"

    def find_context(self, phase: str) -> report_context.PhaseContext:
        """Return the context of a processed phase."""
        if phase not in self._past:
            self._past[phase] = report_context.gather_past_phase(self.desk, phase)
        return self._past[phase]

    @cached_property
    def open(self) -> report_context.PhaseContext:
        """The context of the open phase, without the orders that wait."""
        return report_context.gather_open_phase(self.desk)

    @cached_property
    def _newest(self) -> str:
        return last_processed(self.desk)

    # -- the end of the game ---------------------------------------------------------------------

    @cached_property
    def story(self) -> report_context.GameStory:
        """The whole game, once it is over."""
        return report_context.gather_story(self.desk)

    def final_view(self) -> report_context.View:
        """Return a view of the position at the end of the game, for its map."""
        context = report_context.PhaseContext(game=self.story.game, position=self.story.position)
        return report_context.filter_context(context, None)

    def final(self, sentences: Sentences) -> FinalFiles:
        """Return the final report in a language, and the map at the end."""
        if sentences.lang not in self._final:
            story, view = self.story, self.final_view()
            self._final[sentences.lang] = FinalFiles(
                end=story.end,
                position=story.position,
                report=compose_final_report(story, sentences),
                page_map=self.maps.page(view, sentences) if self.has_pictures else None,
                map=self.maps.png(view, sentences) if self.has_pictures else b"",
            )
        return self._final[sentences.lang]

    # -- pictures and sheets -----------------------------------------------------------------------

    def sheet(self, power: str, sentences: Sentences) -> OrderSheet:
        """Return the order sheet of a power for the open phase; its orders go to the address that
        tells whose they are, if the game has one."""
        key = power, sentences.lang
        if key not in self._sheets:
            desk = self.desk
            address = mail_store.reply_address(desk, power, str(desk.phase))
            at, zone = "" if desk.paused else desk.deadline, desk.settings["timezone"]
            until = format_instant(at, zone, sentences) if at else ""
            brief = format_briefly(at, zone, sentences) if at else ""
            heading = SheetHeading(desk.name, address, until, brief, desk.mark)
            drawn = self.maps.position_svg(desk.position, sentences, desk.name)
            sandbox = Sandbox.of(desk.settings["sandbox"])
            page = render_order_sheet(desk.position, power, sentences, heading, drawn, sandbox)
            self._sheets[key] = OrderSheet(power, sentences.lang, page)
        return self._sheets[key]

    def enclose(self, view: report_context.View, sentences: Sentences, power: str) -> Enclosed:
        """Return what goes with a letter to a power: the map, its front, its sheet if it owes
        orders; nothing with a report of an earlier phase that still waits."""
        if not self.has_pictures:
            return Enclosed()
        owes = self.desk.phase is not None and power in find_required_orders(self.desk.position)
        newest = (self._newest, str(self.desk.phase))
        has_sheet = owes and str(view.content.position.phase) in newest
        page = self.sheet(power, sentences).page if has_sheet else ""
        front = self.maps.front_png(view, sentences, power) if power else b""
        return Enclosed(self.maps.png(view, sentences), page, front)


# Reports and order sheets that somebody asks for.


SVG, PNG = "svg", "png"
"""The formats that ask for the map of a report alone."""


def compose_report(
    desk: Desk,
    phase: str,
    sentences: Sentences,
    recipient: str | None = None,
    form: str = "text",
    *,
    version: int | None = None,
    opened: bool = False,
    reason: str = "",
) -> str | bytes:
    """Return one report of a phase, processed or open; or its map alone, as SVG or PNG.

    ``phase``: its name, "" for the last one processed, ``final`` for the whole game.
    ``recipient``: a power, the game master, or None for everybody.  ``opened``: with the orders
    that wait, which the journal keeps with the ``reason``.
    """
    is_map = form in (SVG, PNG)
    name = phase or last_processed(desk)
    if phase == FINAL:
        materials = Materials(desk)
        if not is_map:
            return materials.final(sentences).render(form)
        seen = materials.final_view()
    else:
        if version is not None or desk.phase is None or name != str(desk.phase):
            context = report_context.gather_past_phase(desk, name, version)
        else:
            context = report_context.gather_open_phase(
                desk, recipient if opened else None, reason=reason
            )
        if not is_map:
            pictures = desk.settings["pictures"] == "yes"
            return formats.format_report(
                context, recipient, form, sentences, opened=opened, pictures=pictures
            )
        seen = report_context.filter_context(context, recipient, opened=opened)
    maps = formats.MapPictures()
    return maps.svg(seen, sentences) if form == SVG else maps.png(seen, sentences)


def last_processed(desk: Desk) -> str:
    """Return the name of the last phase processed; of the open one where none was."""
    done = list_processed_phases(desk)
    return done[-1] if done else str(desk.phase)


def compose_sheets(
    materials: Materials, powers: Sequence[str] = (), lang: str | None = None
) -> tuple[OrderSheet, ...]:
    """Return the order sheets of some powers, or of all that owe orders, for the open phase; in a
    language, or in that of each player.
    """
    desk = materials.desk
    phase = require_open_phase(desk).name
    own = {player.power: player.lang for player in desk.players}
    bots = {player.power for player in desk.players if player.is_bot}
    owing = find_required_orders(desk.position)
    chosen = powers or tuple(power for power in owing if power not in bots)
    if desk.settings["mail_address"]:
        mail_store.find_or_make_codes(desk, chosen, phase)  # all together: each sheet has one
    return tuple(
        materials.sheet(power, load_sentences(lang or own.get(power) or desk.lang))
        for power in chosen
    )


def compose_turn_sheets(
    path: Path, map_id: str | None, powers: Sequence[str], sentences: Sentences
) -> tuple[tuple[OrderSheet, ...], Phase]:
    """Return the order sheets for a turn file's phase, its orders left aside, and that phase."""
    turn = read_turn(path, map_id)
    position = turn.position if turn.position is not None else resolve_turn(turn).position
    heading = SheetHeading(position.board.name(sentences.lang))
    drawn, judging = formats.draw_position_map(position, sentences, heading.game), Sandbox("yes")
    named = [parse_power(position.board, name) for name in powers]
    sheets = tuple(
        OrderSheet(
            power,
            sentences.lang,
            render_order_sheet(position, power, sentences, heading, drawn, judging),
        )
        for power in named or find_required_orders(position)
    )
    return sheets, position.phase
