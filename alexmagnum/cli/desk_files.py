"""The reports of a phase in the game's folder, for every reader in every format, and its map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from alexmagnum.cli.desk_contexts import past_context
from alexmagnum.draw import png
from alexmagnum.game.desk import Desk
from alexmagnum.game.writing import write_whole
from alexmagnum.report.formats import FORMATS, written_in_all
from alexmagnum.report.pictures import Studio
from alexmagnum.report.views import GM, view
from alexmagnum.report.words import LANGUAGES, words

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
    spoken = {player.power: player.lang for player in desk.players}
    for power in desk.board.powers:
        yield Reader(power, power, spoken.get(power) or desk.lang)
    yield Reader(GM, GM, desk.lang)


def reports_folder(desk: Desk, phase: str, version: int) -> Path:
    """Where the reports of a phase lie; a corrected one has a folder of its own."""
    return desk.folder / "reports" / (phase if version < 2 else f"{phase}-v{version}")


def write_reports(desk: Desk, phase: str) -> Path:
    """Write the reports of a phase processed, for every reader in every format, and its map as
    everybody may see it: ``map.svg`` and ``map.png``, in the game's language.

    Each file is there as a whole or not at all; writing them again gives the same files.

    Raises:
        GameError: ``unknown-phase``, ``not-past``, ``cannot-write``.
    """
    with desk.reading():
        context = past_context(desk, phase)
        listed = tuple(readers(desk))
    folder = reports_folder(desk, phase, context.version)
    studio = Studio()
    for reader in listed:
        texts = written_in_all(context, reader.recipient, words(reader.lang), studio)
        for form, text in texts.items():
            path = folder / f"{reader.name}.{reader.lang}.{FORMATS[form]}"
            write_whole(path, text, private=reader.recipient is not None)
    drawn = studio.alone(view(context, None), words(desk.lang))
    write_whole(folder / "map.svg", drawn)
    write_whole(folder / "map.png", png(drawn))
    return folder
