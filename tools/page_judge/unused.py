"""Leave out what no file of the bundle refers to: functions, classes, methods and constants.

A name counts as used if it stands anywhere outside its own definition, as a name, an attribute, an
import or a text.  So a method that only its own class could mean may be kept, but nothing that is
called is lost.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

_OFTEN = 30
"""A name that stands in more places than that is used, whatever its own definition says."""


def drop_unused(sources: Mapping[str, str], kept: frozenset[str]) -> dict[str, str]:
    """Return sources by path without the definitions that nothing refers to.

    ``kept``: names that stay whatever refers to them.
    """
    trees = {path: ast.parse(source) for path, source in sources.items()}
    names = _Names()
    while True:
        used: Counter[str] = Counter()
        for tree in trees.values():
            used.update(names.count(tree))
        wanted = {imported for tree in trees.values() for imported in _list_imported(tree)}
        dropped = 0
        for path, tree in trees.items():
            exported = {name for module, name in wanted if module == _name_module(path)}
            dropped += _drop_from(tree, used, kept, exported, names)
        if not dropped:
            return {path: ast.unparse(tree) + "\n" for path, tree in trees.items()}


class _Names:
    """The names that pieces of code refer to; those of a function are counted once."""

    def __init__(self) -> None:
        self._counted: dict[ast.AST, Counter[str]] = {}

    def count(self, node: ast.AST) -> Counter[str]:
        """Return how often a piece of code refers to each name."""
        if isinstance(node, ast.Module | ast.ClassDef):  # their bodies become smaller
            found: Counter[str] = Counter()
            for part in ast.iter_child_nodes(node):
                found.update(self.count(part))
            return found
        if isinstance(node, ast.ImportFrom):  # so do these
            return Counter(_list_used(node))
        if node not in self._counted:
            self._counted[node] = Counter(_list_used(node))
        return self._counted[node]


def _list_used(tree: ast.AST) -> Iterator[str]:
    """Yield every name that a piece of code refers to, once for each place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)


def _name_module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _list_imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the module and the name of everything that a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)


def _drop_from(
    tree: ast.Module, used: Counter[str], kept: frozenset[str], exported: set[str], names: _Names
) -> int:
    """Drop unused definitions and imports from a file; return how much smaller it is.

    ``exported``: the names that other files import from it.
    """
    before = _count_statements(tree)
    tree.body = _keep_used(tree.body, used, kept, names)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            node.body = _keep_used(node.body, used, kept, names) or [ast.Pass()]
    code = [node for node in tree.body if not isinstance(node, ast.ImportFrom)]
    here = exported.union(*(names.count(node) for node in code))
    for node in list(tree.body):
        if isinstance(node, ast.ImportFrom):
            node.names = [n for n in node.names if (n.asname or n.name) in here]
            if not node.names:
                tree.body.remove(node)
    return before - _count_statements(tree)


def _count_statements(tree: ast.Module) -> int:
    """Return how many statements, members of classes and imported names a file has."""
    return sum(
        1
        + len(getattr(node, "body", ())) * isinstance(node, ast.ClassDef)
        + len(getattr(node, "names", ()))
        for node in tree.body
    )


def _keep_used(
    body: list[ast.stmt], used: Counter[str], kept: frozenset[str], names: _Names
) -> list[ast.stmt]:
    return [node for node in body if _is_kept(node, used, kept, names)]


def _is_kept(node: ast.stmt, used: Counter[str], kept: frozenset[str], names: _Names) -> bool:
    name = _find_name(node)
    if not name or name in kept or (name.startswith("__") and name.endswith("__")):
        return True
    if used[name] > _OFTEN:
        return True
    return used[name] > names.count(node)[name]


def _find_name(node: ast.stmt) -> str:
    """Return the name that a statement defines; "" if it is no definition that may be left out."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return ""
