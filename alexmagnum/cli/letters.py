"""The command ``letter``: the game master's own letters."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from alexmagnum.board.examples import list_examples
from alexmagnum.cli.arguments import read_power, read_text_of
from alexmagnum.cli.game_options import PATH, desk_command, json_option, reason_option
from alexmagnum.cli.letter_lines import print_drafted_letters, print_letters_json
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.written_letters import Readers, Words
from alexmagnum.workflow.people import all_players, all_standby, write_letters


@click.group()
def letter() -> None:
    """Write to the players, or to the people on the standby list.

    \b
    Example:
      alexmagnum letter write --all news.txt
    """


@letter.command()
@click.argument("file", type=PATH, required=False)
@click.option("--to", "to", metavar="POWER[,POWER]", multiple=True, help="The players of powers.")
@click.option("--all", "everybody", is_flag=True, help="Every player.")
@click.option("--standby", is_flag=True, help="Everybody on the standby list.")
@click.option("--subject", default="", metavar="TEXT", help="The subject, if not the usual one.")
@click.option("--edit", is_flag=True, help="Open the editor, with FILE as a beginning if given.")
@json_option
@reason_option
@desk_command
def write(
    desk: Desk,
    sentences: Sentences,
    file: Path | None,
    to: tuple[str, ...],
    everybody: bool,
    standby: bool,
    subject: str,
    edit: bool,
    as_json: bool,
    reason: str,
) -> None:
    """Draft a letter in your own words to one player, to some, or to all.

    The text comes from FILE, from standard input (FILE is -, or piped), or from your editor: with
    --edit, and on a terminal without FILE. Each reader gets a mail of their own, with subject and
    frame in their language; your text stays as it is. The drafts go with 'outbox send'.

    \b
    Example:
      alexmagnum letter write --to TOL,SEL note.txt
      alexmagnum letter write --all --edit
      echo "Monday is a holiday." | alexmagnum letter write --all --subject "Monday"
    """
    if not (to or everybody or standby):
        raise click.UsageError(sentences.format("letter-to-nobody", **list_examples(desk.board)))
    named = [name for text in to for name in text.replace(";", ",").split(",") if name.strip()]
    powers = [read_power(name.strip(), desk.board) for name in named]
    readers = Readers(
        all_players(desk) if everybody else tuple(dict.fromkeys(powers)),
        all_standby(desk) if standby else (),
    )
    text = _edit_text(file, sentences) if _opens_editor(file, edit) else ""
    text = text or read_text_of(file, sentences.lang)
    made = write_letters(desk, Words(text, subject), readers, reason)
    if as_json:
        print_letters_json(desk, made)
    else:
        print_drafted_letters(desk, made, sentences)


def _opens_editor(file: Path | None, edit: bool) -> bool:
    return edit or (file is None and sys.stdin.isatty())


def _edit_text(file: Path | None, sentences: Sentences) -> str:
    """Return what was written in the editor.

    Raises:
        GameError: ``letter-not-written``, ``letter-empty``.
    """
    begun = read_text_of(file, sentences.lang) if file is not None else ""
    written = click.edit(begun, extension=".txt", require_save=not begun)
    if written is None:
        raise GameError("letter-not-written")
    if not written.strip():
        raise GameError("letter-empty")
    return written
