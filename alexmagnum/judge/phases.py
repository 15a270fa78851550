"""Which rules resolve which phase; movement has a resolver of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from alexmagnum.judge.cyprus import resolve_deployment, resolve_picks
from alexmagnum.judge.outcome import PhaseOutcome
from alexmagnum.judge.retreats import resolve_retreats
from alexmagnum.judge.winter import resolve_winter
from alexmagnum.orders import Order
from alexmagnum.position import Position

Resolve = Callable[[Position, Mapping[str, Sequence[Order]]], PhaseOutcome]

RESOLVERS: Mapping[str, Resolve] = {
    "picks": resolve_picks,
    "deployment": resolve_deployment,
    "retreats": resolve_retreats,
    "winter": resolve_winter,
}
"""By kind of phase, all but ``movement``."""
