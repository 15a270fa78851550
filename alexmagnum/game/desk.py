"""The desk: everything a game master does with a game, each act one transaction."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from alexmagnum.board.model import Board
from alexmagnum.errors import GameError
from alexmagnum.game.advance_orders import open_advance_orders
from alexmagnum.game.amend import amend_orders, amend_rules
from alexmagnum.game.create import create_game
from alexmagnum.game.deadlines import (
    extend_deadline,
    pause_clock,
    read_deadline,
    read_seconds_left,
    resume_clock,
    set_deadline,
)
from alexmagnum.game.file import WAIT, GameFile
from alexmagnum.game.history import read_history
from alexmagnum.game.phase_records import (
    find_outcome,
    find_position_before,
    list_differences,
    list_phases,
    list_versions,
    read_processed,
)
from alexmagnum.game.players import read_players, replace_player, set_absence, set_note, set_player
from alexmagnum.game.processing import preview_phase, process_phase
from alexmagnum.game.required_orders import find_required_orders
from alexmagnum.game.settings_edit import add_text, change_setting, read_texts
from alexmagnum.game.state import Entropy, Game, Now
from alexmagnum.game.status import read_status
from alexmagnum.game.submissions import (
    clear_orders,
    open_orders,
    read_receipt,
    read_sealed_receipts,
    submit_orders,
)
from alexmagnum.game.transfer import export_game, import_game
from alexmagnum.game.undo_log import redo, undo
from alexmagnum.game.values import (
    Amendment,
    Change,
    Entry,
    Finding,
    PhaseRecord,
    Player,
    Processed,
    Receipt,
    Status,
)
from alexmagnum.game.verify import verify_game
from alexmagnum.game.votes import cast_vote, withdraw_vote
from alexmagnum.position import Phase, Position


def utc_now() -> datetime:
    """The present, in UTC."""
    return datetime.now(UTC)


class Desk:
    """A game in its folder.  Close it, or use it in a ``with``.

    Every act is one transaction with one entry in the journal.  ``warnings`` hold what is odd
    but stops nothing (``map-changed``, ``clock-jump``), as errors to be worded.
    """

    def __init__(self, game: Game) -> None:
        self._game = game

    @classmethod
    def create(
        cls,
        folder: Path,
        board_source: str,
        *,
        name: str = "",
        lang: str = "it",
        players: Iterable[Player] = (),
        start: Position | None = None,
        settings: Mapping[str, object] | None = None,
        now: Now = utc_now,
        entropy: Entropy = secrets.token_bytes,
        actor: str = "gm",
    ) -> Desk:
        """Make the folder with its file; the game begins with ``start``, else as the map says.

        Raises:
            GameError: game-exists, no-folder, game-busy; no-such-power, bad-player, two-players;
                unknown-setting, bad-setting; other-map, start-without-year.
            BadFile, BadMap, BadPosition: the map, or the position to start with, cannot be used.
        """
        game = create_game(
            folder,
            board_source,
            name=name,
            lang=lang,
            players=players,
            start=start,
            settings=settings or {},
            now=now,
            entropy=entropy,
            actor=actor,
        )
        return cls(game)

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
            GameError: no-game, game-newer, game-damaged, game-foreign, game-busy after so many
                seconds of ``wait``.
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
        """A game out of the file that ``export`` wrote, in a new folder.

        Raises:
            GameError: game-exists, game-newer, not-an-export, export-differs.
        """
        return cls(import_game(path, folder, now, entropy, actor))

    def close(self) -> None:
        self._game.file.close()

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Everything read inside is of one instant, whatever other commands do meanwhile."""
        with self._game.file.reading():
            yield

    @contextmanager
    def _reading(self) -> Iterator[Game]:
        with self.reading():
            yield self._game

    @property
    def game(self) -> Game:
        """The game itself, for the rooms that work on its file beside the desk."""
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
        """The map, under the switches in force now."""
        with self._reading() as game:
            return game.board(game.rules())

    @property
    def settings(self) -> Mapping[str, str]:
        """Every house rule with its value, and the switches set otherwise (``rules.<switch>``)."""
        with self._reading() as game:
            return game.settings()

    @property
    def position(self) -> Position:
        """The position before the open phase; the last one if the game is over."""
        with self._reading() as game:
            return game.position(game.head().id)

    @property
    def phase(self) -> Phase | None:
        """The open phase, None if the game is over."""
        with self._reading() as game:
            head = game.head()
            return None if head.is_over else game.position(head.id).phase

    @property
    def players(self) -> tuple[Player, ...]:
        """Who plays now, in the map's order of powers; ``past_players`` played before."""
        with self._reading() as game:
            return read_players(game)

    @property
    def past_players(self) -> tuple[Player, ...]:
        with self._reading() as game:
            return read_players(game, past=True)

    @property
    def deadline(self) -> str:
        """The deadline of the open phase, "" if there is none."""
        with self._reading() as game:
            return read_deadline(game)

    @property
    def paused(self) -> bool:
        with self._reading() as game:
            return read_seconds_left(game) is not None

    @property
    def warnings(self) -> tuple[GameError, ...]:
        return tuple(self._game.warnings)

    def status(self) -> Status:
        with self._reading() as game:
            return read_status(game)

    @staticmethod
    def due(position: Position) -> Mapping[str, tuple[str, ...]]:
        """What each power must send: unit names (movement, retreats), ``Build``/``Remove`` as
        often as due (winter), ``Pick``, or the centres to place in (deployment)."""
        return find_required_orders(position)

    # -- orders ----------------------------------------------------------------------------------

    def submit(
        self, power: str, text: str, *, source: str = "", reason: str = "", received: str = ""
    ) -> Receipt:
        """Take a power's mail, which came now unless it is said when (ISO, UTC).  Nothing in it
        is an error: see the receipt.

        Raises:
            GameError: no-such-power, game-is-over.
        """
        return submit_orders(self._game, power, text, source, reason, received)

    def clear(self, power: str, *, reason: str = "", received: str = "") -> Receipt:
        """Withdraw what a power sent for the open phase.

        Raises:
            GameError: no-such-power, game-is-over.
        """
        return clear_orders(self._game, power, reason, received)

    def receipt(self, power: str) -> Receipt | None:
        """The power's last receipt in the open phase."""
        with self._reading() as game:
            return read_receipt(game, game.head(), game.power(power))

    def receipts(self, phase: str, version: int | None = None) -> Mapping[str, Receipt]:
        """The receipts of the orders that a phase was resolved with, by power.

        Raises:
            GameError: unknown-phase, not-past, unknown-version.
        """
        with self._reading() as game:
            return read_sealed_receipts(game, find_outcome(game, phase, version))

    def pending(self, power: str | None = None, *, reason: str) -> Mapping[str, tuple[str, ...]]:
        """The orders that count now, by power, opened: it goes into the journal."""
        return open_orders(self._game, power, reason)

    def ahead(
        self, power: str | None = None, *, reason: str
    ) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """Orders sent ahead, by power and kind of phase, opened: it goes into the journal."""
        return open_advance_orders(self._game, power, reason)

    # -- phases ----------------------------------------------------------------------------------

    def preview(self) -> Processed:
        """What processing now would give, missing orders allowed; journaled, nothing changes."""
        return preview_phase(self._game)

    def process(self, phase: str, *, allow_missing: bool = False, reason: str = "") -> Processed:
        """Resolve the open phase and open the next one.

        Raises:
            GameError: not-the-open-phase, orders-missing, game-is-over, unknown-phase.
        """
        return process_phase(self._game, phase, allow_missing=allow_missing, reason=reason)

    def processed(self, phase: str, version: int | None = None) -> Processed:
        """A phase as it was resolved; without a version, as it now stands.

        Raises:
            GameError: unknown-phase, not-past, unknown-version.
        """
        with self._reading() as game:
            return read_processed(game, phase, version)

    def position_before(self, phase: str, version: int | None = None) -> Position:
        """The position before a phase."""
        with self._reading() as game:
            return find_position_before(game, phase, version)

    def phases(self) -> tuple[PhaseRecord, ...]:
        """The phases of the game as it now stands, oldest first, the open one last."""
        with self._reading() as game:
            return list_phases(game)

    def versions(self, phase: str) -> tuple[PhaseRecord, ...]:
        """All versions of a phase, oldest first."""
        with self._reading() as game:
            return list_versions(game, phase)

    def differences(self, phase: str, version: int | None = None) -> tuple[Change, ...]:
        """How a version of a phase differs from the one before; empty for the first."""
        with self._reading() as game:
            return list_differences(game, phase, version)

    def undo(self, reason: str = "") -> str:
        """Take back the last processing or amendment: the phase that is open now.

        Raises:
            GameError: nothing-to-undo.
        """
        return undo(self._game, reason)

    def redo(self, reason: str = "", *, anyway: bool = False) -> str:
        """Put back what was taken back last: the phase that is open now, "" if over.

        Raises:
            GameError: nothing-to-redo; redo-overrides (orders or settings since the undo would
                have no effect; not with ``anyway``).
        """
        return redo(self._game, reason, anyway=anyway)

    def amend(self, phase: str, power: str, text: str, *, reason: str = "") -> Amendment:
        """Correct one power's orders of a past phase, and play everything after it again.

        Raises:
            GameError: unknown-phase, not-past, no-such-power, amend-nothing.
        """
        return amend_orders(self._game, phase, power, text, reason)

    def amend_settings(
        self, phase: str, rules: Mapping[str, object], reason: str = ""
    ) -> Amendment:
        """Correct switches of the rules from a past phase on, and play it all again."""
        return amend_rules(self._game, phase, rules, reason)

    def history(
        self, phase: str | None = None, power: str | None = None, unit: str | None = None
    ) -> tuple[Entry, ...]:
        """What was done, oldest first.

        With a unit: what became of it.  Those entries have the action ``resolved`` and in
        ``detail`` ``unit``, ``order``, ``result``, ``code``, ``version``, ``current``, and the
        sentences ``it`` and ``en``.  Nothing pending is ever in it.
        """
        with self._reading() as game:
            return read_history(game, phase, power, unit)

    def verify(self) -> tuple[Finding, ...]:
        """Play every phase again from its stored inputs: what comes out otherwise."""
        with self._reading() as game:
            return verify_game(game)

    # -- people ----------------------------------------------------------------------------------

    def set_player(self, power: str, reason: str = "", **changes: str) -> Player:
        """Set fields of the player of a power (name, address, lang); the first if there is none."""
        return set_player(self._game, power, reason, changes)

    def replace_player(
        self, power: str, name: str, address: str = "", lang: str = "", reason: str = ""
    ) -> Player:
        """Somebody else plays a power from now on."""
        return replace_player(self._game, power, name, address, lang, reason)

    def absent(self, power: str, start: str, end: str, reason: str = "") -> Player:
        """A player is away from one day to another (ISO dates), both included; "" "" ends it."""
        return set_absence(self._game, power, start, end, reason)

    def note(self, power: str, text: str) -> Player:
        """The game master's note on a player."""
        return set_note(self._game, power, text)

    # -- votes ------------------------------------------------------------------------------------

    def vote(self, power: str, kind: str, targets: Iterable[str] = ()) -> None:
        """Note a power's vote in the open phase: ``wait``, ``ready``, ``draw``, ``concede``."""
        cast_vote(self._game, power, kind, targets)

    def withdraw_vote(self, power: str, kind: str) -> None:
        """Take a power's vote back."""
        withdraw_vote(self._game, power, kind)

    # -- time ------------------------------------------------------------------------------------

    def set_deadline(self, at: datetime | None, reason: str = "") -> str:
        """Set the deadline of the open phase; None takes it away."""
        return set_deadline(self._game, at, reason)

    def extend(self, at: datetime, reason: str = "") -> str:
        """Put the deadline off.

        Raises:
            GameError: deadline-earlier, if it would come sooner.
        """
        return extend_deadline(self._game, at, reason)

    def pause(self, reason: str = "") -> None:
        """Stop the clock; the time left is kept."""
        pause_clock(self._game, reason)

    def resume(self, reason: str = "") -> str:
        """Let the clock run on: the new deadline."""
        return resume_clock(self._game, reason)

    # -- the rest --------------------------------------------------------------------------------

    def set(self, name: str, value: object, reason: str = "") -> None:
        """Set a house rule, or a switch as ``rules.<switch>``, from the open phase on.

        Raises:
            GameError: unknown-setting (data: near), bad-setting (data: allowed).
        """
        change_setting(self._game, name, value, reason)

    def add_text(self, phase: str, where: str, text: str) -> None:
        """The game master's own words for the report of a phase, ``before`` or ``after``."""
        add_text(self._game, phase, where, text)

    def texts(self, phase: str) -> Mapping[str, tuple[str, ...]]:
        """His words for a phase: ``before`` and ``after``."""
        with self._reading() as game:
            return read_texts(game, phase)

    def record(
        self, action: str, *, phase: str = "", power: str = "", reason: str = "", **detail: object
    ) -> None:
        """Put something into the journal that was done outside (a report opened, say)."""
        with self._game.act(action, power, reason) as note:
            note.phase = phase or note.phase
            note.detail |= detail

    def export(self, path: Path) -> None:
        """Write the whole game as one JSON file, and journal it once it is there.

        Raises:
            GameError: cannot-write.
        """
        export_game(self._game.file, path)
        self.record("export", path=path.name)
