"""The definitions of DATC chapter 5, each as a pure function of a full assignment.

A *decision* is a question with the answer yes or no: does this unit's move succeed, is this
unit's support cut, is this army's convoy path whole, is this convoying fleet dislodged.  The
answers that a definition needs it asks of ``answer``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from alexmagnum.board.model import Rules
    from alexmagnum.position import Unit
from tests.oracle.legality import March, Sheet

Decision = tuple[Literal["succeeds", "cut", "path", "dislodged"], "Unit"]
Answer = Callable[[Decision], bool]


class Definitions:
    """What each decision of a sheet of orders means.

    ``rules`` tell the base strength of a general and what its support counts (R1); all other
    units have 1 of each.  The armies in
    ``stranded`` have lost their convoy by the Szykman rule.
    """

    def __init__(self, sheet: Sheet, rules: Rules, stranded: frozenset[Unit]) -> None:
        self.sheet, self.rules, self.stranded = sheet, rules, stranded
        self.at = {unit.province: unit for unit in sheet.units}
        self.into: dict[str, list[March]] = {}
        for march in sheet.marches.values():
            self.into.setdefault(march.target, []).append(march)

    def decisions(self) -> list[Decision]:
        """Every question that the orders raise."""
        found: list[Decision] = [("succeeds", u) for u in self.sheet.marches]
        found += [("cut", u) for u in self.sheet.helps]
        found += [("path", m.unit) for m in self.sheet.marches.values() if m.by_convoy]
        found += [("dislodged", f) for m in self.sheet.marches.values() for f in m.fleets]
        return found

    def holds_true(self, decision: Decision, answer: Answer) -> bool:
        """The value of a decision, given the answers to the others."""
        question, unit = decision
        return {
            "succeeds": self._succeeds,
            "cut": self._is_cut,
            "path": self._has_path,
            "dislodged": self.is_dislodged,
        }[question](unit, answer)

    def _succeeds(self, unit: Unit, answer: Answer) -> bool:
        march = self.sheet.marches[unit]
        attack = self.attack(march, answer)
        opponent = self.opponent(march)
        resistance = (
            self.hold(march.target, answer)
            if opponent is None
            else self.strength(opponent.unit, answer)
        )
        return attack > resistance and all(
            attack > self.prevent(other, answer)
            for other in self.into[march.target]
            if other is not march
        )

    def _is_cut(self, unit: Unit, answer: Answer) -> bool:
        into = self.sheet.helps[unit].into
        if any(
            march.unit.province != into
            and march.unit.power != unit.power
            and self.attack(march, answer) > 0
            for march in self.into.get(unit.province, ())
        ):
            return True
        return self.is_dislodged(unit, answer)

    def _has_path(self, unit: Unit, answer: Answer) -> bool:
        march = self.sheet.marches[unit]
        if not march.valid or unit in self.stranded:
            return False
        whole = [f.province for f in march.fleets if not answer(("dislodged", f))]
        return self.sheet.ground.carries(whole, unit.province, march.target)

    def is_dislodged(self, unit: Unit, answer: Answer) -> bool:
        """Whether somebody gets into the province of a unit that stays there."""
        if unit in self.sheet.marches and answer(("succeeds", unit)):
            return False
        return any(answer(("succeeds", m.unit)) for m in self.into.get(unit.province, ()))

    def opponent(self, march: March) -> March | None:
        """The move that meets this one head to head: both by land, each to the other's place."""
        unit = self.at.get(march.target)
        other = self.sheet.marches.get(unit) if unit is not None else None
        if other is None or other.target != march.unit.province:
            return None
        return None if march.by_convoy or other.by_convoy else other

    def strength(self, unit: Unit, answer: Answer, against: str | None = None) -> int:
        """The unit with all its supports, without those of the power ``against``; of a moving
        unit this is its defend strength."""
        base = self.rules.general_strength if unit.kind == "G" else 1
        return base + sum(
            self.rules.general_support if h.unit.kind == "G" else 1
            for h in self.sheet.helps.values()
            if h.helped == unit and h.unit.power != against and not answer(("cut", h.unit))
        )

    def arrives(self, march: March, answer: Answer) -> bool:
        return not march.by_convoy or answer(("path", march.unit))

    def attack(self, march: March, answer: Answer) -> int:
        if not self.arrives(march, answer):
            return 0
        unit = self.at.get(march.target)
        if unit is None:
            return self.strength(march.unit, answer)
        if self.opponent(march) is None and (
            unit in self.sheet.marches and answer(("succeeds", unit))
        ):
            return self.strength(march.unit, answer)
        if unit.power == march.unit.power:
            return 0
        return self.strength(march.unit, answer, against=unit.power)

    def hold(self, province: str, answer: Answer) -> int:
        unit = self.at.get(province)
        if unit is None:
            return 0
        if unit in self.sheet.marches:
            base = self.rules.general_strength if unit.kind == "G" else 1
            return 0 if answer(("succeeds", unit)) else base
        return self.strength(unit, answer)

    def prevent(self, march: March, answer: Answer) -> int:
        if not self.arrives(march, answer):
            return 0
        opponent = self.opponent(march)
        if opponent is not None and answer(("succeeds", opponent.unit)):
            return 0
        return self.strength(march.unit, answer)
