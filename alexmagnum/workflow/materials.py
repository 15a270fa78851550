"""Reports, maps, order sheets, receipts and letters of an act, each made once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from alexmagnum.cases.files import read_turn, resolve_turn
from alexmagnum.errors import GameError
from alexmagnum.files import remove_leftovers, write_whole
from alexmagnum.game import mail_store
from alexmagnum.game.deadlines import find_last_words
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import hold_lock
from alexmagnum.game.game import Player, Receipt, parse_power
from alexmagnum.game.orders import find_required_orders
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.game.status import is_folder_behind, mark_folder
from alexmagnum.i18n.dates import format_briefly, format_instant
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences
from alexmagnum.mail import sending
from alexmagnum.mail.answers import ReceiptText
from alexmagnum.mail.composition import Letter, can_be_written_to, load_player_sentences
from alexmagnum.mail.drafts import DraftedLetters, update_drafts
from alexmagnum.mail.letters import Enclosed, FinalFiles
from alexmagnum.mail.outbox import Outbox
from alexmagnum.position import Phase
from alexmagnum.report import formats
from alexmagnum.report.context import (
    GameStory,
    PhaseContext,
    View,
    filter_context,
    gather_open_phase,
    gather_past_phase,
    gather_story,
)
from alexmagnum.report.final_report import CODE as FINAL
from alexmagnum.report.final_report import compose_final_report
from alexmagnum.report.sheet import Sandbox, SheetHeading, render_order_sheet

if TYPE_CHECKING:
    pass

# Materials for publishing an act: contexts, pictures and order sheets, each made once.


@dataclass(frozen=True, slots=True)
class OrderSheet:
    """The order sheet of one power: its page and the language of it."""

    power: str
    lang: str
    page: str

    @property
    def file(self) -> str:
        """The name of the sheet's file."""
        return f"{self.power}.{self.lang}.html"


class Materials:
    """Everything that the files and letters of one act show, made when it is first asked for.

    A phase is read once and a picture drawn once however many readers see it.  It holds the game as
    it stands now: make a new one after every change of the game.
    """

    def __init__(self, desk: Desk, maps: formats.MapPictures | None = None) -> None:
        self.desk = desk
        self.maps = maps or formats.MapPictures()
        self._past: dict[str, PhaseContext] = {}
        self._sheets: dict[tuple[str, str], OrderSheet] = {}
        self._final: dict[str, FinalFiles] = {}

    @property
    def has_pictures(self) -> bool:
        """Tell whether the game has maps and order sheets."""
        return self.desk.settings["pictures"] == "yes"

    def find_context(self, phase: str) -> PhaseContext:
        """Return the context of a processed phase."""
        if phase not in self._past:
            self._past[phase] = gather_past_phase(self.desk, phase)
        return self._past[phase]

    @cached_property
    def open(self) -> PhaseContext:
        """The context of the open phase, without the orders that wait."""
        return gather_open_phase(self.desk)

    @cached_property
    def _newest(self) -> str:
        return last_processed(self.desk)

    # -- the end of the game ---------------------------------------------------------------------

    @cached_property
    def story(self) -> GameStory:
        """The whole game, once it is over."""
        return gather_story(self.desk)

    def final_view(self) -> View:
        """Return a view of the position at the end of the game, for its map."""
        context = PhaseContext(game=self.story.game, position=self.story.position)
        return filter_context(context, None)

    def final(self, sentences: Sentences) -> FinalFiles:
        """Return the final report in a language, and the map at the end."""
        if sentences.lang not in self._final:
            story, view = self.story, self.final_view()
            drawn = self.maps.page(view, sentences) if self.has_pictures else None
            self._final[sentences.lang] = FinalFiles(
                end=story.end,
                position=story.position,
                report=compose_final_report(story, sentences),
                page_map=drawn,
                map=self.maps.png(view, sentences) if self.has_pictures else b"",
            )
        return self._final[sentences.lang]

    # -- letters ---------------------------------------------------------------------------------

    def outbox(self) -> Outbox:
        """Return the outbox, whose letters show the game as it stands now."""
        return Outbox(self.desk, self)

    # -- pictures and sheets -----------------------------------------------------------------------

    def sheet(self, power: str, sentences: Sentences) -> OrderSheet:
        """Return the order sheet of a power for the open phase.

        Its orders go to the address that tells whose they are, if the game has one.
        """
        key = power, sentences.lang
        if key not in self._sheets:
            desk = self.desk
            address = mail_store.reply_address(desk, power, str(desk.phase))
            at, zone = "" if desk.paused else desk.deadline, desk.settings["timezone"]
            until = format_instant(at, zone, sentences) if at else ""
            brief = format_briefly(at, zone, sentences) if at else ""
            heading = SheetHeading(desk.name, address, until, brief)
            drawn = self.maps.position_svg(desk.position, sentences, desk.name)
            sandbox = Sandbox.of(desk.settings["sandbox"])
            page = render_order_sheet(desk.position, power, sentences, heading, drawn, sandbox)
            self._sheets[key] = OrderSheet(power, sentences.lang, page)
        return self._sheets[key]

    def enclose(self, view: View, sentences: Sentences, power: str) -> Enclosed:
        """Return what goes with a letter to a power: the map, its front, its sheet if it owes
        orders.

        A report of an earlier phase that still waits has none: that of the last one has it.
        """
        if not self.has_pictures:
            return Enclosed()
        owes = self.desk.phase is not None and power in find_required_orders(self.desk.position)
        newest = (self._newest, str(self.desk.phase))
        has_sheet = owes and str(view.content.position.phase) in newest
        page = self.sheet(power, sentences).page if has_sheet else ""
        front = self.maps.front_png(view, sentences, power) if power else b""
        return Enclosed(self.maps.png(view, sentences), page, front)


def writes_letters(desk: Desk) -> bool:
    """Tell whether the game has an address, so that letters are drafted."""
    return bool(desk.settings["mail_address"])


# The files of a processed phase: the report for everybody, as a page with its map and as a text.
#
# Nothing secret lies in the folder. :func:`compose_report` makes the report of any other reader,
# and any other format, on demand.


PUBLIC = "public"
"""The name of the files for everybody."""

WRITTEN = ("html", "text")
"""The formats in which the report of a phase lies in its folder; the text is written last."""

SVG, PNG = "svg", "png"
"""The formats that ask for the map of a report alone."""


def reports_folder(desk: Desk, phase: str, version: int) -> Path:
    """Return where the reports of a phase lie; a corrected one has a folder of its own."""
    return desk.folder / "reports" / (phase if version < 2 else f"{phase}-v{version}")


def write_reports(materials: Materials, phase: str) -> Path:
    """Write the report of a processed phase for everybody, in the game's language; return its
    folder.

    It is a page with the map, unless the table wants no pictures, and a text.  Each file is there
    as a whole or not at all; writing them again gives the same files.
    """
    desk = materials.desk
    with desk.reading():
        context, sentences = materials.find_context(phase), load_sentences(desk.lang)
    folder = reports_folder(desk, phase, context.version)
    maps = materials.maps if materials.has_pictures else None
    for form, text in formats.format_report_in_all(
        context, None, sentences, maps, forms=WRITTEN
    ).items():
        write_whole(folder / f"{PUBLIC}.{sentences.lang}.{formats.FORMATS[form]}", text)
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


def _final_names() -> frozenset[str]:
    return frozenset(
        f"{PUBLIC}.{lang}.{end}" for lang in LANGUAGES for end in formats.FORMATS.values()
    )


def final_folder(desk: Desk) -> Path | None:
    """Return where the final report lies, None while the game goes on."""
    return desk.folder / "reports" / FINAL if desk.phase is None else None


def complete_folder(materials: Materials, phases: Iterable[str] = ()) -> tuple[Path, ...]:
    """Make the folder of a game hold what should lie there, and return where ``phases`` lie.

    These are the reports of ``phases``, whose outcomes have changed; the final report of a game
    that is over; the order sheets of the open phase, and no others.
    """
    desk = materials.desk
    reports = tuple(write_reports(materials, phase) for phase in dict.fromkeys(phases))
    final = final_folder(desk)
    if final is None:
        withdraw_final_report(desk.folder)
    else:
        for lang, form in product(LANGUAGES, formats.FORMATS):  # in all languages and formats
            text = materials.final(load_sentences(lang)).render(form)
            write_whole(final / f"{PUBLIC}.{lang}.{formats.FORMATS[form]}", text)
    write_sheets(materials)
    remove_leftovers(desk.folder)
    return reports


def mend_folder(desk: Desk) -> Sequence[int]:
    """Write and remove what a command that was killed after its act left as it was, letters too;
    return the letters that were missing."""
    unwritten, final = unwritten_phases(desk), final_folder(desk)
    has_final = final is None or _final_names() <= {path.name for path in final.glob("*")}
    if not unwritten and has_final and not is_folder_behind(desk):
        return ()
    materials, words = Materials(desk), find_last_words(desk)
    worded = list_processed_phases(desk, [words.phase] if words else ())
    complete_folder(materials, [*unwritten, *worded])
    if desk.line():  # nothing was sent in advance for the first phase
        write_new_receipts(desk)
    made = update_letters(desk, materials)
    mark_folder(desk)
    return made.drafted


def unwritten_phases(desk: Desk) -> list[str]:
    """Return the processed phases of which some report was never written."""
    last = formats.FORMATS[WRITTEN[-1]]
    return [
        record.name
        for record in desk.phases()
        if record.state == "processed"
        and not any(reports_folder(desk, record.name, record.version).glob(f"{PUBLIC}.*.{last}"))
    ]


# -- one report on demand --------------------------------------------------------------------------


def compose_report(
    desk: Desk,
    phase: str,
    sentences: Sentences,
    recipient: str | None = None,
    form: str = "text",
    *,
    version: int | None = None,
    opened: bool = False,
    reason: str = "",
) -> str | bytes:
    """Return one report of a phase, processed or open; or its map alone, as SVG or PNG.

    ``phase``: its name, "" for the last one processed, ``final`` for the whole game.
    ``recipient``: a power, the game master, or None for everybody.  ``opened``: with the orders
    that wait, which the journal keeps with the ``reason``.
    """
    is_map = form in (SVG, PNG)
    name = phase or last_processed(desk)
    if phase == FINAL:
        materials = Materials(desk)
        if not is_map:
            return materials.final(sentences).render(form)
        seen = materials.final_view()
    else:
        if version is not None or desk.phase is None or name != str(desk.phase):
            context = gather_past_phase(desk, name, version)
        else:
            context = gather_open_phase(desk, recipient if opened else None, reason=reason)
        if not is_map:
            pictures = desk.settings["pictures"] == "yes"
            return formats.format_report(
                context, recipient, form, sentences, opened=opened, pictures=pictures
            )
        seen = filter_context(context, recipient, opened=opened)
    maps = formats.MapPictures()
    return maps.svg(seen, sentences) if form == SVG else maps.png(seen, sentences)


def last_processed(desk: Desk) -> str:
    """Return the name of the last phase processed; of the open one where none was."""
    done = list_processed_phases(desk)
    return done[-1] if done else str(desk.phase)


# Order sheets: those of the open phase in the game's folder, and any that is asked for.


def sheets_folder(desk: Desk, phase: str) -> Path:
    """Return where the order sheets for a phase lie."""
    return desk.folder / "sheets" / phase


def write_sheets(materials: Materials) -> tuple[Path, ...]:
    """Write the order sheets of the open phase, one for every person who owes orders, and remove
    those of the phases before; return the files.

    Sheets already there are overwritten.  A table that wants no pictures has none.
    """
    desk = materials.desk
    if not materials.has_pictures:
        return ()
    phase = "" if desk.phase is None else str(desk.phase)
    files = []
    for sheet in compose_sheets(materials) if phase else ():
        files.append(sheets_folder(desk, phase) / sheet.file)
        write_whole(files[-1], sheet.page, private=True)
    _remove_closed(desk, phase)
    return tuple(files)


def compose_sheets(
    materials: Materials, powers: Sequence[str] = (), lang: str | None = None
) -> tuple[OrderSheet, ...]:
    """Return the order sheets of some powers, or of all that owe orders, for the open phase; in a
    language, or in that of each player.

    Raises:
        GameError: ``game-is-over``.
    """
    desk = materials.desk
    if desk.phase is None:
        raise GameError("game-is-over")
    own = {player.power: player.lang for player in desk.players}
    bots = {player.power for player in desk.players if player.is_bot}
    owing = find_required_orders(desk.position)
    chosen = powers or tuple(power for power in owing if power not in bots)
    if writes_letters(desk):
        mail_store.find_or_make_codes(
            desk, chosen, str(desk.phase)
        )  # all together: each sheet has one
    return tuple(
        materials.sheet(power, load_sentences(lang or own.get(power) or desk.lang))
        for power in chosen
    )


def compose_turn_sheets(
    path: Path, map_id: str | None, powers: Sequence[str], sentences: Sentences
) -> tuple[tuple[OrderSheet, ...], Phase]:
    """Return the order sheets for the phase of a turn file, and that phase; orders in the file are
    left aside.
    """
    turn = read_turn(path, map_id)
    position = turn.position if turn.position is not None else resolve_turn(turn).position
    heading = SheetHeading(position.board.name(sentences.lang))
    drawn, judging = formats.draw_position_map(position, sentences, heading.game), Sandbox("yes")
    named = [parse_power(position.board, name) for name in powers]
    sheets = tuple(
        OrderSheet(
            power,
            sentences.lang,
            render_order_sheet(position, power, sentences, heading, drawn, judging),
        )
        for power in named or find_required_orders(position)
    )
    return sheets, position.phase


def _remove_closed(desk: Desk, phase: str) -> None:
    """Remove the sheets written for other phases; a file that somebody added stays."""
    root = desk.folder / "sheets"
    if not root.is_dir():
        return
    for folder in root.iterdir():
        if folder.is_dir() and folder.name != phase:
            for power, lang in product(desk.board.powers, LANGUAGES):
                (folder / OrderSheet(power, lang, "").file).unlink(missing_ok=True)
            with suppress(OSError):  # somebody's own files are in it
                folder.rmdir()


# Submitting orders, and the receipt that tells the player how they were read.


def submit_orders(
    desk: Desk, power: str, text: str, *, source: str = "-", reason: str = ""
) -> tuple[Receipt, Path]:
    """Enter a power's orders for the open phase, as they were written; return their receipt, and
    the draft that tells the player."""
    with desk.file.writing("submit"):
        receipt = desk.submit(power, text, source=source, reason=reason)
        return receipt, write_receipt(desk, receipt)


def write_receipt(desk: Desk, receipt: Receipt) -> Path:
    """Write a receipt in the player's language into the folder of drafts and return its file.

    It is a letter if the game writes letters and the player has an address, else a text.
    """
    player = next((p for p in desk.players if p.power == receipt.power), Player(receipt.power, ""))
    sentences = load_player_sentences(desk, player)
    text = "\n".join(ReceiptText(desk, receipt, sentences).lines()) + "\n"
    if writes_letters(desk) and can_be_written_to(player):
        outbox = Outbox(desk)
        key = mail_store.LetterKey(mail_store.Occasion.RECEIPT, receipt.power, seal=receipt.digest)
        letter = Letter(sentences.format("subject-receipt"), text, lang=sentences.lang)
        return outbox.path(outbox.find(outbox.draft(key, letter)))
    name = f"receipt-{receipt.phase}-{receipt.power}-{receipt.number}.{sentences.lang}.txt"
    path = desk.folder / "drafts" / name
    write_whole(path, text, private=True)
    return path


def write_new_receipts(desk: Desk) -> None:
    """Write the receipts of a phase that has just opened.

    They are about orders sent in advance that count from now on, so that their players have the
    seal.
    """
    if desk.phase is not None:
        for receipt in desk.open_receipts().values():
            if not receipt.bot:
                write_receipt(desk, receipt)


# The letters of a game after an act. A game without an address of its own writes none.


def update_letters(
    desk: Desk, materials: Materials | None = None, *, opening: bool = False, day: str = ""
) -> DraftedLetters:
    """Bring the drafts in line with the game, and send nothing; ``opening`` and ``day`` are those
    of :func:`alexmagnum.mail.drafts.update_drafts`."""
    outbox = (materials or Materials(desk)).outbox()
    return update_drafts(outbox, opening=opening, day=day)


def open_outbox(desk: Desk) -> Outbox:
    """Return the outbox after letters that were interrupted are marked, and drafts updated."""
    box = Materials(desk).outbox()
    # If another command is sending now, it marks them itself.
    with suppress(GameError), hold_lock(box.folder, "send"):
        sending.mark_interrupted(box)
    update_drafts(box)
    sending.flag_letters_sent_before(box)
    return box


def remind(desk: Desk) -> DraftedLetters:
    """Draft reminders to the players whose orders are missing, one a day for each.

    Raises:
        GameError: ``game-is-over``.
    """
    if desk.phase is None:
        raise GameError("game-is-over")
    open_outbox(desk)
    return update_letters(desk, day=desk.today())


def send_letters(
    box: Outbox, numbers: Collection[int] = (), again: Sequence[int] = (), reason: str = ""
) -> Iterator[sending.Delivery]:
    """Send all drafts, or those with some numbers, each once; yield each result.

    Letters named in ``again`` have gone, or may have, and are sent once more.
    """
    chosen = _find_numbers(box, numbers, again)
    for number in again:
        box.put_back(number, reason)
    yield from sending.send(box, chosen)


def preview_sending(
    box: Outbox, numbers: Collection[int] = (), again: Sequence[int] = ()
) -> Iterator[sending.Delivery]:
    """Yield the results that :func:`send_letters` would probably have; send nothing."""
    chosen = _find_numbers(box, numbers, again)
    for mailing in box.list_letters():
        if chosen is not None and mailing.id not in chosen:
            continue
        if mailing.state == mail_store.DRAFT:
            try:
                sending.check_draft(box, mailing)
            except GameError as error:
                yield sending.Delivery(mailing, mail_store.DRAFT, error)
                continue
        elif mailing.id not in again:
            continue
        yield sending.Delivery(mailing, mail_store.SENT)


def _find_numbers(box: Outbox, numbers: Collection[int], again: Sequence[int]) -> set[int] | None:
    for number in (*numbers, *again):
        box.find(number)
    return {*numbers, *again} or None


def send_automatic(desk: Desk) -> tuple[tuple[sending.Delivery, ...], GameError | None]:
    """Send the drafts that the settings let go by themselves; return the results, and the error
    if none could be sent."""
    deliveries, unsent = list[sending.Delivery](), None
    outbox = Materials(desk).outbox()
    try:
        if numbers := mail_store.find_automatic(outbox, desk.settings, desk.now()):
            sending.refuse_while_held(outbox)
            deliveries.extend(sending.send(outbox, numbers))
    except GameError as error:
        unsent = error
    return tuple(deliveries), unsent
