"""Every phase from the command line; unusual input and unwritable folders."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import NO_PICTURES, data_of, output_of, run_command
from tests.game.desks import change_by_hand

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


def test_all_picks_are_reported(tmp_path: Path) -> None:
    """R30: who named what, who got what, what stays free."""
    turn = _turn(tmp_path, PICKS)
    text = output_of("adjudicate", turn, "--lang", "en")
    data = data_of("adjudicate", turn)

    assert "Cyprus year 323 BC, period 2 of picks" in text
    assert "Pick ALE                           awarded" in text
    assert "Pick BAB                           nothing: named by Cassander as well" in text
    assert text.count("nothing: named by") == 2
    assert "void: outside the area in which this power picks" in text
    assert "(no order)                         nothing: no pick" in text
    assert "BAB (Babylon): named by several, still to be picked" in text
    assert data["phase"] == "323-2"
    assert data["awards"] == {"TOL": "ALE"}
    assert data["contested"] == ["BAB"]
    assert data["void"] == ["LIS", "AUT", "CAN"]
    assert data["owners_after"] == {"CAN": ["LAH"], "LIS": ["TRA"], "TOL": ["ALE"]}
    results = [entry["result"] for entry in data["orders"]]
    assert results == ["succeeds", "fails", "fails", "illegal"]


def test_only_the_awards_are_reported_where_the_map_says_so(tmp_path: Path) -> None:
    """R30: ``publish_picks: own`` keeps contested and void picks out of the report."""
    text = output_of("adjudicate", _turn(tmp_path, PICKS, publish_picks="own"), "--lang", "it")

    assert "Tolomeo: ALE (Alessandria)" in text
    assert not [secret for secret in ("BAB", "ATE", "Pick") if secret in text]


def test_picks_are_checked_one_power_at_a_time(tmp_path: Path) -> None:
    data = data_of("check", _turn(tmp_path, PICKS))

    assert [(entry["power"], entry["verdict"]) for entry in data["orders"]] == [
        ("TOL", "good"),
        ("SEL", "good"),
        ("CAS", "good"),
        ("CAN", "impossible"),
    ]
    assert data["orders"][3]["reason"] == "pick-outside"


def test_a_deployment_names_the_general(tmp_path: Path) -> None:
    """R31"""
    turn = _turn(tmp_path, DEPLOYMENT)
    text = output_of("adjudicate", turn, "--lang", "en")
    data = data_of("adjudicate", turn)

    assert "placed, as the general: no other was named" in text
    assert "Build F CEL                        void: a fleet cannot stand there" in text
    assert data["phase"] == "323-6"
    assert data["units_after"] == {"TOL": ["G ALE"], "CAN": ["G LAH"]}
    assert data["eliminated"] == ["SEL", "LIS", "AUT", "CAS"]


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


def test_a_phase_is_resolved_though_its_reports_cannot_be_written(game: Path) -> None:
    """Give the command again once the folder is writable."""
    (game / "reports" / "318-spring").write_text("in the way", encoding="utf-8")
    _, error = run(game, "process", "318-spring", "--allow-missing", status=1)

    assert "is done and stored" in error
    assert "'alexmagnum process 318-spring'" in error
    (game / "reports" / "318-spring").unlink()
    run(game, "process", "318-spring", "--allow-missing")
    assert (game / "reports" / "318-spring" / "public.en.txt").is_file()


def test_a_correction_whose_reports_cannot_be_written_names_the_way_out(
    game: Path, tmp_path: Path
) -> None:
    """Processing the last phase again resolves nothing, and writes the reports of all phases that
    were played again."""
    run(game, "process", "318-spring", "--allow-missing")
    open_phase = _open_phase(game)
    run(game, "process", open_phase, "--allow-missing")
    reports = game / "reports"
    reports.rename(tmp_path / "away")
    reports.write_text("in the way", encoding="utf-8")
    _, error = run(game, "amend", "318-spring", "TOL", "-", stdin=b"F TIR H", status=1)

    assert "is done and stored" in error
    assert f"'alexmagnum process {open_phase}'" in error
    reports.unlink()
    (tmp_path / "away").rename(reports)
    run(game, "process", open_phase)
    for phase in ("318-spring", open_phase):
        assert (reports / f"{phase}-v2" / "public.en.txt").is_file()


def test_an_undo_whose_sheets_cannot_be_written_names_the_way_out(
    game: Path, tmp_path: Path
) -> None:
    """Undoing twice would take back one phase too many."""
    run(game, "settings", "pictures", "yes")
    run(game, "settings", "mail_address", "gm@example.org")
    run(game, "process", "318-spring", "--allow-missing")
    open_phase = _open_phase(game)
    run(game, "process", open_phase, "--allow-missing")
    folder = game / "sheets"
    folder.rename(tmp_path / "away")
    folder.write_text("in the way", encoding="utf-8")
    _, error = run(game, "undo", status=1)

    assert "is done and stored" in error
    assert "'alexmagnum process 318-spring'" in error
    folder.unlink()
    run(game, "process", "318-spring")
    assert _open_phase(game) == open_phase
    assert (folder / open_phase).is_dir()


def test_an_empty_correction_is_refused(game: Path) -> None:
    """Treat an empty file as a mistake: it does not mean that a power ordered nothing."""
    run(game, "submit", "TOL", "orders/tolomeo.txt")
    run(game, "process", "318-spring", "--allow-missing")

    refused = run(game, "amend", "318-spring", "TOL", "-", status=1)[1]
    assert "nothing new to correct it with" in refused
    words = ("report", "999-spring", "--before", "Hail")
    assert "999-spring" in run(game, *words, status=1)[1], "there is no such phase"


def test_orders_sent_ahead_get_a_receipt_when_they_count(game: Path) -> None:
    """So that their player has the seal to compare."""
    mail = b"F Tiro ferma\n\nRitirate:\nF CRE - ION\n"
    run(game, "submit", "CAS", "-", stdin=mail)
    run(game, "submit", "TOL", "orders/tolomeo.txt")
    run(game, "process", "318-spring", "--allow-missing")

    receipts = sorted(path.name for path in (game / "drafts").glob("receipt-318-spring-retreats*"))
    assert receipts == ["receipt-318-spring-retreats-CAS-1.en.txt"]


def test_a_phase_without_deadline_sets_none_back(game: Path) -> None:
    """Counted from each other, deadlines are never before the last that was scheduled."""
    run(game, "settings", "next_deadline", "deadline")
    run(game, "deadline", "set", "in 90 days")
    scheduled = json.loads(run(game, "status", "--json")[0])["deadline"]
    run(game, "process", "318-spring", "--allow-missing")
    run(game, "deadline", "set", "none")
    phase = _open_phase(game)
    run(game, "process", phase, "--allow-missing")

    assert json.loads(run(game, "status", "--json")[0])["deadline"] >= scheduled


def test_the_mail_of_another_or_of_another_season_is_pointed_out(game: Path) -> None:
    """Without showing an order: whose it may be, and that nothing in it counts."""
    run(game, "submit", "TOL", "orders/tolomeo.txt")
    foreign, _ = run(game, "submit", "TOL", "orders/seleuco.txt")
    late, _ = run(game, "submit", "TOL", "-", stdin=b"Autumn 318\nF TIR - ISS\n")

    assert "for units of Seleucus: did the right player send this mail?" in foreign
    assert "below the heading of another season" in late
    for printed in (foreign, late):
        assert "the earlier orders stay in force" in printed
        assert "TIR" not in printed
        assert "BAB" not in printed.split("receipt")[1].split(":")[0]


def test_results_that_are_only_worded_otherwise_verify(game: Path) -> None:
    """Verify a game of an earlier version, which used other sentences."""
    run(game, "process", "318-spring", "--allow-missing")
    change_by_hand(game, "UPDATE resolved SET sentence_en = 'it went well' WHERE id = 1")
    assert "its text differs" in run(game, "verify")[0]
    change_by_hand(game, "UPDATE resolved SET result = 'void' WHERE id = 1")
    run(game, "verify", status=1)


def test_the_deadlines_that_come_are_listed(game: Path) -> None:
    """List them in words and as data; a retreat phase names the moves that it depends on."""
    shown, _ = run(game, "deadline", "show", "--ahead", "3", "--lang", "en")
    data = json.loads(run(game, "deadline", "show", "--ahead", "3", "--json")[0])

    assert shown.splitlines()[0].startswith("Deadline: ")
    assert len(shown.splitlines()) == 6
    assert "(318-spring-retreats)" in shown.splitlines()[2]
    assert shown.splitlines()[2].endswith("if a unit is dislodged")
    assert [each["phase"] for each in data["ahead"]] == [
        "318-spring-retreats",
        "318-autumn",
        "318-autumn-retreats",
    ]
    assert len(run(game, "deadline", "show")[0].splitlines()) == 1


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
