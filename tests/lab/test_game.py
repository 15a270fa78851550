"""A game of the lab is a function of its series and number, whatever its bots do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alexmagnum.judge.outcome import ILLEGAL
from alexmagnum.lab.game import RULINGS, TABLES, GameRecord, make_frame
from alexmagnum.lab.plan import Plan
from tests.each import check_each
from tests.lab.plans import SMALL, make_match, make_plan, play_one


def test_a_game_has_the_same_rows_whatever_was_played_before_it(tmp_path: Path) -> None:
    plan = make_plan(SMALL, tmp_path)
    alone = play_one(plan, 2)

    play_one(plan, 1)
    play_one(plan, 3, "easy")

    assert play_one(plan, 2) == alone
    assert play_one(plan, 1) != alone


def test_a_series_and_its_base_begin_alike_and_part_where_the_rule_decides(tmp_path: Path) -> None:
    plan = make_plan(SMALL.replace("years = 2", "years = 4"), tmp_path)
    own, easy = (play_one(plan, 1, name) for name in ("standard", "easy"))

    assert own["games"][0]["seed"] == easy["games"][0]["seed"]
    assert [row["opening"] for row in own["seats"]] == [row["opening"] for row in easy["seats"]]
    assert own["games"][0]["victory"] == ""
    assert easy["games"][0]["victory"] == "centres"


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


def test_shares_of_the_victory_add_up_to_one(tmp_path: Path) -> None:
    plan = make_plan(SMALL.replace("years = 2", "years = 4"), tmp_path)
    (game,), seats = (play_one(plan, 1, "easy")[table] for table in ("games", "seats"))

    assert sum(row["share"] for row in seats) == 1
    assert [row["power"] for row in seats if row["share"]] == game["winners"]


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
    plan = make_plan(more + text, plan_folder)
    rows = play_one(plan)
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


def test_a_bot_that_never_answers_forfeits_the_turn(tmp_path: Path) -> None:
    row = _seat(tmp_path, "Endless", "turn_seconds = 0.05\n")

    assert row["forfeits"] >= 2
    assert row["fault"] == "1902-spring: no answer within 0.05 seconds"


def test_a_sound_bot_of_the_user_forfeits_nothing(tmp_path: Path) -> None:
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
        plan: Plan = make_plan(
            f'games = 1\nseed = 3\nseats = "{bot}"\nyears = 4\n[series.a]\n', tmp_path
        )
        record = GameRecord(make_match(plan), 1)
        results = [entry.result for played in record.play() for entry in played.outcome.results]
        assert ILLEGAL not in results
        assert not any(row["forfeits"] for row in record.rows()["seats"])

    check_each([("random",), ("dumb",)], check)
