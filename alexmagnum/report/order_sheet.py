"""The order sheet: a page on which a player composes orders by tapping, offline.

It contains the position that everybody sees and every legal order of one power, but no orders and
no address except the game master's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from alexmagnum import draw
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.orders import Order
from alexmagnum.position import Position
from alexmagnum.report.names import phase_name, power_name
from alexmagnum.report.page_scripts import load_script
from alexmagnum.report.required_orders_text import describe_required_orders
from alexmagnum.report.sheet_choices import Choice, Subject, count_orders_due, list_subjects
from alexmagnum.report.sheet_warnings import list_warning_facts

if TYPE_CHECKING:
    from jinja2 import Environment

SCRIPT_SENTENCES = (
    "sheet-which",
    "sheet-instead",
    "sheet-back",
    "sheet-cancel",
    "sheet-delete",
    "sheet-noted",
    "sheet-deleted",
    "sheet-cleared",
    "sheet-undone",
    "sheet-redone",
    "sheet-nothing-undone",
    "sheet-nothing-redone",
    "sheet-undo",
    "sheet-full",
    "sheet-no-order",
    "sheet-missing",
    "sheet-complete",
    "sheet-copied",
    "sheet-not-copied",
    "sheet-warned",
    "sheet-who",
    "sheet-nobody",
    "sheet-nothing-there",
    "sheet-not-there",
    "sheet-not-there-others",
    "sheet-off-map",
    "sheet-tap-goal",
    "sheet-elsewhere",
    "sheet-suggestion",
)
"""The sentences that the script of the sheet shows."""


SCRIPTS = (
    "page_parts.js",
    "panzoom.js",
    "order_arrows.js",
    "order_warnings.js",
    "map_layers.js",
    "order_chooser.js",
    "sheet.js",
)
"""The files of the sheet's script."""


@dataclass(frozen=True, slots=True)
class SheetHeading:
    """The heading of a sheet: the game's name, the game master's address, the deadline in words.

    An empty address is unknown; an empty deadline is not shown.
    """

    game: str
    address: str = ""
    deadline: str = ""


def render_order_sheet(
    position: Position, power: str, sentences: Sentences, heading: SheetHeading, map_svg: str
) -> str:
    """Return the order sheet of a power for the open phase as one HTML page.

    ``map_svg`` is the map of the position; :meth:`MapPictures.position_svg` draws it once for all
    powers.

    Raises:
        KeyError: the map has no such power.
    """
    name = position.board.powers[power].name(sentences.lang)
    phase = phase_name(position.phase, position.board, sentences)
    orders = legal_orders_of(position, power)
    offered = list_subjects(position, power, sentences, orders)
    template = _templates().get_template("sheet.html.j2")
    page = template.render(
        lang=sentences.lang,
        sentence=sentences.format,
        heading=heading,
        name=name,
        phase=phase,
        due=_format_due(position, power, sentences),
        offered=offered,
        most=count_orders_due(position, power),
        map=map_svg,
        symbols=_draw_symbols(position, power),
        script=load_script(*SCRIPTS),
        data=_script_data(position, power, sentences, heading, offered, orders),
    )
    return page.strip("\n") + "\n"


@cache
def _templates() -> Environment:
    """Return the templates of the sheet."""
    from alexmagnum.templates import make_environment  # loads Jinja

    return make_environment("alexmagnum.report")


def _format_due(position: Position, power: str, sentences: Sentences) -> str:
    """Return what the power has to send, "" if the list of its units shows it."""
    if position.phase.kind in ("movement", "retreats"):
        return ""
    return dict(describe_required_orders(position, sentences)).get(power, "")


def _script_data(
    position: Position,
    power: str,
    sentences: Sentences,
    heading: SheetHeading,
    offered: tuple[Subject, ...],
    orders: tuple[Order, ...],
) -> str:
    """Return the data of the script as JSON that can stand in a page."""
    board = position.board
    livery = draw.assign_liveries(board)[power]
    has_units = any(subject.unit for subject in offered)
    phase = phase_name(position.phase, board, sentences)
    data = {
        "key": f"alexmagnum {heading.game} {position.phase} {power}",
        "heading": sentences.format("sheet-heading", power=power_name(board, power, sentences)),
        "to": heading.address,
        "subject": sentences.format("sheet-subject", game=heading.game, phase=phase),
        "power": power,
        "owned": [centre for centre, owner in position.owners.items() if owner == power],
        "kind": position.phase.kind,
        "livery": [livery.color, livery.letter, "light" if livery.ink == "#FFFFFF" else "dark"],
        "places": {p.id: p.name(sentences.lang) for p in board.provinces.values()},
        "canvas": draw.lay_out_canvas(position, power, orders, sentences.lang) if orders else {},
        "facts": list_warning_facts(position, power, orders, sentences),
        "most": count_orders_due(position, power),
        "start": sentences.format("sheet-start" if has_units else "sheet-start-places"),
        "sentences": {
            code.removeprefix("sheet-"): sentences.format(code) for code in SCRIPT_SENTENCES
        },
        "subjects": [_subject_data(subject) for subject in offered],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _draw_symbols(position: Position, power: str) -> Mapping[str, Markup]:
    """Return the symbols of the units that a power can build or place, by kind."""
    livery = draw.assign_liveries(position.board)[power]
    state = "" if position.phase.kind == "deployment" else "ghost"
    return {kind: Markup(draw.render_symbol(kind, livery, state)) for kind in "AFG"}


def _subject_data(subject: Subject) -> Mapping[str, Any]:
    """Return a subject for the script.

    What all its orders begin with, such as the name of the unit, stands in ``heads`` alone, by the
    field of a choice: a power of ten units has a thousand orders.
    """
    leaves = list(_list_orders(subject.then))
    heads = {
        field: _common_head([getattr(leaf, field) for leaf in leaves])
        for field in ("order", "code", "meaning")
    }
    choice = Choice(subject.label, subject.at, subject.unit, then=subject.then)
    return {"id": subject.id, "heads": heads, **_choice_data(choice, heads)}


def _common_head(texts: Sequence[str]) -> str:
    """Return what all texts begin with."""
    first, last = min(texts, default=""), max(texts, default="")
    pairs = enumerate(zip(first, last, strict=False))
    return first[: next((i for i, (a, b) in pairs if a != b), min(len(first), len(last)))]


def _list_orders(choices: Iterable[Choice]) -> Iterator[Choice]:
    """Yield the choices that are orders."""
    for choice in choices:
        if choice.order:
            yield choice
        yield from _list_orders(choice.then)


def _choice_data(choice: Choice, heads: Mapping[str, str]) -> Mapping[str, Any]:
    """Return a choice for the script, without its empty fields and the heads of its order."""
    fields: dict[str, Any] = {
        "label": choice.label,
        "at": choice.at,
        "unit": choice.unit,
        "once": choice.once,
        "then": [_choice_data(further, heads) for further in choice.then],
    }
    found = {name: value for name, value in fields.items() if value}
    if choice.order:
        found["order"] = choice.order.removeprefix(heads["order"])
        found["meaning"] = choice.meaning.removeprefix(heads["meaning"])
        if choice.code != choice.order:
            found["code"] = choice.code.removeprefix(heads["code"])
    return found
