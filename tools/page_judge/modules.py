"""Which files of the package the bundle has: those that the judge of a page needs, and no more."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tools.page_judge.dialect import TYPING_MODULES

PACKAGE = "alexmagnum"
START = "alexmagnum.page_judge"
LIBRARY_FOLDER = Path(__file__).parent / "library"


def list_modules(root: Path, starts: tuple[str, ...]) -> list[str]:
    """Return the modules of the package that some need when they run, in the order of their names.

    A file of the library's folder stands for the module of the same name.
    """
    found: set[str] = set()
    todo = list(starts)
    while todo:
        module = todo.pop()
        if module in found or find_source(root, module) is None:
            continue
        found.add(module)
        todo += _list_imported(find_source(root, module) or root)
        todo += [parent for parent in _list_parents(module) if parent not in found]
    return sorted(found)


def _list_parents(module: str) -> Iterator[str]:
    parts = module.split(".")
    for length in range(1, len(parts)):
        yield ".".join(parts[:length])


def find_source(root: Path, module: str) -> Path | None:
    """Return the file of a module: of the library if it has one, else of the package."""
    name = module.replace(".", "/")
    for folder in (LIBRARY_FOLDER, root):
        for path in (folder / f"{name}.py", folder / name / "__init__.py"):
            if path.is_file():
                return path
    return None


def is_of_library(path: Path) -> bool:
    """Tell whether a file stands for one of the package, and is taken as it is."""
    return path.is_relative_to(LIBRARY_FOLDER)


def _list_imported(path: Path) -> Iterator[str]:
    """Yield the modules of the package that a file imports when it runs."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in skipped or not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        if node.module in TYPING_MODULES or node.module.split(".")[0] != PACKAGE:
            continue
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
