"""The command ``engine``: the judge for programs in any language, a line of JSON at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import BinaryIO

import click

from alexmagnum.cases.engine import LONGEST, Engine
from alexmagnum.cli.output import lang_option
from alexmagnum.i18n.sentences import Sentences


@click.command()
@lang_option
@click.option(
    "--longest",
    metavar="BYTES",
    type=click.IntRange(min=100),
    default=LONGEST,
    show_default=True,
    help="Refuse requests longer than this.",
)
def engine(sentences: Sentences, longest: int) -> None:
    """Answer requests of a program: one JSON request a line in, one JSON answer a line out.

    A request gives a position, or orders for it, singly or many sets at once.  Every line gets an
    answer; a bad request gets one with "ok": false, a code and a sentence.  The command ends when
    its input ends.  docs/engine.md explains requests and answers; {"op": "help"} lists them.

    \b
    Example:
      echo '{"op": "position", "map": "standard"}' | alexmagnum engine
      alexmagnum engine < requests.txt > answers.txt
    """
    conversation = Engine(sentences.lang, longest)
    output = sys.stdout.buffer
    for line in _read_lines(sys.stdin.buffer, longest):
        try:
            output.write(conversation.answer(line).encode("ascii") + b"\n")
            output.flush()
        except OSError:  # nobody reads on
            _drop_output()
            return


def _read_lines(source: BinaryIO, longest: int) -> Iterator[bytes | None]:
    """Yield the lines that are not blank; None for one that is too long, which is not kept."""
    while line := source.readline(longest + 2):
        if len(line.rstrip(b"\r\n")) > longest:
            while not line.endswith(b"\n"):
                line = source.readline(longest)
                if not line:
                    break
            yield None
        elif line.strip():
            yield line


def _drop_output() -> None:
    """Send what is left to write nowhere, so that the interpreter ends without a complaint."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
