"""A slow, obviously right second judge for the movement phase of small positions.

It shares no resolving code with :mod:`alexmagnum.judge`: :mod:`.ground` reads the borders of the
board, :mod:`.legality` decides what each order is worth before anything moves,
:mod:`.decisions` writes down the definitions of DATC chapter 5, :mod:`.knots` searches for the
resolutions that agree with them, and :mod:`.solve` puts the results into words.

``python -m tests.oracle --positions 20000 --seed 1`` compares it with the judge.
"""

from tests.oracle.solve import Solution, solve

__all__ = ["Solution", "solve"]
