"""The order sheet: a page on which a player composes orders by tapping, offline.

It contains the position that everybody sees and every legal order of one power, but no orders and
no address except the game master's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from alexmagnum import draw
from alexmagnum.board.model import Board
from alexmagnum.cases.json_values import to_json
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.orders import Order
from alexmagnum.page_judge import load_bundle
from alexmagnum.page_judge.board_data import write_board
from alexmagnum.position import Position
from alexmagnum.report.names import phase_name, power_name
from alexmagnum.report.page_scripts import load_script
from alexmagnum.report.position_link import make_fragment
from alexmagnum.report.required_orders_text import describe_required_orders
from alexmagnum.report.sheet_choices import Choice, Subject, count_orders_due, list_subjects
from alexmagnum.report.sheet_warnings import list_warning_facts
from alexmagnum.report.table_data import (
    CHOOSER_SCRIPTS,
    CHOOSER_SENTENCES,
    TABLE_SCRIPTS,
    describe_table,
    describe_words,
    pack_json,
)

if TYPE_CHECKING:
    from jinja2 import Environment

SCRIPT_SENTENCES = (
    *CHOOSER_SENTENCES,
    "sheet-missing",
    "sheet-complete",
    "sheet-copied",
    "sheet-not-copied",
    "sheet-warned",
    "sheet-suggestion",
)
"""The sentences that the script of the sheet shows."""


SWITCH_SENTENCES = (
    "table-about",
    "table-opening",
    "table-failed",
    "table-too-old",
    "table-broken",
    "table-stopped",
)
"""The sentences of the switch to the table, which a browser needs that cannot open it."""


@dataclass(frozen=True, slots=True)
class SheetHeading:
    """The heading of a sheet: the game's name, the game master's address, the deadline in words.

    An empty address is unknown; an empty deadline is not shown.
    """

    game: str
    address: str = ""
    deadline: str = ""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The way in which a sheet lets its reader try orders out.

    ``kind`` is ``"yes"`` (the judge is in the sheet), ``"no"``, or ``"linked"`` (the sheet has a
    link to the ``address`` of a page with the judge; an empty address is unknown).
    """

    kind: str = "no"
    address: str = ""


NO_SANDBOX = Sandbox()


def render_order_sheet(
    position: Position,
    power: str,
    sentences: Sentences,
    heading: SheetHeading,
    map_svg: str,
    sandbox: Sandbox = NO_SANDBOX,
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
        power=power,
        phase=phase,
        due=_format_due(position, power, sentences),
        offered=offered,
        most=count_orders_due(position, power),
        map=map_svg,
        symbols=_draw_symbols(position, power),
        script=load_script(*CHOOSER_SCRIPTS, *_SHEET_SCRIPTS[sandbox.kind]),
        sandbox=sandbox.kind,
        link=_make_link(sandbox, position),
        bundle=load_bundle() if sandbox.kind == "yes" else "",
        powers={id_: power_name(position.board, id_, sentences) for id_ in position.board.powers},
        table=_table_data(position, sentences) if sandbox.kind == "yes" else "",
        data=_script_data(position, power, sentences, heading, offered, orders),
    )
    return page.strip("\n") + "\n"


_SHEET_SCRIPTS: Mapping[str, tuple[str, ...]] = {
    "yes": ("order_warnings.js", *TABLE_SCRIPTS, "page_judge.js", "table_switch.js", "sheet.js"),
    "no": ("order_warnings.js", "sheet.js"),
    "linked": ("order_warnings.js", "sheet.js"),
}
"""The files of the sheet's script after those of the chooser, by the kind of its sandbox."""


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
        **describe_words(board, sentences),
        "canvas": draw.lay_out_canvas(position, power, orders, sentences.lang) if orders else {},
        "facts": list_warning_facts(position, power, orders, sentences),
        "most": count_orders_due(position, power),
        "start": sentences.format("sheet-start" if has_units else "sheet-start-places"),
        "sentences": {
            code.removeprefix("sheet-").removeprefix("table-"): sentences.format(code)
            for code in (*SCRIPT_SENTENCES, *SWITCH_SENTENCES)
        },
        "lang": sentences.lang,
        "subjects": [_subject_data(subject, board, sentences.lang) for subject in offered],
    }
    return _write_json(data)


def _write_json(data: object) -> str:
    """Return data as JSON that can stand in a page."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


@lru_cache(maxsize=4)
def _table_data(position: Position, sentences: Sentences) -> str:
    """Return the data of the table, compressed: everybody's sheet has the same.

    It begins with holds for everybody.  What the data of a sheet has already is left out.
    """
    table = dict(describe_table(position.board, sentences))
    for known_part in describe_words(position.board, sentences):
        del table[known_part]
    known = {code.removeprefix("sheet-") for code in SCRIPT_SENTENCES}
    table["sentences"] = {c: text for c, text in table["sentences"].items() if c not in known}
    return pack_json({**table, "position": to_json(position), "board": write_board(position.board)})


def _make_link(sandbox: Sandbox, position: Position) -> str:
    """Return the link to the page with the judge that opens a position there; "" for none."""
    address = sandbox.address.partition("#")[0]
    return f"{address}#{make_fragment(position)}" if address else ""


def _draw_symbols(position: Position, power: str) -> Mapping[str, Markup]:
    """Return the symbols of the units that a power can build or place, by kind."""
    livery = draw.assign_liveries(position.board)[power]
    state = "" if position.phase.kind == "deployment" else "ghost"
    return {kind: Markup(draw.render_symbol(kind, livery, state)) for kind in "AFG"}


def _subject_data(subject: Subject, board: Board, lang: str) -> Mapping[str, Any]:
    """Return a subject for the script.

    What all its orders begin with, such as the name of the unit, stands in ``head`` alone: a power
    of ten units has a thousand orders.
    """
    head = _common_head([leaf.code for leaf in _list_orders(subject.then)])
    names = {province.id: province.name(lang) for province in board.provinces.values()}
    choice = Choice(subject.label, subject.at, subject.unit, then=subject.then)
    return {"id": subject.id, "head": head, **_choice_data(choice, head, names)}


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


def _choice_data(choice: Choice, head: str, names: Mapping[str, str]) -> Mapping[str, Any]:
    """Return a choice for the script, without what the script finds out by itself.

    That is what is empty, the head of its order, its province if that is the goal of the order, its
    label if that is the name of the province, and the order in the reader's words.
    """
    fields: dict[str, Any] = {
        "label": "" if choice.label == names.get(choice.at) else choice.label,
        "at": choice.at,
        "unit": choice.unit,
        "once": choice.once,
        "then": [_choice_data(further, head, names) for further in choice.then],
    }
    found = {name: value for name, value in fields.items() if value}
    if choice.order:
        found["code"] = choice.code.removeprefix(head)
        goal = _GOAL.search(choice.code)
        if goal is not None and goal[1] == choice.at:
            del found["at"]
    return found


_GOAL = re.compile(" - ([^#/ ]+)")
"""The province to which an order goes."""
