"""``match`` statements as chains of ``if``: the Python of a page has no ``match``."""

from __future__ import annotations

import ast
from typing import NamedTuple


class Test(NamedTuple):
    """A pattern as source: the conditions under which it fits, and the names that it binds."""

    conditions: tuple[str, ...] = ()
    names: tuple[tuple[str, str], ...] = ()


class UnknownPattern(Exception):
    """A pattern that the compiler does not know."""


def write_match(node: ast.Match, subject: str) -> list[ast.stmt]:
    """Return the statements that do what a ``match`` does; ``subject``: a free name for its value.

    A class pattern needs the fields of the class, which every record has as ``_fields``.

    Raises:
        UnknownPattern: a pattern of another kind than those of the dialect.
    """
    first: list[ast.stmt] = ast.parse(f"{subject} = {ast.unparse(node.subject)}").body
    rest: list[ast.stmt] = []
    for case in reversed(node.cases):
        test = _read_pattern(case.pattern, subject)
        if case.guard is not None and test.names:
            raise UnknownPattern("a guard of a pattern that binds names")
        guard = () if case.guard is None else (ast.unparse(case.guard),)
        bound = [ast.parse(f"{name} = {value}").body[0] for name, value in test.names]
        conditions = (*test.conditions, *guard)
        if conditions:
            chosen = ast.parse(" and ".join(f"({c})" for c in conditions), mode="eval").body
            rest = [ast.If(chosen, [*bound, *case.body], rest)]
        else:
            rest = [*bound, *case.body]
    return [*first, *rest]


def _read_pattern(pattern: ast.pattern, subject: str) -> Test:
    match pattern:
        case ast.MatchValue(value):
            return Test((f"{subject} == {ast.unparse(value)}",))
        case ast.MatchSingleton(value):
            return Test((f"{subject} is {value!r}",))
        case ast.MatchAs(None, None):
            return Test()
        case ast.MatchAs(None, str(name)):
            return Test((), ((name, subject),))
        case ast.MatchClass():
            return _read_class(pattern, subject)
        case ast.MatchOr(patterns):
            return _read_alternatives([_read_pattern(one, subject) for one in patterns])
    raise UnknownPattern(f"the pattern {ast.unparse(pattern)}")


def _read_alternatives(tests: list[Test]) -> Test:
    if any(test.names != tests[0].names for test in tests):
        raise UnknownPattern("alternatives that bind names in different places")
    either = " or ".join("(" + " and ".join(test.conditions or ("True",)) + ")" for test in tests)
    return Test((either,), tests[0].names)


def _read_class(pattern: ast.MatchClass, subject: str) -> Test:
    kind = ast.unparse(pattern.cls)
    if pattern.kwd_patterns:
        raise UnknownPattern("a class pattern with keywords")
    conditions = [f"isinstance({subject}, {kind})"]
    names: list[tuple[str, str]] = []
    for i, part in enumerate(pattern.patterns):
        builtin = kind in ("int", "list", "str", "tuple")
        inner = _read_pattern(
            part, subject if builtin else f"getattr({subject}, {subject}._fields[{i}])"
        )
        conditions += inner.conditions
        names += inner.names
    return Test(tuple(conditions), tuple(names))
