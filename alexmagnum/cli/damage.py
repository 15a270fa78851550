"""Refusals of a game file that is damaged: the newest good copy is offered, with its command."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import click

from alexmagnum.cli.output import choose_language, print_error
from alexmagnum.errors import AlexMagnumError, BadFile, BadMap, BadPosition, GameError
from alexmagnum.game.backups import FOLDER, Copy, find_newest_sound_copy
from alexmagnum.game.checksum import has_checksum, is_as_left
from alexmagnum.i18n.sentences import load_sentences

DAMAGE = frozenset({"game-damaged", "game-foreign", "no-game", "game-newer", "game-untrusted"})
"""Codes of refusals after which a copy is offered, if there is one."""

_OF_CONTENTS = (BadFile, BadMap, BadPosition)


@contextmanager
def damage_refusals(folder: Path, lang: str | None) -> Iterator[None]:
    """Print a refusal in a language and end the command; offer a copy if the file is damaged.

    An error that nobody expected is damage too if the file is damaged; otherwise it is a mistake of
    the program, and is raised on.
    """
    try:
        yield
    except AlexMagnumError as error:
        found = _find_damage(folder) if isinstance(error, _OF_CONTENTS) else None
        _refuse(folder, found or error, lang)
    except Exception as error:
        # Imported late: it loads the judge, which a command without errors may not need.
        from alexmagnum.game.integrity import SYMPTOMS

        found = _find_damage(folder) if isinstance(error, SYMPTOMS) else None
        if found is None:
            raise
        _refuse(folder, found, lang)


def _find_damage(folder: Path) -> GameError | None:
    from alexmagnum.game.integrity import diagnose

    return diagnose(folder)


def _refuse(folder: Path, error: AlexMagnumError, lang: str | None) -> NoReturn:
    status = print_error(error, lang)
    if is_damage(folder, error):
        offer = format_offer(folder, lang, always=error.code == "game-damaged")
        if offer:
            click.echo(offer, err=True)
    sys.exit(status)


def is_damage(folder: Path, error: AlexMagnumError) -> bool:
    """Return whether an error calls for a copy.

    A file of a newer version is sound if it is as the newer program left it; then an old copy would
    throw away what was done since.  Its version may also come from a damaged header.
    """
    if error.code == "game-newer":
        return not (has_checksum(folder) and is_as_left(folder))
    return error.code in DAMAGE


def format_offer(folder: Path, lang: str | None, *, always: bool = True) -> str:
    """Return the line that offers the newest good copy; where there is none, it says so, if
    ``always``."""
    sentences = load_sentences(choose_language(lang))
    copy = find_newest_sound_copy(folder)
    if copy is None:
        return sentences.format("copy-offer-none") if always else ""
    file, place = f"{FOLDER}/{copy.path.name}", "" if folder == Path() else f"--game {folder} "
    command = f"alexmagnum {place}restore {copy.number}"
    return sentences.format("copy-offer", file=file, at=copy_stamp(copy), command=command)


def format_refusal(folder: Path, error: AlexMagnumError, lang: str | None) -> str:
    """Return an error of one game among several in words, with the offer of a copy."""
    said = load_sentences(choose_language(lang)).error(error)
    offer = format_offer(folder, lang) if is_damage(folder, error) else ""
    return f"{said}. {offer}" if offer else said


def copy_stamp(copy: Copy) -> str:
    """Return when a copy was made, short enough for lists."""
    return copy.at[:16].replace("T", " ") + " UTC"
