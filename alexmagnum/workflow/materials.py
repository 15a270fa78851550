"""Materials for publishing an act: contexts, pictures and order sheets, each made once.

Reports, sheets and letters of one act share one :class:`Materials`, so that a phase is read once
and a picture drawn once however many readers see it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from alexmagnum.game.desk import Desk
from alexmagnum.game.reply_codes import reply_address
from alexmagnum.game.required_orders import find_required_orders
from alexmagnum.i18n.date_text import format_instant
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail.ending_letters import FinalFiles
from alexmagnum.mail.letters.phase_section import Enclosed
from alexmagnum.report.final_report import compose_final_report
from alexmagnum.report.game_story import GameStory, gather_story
from alexmagnum.report.map_pictures import MapPictures
from alexmagnum.report.order_sheet import Sandbox, SheetHeading, render_order_sheet
from alexmagnum.report.phase_context import PhaseContext, gather_open_phase, gather_past_phase
from alexmagnum.report.views import View, filter_context


@dataclass(frozen=True, slots=True)
class Sheet:
    """The order sheet of one power: its page and the language of it."""

    power: str
    lang: str
    page: str

    @property
    def file(self) -> str:
        """The name of the sheet's file."""
        return f"{self.power}.{self.lang}.html"


@dataclass(slots=True)
class Materials:
    """Everything that the files and letters of one act show, made when it is first asked for.

    It holds the game as it stands now: make a new one after every change of the game.
    """

    desk: Desk
    maps: MapPictures = field(default_factory=MapPictures)
    _past: dict[str, PhaseContext] = field(default_factory=dict)
    _open: PhaseContext | None = None
    _sheets: dict[tuple[str, str], Sheet] = field(default_factory=dict)
    _story: GameStory | None = None
    _final: dict[str, FinalFiles] = field(default_factory=dict)

    @property
    def has_pictures(self) -> bool:
        """Tell whether the game has maps and order sheets."""
        return self.desk.settings["pictures"] == "yes"

    def find_context(self, phase: str) -> PhaseContext:
        """Return the context of a processed phase.

        Raises:
            GameError: ``unknown-phase``, ``not-past``.
        """
        if phase not in self._past:
            self._past[phase] = gather_past_phase(self.desk, phase)
        return self._past[phase]

    def open(self) -> PhaseContext:
        """Return the context of the open phase, without the orders that wait."""
        if self._open is None:
            self._open = gather_open_phase(self.desk)
        return self._open

    # -- the end of the game ---------------------------------------------------------------------

    def story(self) -> GameStory:
        """Return the whole game, once it is over.

        Raises:
            GameError: ``game-goes-on``.
        """
        if self._story is None:
            self._story = gather_story(self.desk)
        return self._story

    def final_view(self) -> View:
        """Return a view of the position at the end of the game, for its map."""
        story = self.story()
        return filter_context(PhaseContext(game=story.game, position=story.position), None)

    def final(self, sentences: Sentences) -> FinalFiles:
        """Return the final report in a language, and the map at the end.

        Raises:
            GameError: ``game-goes-on``.
        """
        if sentences.lang not in self._final:
            story, view = self.story(), self.final_view()
            drawn = self.maps.page(view, sentences) if self.has_pictures else None
            self._final[sentences.lang] = FinalFiles(
                end=story.end,
                position=story.position,
                report=compose_final_report(story, sentences),
                page_map=drawn,
                map=self.maps.png(view, sentences) if self.has_pictures else b"",
            )
        return self._final[sentences.lang]

    # -- pictures and sheets -----------------------------------------------------------------------

    def sheet(self, power: str, sentences: Sentences) -> Sheet:
        """Return the order sheet of a power for the open phase.

        Its orders go to the address that tells whose they are, if the game has one.
        """
        key = power, sentences.lang
        if key not in self._sheets:
            desk = self.desk
            address = reply_address(desk.game, power, str(desk.phase))
            heading = SheetHeading(desk.name, address, _deadline(desk, sentences))
            drawn = self.maps.position_svg(desk.position, sentences, desk.name)
            sandbox = Sandbox(desk.settings["sandbox"], desk.settings["sandbox_address"])
            page = render_order_sheet(desk.position, power, sentences, heading, drawn, sandbox)
            self._sheets[key] = Sheet(power, sentences.lang, page)
        return self._sheets[key]

    def start_map(self, phase: str) -> None:
        """Have the map of a processed phase, as everybody sees it, made while other work goes on.

        Raises:
            GameError: ``unknown-phase``, ``not-past``.
        """
        if self.has_pictures:
            view = filter_context(self.find_context(phase), None)
            self.maps.start_png(view, load_sentences(self.desk.lang))

    def start_enclosed(self, phase: str, power: str) -> None:
        """Have the pictures of a processed phase for a power made while other work goes on.

        Raises:
            GameError: ``unknown-phase``, ``not-past``.
        """
        if self.has_pictures:
            view = filter_context(self.find_context(phase), power)
            sentences = load_sentences(languages_by_power(self.desk)[power])
            self.maps.start_png(view, sentences)
            self.maps.start_front(view, sentences, power)

    def enclose(self, view: View, sentences: Sentences, power: str) -> Enclosed:
        """Return what goes with a letter to a power: the map, its front, its sheet if it owes
        orders."""
        if not self.has_pictures:
            return Enclosed()
        owes = self.desk.phase is not None and power in find_required_orders(self.desk.position)
        page = self.sheet(power, sentences).page if owes else ""
        front = self.maps.front_png(view, sentences, power) if power else b""
        return Enclosed(self.maps.png(view, sentences), page, front)


def writes_letters(desk: Desk) -> bool:
    """Tell whether the game has an address, so that letters are drafted."""
    return bool(desk.settings["mail_address"])


def languages_by_power(desk: Desk) -> dict[str, str]:
    """Return the language of every power's player; of the game where the player has set none."""
    own = {player.power: player.lang for player in desk.players}
    return {power: own.get(power) or desk.lang for power in desk.board.powers}


def _deadline(desk: Desk, sentences: Sentences) -> str:
    """Return the deadline of the open phase in words, "" if none runs."""
    if desk.paused or not desk.deadline:
        return ""
    return format_instant(desk.deadline, desk.settings["timezone"], sentences)
