"""Something that never may be: the program is at fault, and this is where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from alexmagnum.cases.schema_writer import turn_text
from alexmagnum.errors import AlexMagnumError
from alexmagnum.orders import Order
from alexmagnum.position import Position


class BrokenInvariantError(AlexMagnumError):
    """Something came of a phase that never may: the program is wrong, not the player.

    ``seed``, ``position`` and ``orders`` give the phase again; ``broken`` says what is wrong.
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
        """The phase as a turn file, to be adjudicated again."""
        return turn_text(self.position, self.orders)


@contextmanager
def blaming(seed: int, position: Position, orders: Mapping[str, Sequence[Order]]) -> Iterator[None]:
    """Whatever is raised meanwhile is the fault of this phase, and told as such.

    Raises:
        BrokenInvariantError: in place of any other error.
    """
    try:
        yield
    except BrokenInvariantError:
        raise
    # Broad on purpose: whatever the judge may raise is a finding, told with its seed and turn.
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        raise BrokenInvariantError(seed, position, orders, (fault,)) from error
