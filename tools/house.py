"""Measure the size of the package: ``python -m tools.house``.

Modules and lines of each room, the largest module, the lines of the tests; commands, options and
settings as a game master meets them.  ``ruff format`` decides how long a line is, so run it first.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import click

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "alexmagnum"


def count_lines(folder: Path) -> dict[Path, int]:
    """Return the number of lines of every Python file below a folder."""
    return {
        path: len(path.read_text(encoding="utf-8").splitlines())
        for path in sorted(folder.rglob("*.py"))
    }


def list_commands(command: click.Command) -> Iterator[click.Command]:
    """Yield the commands that do something: groups count only if they run by themselves."""
    if isinstance(command, click.Group):
        if command.invoke_without_command:
            yield command
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from list_commands(inner)
    else:
        yield command


def main() -> int:
    """Print all measures."""
    from alexmagnum.cli import app
    from alexmagnum.game.settings import SETTINGS

    package, tests = count_lines(PACKAGE), count_lines(ROOT / "tests")
    rooms: dict[str, list[int]] = defaultdict(list)
    for path, lines in package.items():
        parts = path.relative_to(PACKAGE).parts
        rooms[f"{parts[0]}/" if len(parts) > 1 else "(top)"].append(lines)
    print(f"{'room':14}modules  lines")
    for room, found in sorted(rooms.items(), key=lambda item: -sum(item[1])):
        print(f"{room:14}{len(found):7}{sum(found):7}")
    largest = max(package, key=lambda path: package[path])
    print(f"{'package':14}{len(package):7}{sum(package.values()):7}")
    print(f"{'tests':14}{len(tests):7}{sum(tests.values()):7}")
    print(f"median module {median(package.values()):.0f} lines, ", end="")
    print(f"largest {largest.relative_to(ROOT)} {package[largest]}")
    commands = list(list_commands(app))
    options = {  # an option that several commands share counts once
        (*option.opts, option.help)
        for command in commands
        for option in command.params
        if isinstance(option, click.Option)
    }
    print(f"{len(commands)} commands, {len(options)} options, {len(SETTINGS)} settings")
    return 0


if __name__ == "__main__":
    sys.exit(main())
