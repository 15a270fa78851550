"""The bots of one game: found by name, asked for orders in limited time, caught when they fail."""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from threading import Thread, get_ident
from time import thread_time
from typing import Any, cast

from alexmagnum.board.model import near
from alexmagnum.bots import BOTS, Bot, load_bot
from alexmagnum.errors import AlexMagnumError, BadOrders
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge.explanation import format_reason
from alexmagnum.judge.other_phases import count_adjustments
from alexmagnum.judge.outcome import ILLEGAL, Outcome
from alexmagnum.judge.validation import list_orders
from alexmagnum.notation import write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position


def is_own(name: str) -> bool:
    """Tell whether a name is that of a user's own bot: ``module:object``."""
    return ":" in name


def make_bot(name: str) -> Bot:
    """Return a new bot.

    The object of a user's own bot is called if it is a class or a function; it is taken as it is
    if it has ``orders`` already.

    Raises:
        AlexMagnumError: ``lab-no-bot``, ``lab-bot-unusable``, with the reason.
    """
    if not is_own(name):
        if name not in BOTS:
            data = {"bot": name, "known": ", ".join(BOTS), "near": near(name, tuple(BOTS))}
            raise AlexMagnumError("lab-no-bot", **data)
        return load_bot(name)
    module, _, attribute = name.partition(":")
    try:
        made = getattr(importlib.import_module(module), attribute)
        if isinstance(made, type) or not hasattr(made, "orders"):
            made = made()
    except Exception as error:  # a user's module may fail in any way
        reason = f"{type(error).__name__}: {error}"
        raise AlexMagnumError("lab-bot-unusable", bot=name, why=reason) from error
    if not callable(getattr(made, "orders", None)):
        raise AlexMagnumError("lab-bot-unusable", bot=name, why="it has no method orders")
    return cast(Bot, made)


def digest_bot(name: str) -> str:
    """Return a digest of the file of a user's own bot; "" for a bot of the package."""
    if not is_own(name):
        return ""
    make_bot(name)
    source = getattr(sys.modules[name.partition(":")[0]], "__file__", None)
    return hashlib.sha256(Path(source).read_bytes()).hexdigest() if source else ""


@contextmanager
def modules_in(folder: Path) -> Iterator[None]:
    """Let modules of a folder be imported, after all others, if the folder is there."""
    path = str(folder)
    if path in sys.path or not folder.is_dir():
        yield
        return
    sys.path.append(path)
    try:
        yield
    finally:
        sys.path.remove(path)


# A limit of time for a call that may never return, as those of users' own bots.


Answer = tuple[Any, BaseException | None, float]
"""What a call returned, what it raised, and its processor time."""


class NoAnswerError(Exception):
    """A call took longer than its limit, or ended as if the whole program were to end."""


class _StoppedError(BaseException):
    """Raised within a call that is not waited for any longer."""


class TimeLimit:
    """Calls functions in a thread of their own, and leaves those behind that take too long.

    Such a call is stopped as soon as it runs Python code.  One that sleeps, or waits for the
    network, is left alone until it wakes.  ``used``: the processor time of all calls that returned.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.used = 0.0
        self._thread: _CallingThread | None = None

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function returns, or raise what it raises.

        Raises:
            NoAnswerError: it took longer than the limit, or raised what would end this process,
                such as KeyboardInterrupt.
        """
        if self._thread is None:
            self._thread = _CallingThread()
            self._thread.start()
        self._thread.calls.put((function, arguments))
        try:
            result, error, used = self._thread.answers.get(timeout=self.seconds)
        except Empty:
            self._thread.stop()
            self._thread = None
            raise NoAnswerError(f"no answer within {self.seconds:g} seconds") from None
        self.used += used
        if error is None:
            return result
        if isinstance(error, (Exception, SystemExit)):
            raise error
        raise NoAnswerError(f"{type(error).__name__}: {error}")

    def close(self) -> None:
        """End the thread."""
        if self._thread is not None:
            self._thread.calls.put(None)
            self._thread = None


class _CallingThread(Thread):
    """A thread that makes one call after another."""

    def __init__(self) -> None:
        super().__init__(name="time limit", daemon=True)
        self.calls: SimpleQueue[tuple[Callable[..., Any], tuple[Any, ...]] | None] = SimpleQueue()
        self.answers: SimpleQueue[Answer] = SimpleQueue()
        self._ident = 0

    def run(self) -> None:
        self._ident = get_ident()
        try:
            while (asked := self.calls.get()) is not None:
                function, arguments = asked
                result, raised, begun = None, None, thread_time()
                try:
                    result = function(*arguments)
                except _StoppedError:
                    raise
                # Broad on purpose: whatever ended this thread would look like no answer.
                except BaseException as error:
                    raised = error
                self.answers.put((result, raised, thread_time() - begun))
        except _StoppedError:
            pass

    def stop(self) -> None:
        """Raise an error in whatever the thread calls now, and end the thread."""
        self.calls.put(None)
        stopped = ctypes.py_object(_StoppedError)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._ident), stopped)


# The bots of one game: asked for orders phase by phase, and caught when they fail.


_LONGEST = 200
"""The length of a fault's text."""

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")
"""Where Python keeps a value: another text in every run."""


class SeatedBots:
    """The bots of one game by power.

    ``forfeits`` counts by power the orders that did not count, ``faults`` has the first fault of
    each in words.  ``seed``: that of the game.
    """

    def __init__(self, seats: Mapping[str, str], seed: int, turn_seconds: float) -> None:
        self.forfeits: Counter[str] = Counter()
        self.faults: dict[str, str] = {}
        self._seed = seed
        self._limit = TimeLimit(turn_seconds)
        self._bots: dict[str, Bot] = {
            power: make_bot(name) if is_own(name) else _keep_bot(name)
            for power, name in seats.items()
        }
        self._own = {power for power, name in seats.items() if is_own(name)}

    @property
    def seconds(self) -> float:
        """The processor time that users' own bots have used."""
        return self._limit.used

    def close(self) -> None:
        """End the thread of users' own bots."""
        self._limit.close()

    def give_orders(self, position: Position, rng: Random) -> dict[str, Sequence[Order]]:
        """Return the orders of all powers that have any to give in a phase.

        Each power draws from a generator of its own for each phase: what one bot draws changes
        nothing for the others, nor for later phases.
        """
        orders: dict[str, Sequence[Order]] = {}
        for power in list_askable(position):
            listed = self._ask(position, power)
            if listed:
                orders[power] = listed
        return orders

    def note_illegal(self, outcome: Outcome) -> None:
        """Count the orders of a phase that the judge found illegal."""
        for number, entry in enumerate(outcome.results):
            if entry.result == ILLEGAL and entry.power in self._bots:
                self.forfeits[entry.power] += 1
                if entry.power not in self.faults:
                    reason = outcome.reasons[number]
                    why = format_reason(reason, outcome.position, load_sentences("en"))
                    self._blame(entry.power, outcome.position, f"{write_order(entry.order)}: {why}")

    def _ask(self, position: Position, power: str) -> Sequence[Order]:
        bot, rng = self._bots[power], draw_generator(self._seed, position, power)
        try:
            if power in self._own:
                answer: Any = self._limit.call(bot.orders, position, power, rng)
            else:
                answer = bot.orders(position, power, rng)
        except NoAnswerError as error:
            return self._forfeit(power, position, str(error))
        # Broad on purpose: a bot may fail in any way, and the game goes on.
        except (Exception, SystemExit) as error:
            return self._forfeit(power, position, f"{type(error).__name__}: {error}")
        return self._keep_orders(position, power, answer)

    def _keep_orders(self, position: Position, power: str, answer: Any) -> Sequence[Order]:
        try:
            kept: Sequence[Order] = list_orders(position, {power: answer})[power]
            return kept
        except BadOrders as error:
            if not isinstance(answer, (list, tuple)):
                kind = type(answer).__name__
                return self._forfeit(power, position, f"the answer is no list but {kind}")
            first = error.faults[0]
            text = load_sentences("en").format(first.code, **first.data)
            kept = [entry for entry in answer if _is_order(position, power, entry)]
            self._forfeit(power, position, text, len(answer) - len(kept))
            return kept
        # A list of a class of its own can do anything.
        except Exception as error:
            return self._forfeit(power, position, f"{type(error).__name__}: {error}")

    def _forfeit(
        self, power: str, position: Position, text: str, orders: int = 1
    ) -> Sequence[Order]:
        self.forfeits[power] += orders
        self._blame(power, position, text)
        return ()

    def _blame(self, power: str, position: Position, text: str) -> None:
        line = " ".join(_ADDRESS.sub("0x...", text).split())
        self.faults.setdefault(power, f"{position.phase}: {line}"[:_LONGEST])


def _is_order(position: Position, power: str, entry: Any) -> bool:
    try:
        list_orders(position, {power: [entry]})
    except BadOrders:
        return False
    return True


@cache
def _keep_bot(name: str) -> Bot:
    return make_bot(name)


def list_askable(position: Position) -> list[str]:
    """Return the powers that have orders to give in a phase."""
    powers = [power for power in position.board.powers if not position.in_revolt(power)]
    kind = position.phase.kind
    if kind == "movement":
        acting = {unit.power for unit in position.units}
    elif kind == "retreats":
        acting = {dislodged.unit.power for dislodged in position.dislodged}
    elif kind == "winter":
        acting = {power for power, due in count_adjustments(position).items() if due}
    else:
        return powers
    return [power for power in powers if power in acting]


def draw_generator(seed: int, position: Position, power: str) -> Random:
    """Return the random numbers of a power for a phase of a game."""
    text = f"{seed}/{position.phase}/{power}".encode()
    return Random(int.from_bytes(hashlib.sha256(text).digest()[:8], "big"))
