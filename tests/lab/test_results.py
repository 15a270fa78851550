"""The folder of results: what may not be mixed in it, and games played again from it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import polars
import pytest

from alexmagnum.errors import AlexMagnumError
from alexmagnum.lab.parquet import check_table
from alexmagnum.lab.plan import Plan, identify
from alexmagnum.lab.run import ResultFolder, open_results, read_run, read_table
from tests.commands import run_command
from tests.lab.plans import SMALL, make_plan, play_all_here, play_here, read_tables


def _open(path: Path, plan: Plan, **identity: Any) -> AbstractContextManager[ResultFolder]:
    """Open a folder of results for a plan, by this process or by one of another identity."""
    own = identify(plan.bots, str(plan.modules))._replace(**identity)
    return open_results(path, plan, own)


def _refuse(path: Path, plan: Plan, **identity: Any) -> AlexMagnumError:
    """Return the error with which a folder refuses a plan."""
    with pytest.raises(AlexMagnumError) as raised, _open(path, plan, **identity):
        pass
    return raised.value


def _refusal(folder: Path, text: str, **identity: Any) -> str:
    error = _refuse(folder / "out", make_plan(text, folder), **identity)
    return error.code + ": " + error.data.get("what", "")


def test_games_of_any_batches_come_to_the_same_tables(tmp_path: Path) -> None:
    plan = make_plan(SMALL, tmp_path)
    play_all_here(plan, tmp_path / "whole")

    with _open(tmp_path / "parts", plan) as results:
        play_here(results, plan, "easy", (4, 2))
        play_here(results, plan, "standard", (3,))
        results.merge()
    with _open(tmp_path / "parts", plan) as results:
        assert results.list_missing() == {"standard": [1, 2, 4], "easy": [1, 3]}
        play_here(results, plan, "standard", (1, 2, 4))
        play_here(results, plan, "easy", (1, 3))
        assert read_table(tmp_path / "parts", "games").height == 8
        results.merge()

    assert read_tables(tmp_path / "parts") == read_tables(tmp_path / "whole")


def test_a_merge_that_was_killed_counts_nothing_twice(tmp_path: Path) -> None:
    """The parts go only when all tables have them, so that some tables may have them already."""
    plan = make_plan(SMALL, tmp_path)
    out = tmp_path / "out"
    with _open(out, plan) as results:
        play_here(results, plan, "standard", (1, 2, 3, 4))
        shutil.copytree(out / "parts", tmp_path / "kept")
        results.merge()
        whole = read_tables(out)
        (out / "games.parquet").unlink()
        shutil.copytree(tmp_path / "kept", out / "parts")
        results.merge()

    assert read_tables(out) == whole


def test_a_folder_with_something_else_in_it_or_in_use_is_refused(tmp_path: Path) -> None:
    plan = make_plan(SMALL, tmp_path)
    (tmp_path / "out").mkdir()
    letter = tmp_path / "out" / "letter.txt"
    letter.write_text("mine", encoding="utf-8")

    error = _refuse(letter / "out", plan)
    assert (error.code, error.data["path"]) == ("no-folder", str(letter / "out"))
    assert _refusal(tmp_path, SMALL) == "lab-folder-used: "
    assert list((tmp_path / "out").iterdir()) == [letter]

    letter.unlink()
    with _open(tmp_path / "out", plan):
        assert _refusal(tmp_path, SMALL) == "lab-folder-busy: "


def test_more_games_and_more_series_of_the_same_plan_go_on(tmp_path: Path) -> None:
    plan = make_plan(SMALL.partition("[series.easy]")[0], tmp_path)
    play_all_here(plan, tmp_path / "out")
    more = make_plan(SMALL.replace("games = 4", "games = 6"), tmp_path)

    with _open(tmp_path / "out", more) as results:
        assert results.list_missing() == {"standard": [5, 6], "easy": [*range(1, 7)]}


def test_another_plan_or_other_code_is_refused_in_the_same_folder(tmp_path: Path) -> None:
    play_all_here(make_plan(SMALL, tmp_path), tmp_path / "out")

    for old, new, refusal in (
        ("seed = 7", "seed = 8", "lab-other-plan: seed"),
        ("years = 2", "years = 3", "lab-other-plan: years"),
        ("games = 4", "games = 3", "lab-other-plan: games"),
        ("dumb", "random", "lab-other-plan: seats"),
        ("s = 5", "s = 6", "lab-other-plan: rules"),
        ("easy", "other", "lab-series-gone: "),
    ):
        assert _refusal(tmp_path, SMALL.replace(old, new)) == refusal
    assert _refusal(tmp_path, SMALL, code="another").startswith("lab-other-code: alexmagnum")


def test_a_map_file_is_kept_with_the_results_and_may_not_change(tmp_path: Path) -> None:
    shutil.copy(Path("maps/standard.json"), tmp_path / "mine.json")
    shutil.copy(Path("maps/standard.geojson"), tmp_path)
    text = SMALL.replace('"standard"\n', '"mine.json"\n', 1)
    play_all_here(make_plan(text, tmp_path), tmp_path / "out")
    run = read_run(tmp_path / "out")
    board = run.plan.series[0].load_board(tmp_path / "out")

    assert board.digest == run.boards["standard"]
    assert Path(board.geometry).is_relative_to(tmp_path / "out")

    mine = tmp_path / "mine.json"
    mine.write_text(mine.read_text("utf-8").replace('"Bohemia"', '"Boemia"'), "utf-8")
    assert _refusal(tmp_path, text) == "lab-other-plan: map"


def test_a_changed_bot_of_the_user_is_refused(tmp_path: Path) -> None:
    text = SMALL.replace('"dumb"', '"own_bots:Sound"')
    plan = make_plan(text, tmp_path)
    with _open(tmp_path / "out", plan):
        pass

    error = _refuse(tmp_path / "out", plan, bots={"own_bots:Sound": "other"})
    assert error.data["what"] == "own_bots:Sound"


def test_anew_deletes_what_was_played_and_nothing_else(tmp_path: Path) -> None:
    play_all_here(make_plan(SMALL, tmp_path), tmp_path / "out")
    (tmp_path / "out" / "report.html").write_text("mine", encoding="utf-8")
    other = make_plan(SMALL.replace("seed = 7", "seed = 8"), tmp_path)

    own = identify(other.bots, str(tmp_path))
    with open_results(tmp_path / "out", other, own, anew=True) as results:
        assert results.list_missing() == {"standard": [1, 2, 3, 4], "easy": [1, 2, 3, 4]}

    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *(".lock", "run.json", "report.html")
    }


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of eight small games, in which a bot now and then orders nonsense."""
    folder = tmp_path_factory.mktemp("lab")
    text = SMALL.replace('"dumb"', '{ Italy = "own_bots:Texting", others = "dumb" }')
    play_all_here(make_plan(text, folder), folder / "out")
    return folder / "out"


def _replay(results: Path, series: str, game: str, folder: str, status: int = 0) -> str:
    words = (folder, "--replay", "out", series, game, "--own-bots", ".")
    said = run_command("new", *words, cwd=results.parent, status=status)
    return said.out + said.err


def test_a_game_is_played_again_as_its_rows_say_and_opens_as_a_game(results: Path) -> None:
    said = _replay(results, "easy", "3", "game")
    status = run_command("status", "--game", "game", "--json", cwd=results.parent).data
    seats = read_table(results, "seats").filter(series="easy", game=3)

    assert "game" in said
    years = read_table(results, "years").filter(series="easy", game=3, number=2)
    figures = run_command("history", "--game", "game", cwd=results.parent).out
    assert "1902-autumn" in figures
    assert status["game"] == "easy 3"
    assert years.get_column("centres").sum() == seats.get_column("centres").sum()
    assert run_command("verify", "--game", "game", cwd=results.parent).status == 0
    run_command("settings", "pictures", "no", "--game", "game", cwd=results.parent)
    published = run_command("publish", "game", "site", "--gm", cwd=results.parent).out
    assert "site/index.html" in published
    rules = run_command("settings", "rules.victory_centres", "--game", "game", cwd=results.parent)
    assert "5" in rules.out


def test_results_run_no_program_that_the_user_does_not_name(results: Path, tmp_path: Path) -> None:
    """The file of the run may say what it likes, and lie beside the program."""
    words = ("new", "x", "--replay", "out", "easy", "3")
    said = run_command(*words, cwd=results.parent, status=2)
    assert "--own-bots" in said.err
    shutil.copytree(results, tmp_path / "out")
    run = tmp_path / "out" / "run.json"
    run.write_text(run.read_text("utf-8").replace("own_bots:Texting", "os:abort"), "utf-8")
    said = run_command(*words, "--own-bots", str(results.parent), cwd=tmp_path, status=2)
    assert "os:abort" in said.err
    for data in ("{", "[]", '{"format": 1}', '{"format": 1, "series": [{"series": {"x": 1}}]}'):
        run.write_text(data, "utf-8")
        assert "no results" in run_command(*words, cwd=tmp_path, status=2).err


def test_what_is_not_there_is_named(results: Path) -> None:
    assert "Did you mean easy?" in _replay(results, "easi", "1", "x", status=2)
    assert "1 to 4" in _replay(results, "easy", "5", "x", status=2)
    assert not (results.parent / "x").exists()
    elsewhere = ("new", "x", "--replay", str(results.parent), "a", "1")
    said = run_command(*elsewhere, cwd=results.parent, status=2)
    assert "there are no results" in said.err


def test_a_game_that_goes_otherwise_than_its_rows_say_is_refused(results: Path) -> None:
    seats = polars.read_parquet(results / "seats.parquet")
    other = seats.with_columns(centres=polars.col("centres") + 1)
    try:
        other.write_parquet(results / "seats.parquet")
        said = _replay(results, "standard", "1", "x", status=1)
    finally:
        seats.write_parquet(results / "seats.parquet")

    assert "plays it otherwise than the results say" in said
    assert not (results.parent / "x").exists()


# -- tables that somebody else made ----------------------------------------------------------------


def _pack(frame: polars.DataFrame) -> bytes:
    stream = BytesIO()
    frame.write_parquet(stream)
    return stream.getvalue()


def _refuse_table(data: bytes) -> Iterator[str]:
    try:
        check_table(data, "t")
    except AlexMagnumError as error:
        yield error.code


@pytest.mark.parametrize(
    "values", [polars.zeros(10_000_000, polars.Int64, eager=True), ["x" * 140_000_000]]
)
def test_a_table_that_unpacks_to_far_more_than_it_has_is_not_opened(values: Any) -> None:
    assert [*_refuse_table(_pack(polars.DataFrame({"a": values})))] == ["lab-table-large"]


def test_a_damaged_table_is_refused_or_measured() -> None:
    """Also where a header lies about sizes: nothing is unpacked to find out."""
    frame = polars.DataFrame(
        {"series": ["a", "b"] * 500, "game": range(1000), "won": [True] * 1000}
    )
    whole, rng = _pack(frame), Random(7)
    found = set[str]()
    for _ in range(3000):
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        found |= {*_refuse_table(bytes(data[: rng.choice([len(data), rng.randrange(len(data))])]))}
    assert [*_refuse_table(whole)] == []
    assert "lab-table-damaged" in found <= {"lab-table-damaged", "lab-table-large"}
