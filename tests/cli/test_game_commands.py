"""Every command explains itself; its example runs; the options of all stand anywhere."""

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from alexmagnum.cli import COMMANDS, OLD_FORMS, SHARED, app
from alexmagnum.errors import GameError
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from tests.commands import NO_PICTURES, ORDERS, ROOT, run_command
from tests.each import check_each
from tests.mail.mail_desk import mail, mail_desk, reply

DOCUMENTS = "\n".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
)


def _commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command and group of the game master, with its full name."""
    for name, (_, _, group) in COMMANDS.items():
        if group != "Game master":
            continue
        command = app.get_command(click.Context(app), name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", each) for inner, each in command.commands.items())


ALL = dict(_commands())


def _examples(name: str) -> list[str]:
    text = ALL[name].help or ""
    return re.findall(r"^\s*(alexmagnum .*)$", text.split("Example:")[-1], re.MULTILINE)


def _check_documented(name: str) -> None:
    documented = re.search(rf"`(alexmagnum )?{name}[ `]|`[^`\n]*, `?{name}", DOCUMENTS)
    assert documented or re.search(rf"alexmagnum {name}\b", DOCUMENTS)
    assert _examples(name)


def _check_options(name: str) -> None:
    options = [each for each in ALL[name].params if isinstance(each, click.Option)]
    assert all(each.help for each in options)
    if not isinstance(ALL[name], click.Group):
        assert {"--lang", "--json"} <= {word for each in options for word in each.opts}


def test_every_command_is_documented_and_has_an_example() -> None:
    check_each([(name,) for name in ALL], _check_documented)


def test_every_option_tells_what_it_is_for_and_every_command_has_json_and_a_language() -> None:
    check_each([(name,) for name in ALL], _check_options)


ANALYSIS = ("adjudicate", "check", "cases", "map show", "map check", "map draw")


def test_the_examples_of_commands_without_a_game_run(tmp_path: Path) -> None:
    """Run them in a copy of the folders that they name, because some write pictures."""
    for name in ("orders", "maps", "tests/cases", "tests/datc"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "orders" / "turn.yaml", tmp_path / "turn.yaml")
    examples = []
    for command in ANALYSIS:
        text = run_command(*command.split(), "--help").out
        found = re.findall(r"^ *alexmagnum (.*)$", text, re.MULTILINE)
        assert "Usage: alexmagnum" in text
        assert "Example:" in text
        assert found
        examples += found
    assert "Usage: alexmagnum" in run_command("--help").out
    for example in examples:
        words = [word for word in shlex.split(example) if word != "orders/*.txt"]
        run_command(*words, *(ORDERS if "orders/*.txt" in example else ()), cwd=tmp_path)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a game in its second period, with the files of the examples."""
    home = tmp_path_factory.mktemp("examples")
    people = ("--player", "TOL=Anna", "--player", "SEL=B")
    run_command("new", "game", "--lang", "it", *people, *NO_PICTURES, cwd=home)
    game = home / "game"
    (game / "tolomeo.txt").write_text("Pick MEN\n", encoding="utf-8")
    (game / "anna.eml").write_text("From: anna@example.net\n\nPick TIR\n", encoding="utf-8")
    away = "From: anna@example.net\nAuto-Submitted: auto-replied\n\nI am in Rome until Monday.\n"
    (game / "away.eml").write_text(away, encoding="utf-8")
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
    'new second --like cyprus --player "TOL=Carla <carla@example.org>"': ("new", "cyprus"),
    "redo": ("undo",),
    "tick": ("new", "games/cyprus", *NO_PICTURES),
    "publish": ("new", "my-game", *NO_PICTURES),
    **dict.fromkeys(("inbox show", "inbox accept", "inbox reject"), _FETCH),
    **dict.fromkeys(("inbox reply", "inbox done"), ("inbox", "fetch", "away.eml")),
    **dict.fromkeys(("outbox show", "outbox drop"), _LETTERS),
}
"""What has to be done before an example can run."""


@pytest.mark.parametrize(
    ("name", "example"),
    [
        (name, example)
        for name in ALL
        if name != "setup"  # it needs servers: tests/mail/test_setup.py
        for example in _examples(name)
    ],
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


def _codes() -> set[str]:
    """Return every error code in the command line and the desk."""
    found: set[str] = set()
    for room in ("cli", "game"):
        for path in (ROOT / "alexmagnum" / room).glob("*.py"):
            found |= set(re.findall(r'GameError\(\s*"([\w-]+)"', path.read_text(encoding="utf-8")))
    return found


def test_every_refusal_has_a_sentence() -> None:
    assert len(_codes()) > 20
    for lang in LANGUAGES:
        assert _codes() - load_sentences(lang).templates.keys() == set()
        assert load_sentences(lang).error(GameError("orders-closed"))


# The options of all commands: they may stand anywhere, and senseless ones are refused.


@pytest.fixture(scope="module")
def cyprus(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("games") / "cyprus")
    run_command("new", folder, "--lang", "it", *NO_PICTURES)
    return folder


def test_a_shared_option_stands_before_a_command_or_after_it(cyprus: str) -> None:
    for words in (
        ("--game", cyprus, "--json", "--lang", "en", "standby"),
        ("outbox", "--game", cyprus, "--json", "--lang", "en", "list"),
        ("standby", "--game", cyprus, "--json", "--lang", "en"),
        ("--lang", "en", "outbox", "--json", "list", "--game", cyprus),
    ):
        assert run_command(*words).data == []
    last = ("--game", "nowhere", "--lang", "en", "status", "--game", cyprus, "--lang", "it")
    assert "Fase aperta" in run_command(*last).out, "the last value counts"
    run_command("--reason", "as agreed", "--game", cyprus, "deadline", "extend", "2 days")
    assert "as agreed" in run_command("history", "--game", cyprus).out


def test_an_option_that_makes_no_sense_is_refused_by_name() -> None:
    for option, *words in (
        ("--open", "--open", "status"),
        ("--reason", "--reason", "x", "history"),
        ("--json", "--json", "engine"),
        ("--game", "--game", "x", "adjudicate", "turn.yaml"),
        ("--open", "outbox", "--open", "list"),
    ):
        assert f"takes no {option}." in run_command(*words, status=2).err


def _groups_and_commands() -> tuple[list[click.Group], list[click.Command]]:
    """Return all groups, and all commands that are none."""
    context = click.Context(app)
    found = [app.get_command(context, name) for name in app.list_commands(context)]
    groups = [each for each in found if isinstance(each, click.Group)]
    leaves = [each for each in found if each is not None and each not in groups]
    return groups, leaves + [inner for group in groups for inner in group.commands.values()]


def test_each_shared_option_is_defined_once() -> None:
    """No command has one of its own, and no group but the outermost lists them in its help."""
    names = {option for each in SHARED.values() for option in each.opts}
    groups, leaves = _groups_and_commands()
    for command in leaves:
        assert all(p in SHARED.values() for p in command.params if names & {*p.opts})
    for group in groups:
        assert all(isinstance(p, click.Option) and p.hidden for p in group.params)


def test_a_game_master_faces_55_commands_at_most() -> None:
    assert len(_groups_and_commands()[1]) <= 55


def test_an_old_form_says_the_new_one_in_one_line_and_so_does_the_document() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8").replace("\\|", "|")
    for old, new in OLD_FORMS.items():
        said = run_command(*old.split(), "--lang", "en", status=2).err
        assert said == f"Error: 'alexmagnum {old}' is now: alexmagnum {new}\n"
        assert f"| `{old}` | `{new}` |" in page


# Nothing that others wrote steers the terminal, whichever command shows it.


EVIL = "\x1b[2J\x1b]0;owned\x07\u202e\x7f"
"""Clears the screen, names the window, rings, turns the direction of writing."""

SAID = f"""A PAR{EVIL} - BUR
A MAR - {EVIL}Atlantis
F BRE - {EVIL}

STAMPA A ITA{EVIL}
Ciao{EVIL}
FINE STAMPA

STAMPA A TUTTI
Salve{EVIL}
FINE STAMPA
"""


def _evil(raw: bytes) -> bytes:
    """Return a mail with control characters in its fields."""
    raw = raw.replace(b"Subject: ", b"Subject: " + EVIL.encode(), 1)
    return raw.replace(b"From: ", b'From: "' + EVIL.encode() + b'" ', 1)


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the output of each command in a game in which everybody writes control characters."""
    home = tmp_path_factory.mktemp("evil")
    folder, mails = home / "game", home / f"mails{EVIL}"
    with mail_desk(folder, settings={"mail_address": "game@example.org", "pictures": "no"}) as desk:
        raws = [
            reply(desk, "France", SAID, Message_ID="<1@example.org>"),
            mail(SAID, f"eve{EVIL}@example.net", Message_ID="<2@example.org>"),
        ]
    mails.mkdir()
    for number, raw in enumerate(raws):
        (mails / f"{number}{EVIL}.eml").write_bytes(_evil(raw))
    orders = home / f"orders{EVIL}.txt"
    orders.write_text(SAID, encoding="utf-8")
    commands = [
        ["inbox", "fetch", str(mails)],
        ["inbox", "list", "--all"],
        *(["inbox", "show", number, "--open"] for number in "12"),
        ["inbox", "accept", "2", "--power", "France", "--reason", f"why{EVIL}"],
        ["inbox", "list", "--press"],
        ["submit", "Italy", str(orders)],
        ["orders", "--reason", f"why{EVIL}"],
        ["submit", "Italy", str(orders), "--open"],
        ["outbox", "list", "--all"],
        *(["outbox", "show", number, "--open"] for number in "123"),
        ["status"],
        ["tick", str(mails), str(home / f"none{EVIL}")],
        ["inbox", "fetch", f"none{EVIL}"],
        ["submit", f"Italy{EVIL}", str(orders)],
        ["submit", "Italy", f"none{EVIL}"],
        ["player", "set", "Turkey", f"Carla <carla{EVIL}@example.org>"],
        ["settings", "mail_name", f"Anna{EVIL}"],
        ["history"],
        ["process", "1901-spring", "--allow-missing", "--anyway", "--reason", f"why{EVIL}"],
        ["report", "1901-spring"],
        ["history"],
    ]
    return {" ".join(c).replace(EVIL, "*"): _run(folder, c).output for c in commands}


def _run(folder: Path, command: list[str]) -> Result:
    done = CliRunner().invoke(app, ["--game", str(folder), *command])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def _steering(text: str) -> set[str]:
    return {c for c in text if not (c.isprintable() or c == "\n")}


def test_nothing_steers_the_terminal_though_it_was_all_there(outputs: dict[str, str]) -> None:
    assert {name: found for name, text in outputs.items() if (found := _steering(text))} == {}

    texts = {name: " ".join(text.split()) for name, text in outputs.items()}
    assert all("STAMPA A TUTTI" in texts[f"inbox show {n} --open"] for n in "12")
    assert "STAMPA A TUTTI" in texts["outbox show 2 --open"]
    assert "\\x1b[2J" in texts["history"]
    assert "owned" in texts["history"]
    assert "Salve" in texts["inbox list --press"]
    assert "Salve" in texts["report 1901-spring"]


def test_an_error_quotes_nothing_that_steers() -> None:
    error = GameError("cannot-write", path=f"game{EVIL}", why=f"why{EVIL}")
    assert not [lang for lang in LANGUAGES if _steering(load_sentences(lang).error(error))]
