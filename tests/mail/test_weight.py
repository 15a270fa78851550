"""The weight of real letters: the report of a crowded turn with its page, maps and order sheet."""

from pathlib import Path

import pytest

from alexmagnum.cases.files import read_turn
from alexmagnum.game.game import Player
from alexmagnum.mail.outbox import Outbox
from alexmagnum.workflow.publish import process_phase
from tests.game.desks import new_desk
from tests.sample_turn import NAMES, ORDERS, read_sample_mail


@pytest.mark.proof
@pytest.mark.usefixtures("real_pictures")
def test_every_letter_of_the_sample_turn_is_below_1600_kilobytes(tmp_path: Path) -> None:
    """Whole letters, as they go over the wire: encoded, with the judge in the order sheets."""
    players = [Player(power, power, f"{power.lower()}@example.org", "it") for power in NAMES]
    settings = {"mail_address": "game@example.org"}
    start = read_turn(ORDERS / "turn.yaml").position
    with new_desk(
        tmp_path / "game", "alexmagnum", start=start, players=players, settings=settings
    ) as desk:
        for power in NAMES:
            desk.submit(power, read_sample_mail(power))
        for phase in ("318-spring", "318-spring-retreats"):
            process_phase(desk, phase, allow_missing=True)
        outbox = Outbox(desk)
        reports = [letter for letter in outbox.list_letters() if letter.kind == "report"]
        weights = [len(outbox.message(letter.id).as_bytes()) for letter in reports]

    assert {letter.power for letter in reports} == set(NAMES)
    assert len(reports) == 2 * len(NAMES)
    assert len([weight for weight in weights if weight > 500_000]) >= len(NAMES)
    assert max(weights) < 1_600_000
