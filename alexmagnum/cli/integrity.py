"""``check --integrity``: whether the file of a game is whole."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from alexmagnum.cli.damage import damage_refusals, format_offer
from alexmagnum.cli.game_options import (
    game_folder,
    game_lang_option,
    game_option,
    json_option,
    surroundings,
)
from alexmagnum.cli.output import choose_language, print_json, style
from alexmagnum.game.checksum import note_checksum
from alexmagnum.game.desk import Desk
from alexmagnum.game.integrity import find_faults, find_inconsistencies
from alexmagnum.game.restore import find_language
from alexmagnum.game.values import Finding
from alexmagnum.i18n.sentences import Sentences, load_sentences

CHANGED = "verify-changed"
"""The code of a file that was changed since the last command, and is sound otherwise perhaps."""


@click.command()
@click.option("--integrity", is_flag=True, expose_value=False, help="Check the file of a game.")
@click.option("--accept", is_flag=True, help="Take a file that was changed by hand as it is.")
@game_option
@game_lang_option
@json_option
def integrity(folder: Path | None, lang: str | None, accept: bool, as_json: bool) -> None:
    """Check the file of a game: its pages, references, checksum, seals, letters and states.

    SQLite's own checks are run, then it is checked whether the file is as the last command left it,
    and whether its rows contradict each other.  Nothing is changed; exit status 1 if anything is
    wrong, and the newest good copy is named.  'verify' also resolves every phase again.

    If you have changed the file by hand, and it is sound otherwise, --accept takes it as it is.

    \b
    Example:
      alexmagnum check --integrity
    """
    place = game_folder(folder)
    sentences = load_sentences(choose_language(lang or find_language(place) or None))
    findings = find_all_faults(place, sentences.lang)
    if accept and all(finding.code == CHANGED for finding in findings):
        note_checksum(place)
        findings = ()
    if as_json:
        print_json({"findings": [{**f._asdict(), "data": dict(f.data)} for f in findings]})
    else:
        _print_findings(place, findings, sentences)
    if findings:
        sys.exit(1)


def find_all_faults(place: Path, lang: str | None) -> tuple[Finding, ...]:
    """Return what is wrong with the file of a game, and with what is in it if it can be opened."""
    findings = tuple(find_faults(place))
    if any(finding.code != CHANGED for finding in findings):
        return findings
    around = surroundings()
    with (
        damage_refusals(place, lang),
        Desk.open(place, around.now, around.entropy, around.actor) as desk,
        desk.reading(),
    ):
        return findings + tuple(find_inconsistencies(desk.game))


def _print_findings(place: Path, findings: Sequence[Finding], sentences: Sentences) -> None:
    for finding in findings:
        text = sentences.format(finding.code, **finding.data)
        about = f"{finding.phase}: " if finding.phase else ""
        click.echo(style(about + text, "red"))
    if not findings:
        click.echo(style(sentences.format("desk-integrity-good"), bold=True))
        return
    click.echo(style(sentences.format("desk-integrity-bad", count=len(findings)), bold=True))
    click.echo(format_offer(place, sentences.lang))
