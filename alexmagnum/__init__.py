"""Adjudicator for Alex Magnum, a Diplomacy variant, and for the standard game.

    >>> import alexmagnum
    >>> board = alexmagnum.load_board("standard")
    >>> position = alexmagnum.Position(
    ...     board,
    ...     alexmagnum.parse_phase("1901-spring"),
    ...     (alexmagnum.Unit("Austria", "A", "VIE"), alexmagnum.Unit("Italy", "A", "VEN")),
    ... )
    >>> orders = {
    ...     "Austria": [alexmagnum.read_order("A Vienna - Tyrolia", position)],
    ...     "Italy": [alexmagnum.read_order("A Ven-Tyr", position)],
    ... }
    >>> [entry.result for entry in alexmagnum.adjudicate(position, orders).results]
    ['fails', 'fails']

Everything named here is imported when it is first used.
"""

from __future__ import annotations

from pathlib import Path as _Path
from typing import TYPE_CHECKING

from alexmagnum.builds import SourceDocstring as _SourceDocstring
from alexmagnum.builds import choose_build as _choose_build
from alexmagnum.builds import make_importer as _make_importer
from alexmagnum.builds import read_public_names as _read_public_names

if TYPE_CHECKING:  # the one list of public names: __getattr__ imports what is listed here
    from alexmagnum.board import Border as Border
    from alexmagnum.board import Coast as Coast
    from alexmagnum.board import Portage as Portage
    from alexmagnum.board import Power as Power
    from alexmagnum.board import Province as Province
    from alexmagnum.board import River as River
    from alexmagnum.board import Rules as Rules
    from alexmagnum.board import Strait as Strait
    from alexmagnum.board import known_maps as known_maps
    from alexmagnum.board import load_board as load_board
    from alexmagnum.board import split_location as split_location
    from alexmagnum.board.model import INDEPENDENT as INDEPENDENT
    from alexmagnum.board.model import Board as Board
    from alexmagnum.campaign import Ending as Ending
    from alexmagnum.campaign import coming_phases as coming_phases
    from alexmagnum.campaign import eliminated as eliminated
    from alexmagnum.campaign import ending as ending
    from alexmagnum.campaign import first_position as first_position
    from alexmagnum.campaign import homes_after as homes_after
    from alexmagnum.campaign import next_position as next_position
    from alexmagnum.campaign import owners_after as owners_after
    from alexmagnum.campaign import position_after as position_after
    from alexmagnum.campaign import retreat_position as retreat_position
    from alexmagnum.cases.json_values import from_json as from_json
    from alexmagnum.cases.json_values import to_json as to_json
    from alexmagnum.draw import Scene as Scene
    from alexmagnum.draw import draw_position as draw_position
    from alexmagnum.draw import draw_turn as draw_turn
    from alexmagnum.draw import render_pdf as render_pdf
    from alexmagnum.draw import render_png as render_png
    from alexmagnum.draw import render_svg as render_svg
    from alexmagnum.errors import AlexMagnumError as AlexMagnumError
    from alexmagnum.errors import Ambiguous as Ambiguous
    from alexmagnum.errors import BadFile as BadFile
    from alexmagnum.errors import BadJson as BadJson
    from alexmagnum.errors import BadMap as BadMap
    from alexmagnum.errors import BadOrders as BadOrders
    from alexmagnum.errors import BadPicture as BadPicture
    from alexmagnum.errors import BadPlan as BadPlan
    from alexmagnum.errors import BadPosition as BadPosition
    from alexmagnum.errors import BadPositionText as BadPositionText
    from alexmagnum.errors import BadSwitches as BadSwitches
    from alexmagnum.errors import Fault as Fault
    from alexmagnum.errors import GameError as GameError
    from alexmagnum.errors import Impossible as Impossible
    from alexmagnum.errors import NotationError as NotationError
    from alexmagnum.errors import Unreadable as Unreadable
    from alexmagnum.i18n.sentences import LANGUAGES as LANGUAGES
    from alexmagnum.i18n.sentences import Sentences as Sentences
    from alexmagnum.i18n.sentences import load_sentences as load_sentences
    from alexmagnum.judge import adjudicate as adjudicate
    from alexmagnum.judge.checking import Check as Check
    from alexmagnum.judge.checking import check_orders as check_orders
    from alexmagnum.judge.explanation import Explanation as Explanation
    from alexmagnum.judge.explanation import Step as Step
    from alexmagnum.judge.explanation import explain as explain
    from alexmagnum.judge.explanation import format_reason as format_reason
    from alexmagnum.judge.options import all_legal_orders as all_legal_orders
    from alexmagnum.judge.options import legal_orders as legal_orders
    from alexmagnum.judge.options import legal_orders_of as legal_orders_of
    from alexmagnum.judge.order_sets import OutcomeArrays as OutcomeArrays
    from alexmagnum.judge.order_sets import adjudicate_many as adjudicate_many
    from alexmagnum.judge.other_phases import count_adjustments as count_adjustments
    from alexmagnum.judge.outcome import Fate as Fate
    from alexmagnum.judge.outcome import OrderOutcome as OrderOutcome
    from alexmagnum.judge.outcome import Outcome as Outcome
    from alexmagnum.judge.outcome import Picks as Picks
    from alexmagnum.judge.outcome import Reason as Reason
    from alexmagnum.notation import Line as Line
    from alexmagnum.notation import NotationSettings as NotationSettings
    from alexmagnum.notation import Notice as Notice
    from alexmagnum.notation import Reading as Reading
    from alexmagnum.notation import describe_order as describe_order
    from alexmagnum.notation import find_province as find_province
    from alexmagnum.notation import read_order as read_order
    from alexmagnum.notation import read_orders as read_orders
    from alexmagnum.notation import read_unit as read_unit
    from alexmagnum.notation import write_order as write_order
    from alexmagnum.orders import Build as Build
    from alexmagnum.orders import Convoy as Convoy
    from alexmagnum.orders import Disband as Disband
    from alexmagnum.orders import Hold as Hold
    from alexmagnum.orders import Move as Move
    from alexmagnum.orders import MovementOrder as MovementOrder
    from alexmagnum.orders import Order as Order
    from alexmagnum.orders import Pick as Pick
    from alexmagnum.orders import Remove as Remove
    from alexmagnum.orders import Retreat as Retreat
    from alexmagnum.orders import RetreatOrder as RetreatOrder
    from alexmagnum.orders import Support as Support
    from alexmagnum.orders import Waive as Waive
    from alexmagnum.orders import WinterOrder as WinterOrder
    from alexmagnum.play import play_game as play_game
    from alexmagnum.position import Dislodged as Dislodged
    from alexmagnum.position import Phase as Phase
    from alexmagnum.position import Position as Position
    from alexmagnum.position import Unit as Unit
    from alexmagnum.position import parse_phase as parse_phase

__version__ = "0.1.0"

__build__ = _choose_build(_Path(__file__).parent)
"""``compiled``, ``interpreted``, or ``interpreted: `` and why the compiled files are not used."""

_HOME = _read_public_names(_Path(__file__))
_import_name = _make_importer(__name__, _HOME)

__all__ = ["__build__", "__version__", *_HOME]  # noqa: PLE0604 - strings all


def __getattr__(name: str) -> object:
    """Import a public name from its room on first use, so that the command starts fast."""
    value = _import_name(name)
    if isinstance(value, type) and not value.__doc__:
        value.__doc__ = _SourceDocstring()  # type: ignore[assignment]
    globals()[name] = value
    from alexmagnum.values import register_drawing

    register_drawing(_draw)
    return value


def _draw(value: object) -> str | None:
    """Return the picture of a value for notebooks; drawing loads with the first one."""
    from alexmagnum.draw.pictures import draw_for_notebook

    return draw_for_notebook(value)  # type: ignore[arg-type]


def __dir__() -> list[str]:
    """List the public names, whether they are imported yet or not."""
    return sorted([*__all__, "__doc__", "__file__", "__name__", "__path__"])
