"""Search for resolutions that agree with their own definitions.

A definition is unfolded into a decision tree by asking it and branching at every question.
Who truly depends on whom is read off the tree: ``x`` depends on ``y`` if for some answers to
the rest, flipping ``y`` flips ``x``.  Decisions that depend on each other in a ring are a
*knot*; knots are solved in order of dependency, by trying all assignments.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import networkx as nx

from tests.oracle.decisions import Decision
from tests.oracle.trees import Tree, evaluate, follow, questions, unfold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.oracle.decisions import Definitions

World = dict[Decision, bool]


class Paradox(Exception):
    """A knot that does not have exactly one answer, because of passages in it or beside it."""

    def __init__(self, knot: frozenset[Decision]) -> None:
        super().__init__(knot)
        self.knot = knot


def resolve(definitions: Definitions) -> World:
    """Return the one resolution that the rules pick.

    Raises:
        Paradox: a knot has no answer, or several that differ about a passage in it.
    """
    world: World = {}
    open_ = list(dict.fromkeys(definitions.decisions()))
    while open_:
        if not (found := _find_settled(definitions, open_, world)):
            trees = {x: unfold(partial(definitions.holds_true, x), world) for x in open_}
            if not (found := {x: tree for x, tree in trees.items() if isinstance(tree, bool)}):
                for knot in _find_bottom_knots(trees):
                    found |= untie({x: trees[x] for x in knot})
        world |= found
        open_ = [x for x in open_ if x not in world]
    return world


def _find_settled(definitions: Definitions, open_: list[Decision], world: World) -> World:
    """Return what is decided without asking for anything unknown."""
    values = {x: evaluate(partial(definitions.holds_true, x), world) for x in open_}
    return {x: value for x, value in values.items() if value is not None}


def _find_bottom_knots(trees: Mapping[Decision, Tree]) -> Iterator[frozenset[Decision]]:
    """Return the knots that depend on nothing outside themselves."""
    edges = ((x, y) for x, tree in trees.items() for y in questions(tree))
    graph: nx.DiGraph[Decision] = nx.DiGraph(edges)
    graph.add_nodes_from(trees)
    for knot in nx.strongly_connected_components(graph):
        if all(y in knot for x in knot for y in graph.successors(x)):
            yield frozenset(knot)


def untie(trees: Mapping[Decision, Tree]) -> World:
    """Return the answer to a knot.  Several that agree about every passage are circular movement,
    and so is one in which, without doubtful supports in the knot, every move and every passage
    comes off; else it is a paradox (R22a)."""
    answers = list(_find_consistent(trees))
    if len(answers) == 1:
        return answers[0]
    passages = [x for x in trees if x[0] in ("passes", "halts")]
    if answers and all(len({answer[x] for answer in answers}) == 1 for x in passages):
        return _choose_most_moves(answers)
    if not any(x[0] == "cut" for x in trees):
        wanted = [x for x in trees if x[0] in ("succeeds", "passes", "halts")]
        for answer in answers:
            if all(answer[x] for x in wanted):
                return answer
    raise Paradox(frozenset(trees))


def _find_consistent(trees: Mapping[Decision, Tree]) -> Iterator[World]:
    """Return all assignments that equal their own re-evaluation, found by trying."""
    order = sorted(trees, key=str)

    def extend(world: World, depth: int) -> Iterator[World]:
        if any(follow(trees[x], world) not in (None, world[x]) for x in order[:depth]):
            return
        if depth == len(order):
            yield {x: world[x] for x in order}
            return
        for value in (False, True):
            yield from extend({**world, order[depth]: value}, depth + 1)

    return extend({}, 0)


def _choose_most_moves(answers: list[World]) -> World:
    """Return, of several answers, the one in which most moves succeed: circular movement."""
    counts = [sum(a[x] for x in a if x[0] in ("succeeds", "beats")) for a in answers]
    assert counts.count(max(counts)) == 1, "no single best answer"
    return answers[counts.index(max(counts))]
