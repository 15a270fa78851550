"""Plans: what may stand in them, every fault with its place; docs/lab.md lists all there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from alexmagnum.errors import BadFile, BadPlan
from alexmagnum.lab.game import RULINGS, TABLES
from alexmagnum.lab.plan import DEFAULTS, PAIRED_KEYS, PLAN_KEYS, draw_seed, read_plan
from tests.commands import ROOT, run_command
from tests.each import check_each
from tests.lab.plans import SMALL, make_plan
from tools.map_proposals import FOLDER, PROPOSALS, write_proposal

GOOD = 'map = "standard"\ngames = 3\nseed = 1\nseats = "dumb"\n[series.a]\n'

FAULTS = (
    ("", "series", "lab-no-series"),
    ("[series]\n", "series", "lab-no-series"),
    ("series = 3\n", "series", "lab-no-series"),
    (f"gams = 3\n{GOOD}", "gams", "lab-unknown-key"),
    (f"{GOOD}sead = 3\n", "series.a.sead", "lab-unknown-key"),
    (f'{GOOD}["series"."a b"]\n', "series.a b", "lab-series-name"),
    (f"{GOOD}[series]\nb = 3\n", "series.b", "lab-not-table"),
    (f"{GOOD}games = 0\n", "series.a.games", "lab-not-count"),
    (f"{GOOD}games = true\n", "series.a.games", "lab-not-count"),
    (f"{GOOD}seed = -1\n", "series.a.seed", "lab-not-count"),
    (f'{GOOD}years = "two"\n', "series.a.years", "lab-not-count"),
    (GOOD.replace("seed = 1\n", ""), "series.a.seed", "lab-missing-key"),
    (GOOD.replace('seats = "dumb"\n', ""), "series.a.seats", "lab-missing-key"),
    (f'{GOOD}map = "standart"\n', "series.a.map", "unknown-map"),
    (f'{GOOD}map = "nowhere.json"\n', "series.a.map", "no-file"),
    (f"{GOOD}map = 3\n", "series.a.map", "lab-not-text"),
    (f"{GOOD}rules = 3\n", "series.a.rules", "lab-not-table"),
    (f"{GOOD}rules = {{ victory_center = 3 }}\n", "series.a.rules.victory_center", "unknown-rule"),
    (f"{GOOD}rules = {{ picks = 99 }}\n", "series.a.rules.picks", "bad-rule-value"),
    (f"{GOOD}rules = {{ last_year = 1800 }}\n", "series.a.rules era", "years-down"),
    (f"{GOOD}seats = 3\n", "series.a.seats", "lab-bad-seats"),
    (f'{GOOD}seats = "dum"\n', "series.a.seats", "lab-no-bot"),
    (f'{GOOD}seats = ["dumb", "random"]\n', "series.a.seats", "lab-seat-count"),
    (f'{GOOD}seats = {{ Italy = "dumb" }}\n', "series.a.seats", "lab-seat-missing"),
    (
        f'{GOOD}seats = {{ Italia = "dumb", Ruritania = "dumb", others = "dumb" }}\n',
        "series.a.seats.Ruritania",
        "lab-no-seat",
    ),
    (
        f'{GOOD}seats = {{ Italy = "dumb", ITALY = "dumb", others = "dumb" }}\n',
        "series.a.seats.ITALY",
        "lab-seat-twice",
    ),
    (f'{GOOD}seats = {{ Italy = 3, others = "dumb" }}\n', "series.a.seats.Italy", "lab-not-text"),
    (f'{GOOD}seats = "nowhere:Bot"\n', "series.a.seats", "lab-bot-unusable"),
    (f'{GOOD}seats = "own_bots:Nobody"\n', "series.a.seats", "lab-bot-unusable"),
    (f'{GOOD}seats = "own_bots:not_a_bot"\n', "series.a.seats", "lab-bot-unusable"),
    (f"turn_seconds = 0\n{GOOD}", "turn_seconds", "lab-not-seconds"),
    (f"turn_seconds = inf\n{GOOD}", "turn_seconds", "lab-not-seconds"),
    (f'{GOOD}[series.b]\nbase = "c"\n', "series.b.base", "lab-no-base"),
    (f'{GOOD}[series.b]\nbase = "b"\n', "series.b.base", "lab-base-itself"),
    (f'{GOOD}[series.b]\nbase = "a"\n', "series.b", "lab-same-as-base"),
    (
        f'{GOOD}[series.b]\nbase = "a"\nrules = {{ victory_centres = 18 }}\n',
        "series.b",
        "lab-same-as-base",
    ),
    (
        f'{GOOD}[series.b]\nbase = "a"\nrules = {{ picks = 3, victory_centres = 5 }}\n',
        "series.b",
        "lab-differs-more",
    ),
    (f'{GOOD}[series.b]\nbase = "a"\nmap = "alexmagnum"\n', "series.b.map", "lab-other-powers"),
    (
        f'{GOOD}[series.b]\nbase = "a"\nseed = 3\nrules = {{ picks = 3 }}\n',
        "series.b.seed",
        "lab-unknown-key",
    ),
    (
        f'{GOOD}[series.b]\nbase = "a"\nrules = {{ picks = 3 }}\n[series.c]\nbase = "b"\n',
        "series.c.base",
        "lab-base-of-base",
    ),
)
"""Plans with one fault each: the text, the place and the code of the fault."""


def test_every_fault_of_a_plan_is_named_with_its_place(tmp_path: Path) -> None:
    def check(text: str, where: str, code: str) -> None:
        with pytest.raises(BadPlan) as raised:
            make_plan(text, tmp_path)
        assert [(fault.where, fault.code) for fault in raised.value.faults] == [(where, code)]

    check_each(FAULTS, check)


def test_all_faults_of_a_plan_are_listed_at_once_and_nothing_is_written(tmp_path: Path) -> None:
    text = 'seats = "dum"\ngames = 0\nseed = 1\n[series.a]\n[series.b]\nmap = "alexmagnun"\n'
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")

    said = run_command("lab", "run", "plan.toml", "-o", "out", cwd=tmp_path, status=None)

    assert said.status == 2
    assert [line.split(":")[0].strip() for line in said.err.splitlines()] == [
        *("plan.toml", "seats", "games", "series.b.map")
    ]
    assert "Did you mean dumb?" in said.err
    assert "Did you mean alexmagnum?" in said.err
    assert not (tmp_path / "out").exists()


def test_a_series_without_a_sound_base_is_read_to_its_end(tmp_path: Path) -> None:
    series = '[series.b]\nbase = "c"\ngames = 0\nmap = "standart"\nrules = { pics = 3 }\n'

    with pytest.raises(BadPlan) as raised:
        make_plan(GOOD + series, tmp_path)

    assert {fault.where for fault in raised.value.faults} == {
        *("series.b.base", "series.b.games", "series.b.map", "series.b.rules.pics")
    }


def test_a_file_that_is_not_toml_is_refused_with_the_line(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as raised:
        make_plan("games = 3\nseed 4\n", tmp_path)

    assert raised.value.code == "lab-not-toml"
    assert "line 2" in raised.value.data["why"]


def test_a_map_that_cannot_be_played_is_refused_with_the_faults_of_the_map(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text('{"format": 1}', encoding="utf-8")

    with pytest.raises(BadPlan) as raised:
        make_plan(f'{GOOD}map = "mine.json"\n', tmp_path)

    assert all("series.a.map (mine.json)" in fault.where for fault in raised.value.faults)


def test_bots_are_seated_by_name_by_rotation_or_by_power(tmp_path: Path) -> None:
    rotating = ", ".join(['"search"'] + ['"dumb"'] * 6)
    plan = make_plan(
        f"{GOOD}[series.rotating]\nseats = [{rotating}]\n"
        '[series.fixed]\nseats = { Italia = "random", others = "dumb" }\n',
        tmp_path,
    )
    same, rotating_series, fixed = plan.series
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
    assert (easy.seats, easy.seed, easy.years, easy.games) == (
        *(base.seats, base.seed, base.years, base.games),
    )


def test_seeds_of_games_differ_and_never_depend_on_names() -> None:
    assert len({draw_seed(seed, number) for seed in range(30) for number in range(1, 31)}) == 900


def test_the_plans_in_the_folder_of_plans_can_be_played() -> None:
    for path in sorted((ROOT / "plans").glob("*.toml")):
        assert read_plan(path).games > 0


def test_the_maps_of_the_proposals_are_alex_magnum_with_their_change_alone() -> None:
    for name in PROPOSALS:
        written = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
        assert written == write_proposal(name), f"{name}: python -m tools.map_proposals"


PAGE = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")


def _rows(heading: str) -> dict[str, str]:
    """Return the rows of the first table below a heading: first cell and the others."""
    lines = PAGE.partition(heading)[2].splitlines()
    table = [line for line in lines[: _end_of_table(lines)] if line.startswith("| ")]
    return {line.split("|")[1].strip(): line for line in table[2:]}


def _end_of_table(lines: list[str]) -> int:
    first = next(i for i, line in enumerate(lines) if line.startswith("| "))
    return next(i for i in range(first, len(lines)) if not lines[i].startswith("|"))


def test_every_key_of_a_plan_is_explained() -> None:
    rows = {name.strip("`") for name in _rows("## Plans")}

    assert rows == {*DEFAULTS, *PAIRED_KEYS}
    assert set(PLAN_KEYS) - rows == {"turn_seconds", "series"}
    assert "`turn_seconds`" in PAGE


def test_every_column_of_every_table_is_explained() -> None:
    rows = {name.strip("`"): line for name, line in _rows("## Results").items()}

    assert rows.keys() == TABLES.keys()
    for table, columns in TABLES.items():
        missing = [c for c in columns if f"`{c}`" not in rows[table]]
        assert [c for c in missing if c not in ("series", "game", "map")] == []


def test_every_ruling_that_is_counted_is_explained() -> None:
    rows = _rows("### How often a ruling decided something")

    assert {r for cell in rows for r in re.findall(r"R\d+a?", cell)} == set(RULINGS)


def test_the_example_of_a_plan_can_be_read(tmp_path: Path) -> None:
    example = PAGE.partition("each fault with its place.\n")[2].partition("Each table")[0]
    plan = make_plan(re.sub(r"^    ", "", example, flags=re.MULTILINE), tmp_path)

    assert [series.base for series in plan.series] == ["", "default", ""]
