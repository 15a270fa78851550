"""The desk: everything a game master does with a game, each act one transaction.

This is the library's way to a game file.  Modules that need the judge are imported by the method
that uses them: whoever only looks at the desk does not wait for them.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from alexmagnum.game.deadlines import (
    add_text,
    change_setting,
    extend_deadline,
    list_coming_deadlines,
    pause_clock,
    read_setting_changes,
    read_texts,
    resume_clock,
    set_deadline,
)
from alexmagnum.game.file import WAIT, GameFile
from alexmagnum.game.game import (
    Amendment,
    Change,
    Entropy,
    Entry,
    Finding,
    Game,
    GameEnd,
    NewGame,
    Now,
    PhaseRecord,
    Player,
    Processed,
    Receipt,
    in_one_view,
)
from alexmagnum.game.orders import (
    find_required_orders,
    read_receipt,
    read_receipts,
    read_sealed_receipts,
)
from alexmagnum.game.people import (
    cast_vote,
    enrol_bot,
    read_players,
    replace_player,
    set_absence,
    set_note,
    set_player,
    withdraw_bot,
    withdraw_vote,
)
from alexmagnum.game.records import JournalRow, UnitResultRow
from alexmagnum.game.settings import RULES
from alexmagnum.game.status import read_closing_seal, read_ledger, read_status
from alexmagnum.i18n.sentences import fold
from alexmagnum.position import Position

if TYPE_CHECKING:
    from alexmagnum.game.undo import Declaration


def utc_now() -> datetime:
    """Return the present in UTC."""
    return datetime.now(UTC)


class Desk(Game):
    """A game in its folder.  Close it, or use it in a ``with``.

    Every act is one transaction with one entry in the journal.  Acts and questions that need no
    judge are functions of this room, which have their names here.
    """

    @classmethod
    def create(
        cls,
        folder: Path,
        new: NewGame,
        *,
        now: Now = utc_now,
        entropy: Entropy = secrets.token_bytes,
        actor: str = "gm",
    ) -> Desk:
        """Create a game in a folder.

        Raises:
            GameError: game-exists, no-folder, game-busy; no-such-power, bad-player, two-players;
                unknown-setting, bad-setting; other-map, start-without-year.
            BadFile, BadMap, BadPosition: the map, or the position to start with, cannot be used.
        """
        from alexmagnum.game.create import create_game

        desk = create_game(cls, folder, new, now, entropy, actor)
        try:
            desk.ask_bots()
        except BaseException:
            desk.close()
            raise
        return desk

    @classmethod
    def open(
        cls,
        folder: Path,
        now: Now = utc_now,
        entropy: Entropy = secrets.token_bytes,
        actor: str = "gm",
        wait: float = WAIT,
    ) -> Desk:
        """Open the game of a folder.

        Raises:
            GameError: no-game, game-newer, game-damaged, game-foreign, game-busy after ``wait``
                seconds.
        """
        file = GameFile.open(folder, wait)
        try:
            return cls(file, now, entropy, actor)
        except BaseException:
            file.close()
            raise

    @classmethod
    def import_game(
        cls,
        path: Path,
        folder: Path,
        now: Now = utc_now,
        entropy: Entropy = secrets.token_bytes,
        actor: str = "gm",
    ) -> Desk:
        """Create a game in a new folder from the file that ``export`` wrote.

        Raises:
            GameError: game-exists, game-newer, not-an-export, export-differs.
        """
        from alexmagnum.game.create import import_game

        return import_game(cls, path, folder, now, entropy, actor)

    # -- what there is ---------------------------------------------------------------------------

    status = read_status
    ledger = read_ledger
    setting_changes = read_setting_changes
    texts = read_texts
    coming_deadlines = list_coming_deadlines

    @property
    def closing_seal(self) -> str:
        """Return the digest of the game file at the end of the game, "" if the game goes on."""
        return read_closing_seal(self)

    @property
    def players(self) -> tuple[Player, ...]:
        """Return who plays now, in the map's order of powers."""
        return read_players(self)

    @property
    def past_players(self) -> tuple[Player, ...]:
        return read_players(self, past=True)

    @in_one_view
    def history(
        self, phase: str | None = None, power: str | None = None, unit: str | None = None
    ) -> tuple[Entry, ...]:
        """Return what was done, oldest first, in a phase and by or for a power.

        With a unit, return its results.  Those entries have the action ``resolved`` and in
        ``detail`` ``unit``, ``order``, ``result``, ``code``, ``version``, ``current``, and the
        sentences ``it`` and ``en``.  Nothing about waiting orders is in it.
        """
        phase = self.phase_name(phase) if phase else None
        power = self.power(power) if power else None
        if unit:
            return _read_unit_history(self, phase, power, unit)
        rows = self.file.select(
            JournalRow,
            "WHERE (?1 IS NULL OR phase = ?1) AND (?2 IS NULL OR power = ?2) ORDER BY id",
            phase,
            power,
        )
        return tuple(Entry(**asdict(row) | {"detail": json.loads(row.detail)}) for row in rows)

    # -- orders ----------------------------------------------------------------------------------

    due = staticmethod(find_required_orders)

    def submit(
        self, power: str, text: str, *, source: str = "", reason: str = "", received: str = ""
    ) -> Receipt:
        """Take a power's mail, and return its receipt, which says what is wrong with each line.

        The mail came now, unless ``received`` says when (ISO, UTC).

        Raises:
            GameError: no-such-power, game-is-over.
        """
        from alexmagnum.game.submissions import submit_orders

        return submit_orders(self, power, text, source, reason, received)

    def clear(self, power: str, *, reason: str = "", received: str = "") -> Receipt:
        """Withdraw what a power sent for the open phase, and return the receipt.

        Raises:
            GameError: no-such-power, game-is-over.
        """
        from alexmagnum.game.submissions import clear_orders

        return clear_orders(self, power, reason, received)

    def receipt(self, power: str) -> Receipt | None:
        """Return the power's last receipt in the open phase."""
        with self.reading():
            return read_receipt(self, self.head(), self.power(power))

    @in_one_view
    def open_receipts(self) -> Mapping[str, Receipt]:
        """Return the last receipt of every power in the open phase."""
        return read_receipts(self, self.head())

    @in_one_view
    def receipts(self, phase: str, version: int | None = None) -> Mapping[str, Receipt]:
        """Return the receipts of the orders that a phase was resolved with, by power.

        Raises:
            GameError: unknown-phase, not-past, unknown-version.
        """
        from alexmagnum.game.phases import find_outcome

        return read_sealed_receipts(self, find_outcome(self, phase, version))

    def pending(self, power: str | None = None, *, reason: str) -> Mapping[str, tuple[str, ...]]:
        """Return the orders that count now, by power; the journal says that they were opened."""
        from alexmagnum.game.submissions import open_orders

        return open_orders(self, power, reason)

    def ahead(
        self, power: str | None = None, *, reason: str
    ) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """Return advance orders by power and kind of phase; the journal says so."""
        from alexmagnum.game.submissions import open_advance_orders

        return open_advance_orders(self, power, reason)

    # -- phases ----------------------------------------------------------------------------------

    def preview(self) -> Processed:
        """Return what processing now would give, missing orders allowed; the journal says so."""
        from alexmagnum.game.undo import preview_phase

        return preview_phase(self)

    def process(
        self,
        phase: str,
        *,
        allow_missing: bool = False,
        reason: str = "",
        anyway: bool = False,
    ) -> Processed:
        """Resolve the open phase and open the next one.

        Raises:
            GameError: not-the-open-phase, orders-missing, game-is-over, unknown-phase; draw-agreed
                or concede-agreed if everybody wants to end the game (not with ``anyway``).
        """
        from alexmagnum.game.undo import process_phase

        self.ask_bots()  # an interrupted command may have left some unasked
        done = process_phase(self, phase, allow_missing=allow_missing, reason=reason, anyway=anyway)
        self.ask_bots()
        return done

    def end(self, declared: Declaration, reason: str = "") -> GameEnd:
        """End the game as the game master declares, and seal it; ``undo`` opens it again.

        Raises:
            GameError: game-is-over, no-such-power, end-needs-power, end-power-out.
        """
        from alexmagnum.game.undo import end_game

        return end_game(self, declared, reason)

    def ask_bots(self, *, again: bool = False) -> tuple[str, ...]:
        """Let bots give the orders that are missing, and return their powers.

        The acts that open a phase or change who plays do so themselves.  With ``again`` bots are
        asked that have ordered already: the rules have changed.
        """
        from alexmagnum.game.submissions import ask_bots

        return ask_bots(self, again=again)

    def processed(self, phase: str, version: int | None = None) -> Processed:
        """Return a phase as it was resolved, in a version or in the one that stands now.

        Raises:
            GameError: unknown-phase, not-past, unknown-version.
        """
        from alexmagnum.game.phases import read_processed

        with self.reading():
            return read_processed(self, phase, version)

    @in_one_view
    def position_before(self, phase: str, version: int | None = None) -> Position:
        """Return the position before a phase."""
        from alexmagnum.game.phases import find_position_before

        return find_position_before(self, phase, version)

    @in_one_view
    def phases(self) -> tuple[PhaseRecord, ...]:
        """Return the phases of the game as it stands, oldest first, the open one last."""
        from alexmagnum.game.phases import list_phases

        return list_phases(self)

    @in_one_view
    def versions(self, phase: str) -> tuple[PhaseRecord, ...]:
        """Return all versions of a phase, oldest first."""
        from alexmagnum.game.phases import list_versions

        return list_versions(self, phase)

    @in_one_view
    def differences(self, phase: str, version: int | None = None) -> tuple[Change, ...]:
        """Return how a version of a phase differs from the one before; empty for the first."""
        from alexmagnum.game.phases import list_differences

        return list_differences(self, phase, version)

    def undo(self, reason: str = "") -> str:
        """Take back the last processing or amendment, and return the phase that is open now.

        Raises:
            GameError: nothing-to-undo.
        """
        from alexmagnum.game.undo import undo

        opened = undo(self, reason)
        self.ask_bots()
        return opened

    def redo(self, reason: str = "", *, anyway: bool = False) -> str:
        """Put back what was taken back last, and return the phase that is open now, "" if over.

        Raises:
            GameError: nothing-to-redo; redo-overrides (orders or settings since the undo would
                have no effect; not with ``anyway``).
        """
        from alexmagnum.game.undo import redo

        opened = redo(self, reason, anyway=anyway)
        self.ask_bots()
        return opened

    def amend(
        self, phase: str, power: str, text: str, *, reason: str = "", dry_run: bool = False
    ) -> Amendment:
        """Correct one power's orders in a past phase, and replay everything after it.

        With ``dry_run`` nothing changes: the amendment says what would come out.

        Raises:
            GameError: unknown-phase, not-past, no-such-power, amend-nothing, amend-ended.
        """
        from alexmagnum.game.undo import amend_orders, rehearse

        if dry_run:
            return rehearse(self, lambda: amend_orders(self, phase, power, text, reason))
        done = amend_orders(self, phase, power, text, reason)
        self.ask_bots()
        return done

    def amend_settings(
        self,
        phase: str,
        rules: Mapping[str, object],
        reason: str = "",
        *,
        dry_run: bool = False,
    ) -> Amendment:
        """Correct switches of the rules from a past phase on, and replay everything after it.

        With ``dry_run`` nothing changes: the amendment says what would come out.
        """
        from alexmagnum.game.undo import amend_rules, rehearse

        if dry_run:
            return rehearse(self, lambda: amend_rules(self, phase, rules, reason))
        done = amend_rules(self, phase, rules, reason)
        self.ask_bots(again=True)
        return done

    def verify(self) -> tuple[Finding, ...]:
        """Resolve every phase again from its stored inputs, and return the differences."""
        from alexmagnum.game.verify import verify_game

        with self.reading():
            return verify_game(self)

    @in_one_view
    def verify_bots(self) -> tuple[Finding, ...]:
        """Ask the bots again, and return the phases in which they would order otherwise now."""
        from alexmagnum.game.submissions import check_bots

        return tuple(check_bots(self))

    # -- people ----------------------------------------------------------------------------------

    set_player = set_player
    replace_player = replace_player
    withdraw_bot = withdraw_bot
    absent = set_absence
    note = set_note
    vote = cast_vote
    withdraw_vote = withdraw_vote

    def play_by_bot(self, power: str, bot: str, *, stand_in: str = "", reason: str = "") -> Player:
        """Let a bot play a power from now on, or stand in for its player; return the player.

        ``stand_in`` is ``return`` (until the player sends orders), or the name of the phase in
        which alone it stands in.  The bot gives the orders that are missing in the open phase.

        Raises:
            GameError: no-such-power, game-is-over; no-player, bot-plays: nobody to stand in for.
            AlexMagnumError: no-such-bot.
        """
        player = enrol_bot(self, power, bot, stand_in, reason)
        self.ask_bots()
        return player

    # -- time and settings -----------------------------------------------------------------------

    set_deadline = set_deadline
    extend = extend_deadline
    pause = pause_clock
    resume = resume_clock
    add_text = add_text

    def set(self, name: str, value: object, reason: str = "") -> None:
        """Set a house rule, or a switch as ``rules.<switch>``, from the open phase on.

        Raises:
            GameError: unknown-setting (data: near), bad-setting (data: allowed).
        """
        change_setting(self, name, value, reason)
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


# The results of each unit, for the history.


def _read_unit_history(
    game: Game, phase: str | None, power: str | None, unit: str
) -> tuple[Entry, ...]:
    """Return the results of a unit, in every version of every phase asked for.

    ``F EGE`` is every fleet in that sea, ``F EGE#2`` is one of them.  An undone phase has no
    results: its orders wait again.
    """
    resolved = {outcome.name for outcome in game.line()}
    rows = game.file.select(
        UnitResultRow,
        """WHERE (?1 IS NULL OR phases.name = ?1) AND (?2 IS NULL OR power = ?2)
           ORDER BY resolved.id""",
        phase,
        power,
    )
    asked = _simplify(unit)
    return tuple(
        _make_unit_entry(row)
        for row in rows
        if row.name in resolved
        and asked in (_simplify(row.unit), _simplify(row.unit.partition("#")[0]))
    )


def _simplify(unit: str) -> str:
    """Return a unit's name without what people write differently; ``#1`` needs not be said."""
    return fold(unit).replace(" ", "").removesuffix("#1")


def _make_unit_entry(row: UnitResultRow) -> Entry:
    detail = {
        "unit": row.unit,
        "order": row.canonical,
        "result": row.result,
        "code": row.code,
        "strength": row.strength,
        "against": row.against,
        "version": row.version,
        "current": row.state in ("processed", "passed"),
        "it": row.sentence_it,
        "en": row.sentence_en,
    }
    return Entry(
        id=row.id,
        at=row.processed,
        actor="",
        action="resolved",
        phase=row.name,
        power=row.power,
        reason="",
        detail=detail,
    )
