"""``restore``: the copies of the game file."""

from __future__ import annotations

from pathlib import Path

import click

from alexmagnum.cli.damage import copy_stamp, damage_refusals
from alexmagnum.cli.game_options import (
    game_folder,
    game_lang_option,
    game_option,
    json_option,
    opened_desk,
    reason_option,
    surroundings,
)
from alexmagnum.cli.output import choose_language, print_json, style, table_lines
from alexmagnum.game.backups import Copy
from alexmagnum.game.folder import FILE
from alexmagnum.game.restore import Restored, find_language, release_mail
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.workflow.restore import ListedCopy, list_restorable
from alexmagnum.workflow.restore import restore as restore_

_ACTS_SHOWN = 10


@click.command()
@click.argument("number", metavar="[N]", type=int, required=False)
@click.option("--checked", is_flag=True, help="Let letters go by themselves again after a restore.")
@game_option
@game_lang_option
@json_option
@reason_option
def restore(
    number: int | None,
    checked: bool,
    folder: Path | None,
    lang: str | None,
    as_json: bool,
    reason: str,
) -> None:
    """List the copies of the game file, or put copy N in its place.

    A copy is made before every processing, amendment, undo and redo; the last ones stay, and one of
    each game year (setting backups).  The file that is replaced is kept aside, and what it still
    tells is used: mails that came since are taken over, and letters that have gone are not sent
    again.  Where it can tell nothing, letters wait until you have looked, and --checked lets them
    go by themselves again.

    \b
    Example:
      alexmagnum restore
      alexmagnum restore 1 --reason "the disk is failing"
    """
    place = game_folder(folder)
    if checked:
        _let_letters_go(folder, lang, as_json, reason)
        return
    sentences = load_sentences(choose_language(lang or find_language(place) or None))
    with damage_refusals(place, sentences.lang):
        if number is None:
            _print_copies(tuple(list_restorable(place)), sentences, as_json)
            return
        around = surroundings()
        done = restore_(place, number, around.now, around.entropy, around.actor, reason)
    if as_json:
        print_json(_restored_json(done))
    else:
        _print_restored(done, sentences)


def _let_letters_go(folder: Path | None, lang: str | None, as_json: bool, reason: str) -> None:
    with opened_desk(folder, lang) as (desk, sentences):
        released = release_mail(desk.game, reason)
        if as_json:
            print_json({"released": released})
        else:
            code = "desk-mail-released" if released else "desk-mail-not-held"
            click.echo(sentences.format(code))


def _print_copies(copies: tuple[ListedCopy, ...], sentences: Sentences, as_json: bool) -> None:
    if as_json:
        print_json([_copy_json(each) for each in copies])
        return
    if not copies:
        click.echo(sentences.format("desk-copies-none"))
        return
    click.echo(sentences.format("desk-copies", file=FILE))
    rows = [_copy_row(each, sentences) for each in copies]
    for line in table_lines(rows):
        click.echo(f"  {line.rstrip()}")


def _copy_row(listed: ListedCopy, sentences: Sentences) -> tuple[str, ...]:
    copy = listed.copy
    return (
        str(copy.number),
        copy_stamp(copy),
        sentences.format("desk-copy-of", action=copy.action, phase=copy.phase),
        f"{listed.size / 1e6:.1f} MB",
        "" if listed.sound else style(sentences.format("desk-copy-damaged"), "red"),
    )


def _copy_json(listed: ListedCopy) -> dict[str, object]:
    return {**_about(listed.copy), "size": listed.size, "sound": listed.sound}


def _about(copy: Copy) -> dict[str, object]:
    return {
        "number": copy.number,
        "file": copy.path.name,
        "at": copy.at,
        "action": copy.action,
        "phase": copy.phase,
    }


def _restored_json(done: Restored) -> dict[str, object]:
    return {
        "copy": _about(done.copy),
        "aside": str(done.aside),
        "messages": done.messages,
        "sent": done.sent,
        "uncertain": done.uncertain,
        "went_since": [
            {"occasion": one.occasion, "power": one.power, "phase": one.phase, "sent": one.sent}
            for one in done.salvage.letters
        ],
        "held": done.held,
        "acts_since": [dict(act) for act in done.salvage.acts],
    }


def _print_restored(done: Restored, sentences: Sentences) -> None:
    copy, salvage = done.copy, done.salvage
    about = {"number": copy.number, "at": copy_stamp(copy), "action": copy.action}
    click.echo(style(sentences.format("desk-restored", phase=copy.phase, **about), bold=True))
    click.echo(sentences.format("desk-restored-aside", path=done.aside))
    counts = {"messages": done.messages, "sent": done.sent, "uncertain": done.uncertain}
    for what, count in counts.items():
        if count:
            click.echo(sentences.format(f"desk-restored-{what}", count=count))
    if salvage.letters:
        click.echo(sentences.format("desk-restored-gone", count=len(salvage.letters)))
        for one in salvage.letters:
            click.echo(f"  {one.occasion} {one.power} {one.phase} {one.sent}")
    if salvage.acts:
        click.echo(sentences.format("desk-restored-acts"))
        for act in salvage.acts[:_ACTS_SHOWN]:
            click.echo("  " + " ".join(filter(None, act.values())))
        more = len(salvage.acts) - _ACTS_SHOWN
        if more > 0:
            click.echo("  " + sentences.format("desk-restored-more", count=more))
    if done.held:
        click.echo(style(sentences.format("desk-restored-held"), "yellow"))
