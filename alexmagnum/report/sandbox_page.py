"""The page of the sandbox: a map on which anybody sets up, orders and judges a position, offline.

Open this file for what the page of ``alexmagnum sandbox`` is made of.  It contains maps and the
judge, and nothing of a game but the positions that it is given.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from alexmagnum import draw
from alexmagnum.cases.json_values import to_json
from alexmagnum.draw.fonts import font_faces_css
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation import write_order
from alexmagnum.orders import Order
from alexmagnum.page_judge import load_bundle
from alexmagnum.page_judge.board_data import write_board
from alexmagnum.position import Position
from alexmagnum.report.names import power_name
from alexmagnum.report.page_scripts import load_script
from alexmagnum.report.position_link import SharedTable, write_fragment
from alexmagnum.report.setup_facts import list_example_units, list_setup_facts
from alexmagnum.report.table_data import CHOOSER_SCRIPTS, TABLE_SCRIPTS, describe_table

if TYPE_CHECKING:
    from jinja2 import Environment

SCRIPTS = (
    *CHOOSER_SCRIPTS,
    *TABLE_SCRIPTS,
    "page_judge.js",
    "position_link.js",
    "position_editor.js",
    "sandbox.js",
)
"""The files of the page's script."""

SHARED_SENTENCES = ("undone", "redone", "nothing-undone", "nothing-redone")
"""The sentences of the order sheet that the script shows too."""

_NO_ORDERS: Mapping[str, Iterable[Order]] = {}


@dataclass(frozen=True, slots=True)
class SandboxTable:
    """One map of the page: the position that it opens with, and orders that are on the table."""

    position: Position
    orders: Mapping[str, Iterable[Order]] = field(default_factory=lambda: _NO_ORDERS)


def render_sandbox(tables: Sequence[SandboxTable], sentences: Sentences) -> str:
    """Return the page of the sandbox with these maps, of which the first is shown first.

    Raises:
        BadPosition: a position is impossible, with every fault.
    """
    page = (
        _templates()
        .get_template("sandbox.html.j2")
        .render(
            lang=sentences.lang,
            sentence=sentences.format,
            fonts=font_faces_css(),
            tables=[_describe_table(table, sentences) for table in tables],
            script=load_script(*SCRIPTS),
            bundle=load_bundle(),
            powers=_name_powers(tables, sentences),
            data=_script_data(tables, sentences),
        )
    )
    return page.strip("\n") + "\n"


@cache
def _templates() -> Environment:
    """Return the templates of the page."""
    from alexmagnum.templates import make_environment  # loads Jinja

    return make_environment("alexmagnum.report")


def _describe_table(table: SandboxTable, sentences: Sentences) -> Mapping[str, str]:
    """Return id, name and drawing of a map; the page has the fonts already.

    Its legend explains all kinds of units: the script draws those of the position.
    """
    board = table.position.board
    name = board.name(sentences.lang)
    examples = Position(board, table.position.phase, list_example_units(board))
    scene = draw.draw_position(examples, sentences, title=name)
    return {"id": board.id, "name": name, "svg": draw.render_svg(scene, embed_fonts=False)}


def _name_powers(tables: Sequence[SandboxTable], sentences: Sentences) -> Mapping[str, str]:
    """Return the names of the powers of all maps."""
    boards = [table.position.board for table in tables]
    return {
        power: power_name(board, power, sentences) for board in boards for power in board.powers
    }


def _script_data(tables: Sequence[SandboxTable], sentences: Sentences) -> str:
    """Return the data of the script as JSON that can stand in a page."""
    templates = sentences.templates
    shown = {
        code.removeprefix("sandbox-"): sentences.format(code)
        for code in templates
        if code.startswith("sandbox-")
    }
    shown |= {code: sentences.format(f"sheet-{code}") for code in SHARED_SENTENCES}
    data = {
        "lang": sentences.lang,
        "sentences": shown,
        "tables": [_table_data(table, sentences) for table in tables],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _table_data(table: SandboxTable, sentences: Sentences) -> Mapping[str, Any]:
    """Return what the script knows of a map and of the position that it opens with."""
    position = table.position
    orders = {
        power: tuple(write_order(order) for order in listed)
        for power, listed in table.orders.items()
    }
    return {
        "facts": list_setup_facts(position.board, sentences),
        "table": describe_table(position.board, sentences),
        "board": write_board(position.board),
        "position": to_json(position),
        "orders": orders,
        "fragment": write_fragment(SharedTable(position.to_text(), orders)),
    }
