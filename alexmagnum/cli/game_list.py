"""The command ``games``: the games of a folder, one line each."""

from __future__ import annotations

from pathlib import Path

import click

from alexmagnum.cli.damage import format_refusal
from alexmagnum.cli.game_lines import local_stamp, phase_words
from alexmagnum.cli.game_options import PATH, json_option, refusals, surroundings
from alexmagnum.cli.output import lang_option, print_json, style, table_lines
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.date_text import format_distance
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.i18n.zones import parse_iso
from alexmagnum.report.names import power_name
from alexmagnum.workflow.games import GameLine, list_games
from alexmagnum.workflow.situation import Situation


@click.command()
@click.argument("folder", type=PATH, default=Path())
@json_option
@lang_option
def games(folder: Path, as_json: bool, sentences: Sentences) -> None:
    """List the games in the subfolders of FOLDER (default: this folder), one line each.

    Each line has the phase, the deadline, whose orders are missing, and how many mails wait.  A
    game that cannot be opened has a line with the reason, and the exit status is then 1.

    \b
    Example:
      alexmagnum games
    """
    around = surroundings()

    def open_desk(path: Path) -> Desk:
        return Desk.open(path, around.now, around.entropy, around.actor)

    has_failed = False
    rows: list[list[str]] = []
    data: list[dict[str, object]] = []
    with refusals(sentences.lang):
        for line in list_games(folder, open_desk):
            has_failed |= line.error is not None
            rows.append(_game_row(line, sentences))
            data.append(_game_json(line))
    if as_json:
        print_json(data)
    else:
        for text, each in zip(table_lines(rows), data, strict=True):
            click.echo(style(text.rstrip(), _color(each)))
    if has_failed:
        raise SystemExit(1)


def _color(data: dict[str, object]) -> str | None:
    if "error" in data:
        return "red"
    return "yellow" if data["past"] or data["holding"] else None


def _game_row(line: GameLine, sentences: Sentences) -> list[str]:
    """Return the columns of a game: folder, phase, deadline, missing, waiting."""
    if line.desk is None or line.situation is None:
        said = format_refusal(line.folder, line.error, sentences.lang) if line.error else ""
        return [line.folder.name, said, "", "", ""]
    now_ = line.situation
    if now_.is_over:
        return [line.folder.name, sentences.format("games-over"), "", "", ""]
    return [
        line.folder.name,
        phase_words(now_.phase, line.desk.board, sentences),
        _deadline(line.desk, now_, sentences),
        _missing(line.desk, now_, sentences),
        _waiting(now_, sentences),
    ]


def _deadline(desk: Desk, now_: Situation, sentences: Sentences) -> str:
    if desk.paused:
        return sentences.format("games-paused")
    if not now_.deadline:
        return sentences.format("no-deadline")
    distance = format_distance(parse_iso(now_.deadline), desk.game.now(), sentences)
    return f"{local_stamp(desk, now_.deadline)} ({distance})"


def _missing(desk: Desk, now_: Situation, sentences: Sentences) -> str:
    if not now_.missing:
        return sentences.format("games-all-in")
    powers = ", ".join(power_name(desk.board, power, sentences) for power in now_.missing)
    return sentences.format("games-missing", powers=powers)


def _waiting(now_: Situation, sentences: Sentences) -> str:
    count = len(now_.mails) + len(now_.other_mails)
    if not count:
        return ""
    return sentences.format("games-waiting", count=count, holding=len(now_.mails))


def _game_json(line: GameLine) -> dict[str, object]:
    """Return a game for machines."""
    about: dict[str, object] = {"folder": str(line.folder)}
    if line.error is not None or line.desk is None or line.situation is None:
        code = getattr(line.error, "code", type(line.error).__name__)
        return {**about, "error": code}
    now_ = line.situation
    return {
        **about,
        "game": line.desk.game.info.name,
        "phase": now_.phase,
        "deadline": now_.deadline,
        "past": now_.is_past,
        "paused": line.desk.paused,
        "over": now_.is_over,
        "missing": list(now_.missing),
        "asking": list(now_.asking),
        "waiting": len(now_.mails) + len(now_.other_mails),
        "holding": len(now_.mails),
        "drafts": len(now_.drafts),
        "unsent": len(now_.stuck),
    }
