"""What an amendment says before it is made, and about the orders that no longer fit after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import Desk
from alexmagnum.game.backups import list_copies
from alexmagnum.game.game import VoidPhase
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from tests.game.desks import dump, new_desk, submit_all

SPRING = {"France": "A PAR - BUR\nA MAR - SPA\nF BRE - MAO", "Germany": "A MUN - RUH"}
AUTUMN = {"France": "A BUR - BEL\nA SPA H\nF MAO - POR", "Germany": "A RUH - HOL"}
STAYS = "A PAR H\nA MAR - SPA\nF BRE - MAO"


@pytest.fixture
def played(desk: Desk) -> Desk:
    """Return a game of which a spring and an autumn were resolved."""
    for phase, orders in (("1901-spring", SPRING), ("1901-autumn", AUTUMN)):
        submit_all(desk, orders)
        desk.process(phase, allow_missing=True)
    return desk


def test_a_rehearsal_tells_what_the_amendment_does_and_changes_nothing(
    played: Desk, tmp_path: Path
) -> None:
    before, open_phase, copies = dump(tmp_path), played.phase, list_copies(tmp_path)
    told = played.amend("1901-spring", "France", STAYS, dry_run=True)
    assert dump(tmp_path) == before
    assert list_copies(tmp_path) == copies
    assert (played.phase, played.verify()) == (open_phase, ())
    assert played.amend("1901-spring", "France", STAYS) == told


def test_a_rehearsal_of_a_switch_changes_nothing(tmp_path: Path) -> None:
    with new_desk(tmp_path, "alexmagnum") as desk:
        desk.submit("TOL", "Pick ALE")
        desk.process("323-1", allow_missing=True)
        before = dump(tmp_path)
        desk.amend_settings("323-1", {"publish_picks": "own"}, dry_run=True)
        assert dump(tmp_path) == before
        assert "rules.publish_picks" not in desk.settings


def test_a_rehearsal_that_is_refused_changes_nothing(played: Desk, tmp_path: Path) -> None:
    before = dump(tmp_path)
    with pytest.raises(GameError, match="amend-nothing"):
        played.amend("1901-spring", "France", "nothing at all", dry_run=True)
    assert dump(tmp_path) == before


def test_the_order_that_no_longer_fits_is_named_with_its_reason(played: Desk) -> None:
    """The army never went to Burgundy, so it can neither go on to Belgium nor hold in Paris."""
    amended = played.amend("1901-spring", "France", STAYS)
    assert amended.stopped_at == "1901-autumn"
    assert {(m.power, m.order) for m in amended.misfits} >= {("France", "A BUR - BEL")}
    assert {m.power for m in amended.misfits} == {"France"}
    for misfit in amended.misfits:
        for lang in LANGUAGES:
            assert load_sentences(lang).format(misfit.code, **misfit.data)


def test_the_phases_that_are_not_replayed_are_listed_with_whose_orders_they_had(
    played: Desk,
) -> None:
    played.process("1901-winter", allow_missing=True)
    amended = played.amend("1901-spring", "France", STAYS)
    assert amended.void[0] == VoidPhase("1901-autumn", ("France", "Germany"))
    assert [void.phase for void in amended.void] == ["1901-autumn", "1901-winter"]


def test_a_unit_that_lacks_an_order_is_named(desk: Desk) -> None:
    """France had lost the order for Paris in the mail; its unit had none in the autumn either."""
    submit_all(desk, {"France": "A PAR - BUR"})
    desk.process("1901-spring", allow_missing=True)
    submit_all(desk, {"France": "A BUR S A MAR\nA MAR H\nF BRE H"})
    desk.process("1901-autumn", allow_missing=True)
    amended = desk.amend("1901-spring", "France", "A PAR H")
    named = {misfit.order: misfit.code for misfit in amended.misfits}
    assert "A BUR S A MAR" in named
    assert amended.stopped_at == "1901-autumn"


def test_retreats_that_nobody_had_are_due_now(desk: Desk) -> None:
    submit_all(desk, {"France": "A PAR - BUR", "Italy": "A VEN - TYR"})
    desk.process("1901-spring", allow_missing=True)
    submit_all(desk, {"France": "A BUR - MUN", "Italy": "A TYR H"})
    desk.process("1901-autumn", allow_missing=True)
    desk.process("1902-spring", allow_missing=True)
    amended = desk.amend("1901-autumn", "Italy", "A TYR S A BUR - MUN")
    assert amended.stopped_at == "1901-autumn-retreats"
    named = [(misfit.power, misfit.order, misfit.code) for misfit in amended.misfits]
    assert named == [("Germany", "A MUN", "misfit-new-phase")]
    assert amended.void == (VoidPhase("1902-spring", ()),)


def test_a_replay_that_goes_to_the_end_has_no_misfits(played: Desk) -> None:
    amended = played.amend("1901-spring", "Germany", "A MUN - RUH\nA BER H")
    assert (amended.stopped_at, amended.misfits, amended.void) == ("", (), ())
