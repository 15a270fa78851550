"""``adjudicate_many``: one phase with many order sets, as outcomes or as arrays.

This file takes whatever a caller hands over; :mod:`alexmagnum.judge.batch` judges sets as numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from struct import Struct
from typing import TYPE_CHECKING, Any, Literal, overload

from alexmagnum.builds import pause_collection
from alexmagnum.errors import AlexMagnumError, BadOrders, Fault
from alexmagnum.judge import resolve_phase
from alexmagnum.judge.batch import Batch, list_set
from alexmagnum.judge.outcome import RESULT_NAMES, Outcome
from alexmagnum.judge.validation import refuse_bad_position
from alexmagnum.orders import Order
from alexmagnum.position import Position, Unit

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class OutcomeArrays:
    """The outcomes of many order sets as arrays: a line for each unit, a column for each set.

    ``units``: the units of the lines; ``results``: the result of each unit's order as an index into
    ``result_names`` (a unit without an order holds); ``places``: where each unit stands after the
    phase as an index into ``place_names``, -1 if it was dislodged and has to retreat, -2 if it is
    destroyed.
    """

    units: tuple[Unit, ...]
    results: NDArray[numpy.uint8]
    places: NDArray[numpy.int16]
    result_names: tuple[str, ...]
    place_names: tuple[str, ...]


@overload
def adjudicate_many(
    position: Position,
    order_sets: Iterable[Mapping[str, Iterable[Order]]],
    *,
    as_arrays: Literal[False] = ...,
) -> tuple[Outcome, ...]: ...
@overload
def adjudicate_many(
    position: Position,
    order_sets: Iterable[Mapping[str, Iterable[Order]]],
    *,
    as_arrays: Literal[True],
) -> OutcomeArrays: ...


def adjudicate_many(
    position: Position,
    order_sets: Iterable[Mapping[str, Iterable[Order]]],
    *,
    as_arrays: bool = False,
) -> tuple[Outcome, ...] | OutcomeArrays:
    """Resolve one phase with many order sets; each outcome is the one of ``adjudicate``.

    ``order_sets``: an iterable of what :func:`alexmagnum.adjudicate` takes.  An outcome of a
    movement phase keeps results and units; it is judged again when other parts are read.  With
    ``as_arrays`` such outcomes are returned as :class:`OutcomeArrays`, which takes NumPy
    (``pip install 'alexmagnum[arrays]'``) and the least time and memory.  It is quickest if
    the sets share order values, as those of searches do.

    Raises:
        BadPosition: as ``adjudicate``.
        BadOrders: as ``adjudicate``; each fault names its set, as in ``order_sets[3].orders.TOL``.
        AlexMagnumError: ``arrays-without-numpy``: NumPy is not installed; ``arrays-phase``: arrays
            were asked for in a phase without moves.
    """
    refuse_bad_position(position)
    with pause_collection():
        if as_arrays:
            return _make_arrays(Batch(position), _number_sets(position, order_sets))
        return tuple(_judge_values(position, _number_sets(position, order_sets)))


def _number_sets(position: Position, order_sets: Any) -> Iterator[tuple[int, Any]]:
    """Return the sets with their numbers.

    Raises:
        BadOrders: ``order-sets-not-listed``, it is one set or no iterable.
    """
    if isinstance(order_sets, (Mapping, str, bytes)) or not isinstance(order_sets, Iterable):
        fault = Fault("order_sets", "order-sets-not-listed", {"value": type(order_sets).__name__})
        raise BadOrders(str(position.phase), (fault,))
    return enumerate(order_sets)


def _judge_values(position: Position, sets: Iterator[tuple[int, Any]]) -> Iterator[Outcome]:
    if position.phase.kind == "movement":
        batch = Batch(position)
        for number, orders in sets:
            yield batch.resolve(orders, number)
    else:
        for number, orders in sets:
            yield resolve_phase(position, list_set(position, number, orders))


def _make_arrays(batch: Batch, sets: Iterator[tuple[int, Any]]) -> OutcomeArrays:
    try:
        import numpy
    except ModuleNotFoundError:
        raise AlexMagnumError("arrays-without-numpy") from None
    results, places, judged = bytearray(), bytearray(), 0
    pack_places = Struct(f"{len(batch.units)}h").pack
    for number, orders in sets:
        batch.judge(orders, number)
        results += bytes(batch.results)
        places += pack_places(*batch.places)
        judged += 1
    shape = (judged, len(batch.units))
    return OutcomeArrays(
        batch.units,
        numpy.frombuffer(bytes(results), numpy.uint8).reshape(shape).T,
        numpy.frombuffer(bytes(places), numpy.int16).reshape(shape).T,
        RESULT_NAMES,
        batch.place_names,
    )
