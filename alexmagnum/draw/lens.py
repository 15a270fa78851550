"""The way from the map to a frame that shows a part of it larger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from alexmagnum.draw.scene import Box, Point


@dataclass(frozen=True, slots=True)
class Lens:
    """The way from the map's coordinates into a frame that shows a window of the map larger."""

    window: Box
    frame: Box

    @property
    def scale(self) -> float:
        """The magnification of the window."""
        return self.frame.width / self.window.width

    def __call__(self, point: Point) -> Point:
        """Return a point of the map in the frame."""
        k = self.scale
        return (
            self.frame.left + (point[0] - self.window.left) * k,
            self.frame.top + (point[1] - self.window.top) * k,
        )

    def inverse(self, point: Point) -> Point:
        """Return the point of the map that a point of the frame shows."""
        k = self.scale
        return (
            self.window.left + (point[0] - self.frame.left) / k,
            self.window.top + (point[1] - self.frame.top) / k,
        )

    def line(self, points: Iterable[Point]) -> tuple[Point, ...]:
        """Return a line of the map in the frame."""
        return tuple(map(self, points))

    def box(self, box: Box) -> Box:
        """Return a box of the map in the frame."""
        return Box(*self((box.left, box.top)), *self((box.right, box.bottom)))
