"""The order sheet: a page on which a player taps his orders together, offline.

It holds the position that everybody sees, every legal order of one power, and nothing else:
no order, and no address but the game master's.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.position import Position
from alexmagnum.report.names import phase_name, power_name
from alexmagnum.report.required_orders_text import describe_required_orders
from alexmagnum.report.sheet_choices import Choice, Subject, count_orders_due, list_subjects


@dataclass(frozen=True, slots=True)
class SheetHeading:
    """What a sheet is for: the game's name, the game master's address (``""``: not known), and
    the deadline in words (``""``: none is said)."""

    game: str
    address: str = ""
    deadline: str = ""


def render_order_sheet(
    position: Position, power: str, sentences: Sentences, occasion: SheetHeading, map_svg: str
) -> str:
    """Return the order sheet of a power for the open phase as one HTML page.

    ``map_svg`` is the map of the position; :meth:`MapPictures.position_svg` draws it once for all
    powers.

    Raises:
        KeyError: the map has no such power.
    """
    name = position.board.powers[power].name(sentences.lang)
    phase = phase_name(position.phase, position.board, sentences)
    offered = list_subjects(position, power, sentences)
    template = _page().get_template("sheet.html.j2")
    page = template.render(
        lang=sentences.lang,
        sentence=sentences.format,
        occasion=occasion,
        name=name,
        phase=phase,
        due=_due(position, power, sentences),
        offered=offered,
        most=count_orders_due(position, power),
        map=map_svg,
        script_digest=_digest(_script()),
        script=_script(),
        data=_data(position, power, sentences, occasion, offered),
    )
    return page.strip("\n") + "\n"


@cache
def _page() -> Environment:
    return Environment(
        loader=PackageLoader("alexmagnum.report"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
    )


@cache
def _script() -> str:
    return _page().get_template("sheet.js").render().strip("\n")


def _digest(script: str) -> str:
    """What a page's policy knows its only script by."""
    return b64encode(sha256(script.encode()).digest()).decode()


def _due(position: Position, power: str, sentences: Sentences) -> str:
    """What the power has to send, where the list of its units does not tell it."""
    if position.phase.kind in ("movement", "retreats"):
        return ""
    return dict(describe_required_orders(position, sentences)).get(power, "")


def _data(
    position: Position,
    power: str,
    sentences: Sentences,
    occasion: SheetHeading,
    offered: tuple[Subject, ...],
) -> str:
    """What the script works on, as JSON that can stand in a page."""
    board = position.board
    phase = phase_name(position.phase, board, sentences)
    data = {
        "key": f"alexmagnum {occasion.game} {position.phase} {power}",
        "heading": sentences.format("sheet-heading", power=power_name(board, power, sentences)),
        "to": occasion.address,
        "subject": sentences.format("sheet-subject", game=occasion.game, phase=phase),
        "power": power,
        "most": count_orders_due(position, power),
        "start": sentences.format("sheet-start" if position.units else "sheet-start-places"),
        "sentences": {
            code.removeprefix("sheet-"): sentences.format(code)
            for code in (
                *("sheet-which", "sheet-instead", "sheet-back", "sheet-cancel", "sheet-delete"),
                *("sheet-noted", "sheet-deleted", "sheet-full", "sheet-no-order"),
                *("sheet-missing", "sheet-complete", "sheet-copied", "sheet-not-copied"),
            )
        },
        "subjects": [_subject(subject) for subject in offered],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _subject(subject: Subject) -> Mapping[str, Any]:
    shown = Choice(subject.label, subject.at, subject.unit, then=subject.then)
    return {"id": subject.id, **_choice(shown)}


def _choice(choice: Choice) -> Mapping[str, Any]:
    """A choice with what is in it, and nothing of what is not."""
    fields = {
        "label": choice.label,
        "at": choice.at,
        "unit": choice.unit,
        "order": choice.order,
        "meaning": choice.meaning,
        "once": choice.once,
        "then": [_choice(further) for further in choice.then],
    }
    return {name: value for name, value in fields.items() if value}
