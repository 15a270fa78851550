"""The errors of this package: what is wrong, where, and what may have been meant.

Every error carries data, and is put into words late, in the reader's language, by
:mod:`alexmagnum.i18n.sentences`.  ``str(error)`` is a terse English form for library users.
All are :class:`ValueError`, for callers who only ask whether something is good.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from alexmagnum.frozen import freeze


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault in a file: the key at fault, a code, and the data of its sentence.

    ``where`` is a path of keys such as ``provinces.MEN.river``; ``code`` names the sentence
    in the catalogues; ``data`` fills that sentence.  ``severity`` is ``"error"`` (the file
    cannot be used) or ``"warning"`` (it can be used, but look at it).
    """

    where: str
    code: str
    data: Mapping[str, str] = field(default_factory=dict)
    severity: str = "error"

    def __post_init__(self) -> None:
        object.__setattr__(self, "data", freeze(self.data))

    def __str__(self) -> str:
        details = ", ".join(f"{key} {value}" for key, value in self.data.items())
        return f"{self.where}: {self.code}" + (f" ({details})" if details else "")


WRONG_USAGE = frozenset(
    """
    no-game no-games game-foreign game-damaged game-newer not-an-export no-folder unknown-phase
    no-such-power several-powers unknown-setting bad-setting unknown-version setting-unreadable
    player-unreadable person-unreadable text-empty deadline-unreadable deadline-weekday
    deadline-left-out deadline-past deadline-far span-unreadable slots-unreadable
    unknown-timezone absence-unreadable absence-past orders-closed amend-what end-among end-how
    source-missing source-empty imap-unset imap-open-line password-missing no-message
    accept-whose no-press flip-no-unit safety-no-power safety-against-self safety-phase
    bad-player two-players bad-absence game-exists export-differs link-unreadable
    lab-unavailable lab-folder-used lab-no-results lab-newer-results lab-other-plan
    lab-series-gone lab-other-code lab-not-played lab-no-such-series lab-no-game lab-own-bots
    """.split()  # noqa: SIM905 (sixty quoted codes would be sixty lines)
)
"""The codes of other errors that mean wrong usage."""


def fault(where: str, code: str, severity: str = "error", /, **data: str) -> Fault:
    """Return a fault with its data given by name."""
    return Fault(where, code, data, severity)


class AlexMagnumError(ValueError):
    """An error of this package.  ``code`` names its sentence in the catalogues.

    ``is_wrong_usage``: it is in a file or in what was typed, whatever the state of the game.
    """

    is_wrong_usage: ClassVar[bool] = False

    def __init__(self, code: str, **data: str) -> None:
        self.code = code
        self.data: Mapping[str, str] = freeze(data)
        super().__init__(code, self.data)

    @property
    def exit_status(self) -> int:
        """The exit status of a command that ends with the error: 2 for wrong usage, else 1."""
        return 2 if self.is_wrong_usage or self.code in WRONG_USAGE else 1

    def __reduce__(self) -> tuple[Any, ...]:
        """Tell pickle how to make the error again, whatever its own constructor takes."""
        return _restore_error, (type(self), self.args, vars(self))

    def __str__(self) -> str:
        details = ", ".join(f"{key} {value}" for key, value in self.data.items() if value)
        return self.code + (f": {details}" if details else "")


def _restore_error(
    kind: type[AlexMagnumError], args: tuple[Any, ...], parts: dict[str, Any]
) -> AlexMagnumError:
    error = kind.__new__(kind, *args)
    vars(error).update(parts)
    return error


class NotationError(AlexMagnumError):
    """A line that is not an order, or not one that can count.

    ``fragment`` is the smallest part of the line at fault; ``suggestions`` holds up to three
    texts that would have been understood.  ``labels``: the places named in them or in the data, as
    they are written there, each with how it is written in every language.
    """

    is_wrong_usage = True
    kind: ClassVar[str] = "notation"
    labels: Mapping[str, Mapping[str, str]] = freeze({})

    def __init__(
        self, code: str, fragment: str, suggestions: tuple[str, ...] = (), **data: str
    ) -> None:
        super().__init__(code, fragment=fragment, **data)
        self.fragment = fragment
        self.suggestions = suggestions[:3]


class Unreadable(NotationError):
    """The text is not the notation."""

    kind = "unreadable"


class Ambiguous(NotationError):
    """The text has several readings; ``suggestions`` lists them."""

    kind = "ambiguous"


class Impossible(NotationError):
    """The text is readable, but there is no such unit, border, power..."""

    kind = "impossible"


class BadPositionText(NotationError):
    """A text that stands for no position; ``column`` is where the fragment at fault starts."""

    kind = "position-text"

    def __init__(self, code: str, fragment: str, column: int, **data: str) -> None:
        suggestions = (data["near"],) if data.get("near") else ()
        super().__init__(code, fragment, suggestions, column=str(column), **data)
        self.column = column


class _Faulty(AlexMagnumError):
    """An error with a list of faults, all found at once."""

    def __init__(self, code: str, name: str, faults: tuple[Fault, ...]) -> None:
        super().__init__(code, name=name)
        self.name = name
        self.faults = faults

    def __str__(self) -> str:
        count = f"{len(self.faults)} fault{'' if len(self.faults) == 1 else 's'}"
        return "\n".join([f"{self.name}: {count}", *map(str, self.faults)])


class BadMap(_Faulty):
    """A map that cannot be played on, with every fault."""

    is_wrong_usage = True


class BadPosition(_Faulty):
    """A position that is impossible, with every fault."""

    is_wrong_usage = True


class BadOrders(_Faulty):
    """Orders that are no orders: texts, an unknown power, no list; with every fault.

    An order that breaks a rule of the game is no error: its result says so.
    """

    def __init__(self, name: str, faults: tuple[Fault, ...]) -> None:
        super().__init__("bad-orders", name, faults)


class BadPlan(_Faulty):
    """A plan of the lab that cannot be played, with every fault."""

    is_wrong_usage = True

    def __init__(self, name: str, faults: tuple[Fault, ...]) -> None:
        super().__init__("bad-plan", name, faults)


class BadFile(AlexMagnumError):
    """A file that cannot be read, or is not of the kind that it should be.

    ``path`` is the file, ``where`` the line or key at fault (may be empty).
    """

    is_wrong_usage = True

    def __init__(self, path: str, code: str, where: str = "", **data: str) -> None:
        super().__init__(code, path=path, where=where, **data)
        self.path = path
        self.where = where


class BadJson(AlexMagnumError):
    """JSON data that is no position, order or outcome; ``where`` is the key at fault."""

    def __init__(self, code: str, where: str, **data: str) -> None:
        super().__init__(code, where=where or "JSON", **data)
        self.where = where


class BadPicture(AlexMagnumError):
    """A picture that cannot be drawn as asked."""

    is_wrong_usage = True


class GameError(AlexMagnumError):
    """An act that the desk refuses; the game stays as it was."""


class BadSwitches(_Faulty, GameError):
    """Switches of the rules with which a game could not be played, with every fault.

    ``name`` lists the switches with their values.
    """
