"""Order sheets: those of the open phase in the game's folder, and any that is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from alexmagnum.board.model import Board
from alexmagnum.cases.case_files import read_turn
from alexmagnum.cases.resolution import resolve_turn
from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.game.desk import Desk
from alexmagnum.game.reply_codes import find_or_make_codes
from alexmagnum.game.required_orders import find_required_orders
from alexmagnum.game.state import parse_power
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences
from alexmagnum.position import Phase
from alexmagnum.report.map_pictures import draw_position_map
from alexmagnum.report.order_sheet import Sandbox, SheetHeading, render_order_sheet
from alexmagnum.workflow.materials import Materials, Sheet, languages_by_power, writes_letters


def sheets_folder(desk: Desk, phase: str) -> Path:
    """Return where the order sheets for a phase lie."""
    return desk.folder / "sheets" / phase


def write_sheets(materials: Materials) -> tuple[Path, ...]:
    """Write the order sheets of the open phase, one for every person who owes orders, and remove
    those of the phases before; return the files.

    Sheets already there are overwritten.  A table that wants no pictures has none.

    Raises:
        GameError: ``cannot-write``.
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
) -> tuple[Sheet, ...]:
    """Return the order sheets of some powers, or of all that owe orders, for the open phase; in a
    language, or in that of each player.

    Raises:
        GameError: ``game-is-over``.
    """
    desk = materials.desk
    if desk.phase is None:
        raise GameError("game-is-over")
    languages = languages_by_power(desk)
    bots = {player.power for player in desk.players if player.is_bot}
    owing = find_required_orders(desk.position)
    chosen = powers or tuple(power for power in owing if power not in bots)
    if writes_letters(desk):
        find_or_make_codes(desk.game, chosen, str(desk.phase))  # all together: each sheet has one
    return tuple(
        materials.sheet(power, load_sentences(lang or languages[power])) for power in chosen
    )


def compose_turn_sheets(
    path: Path, map_id: str | None, powers: Sequence[str], sentences: Sentences
) -> tuple[tuple[Sheet, ...], Phase]:
    """Return the order sheets for the phase of a turn file, and that phase; orders in the file are
    left aside.

    Raises:
        BadFile, BadMap, BadPosition: the turn file cannot be used.
        GameError: ``no-such-power``.
    """
    turn = read_turn(path, map_id)
    position = turn.position if turn.position is not None else resolve_turn(turn).position
    board = position.board
    heading = SheetHeading(board.name(sentences.lang))
    drawn = draw_position_map(position, sentences, heading.game)
    judging = Sandbox("yes")

    def render(power: str) -> str:
        return render_order_sheet(position, power, sentences, heading, drawn, judging)

    sheets = tuple(
        Sheet(power, sentences.lang, render(power))
        for power in [parse_power(board, name) for name in powers] or find_required_orders(position)
    )
    return sheets, position.phase


def _remove_closed(desk: Desk, phase: str) -> None:
    """Remove the sheets written for other phases; a file that somebody added stays."""
    root = desk.folder / "sheets"
    if not root.is_dir():
        return
    for folder in root.iterdir():
        if folder.is_dir() and folder.name != phase:
            for name in _file_names(desk.board):
                (folder / name).unlink(missing_ok=True)
            with suppress(OSError):  # somebody's own files are in it
                folder.rmdir()


def _file_names(board: Board) -> list[str]:
    return [Sheet(power, lang, "").file for power in board.powers for lang in LANGUAGES]
