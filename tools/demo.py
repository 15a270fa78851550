"""Play the sample game of ``orders/game`` through the commands, as a game master would.

    python -m tools.demo [DIR]

writes the game and the reports of every phase into DIR (default: ``demo``), the page of the sandbox
and the lessons for newcomers.  The clock follows the story and the random bytes are fixed, so that
the result is the same every time.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml

from alexmagnum.cli import app
from alexmagnum.game.game import Surroundings

SAMPLE = Path(__file__).resolve().parents[1] / "orders" / "game"
MARK = "made-by-the-demo"
"""The file that marks a folder as a demo, which can be deleted and made again."""
FEW_COPIES = {"backups": "3"}
"""The setting that keeps the demo small: nobody needs ten copies of its game file."""


# -- the story -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Person:
    """A player of a power, from ``at`` on."""

    power: str
    name: str
    address: str
    lang: str
    at: datetime

    @property
    def who(self) -> str:
        return f"{self.name} <{self.address}>"


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail of a power and the file of its body; ``refused`` says why it did not count."""

    power: str
    at: datetime
    path: Path
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """A phase with its mails, and the time when the game master processed it.

    ``missing``: it was processed although orders were missing; ``before`` and ``after`` are the
    game master's words; ``newcomer`` takes over a power; ``extended``: when the deadline was put
    off, and by how much.
    """

    phase: str
    mails: tuple[Mail, ...]
    processed: datetime
    missing: bool = False
    before: str = ""
    after: str = ""
    newcomer: Person | None = None
    extended: tuple[datetime, str] | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """The sample game as described by its ``game.yaml``."""

    name: str
    map: str
    lang: str
    begun: datetime
    settings: Mapping[str, str]
    players: tuple[Person, ...]
    turns: tuple[Turn, ...]


def read_story(folder: Path = SAMPLE) -> Story:
    """Return the story in a folder's ``game.yaml``; its local times get their time zone."""
    data = yaml.safe_load((folder / "game.yaml").read_text(encoding="utf-8"))
    zone = ZoneInfo(data["timezone"])
    begun = _at(data["begun"], zone)
    return Story(
        data["name"],
        data["map"],
        data["lang"],
        begun,
        {"timezone": data["timezone"], **data["settings"]},
        tuple(Person(power, at=begun, **who) for power, who in data["players"].items()),
        tuple(_turn(entry, folder / entry["phase"], zone) for entry in data["phases"]),
    )


def _turn(entry: dict[str, Any], folder: Path, zone: ZoneInfo) -> Turn:
    mails = tuple(
        Mail(mail["power"], _at(mail["at"], zone), folder / mail["file"], mail.get("refused", ""))
        for mail in entry["mails"]
    )
    newcomer, extended = entry.get("newcomer"), entry.get("extended")
    return Turn(
        entry["phase"],
        mails,
        _at(entry["processed"], zone),
        entry.get("missing", False),
        entry.get("before", ""),
        entry.get("after", ""),
        Person(**{**newcomer, "at": _at(newcomer["at"], zone)}) if newcomer else None,
        (_at(extended["at"], zone), extended["by"]) if extended else None,
    )


def _at(text: str, zone: ZoneInfo) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


# -- playing it ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Desk:
    """The game master's desk, as a function that runs commands and returns their output.

    ``time`` is the current time of the story; ``drawn`` counts the calls of :meth:`chance`, which
    returns the same bytes in every run.
    """

    folder: Path
    time: datetime
    drawn: int = field(default=0, init=False)

    def __call__(self, command: str, *arguments: str) -> str:
        """Run a command on the game.

        Raises:
            SystemExit: it was refused.
        """
        printed = io.StringIO()
        around = Surroundings(now=lambda: self.time, entropy=self.chance)
        words = [*command.split(), *arguments]
        if command != "new":
            words += ["--game", str(self.folder)]
        with contextlib.redirect_stdout(printed):
            app.main(words, prog_name="alexmagnum", obj=around, standalone_mode=False)
        return printed.getvalue()

    def chance(self, count: int) -> bytes:
        """Return so many bytes (up to 32) that look random."""
        self.drawn += 1
        return hashlib.sha256(f"the sample game {self.drawn}".encode()).digest()[:count]


def play(story: Story, folder: Path) -> Iterator[str]:
    """Play a story in a new folder and yield each phase after processing it."""
    desk = Desk(folder, story.begun)
    _begin(desk, story)
    for turn in story.turns:
        for at, command in sorted(_list_commands(turn), key=lambda act: act[0]):
            desk.time = at
            desk(*command)
        desk.time = turn.processed
        for where, words in (("before", turn.before), ("after", turn.after)):
            if words:
                desk("report", f"--{where}", words)
        desk("process", turn.phase, *(["--allow-missing"] if turn.missing else []))
        yield turn.phase


def _begin(desk: Desk, story: Story) -> None:
    settings = [f"--set={name}={value}" for name, value in story.settings.items()]
    players = [f"--player={person.power}={person.who}" for person in story.players]
    about = [f"--map={story.map}", f"--name={story.name}", f"--lang={story.lang}"]
    desk("new", str(desk.folder), *about, *settings, *players)
    for person in story.players:
        desk("player set", person.power, "--speaks", person.lang)


def _list_commands(turn: Turn) -> Iterator[tuple[datetime, tuple[str, ...]]]:
    """Yield the commands before a phase was processed, with their times."""
    for mail in turn.mails:
        if not mail.refused:
            yield mail.at, ("submit", mail.power, str(mail.path))
    person = turn.newcomer
    if person:
        yield person.at, ("player replace", person.power, person.who, "--speaks", person.lang)
    if turn.extended:
        yield turn.extended[0], ("deadline extend", turn.extended[1])


# -- the command --------------------------------------------------------------------------------


def main(arguments: list[str]) -> None:
    """Play the sample game in a folder, and print where its reports are."""
    reader = argparse.ArgumentParser("python -m tools.demo", description=main.__doc__)
    reader.add_argument("folder", metavar="DIR", nargs="?", type=Path, default=Path("demo"))
    folder = reader.parse_args(arguments).folder
    _remove_old_demo(folder)
    story = read_story()
    story = replace(story, settings={**story.settings, **FEW_COPIES})
    folder.mkdir(parents=True)
    (folder / MARK).touch()
    for phase in play(story, folder / "game"):
        report = folder / "game" / "reports" / phase / f"public.{story.lang}.txt"
        print(f"{phase:<22} {report.relative_to(folder.parent)}")
    for words in (
        ["-o", str(folder / "sandbox.html")],
        ["--learn", "-o", str(folder / "learn.html")],
    ):
        app.main(["sandbox", *words], prog_name="alexmagnum", standalone_mode=False)
    desk = Desk(folder / "game", story.turns[-1].processed)
    print("\n" + desk("status", "--lang", "en") + "\n" + desk("verify", "--lang", "en"), end="")


def _remove_old_demo(folder: Path) -> None:
    """Remove an earlier demo; exit if the folder holds anything else."""
    if not folder.exists():
        return
    if not (folder / MARK).is_file():
        sys.exit(f"{folder} exists already and is not a demo: name another folder")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
