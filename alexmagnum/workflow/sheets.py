"""The order sheets of the open phase, and where in the game's folder they lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from alexmagnum.files import write_whole
from alexmagnum.game.desk import Desk
from alexmagnum.game.reply_codes import reply_address
from alexmagnum.game.required_orders import find_required_orders
from alexmagnum.i18n.date_text import format_instant
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.report.order_sheet import SheetHeading, render_order_sheet
from alexmagnum.workflow.reports import languages_of_powers, makes_pictures


def sheets_folder(desk: Desk, phase: str) -> Path:
    """Where the order sheets for a phase lie."""
    return desk.folder / "sheets" / phase


def write_sheets(desk: Desk) -> None:
    """Write the order sheets of the open phase, if there is one, for every power that owes
    anything, unless the table wants no pictures; what a sheet for that phase was before is
    overwritten.

    Raises:
        GameError: ``cannot-write``.
    """
    if desk.phase is None or not makes_pictures(desk):
        return
    for name, page in sheets_of(desk).values():
        write_whole(sheets_folder(desk, str(desk.phase)) / name, page, private=True)


def sheets_of(
    desk: Desk, powers: Sequence[str] = (), lang: str | None = None
) -> Mapping[str, tuple[str, str]]:
    """The order sheets of some powers (those that owe anything, if none is named): the name of
    the file, and the page, in a language or in that of each player.  The orders go to the address
    that tells whose they are, if the game has one."""
    asked, phase = powers or tuple(find_required_orders(desk.position)), str(desk.phase)
    addresses = {power: reply_address(desk.game, power, phase) for power in asked}
    with desk.reading():
        position, spoken = desk.position, languages_of_powers(desk)
        pages = {}
        for power in asked:
            sentences = load_sentences(lang or spoken[power])
            occasion = SheetHeading(desk.name, addresses[power], _deadline(desk, sentences))
            page = render_order_sheet(position, power, sentences, occasion)
            pages[power] = (f"{power}.{sentences.lang}.html", page)
        return pages


def _deadline(desk: Desk, sentences: Sentences) -> str:
    """The deadline of the open phase in words, "" if none runs."""
    if desk.paused or not desk.deadline:
        return ""
    return format_instant(desk.deadline, desk.settings["timezone"], sentences)
