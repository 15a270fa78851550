"""The files in the folder of a game: reports, order sheets, and what a killed command left."""

import os
import re
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random

import pytest

from alexmagnum.cli import game_options
from alexmagnum.files import PART
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import FILE, GameFile
from alexmagnum.mail.outbox import Outbox
from alexmagnum.page_judge import load_bundle
from alexmagnum.report.materials import Materials, compose_sheets
from alexmagnum.workflow import publish
from tests.commands import ROOT, GameFolder, run_command
from tests.mail.killed import KillPoint, is_killed
from tests.sizes import one_in, sampled, sized

# The pictures that are made with the reports of a phase, and the setting that leaves them out.


TURN = str(ROOT / "orders" / "turn.yaml")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> GameFolder:
    """Make a game with one phase processed with pictures, and the next one without."""
    home = tmp_path_factory.mktemp("pictures")
    run_command("new", "game", "--from", TURN, "--lang", "it", cwd=home)
    table = GameFolder(home / "game")
    following = table.run("process", "318-spring", "--allow-missing", "--json").data["next"]
    table.run("settings", "pictures", "no")
    table.run("process", following, "--allow-missing")
    return table


def _reports(table: GameFolder, phase: str) -> Path:
    return table.folder / "reports" / phase


def test_two_files_of_a_phase_lie_in_its_folder_with_the_map_in_the_page(table: GameFolder) -> None:
    assert _names(_reports(table, "318-spring")) == {"public.it.html", "public.it.txt"}
    page = (_reports(table, "318-spring") / "public.it.html").read_text("utf-8")
    assert page.count('class="am-map"') == 1


def test_the_map_of_a_phase_is_drawn_on_demand(table: GameFolder, tmp_path: Path) -> None:
    for form in ("svg", "png"):
        table.run("report", "318-spring", "--format", form, "-o", str(tmp_path / f"map.{form}"))
    assert (tmp_path / "map.svg").read_text("utf-8").startswith("<svg")
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_without_pictures_the_reports_are_written_alone(table: GameFolder) -> None:
    folder = next(f for f in (table.folder / "reports").iterdir() if f.name != "318-spring")
    phase = table.run("status", "--json").data["phase"]
    assert 'class="am-map"' not in (folder / "public.it.html").read_text("utf-8")
    assert phase
    assert not (table.folder / "sheets" / phase).exists()


@pytest.mark.proof
def test_the_order_sheets_of_a_closed_phase_go_and_other_files_stay(tmp_path: Path) -> None:
    run_command("new", "game", "--from", TURN, "--lang", "it", "--player", "TOL=Ann", cwd=tmp_path)
    table = GameFolder(tmp_path / "game")
    following = table.run("process", "318-spring", "--allow-missing", "--json").data["next"]
    (table.folder / "sheets" / following / "notes.txt").write_text("my own", "utf-8")
    table.run("process", following, "--allow-missing")

    sheets = {path.name: len(list(path.iterdir())) for path in (table.folder / "sheets").iterdir()}
    assert sheets.pop(following) == 1, "what the game master put there stays"
    assert list(sheets) == [table.run("status", "--json").data["phase"]]


# ``sheet``, and the sheets that are written when a phase opens.


POWERS = ("SEL", "TOL", "LIS", "AUT", "CAS", "CAN")


@pytest.fixture(scope="module")
def sheets_game(tmp_path_factory: pytest.TempPathFactory) -> GameFolder:
    """Make a game from the sample turn; Anna of Tolomeo speaks English."""
    home = tmp_path_factory.mktemp("sheets")
    people = ("--player", "TOL=Anna <anna@example.org>", "--player", "SEL=Bruno <b@example.org>")
    run_command("new", "game", "--from", TURN, "--lang", "it", *people, cwd=home)
    sheets_game = GameFolder(home / "game")
    sheets_game.run("player", "set", "TOL", "--speaks", "en")
    return sheets_game


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_new_game_has_the_sheets_of_its_first_phase_in_its_players_languages(
    sheets_game: GameFolder,
) -> None:
    named = {"TOL.en.html", *(f"{power}.it.html" for power in ("AUT", "CAN", "CAS", "LIS", "SEL"))}
    assert _names(sheets_game.folder / "sheets" / "318-spring") == named
    data = sheets_game.run("sheet", "TOL", "SEL", "--json").data
    assert data["phase"] == "318-spring"
    assert [Path(path).name for path in data["sheets"].values()] == ["TOL.en.html", "SEL.it.html"]

    sheets_game.run("sheet", "TOL", "--lang", "it", "-o", "deep/tolomeo.html")
    text = (sheets_game.folder / "deep" / "tolomeo.html").read_text("utf-8")
    assert text.startswith('<!DOCTYPE html>\n<html lang="it">')


def test_processing_writes_the_sheets_of_those_who_owe_something(sheets_game: GameFolder) -> None:
    """After spring, that is who has to retreat; with no word of anybody's orders."""
    sheets_game.run("submit", "TOL", stdin="F FOC - TEB\nA MEN - SIW\n")
    sheets_game.run("submit", "LIS", stdin="F ICA#1 - CRE\n")
    done = sheets_game.run("process", "318-spring", "--allow-missing", "--json").data
    owing = set(done["due"])

    assert {name[:3] for name in _names(sheets_game.folder / "sheets" / done["next"])} == owing


def test_no_orders_and_no_addresses_of_players_are_in_a_sheet(tmp_path: Path) -> None:
    """Check that pending orders change no byte of it."""
    anna = ("--player", "TOL=Anna <anna@example.org>")
    run_command("new", "g", "--from", TURN, "--lang", "it", *anna, cwd=tmp_path)
    sheets_game = GameFolder(tmp_path / "g")
    before = sheets_game.folder / "sheets" / "318-spring" / "TOL.it.html"
    page = before.read_bytes()
    sheets_game.run("submit", "TOL", stdin="F FOC - TEB\n")
    sheets_game.run("submit", "SEL", stdin="A OPI - NIS\n")
    sheets_game.run("sheet", "TOL")
    assert before.read_bytes() == page
    words = page.replace(load_bundle().encode(), b"")  # signs that mean nothing
    assert words != page
    assert not re.search(rb"[\w.]+@[\w.]+\.\w+", words)


def test_a_turn_file_is_enough(tmp_path: Path) -> None:
    """Without a game; its orders are left aside."""
    run_command("sheet", "--turn", TURN, "--lang", "it", "--out", "out", cwd=tmp_path)
    run_command("sheet", "--turn", TURN, "tolomeo", "--lang", "en", "-o", "t.html", cwd=tmp_path)
    assert _names(tmp_path / "out") == {f"{power}.it.html" for power in POWERS}
    assert '<html lang="en">' in (tmp_path / "t.html").read_text("utf-8")


def test_what_cannot_be_is_said_in_a_line(tmp_path: Path) -> None:
    for arguments, said in (
        (("sheet", "--turn", TURN, "XYZ"), "XYZ"),
        (("sheet", "--turn", "missing.yaml", "TOL"), "missing.yaml"),
        (("sheet", "--turn", TURN, "TOL", "SEL", "-o", "t.html"), "folder"),
        (("sheet", "TOL"), "alexmagnum new"),
    ):
        assert said in run_command(*arguments, cwd=tmp_path, status=2).err


# A command is killed after its act: the next one, whichever it is, puts the folder right.


has_kill = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX")

SPRING, AUTUMN = "1901-spring", "1901-autumn"


def _kill_after_act(folder: Path, act: Callable[[Desk], object]) -> None:
    """Do an act in a child process that is killed before it publishes anything."""

    def work() -> None:
        publish.publish = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[assignment]
        with Desk.open(folder) as desk:
            act(desk)

    assert is_killed(work)


_MARK = re.compile(rb"(?<= )[0-9a-f]{16}(?=\")")


def _list_files(folder: Path) -> dict[str, bytes]:
    """Return the sheets and reports in a game's folder, by path, without what was begun lately."""
    found = (path for place in ("sheets", "reports") for path in (folder / place).rglob("*.*"))
    whole = (path for path in found if path.is_file() and path.suffix != PART)
    # The mark of a game, which an import has of its own.
    return {str(path.relative_to(folder)): _MARK.sub(b"", path.read_bytes()) for path in whole}


def _run(folder: Path, *arguments: str) -> str:
    return run_command("--game", str(folder), *arguments, cwd=folder.parent).out


@pytest.fixture
def autumn(copied: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """Make a game of two powers in autumn 1901."""

    def build(folder: Path) -> None:
        turn = folder / "turn.yaml"
        turn.write_text(
            "{map: standard, phase: spring_moves, year: 1901,"
            " units: {Turkey: [A CON], Russia: [F SEV]}}",
            encoding="utf-8",
        )
        run_command("new", "g", "--from", str(turn), "--lang", "en", cwd=folder)
        _run(folder / "g", "process", SPRING, "--allow-missing")

    return copied("mended-folder", build) / "g"


def test_the_order_sheets_name_the_deadline_that_was_set_last(autumn: Path) -> None:
    (sheet, *_) = sorted((autumn / "sheets" / AUTUMN).iterdir())
    for act in (("set", "+30d"), ("extend", "1", "day"), ("pause",), ("resume",)):
        _run(autumn, "deadline", *act)
        with Desk.open(autumn) as desk:
            (fresh, *_) = compose_sheets(Materials(desk))
        assert sheet.read_text(encoding="utf-8") == fresh.page, act

    with Desk.open(autumn) as desk:  # a command that is killed after its act
        desk.set_deadline(datetime(2031, 11, 22, tzinfo=UTC))
    _run(autumn, "status")
    assert "2031" in sheet.read_text(encoding="utf-8")


def _undo(desk: Desk) -> None:
    desk.undo()
    publish.publish(desk)


@has_kill
def test_a_final_report_does_not_outlive_an_undo_that_was_killed(autumn: Path) -> None:
    _run(autumn, "end", "--abandon")
    assert (autumn / "reports" / "final").is_dir()
    _kill_after_act(autumn, _undo)
    _run(autumn, "status")
    assert not (autumn / "reports" / "final").exists()
    assert {path.name for path in (autumn / "sheets").iterdir()} == {AUTUMN}


def _kill(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _run_alone(place: Path, *arguments: str) -> None:
    run_command(*arguments, cwd=place, separate=False)


@has_kill
def test_an_import_that_was_killed_gets_its_reports(autumn: Path) -> None:
    folder, export = autumn.parent / "killed", str(autumn.parent / "game.json")
    _run(autumn, "export", export)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publish, "write_reports", _kill)
        assert is_killed(partial(_run_alone, autumn.parent, "import", export, str(folder)))
    _run(folder, "status")
    run_command("import", export, "twin", cwd=autumn.parent)
    run_command("import", export, "bare", "--no-reports", cwd=autumn.parent)
    _run(autumn.parent / "bare", "status")

    assert _list_files(folder) == _list_files(autumn.parent / "twin") != {}
    assert _list_files(autumn.parent / "bare") == {}


@has_kill
def test_the_files_of_letters_dropped_by_a_killed_command_go(autumn: Path) -> None:
    _run(autumn, "settings", "mail_address", "game@example.org")
    _run(autumn, "player", "set", "Turkey", "Anna <anna@example.org>")
    (dropped,) = (autumn / "drafts").glob("*.eml")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Outbox, "tidy", _kill)
        assert is_killed(partial(_run_alone, autumn, "undo"))
    _run(autumn, "status")

    assert not dropped.exists()


@has_kill
def test_a_command_killed_at_its_very_end_is_recognised_when_it_is_given_again(
    autumn: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files were all written; given twice on purpose, or with another text, it counts twice."""
    _run(autumn, "deadline", "set", SOON)
    _run(autumn, "settings", "mail_address", "game@example.org")
    _run(autumn, *REPLACE)
    for words, act, counts in (
        ("deadline extend 1d", "deadline-extend", 1),
        ("letter write --to Turkey orders.txt", "letter-write", 2),
    ):
        command = words.split()
        (autumn.parent / "orders.txt").write_text("Hail", encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(game_options, "follow_with_second_place", _kill)
            assert is_killed(partial(_run_in, autumn, *command))
        (autumn.parent / "orders.txt").write_text("Ave", encoding="utf-8")
        for times in range(3):
            _run_in(autumn, *command)
            assert _count_acts(autumn)[act] == counts + times


ORDERS = "../orders.txt"
SOON = str(date.today() + timedelta(days=30))
REPLACE = ("player", "replace", "Turkey", "Zoe <zoe@example.org>")

KILLED: dict[str, tuple[tuple[str, ...], ...]] = {
    "undo": (("undo",),),
    "redo": (("undo",), ("redo",)),
    "process": (("process", AUTUMN, "--allow-missing"),),
    "amend": (("amend", SPRING, "Turkey", ORDERS),),
    "extend": (("deadline", "extend", "2", "days"),),
    "deadline": (("deadline", "set", SOON),),
    "pause": (("deadline", "set", SOON), ("deadline", "pause")),
    "replace": (REPLACE,),
    "absent": (("player", "absent", "Turkey", "2031-11-01..2031-11-09"),),
    "standby": (("standby", "Zoe <zoe@example.org>"),),
    "letter": (("letter", "write", "--to", "Turkey", ORDERS),),
    "words": (("report", SPRING, "--before", "A quiet spring."),),
    "settings": (("settings", "sandbox", "no"),),
    "remind": (("outbox", "remind", "--all"),),
    "set": (("player", "set", "Turkey", "Zoe <zoe@example.org>"),),
    "submit": (("submit", "Turkey", ORDERS),),
    "end": (("end", "--abandon"),),
    "new": (("new", "g", "--from", "../turn.yaml", "--lang", "en", "--player", "Turkey=Anna"),),
    "import": (("import", "../game.json"),),
}
"""Commands that write, with what comes before them."""


@has_kill
@sampled
@pytest.mark.parametrize("act", one_in(9, KILLED))
def test_the_next_command_writes_what_one_killed_anywhere_left(autumn: Path, act: str) -> None:
    """Folder, letters and journal are then those of a game in which nothing was killed; given
    again after its act, the command is recognised."""
    *before, command = KILLED[act]
    home = autumn.parent
    (home / "orders.txt").write_text("A CON - BUL\n", encoding="utf-8")
    for name, value in {"mail_address": "game@example.org", "reports": "draft"}.items():
        _run(autumn, "settings", name, value)
    _run(autumn, "player", "set", "Turkey", "Anna <anna@example.org>")
    for each in before:
        _run(autumn, *each)
    _run(autumn, "export", str(home / "game.json"))
    acts, chance = _count_acts(autumn), Random(act)

    def begin(name: str) -> Path:
        folder = home / name / "g"
        if act in ("new", "import"):
            folder.parent.mkdir()
            return folder
        return Path(shutil.copytree(autumn, folder))

    _run_until(twin := begin("twin"), command, steps := KillPoint())
    wanted, counted = _look(twin), _count_acts(twin)
    for number in range(sized(1, 6)):
        folder, point = begin(str(number)), KillPoint(chance.randrange(min(steps.passed, 40)))
        is_killed(partial(_run_until, folder, command, point))
        is_stored = (folder / FILE).exists() and _count_acts(folder) != acts
        if not is_stored or (number % 2 and act in ["undo", "redo", "amend", "extend", "words"]):
            _run_in(folder, *command)
        _run(folder, "status")
        assert (_count_acts(folder), _look(folder)) == (counted, wanted), (number, point.last)


def _run_in(folder: Path, *command: str) -> None:
    place = () if command[0] == "new" else ("--game", folder.name)
    run_command(*place, *command, cwd=folder.parent, separate=False)


def _run_until(folder: Path, command: tuple[str, ...], point: KillPoint) -> None:
    """Run a command; every transaction, and every other file that is written, is a step."""
    replace, configure = Path.replace, GameFile._configure

    def step(path: Path, target: Path) -> Path:
        point()
        return replace(path, target)

    def watch(file: GameFile) -> None:
        configure(file)
        words = ("BEGIN", "COMMIT", "INSERT")
        file.connection.set_trace_callback(lambda sql: point() if sql.startswith(words) else None)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", step)
        patch.setattr(GameFile, "_configure", watch)
        _run_in(folder, *command)


_SEAL = re.compile(r"\b[0-9A-F]{4}(?:-[0-9A-F]{4}){3}\b|\b[0-9a-f]{32}\b|^Received: .*", re.M)
"""Seals, salts and the time of a receipt: they differ from game to game."""


def _look(folder: Path) -> object:
    """Return the files in a game's folder, and its letters."""
    with Desk.open(folder) as desk:
        box = Outbox(desk)
        # The codes of a newcomer depend on when they came.
        codes = [row["code"] for row in desk.file.rows("SELECT code FROM codes")]
        chance = re.compile("|".join([_SEAL.pattern, *codes]), _SEAL.flags)
        letters = [
            (each.kind, each.power, each.phase, each.state, chance.sub("", box.text(each)))
            for each in box.list_letters()
        ]
    drafts = sorted(path.name for path in (folder / "drafts").iterdir() if path.suffix != PART)
    files = {name: chance.sub("", text.decode()) for name, text in _list_files(folder).items()}
    return letters, drafts, files


def _count_acts(folder: Path) -> Counter[str]:
    """Return how often each act stands in the journal."""
    with Desk.open(folder) as desk:
        return Counter(each.action for each in desk.history() if "mail" not in each.action)
