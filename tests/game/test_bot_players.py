"""Bots that play powers of a game: when they order, with which chance, and what waits for them."""

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest

from alexmagnum.bots import BOTS
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import RETURN, Player, PowerStatus, Surroundings
from alexmagnum.game.late_orders import BY_BOT
from alexmagnum.game.submissions import derive_seed
from alexmagnum.orders import Hold, Order, Support
from alexmagnum.position import Position
from alexmagnum.workflow.publish import mend_folder
from alexmagnum.workflow.tick import run_tick
from tests.game.desks import Clock, dump, new_desk, open_desk, refusal, resolve
from tests.sizes import sized

PEOPLE = tuple(
    Player(power, name, f"{name.lower()}@example.org")
    for power, name in (("France", "Anna"), ("Italy", "Bruno"), ("Turkey", "Carla"))
)
ROBOT = Player("Germany", "", bot="dumb")
OTHERS = ("Austria", "England", "Russia")


class _Rogue:
    """A bot that answers whatever a test tells it to."""

    name = "rogue"

    def __init__(self, answer: Callable[[Position, str], Sequence[Any]]) -> None:
        self.answer = answer

    def orders(self, position: Position, power: str, rng: Random) -> Sequence[Order]:
        return self.answer(position, power)


Rogue = Callable[[Callable[[Position, str], Sequence[Any]]], None]


@pytest.fixture
def rogue(monkeypatch: pytest.MonkeyPatch) -> Rogue:
    """Return a function that sets what the bot named rogue answers."""
    return lambda answer: monkeypatch.setitem(BOTS, "rogue", lambda: _Rogue(answer))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Desk]:
    """Return a game that people play."""
    with _table(tmp_path) as desk:
        yield desk
        assert desk.verify() == ()


@pytest.fixture
def robots(tmp_path: Path) -> Iterator[Desk]:
    """Return a game in which a bot plays Germany."""
    with _table(tmp_path, ROBOT) as desk:
        yield desk
        assert desk.verify() == ()


def _table(folder: Path, *bots: Player, **options: Any) -> Desk:
    return new_desk(folder, players=(*PEOPLE, *bots), **options)


def _state(desk: Desk, power: str) -> PowerStatus:
    return next(one for one in desk.status().powers if one.power == desk.power(power))


def _orders(desk: Desk, power: str) -> tuple[str, ...]:
    receipt = desk.receipt(power)
    return receipt.orders if receipt else ()


def _bot_of(desk: Desk, power: str) -> str:
    receipt = desk.receipt(power)
    return receipt.bot if receipt else ""


# -- when a bot orders -----------------------------------------------------------------------------


def test_a_bot_orders_when_its_game_begins_and_whenever_a_phase_opens(robots: Desk) -> None:
    for phase in ("1901-spring", "1901-autumn"):
        assert str(robots.phase) == phase
        germany = _state(robots, "Germany")
        assert (germany.given, germany.wanted, germany.bot) == (3, 3, "dumb")
        assert germany.bot_has_ordered
        assert not _state(robots, "France").bot
        resolve(robots)


def test_the_orders_of_a_bot_are_sealed_and_named_nowhere(robots: Desk) -> None:
    receipt = robots.open_receipts()["Germany"]
    entry = robots.history()[-1]
    shown = str(entry) + str(robots.status())
    (seal,) = resolve(robots).seals
    assert (entry.action, entry.power, entry.detail["bot"]) == ("bot-orders", "Germany", "dumb")
    assert not any(order in shown for order in receipt.orders)
    assert (seal.power, seal.digest, seal.orders) == ("Germany", receipt.digest, receipt.orders)
    assert seal.salt
    assert {p: r.bot for p, r in robots.receipts("1901-spring").items()} == {"Germany": "dumb"}


def test_nothing_waits_for_a_bot_but_the_people(tmp_path: Path) -> None:
    bots = (ROBOT, *(Player(power, "", bot="random") for power in (*OTHERS, "France")))
    people = [person for person in PEOPLE if person.power != "France"]
    with new_desk(tmp_path, players=(*people, *bots)) as desk:
        error = refusal(lambda: desk.process("1901-spring"))
        assert error.code == "orders-missing"
        assert "Germany" not in error.data["list"]
        desk.submit("Italy", "A ROM H\nA VEN H\nF NAP H")
        desk.submit("Turkey", "A CON H\nA SMY H\nF ANK H")
        assert desk.status().blocks == ()
        assert desk.process("1901-spring").next


def test_a_bot_gives_what_is_missing_and_replaces_nothing_that_a_player_sent(table: Desk) -> None:
    table.submit("Italy", "A ROM H\nA VEN H\nF NAP H")
    table.submit("Turkey", "A CON - MOS")  # void, and what Carla wrote all the same
    for power in ("Italy", "Turkey"):
        table.play_by_bot(power, "dumb")
    assert _orders(table, "Italy") == ("A ROM H", "A VEN H", "F NAP H")
    assert (_bot_of(table, "Italy"), _bot_of(table, "Turkey")) == ("", "dumb")
    turkey = _orders(table, "Turkey")
    assert (len(turkey), turkey[-1]) == (3, "A CON - MOS")
    table.play_by_bot("Turkey", "search")
    assert _orders(table, "Turkey")[-1] == "A CON - MOS"
    table.withdraw_bot("Turkey")
    assert "A CON - MOS" in _orders(table, "Turkey")


def test_what_a_player_sends_after_a_bot_adds_to_what_they_sent_before_it(table: Desk) -> None:
    for stand_in in (RETURN, "1901-spring"):
        table.submit("Turkey", "All orders:\nA CON H")
        table.play_by_bot("Turkey", "dumb", stand_in=stand_in)
        assert len(_orders(table, "Turkey")) == 3
        receipt = table.submit("Turkey", "A SMY H")
        assert (receipt.orders, receipt.missing) == (("A CON H", "A SMY H"), ("F ANK",))
        assert not any(player.bot for player in table.players)
        table.submit("Turkey", "F ANK H")
        table.play_by_bot("Turkey", "dumb", stand_in=stand_in)
        assert (_bot_of(table, "Turkey"), len(_orders(table, "Turkey"))) == ("", 3)
        table.withdraw_bot("Turkey")


def test_another_bot_replaces_the_orders_of_the_first(robots: Desk) -> None:
    robots.play_by_bot("Germany", "random")
    assert _bot_of(robots, "Germany") == "random"
    assert [p.bot for p in robots.players if p.power == "Germany"] == ["random"]
    assert robots.past_players == ()


def test_a_command_that_was_interrupted_before_the_bots_were_asked_is_made_up_for(
    robots: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second time before it resolves anything."""
    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr("alexmagnum.game.submissions._think", Mock(side_effect=KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                resolve(robots)
        assert str(robots.phase) == "1901-autumn"
        assert _orders(robots, "Germany") == ()
    assert run_tick(robots, (), BytesIO()).failures == []
    assert _bot_of(robots, "Germany") == "dumb"


def test_a_disk_that_has_no_room_for_the_orders_of_bots_does_not_hide_that_the_act_is_done(
    robots: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(
            "alexmagnum.game.submissions._store_answer",
            Mock(side_effect=GameError("cannot-write", path="g", why="full")),
        )
        assert refusal(lambda: resolve(robots)).code == "act-unwritten"
    assert str(robots.phase) == "1901-autumn"
    mend_folder(robots)
    assert _bot_of(robots, "Germany") == "dumb"


# -- chance ----------------------------------------------------------------------------------------


def test_undo_and_another_processing_or_an_import_give_the_same_orders(tmp_path: Path) -> None:
    with _table(tmp_path / "a", Player("Germany", "", bot="random")) as desk:
        desk.export(tmp_path / "a.json")
        first = _orders(desk, "Germany")
        resolve(desk)
        second = _orders(desk, "Germany")
        desk.undo()
        assert _orders(desk, "Germany") == first
        resolve(desk)
        assert _orders(desk, "Germany") == second
        desk.undo()
        desk.redo()
        assert _orders(desk, "Germany") == second
        assert desk.verify() == ()
    around = Surroundings(Clock())
    with Desk.import_game(tmp_path / "a.json", tmp_path / "b", around, keep=True) as desk:
        resolve(desk)
        assert _orders(desk, "Germany") == second


def test_the_chance_of_a_bot_follows_from_the_secret_of_its_game(robots: Desk) -> None:
    seeds = {
        derive_seed(secret, phase, power, bot)
        for secret in ("00" * 32, "01" * 32)
        for phase in ("1901-spring", "1901-autumn")
        for power in ("France", "Germany")
        for bot in ("dumb", "random")
    }
    assert len(seeds) == 16
    assert len(robots.info.secret) == 64


def test_a_game_keeps_its_secret_when_bots_come_to_play(table: Desk, tmp_path: Path) -> None:
    secret = dump(tmp_path)["games"][0][-1]
    table.play_by_bot("Germany", "dumb")
    assert len(secret) == 64
    assert dump(tmp_path)["games"][0][-1] == secret


def test_a_bot_sees_the_position_alone(table: Desk, rogue: Rogue) -> None:
    seen: list[object] = []

    def look(position: Position, power: str) -> Sequence[Order]:
        seen.append((position, power))
        return ()

    rogue(look)
    table.submit("France", "A PAR - BUR")
    table.play_by_bot("Germany", "rogue")

    assert seen == [(table.position, "Germany")]


def test_the_bots_can_be_asked_again_for_a_game_that_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _table(tmp_path, Player("Germany", "", bot="random")) as desk:
        resolve(desk)
        resolve(desk, {"France": "A PAR - BUR"})
        assert desk.verify_bots() == ()
        monkeypatch.setattr("alexmagnum.game.submissions.derive_seed", lambda *known: 0)
        assert {(f.phase, f.code) for f in desk.verify_bots()} == {
            ("1901-spring", "verify-bot"),
            ("1901-autumn", "verify-bot"),
        }


# -- other commands meanwhile ----------------------------------------------------------------------


def test_other_commands_work_while_a_bot_thinks(tmp_path: Path, rogue: Rogue) -> None:
    def answer(position: Position, power: str) -> Sequence[Order]:
        if str(position.phase) == "1901-autumn":
            with open_desk(tmp_path, wait=0.1) as other:
                other.submit("France", "A PAR H")
        return ()

    rogue(answer)
    with _table(tmp_path, Player("Germany", "", bot="rogue")) as desk:
        resolve(desk)

        assert _orders(desk, "France") == ("A PAR H",)
        assert _bot_of(desk, "Germany") == "rogue"


def test_orders_for_a_phase_that_another_command_has_closed_meanwhile_are_dropped(
    tmp_path: Path, rogue: Rogue
) -> None:
    thoughts: list[str] = []

    def answer(position: Position, power: str) -> Sequence[Order]:
        thoughts.append(str(position.phase))
        if thoughts == ["1901-spring", "1901-autumn"]:
            with open_desk(tmp_path) as other:
                other.submit("Germany", "A BER H\nA MUN H\nF KIE H")
        return (Hold("A BER"),)

    rogue(answer)
    with _table(tmp_path, Player("Germany", "", bot="rogue")) as desk:
        resolve(desk)

        assert _orders(desk, "Germany") == ("A BER H", "A MUN H", "F KIE H")
        assert _bot_of(desk, "Germany") == ""
        assert desk.verify() == ()


# -- undo, corrections, settings -------------------------------------------------------------------


def test_a_correction_asks_the_bot_anew_where_its_position_changed(robots: Desk) -> None:
    resolve(robots, {"France": "A PAR - BUR"})
    before = robots.open_receipts()["Germany"]
    robots.amend("1901-spring", "France", "A PAR - PIC\nA MAR H\nF BRE H", dry_run=True)
    assert robots.receipt("Germany") == before
    robots.amend("1901-spring", "France", "A PAR - PIC\nA MAR H\nF BRE H")
    after = robots.open_receipts()["Germany"]
    assert after.bot == "dumb"
    assert after.digest != before.digest


def test_a_bot_orders_again_when_the_rules_change(robots: Desk) -> None:
    before = robots.open_receipts()["Germany"]
    robots.set("backups", 3)
    assert robots.receipt("Germany") == before
    robots.set("rules.victory_centres", 20)
    after = robots.open_receipts()["Germany"]
    assert (after.number, after.bot) == (before.number + 1, "dumb")


def test_a_phase_that_an_undo_opens_again_gets_the_orders_of_a_bot_that_plays_since(
    table: Desk,
) -> None:
    resolve(table)
    table.play_by_bot("Germany", "dumb")
    table.undo()
    assert _bot_of(table, "Germany") == "dumb"


# -- people come and go ----------------------------------------------------------------------------


def test_a_bot_takes_over_and_gives_the_power_back(tmp_path: Path) -> None:
    clock = Clock()
    with _table(tmp_path, now=clock) as desk:
        clock.pass_by(hours=1)
        desk.play_by_bot("Italy", "dumb", reason="no answer")
        (past,) = desk.past_players
        assert past.name == "Bruno"
        clock.pass_by(hours=1)
        player = desk.withdraw_bot("Italy")
        assert (player.name, player.address, player.bot) == ("Bruno", "bruno@example.org", "")
        assert _bot_of(desk, "Italy") == "dumb"  # in force until Bruno sends others
        receipt = desk.submit("Italy", "A VEN - TYR")
        assert (receipt.orders, receipt.bot) == (("A VEN - TYR",), "")
        assert _state(desk, "Italy").is_lacking
        assert desk.verify() == ()


def test_a_bot_stands_in_until_the_player_sends_orders(table: Desk) -> None:
    player = table.play_by_bot("Italy", "dumb", stand_in=RETURN)
    assert (player.name, player.bot) == ("Bruno", "dumb")
    resolve(table)
    assert _bot_of(table, "Italy") == "dumb"
    table.submit("Italy", "A ROM H", received="2026-11-20T13:00:00Z")
    assert _orders(table, "Italy") == ("A ROM H",)
    assert [p.bot for p in table.players if p.name == "Bruno"] == [""]
    resolve(table)
    assert _orders(table, "Italy") == ()
    assert table.verify() == ()
    (account,) = (one for one in table.ledger() if one.player.name == "Bruno")
    assert [owed.state for owed in account.phases][:2] == [BY_BOT, "partial"]


def test_a_mail_without_an_order_for_the_phase_leaves_those_of_a_bot_in_force(
    tmp_path: Path,
) -> None:
    for stand_in in (RETURN, ""):
        with _table(tmp_path / f"game{stand_in}") as desk:
            desk.play_by_bot("Italy", "dumb", stand_in=stand_in)
            if not stand_in:
                desk.withdraw_bot("Italy")
            before, bot = _orders(desk, "Italy"), _state(desk, "Italy").bot
            assert desk.submit("Italy", "WINTER\nBuild A ROM").orders == before
            assert desk.submit("Italy", "F NAP blurb").orders == before

            assert (_orders(desk, "Italy"), _bot_of(desk, "Italy")) == (before, "dumb")
            italy = _state(desk, "Italy")
            assert (italy.bot, italy.bot_fault, italy.doubtful) == (bot, "", 1)
            assert any(p.stand_in == RETURN for p in desk.players) == bool(stand_in)
            resolve(desk)
            assert desk.receipts("1901-spring")["Italy"].bot == "dumb"
            assert sum(account.count(BY_BOT) for account in desk.ledger()) == 1
            assert (desk.verify(), desk.verify_bots()) == ((), ())


def test_a_withdrawal_of_the_player_ends_the_standing_in_too(table: Desk) -> None:
    table.play_by_bot("Italy", "dumb", stand_in=RETURN)
    table.clear("Italy")
    assert _orders(table, "Italy") == ()
    assert not any(player.bot for player in table.players)
    assert _state(table, "Italy").is_lacking


def test_a_bot_stands_in_for_one_phase(table: Desk) -> None:
    table.play_by_bot("Italy", "dumb", stand_in="1901-spring")
    resolve(table)
    assert not any(player.bot for player in table.players)
    assert _state(table, "Italy").is_lacking
    table.undo()
    assert [player.bot for player in table.players if player.bot] == ["dumb"]
    assert _bot_of(table, "Italy") == "dumb"


def test_the_absence_of_a_player_for_whom_a_bot_stands_in_moves_no_deadline(tmp_path: Path) -> None:
    deadlines = []
    for stand_in in (False, True):
        with _table(tmp_path / str(stand_in)) as desk:
            desk.absent("Italy", "2026-11-20", "2026-12-24")
            if stand_in:
                desk.play_by_bot("Italy", "dumb", stand_in=RETURN)
            resolve(desk)
            deadlines.append(desk.deadline)
    assert deadlines[1] < deadlines[0]


def test_a_bot_has_no_vote_and_hinders_none(robots: Desk, tmp_path: Path) -> None:
    for person in PEOPLE:
        robots.vote(person.power, "draw")
    robots.vote("Germany", "wait")
    assert robots.status().voters == ("France", "Italy", "Turkey")
    assert robots.status().agreed == "draw France Italy Turkey"

    with new_desk(tmp_path / "bots alone", players=(ROBOT,)) as desk:
        assert (desk.status().voters, desk.status().agreed) == ((), "")


def test_what_a_bot_cannot_be_is_refused(tmp_path: Path) -> None:
    with _table(tmp_path, ROBOT) as desk:
        before = dump(tmp_path)
        refused: tuple[tuple[Callable[[], object], str], ...] = (
            (lambda: desk.play_by_bot("Italy", "clever"), "no-such-bot"),
            (lambda: desk.play_by_bot("Russia", "dumb", stand_in=RETURN), "no-player"),
            (lambda: desk.play_by_bot("Germany", "dumb", stand_in=RETURN), "bot-plays"),
            (lambda: desk.withdraw_bot("Italy"), "no-bot"),
            (lambda: desk.withdraw_bot("Germany"), "nobody-before-bot"),
            (lambda: desk.set_player("Germany", name="Dora"), "bot-plays"),
            (lambda: desk.absent("Germany", "2026-12-01", "2026-12-02"), "bot-plays"),
        )
        for act, code in refused:
            assert refusal(act).code == code
        assert dump(tmp_path) == before
    clever = Player("Germany", "", bot="clever")
    assert refusal(lambda: new_desk(tmp_path / "other", players=(clever,))).code == "no-such-bot"
    assert not (tmp_path / "other").exists()


# -- bots that fail --------------------------------------------------------------------------------


def test_the_game_goes_on_without_the_orders_of_a_bot_that_breaks_off(
    table: Desk, rogue: Rogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    rogue(Mock(side_effect=ZeroDivisionError("no centre\nto divide by")))
    table.play_by_bot("Germany", "rogue")
    germany = _state(table, "Germany")
    assert (germany.given, germany.bot_fault) == (0, "bot-failed")
    assert germany.bot_error == "ZeroDivisionError: no centre to divide by"
    assert germany.bot_has_ordered
    assert not germany.is_lacking
    monkeypatch.delitem(BOTS, "rogue")  # as in a later version of the program
    table.bots.clear()
    assert [(seal.power, seal.orders) for seal in resolve(table).seals] == [("Germany", ())]
    assert "no-such-bot" in _state(table, "Germany").bot_error


def test_what_is_no_order_is_forfeited_alone(table: Desk, rogue: Rogue) -> None:
    rogue(lambda position, power: [Hold("A BER"), "A MUN H", Hold("A PAR"), 7])
    table.play_by_bot("Germany", "rogue")
    assert _orders(table, "Germany")[0] == "A BER H"
    assert _state(table, "Germany").bot_fault == "bot-nonsense"
    assert _state(table, "Germany").bot_error == ""
    resolve(table)


def test_an_order_of_a_bot_with_a_warning_is_no_fault(table: Desk, rogue: Rogue) -> None:
    rogue(lambda position, power: [Support("A MUN", "F KIE", "BER"), Hold("A BER")])
    table.play_by_bot("Germany", "rogue")
    germany = _state(table, "Germany")
    assert "doubtful" in [line.verdict for line in table.open_receipts()["Germany"].lines]
    assert (germany.bot_fault, germany.doubtful) == ("", 0)


# -- whole games -----------------------------------------------------------------------------------


@pytest.mark.proof
def test_bots_play_a_game_through_picks_winters_and_retreats(tmp_path: Path) -> None:
    settings = {"rules.last_year": 321 - sized(0, 2), "pictures": "no"}
    powers = ("SEL", "TOL", "LIS", "AUT", "CAS", "CAN")
    bots = tuple(
        Player(power, "", bot="dumb" if n % 2 else "random") for n, power in enumerate(powers)
    )
    with new_desk(tmp_path, "alexmagnum", players=bots, settings=settings) as desk:
        while desk.phase is not None:
            assert desk.status().blocks == ()
            desk.process(str(desk.phase))
        kinds = {record.name.partition("-")[2] for record in desk.phases()}

        assert {"1", "6", "spring", "winter"} <= kinds
        assert desk.status().over
        assert desk.verify() == ()
    with open_desk(tmp_path) as desk:
        assert desk.closing_seal
