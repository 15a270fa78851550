"""What is written into the game's folder: reports for every reader, maps, order sheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from alexmagnum.draw import render_png
from alexmagnum.files import write_whole
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.report.formats import FORMATS, format_report_in_all
from alexmagnum.report.map_pictures import Studio
from alexmagnum.report.phase_context import GM, gather_past_phase
from alexmagnum.report.views import filter_context

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
    for power, lang in languages_of_powers(desk).items():
        yield Reader(power, power, lang)
    yield Reader(GM, GM, desk.lang)


def languages_of_powers(desk: Desk) -> Mapping[str, str]:
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
        context = gather_past_phase(desk, phase)
        listed = tuple(readers(desk))
    folder = reports_folder(desk, phase, context.version)
    studio = Studio() if makes_pictures(desk) else None
    for reader in listed:
        texts = format_report_in_all(context, reader.recipient, load_sentences(reader.lang), studio)
        for form, text in texts.items():
            path = folder / f"{reader.name}.{reader.lang}.{FORMATS[form]}"
            write_whole(path, text, private=reader.recipient is not None)
    if studio:
        drawn = studio.alone(filter_context(context, None), load_sentences(desk.lang))
        write_whole(folder / "map.svg", drawn)
        write_whole(folder / "map.png", render_png(drawn))
    return folder


def makes_pictures(desk: Desk) -> bool:
    """Whether maps and order sheets are made."""
    return desk.settings["pictures"] == "yes"
