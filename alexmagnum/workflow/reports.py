"""The files of a processed phase: reports for every reader, and its map.

Text, Markdown and JSON are written for everybody, each power and the game master.  The page, half a
megabyte with its map, is written for everybody in the game's language; that of the last phase in
the players' other languages too, and its map as SVG.  :func:`compose_report` makes any of them on
demand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences
from alexmagnum.report.final_report import CODE as FINAL
from alexmagnum.report.formats import FORMATS, format_report, format_report_in_all
from alexmagnum.report.map_pictures import MapPictures
from alexmagnum.report.phase_context import GM, PhaseContext, gather_open_phase, gather_past_phase
from alexmagnum.report.views import filter_context
from alexmagnum.workflow.materials import Materials, languages_by_power

PUBLIC = "public"
"""The name of the files for everybody."""

SVG = "svg"
"""The format that asks for the map of a report alone."""


@dataclass(frozen=True, slots=True)
class ReportReader:
    """A reader of reports: ``name`` names the file, ``recipient`` is the reader for the views."""

    name: str
    recipient: str | None
    lang: str


def list_readers(desk: Desk) -> Iterator[ReportReader]:
    """Yield everybody, in every language; then each power and the game master in their own."""
    for lang in LANGUAGES:
        yield ReportReader(PUBLIC, None, lang)
    for power, lang in languages_by_power(desk).items():
        yield ReportReader(power, power, lang)
    yield ReportReader(GM, GM, desk.lang)


def reports_folder(desk: Desk, phase: str, version: int) -> Path:
    """Return where the reports of a phase lie; a corrected one has a folder of its own."""
    return desk.folder / "reports" / (phase if version < 2 else f"{phase}-v{version}")


def write_reports(materials: Materials, phase: str) -> Path:
    """Write the reports of a processed phase and return their folder.

    The map as everybody may see it is ``map.png``, in the game's language, unless the table wants
    no pictures; for the phase processed last also ``map.svg``.  Each file is there as a whole or
    not at all; writing them again gives the same files.

    Raises:
        GameError: ``unknown-phase``, ``not-past``, ``cannot-write``.
    """
    desk = materials.desk
    with desk.reading():
        context = materials.find_context(phase)
        listed = tuple(list_readers(desk))
        is_last, lang = phase == last_processed(desk), desk.lang
        spoken = set(languages_by_power(desk).values())
    folder = reports_folder(desk, phase, context.version)
    maps = materials.maps if materials.has_pictures else None
    files = []
    for reader in listed:
        in_use = reader.lang == lang or (is_last and reader.lang in spoken) or maps is None
        page = reader.recipient is None and in_use
        forms = [form for form in FORMATS if form != "html" or page]
        texts = format_report_in_all(
            context, reader.recipient, load_sentences(reader.lang), maps, forms=forms
        )
        files += [(reader, form, text) for form, text in texts.items()]
    if maps:
        seen, sentences = filter_context(context, None), load_sentences(lang)
        write_whole(folder / "map.png", maps.png(seen, sentences))
        if is_last:
            write_whole(folder / "map.svg", maps.svg(seen, sentences))
            _remove_earlier(desk, folder, lang)
    for reader, form, text in files:
        path = folder / f"{reader.name}.{reader.lang}.{FORMATS[form]}"
        write_whole(path, text, private=reader.recipient is not None)
    return folder


def write_final_report(materials: Materials) -> Path:
    """Write the final report of a game that is over, in all formats and languages; return its
    folder.

    Raises:
        GameError: ``game-goes-on``, ``cannot-write``.
    """
    folder = final_folder(materials.desk)
    for lang in LANGUAGES:
        final = materials.final(load_sentences(lang))
        for form, ending in FORMATS.items():
            write_whole(folder / f"{PUBLIC}.{lang}.{ending}", final.render(form))
    return folder


def withdraw_final_report(folder: Path) -> None:
    """Remove the final report of a game that goes on again; ``folder`` is that of the game.

    Other files that somebody put beside it stay.

    Raises:
        GameError: ``cannot-write``.
    """
    place = folder / "reports" / FINAL
    try:
        for name in _final_names():
            (place / name).unlink(missing_ok=True)
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()
    except OSError as error:
        raise GameError("cannot-write", path=str(place), why=error.strerror or "") from None


def final_folder(desk: Desk) -> Path:
    """Return where the final report lies."""
    return desk.folder / "reports" / FINAL


def _final_names() -> frozenset[str]:
    """Return the names of the files of the final report."""
    return frozenset(f"{PUBLIC}.{lang}.{end}" for lang in LANGUAGES for end in FORMATS.values())


def is_final_report_unwritten(desk: Desk) -> bool:
    """Return whether the game is over and some file of its final report is missing."""
    if desk.phase is not None:
        return False
    return not _final_names() <= {path.name for path in final_folder(desk).glob("*")}


def unwritten_phases(desk: Desk) -> list[str]:
    """Return the processed phases of which some report was never written.

    The game master's report is the last of a folder to be written: where it is, all the others are.
    """
    *_, last = FORMATS.values()
    return [
        record.name
        for record in desk.phases()
        if record.state == "processed"
        and not any(reports_folder(desk, record.name, record.version).glob(f"{GM}.*.{last}"))
    ]


def find_incomplete_last(desk: Desk) -> str | None:
    """Return the phase processed last if it lacks files that only the last phase has.

    It does after an undo: they went when the phase that was taken back was processed.
    """
    done = [record for record in desk.phases() if record.state == "processed"]
    if not done or desk.settings["pictures"] != "yes":
        return None
    last, spoken = done[-1], set(languages_by_power(desk).values())
    folder = reports_folder(desk, last.name, last.version)
    lacks = any(not (folder / name).exists() for name in _large_files(desk.lang, spoken))
    return last.name if lacks else None


def _large_files(lang: str, spoken: Collection[str]) -> list[str]:
    """Return the names of the files that only the last phase has, if ``spoken`` are spoken."""
    others = [other for other in LANGUAGES if other != lang and other in spoken]
    return ["map.svg", *(f"{PUBLIC}.{other}.html" for other in others)]


def _remove_earlier(desk: Desk, last: Path, lang: str) -> None:
    """Remove from the folders of other phases the large files that only the last phase keeps."""
    for folder in (desk.folder / "reports").iterdir():
        if folder != last:
            for name in _large_files(lang, LANGUAGES):
                (folder / name).unlink(missing_ok=True)


# -- one report on demand --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """Which report somebody asks for.

    ``phase``: its name, "" for the last one processed, ``final`` for the whole game.
    ``recipient``: a power, the game master, or None for everybody.  ``opened``: with the orders
    that wait, which the journal keeps with the ``reason``.
    """

    phase: str = ""
    recipient: str | None = None
    form: str = "text"
    version: int | None = None
    opened: bool = False
    reason: str = ""


def compose_report(desk: Desk, request: ReportRequest, sentences: Sentences) -> str:
    """Return one report of a phase, processed or open; or its map alone, as :data:`SVG`.

    Raises:
        GameError: ``unknown-phase``, ``not-past``, ``unknown-version``, ``game-goes-on``.
    """
    if request.phase == FINAL:
        return _compose_final_report(desk, request, sentences)
    context = _context(desk, request)
    if request.form == SVG:
        seen = filter_context(context, request.recipient, opened=request.opened)
        return MapPictures().svg(seen, sentences)
    return format_report(
        context,
        request.recipient,
        request.form,
        sentences,
        opened=request.opened,
        pictures=desk.settings["pictures"] == "yes",
    )


def _compose_final_report(desk: Desk, request: ReportRequest, sentences: Sentences) -> str:
    """Return the final report in the format asked for; its map is that of the last position."""
    materials = Materials(desk)
    if request.form == SVG:
        return materials.maps.svg(materials.final_view(), sentences)
    return materials.final(sentences).render(request.form)


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
