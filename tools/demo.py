"""Play the sample game of ``orders/game`` through the commands, as a game master would.

    python -m tools.demo [DIR]

leaves the game and the reports of every phase in DIR (default: ``demo``).  The clock is that of the
story and chance is fixed, so that it comes out the same every time.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml

from alexmagnum.cli import app
from alexmagnum.cli.game_options import Surroundings

SAMPLE = Path(__file__).resolve().parents[1] / "orders" / "game"
MARK = "made-by-the-demo"
"""A file that tells a folder of the demo, which may be made anew, from any other."""


# -- the story -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Person:
    """Who plays a power, and from when on."""

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
    """A mail: who sent it when, and the file of its body; ``refused`` says why it did not count."""

    power: str
    at: datetime
    path: Path
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """A phase as it was played, and when the game master processed it.

    ``missing``: he did so although orders were missing; ``before`` and ``after`` are his words;
    ``newcomer`` takes a power over; ``extended``: when, and by how much, he put the deadline off.
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
    """The sample game as its manifest tells it."""

    name: str
    map: str
    lang: str
    begun: datetime
    settings: Mapping[str, str]
    players: tuple[Person, ...]
    turns: tuple[Turn, ...]


def read_story(folder: Path = SAMPLE) -> Story:
    """The story in a folder's ``game.yaml``; its times, which are local, become aware."""
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
    """The game master's desk as commands: what each printed is given back.

    ``time`` is what his clock shows; ``drawn`` counts what chance has given, which is the same
    every time.
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
        """So many bytes (up to 32) that look like chance."""
        self.drawn += 1
        return hashlib.sha256(f"the sample game {self.drawn}".encode()).digest()[:count]


def play(story: Story, folder: Path) -> Iterator[str]:
    """Play a story in a new folder; yields each phase once it is processed."""
    desk = Desk(folder, story.begun)
    _begin(desk, story)
    for turn in story.turns:
        for at, command in sorted(_acts(turn), key=lambda act: act[0]):
            desk.time = at
            desk(*command)
        desk.time = turn.processed
        for where, words in (("before", turn.before), ("after", turn.after)):
            if words:
                desk(f"text {where}", words)
        desk("process", turn.phase, *(["--allow-missing"] if turn.missing else []))
        yield turn.phase


def _begin(desk: Desk, story: Story) -> None:
    settings = [f"--set={name}={value}" for name, value in story.settings.items()]
    players = [f"--player={person.power}={person.who}" for person in story.players]
    about = [f"--map={story.map}", f"--name={story.name}", f"--lang={story.lang}"]
    desk("new", str(desk.folder), *about, *settings, *players)
    for person in story.players:
        desk("player set", person.power, "--speaks", person.lang)


def _acts(turn: Turn) -> Iterator[tuple[datetime, tuple[str, ...]]]:
    """What happened before a phase was processed, as commands."""
    for mail in turn.mails:
        if not mail.refused:
            yield mail.at, ("submit", mail.power, str(mail.path))
    person = turn.newcomer
    if person:
        yield person.at, ("player replace", person.power, person.who, "--speaks", person.lang)
    if turn.extended:
        yield turn.extended[0], ("deadline extend", turn.extended[1])


# -- showing it ----------------------------------------------------------------------------------


def main(arguments: list[str]) -> None:
    """Play the sample game in a folder, and say what is in it."""
    folder = Path(arguments[0] if arguments else "demo")
    _clear(folder)
    story = read_story()
    folder.mkdir(parents=True)
    (folder / MARK).touch()
    for phase in play(story, folder / "game"):
        report = folder / "game" / "reports" / phase / "public.en.txt"
        print(f"{phase:<22} {report.relative_to(folder.parent)}")
    desk = Desk(folder / "game", story.turns[-1].processed)
    print("\n" + desk("status", "--lang", "en") + "\n" + desk("verify", "--lang", "en"), end="")


def _clear(folder: Path) -> None:
    """Remove the demo that was made before; refuse to touch anything else."""
    if not folder.exists():
        return
    if not (folder / MARK).is_file():
        sys.exit(f"{folder} is there already, and is not a demo: name another folder")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
