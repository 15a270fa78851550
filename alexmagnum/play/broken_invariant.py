"""The error for something that must never happen, with all that is needed to repeat it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from alexmagnum.cases.schema_writer import turn_text
from alexmagnum.errors import AlexMagnumError
from alexmagnum.orders import Order
from alexmagnum.position import Position


class BrokenInvariantError(AlexMagnumError):
    """A phase had a result that is impossible: the program is wrong, not the player.

    ``seed``, ``position`` and ``orders`` repeat the phase; ``broken`` lists what is wrong.
    """

    def __init__(
        self,
        seed: int,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        faults: tuple[str, ...],
    ) -> None:
        super().__init__(
            "invariant-broken", seed=str(seed), phase=str(position.phase), what="; ".join(faults)
        )
        self.seed = seed
        self.position = position
        self.orders = orders
        self.broken = faults

    @property
    def turn(self) -> str:
        """The phase as the text of a turn file, to be adjudicated again."""
        return turn_text(self.position, self.orders)


@contextmanager
def blame_phase(
    seed: int, position: Position, orders: Mapping[str, Sequence[Order]]
) -> Iterator[None]:
    """Turn any error raised meanwhile into one that names the phase.

    Raises:
        BrokenInvariantError: in place of any other error.
    """
    try:
        yield
    except BrokenInvariantError:
        raise
    # Broad on purpose: any error of the judge is a finding, reported with its seed and turn.
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        raise BrokenInvariantError(seed, position, orders, (fault,)) from error
