"""Where points come to rest that are joined by springs, some of them held fast.

With the points of the outer face of a planar graph held fast on a convex frame, nothing crosses,
whatever the strength of the springs (W. T. Tutte, *How to draw a graph*, 1963).
"""

from __future__ import annotations

from collections.abc import Mapping

from alexmagnum.draw.planar import Edge, Face

Springs = dict[str, dict[str, float]]
"""The strength of the springs of each loose point, by the loose point at the other end."""


def find_rest(
    around: Mapping[str, Face], held: Mapping[str, complex], strength: Mapping[Edge, float]
) -> dict[str, complex]:
    """Return the places of all points; every loose one is joined to a held one by some way.

    The points are taken out one after the other, the one with the fewest springs first: springs
    between its neighbours take the place of its own (a star becomes a mesh).  Then they are put
    back in the opposite order.  On a planar graph few springs arise, so this is exact and fast.
    """
    springs, hold, pull = _hang_up(around, held, strength)
    taken_out: list[tuple[str, dict[str, float], complex, float]] = []
    while springs:
        point = min(springs, key=lambda p: len(springs[p]))
        own, whole = springs.pop(point), hold[point]
        whole += sum(own.values())
        taken_out.append((point, own, pull[point], whole))
        for a, force in own.items():
            share = force / whole
            others = springs[a]
            del others[point]
            hold[a] += hold[point] * share
            pull[a] += pull[point] * share
            for b, other in own.items():
                if a != b:
                    others[b] = others.get(b, 0.0) + share * other
    at = dict(held)
    for point, own, pulled, whole in reversed(taken_out):
        at[point] = (pulled + sum(at[other] * force for other, force in own.items())) / whole
    return at


def _hang_up(
    around: Mapping[str, Face], held: Mapping[str, complex], strength: Mapping[Edge, float]
) -> tuple[Springs, dict[str, float], dict[str, complex]]:
    """Return the springs between loose points, and what all those to held points do together.

    The latter are two numbers for each loose point: their strength, and strength times place.
    """
    springs: Springs = {}
    hold, pull = dict.fromkeys(around, 0.0), dict.fromkeys(around, 0j)
    for point, near in around.items():
        if point not in held:
            springs[point] = {}
            for other in near:
                force = strength[(point, other) if point < other else (other, point)]
                if other in held:
                    hold[point] += force
                    pull[point] += force * held[other]
                else:
                    springs[point][other] = force
    return springs, hold, pull
