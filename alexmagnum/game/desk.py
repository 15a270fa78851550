"""The desk: everything a game master does with a game, each act one transaction."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from alexmagnum.board.model import Board
from alexmagnum.errors import GameError
from alexmagnum.game.deadlines import (
    add_text,
    change_setting,
    extend_deadline,
    pause_clock,
    read_deadline,
    read_seconds_left,
    read_setting_changes,
    read_texts,
    resume_clock,
    set_deadline,
)
from alexmagnum.game.file import WAIT, GameFile
from alexmagnum.game.game import (
    Amendment,
    Change,
    ComingDeadline,
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
    Status,
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
from alexmagnum.game.status import read_closing_seal, read_status
from alexmagnum.i18n.sentences import fold
from alexmagnum.position import Phase, Position

if TYPE_CHECKING:
    from alexmagnum.game.status import Account
    from alexmagnum.game.undo import Declaration


# The acts in a game's journal, and the results of each unit.


def read_history(
    game: Game, phase: str | None, power: str | None, unit: str | None
) -> tuple[Entry, ...]:
    """Return the journal's entries on a phase and a power, oldest first.

    With a unit, return the results of that unit instead.

    Raises:
        GameError: unknown-phase, no-such-power.
    """
    phase = game.phase_name(phase) if phase else None
    power = game.power(power) if power else None
    if unit:
        return _read_unit_history(game, phase, power, unit)
    rows = game.file.select(
        JournalRow,
        "WHERE (?1 IS NULL OR phase = ?1) AND (?2 IS NULL OR power = ?2) ORDER BY id",
        phase,
        power,
    )
    return tuple(
        Entry(
            id=row.id,
            at=row.at,
            actor=row.actor,
            action=row.action,
            phase=row.phase,
            power=row.power,
            reason=row.reason,
            detail=json.loads(row.detail),
        )
        for row in rows
    )


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
    return tuple(
        _make_unit_entry(row) for row in rows if row.name in resolved and _is_named(unit, row.unit)
    )


def _is_named(asked: str, unit: str) -> bool:
    """Return whether somebody means this unit, by its whole name or without its number."""
    return _simplify(asked) in (_simplify(unit), _simplify(unit.partition("#")[0]))


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


def find_last_act(game: Game) -> int:
    """Return the number of the last act in a game's journal, 0 if there is none."""
    row = game.file.find(JournalRow, "ORDER BY id DESC LIMIT 1")
    return row.id if row else 0


# The desk: everything a game master does with a game, each act one transaction.
#
# This is the library's way to a game file. Each method calls one function of this room, inside a
# view of the file that no other command changes. Modules that need the judge are imported by the
# method that uses them: whoever only looks at the desk does not wait for them.


def utc_now() -> datetime:
    """Return the present in UTC."""
    return datetime.now(UTC)


class Desk:
    """A game in its folder.  Close it, or use it in a ``with``.

    Every act is one transaction with one entry in the journal.  ``warnings`` are errors that stop
    nothing (``map-changed``, ``clock-jump``).
    """

    def __init__(self, game: Game) -> None:
        self._game = game

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

        desk = cls(create_game(folder, new, now, entropy, actor))
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
            return cls(Game(file, now, entropy, actor))
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

        return cls(import_game(path, folder, now, entropy, actor))

    def close(self) -> None:
        self._game.file.close()

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Open a view of the file at one instant, whatever other commands do meanwhile."""
        with self._game.file.reading():
            yield

    @contextmanager
    def _reading(self) -> Iterator[Game]:
        with self.reading():
            yield self._game

    @property
    def game(self) -> Game:
        """Return the game itself, for the rooms that work on it without the desk."""
        return self._game

    # -- what there is ---------------------------------------------------------------------------

    @property
    def folder(self) -> Path:
        return self._game.file.folder

    @property
    def name(self) -> str:
        return self._game.info.name

    @property
    def lang(self) -> str:
        with self._reading() as game:
            return game.settings()["lang"]

    @property
    def board(self) -> Board:
        """Return the map, under the switches in force now."""
        with self._reading() as game:
            return game.board(game.rules())

    @property
    def settings(self) -> Mapping[str, str]:
        """Return every house rule, and the switches that are set (``rules.<switch>``)."""
        with self._reading() as game:
            return game.settings()

    @property
    def position(self) -> Position:
        """Return the position before the open phase; the last one if the game is over."""
        with self._reading() as game:
            return game.position(game.head().id)

    @property
    def phase(self) -> Phase | None:
        """Return the open phase, None if the game is over."""
        with self._reading() as game:
            head = game.head()
            return None if head.is_over else game.position(head.id).phase

    @property
    def players(self) -> tuple[Player, ...]:
        """Return who plays now, in the map's order of powers."""
        with self._reading() as game:
            return read_players(game)

    @property
    def past_players(self) -> tuple[Player, ...]:
        with self._reading() as game:
            return read_players(game, past=True)

    @property
    def deadline(self) -> str:
        """Return the deadline of the open phase, "" if there is none."""
        with self._reading() as game:
            return read_deadline(game)

    @property
    def paused(self) -> bool:
        with self._reading() as game:
            return read_seconds_left(game) is not None

    @property
    def warnings(self) -> tuple[GameError, ...]:
        return tuple(self._game.warnings)

    @property
    def closing_seal(self) -> str:
        """Return the digest of the game file at the end of the game, "" if the game goes on."""
        with self._reading() as game:
            return read_closing_seal(game)

    def status(self) -> Status:
        with self._reading() as game:
            return read_status(game)

    @staticmethod
    def due(position: Position) -> Mapping[str, tuple[str, ...]]:
        """Return what each power must send: unit names (movement, retreats), ``Build`` or
        ``Remove`` as often as needed (winter), ``Pick``, or centres to place in (deployment)."""
        return find_required_orders(position)

    # -- orders ----------------------------------------------------------------------------------

    def submit(
        self, power: str, text: str, *, source: str = "", reason: str = "", received: str = ""
    ) -> Receipt:
        """Take a power's mail, and return its receipt, which says what is wrong with each line.

        The mail came now, unless ``received`` says when (ISO, UTC).

        Raises:
            GameError: no-such-power, game-is-over.
        """
        from alexmagnum.game.submissions import submit_orders

        return submit_orders(self._game, power, text, source, reason, received)

    def clear(self, power: str, *, reason: str = "", received: str = "") -> Receipt:
        """Withdraw what a power sent for the open phase, and return the receipt.

        Raises:
            GameError: no-such-power, game-is-over.
        """
        from alexmagnum.game.submissions import clear_orders

        return clear_orders(self._game, power, reason, received)

    def receipt(self, power: str) -> Receipt | None:
        """Return the power's last receipt in the open phase."""
        with self._reading() as game:
            return read_receipt(game, game.head(), game.power(power))

    def open_receipts(self) -> Mapping[str, Receipt]:
        """Return the last receipt of every power in the open phase."""
        with self._reading() as game:
            return read_receipts(game, game.head())

    def receipts(self, phase: str, version: int | None = None) -> Mapping[str, Receipt]:
        """Return the receipts of the orders that a phase was resolved with, by power.

        Raises:
            GameError: unknown-phase, not-past, unknown-version.
        """
        from alexmagnum.game.phases import find_outcome

        with self._reading() as game:
            return read_sealed_receipts(game, find_outcome(game, phase, version))

    def pending(self, power: str | None = None, *, reason: str) -> Mapping[str, tuple[str, ...]]:
        """Return the orders that count now, by power; the journal says that they were opened."""
        from alexmagnum.game.submissions import open_orders

        return open_orders(self._game, power, reason)

    def ahead(
        self, power: str | None = None, *, reason: str
    ) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """Return advance orders by power and kind of phase; the journal says so."""
        from alexmagnum.game.submissions import open_advance_orders

        return open_advance_orders(self._game, power, reason)

    # -- phases ----------------------------------------------------------------------------------

    def preview(self) -> Processed:
        """Return what processing now would give, missing orders allowed; the journal says so."""
        from alexmagnum.game.undo import preview_phase

        return preview_phase(self._game)

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
        done = process_phase(
            self._game, phase, allow_missing=allow_missing, reason=reason, anyway=anyway
        )
        self.ask_bots()
        return done

    def end(self, declared: Declaration, reason: str = "") -> GameEnd:
        """End the game as the game master declares, and seal it; ``undo`` opens it again.

        Raises:
            GameError: game-is-over, no-such-power, end-needs-power, end-power-out.
        """
        from alexmagnum.game.undo import end_game

        return end_game(self._game, declared, reason)

    def ask_bots(self, *, again: bool = False) -> tuple[str, ...]:
        """Let bots give the orders that are missing, and return their powers.

        The acts that open a phase or change who plays do so themselves.  With ``again`` bots are
        asked that have ordered already: the rules have changed.
        """
        from alexmagnum.game.submissions import ask_bots

        return ask_bots(self._game, again=again)

    def processed(self, phase: str, version: int | None = None) -> Processed:
        """Return a phase as it was resolved, in a version or in the one that stands now.

        Raises:
            GameError: unknown-phase, not-past, unknown-version.
        """
        from alexmagnum.game.phases import read_processed

        with self._reading() as game:
            return read_processed(game, phase, version)

    def position_before(self, phase: str, version: int | None = None) -> Position:
        """Return the position before a phase."""
        from alexmagnum.game.phases import find_position_before

        with self._reading() as game:
            return find_position_before(game, phase, version)

    def phases(self) -> tuple[PhaseRecord, ...]:
        """Return the phases of the game as it stands, oldest first, the open one last."""
        from alexmagnum.game.phases import list_phases

        with self._reading() as game:
            return list_phases(game)

    def versions(self, phase: str) -> tuple[PhaseRecord, ...]:
        """Return all versions of a phase, oldest first."""
        from alexmagnum.game.phases import list_versions

        with self._reading() as game:
            return list_versions(game, phase)

    def differences(self, phase: str, version: int | None = None) -> tuple[Change, ...]:
        """Return how a version of a phase differs from the one before; empty for the first."""
        from alexmagnum.game.phases import list_differences

        with self._reading() as game:
            return list_differences(game, phase, version)

    def undo(self, reason: str = "") -> str:
        """Take back the last processing or amendment, and return the phase that is open now.

        Raises:
            GameError: nothing-to-undo.
        """
        from alexmagnum.game.undo import undo

        opened = undo(self._game, reason)
        self.ask_bots()
        return opened

    def redo(self, reason: str = "", *, anyway: bool = False) -> str:
        """Put back what was taken back last, and return the phase that is open now, "" if over.

        Raises:
            GameError: nothing-to-redo; redo-overrides (orders or settings since the undo would
                have no effect; not with ``anyway``).
        """
        from alexmagnum.game.undo import redo

        opened = redo(self._game, reason, anyway=anyway)
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

        def amend() -> Amendment:
            return amend_orders(self._game, phase, power, text, reason)

        if dry_run:
            return rehearse(self._game, amend)
        done = amend()
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

        def amend() -> Amendment:
            return amend_rules(self._game, phase, rules, reason)

        if dry_run:
            return rehearse(self._game, amend)
        done = amend()
        self.ask_bots(again=True)
        return done

    def history(
        self, phase: str | None = None, power: str | None = None, unit: str | None = None
    ) -> tuple[Entry, ...]:
        """Return what was done, oldest first.

        With a unit, return its results.  Those entries have the action ``resolved`` and in
        ``detail`` ``unit``, ``order``, ``result``, ``code``, ``version``, ``current``, and the
        sentences ``it`` and ``en``.  Nothing about waiting orders is in it.
        """
        with self._reading() as game:
            return read_history(game, phase, power, unit)

    def ledger(self) -> tuple[Account, ...]:
        """Return what each person owed, and what they sent in time, late, in part or not at all."""
        from alexmagnum.game.status import read_ledger

        with self._reading() as game:
            return read_ledger(game)

    def verify(self) -> tuple[Finding, ...]:
        """Resolve every phase again from its stored inputs, and return the differences."""
        from alexmagnum.game.verify import verify_game

        with self._reading() as game:
            return verify_game(game)

    def verify_bots(self) -> tuple[Finding, ...]:
        """Ask the bots again, and return the phases in which they would order otherwise now."""
        from alexmagnum.game.submissions import check_bots

        with self._reading() as game:
            return tuple(check_bots(game))

    # -- people ----------------------------------------------------------------------------------

    def set_player(self, power: str, reason: str = "", **changes: object) -> Player:
        """Set fields of the player of a power (name, address, other_addresses, lang); a vacant
        power gets a player."""
        return set_player(self._game, power, reason, changes)

    def replace_player(
        self,
        power: str,
        name: str,
        address: str = "",
        lang: str = "",
        reason: str = "",
        other_addresses: Sequence[str] = (),
    ) -> Player:
        """Let somebody else play a power from now on; who played it before is remembered."""
        newcomer = Player(power, name, address, lang=lang, other_addresses=tuple(other_addresses))
        return replace_player(self._game, newcomer, reason)

    def play_by_bot(self, power: str, bot: str, *, stand_in: str = "", reason: str = "") -> Player:
        """Let a bot play a power from now on, or stand in for its player; return the player.

        ``stand_in`` is ``return`` (until the player sends orders), or the name of the phase in
        which alone it stands in.  The bot gives the orders that are missing in the open phase.

        Raises:
            GameError: no-such-power, game-is-over; no-player, bot-plays: nobody to stand in for.
            AlexMagnumError: no-such-bot.
        """
        player = enrol_bot(self._game, power, bot, stand_in, reason)
        self.ask_bots()
        return player

    def withdraw_bot(self, power: str, reason: str = "") -> Player:
        """End what a bot plays for a power, so that its person plays again; return the player.

        Raises:
            GameError: no-such-power, no-bot, nobody-before-bot.
        """
        return withdraw_bot(self._game, power, reason)

    def absent(self, power: str, start: str, end: str, reason: str = "") -> Player:
        """Store that a player is away, from one day to another (ISO); "" and "" end it."""
        return set_absence(self._game, power, start, end, reason)

    def note(self, power: str, text: str) -> Player:
        """Store the game master's note on a player."""
        return set_note(self._game, power, text)

    # -- votes ------------------------------------------------------------------------------------

    def vote(self, power: str, kind: str, targets: Iterable[str] = ()) -> None:
        """Store a power's vote in the open phase: ``wait``, ``ready``, ``draw``, ``concede``."""
        cast_vote(self._game, power, kind, targets)

    def withdraw_vote(self, power: str, kind: str) -> None:
        """Withdraw a power's vote."""
        withdraw_vote(self._game, power, kind)

    # -- time ------------------------------------------------------------------------------------

    def coming_deadlines(self, count: int) -> tuple[ComingDeadline, ...]:
        """Return the deadlines of the next phases, if each is resolved at its deadline.

        Raises:
            GameError: game-is-over.
        """
        from alexmagnum.game.deadlines import list_coming_deadlines

        with self._reading() as game:
            return list_coming_deadlines(game, count)

    def set_deadline(self, at: datetime | None, reason: str = "") -> str:
        """Set the deadline of the open phase, None for no deadline, and return it."""
        return set_deadline(self._game, at, reason)

    def extend(self, at: datetime, reason: str = "") -> str:
        """Put the deadline off, and return it.

        Raises:
            GameError: deadline-earlier, if it would come sooner.
        """
        return extend_deadline(self._game, at, reason)

    def pause(self, reason: str = "") -> None:
        """Stop the clock; the time that is left is stored."""
        pause_clock(self._game, reason)

    def resume(self, reason: str = "") -> str:
        """Let the clock run on, and return the new deadline."""
        return resume_clock(self._game, reason)

    # -- the rest --------------------------------------------------------------------------------

    def set(self, name: str, value: object, reason: str = "") -> None:
        """Set a house rule, or a switch as ``rules.<switch>``, from the open phase on.

        Raises:
            GameError: unknown-setting (data: near), bad-setting (data: allowed).
        """
        change_setting(self._game, name, value, reason)
        if name.startswith(RULES):
            self.ask_bots(again=True)

    def setting_changes(self, phase: str) -> Mapping[str, tuple[str, str]]:
        """Return the settings that changed while a phase was open: old and new value by name."""
        with self._reading() as game:
            return read_setting_changes(game, phase)

    def add_text(self, phase: str, where: str, text: str) -> None:
        """Add the game master's words to a phase's report, ``before`` or ``after`` the results."""
        add_text(self._game, phase, where, text)

    def texts(self, phase: str) -> Mapping[str, tuple[str, ...]]:
        """Return the game master's words for a phase: ``before`` and ``after``."""
        with self._reading() as game:
            return read_texts(game, phase)

    def record(
        self, action: str, *, phase: str = "", power: str = "", reason: str = "", **detail: object
    ) -> None:
        """Add something to the journal that was done elsewhere, such as opening a report."""
        with self._game.act(action, power, reason) as note:
            note.phase = phase or note.phase
            note.detail |= detail

    def export(self, path: Path) -> None:
        """Write the whole game as one JSON file, and then add that to the journal.

        Raises:
            GameError: cannot-write.
        """
        from alexmagnum.game.create import export_game

        export_game(self._game.file, path)
        self.record("export", path=path.name)
