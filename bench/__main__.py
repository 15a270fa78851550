"""``python -m bench``: speed of the judge and its peers, growth, what-if, mail, pictures..."""

from __future__ import annotations

import argparse
import importlib.util
import json
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from alexmagnum.board.map_file import load_board
from alexmagnum.board.model import Board
from bench import batch, bots, case_files, growth, mail, page, process, site, waiting, whatif
from bench.engines import ENGINES
from bench.intake import time_fetch
from bench.other_build import name_build, start_other_build
from bench.peers import Diplomacy, DiplomacyText, Engine, Pydip, PydipWithCommands
from bench.pictures import measure_pictures
from bench.positions import Sample, load
from bench.startup import list_commands
from bench.timing import LocalRacer, race, start_up

PEERS: dict[str, tuple[Callable[[Board], Engine], Callable[[Board], Engine]]] = {
    "pydip": (Pydip, PydipWithCommands),
    "diplomacy": (Diplomacy, DiplomacyText),
}
"""By package: the engine timed alone, and the one that also builds its input in the call."""
QUICK_POSITIONS = 40


def main(argv: Sequence[str] | None = None) -> int:
    """Measure what the arguments choose, and print a table or JSON."""
    args = _arguments(argv)
    samples = load(QUICK_POSITIONS if args.quick else None)
    figures: dict[str, Any] = {
        "python": f"{platform.python_implementation()} {platform.python_version()}, {name_build()}",
        "positions": len(samples),
        "orders": sum(len(sample.units) for sample in samples),
    }
    for name, measure in MEASUREMENTS.items():
        if args.only in (None, name):
            figures[name] = measure(samples, args)
    print(json.dumps(figures, indent=2) if args.json else _table(figures))
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="Measure the speed of the judge beside the packages pydip and diplomacy "
        "(pip install '.[bench]'; a missing one is skipped), how it grows, of what-if, mail, "
        "of games of bots, of processing a phase, of starting the command, of drawing a turn, and "
        "of the judge in a page.",
    )
    parser.add_argument("--quick", action="store_true", help="fewer positions and rounds")
    parser.add_argument("--rounds", type=int, default=15, help="default %(default)s")
    parser.add_argument("--only", choices=tuple(MEASUREMENTS), help="some of the figures")
    parser.add_argument("--json", action="store_true", help="figures as JSON")
    return parser.parse_args(argv)


def _engines() -> list[Engine]:
    """Return our engines and those of the installed peers, engines to compare side by side."""
    ours: list[Engine] = [engine() for engine in ENGINES]
    board = load_board("standard")
    peers: list[Engine] = []
    for package, (bare, inclusive) in PEERS.items():
        if importlib.util.find_spec(package) is None:
            print(f"{package} is not installed: left out", file=sys.stderr)
            continue
        peers += [bare(board), inclusive(board)]
    return ours + peers


def _measure_rates(samples: Sequence[Sample], args: argparse.Namespace) -> list[dict[str, Any]]:
    rounds, engines = 3 if args.quick else args.rounds, _engines()
    with start_other_build(len(samples)) as others:
        rates = race([*map(LocalRacer, engines), *others], samples, rounds)
        base = Pydip.name if Pydip.name in rates.rounds else engines[0].name
        known = [list_units(engines[0], sample) for sample in samples]
        return [
            {
                "engine": name,
                "per_second": round(rates.median(name)),
                "ratio": round(rates.ratio(name, base), 2),
                "ratio_to": base,
                "differs": sum(a != b for a, b in zip(known, units, strict=True)),
            }
            for name, units in [
                *((e.name, [list_units(e, sample) for sample in samples]) for e in engines),
                *((other.name, other.list_units()) for other in others),
            ]
        ]


def list_units(engine: Engine, sample: Sample) -> Mapping[str, str]:
    """Return the power of each unit that an engine leaves in place."""
    return engine.phase_result(engine.run(engine.prepare(sample))).units


def _measure_mail(samples: Sequence[Sample], args: argparse.Namespace) -> list[dict[str, Any]]:
    messages = 200 if args.quick else 1_000
    times = time_fetch(messages)
    row = {"stage": "inbox fetch, all answered", "messages": messages}
    fetched = row | {name: round(value, 2) for name, value in times._asdict().items()}
    return [*mail.measure(2 if args.quick else 5), fetched]


def _measure_startup(samples: Sequence[Sample], args: argparse.Namespace) -> list[dict[str, Any]]:
    with list_commands(samples[0]) as commands:
        seconds = start_up(commands, 5 if args.quick else args.rounds)
    bare = next(iter(seconds.values()))
    return [
        {"command": name, "seconds": round(median, 4), "bare_starts": round(median / bare, 2)}
        for name, median in seconds.items()
    ]


def _measure_pictures(samples: Sequence[Sample], args: argparse.Namespace) -> list[dict[str, Any]]:
    figures = measure_pictures(3 if args.quick else args.rounds)
    return [
        {"picture": name, "seconds": round(seconds, 4), "bytes": size}
        for name, (seconds, size) in figures.items()
    ]


def _measure_lab(samples: Sequence[Sample], args: argparse.Namespace) -> list[dict[str, Any]]:
    if importlib.util.find_spec("distributed") is None:
        print("the lab is not installed (pip install '.[lab]'): left out", file=sys.stderr)
        return []
    from bench import lab

    return lab.measure(quick=bool(args.quick))


def _list_lab(rows: list[dict[str, Any]]) -> list[str]:
    from bench import lab

    return lab.list_lines(rows)


MEASUREMENTS: dict[str, Callable[[Sequence[Sample], argparse.Namespace], Any]] = {
    "rates": _measure_rates,
    "growth": lambda samples, args: growth.measure(2 if args.quick else 5),
    "batch": lambda samples, args: batch.measure(quick=args.quick),
    "whatif": lambda samples, args: whatif.measure(quick=args.quick),
    "bots": lambda samples, args: bots.measure(quick=args.quick),
    "lab": _measure_lab,
    "cases": lambda samples, args: case_files.measure(1 if args.quick else 5),
    "mail": _measure_mail,
    "process": lambda samples, args: process.measure(1 if args.quick else 5),
    "waiting": lambda samples, args: waiting.measure(1 if args.quick else 5),
    "startup": _measure_startup,
    "pictures": _measure_pictures,
    "site": lambda samples, args: site.measure(2 if args.quick else 0),
    "page": lambda samples, args: page.measure(2 if args.quick else 7),
}
"""By name, in the order of the table: measurements of the positions, as the arguments say."""


def _list_rates(rows: list[dict[str, Any]]) -> list[str]:
    lines = [f"{'engine':<50}{'per second':>11}{'ratio':>7}{'differ':>8}"]
    lines += ["{engine:<50}{per_second:>11}{ratio:>7.2f}{differs:>8}".format_map(r) for r in rows]
    lines += [f"ratio: to {rows[0]['ratio_to']}; differ: positions that {rows[0]['engine']}"]
    lines[-1] += " leaves with other units"
    return lines


def _list_whatif(rows: list[dict[str, Any]]) -> list[str]:
    return [f"{'what if, 45 units':<46}{'seconds':>9}{'sets a second':>15}"] + [
        f"{row['what']:<46}{row.get('seconds', ''):>9}{row.get('per_second', ''):>15}"
        for row in rows
    ]


def _list_mail(rows: list[dict[str, Any]]) -> list[str]:
    lines = [f"{'mail':<34}{'seconds':>11}{'messages':>12}"]
    return lines + ["{stage:<34}{seconds:>11.2f}{messages:>12}".format_map(r) for r in rows]


def _list_startup(rows: list[dict[str, Any]]) -> list[str]:
    lines = [f"{'command':<34}{'seconds':>11}{'bare starts':>15}"]
    row_format = "{command:<34}{seconds:>11.3f}{bare_starts:>15.2f}"
    return lines + [row_format.format_map(row) for row in rows]


def _list_pictures(rows: list[dict[str, Any]]) -> list[str]:
    lines = [f"{'the sample turn drawn':<34}{'seconds':>11}{'bytes':>15}"]
    return lines + ["{picture:<34}{seconds:>11.3f}{bytes:>15,}".format_map(r) for r in rows]


TABLES: dict[str, Callable[[list[dict[str, Any]]], list[str]]] = {
    "rates": _list_rates,
    "growth": growth.table,
    "batch": batch.table,
    "whatif": _list_whatif,
    "bots": bots.table,
    "lab": _list_lab,
    "cases": case_files.table,
    "mail": _list_mail,
    "site": site.table,
    "process": process.table,
    "waiting": waiting.table,
    "startup": _list_startup,
    "page": page.table,
    "pictures": _list_pictures,
}
"""By measurement, what makes the lines of its table, in their sequence."""


def _table(figures: dict[str, Any]) -> str:
    lines = ["{python}; {positions} positions, {orders} orders".format_map(figures)]
    for name, list_lines in TABLES.items():
        if rows := figures.get(name):
            lines += ["", *list_lines(rows)]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
