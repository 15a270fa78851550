"""docs/game-file.md names every table, and its queries run on a real game."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from alexmagnum.game.file import FILE
from alexmagnum.game.schema import TABLES
from tests.game.desks import new_desk, play

PAGE = (Path(__file__).parents[2] / "docs" / "game-file.md").read_text("utf-8")

QUERIES = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)


def test_every_table_is_described() -> None:
    described = {
        name
        for line in PAGE.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    }

    assert described == set(TABLES) | {"units", "centres", "nobility"}


@pytest.mark.parametrize("query", QUERIES)
def test_the_queries_give_something(tmp_path: Path, query: str) -> None:
    with new_desk(tmp_path, "alexmagnum") as desk:
        play(desk, 24, seed=3)
        desk.undo()
    db = sqlite3.connect(tmp_path / FILE)
    if "EGE#2" in query:
        unit = db.execute("SELECT unit FROM results WHERE unit LIKE 'F %' LIMIT 1").fetchone()[0]
        query = query.replace("F EGE#2", unit)
    assert db.execute(query).fetchall()
    db.close()


def test_there_are_three_queries() -> None:
    assert len(QUERIES) == 3


def test_the_line_leaves_out_what_was_undone_and_amended(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        play(desk, 5)
        desk.undo()
        desk.amend("1901-spring", "France", "A PAR H")
        names = [record.name for record in desk.phases()]
    db = sqlite3.connect(tmp_path / FILE)
    assert [row[0] for row in db.execute("SELECT name FROM line")] == names
    versions = db.execute("SELECT DISTINCT phase, version FROM results").fetchall()
    assert ("1901-spring", 2) in versions
    assert ("1901-spring", 1) not in versions
    db.close()


@pytest.mark.parametrize("board", ["standard", "alexmagnum"])
def test_positions_are_shown_row_by_row(tmp_path: Path, board: str) -> None:
    with new_desk(tmp_path, board) as desk:
        play(desk, 14)
        game = desk
        db = sqlite3.connect(tmp_path / FILE)
        for phase in game.phase_rows():
            position = game.find_position(phase.id)
            standing = [(unit, "", "") for unit in position.units]
            off = [(d.unit, str(d.by), ", ".join(d.retreats)) for d in position.dislodged]
            wanted = {
                "units": {
                    (unit.power, unit.kind, unit.province, unit.coast, unit.number, by, retreats)
                    for unit, by, retreats in (*standing, *off)
                },
                "centres": set(position.owners.items()),
                "nobility": set(position.nobility.items()),
            }
            columns = {
                "units": "power, kind, province, coast, number, dislodged_by, retreats",
                "centres": "centre, power",
                "nobility": "power, points",
            }
            for view, names in columns.items():
                sql = f"SELECT {names} FROM {view} WHERE phase = ?"
                assert set(db.execute(sql, [phase.id])) == wanted[view]
        db.close()
