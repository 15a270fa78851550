"""Every phase from the command line; unusual input and unwritable folders."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import copyfile

import pytest

from tests.commands import NO_PICTURES, ROOT, data_of, output_of, run_command
from tests.game.desks import change_by_hand
from tests.transcripts import play_transcript, read_transcripts

PICKS = """
map: alexmagnum
phase: picks
period: 2
centers: {CAN: [LAH], LIS: [TRA]}
orders:
  TOL: [Alessandria]
  SEL: [Scelgo Babilonia]
  CAS: [Pick BAB]
  CAN: [Pick ATE]
"""

OWN = "rules: {publish_picks: own}\n"

DEPLOYMENT = """
map: alexmagnum
phase: deployment
centers: {CAN: [LAH], TOL: [ALE, CEL]}
orders:
  TOL: [A Alessandria, Build F CEL]
  CAN: [G LAH]
"""

LAST_AUTUMN = """
map: alexmagnum
phase: autumn_moves
year: 301
nobility: {SEL: 1, LIS: 9}
centers: {TOL: [MEN], SEL: [TEB], LIS: [TRA]}
units: {SEL: [G NUB], TOL: [G TEB, A TRO]}
orders: {TOL: [A TRO S G TEB - NUB, G TEB - NUB]}
"""


def _turn(folder: Path, text: str, **rules: object) -> str:
    path = folder / "turn.yaml"
    path.write_text(text + f"rules: {json.dumps(rules)}\n", encoding="utf-8")
    return str(path)


TRANSCRIPTS = read_transcripts(__file__)


@pytest.mark.parametrize("sentence", TRANSCRIPTS)
def test_of_picks_and_deployment(sentence: str, tmp_path: Path) -> None:
    for name, text in {"picks": PICKS, "deployment": DEPLOYMENT, "own-picks": PICKS + OWN}.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    run = partial(run_command, cwd=tmp_path, environment={"LANG": "en"})
    play_transcript(run, TRANSCRIPTS[sentence])


def test_the_end_of_the_game_is_told(tmp_path: Path) -> None:
    """R34, and R2, R3: the last point of nobility."""
    turn = _turn(tmp_path, LAST_AUTUMN)
    for lang, said in (
        ("en", "the last year is over: Ptolemy wins (nobility: 10; centres: 1)"),
        ("it", "l'ultimo anno è finito: Tolomeo vince (nobiltà: 10; centri: 1)"),
    ):
        text = output_of("adjudicate", turn, "--lang", lang)
        assert said in text
        assert "0 (-1)" in text
    data = data_of("adjudicate", turn)
    on = data_of("adjudicate", _turn(tmp_path, LAST_AUTUMN, last_year=300))
    won = data_of("adjudicate", _turn(tmp_path, LAST_AUTUMN, victory_centres=1))

    assert (data["game_over"], data["winners"]) == (True, ["TOL"])
    assert (on["game_over"], on["winners"]) == (False, [])
    assert won["winners"] == ["TOL"]
    assert data["nobility"]["SEL"] == 0
    assert data["eliminated"] == ["AUT", "CAS", "CAN"]


# Unusual input and unwritable folders: nothing is lost, and the command says what to do.


def run(folder: Path, *words: str, stdin: bytes = b"", status: int = 0) -> tuple[str, str]:
    """Run a command on the game in a folder; return what it printed on both outputs."""
    printed = run_command("--game", str(folder), *words, stdin=stdin, status=status)
    return printed.out, printed.err


@pytest.fixture
def game(copied: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """Begin a game that takes over the sample turn."""

    def build(folder: Path) -> None:
        turn = ("--from", "orders/turn.yaml")
        run_command("new", str(folder / "game"), "--lang", "en", *NO_PICTURES, *turn)

    return copied("edge-cases", build) / "game"


def _open_phase(game: Path) -> str:
    phase = json.loads(run(game, "status", "--json")[0])["phase"]
    assert isinstance(phase, str)
    return phase


def test_a_mail_in_another_encoding_is_read_and_said(game: Path, tmp_path: Path) -> None:
    """Latin-1 as mail programs save it, on standard input and from a file."""
    mail = "È la mia mossa:\nF Tiro ferma\n".encode("cp1252")
    (tmp_path / "mail.txt").write_bytes(mail)

    for words, stdin in ((("-",), mail), ((str(tmp_path / "mail.txt"),), b"")):
        printed, notice = run(game, "submit", "TOL", *words, stdin=stdin)
        assert "understood: 1" in printed
        assert "cp1252" in notice


EDGES = read_transcripts(__file__, "edge_cases")


@pytest.mark.parametrize("sentence", EDGES)
def test_at_the_edge(sentence: str, game: Path, tmp_path: Path) -> None:
    for name in ("tolomeo.txt", "seleuco.txt"):
        copyfile(ROOT / "orders" / name, game / name)

    def block(name: str) -> None:
        if (game / name).exists():
            (game / name).rename(tmp_path / "away")
        (game / name).write_text("in the way", encoding="utf-8")

    def unblock(name: str) -> None:
        (game / name).unlink()
        if (tmp_path / "away").exists():
            (tmp_path / "away").rename(game / name)

    def exists(name: str) -> None:
        assert (game / name).exists(), name

    def exists_only(pattern: str) -> None:
        assert len(list(game.glob(pattern))) == 1

    acts: dict[str, Callable[..., None]] = {
        "block": block,
        "unblock": unblock,
        "exists": exists,
        "exists_only": exists_only,
        "change": partial(change_by_hand, game),
    }
    play_transcript(partial(run_command, cwd=game), EDGES[sentence], **acts)


def test_a_phase_without_deadline_sets_none_back(game: Path) -> None:
    """Counted from each other, deadlines are never before the last that was scheduled."""
    run(game, "settings", "next_deadline", "deadline")
    run(game, "deadline", "set", "in 90 days")
    scheduled = json.loads(run(game, "status", "--json")[0])["deadline"]
    run(game, "process", "318-spring", "--allow-missing")
    run(game, "deadline", "set", "none")
    run(game, "process", _open_phase(game), "--allow-missing")
    assert json.loads(run(game, "status", "--json")[0])["deadline"] >= scheduled


def test_an_import_has_all_reports_again_and_report_all_writes_them_at_any_time(
    game: Path, tmp_path: Path
) -> None:
    run(game, "process", "318-spring", "--allow-missing")
    run(game, "process", _open_phase(game), "--allow-missing")
    run(game, "export", str(game / "all.json"))
    written = _reports(game)
    again, bare = tmp_path / "again", tmp_path / "bare"
    run(tmp_path, "import", str(game / "all.json"), str(again))
    run(tmp_path, "import", str(game / "all.json"), str(bare), "--no-reports")
    assert len(written) > 2
    assert _reports(again) == written
    assert _reports(bare) == {}
    (game / "reports" / "318-spring" / "public.en.txt").unlink(missing_ok=True)
    for folder in (game, bare):
        run(folder, "report", "--all")
        assert _reports(folder) == written


def _reports(game: Path) -> dict[str, bytes]:
    folder = game / "reports"
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("rules.victory_centres", "4", "Russia has enough centres for a victory at the start (4)"),
        ("rules.last_year", "1890", "the years count down, from 1901 to 1890"),
    ],
)
def test_new_refuses_switches_with_which_the_start_cannot_be_played(
    tmp_path: Path, name: str, value: str, words: str
) -> None:
    place = tmp_path / "game"
    arguments = ("new", str(place), "--map", "standard", "--set", f"{name}={value}")
    result = run_command(*arguments, "--lang", "en", status=2)
    assert "this map cannot be played on" in result.err
    assert words in result.err
    assert not place.exists()
