"""The sample game, played through the library or with the commands, and its approved reports.

    python -m tests.sample_game --approve

rewrites ``tests/approved`` with the reports as they are now: look at the difference first.
"""

import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from alexmagnum.game.desk import Desk
from alexmagnum.game.game import NewGame, Player, Surroundings
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.report.final_report import CODE as FINAL
from alexmagnum.report.materials import compose_report
from tools.demo import Turn, play, read_story

APPROVED = Path(__file__).parent / "approved"


def resolve_sample(folder: Path) -> None:
    """Play the sample game in a folder through the library, without reports."""
    story = read_story()
    players = [Player(p.power, p.name, p.address, p.lang) for p in story.players]
    new = NewGame(story.map, players=players, settings=story.settings)
    Desk.create(folder, new, Surroundings(lambda: story.begun)).close()
    for turn in story.turns:
        resolve_turn(folder, turn)


def resolve_turn(folder: Path, turn: Turn) -> None:
    """Play one phase of the sample game through the library."""
    time = turn.processed
    with Desk.open(folder, Surroundings(lambda: time)) as desk:
        for mail in turn.mails:
            if not mail.refused:
                time = mail.at
                desk.submit(mail.power, mail.path.read_text(encoding="utf-8"))
        time = turn.processed
        desk.process(turn.phase, allow_missing=turn.missing)


def play_sample(folder: Path) -> dict[str, str]:
    """Play the sample game with the commands, without pictures; return its public text reports,
    each as composed when its phase was processed, with the names of those who played then."""
    story = read_story()
    reports: dict[str, str] = {}
    for phase in play(replace(story, settings={**story.settings, "pictures": "no"}), folder):
        reports |= _compose_reports(folder, phase)
    with Desk.open(folder) as desk:
        is_over = desk.phase is None
    return reports | (_compose_reports(folder, FINAL) if is_over else {})


def _compose_reports(folder: Path, phase: str) -> dict[str, str]:
    """Return the public report of a phase by the name of its approved file."""
    with Desk.open(folder) as desk:
        return {
            f"{phase}.{lang}.txt": str(compose_report(desk, phase, load_sentences(lang)))
            for lang in LANGUAGES
        }


def main(arguments: list[str]) -> None:
    """Rewrite the approved reports."""
    if arguments != ["--approve"]:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        found = play_sample(Path(folder) / "game")
    shutil.rmtree(APPROVED, ignore_errors=True)
    APPROVED.mkdir()
    for name, text in found.items():
        (APPROVED / name).write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(found)} reports in {APPROVED}")


if __name__ == "__main__":
    main(sys.argv[1:])
