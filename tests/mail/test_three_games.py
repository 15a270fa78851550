"""A year of three games, played by ``tick`` alone out of one mailbox full of other mail.

``make test`` plays a phase of two games.
"""

from __future__ import annotations

from email.utils import parseaddr

import pytest

from alexmagnum.cases.schema import position_data
from alexmagnum.game.desk import Desk
from alexmagnum.mail.inbox import Inbox
from tests.mail.three_games import GM, NAMES, POWERS, ThreeGames, person
from tests.sizes import sampled, sized


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> ThreeGames:
    home = tmp_path_factory.mktemp("three")
    games = ThreeGames(home, names=NAMES[: sized(2, 3)])
    games.create()
    for _ in range(sized(1, 5)):
        games.play_phase(strangers=sized(6, 24))
    return games


def _orders(desk: Desk, phase: str) -> dict[str, set[str]]:
    """Return the orders of each power that counted in a phase."""
    return {power: {*orders} for power, orders in desk.processed(phase).orders.items()}


@sampled
def test_the_games_come_out_as_with_orders_typed_in_and_no_phase_stalls(games: ThreeGames) -> None:
    for name in games.names:
        with games.desk(name) as desk, games.twin(name) as twin:
            phases = [record.name for record in twin.phases() if record.state == "processed"]
            assert phases
            for phase in phases:
                assert _orders(desk, phase) == _orders(twin, phase)
            assert desk.phase == twin.phase
            assert position_data(desk.position) == position_data(twin.position)
            assert desk.verify() == ()


@sampled
def test_each_letter_goes_to_the_player_of_its_power_and_each_mail_has_one_receipt(
    games: ThreeGames,
) -> None:
    for name in games.names:
        readers = {person(name, power) for power in POWERS}
        with games.desk(name) as desk:
            inbox = Inbox(desk)
            letters = inbox.outbox.list_letters()
            to = {parseaddr(str(inbox.outbox.message(m.id)["To"]))[1] for m in letters}
            taken = sorted(m.id for m in inbox.store.find_all("taken"))
        assert to == readers
        assert [m for m in letters if m.address != person(name, m.power)] == []
        assert taken
        assert sorted(m.answers for m in letters if m.answers) == taken
        lost = [each for each in letters if each.state != "sent"]
        assert {each.kind for each in lost} <= {"receipt"}
        # A later mail of the same minute has changed the orders, and has its own receipt.
        assert {each.problem.code for each in lost if each.problem} <= {"letter-orders-changed"}


@sampled
def test_no_game_has_mail_of_strangers_or_of_another_game(games: ThreeGames) -> None:
    """Letters to the game master tell only what waits: one for each situation and day, however
    often ``tick`` runs."""
    for name in games.names:
        twice = {person(name, power) for power in ("England", "Turkey")}
        with games.desk(name) as desk:
            listed = Inbox(desk).store.find_all()
            rows = desk.file.rows("SELECT day, situation, address FROM gm_letters")
        assert not [m for m in listed if "example.com" in m.sender]
        foreign = set().union(*(k for g, k in games.meant.items() if g != name))
        assert [m for m in listed if m.key in foreign and m.state == "taken"] == []
        assert {m.sender for m in listed if m.key in foreign} <= twice
        assert {row["address"] for row in rows} <= {GM}
        # What players said is told whenever there is more of it.
        told = [(row["day"], row["situation"]) for row in rows if row["situation"] != "said"]
        assert len(set(told)) == len(told)
