"""The options of all commands: they may stand anywhere, and senseless ones are refused."""

from __future__ import annotations

import click
import pytest

from alexmagnum.cli import OLD_FORMS, SHARED, app
from tests.commands import NO_PICTURES, ROOT, run_command


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("games") / "cyprus")
    run_command("new", folder, "--lang", "it", *NO_PICTURES)
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ("--game", "GAME", "--json", "--lang", "en", "standby"),
        ("outbox", "--game", "GAME", "--json", "--lang", "en", "list"),
        ("standby", "--game", "GAME", "--json", "--lang", "en"),
        ("--lang", "en", "outbox", "--json", "list", "--game", "GAME"),
    ],
)
def test_a_shared_option_stands_before_a_command_or_after_it(
    game: str, words: tuple[str, ...]
) -> None:
    assert run_command(*(game if word == "GAME" else word for word in words)).data == []


def test_the_last_value_counts(game: str) -> None:
    words = ("--game", "nowhere", "--lang", "en", "status", "--game", game, "--lang", "it")

    assert "Fase aperta" in run_command(*words).out


def test_a_reason_before_the_command_is_in_the_journal(game: str) -> None:
    run_command("--reason", "as agreed", "--game", game, "deadline", "extend", "2 days")

    assert "as agreed" in run_command("history", "--game", game).out


@pytest.mark.parametrize(
    "words",
    [
        ("--open", "status"),
        ("--reason", "x", "history"),
        ("--json", "engine"),
        ("--game", "x", "adjudicate", "turn.yaml"),
        ("outbox", "--open", "list"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused_by_name(words: tuple[str, ...]) -> None:
    (option,) = [word for word in words if word.startswith("--")]

    assert f"takes no {option}." in run_command(*words, status=2).err


def _commands() -> tuple[list[click.Group], list[click.Command]]:
    """Return all groups, and all commands that are none."""
    context = click.Context(app)
    found = [app.get_command(context, name) for name in app.list_commands(context)]
    groups = [each for each in found if isinstance(each, click.Group)]
    leaves = [each for each in found if each is not None and each not in groups]
    return groups, leaves + [inner for group in groups for inner in group.commands.values()]


def test_each_shared_option_is_defined_once() -> None:
    """No command has one of its own, and no group but the outermost lists them in its help."""
    names = {option for each in SHARED.values() for option in each.opts}
    groups, leaves = _commands()
    for command in leaves:
        assert all(p in SHARED.values() for p in command.params if names & {*p.opts})
    for group in groups:
        assert all(isinstance(p, click.Option) and p.hidden for p in group.params)


def test_a_game_master_faces_52_commands_at_most() -> None:
    assert len(_commands()[1]) <= 52


@pytest.mark.parametrize("old", OLD_FORMS)
def test_an_old_form_says_the_new_one_in_one_line(old: str) -> None:
    said = run_command(*old.split(), "--lang", "en", status=2).err

    assert said == f"Error: 'alexmagnum {old}' is now: alexmagnum {OLD_FORMS[old]}\n"


def test_the_document_lists_every_old_form_with_its_new_one() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8").replace("\\|", "|")

    for old, new in OLD_FORMS.items():
        assert f"| `{old}` | `{new}` |" in page
