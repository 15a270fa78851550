"""Choices made as the package loads: public names, which files run, when garbage is sought.

Also where new processes look for modules, and what the judge's files tell mypyc of their classes.
"""

from __future__ import annotations

import gc
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module, machinery
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any


def read_public_names(package: Path) -> dict[str, str]:
    """Return the names that a package's file imports for type checkers, with their modules.

    The imports are never run, so that the package loads fast: its ``__getattr__`` imports each name
    when it is first used.
    """
    source = package.read_text(encoding="utf-8")
    found = re.findall(r"^    from (\S+) import (\w+) as \2$", source, re.MULTILINE)
    return {name: module for module, name in found}


def make_importer(package: str, home: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package: it imports a public name from its module."""

    def find(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(home[name]), name)

    return find


# Choose between the compiled files of the judge and their Python sources, when the package loads.
#
# ``make compiled`` and compiled wheels put an extension module beside each module that
# ``pyproject.toml`` lists, and Python prefers it to the source. They also leave a record of the
# sources that it was made from. If a source has changed since then, or if ``ALEXMAGNUM_PURE=1``
# is set, every module is loaded from its source instead, because compiled and interpreted modules
# cannot share their classes.


RECORD = "compiled.txt"
"""The record's file name.  Its first line is the suffix of the compiled files; the others are
``checksum path`` of a source, with ``*`` before the path if the source has a compiled file."""

LIBRARY = "alexmagnum__mypyc"
"""The extension module beside the package that holds all compiled code."""

PURE = "ALEXMAGNUM_PURE"
"""The environment variable that chooses the sources."""

COMPILED = "compiled"
INTERPRETED = "interpreted"


def choose_build(package: Path, environment: Mapping[str, str] = os.environ) -> str:
    """Make the package load from its sources if its compiled files must not be used.

    ``package``: the folder of the package.  Returns the build: ``compiled``, ``interpreted``, or
    ``interpreted: `` and why the compiled files are not used.
    """
    try:
        suffix, *entries = (package / RECORD).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return INTERPRETED
    if (reason := _find_reason_against(package, suffix, entries, environment)) is None:
        return COMPILED
    sys.meta_path.insert(0, SourceFinder)
    return f"{INTERPRETED}: {reason}"


def _find_reason_against(
    package: Path, suffix: str, entries: Iterable[str], environment: Mapping[str, str]
) -> str | None:
    if environment.get(PURE, "0") not in ("", "0"):
        return f"{PURE} is set"
    if suffix not in machinery.EXTENSION_SUFFIXES:
        return "compiled for another Python"
    if not (package.parent / (LIBRARY + suffix)).exists():
        return f"{LIBRARY} is missing"
    for entry in entries:
        checksum, marked = entry.split(" ", 1)
        name = marked.removeprefix("*")
        if name != marked and not (package / name).with_suffix(suffix).exists():
            return f"{name} has no compiled file"
        if calculate_checksum(package / name) != checksum:
            return f"{name} has changed since it was compiled"
    return None


def calculate_checksum(source: Path) -> str:
    """Return the checksum of a file, or ``missing``."""
    try:
        return f"{zlib.crc32(source.read_bytes()):08x}"
    except FileNotFoundError:
        return "missing"


class SourceFinder:
    """A finder of modules that sees only the Python sources of this package."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> machinery.ModuleSpec | None:
        """Return where the source of a module of the package is, or None to ask other finders."""
        if path is None or not name.startswith(f"{__package__}."):
            return None
        for folder in path:
            finder = machinery.FileFinder(
                folder, (machinery.SourceFileLoader, machinery.SOURCE_SUFFIXES)
            )
            spec = finder.find_spec(name, target)
            if spec is not None and spec.loader is not None:
                return spec
        return None


class SourceDocstring:
    """The docstring of a compiled class: mypyc leaves it out, so it is read from the source."""

    def __get__(self, instance: object, owner: type) -> str | None:
        import ast

        path = Path(sys.modules[owner.__module__].__file__ or "")
        source = path.with_name(path.name.partition(".")[0] + ".py").read_text(encoding="utf-8")
        for node in ast.parse(source).body:
            if isinstance(node, ast.ClassDef) and node.name == owner.__name__:
                return ast.get_docstring(node)
        return None


# When Python searches for garbage: not in work that only makes what is kept to its end.


@contextmanager
def pause_collection() -> Iterator[None]:
    """Keep Python from searching for reference cycles while the context lasts.

    Judging and drawing leave hardly any, and looking through thousands of values again and again
    takes from a twentieth (drawing) to half of the time (judging).
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def keep_working_folder_out() -> Iterator[None]:
    """Let Python processes that start while the context lasts load no module of the working folder.

    Python looks there first for them, and anybody may have put a file there.
    """
    before = os.environ.get("PYTHONSAFEPATH", "")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        os.environ["PYTHONSAFEPATH"] = before  # an empty one has no effect


# What the judge's files tell mypyc about their classes; nothing of it has an effect when they run.
#
# ``@mypyc_attr(acyclic=True)`` promises that no instance of a class can be part of a circle of
# references, as is true of values. The garbage collector then never looks at the instances.


__all__ = ["mypyc_attr"]  # comes from elsewhere; all other public names are the module's own

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**attributes):
        """Return the class as it is: the compiler has read the attributes."""
        return _return_unchanged


def _return_unchanged(kind: object) -> object:
    return kind
