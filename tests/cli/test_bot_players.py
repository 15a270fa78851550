"""``player bot``, ``new --bot`` and ``play --bot`` as a game master types them."""

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
from tests.transcripts import play_transcript, read_transcripts

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
    wanted = {**people, **{power: ("", bot) for power, bot in bots.items()}}
    assert {p["power"]: (p["name"], p["bot"]) for p in players} == wanted
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


TRANSCRIPTS = read_transcripts(__file__)


@pytest.mark.parametrize("sentence", TRANSCRIPTS)
def test_with_bots(sentence: str, game: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SEPARATE_PROCESSES, raising=False)  # another process lacks the broken bot
    monkeypatch.setitem(BOTS, "broken", _Broken)
    play_transcript(game.run, TRANSCRIPTS[sentence])


def test_six_bots_play_a_game_to_its_end_by_process_alone(tmp_path: Path) -> None:
    options = ("--bot", "random", "--set", "rules.last_year=322", *NO_PICTURES)
    run_command("new", "game", "--lang", "en", *options, cwd=tmp_path)
    game = GameFolder(tmp_path / "game")
    for _ in range(20):
        if not (phase := game.run("status", "--json").data["phase"]):
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
    shown = output_of(*call, "--bot", "dumb")
    assert first == output_of(*call, "--bot", "dumb", "--bot", "Italy=random", "--json")
    assert json.loads(first)["bots"]["Italy"] == "random"
    assert json.loads(first)["bots"]["France"] == "dumb"
    assert "played by bots: seed 3" in shown
