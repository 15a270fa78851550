"""Bots give legal orders in every phase, the same ones from the same seed, and good ones."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import networkx
import pytest
from hypothesis import given

from alexmagnum.board import Board, load_board
from alexmagnum.bots import BOTS, BlendBot, Bot, SearchBot, load_bot
from alexmagnum.errors import AlexMagnumError
from alexmagnum.judge import adjudicate
from alexmagnum.judge.checking import IMPOSSIBLE, check_orders
from alexmagnum.judge.outcome import ILLEGAL
from alexmagnum.orders import Build, Pick, Waive
from alexmagnum.position import Position
from tests.bots.digest import MAPS, YEARS, count_centres, digest_games, play_bots, read_digests
from tests.bots.odd_positions import draw_position, list_boards
from tests.commands import run_command
from tests.scenarios import Scenario, scenarios
from tests.sizes import drawn, sampled, sized
from tools.build_wheels import VERSIONS, find_python

ALEX_MAGNUM = load_board("alexmagnum")
STANDARD = load_board("standard")
TWO_IN_A_CITY = ALEX_MAGNUM.with_rules({"major_city_capacity": 2})


SMALL: Mapping[str, Callable[[], Bot]] = {
    **BOTS,
    "blend": lambda: BlendBot(sets=3, replies=1),
    "search": lambda: SearchBot(sets=3, replies=2, tries=2),
}
"""The bots by name, with as little looking ahead as shows whether their orders are sound."""

RANDOM, DUMB, SMALL_BLEND = (SMALL[name]() for name in ("random", "dumb", "blend"))


def _everybody(board: Board, bot: Bot) -> dict[str, Bot]:
    return dict.fromkeys(board.powers, bot)


@sampled
@pytest.mark.parametrize("board", [ALEX_MAGNUM, STANDARD, TWO_IN_A_CITY], ids=["am", "std", "city"])
@pytest.mark.parametrize("bot", [RANDOM, DUMB, SMALL_BLEND], ids=lambda bot: bot.name)
def test_no_order_of_a_game_is_illegal(bot: Bot, board: Board) -> None:
    for seed in range(sized(1, 8)):
        for outcome in play_bots(board, _everybody(board, bot), seed, sized(4, 20)):
            assert [e for e in outcome.results if e.result == ILLEGAL] == []


@drawn(11, 200)
@given(scenarios())
def test_no_order_is_impossible_wherever_the_units_stand(scenario: Scenario) -> None:
    position = scenario.position
    for bot in (RANDOM, DUMB, SMALL_BLEND):
        for power in position.board.powers:
            checks = check_orders(position, {power: bot.orders(position, power, Random(7))})
            assert [check for check in checks if check.verdict == IMPOSSIBLE] == []


@sampled
@pytest.mark.parametrize("name", SMALL)
def test_no_order_is_impossible_in_odd_positions_on_any_map(name: str) -> None:
    bot, boards = SMALL[name](), list_boards()
    for seed in range(sized(25, 300) if name in ("random", "dumb") else sized(3, 18)):
        rng = Random(seed)
        position = draw_position(boards[seed % len(boards)], rng)
        for power in position.board.powers:
            orders = list(bot.orders(position, power, rng))
            checks = check_orders(position, {power: orders})
            impossible = [check for check in checks if check.verdict == IMPOSSIBLE]
            assert impossible == [], (seed, position.to_text())
            assert not orders or not position.in_revolt(power)
            named = [order.unit for order in orders if not isinstance(order, (Build, Pick, Waive))]
            assert len(set(named)) == len(named)


@sampled
@pytest.mark.parametrize("name", ["random", "dumb", "blend"])
def test_no_bot_knows_what_others_were_asked(name: str) -> None:
    for seed in range(sized(6, 20)):
        position = draw_position(ALEX_MAGNUM, Random(seed))
        powers = list(position.board.powers)
        bot = SMALL[name]()
        forwards = {power: bot.orders(position, power, Random(seed)) for power in powers}
        backwards = {p: bot.orders(position, p, Random(seed)) for p in reversed(powers)}
        alone = {power: SMALL[name]().orders(position, power, Random(seed)) for power in powers}
        assert forwards == backwards == alone


@pytest.mark.parametrize("name", SMALL)
def test_the_same_seed_gives_the_same_orders_whatever_was_asked_before(name: str) -> None:
    (*_, outcome) = play_bots(ALEX_MAGNUM, _everybody(ALEX_MAGNUM, load_bot("dumb")), 3, years=2)
    position = outcome.position
    position = replace(position, phase=replace(position.phase, season="autumn", retreats=False))
    shuffled = list(position.units)
    Random(1).shuffle(shuffled)
    used, fresh = SMALL[name](), SMALL[name]()
    used.orders(position, "TOL", Random(1))

    for power in ("SEL", "CAN"):
        expected = fresh.orders(position, power, Random(5))
        assert used.orders(position, power, Random(5)) == expected
        other_listing = replace(position, units=tuple(shuffled))
        assert SMALL[name]().orders(other_listing, power, Random(5)) == expected


@pytest.mark.parametrize("name", ["blend", "search"])
def test_bots_that_look_ahead_give_each_unit_one_legal_order(name: str) -> None:
    position = _middle_of_a_game(ALEX_MAGNUM)
    orders = {"AUT": SMALL[name]().orders(position, "AUT", Random(2))}
    assert ILLEGAL not in {entry.result for entry in adjudicate(position, orders).results}
    assert len(orders["AUT"]) == len(position.units_of("AUT"))


def test_a_power_in_revolt_orders_nothing() -> None:
    position = replace(_middle_of_a_game(ALEX_MAGNUM), nobility={"AUT": 0})

    for name in BOTS:
        assert list(load_bot(name).orders(position, "AUT", Random(1))) == []


def _middle_of_a_game(board: Board) -> Position:
    """Return the position before the third spring of a game of *dumb*."""
    for outcome in play_bots(board, _everybody(board, load_bot("dumb")), 11):
        if str((position := outcome.position).phase) == "320-spring":
            return position
    raise AssertionError("the game ended early")


@sampled
def test_dumb_gets_far_more_centres_than_random() -> None:
    dumb, random = load_bot("dumb"), load_bot("random")
    powers = list(STANDARD.powers)
    for seed in range(sized(2, 14)):
        seat = powers[seed % len(powers)]
        bots = {power: dumb if power == seat else random for power in powers}
        centres = count_centres(STANDARD, bots, seed, years=8)
        assert centres[seat] >= 9
        assert centres[seat] > max(count for p, count in centres.items() if p != seat)


@pytest.mark.proof
@pytest.mark.parametrize("name", ["blend", "search"])
def test_bots_that_look_ahead_get_more_centres_than_dumb(name: str) -> None:
    powers = list(STANDARD.powers)
    got = 0
    for seed, seat in enumerate(powers):
        bots = {power: load_bot(name) if power == seat else DUMB for power in powers}
        got += count_centres(STANDARD, bots, seed, years=6)[seat]
    assert got > 1.2 * 34  # what seven equal players would get is 34


FOLDERS = (Path(__file__).parents[2], Path(networkx.__file__).parents[1])
"""Where Python finds this package, and those that it needs; other Pythons find them there too."""


@pytest.mark.parametrize(
    "name",
    [name if name != "search" else pytest.param(name, marks=pytest.mark.proof) for name in YEARS],
)
@pytest.mark.parametrize("board", MAPS)
def test_games_of_bots_are_those_that_were_recorded(board: str, name: str) -> None:
    assert digest_games(board, name) == read_digests()[f"{board} {name}"]


@pytest.mark.proof
@pytest.mark.parametrize(("pure", "seed"), [("0", "1"), ("1", "77")])
def test_neither_hash_seeds_nor_the_build_change_a_game(pure: str, seed: str) -> None:
    assert _print_digests(sys.executable, seed, pure) == read_digests()


@pytest.mark.proof
@pytest.mark.parametrize("version", VERSIONS)
def test_every_python_plays_the_same_games(version: str) -> None:
    python, reason = find_python(version)
    if python is None:
        pytest.skip(f"Python {version}: {reason}")
    assert _print_digests(python, "3", "1") == read_digests()


def _print_digests(python: str, seed: str, pure: str) -> dict[str, str]:
    """Return what a process of its own prints, with the packages of this one."""
    done = subprocess.run(
        [python, "-B", "-m", "tests.bots.digest"],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, FOLDERS)),
            "PYTHONHASHSEED": seed,
            "ALEXMAGNUM_PURE": pure,
        },
        capture_output=True,
        check=False,
        text=True,
    )
    assert not done.returncode, done.stderr
    digests: dict[str, str] = json.loads(done.stdout)
    return digests


TURN = Path(__file__).parents[2] / "orders" / "turn.yaml"


def _advise(*arguments: str) -> str:
    return run_command("bot", *arguments, "--level", "dumb").out


def test_each_order_comes_with_the_centre_that_it_is_for() -> None:
    english = _advise(str(TURN), "Ptolemy", "--lang", "en")
    italian = _advise(str(TURN), "CAN", "--lang", "it")
    assert english.startswith("Orders of the bot dumb for Ptolemy, Spring 318 BC, movement\n")
    assert len(english.splitlines()) == 11
    reason = "A NOC - MEN +to keep Memphis; Cassander can be there with strength 1\n"
    assert re.search(reason, english)
    heading = "Ordini del bot dumb per Candragrupta, Primavera 318 a.C., movimenti\n"
    assert italian.startswith(heading)
    assert "per tenere" in italian or "(indipendente)" in italian


def test_json_has_the_orders_and_the_reasons() -> None:
    data = run_command("bot", str(TURN), "CAN", "--level", "dumb", "--seed", "2", "--json").data
    assert (data["phase"], data["power"], data["bot"]) == ("318-spring", "CAN", "dumb")
    assert {entry["order"].split()[1] for entry in data["orders"]} >= {"LAH", "UJJ", "TAX"}
    assert set(data["orders"][0]) == {"order", "aim", "owner", "rival", "strength"}


def test_a_removed_unit_is_for_nothing_and_a_garrison_goes_nowhere(tmp_path: Path) -> None:
    turn = tmp_path / "winter.yaml"
    turn.write_text(
        "{map: alexmagnum, year: 320, phase: winter_adjustments, centers: {TOL: [ALE, MEN]},"
        " units: {TOL: [A SIW, F EGI, F FEN, G TEB, A ALE, A MEN], NEU: [A CIR]}}"
    )
    removed = _advise(str(turn), "TOL", "--lang", "en")
    attacks = _advise(str(TURN), "CAN", "--lang", "it")
    assert re.search(r"Remove . [A-Z#0-9]+ +it could have (gone for|kept) ", removed)
    assert "  for " not in removed
    assert re.search(r"A UJJ - PAT +per .*; ci restano gli indipendenti con forza 1\n", attacks)


def test_an_unknown_bot_or_power_is_named() -> None:
    with pytest.raises(AlexMagnumError) as caught:
        load_bot("clever")
    assert caught.value.code == "no-such-bot"
    assert caught.value.data["known"] == "random, dumb, blend, search"
    assert "Atlantis" in run_command("bot", str(TURN), "Atlantis", "--lang", "en", status=2).err
