"""Write a random map without shapes, to see how such maps are drawn and how long that takes.

    python -m tools.random_map 215 --seed 3 -o map.json

The provinces are scattered over a sheet and border on each other where their Voronoi cells touch.
The map has seas, islands, rivers, straits, provinces with several coasts and neighbours without a
border.  ``--pieces`` cuts it into parts that nothing joins; ``--tunnels`` adds borders between
provinces that lie apart, which no plane map has room for.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from math import atan2, hypot, pi
from pathlib import Path
from random import Random
from typing import Any

import networkx as nx
from shapely import MultiPoint, delaunay_triangles

Point = tuple[float, float]
Json = dict[str, Any]

_POWERS = ("Aster", "Borage", "Clover", "Dill", "Elder", "Fennel", "Gorse")
_COASTS = {"NC": "north", "EC": "east", "SC": "south", "WC": "west"}
_FIRST = ("Bel", "Cor", "Dan", "Fal", "Gar", "Hol", "Kes", "Lim", "Mor", "Nar", "Or", "Pel")
_MIDDLE = ("a", "e", "i", "o", "u", "and", "ess", "ili", "oro", "umba")
_LAST = ("dia", "fort", "ga", "lund", "mar", "nia", "ra", "sk", "tonia", "via", "wick", "zan")


def main() -> None:
    """Write a map as the command line asks for it."""
    parser = argparse.ArgumentParser(description="Write a random map without shapes.")
    parser.add_argument("provinces", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pieces", type=int, default=1)
    parser.add_argument("--tunnels", type=int, default=0)
    parser.add_argument("-o", "--out", type=Path, required=True)
    asked = parser.parse_args()
    made = random_map(asked.provinces, asked.seed, pieces=asked.pieces, tunnels=asked.tunnels)
    asked.out.write_text(json.dumps(made, indent=1), "utf-8")


def random_map(provinces: int, seed: int = 1, *, pieces: int = 1, tunnels: int = 0) -> Json:
    """Return the content of a map file; the same numbers always give the same map."""
    draft = _Draft(Random(f"{provinces} {seed}"), *_scatter(provinces, seed, pieces))
    draft.choose_terrain()
    draft.split_coasts()
    draft.join_neighbours()
    draft.add_rivers()
    draft.add_straits()
    draft.add_tunnels(tunnels)
    return draft.as_json()


def _scatter(
    count: int, seed: int, pieces: int
) -> tuple[list[Point], list[tuple[int, int, int]], nx.Graph[int]]:
    """Return points, the triangles between them, and the graph of the points that touch."""
    random = Random(f"points {count} {seed}")
    columns = max(round((count * 1.6) ** 0.5), 1)
    rows = -(-count * 6 // (columns * 5)) + 1
    cells = [(c, r) for c in range(columns) for r in range(rows)]
    points = [
        (c + 0.5 * (r % 2) + random.uniform(-0.3, 0.3), r + random.uniform(-0.3, 0.3))
        for c, r in sorted(random.sample(cells, count))
    ]
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(count))
    number = {point: i for i, point in enumerate(points)}
    triangles = []
    for shape in delaunay_triangles(MultiPoint(points)).geoms:
        a, b, c = sorted(number[point] for point in list(shape.exterior.coords)[:3])
        if all(_apart(points[i], points[k]) < 2.5 for i, k in ((a, b), (b, c), (a, c))):
            triangles.append((a, b, c))
            graph.add_edges_from(((a, b), (b, c), (a, c)))
    piece = [int(x / (columns + 0.8) * pieces) for x, _ in points]
    graph.remove_edges_from([(a, b) for a, b in graph.edges if piece[a] != piece[b]])
    return points, [t for t in triangles if all(map(graph.has_edge, t, (*t[1:], t[0])))], graph


def _pair(a: str, b: str) -> tuple[str, str]:
    """Return the ends of a border in alphabetical order."""
    return min(a, b), max(a, b)


def _apart(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


@dataclass
class _Draft:
    """A map while it is made; provinces are numbers."""

    random: Random
    at: Sequence[Point]
    triangles: Sequence[tuple[int, int, int]]
    touching: nx.Graph[int]
    terrain: list[str] = field(default_factory=list)
    coast_of: dict[tuple[int, int], str] = field(default_factory=dict)
    """By a province with several coasts and a sea, the coast on that sea."""
    borders: dict[tuple[str, str], str] = field(default_factory=dict)
    rivers: list[list[int]] = field(default_factory=list)
    straits: list[tuple[int, int, int]] = field(default_factory=list)

    @property
    def ids(self) -> list[str]:
        """The ids of the provinces: three letters each."""
        abc = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        return [f"{abc[i // 26 % 26]}{abc[i * 7 % 26]}{abc[i % 26]}" for i in range(len(self.at))]

    def choose_terrain(self) -> None:
        """Make the third that lies lowest sea, and some of the open sea islands."""
        hills = [(self.random.choice(self.at), self.random.uniform(1.5, 3.5)) for _ in range(9)]
        height = [sum(wide / (1 + _apart(p, top) ** 2) for top, wide in hills) for p in self.at]
        level = sorted(height)[len(height) // 3]
        self.terrain = ["sea" if h < level else "land" for h in height]
        for i in self.touching:
            near = {self.terrain[other] for other in self.touching[i]}
            if near == {"sea"} and self.terrain[i] == "sea" and self.random.random() < 0.4:
                self.terrain[i] = "island"

    def is_sea(self, i: int) -> bool:
        """Return whether a province is a sea."""
        return self.terrain[i] == "sea"

    def seas_of(self, i: int) -> list[int]:
        """Return the seas beside a province on land."""
        return [other for other in self.touching[i] if self.is_sea(other)]

    def split_coasts(self) -> None:
        """Give some provinces on several shores a coast for each."""
        for i in self.touching:
            shores = list(self._shores(i))
            if self.terrain[i] == "land" and 2 <= len(shores) <= 4 and self.random.random() < 0.7:
                free = dict(_COASTS)
                for shore in shores:
                    code = min(free, key=lambda code: self._turn_to(i, shore, code))
                    del free[code]
                    self.coast_of.update({(i, sea): code for sea in shore})

    def _shores(self, i: int) -> Iterator[list[int]]:
        """Yield the seas beside a province, those together that touch each other there."""
        beside: nx.Graph[int] = nx.Graph()
        beside.add_nodes_from(self.seas_of(i))
        for triangle in self.triangles:
            if i in triangle:
                a, b = (other for other in triangle if other != i)
                if self.is_sea(a) and self.is_sea(b):
                    beside.add_edge(a, b)
        yield from map(sorted, nx.connected_components(beside))

    def _turn_to(self, i: int, shore: Sequence[int], code: str) -> float:
        """Return the angle between a shore's direction and that of a coast's name."""
        x = sum(self.at[sea][0] - self.at[i][0] for sea in shore)
        y = sum(self.at[sea][1] - self.at[i][1] for sea in shore)
        named = {"NC": -pi / 2, "EC": 0.0, "SC": pi / 2, "WC": pi}[code]
        return abs((atan2(y, x) - named + pi) % (2 * pi) - pi)

    def join_neighbours(self) -> None:
        """Make a border between neighbours; between a few on land there are mountains."""
        for a, b in sorted(map(sorted, self.touching.edges)):
            if self.is_sea(a) or self.is_sea(b):
                self._join(self._location(a, b), self._location(b, a), "fleet")
            elif self.random.random() < 0.94:
                self._join_on_land(a, b)

    def _join_on_land(self, a: int, b: int) -> None:
        """Join two provinces on land; fleets pass where the border comes down to a sea."""
        seas = [i for t in self.triangles if a in t and b in t for i in t if self.is_sea(i)]
        islands = "island" in (self.terrain[a], self.terrain[b])
        for sea in seas:
            self._join(self._location(a, sea), self._location(b, sea), "fleet")
        if not islands:
            self._join(self.ids[a], self.ids[b], "army")

    def _location(self, i: int, sea: int) -> str:
        """Return where a fleet stands in a province when it comes from a sea."""
        code = self.coast_of.get((i, sea))
        return f"{self.ids[i]}/{code}" if code else self.ids[i]

    def _join(self, a: str, b: str, kind: str) -> None:
        """Add a border, or widen the kind of one that is there."""
        pair = _pair(a, b)
        self.borders[pair] = kind if self.borders.get(pair, kind) == kind else "both"

    def _has_coasts(self, i: int) -> bool:
        """Return whether a province has several coasts."""
        return any(province == i for province, _ in self.coast_of)

    def add_rivers(self) -> None:
        """Let a few rivers run from the shore inland."""
        shore = [i for i in self.touching if self.terrain[i] == "land" and self.seas_of(i)]
        self.random.shuffle(shore)
        taken: set[int] = set()
        for mouth in shore[: len(self.at) // 25]:
            course = [mouth]
            while len(course) < 6:
                onward = [i for i in self.touching[course[-1]] if self._takes_river(i, course)]
                if not onward:
                    break
                course.append(self.random.choice(sorted(onward)))
            if len(course) > 2 and not taken & set(course) and not self._has_coasts(mouth):
                taken.update(course)
                self.rivers.append(course)
                for a, b in pairwise(course):
                    self._join(self.ids[a], self.ids[b], "both")

    def _takes_river(self, i: int, course: Sequence[int]) -> bool:
        """Return whether a river may flow from a province to the source of a course."""
        inland = self.terrain[i] == "land" and not self.seas_of(i)
        return inland and not any(i in self.touching[other] for other in course[:-1])

    def add_straits(self) -> None:
        """Let armies cross some seas between shores that face each other."""
        for sea in self.random.sample(range(len(self.at)), len(self.at) // 20):
            shores = [i for i in self.touching[sea] if self.terrain[i] == "land"]
            pairs = [
                (a, b)
                for a, b in combinations(sorted(shores), 2)
                if self.is_sea(sea) and _pair(self.ids[a], self.ids[b]) not in self.borders
            ]
            if pairs:
                a, b = self.random.choice(pairs)
                self._join(self.ids[a], self.ids[b], "army")
                self.straits.append((a, b, sea))

    def add_tunnels(self, count: int) -> None:
        """Join provinces on land that lie two or three steps apart."""
        for a in self.random.sample(range(len(self.at)), len(self.at)):
            far = nx.single_source_shortest_path_length(self.touching, a, 3)
            there = [b for b in sorted(far) if far[b] > 1 and self.terrain[b] == "land"]
            if count and there and self.terrain[a] == "land":
                self._join(self.ids[a], self.ids[self.random.choice(there)], "army")
                count -= 1

    def as_json(self) -> Json:
        """Return the finished map."""
        homes = self._homes()
        return {
            "format": 1,
            "id": "random",
            "name": {"en": "Random"},
            "coasts": {
                code: {"name": {"en": f"{word} coast"}} for code, word in sorted(_COASTS.items())
            },
            "powers": [
                {
                    "id": name[:3].upper(),
                    "name": {"en": name},
                    "start_centres": [self.ids[i] for i in centres],
                    "units": [self._unit(i) for i in centres],
                }
                for name, centres in homes.items()
            ],
            "provinces": [self._province(i, homes) for i in self.touching],
            "borders": [[a, b, kind] for (a, b), kind in sorted(self.borders.items())],
            "rivers": [
                {
                    "id": f"river{k}",
                    "name": {"en": f"River {k}"},
                    "mouth": self.ids[course[0]],
                    "course": [self.ids[i] for i in course],
                }
                for k, course in enumerate(self.rivers, 1)
            ],
            "straits": [
                {
                    "between": [self.ids[a], self.ids[b]],
                    "over": self.ids[sea],
                    "type": self.borders[_pair(self.ids[a], self.ids[b])],
                }
                for a, b, sea in self.straits
            ],
            "rules": {"victory_centres": max(len(self.at) // 6, 4)},
        }

    def _homes(self) -> Mapping[str, Sequence[int]]:
        """Return three centres for each power, as many as there are provinces for."""
        land = [i for i in self.touching if not self.is_sea(i)]
        powers = _POWERS[: max(min(len(_POWERS), len(land) // 4), 1)]
        size = max(min(3, len(land) // len(powers)), 1)
        return {name: land[k :: len(powers)][:size] for k, name in enumerate(powers)}

    def _unit(self, i: int) -> str:
        """Return the first unit of a home centre."""
        fleet = self.seas_of(i) and not self._has_coasts(i) and i % 2
        return f"{'F' if fleet else 'A'} {self.ids[i]}"

    def _province(self, i: int, homes: Mapping[str, Sequence[int]]) -> Json:
        """Return a province as it stands in the file."""
        found: Json = {"id": self.ids[i], "name": {"en": self._name(i)}}
        if self.terrain[i] != "land":
            found["terrain"] = self.terrain[i]
        coasts = sorted({code for (there, _), code in self.coast_of.items() if there == i})
        if self.seas_of(i) and not self.is_sea(i):
            found["coastal"] = True
        if coasts:
            found["coasts"] = coasts
        rivers = [f"river{k}" for k, course in enumerate(self.rivers, 1) if i in course]
        if rivers:
            found["river"] = rivers
        if any(i in centres for centres in homes.values()):
            found["centre"] = "fixed"
        elif not self.is_sea(i) and i % 4 == 0:
            found["centre"] = "neutral"
        return found

    def _name(self, i: int) -> str:
        """Return a name that no other province has: words of different lengths."""
        word = _FIRST[i % 12] + _MIDDLE[i // 12 % 10] + _LAST[(i // 120 + i * 5) % 12]
        if self.is_sea(i):
            return f"{'Gulf of' if i % 3 else 'Great Sea of'} {word}"
        return f"{'Upper' if i % 2 else 'Old'} {word}" if i % 5 == 0 else word


if __name__ == "__main__":
    main()
