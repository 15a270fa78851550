"""The user's cache makes commands faster, and whatever happens to it changes nothing else."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from alexmagnum import load_board, user_cache
from alexmagnum.draw import base_map, name_store
from alexmagnum.draw.base_map import BaseMap, make_base_map
from alexmagnum.draw.labels import LabelPlacing, place_labels
from alexmagnum.slow_work import share_results
from alexmagnum.templates import make_environment
from alexmagnum.user_cache import find_cache_folder, read_cached, write_cached
from tests.commands import run_command

BOARD = load_board("standard")
"""A small map: its names are placed in less than a tenth of a second."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return an empty cache folder that is used within the test."""
    monkeypatch.setenv(user_cache.VARIABLE, str(tmp_path / "cache"))
    with share_results():
        yield tmp_path / "cache"


def _draw_anew(lang: str = "en") -> BaseMap:
    """Return the base map as a new process makes it."""
    base_map._with_names.cache_clear()
    return make_base_map(BOARD, lang)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows by a language whenever the names of a map are placed."""
    found: list[str] = []

    def place(placing: LabelPlacing) -> Any:
        found.append(placing.lang)
        return place_labels(placing)

    monkeypatch.setattr(name_store, "place_labels", place)
    return found


def test_names_are_placed_once_in_each_language(folder: Path, searches: list[str]) -> None:
    first = _draw_anew()
    again = _draw_anew()
    _draw_anew("it")

    assert searches == ["en", "it"]
    assert (first.names, first.atlas) == (again.names, again.atlas)
    assert len(list(folder.glob("names-*.json"))) == 2


def test_a_deleted_cache_is_made_again(folder: Path, searches: list[str]) -> None:
    first = _draw_anew()
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    again = _draw_anew()

    assert searches == ["en", "en"]
    assert first.names == again.names
    assert list(folder.glob("names-*.json"))


def _kept(folder: Path) -> tuple[Path, dict[str, Any]]:
    """Return the file with the names of the map, and what it holds."""
    (path,) = folder.glob("names-*.json")
    return path, json.loads(path.read_text("utf-8"))


def _set(index: int, value: object) -> Callable[[dict[str, Any]], None]:
    """Return a change of one value of the first name."""

    def change(raw: dict[str, Any]) -> None:
        raw["names"][0][index] = value

    return change


def _move_fleet(raw: dict[str, Any]) -> None:
    raw["slots"]["NTH"][0] = [3.0, 3.0]


def _move_army(raw: dict[str, Any]) -> None:
    raw["slots"]["MUN"][0][0] += 1.0


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "another map or program": lambda raw: raw.update(key="0" * 64),
    "no key": lambda raw: raw.pop("key"),
    "no names": lambda raw: raw.pop("names"),
    "a name less": lambda raw: raw["names"][0].pop(),
    "names in another order": lambda raw: raw["names"].reverse(),
    "a name twice": lambda raw: raw["names"].append(raw["names"][0]),
    "a province that is not on the map": _set(0, "XYZ"),
    "words that are not its name": _set(1, ["<script>"]),
    "words that are no words": _set(1, [["a"]]),
    "a place outside the province": _set(2, [0.0, 0.0]),
    "a place that is no number": _set(2, [float("nan"), 1.0]),
    "a place that is a word": _set(2, ["1", "2"]),
    "huge letters": _set(3, 900.0),
    "a name upside down": _set(4, 180.0),
    "a bend that no name has": _set(5, 3.0),
    "a fleet out of its sea": _move_fleet,
    "an army at another place": _move_army,
    "no places": lambda raw: raw.pop("slots"),
    "places that are none": lambda raw: raw.update(slots=[]),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_file_is_not_believed(folder: Path, searches: list[str], what: str) -> None:
    first = _draw_anew()
    path, raw = _kept(folder)
    CHANGES[what](raw)
    path.write_text(json.dumps(raw), "utf-8")
    again = _draw_anew()

    assert searches == ["en", "en"]
    assert (first.names, first.atlas) == (again.names, again.atlas)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe\x00", b"null", b"[]", b"[" * 100_000, b"0" * 5_000_000],
    ids=["empty", "cut off", "no text", "null", "list", "too deep", "too long"],
)
def test_a_damaged_file_is_replaced(folder: Path, searches: list[str], content: bytes) -> None:
    first = _draw_anew()
    path, raw = _kept(folder)
    path.write_bytes(content)
    again = _draw_anew()

    assert searches == ["en", "en"]
    assert first.names == again.names
    assert _kept(folder) == (path, raw)


posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no owners and modes of files")


@posix
def test_a_file_that_others_may_write_is_not_read(folder: Path) -> None:
    write_cached("names-a.json", "mine")
    (folder / "names-a.json").chmod(0o666)

    assert read_cached("names-a.json") is None


@posix
def test_a_folder_that_others_may_write_is_not_used(folder: Path) -> None:
    write_cached("names-a.json", "mine")
    folder.chmod(0o777)
    write_cached("names-b.json", "mine")

    assert read_cached("names-a.json") is None
    assert not (folder / "names-b.json").exists()


@posix
def test_links_and_pipes_are_not_read(folder: Path) -> None:
    write_cached("names-a.json", "mine")
    (folder / "names-b.json").symlink_to(folder / "names-a.json")
    os.mkfifo(folder / "names-c.json")

    assert read_cached("names-b.json") is None
    assert read_cached("names-c.json") is None


def test_files_are_the_users_alone(folder: Path) -> None:
    write_cached("names-a.json", "mine")

    assert read_cached("names-a.json") == b"mine"
    if os.name != "nt":
        modes = {stat.S_IMODE(path.stat().st_mode) for path in chain([folder], folder.iterdir())}
        assert modes == {0o700, 0o600}


@pytest.mark.parametrize("place", ["a file", "below a file", "no", ""])
def test_without_a_usable_folder_pictures_are_the_same(
    folder: Path, searches: list[str], monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    first = _draw_anew()
    folder.parent.joinpath("file").write_text("in the way", "utf-8")
    places = {"a file": folder.parent / "file", "below a file": folder.parent / "file" / "cache"}
    monkeypatch.setenv(user_cache.VARIABLE, str(places.get(place, place)))
    again = _draw_anew()

    assert searches == ["en", "en"]
    assert first.names == again.names


def test_old_files_of_a_kind_are_deleted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_cache, "_MOST", 3)
    write_cached("template-a.bin", b"other kind")
    for i in range(5):
        write_cached(f"names-{i}.json", "x")
        os.utime(folder / f"names-{i}.json", (i, i))
    write_cached("names-5.json", "x")

    assert sorted(path.name for path in folder.iterdir()) == [
        "names-3.json",
        "names-4.json",
        "names-5.json",
        "template-a.bin",
    ]


def test_many_may_write_at_once(folder: Path) -> None:
    """Read while others write: what is read is whole, whoever wrote it."""
    texts = {str(i) * 5000 for i in range(4)}
    with ThreadPoolExecutor(4) as pool:
        done = [
            pool.submit(copy_context().run, write_cached, "names-a.json", text)
            for text in [*texts] * 5
        ]
        seen = [read_cached("names-a.json") for _ in range(50)]
        assert all(job.result() is None for job in done)

    assert {text.decode() for text in seen if text is not None} <= texts
    assert [path.name for path in folder.iterdir()] == ["names-a.json"]


def test_a_change_of_map_language_or_program_is_another_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    base = make_base_map(BOARD, "en")
    placing = LabelPlacing(BOARD, base.atlas, base.grid, "en")
    ground = next(iter(base.atlas.grounds.values()))
    x, y = ground.rings[0][0]
    moved = replace(ground, rings=(((x + 0.001, y), *ground.rings[0][1:]), *ground.rings[1:]))
    atlas = replace(base.atlas, grounds={**base.atlas.grounds, ground.id: moved})
    keys = {
        name_store.make_key(placing),
        name_store.make_key(replace(placing, lang="it")),
        name_store.make_key(replace(placing, atlas=atlas)),
    }
    monkeypatch.setattr(name_store, "_digest_of_code", lambda: "another version")
    keys.add(name_store.make_key(placing))

    assert len(keys) == 4


def test_the_library_keeps_nothing_by_itself() -> None:
    assert find_cache_folder() is None


def test_a_damaged_template_is_compiled_again(folder: Path) -> None:
    def render() -> str:
        return make_environment("alexmagnum.draw").get_template("symbols.svg.j2").render()

    first = render()
    (path,) = folder.glob("template-*.bin")
    whole = path.read_bytes()
    path.write_bytes(whole[:200] + bytes([whole[200] ^ 255]) + whole[201:])

    assert render() == first
    assert path.read_bytes() == whole
    assert render() == first


def test_a_command_leaves_the_position_of_no_game_in_the_cache(
    tmp_path: Path, sample_game: Path
) -> None:
    """Draw a turn of a game and a part of it: the cache holds names of the empty map alone."""
    cache, game = tmp_path / "cache", str(sample_game)
    environment = {user_cache.VARIABLE: str(cache)}
    for options in ([], ["--around", "EGE"]):
        run_command(
            *("map", "draw", "alexmagnum", "-o", str(tmp_path / "map.svg"), *options),
            environment=environment,
        )
    run_command("--game", game, "status", environment=environment)
    kept = [json.loads(path.read_text("utf-8")) for path in cache.glob("names-*.json")]

    assert len(kept) <= 1
    for raw in kept:
        assert set(raw) == {"about", "key", "names", "slots"}
        assert set(raw["slots"]) == set(load_board("alexmagnum").provinces)


def test_a_command_finds_the_folder_that_the_system_has_for_caches(tmp_path: Path) -> None:
    """Ask in a new process, without the variable of the test run."""
    code = (
        "from alexmagnum.slow_work import share_results\n"
        "from alexmagnum.user_cache import find_cache_folder\n"
        "with share_results(): print(find_cache_folder())"
    )
    variables = {k: v for k, v in os.environ.items() if k != user_cache.VARIABLE}
    homes = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=variables | homes,
        capture_output=True,
        text=True,
        check=True,
    )

    assert str(tmp_path) in done.stdout
    assert "alexmagnum" in done.stdout
