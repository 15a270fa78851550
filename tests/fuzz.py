"""``python -m tests.fuzz TARGET``: bytes that look for a way to break what reads others' files.

With ``--slice 500`` these are so many damaged copies of sound files, always the same ones.  Without
it atheris looks for bytes that lead somewhere new (``pip install atheris``; Linux): options are its
own (``-max_total_time=600``), a finding is written to ``crash-*``, and the name of a file runs that
file alone.  A finding is any error that is not one of the package, and what takes longer than
:data:`SECONDS` or more memory than :data:`MEGABYTES`.  Each becomes a test.
"""

import json
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import NamedTuple

from alexmagnum.board.map_check import check_map
from alexmagnum.board.map_file import maps_folder, read_map_text
from alexmagnum.campaign import first_position
from alexmagnum.cases.files import parse_cases
from alexmagnum.errors import AlexMagnumError
from alexmagnum.files import parse_json, parse_yaml
from alexmagnum.game.change_log import list_logs, read_log
from alexmagnum.game.desk import Desk
from alexmagnum.game.verify import find_faults as find_file_faults
from alexmagnum.game.verify import find_inconsistencies
from alexmagnum.lab.plan import parse_plan
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.parsing.html import read_page
from alexmagnum.mail.parsing.message import IncomingMail
from alexmagnum.mail.parsing.mime import clean_text, load_vocabulary
from alexmagnum.position import Position
from alexmagnum.report.sheet import read_fragment
from tests.board.little import write
from tests.commands import ROOT
from tests.game.desks import new_desk
from tests.mail.corpus_reader import CORPUS, check_message, ordered

SECONDS, MEGABYTES = 10, 1024
"""The limits of one input: seconds of the processor, and memory."""

TOKENS = (
    *(b"[" * 200, b"{" * 200, b"&a ", b"*a, " * 50, b"<<: *a", b"!!int ", b"1:" * 300, b"- " * 99),
    *(b"\x00", b"\xff", b"\r\n", b"\x1b[2J", b"\xe2\x80\xa8", b"9" * 5000, b"1e999", b"NaN", b'"'),
    *(b"x" * 300, b"../../", b"-1", b"null", b"true", b'{"base64": "eA=="}'),
)
"""What damage puts in."""


VALUES = (
    *(None, -1, 2**63 - 1, 0.5, "", "x", "7", "null", "[]", "{}", "[[[]]]", '{"a": 1}', "1e999"),
    *("../../x", "x" * 5000, "\x1b[2J", "a@b\r\nBcc: c@d", "0001-01-01T00:00:00Z", "TOL", "\ud800"),
    *({"base64": "eJwDAAAAAAE="}, "9999-99-99", "323-1", "1901-spring-over", True, "bot:search"),
)
"""What stands in the place of a value of an export."""


class Target(NamedTuple):
    """A reader: sound files for it, and what it does with one."""

    seeds: Callable[[Path], Iterable[bytes]]
    read: Callable[[bytes, Path], object]


def _read_text(read: Callable[[str], object]) -> Callable[[bytes, Path], object]:
    return lambda data, folder: read(data.decode("utf-8", "replace"))


def _files(*patterns: str) -> Callable[[Path], Iterable[bytes]]:
    return lambda folder: [p.read_bytes() for each in patterns for p in sorted(ROOT.glob(each))]


def _read_orders(text: str) -> None:
    ordered(IncomingMail("x", text=clean_text(text)), "TOL")


def _read_map(data: bytes, folder: Path) -> None:
    (folder / "map.json").write_bytes(data)
    check_map(folder / "map.json")


def _read_shapes(data: bytes, folder: Path) -> None:
    path = write(folder)
    path.with_suffix(".geojson").write_bytes(data)
    check_map(path)


def _make_map(folder: Path) -> list[bytes]:
    return [write(folder).read_bytes()]


def _make_game(folder: Path) -> Path:
    if not (folder / "all.json").exists():
        with new_desk(folder / "game") as desk:
            desk.submit("France", "A PAR H")
            desk.process("1901-spring", allow_missing=True)
            desk.export(folder / "all.json")
    return folder


def _import(data: bytes, folder: Path) -> None:
    (folder / "x.json").write_bytes(data)
    with (
        tempfile.TemporaryDirectory() as into,
        Desk.import_game(folder / "x.json", Path(into) / "game") as desk,
    ):
        desk.status()
        desk.history()
        Outbox(desk).list_letters()


def _import_changed(data: bytes, folder: Path) -> None:
    """Import a sound export in which other values stand; the bytes decide which."""
    random, export = Random(data), json.loads((folder / "all.json").read_text("utf-8"))
    for _ in range(random.randint(1, 3)):
        row = random.choice(random.choice([rows for rows in export["tables"].values() if rows]))
        row[random.choice(list(row))] = random.choice(VALUES)
    _import(json.dumps(export).encode(), folder)


def _open(data: bytes, folder: Path) -> None:
    """Look at a damaged file of a game, as ``check --integrity`` does."""
    with tempfile.TemporaryDirectory() as into:
        (Path(into) / "game.db").write_bytes(data)
        list(find_file_faults(Path(into)))
        with Desk.open(Path(into)) as desk:
            list(find_inconsistencies(desk))


def _read_log(data: bytes, folder: Path) -> None:
    (folder / "x.log").write_bytes(data)
    read_log(folder / "x.log")


def _make_links(folder: Path) -> list[bytes]:
    text = first_position(read_map_text((maps_folder() / "standard.json").read_text(), "").board)
    return [b"t:standard_1901-spring_Austria:AVIE", b"z:eNoDAAAAAAE", text.to_text().encode()]


TARGETS = {
    "mail": Target(lambda folder: CORPUS.values(), lambda data, folder: check_message(data)),
    "page": Target(
        _files("tests/mail/corpus/*.eml"),
        _read_text(lambda text: read_page(text, load_vocabulary())),
    ),
    "orders": Target(_files("orders/*.txt"), _read_text(_read_orders)),
    "yaml": Target(
        _files("orders/turn.yaml", "tests/cases/c*.yaml"),
        _read_text(lambda text: parse_cases("x", parse_yaml(text, "x"))),
    ),
    "json": Target(_make_map, _read_text(lambda text: parse_json(text, "x"))),
    "map": Target(_make_map, _read_map),
    "geojson": Target(_files("tests/board/little.geojson"), _read_shapes),
    "position": Target(_make_links, _read_text(Position.from_text)),
    "link": Target(_make_links, _read_text(read_fragment)),
    "plan": Target(
        _files("plans/*.toml"),
        lambda data, folder: parse_plan(data.decode("utf-8", "replace"), "x", ROOT / "plans"),
    ),
    "import": Target(lambda folder: [(_make_game(folder) / "all.json").read_bytes()], _import),
    "import-values": Target(
        lambda folder: [(_make_game(folder) / "all.json").read_bytes()[:300]], _import_changed
    ),
    "backup": Target(
        lambda folder: [(_make_game(folder) / "game" / "game.db").read_bytes()], _open
    ),
    "log": Target(
        lambda folder: [p.read_bytes() for p in list_logs(_make_game(folder) / "game")], _read_log
    ),
}


def damage(seeds: list[bytes], random: Random) -> bytes:
    """Return a sound file with some damage."""
    data = random.choice(seeds)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.choice((0, 1, 20, 400)))
        other = random.choice(seeds)
        cut = random.randrange(len(other) + 1)
        piece = random.choice(
            (random.choice(TOKENS), data[at:end] * random.choice((0, 2, 50)), other[cut:][:400])
        )
        data = data[:at] + piece + data[end:]
    return data


def try_one(target: Target, data: bytes, folder: Path) -> None:
    """Let a target read; raise whatever is a finding."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        target.read(data, folder)
    except AlexMagnumError:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _time_is_up(*_: object) -> None:
    # Not an error of a kind that anybody takes for a refusal.
    raise KeyboardInterrupt(f"longer than {SECONDS} seconds")


def run_slice(name: str, count: int) -> None:
    """Let a target read so many damaged files; raise the first finding, with its bytes kept."""
    import resource

    target, random = TARGETS[name], Random(name)
    with tempfile.TemporaryDirectory() as place:
        seeds = list(target.seeds(Path(place)))
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (MEGABYTES << 20),) * 2)
        signal.signal(signal.SIGPROF, _time_is_up)
        for number in range(count):
            data = damage(seeds, random)
            try:
                try_one(target, data, Path(place))
            except BaseException:
                Path(f"crash-{name}-{number}").write_bytes(data)
                raise


def main() -> int:
    name, *options = sys.argv[1:]
    if options[:1] == ["--slice"]:
        run_slice(name, int(options[1]))
        return 0
    if find_spec("atheris") is None:
        print("atheris is not installed: pip install atheris", file=sys.stderr)
        return 2
    import atheris

    target, budget = TARGETS[name], [f"-timeout={30 * SECONDS}", f"-rss_limit_mb={MEGABYTES}"]
    with tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory() as corpus:
        for number, data in enumerate(target.seeds(Path(place))):
            (Path(corpus) / str(number)).write_bytes(data)
        atheris.instrument_all()
        signal.signal(signal.SIGPROF, _time_is_up)
        own = [corpus] if all(option.startswith("-") for option in options) else []
        atheris.Setup(
            [sys.argv[0], *own, "-max_len=200000", *budget, *options],
            lambda data: try_one(target, data, Path(place)),
        )
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
