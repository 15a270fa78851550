"""What is written into the game's folder: reports for every reader, maps, order sheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from alexmagnum.draw import png
from alexmagnum.files import write_whole
from alexmagnum.game.desk import Desk
from alexmagnum.game.reply_codes import reply_address
from alexmagnum.game.required_orders import due
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences
from alexmagnum.i18n.times import when
from alexmagnum.report.formats import FORMATS, written_in_all
from alexmagnum.report.map_pictures import Studio
from alexmagnum.report.order_sheet import Occasion, order_sheet
from alexmagnum.report.phase_context import GM, past_context
from alexmagnum.report.views import view

PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a report is: ``name`` is the file's, ``recipient`` as the views have it."""

    name: str
    recipient: str | None
    lang: str


def readers(desk: Desk) -> Iterator[Reader]:
    """Everybody, in every language; then each power and the game master in their own."""
    for lang in LANGUAGES:
        yield Reader(PUBLIC, None, lang)
    for power, lang in _spoken(desk).items():
        yield Reader(power, power, lang)
    yield Reader(GM, GM, desk.lang)


def _spoken(desk: Desk) -> Mapping[str, str]:
    """The language of every power's player, that of the game where he has none of his own."""
    own = {player.power: player.lang for player in desk.players}
    return {power: own.get(power) or desk.lang for power in desk.board.powers}


def reports_folder(desk: Desk, phase: str, version: int) -> Path:
    """Where the reports of a phase lie; a corrected one has a folder of its own."""
    return desk.folder / "reports" / (phase if version < 2 else f"{phase}-v{version}")


def write_reports(desk: Desk, phase: str) -> Path:
    """Write the reports of a phase processed, for every reader in every format, and its map as
    everybody may see it: ``map.svg`` and ``map.png``, in the game's language, unless the table
    wants no pictures.

    Each file is there as a whole or not at all; writing them again gives the same files.

    Raises:
        GameError: ``unknown-phase``, ``not-past``, ``cannot-write``.
    """
    with desk.reading():
        context = past_context(desk, phase)
        listed = tuple(readers(desk))
    folder = reports_folder(desk, phase, context.version)
    studio = Studio() if makes_pictures(desk) else None
    for reader in listed:
        texts = written_in_all(context, reader.recipient, load_sentences(reader.lang), studio)
        for form, text in texts.items():
            path = folder / f"{reader.name}.{reader.lang}.{FORMATS[form]}"
            write_whole(path, text, private=reader.recipient is not None)
    if studio:
        drawn = studio.alone(view(context, None), load_sentences(desk.lang))
        write_whole(folder / "map.svg", drawn)
        write_whole(folder / "map.png", png(drawn))
    return folder


def makes_pictures(desk: Desk) -> bool:
    """Whether maps and order sheets are made."""
    return desk.settings["pictures"] == "yes"


# -- order sheets -------------------------------------------------------------------------------


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
    asked, phase = powers or tuple(due(desk.position)), str(desk.phase)
    addresses = {power: reply_address(desk.game, power, phase) for power in asked}
    with desk.reading():
        position, spoken = desk.position, _spoken(desk)
        pages = {}
        for power in asked:
            sentences = load_sentences(lang or spoken[power])
            occasion = Occasion(desk.name, addresses[power], _deadline(desk, sentences))
            page = order_sheet(position, power, sentences, occasion)
            pages[power] = (f"{power}.{sentences.lang}.html", page)
        return pages


def _deadline(desk: Desk, sentences: Sentences) -> str:
    """The deadline of the open phase in words, "" if none runs."""
    if desk.paused or not desk.deadline:
        return ""
    return when(desk.deadline, desk.settings["timezone"], sentences)
