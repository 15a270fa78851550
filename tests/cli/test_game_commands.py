"""Every command of the desk explains itself, is documented, and its example runs."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from alexmagnum.cli import COMMANDS, app
from alexmagnum.errors import GameError
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from tests.commands import NO_PICTURES, ROOT, run_command

DOCUMENTS = "\n".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
)


def _commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command and group of the game master, with its full name."""
    context = click.Context(app)
    for name, (_, _, group) in COMMANDS.items():
        if group != "Game master":
            continue
        command = app.get_command(context, name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", each) for inner, each in command.commands.items())


ALL = dict(_commands())


def _examples(name: str) -> list[str]:
    text = ALL[name].help or ""
    return re.findall(r"^\s*(alexmagnum .*)$", text.split("Example:")[-1], re.MULTILINE)


@pytest.mark.parametrize("name", ALL)
def test_every_command_is_documented(name: str) -> None:
    documented = re.search(rf"`(alexmagnum )?{name}[ `]|`[^`\n]*, `?{name}", DOCUMENTS)

    assert documented or re.search(rf"alexmagnum {name}\b", DOCUMENTS), name


@pytest.mark.parametrize("name", ALL)
def test_every_option_tells_what_it_is_for(name: str) -> None:
    for parameter in ALL[name].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, (name, parameter.name)


@pytest.mark.parametrize("name", [n for n, c in ALL.items() if not isinstance(c, click.Group)])
def test_every_command_has_json_and_a_language(name: str) -> None:
    options = {option for parameter in ALL[name].params for option in parameter.opts}

    assert {"--lang", "--json"} <= options


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a game in its second period, with the files of the examples."""
    home = tmp_path_factory.mktemp("examples")
    people = ("--player", "TOL=Anna", "--player", "SEL=B")
    run_command("new", "game", "--lang", "it", *people, *NO_PICTURES, cwd=home)
    game = home / "game"
    (game / "tolomeo.txt").write_text("Pick MEN\n", encoding="utf-8")
    (game / "anna.eml").write_text("From: anna@example.net\n\nPick TIR\n", encoding="utf-8")
    (game / "corrected.txt").write_text("Pick TIR\n", encoding="utf-8")
    for name in ("news.txt", "note.txt"):
        (game / name).write_text("Monday is a holiday.\n", encoding="utf-8")
    editor = game / "editor.sh"
    editor.write_text("#!/bin/sh\necho 'Monday is a holiday.' >> \"$1\"\n", encoding="utf-8")
    editor.chmod(0o700)
    for name in ("Carla", "Dario", "Emma"):
        run_command("standby", f"{name} <{name.lower()}@example.net>", cwd=game)
    run_command("submit", "TOL", cwd=game, stdin="Pick ALE\n")
    run_command("process", "323-1", "--allow-missing", cwd=game)
    run_command("export", "cyprus.json", cwd=game)
    run_command("settings", "mail_address", "game@example.net", cwd=game)
    run_command("player", "set", "TOL", "Anna <anna@example.net>", cwd=game)
    run_command("player", "set", "SEL", "B <b@example.net>", cwd=game)
    return game


_FETCH = ("inbox", "fetch", "anna.eml")
_LETTERS = ("outbox", "remind", "--all")
BEFORE = {
    "deadline resume": ("deadline", "pause"),
    "player replace SEL --back": ("player", "replace", "SEL", "--bot", "dumb", "--once"),
    "redo": ("undo",),
    "tick": ("new", "games/cyprus", *NO_PICTURES),
    "publish": ("new", "my-game", *NO_PICTURES),
    **dict.fromkeys(("inbox show", "inbox accept", "inbox reject"), _FETCH),
    **dict.fromkeys(("outbox show", "outbox drop"), _LETTERS),
}
"""What has to be done before an example can run."""


@pytest.mark.parametrize(
    ("name", "example"), [(name, example) for name in ALL for example in _examples(name)]
)
def test_the_example_in_the_help_runs(
    name: str, example: str, prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tmp_path / "game"
    shutil.copytree(prepared, game)
    monkeypatch.chdir(game)
    monkeypatch.setenv("VISUAL", str(game / "editor.sh"))
    before = BEFORE.get(example.removeprefix("alexmagnum "), BEFORE.get(name, ()))
    for arguments in (before, shlex.split(example)[1:]):
        if arguments:
            done = CliRunner().invoke(app, arguments)
            assert done.exit_code == 0, done.output


@pytest.mark.parametrize("name", ALL)
def test_every_command_has_an_example(name: str) -> None:
    assert _examples(name)


def _codes() -> set[str]:
    """Return every error code in the command line and the desk."""
    found: set[str] = set()
    for room in ("cli", "game"):
        for path in (ROOT / "alexmagnum" / room).glob("*.py"):
            text = path.read_text(encoding="utf-8")
            found |= set(re.findall(r'GameError\(\s*"([\w-]+)"', text))
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_has_a_sentence(lang: str) -> None:
    assert len(_codes()) > 20
    assert _codes() - load_sentences(lang).templates.keys() == set()
    assert load_sentences(lang).error(GameError("orders-closed"))
