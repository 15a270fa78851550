"""``player bot``, ``new --bot`` and ``play --bot`` as a game master types them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from alexmagnum.bots import BOTS
from alexmagnum.orders import Order
from alexmagnum.position import Position
from tests.commands import NO_PICTURES, SEPARATE_PROCESSES, GameFolder, output_of, run_command

PEOPLE = ("--player", "TOL=Anna <anna@example.org>", "--player", "SEL=Bruno")


@pytest.fixture
def game(tmp_path: Path) -> GameFolder:
    """Make a game with two people, and bots for all others."""
    bots = ("--bot", "dumb", "--bot", "CAN=random")
    run_command("new", "game", "--lang", "en", *PEOPLE, *bots, *NO_PICTURES, cwd=tmp_path)
    return GameFolder(tmp_path / "game")


class _Broken:
    name = "broken"

    def orders(self, position: Position, power: str, rng: Random) -> Sequence[Order]:
        raise RuntimeError("out of ideas")


def test_new_gives_bots_to_powers_without_a_player(game: GameFolder) -> None:
    players = game.run("status", "--people", "--json").data
    people = {"SEL": ("Bruno", ""), "TOL": ("Anna", "")}
    bots = {"LIS": "dumb", "AUT": "dumb", "CAS": "dumb", "CAN": "random"}

    assert {p["power"]: (p["name"], p["bot"]) for p in players} == {
        **people,
        **{power: ("", bot) for power, bot in bots.items()},
    }
    assert "Lysimachus: a bot (dumb)" in game.run("status", "--people").out


def test_new_refuses_bots_that_cannot_be(tmp_path: Path) -> None:
    for bots, said in (
        (("LIS=clever",), "There is no bot 'clever'; the bots are "),
        (("XYZ=dumb",), "XYZ"),
        (("TOL=dumb",), "TOL"),
        (("LIS=dumb", "lisimaco=random"), "LIS"),
        (("dumb", "random"), "write POWER=BOT, such as SEL=dumb"),
        (("LIS=",), "write POWER=BOT"),
    ):
        options = [word for bot in bots for word in ("--bot", bot)]
        words = ("new", "game", "--lang", "en", *PEOPLE, *options)
        done = run_command(*words, cwd=tmp_path, status=None)
        assert done.status
        assert said in done.err
        assert not (tmp_path / "game").exists()


def test_status_shows_who_is_a_bot_and_waits_for_people_alone(game: GameFolder) -> None:
    shown = game.run("status").out
    powers = game.run("status", "--json").data["powers"]

    assert "Lysimachus    a bot (dumb)" in shown
    assert {p["power"]: (p["bot"], p["bot_has_ordered"]) for p in powers}["CAN"] == ("random", True)
    game.run("submit", "TOL", stdin="Pick ALE\n")
    game.run("submit", "SEL", stdin="Pick BAB\n")
    done = game.run("process", "323-1")
    assert "Lysimachus: a pick; played by a bot (dumb)" in done.out


def test_a_bot_stands_in_takes_over_and_goes(game: GameFolder) -> None:
    said = game.run("player", "replace", "SEL", "--bot", "dumb", "--until-back").out
    assert "Seleucus: Bruno; played by a bot (dumb)" in said
    assert "The bot dumb has given its orders: 1 of 1." in said
    assert "Bruno, for now a bot (dumb)" in game.run("status").out
    game.run("player", "replace", "SEL", "--back")
    told = game.run("player", "replace", "SEL", "--bot", "random", "--once", "--json").data
    assert (told["name"], told["bot"], told["stand_in"]) == ("Bruno", "random", "323-1")
    assert game.run("player", "replace", "SEL", "--bot", "dumb").out.startswith(
        "Seleucus: a bot (dumb)"
    )
    assert "Bruno" in game.run("player", "replace", "SEL", "--back").out

    journal = game.run("history", "--power", "SEL").out
    assert "a bot plays (323-1, Seleucus): dumb" in journal
    assert "a bot has given orders (323-1, Seleucus): dumb: " in journal
    assert "the player orders again" in journal
    game.run("verify")


def test_the_journal_says_for_how_long_a_bot_stands_in_and_when_that_ends(game: GameFolder) -> None:
    game.run("player", "replace", "SEL", "--bot", "dumb", "--once")
    game.run("player", "replace", "SEL", "--bot", "dumb", "--until-back")
    listed = game.run("status", "--people").out
    game.run("submit", "SEL", stdin="Pick BAB\n")

    assert "Bruno; played by a bot (dumb), until the player sends orders\n" in listed
    journal = game.run("history", "--power", "SEL").out
    assert "(323-1, Seleucus): dumb, in this phase alone\n" in journal
    assert "(323-1, Seleucus): dumb, until the player sends orders\n" in journal
    assert re.search("orders: 1, seal .*; the bot dumb stands in no more\n", journal)


def test_player_replace_asks_for_one_thing_at_a_time(game: GameFolder) -> None:
    for words in (
        ("SEL",),
        ("SEL", "Carla", "--standby", "1"),
        ("SEL", "--bot", "dumb", "--back"),
        ("SEL", "--bot", "dumb", "--once", "--until-back"),
        ("SEL", "Carla", "--once"),
    ):
        refused = game.run("player", "replace", *words, status=2).err
        assert "say who plays, in one way" in refused


def test_complete_orders_of_the_player_stay_and_the_command_says_so(game: GameFolder) -> None:
    game.run("submit", "SEL", stdin="Pick BAB\n")

    said = game.run("player", "replace", "SEL", "--bot", "dumb").out
    assert "Nothing is missing in the open phase" in said
    assert game.run("orders", "SEL", "--open", "--json").data["SEL"] == ["Pick BAB"]


def test_a_bot_that_breaks_off_is_named_with_the_way_out(
    game: GameFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SEPARATE_PROCESSES, raising=False)  # another process lacks this bot
    monkeypatch.setitem(BOTS, "broken", _Broken)
    said = game.run("player", "replace", "LIS", "--bot", "broken").out
    shown = game.run("status").out

    for text in (said, shown):
        assert "Lysimachus: the bot broken broke off (RuntimeError: out of ideas)" in text
        assert "'alexmagnum player replace LIS --bot random'" in text
    game.run("player", "replace", "LIS", "--bot", "dumb")
    assert "broke off" not in game.run("status").out


def test_six_bots_play_a_game_to_its_end_by_process_alone(tmp_path: Path) -> None:
    options = ("--bot", "random", "--set", "rules.last_year=322", *NO_PICTURES)
    run_command("new", "game", "--lang", "en", *options, cwd=tmp_path)
    game = GameFolder(tmp_path / "game")
    for _ in range(20):
        phase = game.run("status", "--json").data["phase"]
        if not phase:
            break
        game.run("process", phase)

    status = game.run("status", "--json").data
    assert status["over"]
    assert status["winners"]
    final = (tmp_path / "game/reports/final/public.en.txt").read_text(encoding="utf-8")
    assert game.run("verify", "--bots", "--json").data["findings"] == []
    assert re.search(r"Lysimachus +a bot \(random\)", final)


def test_play_lets_bots_play_a_whole_game_of_a_seed() -> None:
    call = ("play", "--seed", "3", "--map", "standard", "--years", "1", "--lang", "en")
    first = output_of(*call, "--bot", "dumb", "--bot", "Italy=random", "--json")
    again = output_of(*call, "--bot", "dumb", "--bot", "Italy=random", "--json")
    shown = output_of(*call, "--bot", "dumb")

    assert first == again
    assert json.loads(first)["bots"]["Italy"] == "random"
    assert json.loads(first)["bots"]["France"] == "dumb"
    assert "played by bots: seed 3" in shown
