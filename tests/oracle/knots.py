"""Search for resolutions that agree with their own definitions.

A definition is unfolded into a decision tree by asking it and branching at every question.
Who truly depends on whom is read off by trying: ``x`` depends on ``y`` if for some answers to
the rest, flipping ``y`` flips ``x``.  Decisions that depend on each other in a ring are a
*knot*; knots are solved in order of dependency, by trying all assignments.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, TypeAlias

import networkx as nx

from tests.oracle.decisions import Decision

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.oracle.decisions import Definitions

Tree: TypeAlias = "bool | tuple[Decision, Tree, Tree]"
World = dict[Decision, bool]


class Paradox(Exception):
    """A knot that hangs on convoys and has no one answer."""

    def __init__(self, knot: frozenset[Decision]) -> None:
        super().__init__(knot)
        self.knot = knot


class _Ask(Exception):
    def __init__(self, decision: Decision) -> None:
        self.decision = decision


def resolve(definitions: Definitions) -> World:
    """The one resolution that the rules pick.

    Raises:
        Paradox: a knot with convoys in it has no answer, or several that differ about a convoy.
    """
    world: World = {}
    open_ = definitions.decisions()
    while open_:
        trees = {x: unfold(definitions, x, world) for x in open_}
        found: World = {x: tree for x, tree in trees.items() if isinstance(tree, bool)}
        if not found:
            for knot in _bottom_knots(trees):
                found |= _untie({x: trees[x] for x in knot})
        world |= found
        open_ = [x for x in open_ if x not in world]
    return world


def unfold(definitions: Definitions, decision: Decision, known: World) -> Tree:
    """A definition as a decision tree over what is not known yet."""

    def answer(asked: Decision) -> bool:
        if asked not in known:
            raise _Ask(asked)
        return known[asked]

    try:
        return definitions.holds_true(decision, answer)
    except _Ask as ask:
        asked = ask.decision
    no = unfold(definitions, decision, known | {asked: False})
    yes = unfold(definitions, decision, known | {asked: True})
    return no if no == yes else (asked, no, yes)


def follow(tree: Tree, world: Mapping[Decision, bool]) -> bool | None:
    """The value of a tree, None where the world does not say enough."""
    while not isinstance(tree, bool):
        asked, no, yes = tree
        if asked not in world:
            return None
        tree = yes if world[asked] else no
    return tree


def questions(tree: Tree) -> set[Decision]:
    """All decisions that a tree asks about."""
    if isinstance(tree, bool):
        return set()
    return {tree[0]} | questions(tree[1]) | questions(tree[2])


def depends_on(tree: Tree) -> set[Decision]:
    """The decisions whose flip can flip the tree's value."""
    asked = sorted(questions(tree), key=str)
    values = {
        answers: follow(tree, dict(zip(asked, answers, strict=True)))
        for answers in product((False, True), repeat=len(asked))
    }
    return {
        y
        for i, y in enumerate(asked)
        if any(
            value != values[(*answers[:i], not answers[i], *answers[i + 1 :])]
            for answers, value in values.items()
        )
    }


def _bottom_knots(trees: Mapping[Decision, Tree]) -> Iterator[frozenset[Decision]]:
    """The knots that depend on nothing outside themselves."""
    edges = ((x, y) for x, tree in trees.items() for y in depends_on(tree))
    graph: nx.DiGraph[Decision] = nx.DiGraph(edges)
    graph.add_nodes_from(trees)
    for knot in nx.strongly_connected_components(graph):
        if all(y in knot for x in knot for y in graph.successors(x)):
            yield frozenset(knot)


def _untie(trees: Mapping[Decision, Tree]) -> World:
    answers = list(_consistent(trees))
    if len(answers) == 1:
        return answers[0]
    paths = [x for x in trees if x[0] == "path"]
    if paths and (not answers or any(len({a[x] for a in answers}) > 1 for x in paths)):
        raise Paradox(frozenset(trees))
    return _most_moves(answers)


def _consistent(trees: Mapping[Decision, Tree]) -> Iterator[World]:
    """All assignments that equal their own re-evaluation, found by trying."""
    # What a tree asks outside its knot it does not depend on: any answer will do.
    outside = {y: False for tree in trees.values() for y in questions(tree) if y not in trees}
    order = sorted(trees, key=str)

    def extend(world: World, depth: int) -> Iterator[World]:
        if any(follow(trees[x], world) not in (None, world[x]) for x in order[:depth]):
            return
        if depth == len(order):
            yield {x: world[x] for x in order}
            return
        for value in (False, True):
            yield from extend(world | {order[depth]: value}, depth + 1)

    return extend(dict(outside), 0)


def _most_moves(answers: list[World]) -> World:
    """Circular movement: of several answers the one in which most moves succeed."""
    counts = [sum(a[x] for x in a if x[0] == "succeeds") for a in answers]
    assert counts.count(max(counts)) == 1, "no single best answer"
    return answers[counts.index(max(counts))]
