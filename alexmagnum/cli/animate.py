"""The command ``map animate``: a game as an animated picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from alexmagnum.cli.arguments import read_phase
from alexmagnum.cli.game_options import game_lang_option, opened_desk, prose_language
from alexmagnum.cli.progress import ProgressBar
from alexmagnum.errors import BadPicture
from alexmagnum.files import write_whole
from alexmagnum.i18n.sentences import Sentences

if TYPE_CHECKING:
    from alexmagnum.judge.outcome import Outcome

_Step = TypeVar("_Step")

_DRAWING, _JOINING = 0.25, 0.9
"""The parts of the work that are done when the frames are drawn, and when they are pixels."""


@click.command()
@click.argument("game", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where the animation goes: a file that ends in .webp or .gif.",
)
@click.option("--from", "first", default="", metavar="PHASE", help="The first phase to show.")
@click.option("--to", "last", default="", metavar="PHASE", help="The last phase to show.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 60),
    default=1.5,
    show_default=True,
    help="How long each phase stays.",
)
@click.option(
    "--width",
    type=click.IntRange(200, 2400),
    default=1000,
    show_default=True,
    help="Width in pixels, if 4 MB are enough for it.",
)
@game_lang_option
def animate(
    game: Path,
    out: Path,
    first: str,
    last: str,
    seconds: float,
    width: int,
    lang: str | None,
) -> None:
    """Play a game as an animated picture: a frame for each phase, with its orders and results.

    GAME is the folder of a game, or one of turn files, such as 'play --out' writes.  Only what
    everybody may see is shown, and nothing of the open phase.  The file has at most 4 MB, so that
    it can be mailed: a long game is drawn smaller.

    \b
    Example:
      alexmagnum map animate my-game -o game.webp
      alexmagnum map animate my-game -o war.gif --from 320-spring --to 318-winter --seconds 2
    """
    from alexmagnum.draw.animation import GIF, WEBP, join_frames, render_frames
    from alexmagnum.workflow.game_frames import draw_frames, select_phases

    if out.suffix.lower() not in (WEBP, GIF):
        raise BadPicture("animation-ending", path=str(out), known=f"{WEBP}, {GIF}")
    title, outcomes, sentences = _read_game(game, lang)
    chosen = select_phases(
        outcomes, read_phase(first) if first else "", read_phase(last) if last else ""
    )
    bar = ProgressBar("progress-frames", sentences)
    count = len(chosen) + 1
    frames = list(_shown(bar, 0.0, _DRAWING, draw_frames(chosen, title, sentences), count))
    pictures = list(_shown(bar, _DRAWING, _JOINING, render_frames(frames, width), count))
    data = join_frames(pictures, out.suffix.lower(), seconds)
    bar.show(1.0)
    write_whole(out, data)
    click.echo(
        sentences.format(
            "animation-written", path=out, frames=len(frames), kilobytes=len(data) // 1000
        )
    )


def _read_game(folder: Path, lang: str | None) -> tuple[str, Sequence[Outcome], Sentences]:
    """Return the name of a game, its outcomes and the sentences to draw it with.

    Raises:
        BadPicture: no-frames.
        BadFile: a turn file is faulty.
    """
    from alexmagnum.workflow.game_frames import list_game_outcomes, list_turn_outcomes

    if any(folder.glob("*.yaml")) and not (folder / "game.db").exists():
        sentences = prose_language(lang)
        outcomes = list(list_turn_outcomes(folder))
        if not outcomes:
            raise BadPicture("no-frames")
        return outcomes[0].position.board.name(sentences.lang), outcomes, sentences
    with opened_desk(folder, lang) as (desk, sentences):
        return desk.name, list(list_game_outcomes(desk)), sentences


def _shown(
    bar: ProgressBar, first: float, last: float, steps: Iterable[_Step], count: int
) -> Iterator[_Step]:
    """Yield the steps of one part of the work, and show how far it is."""
    for i, step in enumerate(steps, 1):
        bar.show(first + (last - first) * i / count)
        yield step
