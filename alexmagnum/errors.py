"""The refusals: what was wrong, where, and what might have been meant.

Every error here carries data and is put into words late, in the reader's language, by
:mod:`alexmagnum.i18n.sentences`.  ``str(error)`` is a terse English form for library users.
All are :class:`ValueError`, so that a caller who only wants "good or not" can catch that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in a file: the key it stands under, a code, and the words it needs.

    ``where`` is a path of keys such as ``provinces.MEN.river``; ``code`` names the sentence
    in the catalogues; ``data`` fills that sentence.  ``severity`` is ``"error"`` (the file
    cannot be used) or ``"warning"`` (it can, but look at it).
    """

    where: str
    code: str
    data: Mapping[str, str] = field(default_factory=dict)
    severity: str = "error"

    def __str__(self) -> str:
        details = ", ".join(f"{key} {value}" for key, value in self.data.items())
        return f"{self.where}: {self.code}" + (f" ({details})" if details else "")


class AlexMagnumError(ValueError):
    """Anything this package refuses.  ``code`` names the sentence that says it."""

    def __init__(self, code: str, **data: str) -> None:
        self.code = code
        self.data: Mapping[str, str] = MappingProxyType(data)
        super().__init__(code, data)

    def __str__(self) -> str:
        details = ", ".join(f"{key} {value}" for key, value in self.data.items() if value)
        return self.code + (f": {details}" if details else "")


class NotationError(AlexMagnumError):
    """A line that is not an order that counts.

    ``fragment`` is the smallest part of the line at fault; ``suggestions`` holds up to three
    texts that would have been understood.
    """

    kind: ClassVar[str] = "notation"

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


class _Faulty(AlexMagnumError):
    """A thing with a list of faults, all found at once."""

    def __init__(self, code: str, name: str, faults: tuple[Fault, ...]) -> None:
        super().__init__(code, name=name)
        self.name = name
        self.faults = faults

    def __str__(self) -> str:
        return "\n".join([f"{self.name}: {len(self.faults)} faults", *map(str, self.faults)])


class BadMap(_Faulty):
    """A map that cannot be played on: every fault found, not only the first."""


class BadPosition(_Faulty):
    """A position that cannot stand: every fault found, not only the first."""


class BadFile(AlexMagnumError):
    """A file that cannot be read as what it should be.

    ``path`` is the file, ``where`` the line or key at fault (may be empty).
    """

    def __init__(self, path: str, code: str, where: str = "", **data: str) -> None:
        super().__init__(code, path=path, where=where, **data)
        self.path = path
        self.where = where


class BadPicture(AlexMagnumError):
    """A picture that cannot be drawn as it was asked for."""


class GameError(AlexMagnumError):
    """Something that the game master's desk refuses to do; the game is as it was."""
