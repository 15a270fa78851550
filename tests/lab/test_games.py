"""Plans, and a game as a function of its series and number, whatever its bots do."""

import importlib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from alexmagnum import load_board
from alexmagnum.campaign import first_position
from alexmagnum.errors import BadFile, BadPlan
from alexmagnum.judge.outcome import ILLEGAL
from alexmagnum.lab.game import RULINGS, TABLES, GameRecord, make_frame
from alexmagnum.lab.plan import DEFAULTS, PAIRED_KEYS, PLAN_KEYS, draw_seed, parse_plan, read_plan
from tests.case_library import read_yaml
from tests.commands import ROOT, run_command
from tests.each import check_each
from tests.lab.plans import SMALL, make_match, make_plan, play_one
from tools.map_proposals import FOLDER, PROPOSALS, write_proposal

GOOD = 'map = "standard"\ngames = 3\nseed = 1\nseats = "dumb"\n[series.a]\n'
B = f'{GOOD}[series.b]\nbase = "a"\n'
"""A plan without a fault, and the same with a second series, which lacks a difference."""

FAULTS = read_yaml(Path(__file__).with_name("faults.yaml"))
"""Plans with one fault each, with its place and its code."""

AROUND = {"good": GOOD + "{}\n", "b": B + "{}\n", "before": "{}\n" + GOOD, "text": "{}\n"}
"""Where the text of a fault stands in its plan."""


def test_a_plan_is_read_without_running_its_bots(tmp_path: Path) -> None:
    (tmp_path / "spy.py").write_text("raise SystemExit('it ran')\n", encoding="utf-8")
    plan = parse_plan(GOOD.replace('"dumb"', '"spy:Bot"'), "plan.toml", tmp_path)
    assert plan.bots == ("spy:Bot",)


def _refuse(text: str, folder: Path) -> BadPlan:
    with pytest.raises(BadPlan) as raised:
        make_plan(text, folder)
    return raised.value


def test_every_fault_of_a_plan_is_named_with_its_place(tmp_path: Path) -> None:
    def check(row: Mapping[str, str]) -> None:
        (key,) = AROUND.keys() & row.keys()
        faults = _refuse(AROUND[key].replace("{}", row[key]), tmp_path).faults
        assert [(fault.where, fault.code) for fault in faults] == [(row["at"], row["code"])]

    check_each([(row,) for row in FAULTS], check)


def test_all_faults_of_a_plan_are_listed_at_once_and_nothing_is_written(tmp_path: Path) -> None:
    """A series without a sound base is read to its end; a map comes with its own faults."""
    text = 'seats = "dum"\ngames = 0\nseed = 1\n[series.a]\n[series.b]\nmap = "alexmagnun"\n'
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    said = run_command("lab", "run", "plan.toml", "-o", "out", cwd=tmp_path, status=2)

    assert [line.split(":")[0].strip() for line in said.err.splitlines()] == [
        *("plan.toml", "seats", "games", "series.b.map")
    ]
    assert "Did you mean dumb?" in said.err
    assert "Did you mean alexmagnum?" in said.err
    assert not (tmp_path / "out").exists()

    series = '[series.b]\nbase = "c"\ngames = 0\nmap = "standart"\nrules = { pics = 3 }\n'
    assert {fault.where for fault in _refuse(GOOD + series, tmp_path).faults} == {
        *("series.b.base", "series.b.games", "series.b.map", "series.b.rules.pics")
    }
    (tmp_path / "mine.json").write_text('{"format": 1}', encoding="utf-8")
    faults = _refuse(f'{GOOD}map = "mine.json"\n', tmp_path).faults
    assert all("series.a.map (mine.json)" in fault.where for fault in faults)
    (fault,) = _refuse(GOOD.replace('"standard"', f'"{"è" * 190}"'), tmp_path).faults
    assert fault.where == "map"


def test_a_file_that_is_not_toml_is_refused_with_the_line(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as raised:
        make_plan("games = 3\nseed 4\n", tmp_path)
    assert raised.value.code == "lab-not-toml"
    assert "line 2" in raised.value.data["why"]
    (tmp_path / "long.toml").write_text("k." * 70_000 + "k = 1")  # minutes (a ninth attack)
    with pytest.raises(BadFile, match="file-too-large"):
        read_plan(tmp_path / "long.toml")


def test_bots_are_seated_by_name_by_rotation_or_by_power(tmp_path: Path) -> None:
    rotating = ", ".join(['"search"'] + ['"dumb"'] * 6)
    same, rotating_series, fixed = make_plan(
        f"{GOOD}[series.rotating]\nseats = [{rotating}]\n"
        '[series.fixed]\nseats = { Italia = "random", others = "dumb" }\n',
        tmp_path,
    ).series
    powers = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")

    assert set(same.seat_bots(powers, 3).values()) == {"dumb"}
    assert [
        power
        for number in range(1, 9)
        for power, bot in rotating_series.seat_bots(powers, number).items()
        if bot == "search"
    ] == ["Austria", *reversed(powers[1:]), "Austria"]
    assert [p for p, bot in fixed.seat_bots(powers, 2).items() if bot == "random"] == ["Italy"]


def test_a_series_plays_as_its_base_but_for_one_switch(tmp_path: Path) -> None:
    base, easy = make_plan(SMALL, tmp_path).series
    assert (easy.base, dict(easy.rules)) == ("standard", {"victory_centres": 5})
    assert replace(easy, name=base.name, base="", rules={}) == base


def test_seeds_of_games_differ_and_never_depend_on_names() -> None:
    assert len({draw_seed(seed, number) for seed in range(30) for number in range(1, 31)}) == 900


def test_the_plans_in_the_folder_of_plans_can_be_played() -> None:
    for path in sorted((ROOT / "plans").glob("*.toml")):
        assert read_plan(path).games > 0


def test_the_maps_of_the_proposals_are_alex_magnum_with_their_change_alone() -> None:
    for name in PROPOSALS:
        written = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
        assert written == write_proposal(name), f"{name}: python -m tools.map_proposals"


def test_a_bot_of_the_plans_contests_picks_of_chandragupta(monkeypatch: pytest.MonkeyPatch) -> None:
    """He picks in India always, each of the others once in five picks."""
    monkeypatch.syspath_prepend(str(ROOT / "plans"))
    bot = importlib.import_module("contested_picks").dumb()
    position = first_position(load_board("alexmagnum"))
    board = position.board

    india: Counter[str] = Counter()
    for seed, power in product(range(200), board.powers):
        (pick,) = bot.orders(position, power, Random(seed))
        india[power] += board.provinces[pick.centre].area == "india"

    assert india.pop("CAN") == 200
    assert all(20 < times < 60 for times in india.values())


PAGE = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")


def _rows(heading: str) -> dict[str, str]:
    """Return the rows of the first table below a heading by their first cells."""
    lines = PAGE.partition(heading)[2].splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("| "))
    end = next(i for i in range(first, len(lines)) if not lines[i].startswith("|"))
    table = [line for line in lines[:end] if line.startswith("| ")]
    return {line.split("|")[1].strip().strip("`"): line for line in table[2:]}


def test_every_key_column_and_ruling_is_explained_and_the_example_is_a_plan(tmp_path: Path) -> None:
    keys = set(_rows("## Plans"))
    assert keys == {*DEFAULTS, *PAIRED_KEYS}
    assert set(PLAN_KEYS) - keys == {"turn_seconds", "series"}
    assert "`turn_seconds`" in PAGE

    tables = _rows("## Results")
    assert tables.keys() == TABLES.keys()
    for table, columns in TABLES.items():
        missing = [c for c in columns if f"`{c}`" not in tables[table]]
        assert [c for c in missing if c not in ("series", "game", "map")] == []

    rulings = _rows("### How often a ruling decided something")
    assert {r for cell in rulings for r in re.findall(r"R\d+a?", cell)} == set(RULINGS)
    example = PAGE.partition("each fault with its place.\n")[2].partition("Each table")[0]
    plan = make_plan(re.sub(r"^    ", "", example, flags=re.MULTILINE), tmp_path)
    assert [series.base for series in plan.series] == ["", "default", ""]


def test_a_game_has_the_same_rows_whatever_was_played_before_it(tmp_path: Path) -> None:
    plan = make_plan(SMALL, tmp_path)
    alone = play_one(plan, 2)

    play_one(plan, 1)
    play_one(plan, 3, "easy")

    assert play_one(plan, 2) == alone
    assert play_one(plan, 1) != alone


def test_a_series_and_its_base_begin_alike_and_part_where_the_rule_decides(tmp_path: Path) -> None:
    """Shares of the victory add up to one."""
    plan = make_plan(SMALL.replace("years = 2", "years = 4"), tmp_path)
    own, easy = (play_one(plan, 1, name) for name in ("standard", "easy"))
    assert own["games"][0]["seed"] == easy["games"][0]["seed"]
    assert [row["opening"] for row in own["seats"]] == [row["opening"] for row in easy["seats"]]
    assert own["games"][0]["victory"] == ""
    assert easy["games"][0]["victory"] == "centres"
    assert sum(row["share"] for row in easy["seats"]) == 1
    assert [row["power"] for row in easy["seats"] if row["share"]] == easy["games"][0]["winners"]


def test_the_tables_say_what_happened_in_the_game(tmp_path: Path) -> None:
    """On Alex Magnum, where a game has every kind of phase and order."""
    plan = make_plan('games = 1\nseed = 5\nseats = "dumb"\nyears = 6\n[series.a]\n', tmp_path)
    record = GameRecord(make_match(plan), 1)
    phases = list(record.play())
    rows = record.rows()

    assert rows.keys() == TABLES.keys()
    for table, listed in rows.items():
        assert make_frame(table, listed).height == len(listed)
    results = [entry for played in phases for entry in played.outcome.results]
    assert sum(row["given"] for row in rows["orders"]) == len(results)
    assert all(0 <= row["successful"] <= row["given"] for row in rows["orders"])
    (game,) = rows["games"]
    assert (game["phases"], game["last_phase"]) == (len(phases), str(phases[-1].position.phase))
    assert game["battles"] == sum(row["battles"] for row in rows["provinces"])
    assert len(rows["years"]) == 6 * game["years"] == 36
    last = {row["power"]: row["centres"] for row in rows["years"] if row["number"] == 6}
    assert {row["power"]: row["centres"] for row in rows["seats"]} == last
    assert {row["ruling"] for row in rows["rules"]} == set(RULINGS)
    assert all(bool(row["start"]) == bool(row["opening"]) for row in rows["seats"])
    assert any(row["start"] for row in rows["seats"])
    assert any(row["first_contact"] for row in rows["seats"])


def test_the_special_rules_are_counted_where_they_decide(tmp_path: Path) -> None:
    """Sea places, rivers, garrisons and contested picks come up in every game of *dumb*."""
    plan = make_plan('games = 1\nseed = 1\nseats = "dumb"\nyears = 8\n[series.a]\n', tmp_path)
    times = {row["ruling"]: row["times"] for row in play_one(plan)["rules"]}

    assert all(times[ruling] for ruling in ("R1", "R8", "R9", "R10", "R25", "R27"))
    assert times["R26"] == 0  # off by default

    standard = play_one(make_plan(SMALL, tmp_path))["rules"]
    assert not any(row["times"] for row in standard if row["ruling"] in ("R8", "R18", "R27"))


# -- bots that fail --------------------------------------------------------------------------------


def _seat(plan_folder: Path, bot: str, more: str = "") -> dict[str, Any]:
    """Play two years with a bot of :mod:`tests.lab.own_bots` as Italy; return Italy's row."""
    text = SMALL.partition("[series.easy]")[0].replace(
        '"dumb"', f'{{ Italy = "own_bots:{bot}", others = "dumb" }}'
    )
    rows = play_one(make_plan(more + text, plan_folder))
    assert rows["games"][0]["years"] == 2
    return next(row for row in rows["seats"] if row["power"] == "Italy")


FORFEITS = (
    ("Raising", "1901-spring: RuntimeError: I have no plan"),
    ("Leaving", "1901-spring: SystemExit: enough"),
    ("Interrupting", "1901-spring: KeyboardInterrupt: enough"),
    ("Silent", "1901-spring: the answer is no list but NoneType"),
    ("Texting", "1901-spring: 'A PAR - BUR' is a text"),
    ("Meddling", "1901-spring: A BUD H: void: the unit belongs to another power"),
)


def test_a_bot_that_fails_forfeits_its_orders_and_is_named_with_its_first_fault(
    tmp_path: Path,
) -> None:
    def check(bot: str, fault: str) -> None:
        row = _seat(tmp_path, bot)
        assert row["bot"] == f"own_bots:{bot}"
        assert row["forfeits"] >= 4
        assert row["fault"].startswith(fault), row["fault"]

    check_each(FORFEITS, check)


def test_a_bot_that_never_answers_forfeits_the_turn_and_a_sound_one_nothing(tmp_path: Path) -> None:
    row = _seat(tmp_path, "Endless", "turn_seconds = 0.05\n")
    assert row["forfeits"] >= 2
    assert row["fault"] == "1902-spring: no answer within 0.05 seconds"

    row = _seat(tmp_path, "Sound")
    assert (row["forfeits"], row["fault"]) == (0, "")


def test_a_bot_of_the_user_is_made_anew_for_every_seat_and_game(tmp_path: Path) -> None:
    """What it remembers cannot pass from one game to the next, nor from one power to another."""
    text = SMALL.partition("[series.easy]")[0].replace('"dumb"', '"own_bots:make_counting"')
    plan = make_plan(text, tmp_path)
    alone = play_one(plan, 2)
    play_one(plan, 1)
    assert play_one(plan, 2) == alone
    assert {row["opening"] for row in alone["seats"]} == {""}


def test_bots_of_the_package_order_nothing_illegal(tmp_path: Path) -> None:
    def check(bot: str) -> None:
        plan = make_plan(f'games = 1\nseed = 3\nseats = "{bot}"\nyears = 4\n[series.a]\n', tmp_path)
        record = GameRecord(make_match(plan), 1)
        results = [entry.result for played in record.play() for entry in played.outcome.results]
        assert ILLEGAL not in results
        assert not any(row["forfeits"] for row in record.rows()["seats"])

    check_each([("random",), ("dumb",)], check)
