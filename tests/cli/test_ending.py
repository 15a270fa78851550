"""The command ``end``, votes that agree, the final report with its centres, ``amend --dry-run``."""

from collections.abc import Callable
from pathlib import Path

import pytest

from alexmagnum.game.desk import Desk
from alexmagnum.report.context import gather_open_phase, gather_past_phase
from tests.commands import NO_PICTURES, GameFolder, run_command
from tests.game.desks import dump
from tests.transcripts import play_transcript, read_transcripts


@pytest.fixture
def game(copied: Callable[[str, Callable[[Path], object]], Path]) -> GameFolder:
    """Make a game of two players on the standard map, in its second phase."""

    def build(folder: Path) -> None:
        players = ("--player", "France=Anna", "--player", "Italy=Bruno")
        options = ("--map", "standard", "--lang", "en", *players, *NO_PICTURES)
        run_command("new", "g", *options, cwd=folder)
        game = GameFolder(folder / "g")
        game.run("submit", "France", stdin="A PAR - BUR")
        game.run("process", "1901-spring", "--allow-missing")

    return GameFolder(copied("ending", build) / "g")


TRANSCRIPTS = read_transcripts(__file__)


@pytest.mark.parametrize("sentence", TRANSCRIPTS)
def test_at_the_end_of_a_game(sentence: str, game: GameFolder) -> None:
    def vote(kind: str, powers: str, *targets: str) -> None:
        with Desk.open(game.folder) as desk:
            for power in powers.split(","):
                desk.vote(power, kind, targets)

    def set_deadline_to_now() -> None:
        with Desk.open(game.folder) as desk:
            desk.set_deadline(desk.now())

    play_transcript(
        game.run, TRANSCRIPTS[sentence], vote=vote, set_deadline_to_now=set_deadline_to_now
    )


@pytest.mark.parametrize(
    ("options", "winners"),
    [
        (["--draw"], ["France", "Italy"]),
        (["--draw", "--among", "italy, TURKEY"], ["Italy", "Turkey"]),
        (["--concede", "france"], ["France"]),
        (["--solo", "Italy"], ["Italy"]),
        (["--abandon"], []),
    ],
)
def test_a_game_is_ended(game: GameFolder, options: list[str], winners: list[str]) -> None:
    ended = game.run("end", *options, "--reason", "as agreed", "--json").data
    assert ended["winners"] == winners
    assert ended["reason"] == "as agreed"
    assert len(ended["closing_seal"]) == 64
    status = game.run("status", "--json").data
    assert (status["over"], status["winners"]) == (True, winners)
    assert "as agreed" in game.run("status").out
    game.run("verify")
    history = game.run("history", "-n", "1").out
    assert "the game was ended" in history
    assert "as agreed" in history


def test_the_final_report_is_there_in_both_languages_and_all_formats(game: GameFolder) -> None:
    game.run("report", "final", status=1)
    game.run("end", "--draw")
    folder = game.folder / "reports" / "final"
    for lang, end in (("en", "a draw among France"), ("it", "in patta fra Francia")):
        for form, ending in (("text", "txt"), ("html", "html"), ("md", "md"), ("json", "json")):
            text = (folder / f"public.{lang}.{ending}").read_text(encoding="utf-8")
            assert end in text
            assert "A PAR - BUR" in text
            assert game.run("report", "final", "--format", form, "--lang", lang).out == text
    data = game.run("report", "final", "--json").data["sections"]
    assert {"end", "standings", "holders", "units", "seals", "check"} <= data.keys()
    assert "orders-1901-spring" in data


def test_the_final_report_goes_when_the_game_goes_on_again(game: GameFolder) -> None:
    """By undoing, or by restoring a copy of a game that went on."""
    folder = game.folder / "reports" / "final"
    game.run("end", "--draw")
    ended = {path.name for path in folder.iterdir()}
    game.run("undo")
    assert not folder.exists()
    game.run("redo")
    assert {path.name for path in folder.iterdir()} == ended

    copies = {copy["action"]: copy for copy in game.run("restore", "--json").data}
    assert copies["undo"]["phase"] == "1901-autumn-over"
    game.run("restore", str(copies["undo"]["number"]))
    assert folder.exists()
    game.run("restore", str(copies["redo"]["number"]))
    assert not folder.exists()
    assert game.run("status", "--json").data["phase"] == "1901-autumn"

    game.run("end", "--draw")
    (folder / "notes.txt").write_text("mine")
    game.run("undo")
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]


def test_names_in_the_final_report_are_in_the_readers_language(game: GameFolder) -> None:
    game.run("process", "1901-autumn", "--allow-missing")
    game.run("end", "--draw")
    text = game.run("report", "final", "--lang", "it").out
    assert "Inghilterra 1901" in text
    assert "England" not in text.partition("DI CHI SONO")[2].partition("GLI ORDINI")[0]
    assert "Ing" in text.partition("ANNO PER ANNO")[2][:200]


def test_a_rehearsed_amendment_is_printed_and_changes_nothing(game: GameFolder) -> None:
    game.run("submit", "France", stdin="A BUR - BEL")
    game.run("process", "1901-autumn", "--allow-missing")
    before = dump(game.folder)
    told = game.run("amend", "1901-spring", "France", "--dry-run", stdin="A PAR H").out
    assert dump(game.folder) == before
    assert "A PAR - BUR" in told
    assert "France: A BUR - BEL – " in told
    assert "Autumn 1901, movement (1901-autumn): France" in told
    assert "Nothing has been changed" in told
    data = game.run("amend", "1901-spring", "France", "--dry-run", "--json", stdin="A PAR H").data
    assert data["misfits"][0]["order"] == "A BUR - BEL"
    assert data["void"] == [{"phase": "1901-autumn", "powers": ["France"]}]
    done = game.run("amend", "1901-spring", "France", "--json", stdin="A PAR H").data
    assert {**done, "reports": []} == data


# The centres over the years, as the desk counts them for the chart of a report.


def _read_centre_counts(game: Path, phase: str) -> list[tuple[str, int, int]]:
    """Return the centres of Candragrupta and Cassandro after each phase, in a phase's report."""
    with Desk.open(game) as desk:
        tallies = gather_past_phase(desk, phase).centre_counts
    return [(str(t.after or ""), t.centres["CAN"], t.centres["CAS"]) for t in tallies]


@pytest.mark.proof
def test_centres_are_counted_after_each_period_of_picks_and_each_autumn(sample_game: Path) -> None:
    """The record begins before the first pick."""
    assert _read_centre_counts(sample_game, "323-1") == [("", 1, 0), ("323-1", 2, 1)]
    phases = [phase for phase, _, _ in _read_centre_counts(sample_game, "320-winter")]
    picks = [f"323-{period}" for period in range(1, 6)]
    assert phases == ["", *picks, "322-autumn", "321-autumn", "320-autumn"]
    with Desk.open(sample_game) as desk:
        assert str(gather_open_phase(desk).centre_counts[-1].after) == "320-autumn"


def test_a_report_knows_nothing_of_what_came_later(sample_game: Path) -> None:
    """An autumn counts itself once its retreats are over."""
    for phase, counted in (
        ("322-autumn", "323-5"),
        ("322-autumn-retreats", "322-autumn"),
        ("321-spring", "322-autumn"),
        ("321-autumn", "321-autumn"),
    ):
        assert _read_centre_counts(sample_game, phase)[-1][0] == counted
    assert _read_centre_counts(sample_game, "321-autumn")[-1][1:] == (9, 4)
