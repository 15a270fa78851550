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
    pruner = _Pruner(trees, kept)
    while pruner.drop_once():
        pass
    return {path: ast.unparse(tree) + "\n" for path, tree in trees.items()}


class _Pruner:
    """The files of a bundle, which become smaller, and how often each name stands in them."""

    def __init__(self, trees: Mapping[str, ast.Module], kept: frozenset[str]) -> None:
        self.trees, self.kept = trees, kept
        self._counted: dict[ast.AST, Counter[str]] = {}
        self._used: Counter[str] = Counter()

    def drop_once(self) -> int:
        """Drop what nothing refers to now; return how much smaller the files are."""
        self._used = Counter()
        for tree in self.trees.values():
            self._used.update(self._count(tree))
        wanted = {imported for tree in self.trees.values() for imported in _list_imported(tree)}
        dropped = 0
        for path, tree in self.trees.items():
            exported = {name for module, name in wanted if module == _name_module(path)}
            dropped += self._drop_from(tree, exported)
        return dropped

    def _count(self, node: ast.AST) -> Counter[str]:
        """Return how often a piece of code refers to each name; functions are counted once."""
        if isinstance(node, ast.Module | ast.ClassDef):  # their bodies become smaller
            found: Counter[str] = Counter()
            for part in ast.iter_child_nodes(node):
                found.update(self._count(part))
            return found
        if isinstance(node, ast.ImportFrom):  # so do these
            return Counter(_list_used(node))
        if node not in self._counted:
            self._counted[node] = Counter(_list_used(node))
        return self._counted[node]

    def _drop_from(self, tree: ast.Module, exported: set[str]) -> int:
        """Drop unused definitions and imports from a file; return how much smaller it is.

        ``exported``: the names that other files import from it.
        """
        before = _count_statements(tree)
        tree.body = [node for node in tree.body if self._is_kept(node)]
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                node.body = [part for part in node.body if self._is_kept(part)] or [ast.Pass()]
        code = [node for node in tree.body if not isinstance(node, ast.ImportFrom)]
        here = exported.union(*(self._count(node) for node in code))
        for node in list(tree.body):
            if isinstance(node, ast.ImportFrom):
                node.names = [n for n in node.names if (n.asname or n.name) in here]
                if not node.names:
                    tree.body.remove(node)
        return before - _count_statements(tree)

    def _is_kept(self, node: ast.stmt) -> bool:
        name = _find_name(node)
        if not name or name in self.kept or (name.startswith("__") and name.endswith("__")):
            return True
        return self._used[name] > _OFTEN or self._used[name] > self._count(node)[name]


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


def _count_statements(tree: ast.Module) -> int:
    """Return how many statements, members of classes and imported names a file has."""
    return sum(
        1
        + len(getattr(node, "body", ())) * isinstance(node, ast.ClassDef)
        + len(getattr(node, "names", ()))
        for node in tree.body
    )


def _find_name(node: ast.stmt) -> str:
    """Return the name that a statement defines; "" if it is no definition that may be left out."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return ""
