"""Imports point one way, and the core knows nothing of files, terminals or the web."""

import ast
from functools import cache
from pathlib import Path

import networkx
import pytest
import yaml

import alexmagnum
from tests.commands import list_loaded, run_command
from tests.each import check_each

PACKAGE = Path(alexmagnum.__file__).parent

ROOMS = tuple(
    """
    builds frozen values errors files i18n board orders units position notation judge campaign
    cases whatif bots play lab page_judge draw game report site mail.parsing mail.transport
    mail.composition mail workflow cli
    """.split()  # noqa: SIM905 (29 quoted words would be as many lines)
)
"""The rooms from the bottom up: a room may import those before it."""

CORE = tuple(
    """
    frozen values errors board units position orders notation judge campaign
    """.split()  # noqa: SIM905 (10 quoted words would be as many lines)
)

EFFECTS = {"click", "sqlite_utils", "sqlite3", "jinja2", "yaml", "random", "time", "datetime"}

MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.relative_to(PACKAGE).parts[0] not in ("__init__.py", "__main__.py")
}
"""The files of the package by module name, without the package's own name."""


def _room(module: str) -> str:
    """Return the room of a module: the longest room name that its name begins with."""
    return max((room for room in ROOMS if f"{module}.".startswith(f"{room}.")), key=len)


@cache
def _imported(module: str) -> frozenset[tuple[str, str]]:
    """Return every module named in an import anywhere in a file, also for type checking, with each
    name taken from it."""
    found: set[tuple[str, str]] = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update((node.module, alias.name) for alias in node.names)
    return frozenset(found)


@cache
def _own_imports(module: str) -> frozenset[str]:
    """Return the modules of this package that a module imports.

    ``from alexmagnum.mail import lock`` counts as an import of the file ``mail/transport.py``;
    of the package file ``mail/__init__.py`` only where a name is taken from it.
    """
    found = set()
    for source, name in _imported(module):
        inner = f"{source}.{name}".removeprefix("alexmagnum.")
        found.add(inner if inner in MODULES else source.removeprefix("alexmagnum."))
    return frozenset(found & MODULES.keys() - {module})


def test_every_module_is_in_a_room() -> None:
    assert {_room(module) for module in MODULES} == set(ROOMS)


def _check_imports(module: str) -> None:
    allowed = ROOMS[: ROOMS.index(_room(module)) + 1]

    assert {name for name in _own_imports(module) if _room(name) not in allowed} == set()


def test_a_file_imports_only_its_own_room_and_the_rooms_below() -> None:
    check_each([(module,) for module in MODULES], _check_imports)


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = networkx.DiGraph((a, b) for a in MODULES for b in _own_imports(a))
    assert [
        sorted(found) for found in networkx.strongly_connected_components(graph) if len(found) > 1
    ] == []


@pytest.mark.parametrize("module", [name for name in MODULES if _room(name) in CORE])
def test_the_core_has_no_clock_no_chance_and_no_terminal(module: str) -> None:
    assert not {source.split(".")[0] for source, _ in _imported(module)} & EFFECTS


HEAVY = ("networkx", "jinja2", "sqlite_utils", "yaml", "alexmagnum.judge")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    """The command answers without networkx, jinja2, sqlite-utils or a YAML reader."""
    assert list_loaded(HEAVY, arguments) == []


def test_one_turn_is_adjudicated_without_networkx_sqlite_mail_and_drawing() -> None:
    unused = ("networkx", "sqlite_utils", "alexmagnum.mail", "alexmagnum.game.desk")
    drawing = ("alexmagnum.draw.pictures", "alexmagnum.draw.scene")
    assert list_loaded((*unused, *drawing), ["adjudicate", "orders/turn.yaml"]) == []


def test_the_table_for_contributors_lists_the_rooms_from_the_bottom_up() -> None:
    page = (PACKAGE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page.partition("| room | holds |")[2].partition("| `maps/`")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    listed = [name.strip("/").replace("/", ".") for cell in cells for name in cell.split("`")[1::2]]
    assert tuple(listed) == ROOMS


UNUSED_BY_LOOKING = ("alexmagnum.judge", "alexmagnum.draw", "jinja2", "networkx", "smtplib")
"""Packages that a command which only looks at the file has no use for."""


def test_looking_at_a_game_loads_neither_judge_nor_drawing(tmp_path: Path) -> None:
    """A movement phase, and the retreats that follow it."""
    turn = PACKAGE.parent / "bench" / "process_turn.yaml"
    here = {"ALEXMAGNUM_GAME": str(tmp_path / "game")}
    run_command("new", "game", "--from", str(turn), "--set", "pictures=no", cwd=tmp_path)

    assert list_loaded(UNUSED_BY_LOOKING, ["status"], here) == []

    for power, orders in yaml.safe_load(turn.read_text("utf-8"))["orders"].items():
        if power != "NEU":
            (tmp_path / "orders.txt").write_text("\n".join(orders), "utf-8")
            run_command("--game", "game", "submit", power, "orders.txt", cwd=tmp_path)
    run_command("--game", "game", "process", "317-spring", "--allow-missing", cwd=tmp_path)
    assert "317-spring-retreats" in run_command("--game", "game", "status", cwd=tmp_path).out

    for command in ("status", "history"):
        assert list_loaded(UNUSED_BY_LOOKING, [command], here) == []
