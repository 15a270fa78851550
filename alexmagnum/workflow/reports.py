"""The files of a processed phase: reports for every reader, and its map.

Text, Markdown and JSON are written for everybody, each power and the game master; the page, which
is large, for everybody, and for the game master where it says more.  :func:`compose_report` makes
any of them on demand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from alexmagnum.files import write_whole
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences
from alexmagnum.report.formats import FORMATS, format_report, format_report_in_all
from alexmagnum.report.phase_context import GM, PhaseContext, gather_open_phase, gather_past_phase
from alexmagnum.report.views import filter_context
from alexmagnum.workflow.materials import Materials, languages_by_power

PUBLIC = "public"
"""How the files for everybody are called."""


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a report is: ``name`` is the file's, ``recipient`` as the views have it."""

    name: str
    recipient: str | None
    lang: str


def readers(desk: Desk) -> Iterator[Reader]:
    """Yield everybody, in every language; then each power and the game master in their own."""
    for lang in LANGUAGES:
        yield Reader(PUBLIC, None, lang)
    for power, lang in languages_by_power(desk).items():
        yield Reader(power, power, lang)
    yield Reader(GM, GM, desk.lang)


def reports_folder(desk: Desk, phase: str, version: int) -> Path:
    """Return where the reports of a phase lie; a corrected one has a folder of its own."""
    return desk.folder / "reports" / (phase if version < 2 else f"{phase}-v{version}")


def write_reports(materials: Materials, phase: str) -> Path:
    """Write the reports of a processed phase and return their folder.

    The map as everybody may see it is ``map.svg`` and ``map.png``, in the game's language, unless
    the table wants no pictures.  Each file is there as a whole or not at all; writing them again
    gives the same files.

    Raises:
        GameError: ``unknown-phase``, ``not-past``, ``cannot-write``.
    """
    desk = materials.desk
    with desk.reading():
        context = materials.past(phase)
        listed = tuple(readers(desk))
    folder = reports_folder(desk, phase, context.version)
    studio = materials.studio if materials.has_pictures else None
    for reader in listed:
        texts = format_report_in_all(context, reader.recipient, load_sentences(reader.lang), studio)
        for form, text in texts.items():
            path = folder / f"{reader.name}.{reader.lang}.{FORMATS[form]}"
            write_whole(path, text, private=reader.recipient is not None)
    if studio:
        seen, sentences = filter_context(context, None), load_sentences(desk.lang)
        write_whole(folder / "map.svg", materials.map_svg(seen, sentences))
        write_whole(folder / "map.png", materials.map_png(seen, sentences))
    return folder


# -- one report on demand --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """Which report somebody asks for.

    ``phase``: its name, "" for the last one processed.  ``recipient``: a power, the game master,
    or None for everybody.  ``opened``: with the orders that wait, which the journal keeps with the
    ``reason``.
    """

    phase: str = ""
    recipient: str | None = None
    form: str = "text"
    version: int | None = None
    opened: bool = False
    reason: str = ""


def compose_report(desk: Desk, request: ReportRequest, sentences: Sentences) -> str:
    """Return one report of a phase, processed or open.

    Raises:
        GameError: ``unknown-phase``, ``not-past``, ``unknown-version``.
    """
    return format_report(
        _context(desk, request),
        request.recipient,
        request.form,
        sentences,
        opened=request.opened,
        pictures=desk.settings["pictures"] == "yes",
    )


def _context(desk: Desk, request: ReportRequest) -> PhaseContext:
    name = request.phase or last_processed(desk)
    if request.version is not None or desk.phase is None or name != str(desk.phase):
        return gather_past_phase(desk, name, request.version)
    return gather_open_phase(
        desk, request.recipient if request.opened else None, reason=request.reason
    )


def last_processed(desk: Desk) -> str:
    """Return the name of the last phase processed; of the open one where none was."""
    done = processed_phases(desk)
    return done[-1] if done else str(desk.phase)


def processed_phases(desk: Desk, among: Collection[str] | None = None) -> list[str]:
    """Return the names of the processed phases in their order, or of those ``among`` some."""
    done = [record.name for record in desk.phases() if record.state == "processed"]
    return done if among is None else [name for name in done if name in among]
