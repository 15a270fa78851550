"""The desk: everything a game master does with a game, each act one transaction.

This is the library's way to a game file.  Modules that need the judge are imported when they are
used: whoever only looks at the desk does not wait for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alexmagnum.game import deadlines, people
from alexmagnum.game import game as games
from alexmagnum.game.file import WAIT, GameFile
from alexmagnum.game.game import REAL_WORLD, Game, Player, Receipt, Surroundings, in_one_view
from alexmagnum.game.late_orders import read_ledger
from alexmagnum.game.orders import find_required_orders, read_receipt, read_receipts
from alexmagnum.game.records import Entry, ResultRow
from alexmagnum.game.settings import RULES
from alexmagnum.game.status import read_closing_seal, read_status
from alexmagnum.i18n.sentences import fold

if TYPE_CHECKING:
    from alexmagnum.game.acts import Acts
else:
    Acts = object


class Desk(Game, Acts):
    """A game in its folder.  Close it, or use it in a ``with``.

    Every act is one transaction with one entry in the journal.  Acts and questions are functions
    of this room, which have their names here or, if they need the judge, in
    :class:`alexmagnum.game.acts.Acts`.
    """

    def __getattr__(self, name: str) -> Any:
        """Return one of the methods that need the judge, which is loaded now."""
        from alexmagnum.game.acts import Acts

        return getattr(Acts, name).__get__(self)

    @classmethod
    def create(cls, folder: Path, new: games.NewGame, around: Surroundings = REAL_WORLD) -> Desk:
        """Create a game in a folder.

        Raises:
            GameError: game-exists, no-folder, game-busy; no-such-power, bad-player, two-players;
                unknown-setting, bad-setting; other-map, start-without-year.
            BadFile, BadMap, BadPosition: the map, or the position to start with, cannot be used.
        """
        from alexmagnum.game.create import create_game

        return create_game(cls, folder, new, around)

    @classmethod
    def open(cls, folder: Path, around: Surroundings = REAL_WORLD, wait: float = WAIT) -> Desk:
        """Open the game of a folder.

        Raises:
            GameError: no-game, game-newer, game-damaged, game-foreign, game-busy after ``wait``
                seconds.
        """
        file = GameFile.open(folder, wait)
        try:
            return cls(file, around)
        except BaseException:
            file.close()
            raise

    @classmethod
    def import_game(
        cls, path: Path, folder: Path, around: Surroundings = REAL_WORLD, *, keep: bool = False
    ) -> Desk:
        """Create a game in a new folder from the file that ``export`` wrote.

        Settings of mail, paths and automatic sending are reset, each with a warning of the desk,
        unless ``keep``: that is for the game master's own export.

        Raises:
            GameError: game-exists, game-newer, not-an-export, export-differs.
        """
        from alexmagnum.game.create import import_game

        return import_game(cls, path, folder, around, keep=keep)

    # -- what there is ---------------------------------------------------------------------------

    status = read_status
    ledger = read_ledger
    setting_changes = deadlines.read_setting_changes
    texts = deadlines.read_texts
    coming_deadlines = deadlines.list_coming_deadlines

    @property
    def closing_seal(self) -> str:
        """Return the digest of the game file at the end of the game, "" if the game goes on."""
        with self.reading():
            return str(read_closing_seal(self).get("digest", ""))

    @property
    def players(self) -> tuple[Player, ...]:
        """Return who plays now, in the map's order of powers."""
        return people.read_players(self)

    @property
    def past_players(self) -> tuple[Player, ...]:
        return people.read_players(self, past=True)

    @in_one_view
    def history(
        self, phase: str | None = None, power: str | None = None, unit: str | None = None
    ) -> tuple[Entry, ...]:
        """Return what was done, oldest first, in a phase and by or for a power.

        With a unit, return its results.  Those entries have the action ``resolved`` and in
        ``detail`` ``unit``, ``order``, ``result``, ``code``, ``version``, ``current``, and the
        sentences ``it`` and ``en``.  Nothing about waiting orders or votes is in it.
        """
        phase = self.phase_name(phase) if phase else None
        power = self.power(power) if power else None
        if unit:
            return _read_unit_history(self, phase, power, unit)
        rest = f"""WHERE (?1 IS NULL OR phase = ?1) AND (?2 IS NULL OR power = ?2)
                   AND action NOT IN {people.VOTING} ORDER BY id"""
        return self.file.select(Entry, rest, phase, power)

    # -- orders ----------------------------------------------------------------------------------

    due = staticmethod(find_required_orders)

    @in_one_view
    def receipt(self, power: str) -> Receipt | None:
        """Return the power's last receipt in the open phase."""
        return read_receipt(self, self.head(), self.power(power))

    @in_one_view
    def open_receipts(self) -> Mapping[str, Receipt]:
        """Return the last receipt of every power in the open phase."""
        return read_receipts(self, self.head())

    # -- people ----------------------------------------------------------------------------------

    set_player = people.set_player
    replace_player = people.replace_player
    withdraw_bot = people.withdraw_bot
    absent = people.set_absence
    note = people.set_note
    vote = people.cast_vote
    withdraw_vote = people.withdraw_vote

    def play_by_bot(self, power: str, bot: str, *, stand_in: str = "", reason: str = "") -> Player:
        """Let a bot play a power from now on, or stand in for its player; return the player.

        ``stand_in`` is ``return`` (until the player sends orders), or the name of the phase in
        which alone it stands in.  The bot gives the orders that are missing in the open phase.

        Raises:
            GameError: no-such-power, game-is-over; no-player, bot-plays: nobody to stand in for.
            AlexMagnumError: no-such-bot.
        """
        player = people.enrol_bot(self, power, bot, stand_in, reason)
        self.ask_bots()
        return player

    # -- time and settings -----------------------------------------------------------------------

    set_deadline = deadlines.set_deadline
    extend = deadlines.extend_deadline
    pause = deadlines.pause_clock
    resume = deadlines.resume_clock
    add_text = deadlines.add_text

    def set(self, name: str, value: object, reason: str = "") -> None:
        """Set a house rule, or a switch as ``rules.<switch>``, from the open phase on.

        Raises:
            GameError: unknown-setting (data: near), bad-setting (data: allowed).
        """
        deadlines.change_setting(self, name, value, reason)
        if name.startswith(RULES):
            self.ask_bots(again=True)

    def record(
        self, action: str, *, phase: str = "", power: str = "", reason: str = "", **detail: object
    ) -> None:
        """Add something to the journal that was done elsewhere, such as opening a report."""
        with self.act(action, power, reason) as note:
            note.phase = phase or note.phase
            note.detail |= detail

    def export(self, path: Path) -> None:
        """Write the whole game as one JSON file, and then add that to the journal.

        Raises:
            GameError: cannot-write.
        """
        from alexmagnum.game.create import export_game

        export_game(self.file, path)
        self.record("export", path=path.name)


def _read_unit_history(
    game: Game, phase: str | None, power: str | None, unit: str
) -> tuple[Entry, ...]:
    """Return the results of a unit, in every version of every phase asked for.

    ``F EGE`` is every fleet in that sea, ``F EGE#2`` is one of them.  An undone phase has no
    results: its orders wait again.
    """
    line = game.line()
    current, names = {row.id for row in line}, {row.name for row in line}
    outcomes = {row.id: row for row in game.outcomes() if row.name in names}
    asked, entries = _simplify(unit), []
    for row in game.file.select(ResultRow, "ORDER BY id"):
        outcome = outcomes.get(row.outcome)
        if (
            outcome is not None
            and phase in (None, outcome.name)
            and power in (None, row.power)
            and asked in (_simplify(row.unit), _simplify(row.unit.partition("#")[0]))
        ):
            detail = {
                "unit": row.unit,
                "order": row.canonical,
                "result": row.result,
                "code": row.code,
                "strength": row.strength,
                "against": row.against,
                "version": outcome.version,
                "current": outcome.id in current,
                "it": row.sentence_it,
                "en": row.sentence_en,
            }
            about = (outcome.name, row.power, "", "", detail)
            entries.append(Entry(row.id, outcome.processed, "", "resolved", *about))
    return tuple(entries)


def _simplify(unit: str) -> str:
    """Return a unit's name without what people write differently; ``#1`` needs not be said."""
    return fold(unit).replace(" ", "").removesuffix("#1")
