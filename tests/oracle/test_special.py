"""The oracle on short cases read off the rulings, with results worked out by hand.

A case has one line to a unit: power, order, and after the colon the result; a unit without a
colon has no order.  Further lines: ``after POWER UNIT PLACE`` (it stands there afterwards),
``lost POWER UNIT PLACE: RETREATS`` (dislodged, with all its retreats), ``destroyed POWER UNIT
PLACE``.  All units that are lost or destroyed have to be listed.
"""

from __future__ import annotations

from typing import Any

import pytest

from alexmagnum.board import load_board
from alexmagnum.position import Unit
from tests.oracle.solve import Solution, solve
from tests.oracle.text import read_case, write_order

SEAS = {
    "R8: plain entrants get the lowest numbers, in order of powers": """
        SEL F EGE#2 H: stands
        TOL F CRE - EGE: succeeds
        LIS F FRI - EGE: succeeds
        after LIS F EGE#1
        after TOL F EGE#3
        after SEL F EGE#2""",
    "R8: one power's entrants in order of where they came from": """
        TOL F FRI - EGE: succeeds
        TOL F CRE - EGE: succeeds
        after TOL F EGE#1
        after TOL F EGE#2""",
    "R8: the winner of a named place takes its number": """
        SEL F EGE#1 H: stands
        SEL F EGE#2 H: dislodged
        TOL F CRE - EGE#2: succeeds
        TOL F ICA S F CRE - EGE#2: given
        after TOL F EGE#2
        lost SEL F EGE#2: ATE BIS CAL EFE FRI ICA ION MAC SAR SPA TES TRA""",
    "R8: a number that nobody bears is plain entry": """
        SEL F EGE H: stands
        TOL F CRE - EGE#3: succeeds
        after TOL F EGE#2""",
    "R11a: not into one's own sea without a name": """
        TOL F EGE#1 - EGE: illegal
        TOL F EGE#2 - EGE#2: illegal
        TOL F EGE#3 - EGE#1: fails""",
    "R11a: nor by a number that nobody bears": """
        TOL F EGE#1 - EGE#3: illegal
        SEL F EGE#2 H: stands""",
    "R12: no open place, however strong": """
        SEL F EGE#1 H: stands
        SEL F EGE#2 H: stands
        SEL F EGE#3 H: stands
        TOL F CRE - EGE: fails
        TOL F ICA S F CRE - EGE: given
        TOL F ION S F CRE - EGE: given""",
    "R9: the place of a fleet that leaves is open": """
        SEL F EGE#1 H: stands
        SEL F EGE#2 H: stands
        SEL F EGE#3 - ION: succeeds
        TOL F CRE - EGE: succeeds
        after TOL F EGE#3
        after SEL F ION#1""",
    "R9: not if somebody named it": """
        SEL F EGE#1 H: stands
        SEL F EGE#2 H: stands
        SEL F EGE#3 - ION: succeeds
        TOL F CRE - EGE: fails
        LIS F FRI - EGE#3: succeeds
        after LIS F EGE#3""",
    "R9: even in vain": """
        SEL F EGE#1 H: stands
        SEL F EGE#2 H: stands
        SEL F EGE#3 - ION: succeeds
        TOL F CRE - EGE: fails
        LIS F FRI - EGE#3: fails
        CAS F MAC - EGE#3: fails""",
    "R10: three equals for two places all stay out": """
        SEL F EGE H: stands
        TOL F CRE - EGE: fails
        LIS F FRI - EGE: fails
        CAS F MAC - EGE: fails""",
    "R10: the strongest of three enters, two equals for the second place do not": """
        SEL F EGE H: stands
        TOL F CRE - EGE: succeeds
        TOL F ICA S F CRE - EGE: given
        LIS F FRI - EGE: fails
        CAS F MAC - EGE: fails
        after TOL F EGE#2""",
    "R11: one attack does not shift a fleet that stays": """
        SEL F EGE H: stands
        TOL F CRE - EGE#1: fails""",
    "R11: head to head": """
        SEL F EGE - CRE: fails
        TOL F CRE - EGE#1: succeeds
        TOL F ICA S F CRE - EGE#1: given
        lost SEL F EGE#1: ATE BIS CAL EFE FRI ICA ION MAC SAR SPA TES TRA""",
    "R11: one's own departing fleet may be named": """
        TOL F EGE - ION: succeeds
        TOL F CRE - EGE#1: succeeds
        after TOL F EGE#1""",
    "R15: a plain entrant does not change places with the fleet that wants his": """
        SEL F EGE#1 - CRE: fails
        SEL F EGE#2 H: stands
        SEL F EGE#3 H: stands
        TOL F CRE - EGE: fails""",
    "R15: unless another place is open": """
        SEL F EGE#1 - CRE: succeeds
        SEL F EGE#2 H: stands
        TOL F CRE - EGE: succeeds
        after TOL F EGE#1
        after SEL F CRE#1""",
    "R15: and is in no head-to-head battle": """
        SEL F EGE#1 - CRE: succeeds
        SEL F ICA S F EGE#1 - CRE: given
        SEL F EGE#2 H: stands
        SEL F EGE#3 H: stands
        TOL F CRE - EGE: fails
        TOL F ION S F CRE - EGE: given
        lost TOL F CRE#1: EGI ICA ION LIB PAN""",
    "R11a: dislodged from inside, by one who stays": """
        TOL F EGE#1 - EGE#2: succeeds
        TOL F CRE S F EGE#1 - EGE#2: given
        SEL F EGE#2 H: dislodged
        after TOL F EGE#1
        lost SEL F EGE#2: ATE BIS CAL EFE FRI ICA ION MAC SAR SPA TES TRA""",
    "R11a: support may come from the same sea": """
        TOL F EGE#1 - EGE#2: succeeds
        TOL F EGE#3 S F EGE#1 - EGE: given
        SEL F EGE#2 H: dislodged
        lost SEL F EGE#2: ATE BIS CAL CRE EFE FRI ICA ION MAC SAR SPA TES TRA""",
    "R11a: equals attack each other in vain": """
        TOL F EGE#1 - EGE#2: fails
        SEL F EGE#2 - EGE#1: fails""",
    "R11a: each other, and the stronger wins": """
        TOL F EGE#1 - EGE#2: succeeds
        TOL F CRE S F EGE#1 - EGE#2: given
        SEL F EGE#2 - EGE#1: fails
        lost SEL F EGE#2: ATE BIS CAL EFE FRI ICA ION MAC SAR SPA TES TRA""",
    "R11a: three in a ring of attacks of strength 2 all go": """
        TOL F EGE#1 - EGE#2: succeeds
        SEL F EGE#2 - EGE#3: succeeds
        LIS F EGE#3 - EGE#1: succeeds
        TOL F CRE S F EGE#1 - EGE#2: given
        SEL F FRI S F EGE#2 - EGE#3: given
        LIS F TRA S F EGE#3 - EGE#1: given
        lost TOL F EGE#1: ATE BIS CAL EFE ICA ION MAC SAR SPA TES
        lost SEL F EGE#2: ATE BIS CAL EFE ICA ION MAC SAR SPA TES
        lost LIS F EGE#3: ATE BIS CAL EFE ICA ION MAC SAR SPA TES""",
    "R11a: never one's own fleet": """
        TOL F EGE#1 - EGE#2: fails
        SEL F CRE S F EGE#1 - EGE#2: given
        TOL F EGE#2 H: stands""",
    "R11a: nothing if the target leaves": """
        TOL F EGE#1 - EGE#2: fails
        TOL F CRE S F EGE#1 - EGE#2: given
        SEL F EGE#2 - ION: succeeds""",
    "R9, R11a: what is emptied from inside is open": """
        TOL F EGE#1 - EGE#2: succeeds
        TOL F CRE S F EGE#1 - EGE#2: given
        SEL F EGE#2 H: dislodged
        SEL F EGE#3 H: stands
        LIS F FRI - EGE: succeeds
        after LIS F EGE#2
        lost SEL F EGE#2: ATE BIS CAL EFE FRI ICA ION MAC SAR SPA TES TRA""",
    "R11, R11a: who named it still has to overcome the fleet": """
        TOL F EGE#1 - EGE#2: succeeds
        TOL F CRE S F EGE#1 - EGE#2: given
        SEL F EGE#2 H: dislodged
        LIS F FRI - EGE#2: fails
        lost SEL F EGE#2: ATE BIS CAL EFE ICA ION MAC SAR SPA TES TRA""",
    "R11a: outside attackers who keep each other out do not hinder it": """
        TOL F EGE#1 - EGE#2: succeeds
        TOL F CRE S F EGE#1 - EGE#2: given
        SEL F EGE#2 H: dislodged
        LIS F FRI - EGE#2: fails
        LIS F SAR S F FRI - EGE#2: given
        CAS F MAC - EGE#2: fails
        CAS F TES S F MAC - EGE#2: given
        lost SEL F EGE#2: ATE BIS CAL EFE ICA ION SPA TRA""",
    "R13: plain entry cuts nothing": """
        SEL F EGE S F ION: given
        SEL F ION H: stands
        LIS F ADR - ION#1: fails
        LIS F EPI S F ADR - ION#1: given
        TOL F CRE - EGE: succeeds""",
    "R13: a move that names the fleet cuts": """
        SEL F EGE S F ION: cut
        SEL F ION H: dislodged
        LIS F ADR - ION#1: succeeds
        LIS F EPI S F ADR - ION#1: given
        TOL F CRE - EGE#1: fails
        lost SEL F ION#1: EGE ETO LIB SPA""",
    "R13: but not from the place against which the support goes": """
        SEL F ICA - CRE: succeeds
        SEL F EGE S F ICA - CRE: given
        TOL F CRE - EGE#1: fails
        lost TOL F CRE#1: EGE EGI ION LIB PAN""",
    "R14: the sea alone fits whichever fleet is named": """
        SEL F EGE#1 H: stands
        SEL F EGE#2 H: dislodged
        TOL F CRE - EGE#2: succeeds
        TOL F ICA S F CRE - EGE: given
        lost SEL F EGE#2: ATE BIS CAL EFE FRI ICA ION MAC SAR SPA TES TRA""",
    "R14: another number does not fit, nor any number a plain entry": """
        SEL F EGE#1 H: stands
        SEL F EGE#2 H: stands
        TOL F CRE - EGE#2: fails
        TOL F ICA S F CRE - EGE#1: invalid
        LIS F FRI - EGE: succeeds
        LIS F SAR S F FRI - EGE#1: invalid""",
    "R14: a neighbour in the same sea helps to hold": """
        SEL F EGE#1 H: stands
        SEL F EGE#2 S F EGE#1: given
        TOL F CRE - EGE#1: fails
        TOL F ICA S F CRE - EGE#1: given""",
    "R11a: who attacks cannot be supported to hold": """
        SEL F EGE#1 - EGE#2: fails
        LIS F EGE#2 H: stands
        SEL F FRI S F EGE#1: invalid""",
    "R16: one fleet of two is enough": """
        TOL A ALE - CRE: succeeds
        TOL F EGI#1 C A ALE - CRE: disrupted
        TOL F EGI#2 C A ALE - CRE: available
        LIS F PAN - EGI#1: succeeds
        LIS F LIB S F PAN - EGI#1: given
        lost TOL F EGI#1: ALE FEN FOC LIB MAM SIS""",
    "R17: equals that kept each other out close a sea": """
        SEL F EGE#1 H: stands
        SEL F EGE#2 H: stands
        CAS F MAC - EGE: fails
        LIS F FRI - EGE: fails
        SEL F CRE H: dislodged
        TOL F ION - CRE: succeeds
        TOL F LIB S F ION - CRE: given
        lost SEL F CRE#1: EGI ICA LIB PAN""",
    "R17: so does a place that stays empty although it was named": """
        SEL F EGE - ICA: succeeds
        CAS F MAC - EGE#1: fails
        LIS F FRI - EGE#1: fails
        SEL F CRE H: dislodged
        TOL F ION - CRE: succeeds
        TOL F LIB S F ION - CRE: given
        lost SEL F CRE#1: EGI ICA LIB PAN""",
    "R17: a full sea is closed, one with room is not": """
        SEL F EGE#1 H: stands
        SEL F EGE#2 H: stands
        SEL F EGE#3 H: stands
        CAN F ICA#1 H: stands
        CAN F ICA#2 H: stands
        SEL F CRE H: dislodged
        TOL F ION - CRE: succeeds
        TOL F LIB S F ION - CRE: given
        lost SEL F CRE#1: EGI ICA LIB PAN""",
}
RIVERS = {
    "R18: to any territory of the same river": """
        TOL F FOC - TEB: succeeds
        after TOL F TEB#1""",
    "R18: not from one river to another": """
        TOL F BAB - OPI: illegal
        SEL F OPI - DUR: illegal""",
    "R19: it stops before a unit that stays": """
        TOL F FOC - TEB: stopped
        SEL A MEN H: stands
        after TOL F NOC#1""",
    "R19: and fails before the first step": """
        TOL F FOC - TEB: fails
        SEL A NOC H: stands""",
    "R19: equals keep each other out on the way": """
        TOL F FOC - TEB: stopped
        SEL A SIW - MEN: fails
        after TOL F NOC#1""",
    "R19: the stronger passes, and shuts the other out": """
        TOL F FOC - TEB: succeeds
        TOL A TRO S F FOC - TEB: given
        SEL A SIW - MEN: fails
        after TOL F TEB#1""",
    "R19: the stronger of the others gets in": """
        TOL F FOC - TEB: stopped
        SEL A SIW - MEN: succeeds
        SEL A ALE S A SIW - MEN: given
        after TOL F NOC#1
        after SEL A MEN#1""",
    "R19: failing at its destination it stops before it": """
        TOL F FOC - TEB: stopped
        SEL A TEB H: stands
        after TOL F MEN#1""",
    "R14: no support along the express": """
        TOL F FOC S A TRO - TEB: illegal
        TOL A TRO - TEB: succeeds""",
    "R20: stopped, it no longer counts beyond": """
        TOL F FOC - NUB: stopped
        SEL A MEN H: stands
        LIS A TRO - TEB: succeeds
        after TOL F NOC#1""",
    "R21: the one behind stops where the one ahead ends": """
        TOL F FOC - TEB: stopped
        SEL F MEN - TEB: succeeds
        after TOL F MEN#1
        after SEL F TEB#1""",
    "R21: whatever the strengths": """
        TOL F FOC - TEB: stopped
        TOL A TRO S F FOC - TEB: given
        SEL A MEN - TEB: succeeds
        after TOL F MEN#1""",
    "R21: who is ahead and does not advance is an obstacle": """
        TOL F FOC - NUB: stopped
        SEL F MEN - TEB: fails
        LIS A TEB H: stands
        after TOL F NOC#1""",
    "R21a: equals in opposite directions stop before what both want": """
        TOL F FOC - MEN: stopped
        SEL F NUB - MEN: stopped
        after TOL F NOC#1
        after SEL F TEB#1""",
    "R21a: whether or not they would get so far": """
        TOL F FOC - TEB: fails
        SEL F NUB - NOC: fails""",
    "R21a: the stronger goes through": """
        TOL F FOC - MEN: succeeds
        TOL A ALE S F FOC - MEN: given
        SEL F NUB - MEN: stopped
        after SEL F TEB#1""",
    "R21a: no passing through each other": """
        TOL F FOC - TEB: stopped
        TOL A TRO S F FOC - TEB: given
        SEL F MEN - NOC: fails
        after TOL F NOC#1""",
    "R21a: head to head, the strength of its move is its defence": """
        TOL F FOC - MEN: fails
        TOL A ALE S F FOC - MEN: given
        SEL F MEN - NOC: fails
        SEL A SIS S F MEN - NOC: given""",
    "R21a: head to head over the first step": """
        TOL F FOC - TEB: fails
        TOL A TRO S F FOC - TEB: given
        SEL A NOC - FOC: fails
        SEL A ALE S A NOC - FOC: given""",
    "R21a: a beaten express has no effect where it first wanted to go": """
        SEL F EUF - COM: fails
        SEL F DUR - EUF: stopped
        TOL F BAB - EUF: succeeds
        TOL F OPI S F BAB - EUF: given
        after SEL F BAB#1
        lost SEL F EUF#1: GPE SUS""",
    "R22: the place it left is free": """
        TOL F FOC - TEB: stopped
        SEL A MEN H: stands
        LIS A ALE - FOC: succeeds""",
    "R22: it cuts only if it comes so far": """
        TOL F FOC - TEB: stopped
        SEL A MEN H: stands
        SEL A TEB S A MEN: given
        TOL A SIW - MEN: fails
        TOL A ALE S A SIW - MEN: given""",
    "R22: no retreat to where it was stalled": """
        TOL F FOC - TEB: stopped
        SEL A SIW - MEN: fails
        LIS A ALE H: dislodged
        SEL A MAM - ALE: succeeds
        SEL F EGI S A MAM - ALE: given
        lost LIS A ALE#1: FOC""",
    "R19: a convoyed army contests the mouth": """
        TOL F NUB - FOC: stopped
        SEL A CRE - FOC: fails
        SEL F EGI C A CRE - FOC: available
        after TOL F NOC#1""",
    "R1: a general outweighs an express": """
        TOL F FOC - TEB: stopped
        SEL G SIW - MEN: succeeds
        after TOL F NOC#1""",
    "R22a: circular movement is no paradox": """
        TOL F FOC - MEN: succeeds
        SEL A NOC - ALE: succeeds
        SEL A ALE - FOC: succeeds""",
}
RAILWAY = {
    "R19: an own unit that stays is no matter on the way": """
        TOL F FOC - TEB: succeeds
        TOL A MEN H: stands
        after TOL F TEB#1""",
    "R19: nor one that enters": """
        TOL F FOC - TEB: succeeds
        TOL A SIW - MEN: succeeds
        after TOL A MEN#1
        after TOL F TEB#1""",
    "R21a: nor one that comes along the river": """
        TOL F FOC - TEB: succeeds
        TOL F MEN - NOC: succeeds""",
    "R21a: own units change places over the last step": """
        TOL F FOC - MEN: succeeds
        TOL F MEN - NOC: succeeds""",
    "R21a: and over the first": """
        TOL F FOC - MEN: succeeds
        TOL A NOC - FOC: succeeds""",
    "R19: where an own unit stays nothing is contested": """
        TOL F FOC - TEB: succeeds
        TOL A MEN H: stands
        SEL G SIW - MEN: fails
        TOL A ALE S A MEN: given""",
    "R19: before an own unit that is dislodged it stops": """
        TOL F FOC - TEB: stopped
        TOL A MEN H: dislodged
        SEL G SIW - MEN: succeeds
        after TOL F NOC#1
        lost TOL A MEN#1: ALE TEB""",
    "R19: where an own unit leaves others contest it": """
        TOL F FOC - TEB: stopped
        TOL A MEN - ALE: succeeds
        SEL A SIW - MEN: fails
        after TOL F NOC#1""",
    "R19: it ends behind several own units": """
        TOL F FOC - NUB: stopped
        TOL A MEN H: stands
        TOL A TEB H: stands
        SEL A NUB H: stands
        after TOL F NOC#1""",
    "R19: or where it began": """
        TOL F FOC - TEB: fails
        TOL A NOC H: stands
        TOL A MEN H: stands
        SEL A TEB H: stands""",
    "R19: not where an own unit ends": """
        TOL F FOC - TEB: stopped
        TOL A SIW - MEN: succeeds
        SEL A TEB H: stands
        after TOL F NOC#1""",
    "R19: at its destination an own unit has to leave": """
        TOL F FOC - TEB: stopped
        TOL A TEB H: stands
        after TOL F MEN#1""",
    "R19: and one that enters is a rival": """
        TOL F FOC - TEB: stopped
        TOL A TRO - TEB: fails
        after TOL F MEN#1""",
    "R19: two who keep each other out stall it": """
        TOL F FOC - TEB: stopped
        SEL A SIW - MEN: fails
        LIS A ALE - MEN: fails
        after TOL F NOC#1""",
    "R19: one who only tries to leave bars it": """
        TOL F FOC - TEB: stopped
        SEL A MEN - ALE: fails
        SEL A ALE H: stands
        after TOL F NOC#1""",
    "R19: even if it is dislodged": """
        TOL F FOC - TEB: stopped
        SEL A MEN H: dislodged
        LIS G SIW - MEN: succeeds
        after TOL F NOC#1
        lost SEL A MEN#1: ALE TEB""",
    "R19a: it dislodges nothing, however well supported": """
        TOL F FOC - TEB: stopped
        TOL A NUB S F FOC - TEB: given
        SEL A TEB H: stands
        after TOL F MEN#1""",
    "R19a: and cuts no support": """
        TOL F FOC - TEB: stopped
        SEL A TEB S A NUB: given
        SEL A NUB H: stands""",
    "R19a: it keeps others out of a destination where a unit stays": """
        TOL F FOC - TEB: stopped
        TOL A MEN S F FOC - TEB: given
        SEL A TEB H: stands
        LIS A TRO - TEB: fails
        LIS A NUB S A TRO - TEB: given
        after TOL F NOC#1""",
    "R19a: only having come so far": """
        TOL F FOC - TEB: stopped
        TOL A NUB S F FOC - TEB: given
        SEL A MEN H: stands
        SEL A TEB H: dislodged
        LIS G TRO - TEB: succeeds
        after TOL F NOC#1
        lost SEL A TEB#1:""",
    "R20: an own unit may enter where it passes, a stranger bounces": """
        TOL F FOC - TEB: succeeds
        TOL A TRO S F FOC - TEB: given
        SEL A SIW - NOC: illegal
        SEL A ALE - NOC: fails
        TOL A MEN H: stands""",
    "R21: it passes the place where an own unit ahead ends": """
        TOL F FOC - NUB: succeeds
        TOL F NOC - TEB: succeeds
        after TOL F NUB#1
        after TOL F TEB#1""",
    "R21: but not over a common destination": """
        TOL F FOC - TEB: stopped
        TOL F NOC - TEB: succeeds
        after TOL F MEN#1""",
    "R19, R21: two queue behind a unit that stays": """
        TOL F FOC - NUB: stopped
        TOL F NOC - NUB: stopped
        SEL A NUB H: stands
        after TOL F TEB#1
        after TOL F MEN#1""",
    "R21a: own expresses in opposite directions contest the way": """
        TOL F FOC - TEB: fails
        TOL F NUB - NOC: fails""",
    "R21a: not where an own unit stays": """
        TOL F FOC - TEB: stopped
        TOL A MEN H: stands
        TOL F NUB - MEN: fails
        after TOL F NOC#1""",
    "R21a: not even head to head does it dislodge": """
        TOL F FOC - MEN: stopped
        TOL A ALE S F FOC - MEN: given
        SEL F MEN - NOC: fails
        after TOL F NOC#1""",
    "R22: where it kept somebody out in passing no unit may retreat to": """
        TOL F FOC - TEB: succeeds
        TOL A NUB S F FOC - TEB: given
        SEL A SIW - MEN: fails
        LIS A ALE H: dislodged
        SEL A MAM - ALE: succeeds
        SEL F EGI S A MAM - ALE: given
        lost LIS A ALE#1: FOC NOC""",
}
ATTACKS = {
    "R21a: head to head over the last step": """
        TOL F FOC - MEN: succeeds
        TOL A ALE S F FOC - MEN: given
        SEL F MEN - NOC: fails
        lost SEL F MEN#1: TEB""",
    "R21a: beaten by an express over its last step, it keeps nobody out": """
        SEL F ASS - EUF: succeeds
        SEL F SUS S F ASS - EUF: given
        TOL A EUF - OPI: fails
        TOL F NIS - OPI: succeeds
        lost TOL A EUF#1: BAB""",
    "R22: nor to where the last step of the express came from": """
        TOL F FOC - TEB: succeeds
        TOL A NUB S F FOC - TEB: given
        SEL A TEB H: dislodged
        lost SEL A TEB#1: TRO""",
    "R22a: it would cut the support that keeps it out": """
        TOL F FOC - TEB: fails
        TOL A NUB S F FOC - TEB: given
        SEL A SIW - MEN: succeeds
        SEL A TEB S A SIW - MEN: given
        after TOL F FOC#1""",
}
PORTAGE = {
    "R23: over the Sinai in one move": """
        TOL F EGI - SUE: succeeds
        after TOL F SUE#1""",
    "R23: back to a sea or to the shore": """
        TOL F SUE#1 - FEN: succeeds
        TOL F SUE#2 - SIS: succeeds""",
    "R23: not while a unit remains there": """
        TOL F EGI - SUE: fails
        TOL A SIS H: stands""",
    "R23: if it leaves the way is free": """
        TOL F EGI - SUE: succeeds
        TOL A SIS - SIM: succeeds""",
    "R23: whoever enters it": """
        TOL F EGI - SUE: succeeds
        TOL A FOC - SIS: succeeds""",
    "R23: it contests the shore like any move": """
        TOL F SUE - SIS: fails
        TOL A FOC - SIS: fails""",
    "R23: supported from beside its destination": """
        TOL F EGI - SUE#1: succeeds
        TOL F ROS S F EGI - SUE#1: given
        SEL F SUE H: dislodged
        lost SEL F SUE#1: ROS SIM TRO""",
    "R23: head to head over the Sinai": """
        TOL F EGI - SUE#1: fails
        SEL F SUE - EGI#1: fails""",
    "R15, R23: one of them plainly, and there is room": """
        TOL F EGI - SUE: succeeds
        SEL F SUE - EGI#1: succeeds
        after TOL F SUE#1
        after SEL F EGI#1""",
    "R23: from the Sinai, head to head": """
        TOL F SIS - SUE#1: succeeds
        TOL F SIM S F SIS - SUE#1: given
        SEL F SUE - SIS: fails
        after TOL F SUE#1
        lost SEL F SUE#1: ROS TRO""",
    "R22a: it would cut the support by which the Sinai is left": """
        TOL F EGI - SUE#1: fails
        SEL A SIS - SIM: succeeds
        SEL F SUE S A SIS - SIM: given
        LIS A SIM H: dislodged
        lost LIS A SIM#1: ISR NAB""",
    "R13, R23: who cannot be hauled cuts nothing": """
        TOL F EGI - SUE#1: fails
        TOL A SIS H: stands
        SEL F SUE S F ROS: given
        SEL F ROS H: stands
        LIS F NAB - ROS#1: fails
        LIS F TRO S F NAB - ROS#1: given""",
    "R9: who cannot be hauled names nothing": """
        TOL F EGI - SUE#1: fails
        TOL A SIS H: stands
        SEL F SUE#1 - TRO: succeeds
        SEL F SUE#2 H: stands
        SEL F SUE#3 H: stands
        LIS F ROS - SUE: succeeds
        after LIS F SUE#1""",
    "R24: caught by an army that is ordered in": """
        TOL F EGI - SUE: destroyed
        SEL A ISR - SIS: succeeds
        destroyed TOL F EGI#1""",
    "R24: whether or not that gets in": """
        TOL F EGI - SUE: destroyed
        SEL A ISR - SIS: fails
        LIS A SIM - SIS: fails
        destroyed TOL F EGI#1""",
    "R24: not if it is not hauled: the attack is on who remains there": """
        TOL F EGI - SUE: fails
        TOL A SIS H: stands
        SEL A ISR - SIS: fails""",
    "R24: who is dislodged there remains no longer": """
        TOL F EGI - SUE: destroyed
        LIS F SIS H: dislodged
        SEL A ISR - SIS: succeeds
        SEL A SIM S A ISR - SIS: given
        lost LIS F SIS#1: EGI FEN FOC
        destroyed TOL F EGI#1""",
    "R24: who leaves for the place of the hauled fleet does leave": """
        TOL F EGI#1 - SUE: destroyed
        LIS F SIS - EGI#1: succeeds
        SEL A ISR - SIS: succeeds
        after LIS F EGI#1
        destroyed TOL F EGI#1""",
    "R24: no fleet catches, and no army of its own power": """
        TOL F EGI - SUE: succeeds
        TOL A FOC - SIS: fails
        SEL F ISR - SIS: fails""",
    "R24: it does not hold the place it leaves": """
        TOL F EGI#1 - SUE: destroyed
        TOL F EGI#2 H: stands
        TOL F EGI#3 H: stands
        SEL A ISR - SIS: succeeds
        SEL F LIB - EGI: succeeds
        after SEL F EGI#1
        destroyed TOL F EGI#1""",
    "R24: nor does it keep others out of its destination": """
        TOL F EGI - SUE#1: destroyed
        SEL A ISR - SIS: succeeds
        LIS F ROS - SUE#1: succeeds
        TOL F SUE - TRO: succeeds
        destroyed TOL F EGI#1""",
}
LAND = {
    "R27: a lone phalanx fails against a garrison, a general takes it": """
        SEL A PON - CAP: fails
        NEU A CAP
        TOL G MAM - CIR: succeeds
        NEU A CIR
        destroyed NEU A CIR#1""",
    "R3: units in revolt hold with strength 1, and cannot retreat": """
        AUT G MEN - TEB: illegal
        AUT A NUB - TEB: illegal
        SEL G SIW - MEN: succeeds
        destroyed AUT G MEN#1""",
}
CITIES = {
    "R26: a second unit of the same power": """
        TOL A ALE H: stands
        TOL A MEN - ALE: succeeds
        after TOL A ALE#2""",
    "R26: two equals for one place": """
        TOL A ALE H: stands
        TOL A MEN - ALE: fails
        TOL A FOC - ALE: fails""",
    "R26: different powers keep each other out of an empty city": """
        TOL A MEN - ALE: fails
        SEL A FOC - ALE: fails""",
    "R26: who dislodges one of two stays where it was": """
        TOL A ALE#1 H: dislodged
        TOL A ALE#2 H: stands
        SEL A MEN - ALE: fails
        SEL A NOC S A MEN - ALE: given
        lost TOL A ALE#1: FOC MAM""",
    "R26: both dislodged, both enter": """
        TOL A ALE#1 H: dislodged
        TOL A ALE#2 H: dislodged
        SEL A MEN - ALE#1: succeeds
        SEL A NOC S A MEN - ALE#1: given
        SEL A MAM - ALE#2: succeeds
        SEL F EGI S A MAM - ALE#2: given
        after SEL A ALE#1
        after SEL A ALE#2
        lost TOL A ALE#1: FOC MAM
        lost TOL A ALE#2: FOC MEN""",
    "R26: no retreat to a city from which two powers kept each other": """
        SEL A MEN - ALE: fails
        TOL A FOC - ALE: fails
        LIS A MAM H: dislodged
        CAS A SIW - MAM: succeeds
        CAS A CIR S A SIW - MAM: given
        lost LIS A MAM#1:""",
    "R26: but to one's own, if there is room": """
        LIS A ALE H: stands
        LIS A MAM H: dislodged
        CAS A SIW - MAM: succeeds
        CAS A CIR S A SIW - MAM: given
        lost LIS A MAM#1: ALE""",
    "R15, R26: a friend may change places if there is room": """
        TOL A ALE - MEN: succeeds
        TOL A MEN - ALE: succeeds
        after TOL A ALE#1""",
    "R26: who wants the place of one who left counts all of his power": """
        SEL A TES - ATE#1: fails
        SEL A SPA - ATE#2: fails
        SEL F EGE - ATE: succeeds
        SEL A ETO S F EGE - ATE: given
        TOL F ATE#1
        TOL G ATE#2 - TES: succeeds
        after SEL F ATE#1
        lost SEL A TES#1: EPI MAC
        lost TOL F ATE#1:""",
    "R26: support against the one it goes for": """
        TOL A ALE#1 H: stands
        TOL A ALE#2 H: dislodged
        SEL A MEN - ALE#2: fails
        SEL A NOC S A MEN - ALE#2: given
        SEL F EGI S A MEN - ALE#1: invalid
        lost TOL A ALE#2: FOC MAM""",
    "R26: the two support each other, and are not attacked from inside": """
        TOL A ALE#1 H: stands
        TOL A ALE#2 S A ALE#1: given
        SEL A MEN - ALE: fails
        SEL A NOC S A MEN - ALE: given""",
}
SINGLE = {
    "R9: the sea of one place is that of the standard game": """
        SEL F EGE H: dislodged
        TOL F CRE - EGE: succeeds
        TOL F ICA S F CRE - EGE: given
        lost SEL F EGE#1: ATE BIS CAL EFE FRI ION MAC SAR SPA TES TRA""",
    "R14: nobody supports into his own sea of one place": """
        SEL F EGE S F CRE - EGE: illegal
        TOL F CRE - EGE: fails""",
}
CASES = [
    *((name, text, {}) for name, text in {**SEAS, **RIVERS, **RAILWAY, **PORTAGE, **LAND}.items()),
    *((name, text, {"express": "attack"}) for name, text in {**RIVERS, **ATTACKS}.items()),
    *((name, text, {"major_city_capacity": 2}) for name, text in CITIES.items()),
    *((name, text, {"sea_capacity": 1}) for name, text in SINGLE.items()),
]


def read(text: str, rules: dict[str, int | str]) -> tuple[dict[str, Any], list[str], set[str]]:
    """Read the case of a text, the results it expects, and its other lines."""
    units: dict[str, list[str]] = {}
    orders: dict[str, list[str]] = {}
    results, others = [], set()
    for line in filter(None, map(str.strip, text.splitlines())):
        power, rest = line.split(" ", 1)
        if power in ("after", "lost", "destroyed"):
            others.add(line)
            continue
        order, _, result = rest.partition(": ")
        units.setdefault(power, []).append(" ".join(order.split()[:2]))
        if result:
            orders.setdefault(power, []).append(order)
            results.append(f"{power} {order}: {result}")
    case = {"units": units, "orders": orders, "rules": rules, "nobility": {"AUT": 0}}
    return case, results, others


def write_solution(solution: Solution) -> set[str]:
    """Write a solution in the lines of a case."""

    def name(unit: Unit) -> str:
        return f"{unit.power} {unit.kind} {unit.place}"

    lost = {f"lost {name(d.unit)}: {' '.join(d.retreats)}".strip() for d in solution.dislodged}
    return lost | {f"destroyed {name(unit)}" for unit in solution.destroyed}


@pytest.mark.parametrize(("name", "text", "rules"), CASES, ids=[name for name, _, _ in CASES])
def test_the_oracle_agrees_with_the_rulings(
    name: str, text: str, rules: dict[str, int | str]
) -> None:
    """Results, units lost with their retreats, and where some stand afterwards."""
    case, results, others = read(text, rules)
    position, orders = read_case(load_board("alexmagnum"), case)
    assert not position.problems()
    solution = solve(position, orders)
    assert sorted(f"{p} {write_order(o)}: {r}" for p, o, r in solution.results) == sorted(results)
    after = {line for line in others if line.startswith("after")}
    assert after <= {f"after {u.power} {u.kind} {u.place}" for u in solution.units}
    assert write_solution(solution) == others - after
