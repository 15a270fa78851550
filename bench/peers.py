"""Engines of the two published judges to compare with, both optional: ``pip install .[bench]``.

An engine turns a :class:`~bench.positions.Sample` into a *job* (:meth:`prepare`, not timed),
runs it (:meth:`run`, timed) and returns the result of the phase (:meth:`phase_result`, not timed).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Protocol

from alexmagnum.board.model import Board
from alexmagnum.orders import Convoy, Hold, Move, MovementOrder, Support
from bench.positions import PhaseResult, Sample


class Engine(Protocol):
    """A judge to measure; ``name`` is its row in the table."""

    name: str

    def prepare(self, sample: Sample) -> Any:
        """Prepare a job for one :meth:`run`, before the clock starts."""

    def run(self, job: Any) -> Any:
        """Adjudicate a job; this is timed."""

    def phase_result(self, outcome: Any) -> PhaseResult:
        """Return the outcome of :meth:`run` in terms common to all engines."""


class Pydip:
    """``pydip`` 0.1.8: ``resolve_turn`` on command objects.

    It has no names for orders that its map forbids, so it cannot be given illegal orders.
    """

    name = "pydip resolve_turn"

    def __init__(self, board: Board) -> None:
        from pydip.map.predefined.vanilla_dip import generate_map
        from pydip.turn.resolve import resolve_turn

        self.map, self.resolve_turn = generate_map(), resolve_turn
        self.territory = _pydip_names(board)
        self.location = {name: location for location, name in self.territory.items()}

    def prepare(self, sample: Sample) -> list[Any]:
        from pydip.player.player import Player
        from pydip.player.unit import Unit

        kinds, units = _pydip_kinds(), sample.units
        made = {u: Unit(kinds[u[0]], self.territory[u[0], u[2:]]) for u in units}
        planned = {order.unit: order for orders in sample.orders.values() for order in orders}
        commands = []
        for power, orders in sample.orders.items():
            standing = [made[order.unit] for order in orders]
            start = [{"territory_name": u.position, "unit_type": u.unit_type} for u in standing]
            player = Player(power, self.map, start)
            commands += [self._command(player, order, made, planned) for order in orders]
        return commands

    def _command(
        self,
        player: Any,
        order: MovementOrder,
        made: Mapping[str, Any],
        planned: Mapping[str, MovementOrder],
    ) -> Any:
        from pydip.player.command import command as commands

        unit = made[order.unit]
        match order:
            case Hold():
                return commands.HoldCommand(player, unit)
            case Move(name, to, via):
                kind = commands.ConvoyMoveCommand if via else commands.MoveCommand
                return kind(player, unit, self.territory[name[0], to])
            case Support(_, name, None):
                return commands.SupportCommand(player, unit, made[name], made[name].position)
            case Support(_, name, str(to)):
                there = self.territory[name[0], to]
                return commands.SupportCommand(player, unit, made[name], there)
            case Convoy(_, army, to):
                there = self.territory["A", to]
                return commands.ConvoyTransportCommand(player, unit, made[army], there)

    def run(self, job: list[Any]) -> Any:
        return self.resolve_turn(self.map, job)

    def phase_result(self, outcome: Any) -> PhaseResult:
        units: dict[str, str] = {}
        dislodged: dict[str, tuple[str, list[str]]] = {}
        for power, fates in outcome.items():
            for unit, retreats in fates.items():
                kind, location = self.location[unit.position]
                if retreats is None:
                    units[f"{kind} {location}"] = power
                else:
                    open_to = [self.location[r][1] for r in retreats]
                    dislodged[f"{kind} {location}"] = power, open_to
        return PhaseResult(units, dislodged)


class PydipWithCommands(Pydip):
    """``pydip`` with its players, units and commands built inside the timed call."""

    name = "pydip, commands made inside"

    def prepare(self, sample: Sample) -> Any:
        return sample

    def run(self, job: Any) -> Any:
        return self.resolve_turn(self.map, super().prepare(job))


_PYDIP_SPELLINGS = {"EAS": "Eastern Mediterranean Sea", "WES": "Western Mediterranean Sea"}
_PYDIP_COASTS = {"NC": "North", "EC": "North", "SC": "South"}
"""pydip calls Bulgaria's east coast its north coast."""


def _pydip_names(board: Board) -> dict[tuple[str, str], str]:
    """Return territories by kind of unit and location: ``("F", "SPA/SC")`` is Spain South Coast."""
    from pydip.map.predefined.vanilla_dip import generate_map

    known, names = generate_map().name_map, {}
    plain = {_plain(name): name for name in known}
    for province in board.provinces.values():
        spelt = (*province.names.values(), *province.aliases, _PYDIP_SPELLINGS.get(province.id, ""))
        name = next(plain[_plain(s)] for s in spelt if _plain(s) in plain)
        if province.is_sea:
            names["F", province.id] = name
            continue
        names["A", province.id] = name
        for coast in province.coasts:
            names["F", f"{province.id}/{coast}"] = f"{name} {_PYDIP_COASTS[coast]} Coast"
        if province.coastal and not province.coasts:
            names["F", province.id] = f"{name} Coast"
    return names


def _plain(name: str) -> str:
    return "".join(filter(str.isalpha, name.casefold()))


@cache
def _pydip_kinds() -> dict[str, Any]:
    from pydip.player.unit import UnitTypes

    return {"A": UnitTypes.TROOP, "F": UnitTypes.FLEET}


class Diplomacy:
    """``diplomacy`` 1.1.2: ``Game.process()`` of a game whose orders are set.

    ``process()`` also moves the game on to the next phase, which is the only way to have it
    adjudicate.
    """

    name = "diplomacy process"

    def __init__(self, board: Board) -> None:
        from diplomacy import Game

        self.new_game = Game
        self.powers = {power.upper(): power for power in board.powers}
        self.homes = {power.id.upper(): list(power.homes) for power in board.powers.values()}

    def prepare(self, sample: Sample) -> Any:
        game, _ = job = self._set_up(sample)
        self._set_orders(job)
        return game

    def _set_up(self, sample: Sample) -> tuple[Any, dict[str, list[str]]]:
        game = self.new_game()
        units: dict[str, list[str]] = {power: [] for power in self.powers}
        for unit, power in sample.units.items():
            units[power.upper()].append(unit)
        game.set_state({"name": "S1905M", "units": units, "centers": self.homes})
        lines = {
            power.upper(): [line.replace("via convoy", "VIA") for line in lines]
            for power, lines in sample.lines.items()
        }
        return game, lines

    def _set_orders(self, job: tuple[Any, dict[str, list[str]]]) -> None:
        game, lines = job
        for power, orders in lines.items():
            game.set_orders(power, orders)

    def run(self, job: Any) -> Any:
        job.process()
        return job

    def phase_result(self, outcome: Any) -> PhaseResult:
        units: dict[str, str] = {}
        dislodged: dict[str, tuple[str, list[str]]] = {}
        for name, power in outcome.powers.items():
            units |= dict.fromkeys(power.units, self.powers[name])
            for unit, retreats in power.retreats.items():
                dislodged[unit] = self.powers[name], retreats
        return PhaseResult(units, dislodged)


class DiplomacyText(Diplomacy):
    """``diplomacy`` from lines of text: ``set_orders`` is timed too."""

    name = "diplomacy set_orders + process"

    def prepare(self, sample: Sample) -> Any:
        return self._set_up(sample)

    def run(self, job: Any) -> Any:
        self._set_orders(job)
        return super().run(job[0])
