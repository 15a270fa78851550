"""Processing, correcting and ending with all that is published after it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

from alexmagnum.builds import pause_collection
from alexmagnum.errors import GameError
from alexmagnum.files import remove_leftovers, write_whole
from alexmagnum.game import mail_store
from alexmagnum.game.copies import Restored, list_copies, restore_copy
from alexmagnum.game.deadlines import WORDED
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import SHEETS, hold_lock, is_game_folder
from alexmagnum.game.game import Player, Processed, Receipt, Surroundings
from alexmagnum.game.orders import AHEAD, find_last_submissions, require_open_phase
from alexmagnum.game.people import HELD, find_hidden_names, hides_names
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.game.status import PEOPLE, PHASE, is_folder_behind, is_out_of_date, mark_folder
from alexmagnum.game.submissions import say_act_is_stored
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.mail import sending
from alexmagnum.mail.composition import Letter, can_be_written_to, load_player_sentences
from alexmagnum.mail.drafts import DraftedLetters, update_drafts
from alexmagnum.mail.outbox import Outbox
from alexmagnum.report import formats
from alexmagnum.report.final_report import CODE as FINAL
from alexmagnum.report.materials import Materials, OrderSheet, compose_sheets
from alexmagnum.report.receipt import ReceiptText
from alexmagnum.site.site import SiteUpdate, update_site

# Publishing after an act on the game: reports, order sheets, receipts, letters, sending.
#
# ``process``, ``amend``, ``undo``, ``redo``, ``end``, ``tick`` and the library all publish through
# :func:`publish`.


@dataclass(frozen=True, slots=True)
class Published:
    """Everything that was published after an act.

    ``reports`` are the folders of the phases whose reports were written, ``final`` that of the
    final report if the game is over; ``letters`` are the drafts; ``deliveries`` the results of
    letters that the settings send by themselves, and ``unsent`` why none could be sent, if so.
    ``site`` is what became of the site, None if the game keeps none.
    """

    reports: tuple[Path, ...] = ()
    final: Path | None = None
    letters: DraftedLetters = field(default_factory=DraftedLetters)
    deliveries: tuple[sending.Delivery, ...] = ()
    unsent: GameError | None = None
    site: SiteUpdate | None = None


@pause_collection()
def publish(
    desk: Desk, phases: Iterable[str] = (), *, opened: bool = False, sends: bool = False
) -> Published:
    """Publish what an act changed, and return what was written, drafted and sent.

    ``phases`` were processed or changed: their reports are written.  ``opened``: the act opened
    a new phase, for which orders sent in advance may count now.  ``sends``: letters go out at once
    where the settings say so.

    Raises:
        GameError: ``act-unwritten`` (``why``): the act is stored, and not all that follows from it
            could be written.
    """
    materials = Materials(desk)
    with say_act_is_stored(desk):
        reports = complete_folder(materials, phases)
        if opened:
            write_new_receipts(desk)
        letters = update_letters(desk, materials)
        mark_folder(desk)
        deliveries, unsent = send_automatic(desk) if sends else ((), None)
        site = update_site(desk)
    return Published(reports, final_folder(desk), letters, deliveries, unsent, site)


def rewrite_reports(desk: Desk) -> Iterator[Path]:
    """Write the reports of every processed phase anew, as it stands now, and yield their folders.

    The final report and the order sheets of the open phase are written too; no letter is.
    """
    maps = formats.MapPictures()
    for phase in list_processed_phases(desk):
        yield write_reports(Materials(desk, maps), phase)
    complete_folder(Materials(desk, maps))
    if final := final_folder(desk):
        yield final


def process_phase(
    desk: Desk,
    phase: str,
    *,
    allow_missing: bool = False,
    reason: str = "",
    sends: bool = True,
    anyway: bool = False,
    is_due: Callable[[], bool] = lambda: True,
) -> tuple[Processed, Published]:
    """Resolve the open phase, which has to be named, open the next, and publish: reports, order
    sheets, receipts and letters.

    Processing the phase that was processed last again changes nothing, but publishes again; and
    whatever an act before left unwritten, because it was interrupted, is written too.

    With ``anyway`` the game plays on although everybody with a vote wants to end it.  Receipts
    that the settings send go first: they are of the phase that closes.  ``is_due`` is asked after
    that, when nobody else can change anything any more.
    """
    receipts, unsent = send_automatic(desk) if desk.settings["receipts"] == "send" else ((), None)
    if unsent is not None and unsent.code == sending.UNNOTED:
        raise unsent  # nothing else could be stored either
    done = desk.process(
        phase, allow_missing=allow_missing, reason=reason, anyway=anyway, is_due=is_due
    )
    unwritten = unwritten_phases(desk) if done.unchanged else []
    published = publish(desk, (done.phase, *unwritten), opened=True, sends=sends)
    deliveries = (*receipts, *published.deliveries)
    return done, replace(published, deliveries=deliveries, unsent=published.unsent or unsent)


# The files of a processed phase: the report for everybody, as a page with its map and as a text.
#
# Nothing secret lies in the folder. :func:`compose_report` makes the report of any other reader,
# and any other format, on demand.


PUBLIC = "public"
"""The name of the files for everybody."""

WRITTEN = ("html", "text")
"""The formats in which the report of a phase lies in its folder; the text is written last."""


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
    for form, text in formats.format_report_in_all(
        context, None, sentences, materials.maps if materials.has_pictures else None, forms=WRITTEN
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
    if (final := final_folder(desk)) is None:
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
    desk.ask_bots()
    materials, words = Materials(desk), desk.find_last_act(WORDED)
    worded = list_processed_phases(desk, [words.phase] if words else ())
    complete_folder(materials, [*unwritten, *worded])
    if is_out_of_date(desk, PHASE):
        write_new_receipts(desk)
    follow = show_players_anew if is_out_of_date(desk, PEOPLE) else update_letters
    made = follow(desk, materials)
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


# Whether players may know each other: all that shows them, written anew after a change.


_WITH_WORDS_OF_OTHERS = frozenset({"deadline", "letter", "press", "note", "ending"})
"""Kinds of letters with words that somebody wrote to their reader, or with a sender's address."""

_PAGES = frozenset(f".{suffix}" for suffix in formats.FORMATS.values())  # endings of reports


def show_players_anew(desk: Desk, materials: Materials) -> DraftedLetters:
    """Write anew the reports and drafts that show who plays; return the drafts.

    Reports with hidden names are removed, and letters with them are withdrawn.
    """
    for phase in list_processed_phases(desk):
        write_reports(materials, phase)
    if hides_names(desk):
        _remove_pages_with_names(desk)
    made = update_letters(desk, materials)
    if hides_names(desk):
        made.withdrawn += _withdraw_letters_with_names(desk)
    return made


def _withdraw_letters_with_names(desk: Desk) -> list[int]:
    """Withdraw the drafts that pass on words with the name of somebody other than the reader, or
    with any address: one not registered may be another player's."""
    outbox = Outbox(desk)
    named = [
        mailing
        for mailing in outbox.list_letters((mail_store.DRAFT,))
        if mailing.kind in _WITH_WORDS_OF_OTHERS
        for text in (outbox.text(mailing),)
        if (mailing.kind == "note" and "@" in text)
        or find_hidden_names(desk, text, own=(mailing.power,))
    ]
    with desk.file.writing("settings"):  # its readers read press in the report, without the name
        for number in {mailing.press for mailing in named if mailing.press} if desk.phase else ():
            desk.file.update("press", number, state=HELD, phase=str(desk.phase))
    outbox.withdraw(named, "letter-names-hidden")
    return [mailing.id for mailing in named]


def _remove_pages_with_names(desk: Desk) -> None:
    """Remove the reports for players that still name somebody: of corrected versions, or in the
    language of somebody who has left; ``report`` prints them without names."""
    people = (*desk.players, *desk.past_players)
    names = {name for person in people for name in (person.name, *person.addresses)}
    for path in (desk.folder / "reports").glob("*/*"):
        if path.suffix in _PAGES and any(
            name in path.read_text(encoding="utf-8") for name in names
        ):
            path.unlink()


# Order sheets: those of the open phase in the game's folder, and any that is asked for.


def sheets_folder(desk: Desk, phase: str) -> Path:
    """Return where the order sheets for a phase lie."""
    return desk.folder / SHEETS / phase


def write_sheets(materials: Materials) -> tuple[Path, ...]:
    """Write the order sheets of the open phase, one for every person who owes orders, and remove
    others; return the files.

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
    _remove_other_sheets(desk, files)
    return tuple(files)


def _remove_other_sheets(desk: Desk, files: Sequence[Path]) -> None:
    """Remove the sheets of other phases and players; a file that somebody added stays."""
    if not (root := desk.folder / SHEETS).is_dir():
        return
    for folder in root.iterdir():
        if folder.is_dir():
            for power, lang in product(desk.board.powers, LANGUAGES):
                if (path := folder / OrderSheet(power, lang, "").file) not in files:
                    path.unlink(missing_ok=True)
            with suppress(OSError):  # sheets of the open phase or somebody's own files are in it
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
    # An undo may open a phase of somebody else's lines.
    text = "\n".join(ReceiptText(desk, receipt.shown, sentences).lines()) + "\n"
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
    seal; where a restore opened it, mails with orders may have come before, and were answered.
    """
    last = desk.file.text("SELECT action FROM journal ORDER BY id DESC LIMIT 1")
    rows = find_last_submissions(desk, int(desk.head().id)) if last == mail_store.RESTORE else {}
    for power, receipt in desk.open_receipts().items() if desk.phase else ():
        if not receipt.bot and (power not in rows or rows[power].kind == AHEAD):
            write_receipt(desk, receipt)


# The letters of a game after an act. A game without an address of its own writes none.


def writes_letters(desk: Desk) -> bool:
    """Tell whether the game has an address, so that letters are drafted."""
    return bool(desk.settings["mail_address"])


def update_letters(
    desk: Desk, materials: Materials | None = None, *, opening: bool = False, day: str = ""
) -> DraftedLetters:
    """Bring the drafts in line with the game, and send nothing; ``opening`` and ``day`` are those
    of :func:`alexmagnum.mail.drafts.update_drafts`."""
    return update_drafts(Outbox(desk, materials or Materials(desk)), opening=opening, day=day)


def open_outbox(desk: Desk) -> Outbox:
    """Return the outbox after letters that were interrupted are marked, and drafts updated."""
    box = Outbox(desk, Materials(desk))
    sending.mark_interrupted(box)
    update_drafts(box)
    sending.flag_letters_sent_before(box)
    return box


def remind(desk: Desk) -> DraftedLetters:
    """Draft reminders to the players whose orders are missing, one a day for each."""
    require_open_phase(desk)
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
    """Send the drafts that the settings let go by themselves, after a jump of the clock none that
    are held for some time; return the results, and the error if none could be sent."""
    deliveries, unsent = list[sending.Delivery](), None
    now = desk.now() if desk.find_clock_jump() is None else datetime.min.replace(tzinfo=UTC)
    outbox = Outbox(desk, Materials(desk))
    sending.mark_interrupted(outbox)
    try:
        if numbers := mail_store.find_automatic(outbox, desk.settings, now):
            sending.refuse_while_held(outbox)
            deliveries.extend(sending.send(outbox, numbers))
    except GameError as error:
        unsent = error
    return tuple(deliveries), unsent


# Restoring a copy of the game file, while no other command fetches or sends mail.


def restore(folder: Path, number: int | None, around: Surroundings, reason: str = "") -> Restored:
    """Put a copy in the place of the game file, which is kept aside; without a number, the file as
    the last act left it.

    A final report of the replaced file is removed if the game goes on in the copy.

    Raises:
        GameError: ``no-game``, if nothing of one is there; as :func:`restore_copy`.
    """
    if not (is_game_folder(folder) or list_copies(folder)):
        raise GameError("no-game", path=str(folder))
    with ExitStack() as locks:
        for command in ("tick", "send"):
            locks.enter_context(hold_lock(folder, command))
        restored = restore_copy(folder, number, around, reason)
        with Desk.open(folder, around) as desk, say_act_is_stored(desk):
            # The folder may be another one; if not, drafts may have been edited since the last act.
            Outbox(desk).write_stored(anew=number is not None)
            if not restored.is_over:
                withdraw_final_report(folder)
        return restored
