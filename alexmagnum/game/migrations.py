"""The steps that bring a game file from one version to the next.

Add a step here when the tables change: write a function, append it to ``_STEPS``, and update
``TABLES`` in :mod:`alexmagnum.game.schema`.  sqlite-utils runs the steps and records each one in
the table ``_sqlite_migrations``.  The number of the last step stands in ``PRAGMA user_version`` as
well, because that number is part of the file's header: a foreign or newer file is recognised by it
before anything is touched.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

from alexmagnum.game.schema import (
    BOT_COLUMNS,
    ENDINGS_TABLE,
    FIRST_TABLES,
    GM_LETTER_TABLES,
    GROUNDS_COLUMNS,
    INDEXES,
    LETTER_TABLES,
    LETTERS_TO_ANYBODY,
    MAIL_TABLES,
    STANDBY_TABLE,
    VIEWS,
)
from alexmagnum.game.tables import show_tables

if TYPE_CHECKING:
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations


def create_tables(db: Database) -> None:
    """Version 1: create the tables."""
    run_statements(db, FIRST_TABLES)


def create_indexes_and_views(db: Database) -> None:
    """Version 2: create indexes, and views of the current line of the game."""
    run_statements(db, INDEXES)
    for name, sql in VIEWS.items():
        db.create_view(name, sql)


def move_pause_to_phase(db: Database) -> None:
    """Version 3: store a pause with its phase, and in the undo log only switches that changed."""
    run_statements(
        db,
        """
ALTER TABLE phases ADD COLUMN seconds_left INTEGER;
UPDATE phases SET seconds_left = (SELECT seconds_left FROM games)
WHERE id = (SELECT head FROM games);
ALTER TABLE games DROP COLUMN seconds_left;
""",
    )
    for row in list(db.query("SELECT id, rules_before, rules_after FROM moves")):
        old, new = json.loads(row["rules_before"]), json.loads(row["rules_after"])
        names = sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
        db.execute(
            "UPDATE moves SET rules_before = ?, rules_after = ? WHERE id = ?",
            [_select_switches(old, names), _select_switches(new, names), row["id"]],
        )


def _select_switches(switches: Mapping[str, object], names: Sequence[str]) -> str:
    """Return the named switches as JSON, null for those that are not set."""
    selected = {name: str(switches[name]) if name in switches else None for name in names}
    return json.dumps(selected, separators=(",", ":"))


def create_mail_tables(db: Database) -> None:
    """Version 4: create the tables for mail that comes in and goes out.

    Their rows give a phase by name and not by number: a phase that an undo or an amendment opens
    again keeps its codes, press and votes.
    """
    run_statements(db, MAIL_TABLES)


def rename_undo_log(db: Database) -> None:
    """Version 5: call the undo log by its name; a move is an order."""
    db.rename_table("moves", "undo_log")


def split_letters(db: Database) -> None:
    """Version 6: say in columns what a letter is about, and keep the files of letters once."""
    from alexmagnum.game.letters_migration import copy_letters  # loads the standard library's mail

    run_statements(db, LETTER_TABLES)
    copy_letters(db.conn)
    db.execute("DROP TABLE outgoing")


def write_to_anybody(db: Database) -> None:
    """Version 7: several addresses a player, a standby list, letters to people without a power.

    The table of letters is made anew, because SQLite changes no conditions of a table.  The tables
    that refer to it are put aside meanwhile.
    """
    run_statements(db, STANDBY_TABLE)
    db.execute("ALTER TABLE players ADD COLUMN other_addresses TEXT NOT NULL DEFAULT '[]'")
    tables = ("letters", "letter_outcomes", "letter_attachments")
    made = {
        table: [
            sql
            for (sql,) in db.execute(
                "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL"
                " ORDER BY type DESC",
                [table],
            )
        ]
        for table in tables
    }
    for table in reversed(tables):
        db.execute(f"CREATE TEMP TABLE aside_{table} AS SELECT * FROM main.{table}")
        db.execute(f"DROP TABLE main.{table}")
    made["letters"] = [LETTERS_TO_ANYBODY, *made["letters"][1:]]
    for table in tables:
        for statement in made[table]:
            db.execute(statement)
        columns = [name for _, name, *_ in db.execute(f"PRAGMA temp.table_info(aside_{table})")]
        names = ", ".join(columns)
        db.execute(f"INSERT INTO main.{table} ({names}) SELECT {names} FROM temp.aside_{table}")
        db.execute(f"DROP TABLE temp.aside_{table}")


def add_gm_letters(db: Database) -> None:
    """Version 8: keep the letters to the game master, and the phase of a mail that waits."""
    run_statements(db, GM_LETTER_TABLES)
    db.execute(
        """UPDATE messages SET phase = (SELECT phases.name FROM phases
               JOIN games ON games.head = phases.id)
           WHERE state = 'waiting' AND power != '' AND phase = ''"""
    )


def create_endings(db: Database) -> None:
    """Version 9: create the table of the ends that a game master declares."""
    run_statements(db, ENDINGS_TABLE)


def keep_second_mail(db: Database) -> None:
    """Version 10: record which mails replace everything sent before, and keep the old rule.

    From here on a second mail adds to the first unless the game says otherwise.  A game that was
    begun before and never said goes on as it began: a second mail replaces the first.
    """
    run_statements(
        db,
        """
ALTER TABLE submissions ADD COLUMN fresh TEXT NOT NULL DEFAULT '';
UPDATE submissions SET fresh = 'phase' WHERE kind = 'clear';
INSERT OR IGNORE INTO settings (name, value)
SELECT 'second_mail', 'replace' WHERE EXISTS (SELECT 1 FROM games);
""",
    )


def record_grounds(db: Database) -> None:
    """Version 11: record what each draft rests on, so that no stale letter is sent."""
    run_statements(db, GROUNDS_COLUMNS)


def let_bots_play(db: Database) -> None:
    """Version 12: name the bots among the players, and keep the secret of their chance."""
    run_statements(db, BOT_COLUMNS)


_STEPS = (
    create_tables,
    create_indexes_and_views,
    move_pause_to_phase,
    create_mail_tables,
    rename_undo_log,
    split_letters,
    write_to_anybody,
    add_gm_letters,
    create_endings,
    keep_second_mail,
    record_grounds,
    let_bots_play,
)
"""The step to each version of the file, from an empty one."""

VERSION = len(_STEPS)


@cache
def list_migrations() -> Migrations:
    """Return the steps as sqlite-utils runs and records them."""
    from sqlite_utils.migrations import Migrations  # few commands meet a file of another version

    migrations = Migrations("alexmagnum")
    for step in _STEPS:
        migrations()(step)
    return migrations


def migrate(connection: sqlite3.Connection, to: int = VERSION) -> None:
    """Bring a file up to a version, in the transaction that is open."""
    db = show_tables(connection)
    if to == VERSION and not read_version(connection):
        _create_newest(db)
    else:
        _run_steps(db, to)


def _create_newest(db: Database) -> None:
    """Give an empty file the tables to which all steps lead, without a walk through the steps."""
    for statement in _list_newest_statements():
        db.execute(statement)
    _record_applied(db, VERSION, str(datetime.now(UTC)))
    db.execute(f"PRAGMA user_version = {VERSION}")


@cache
def _list_newest_statements() -> tuple[str, ...]:
    """Return the statements that create the newest tables: those of a file that took all steps."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        db = show_tables(connection)
        _run_steps(db, VERSION)
        listed = db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
        return tuple(str(sql) for (sql,) in listed)


def _run_steps(db: Database, to: int) -> None:
    _record_applied(db, read_version(db.conn))
    list_migrations().apply(db, stop_before=None if to == VERSION else _STEPS[to].__name__)
    db.execute(f"PRAGMA user_version = {to}")


def read_version(connection: sqlite3.Connection) -> int:
    """Return the version of a file, 0 if it is empty."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _record_applied(db: Database, version: int, at: str = "") -> None:
    """Record the steps up to a version where they are not recorded yet.

    They are not in a file that was made before sqlite-utils kept the record, and in a new file.
    """
    migrations = list_migrations()
    migrations.ensure_migrations_table(db)
    recorded = {applied.name for applied in migrations.applied(db)}
    db.table(migrations.migrations_table).insert_all(
        {"migration_set": migrations.name, "name": step.__name__, "applied_at": at}
        for step in _STEPS[:version]
        if step.__name__ not in recorded
    )


def run_statements(db: Database, script: str) -> None:
    """Run statements one by one, because ``executescript`` would end the transaction."""
    for statement in script.split(";\n"):
        if statement.strip():
            db.execute(statement)
