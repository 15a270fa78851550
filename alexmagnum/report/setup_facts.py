"""The facts of a map from which a page lets people set up a position by taps.

Open this file for what ``templates/position_editor.js`` knows of a map.  The script has no rule:
what can stand where is tried out here, by asking positions what is wrong with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from alexmagnum.board.geography import Province, name_in
from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.campaign import coming_phases, first_position
from alexmagnum.cases.json_values import to_json
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.position import KINDS, SPRING, Phase, Position, Unit
from alexmagnum.report.names import phase_name, power_name

_ANY_YEAR = 7777
"""A year that stands for any in the name of a phase."""


def list_setup_facts(board: Board, sentences: Sentences) -> Mapping[str, Any]:
    """Return what a page has to know of a map for setting up positions, ready for JSON.

    ``provinces``: by id the name, all other names (``also``), the number of ``places``, and what
    :func:`_describe_province` finds out; ``powers``: id and name, the independents last;
    ``phases``: season, retreats, period, the name with ``%`` for the year, and that without year;
    ``start``: the position in which a game begins; ``empty``: the first spring with nothing on the
    map; ``nobility``: the most points; ``coasts`` and
    ``kinds``: names of coasts and of kinds of units.
    """
    lang = sentences.lang
    return {
        "map": board.id,
        "name": board.name(lang),
        "provinces": {
            province.id: {
                "name": province.name(lang),
                "also": _list_other_names(province, lang),
                "places": province.capacity,
                **_describe_province(province, board),
            }
            for province in board.provinces.values()
        },
        "powers": [
            [power, power_name(board, power, sentences)] for power in (*board.powers, INDEPENDENT)
        ],
        "phases": [_describe_phase(phase, board, sentences) for phase in list_phases(board)],
        "start": to_json(first_position(board)),
        "empty": to_json(Position(board, _find_first_spring(board), ())),
        "nobility": board.rules.nobility,
        "coasts": {code: name_in(coast.names, lang) for code, coast in board.coasts.items()},
        "kinds": {kind: sentences.format(f"sandbox-{kind}") for kind in KINDS},
    }


def _list_other_names(province: Province, lang: str) -> list[str]:
    """Return the other names of a province, in every language, each once."""
    names = dict.fromkeys([*province.names.values(), *province.aliases])
    return [name for name in names if name not in (province.name(lang), province.id)]


def _describe_province(province: Province, board: Board) -> dict[str, Any]:
    """Return what a position can say of a province; a field that is empty is left out.

    ``stand``: the kinds of units, a fleet with each coast; ``garrison``: 1 if independent armies
    may stand there; ``centre``: 1 if it can have an owner; ``home``: the powers that can have won
    it as a building centre in the Cyprus year.
    """
    powers = list(board.powers)
    stand = [
        f"{unit.kind}/{unit.coast}" if unit.coast else unit.kind
        for unit in _list_units(province, powers[0])
        if _is_possible(board, units=(unit,))
    ]
    garrison = Unit(INDEPENDENT, "A", province.id)
    facts: dict[str, Any] = {"stand": stand}
    if _is_possible(board, units=(garrison,)):
        facts["garrison"] = 1
    if province.id in board.centres:
        facts["centre"] = 1
    if board.rules.picks:
        homes = [power for power in powers if _is_possible(board, homes={power: (province.id,)})]
        if len(homes) > 1:
            facts["home"] = homes
    return facts


def _list_units(province: Province, power: str) -> Iterator[Unit]:
    """Yield one unit of each kind; a fleet at each coast."""
    for kind in KINDS:
        for coast in province.coasts if kind == "F" and province.coasts else ("",):
            yield Unit(power, kind, province.id, coast)


def list_example_units(board: Board) -> tuple[Unit, ...]:
    """Return a unit of each kind that the map has, where it can stand; a garrison last."""
    power = next(iter(board.powers))
    provinces = board.provinces.values()
    every = [unit for province in provinces for unit in _list_units(province, power)]
    every += [Unit(INDEPENDENT, "A", province.id) for province in provinces]
    examples: dict[tuple[str, str], Unit] = {}
    for unit in every:
        key = unit.power, unit.kind
        if key not in examples and _is_possible(board, units=(unit,)):
            examples[key] = unit
    return tuple(examples.values())


def _is_possible(board: Board, **parts: Any) -> bool:
    """Tell whether a position with nothing but these parts is sound."""
    phase = Phase(board.rules.first_year, SPRING)
    return not Position(board, phase, **{"units": (), **parts}).problems()


def list_phases(board: Board) -> tuple[Phase, ...]:
    """Return a phase of each kind that the map has: the Cyprus year first, then a year."""
    first = first_position(board).phase
    phases: list[Phase] = [first]
    for phase in coming_phases(first, board):
        if phase.season == SPRING and not phase.retreats and SPRING in {p.season for p in phases}:
            break
        phases.append(phase)
    return tuple(phases)


def _find_first_spring(board: Board) -> Phase:
    """Return the first phase in which units move."""
    return next(phase for phase in list_phases(board) if phase.season == SPRING)


def _describe_phase(phase: Phase, board: Board, sentences: Sentences) -> list[Any]:
    """Return season, retreats, period and names of a phase: with ``%`` as its year, and without."""
    dated, undated = (
        phase_name(Phase(year, phase.season, phase.retreats, phase.period), board, sentences)
        for year in (_ANY_YEAR, 0)
    )
    name = dated.replace(str(_ANY_YEAR), "%")
    return [phase.season, phase.retreats, phase.period, name, undated]
