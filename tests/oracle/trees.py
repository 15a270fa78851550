"""Decision trees in a fixed order of questions: two that always agree are the same tree."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.oracle.decisions import Decision

Tree: TypeAlias = "bool | tuple[Decision, Tree, Tree]"
"""A value, or a question with the tree for no and the tree for yes."""


class _Ask(Exception):
    def __init__(self, decision: Decision) -> None:
        self.decision = decision


Definition: TypeAlias = "Callable[[Callable[[Decision], bool]], bool]"
"""What a decision means, as a function of the answers to others."""


def unfold(definition: Definition, known: Mapping[Decision, bool]) -> Tree:
    """Return a definition as a tree over what is not known, with a branch at every question.

    >>> unfold(lambda answer: answer(1) or answer(2), {2: False})
    (1, False, True)
    """
    try:
        return definition(_answers(known))
    except _Ask as ask:
        asked = ask.decision
    no = unfold(definition, {**known, asked: False})
    return _build_branch(asked, no, unfold(definition, {**known, asked: True}))


def evaluate(definition: Definition, known: Mapping[Decision, bool]) -> bool | None:
    """Return the value of a definition, None if it asks for something unknown."""
    try:
        return definition(_answers(known))
    except _Ask:
        return None


def _answers(known: Mapping[Decision, bool]) -> Callable[[Decision], bool]:
    def answer(asked: Decision) -> bool:
        if asked not in known:
            raise _Ask(asked)
        return known[asked]

    return answer


@lru_cache(maxsize=50_000)
def _build_branch(asked: Decision, no: Tree, yes: Tree) -> Tree:
    """Return the tree that asks first and then branches, with its questions in order."""
    if no == yes:
        return no
    first = min(
        (tree[0] for tree in (no, yes) if not isinstance(tree, bool)), default=asked, key=_rank
    )
    if _rank(asked) <= _rank(first):
        return asked, _answer_first(no, asked, False), _answer_first(yes, asked, True)
    low = _build_branch(asked, _answer_first(no, first, False), _answer_first(yes, first, False))
    high = _build_branch(asked, _answer_first(no, first, True), _answer_first(yes, first, True))
    return low if low == high else (first, low, high)


def _answer_first(tree: Tree, asked: Decision, value: bool) -> Tree:
    """Return the tree after its first question, if it is this one, is answered."""
    if isinstance(tree, bool) or tree[0] != asked:
        return tree
    return tree[2] if value else tree[1]


@lru_cache(maxsize=50_000)
def _rank(decision: Decision) -> str:
    return str(decision)


def follow(tree: Tree, world: Mapping[Decision, bool]) -> bool | None:
    """Return the value of a tree, None if the world does not say enough."""
    while not isinstance(tree, bool):
        asked, no, yes = tree
        if asked not in world:
            return None
        tree = yes if world[asked] else no
    return tree


def questions(tree: Tree) -> set[Decision]:
    """Return all decisions that a tree asks about: those whose flip can flip its value."""
    found: set[Decision] = set()
    seen: set[int] = set()
    edge = [tree]
    while edge:
        node = edge.pop()
        if isinstance(node, bool) or id(node) in seen:
            continue
        seen.add(id(node))
        found.add(node[0])
        edge += node[1:]
    return found
