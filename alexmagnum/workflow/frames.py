"""The frames of a game: a picture of every phase that is closed, as everybody may see it.

An animation and the pages of a published game show the same frames.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from alexmagnum import draw
from alexmagnum.campaign import position_after
from alexmagnum.cases.files import read_turn
from alexmagnum.cases.runner import resolve_turn
from alexmagnum.draw.animation import Frame, make_frame_crop
from alexmagnum.draw.map_shapes import load_atlas
from alexmagnum.errors import BadPicture
from alexmagnum.game.desk import Desk
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import Outcome
from alexmagnum.report.context import PhaseContext, filter_context
from alexmagnum.report.formats import LABELS
from alexmagnum.report.words import phase_name


def list_game_outcomes(desk: Desk) -> Iterator[Outcome]:
    """Yield the outcome of every processed phase, as everybody may see it, oldest first.

    The open phase is not among them: its orders are closed.
    """
    for name in list_processed_phases(desk):
        done = desk.processed(name)
        context = PhaseContext(game=desk.name, position=done.outcome.position, outcome=done.outcome)
        public = filter_context(context, None).content.outcome
        assert public is not None, "the phase is processed"
        yield public


def list_turn_outcomes(folder: Path) -> Iterator[Outcome]:
    """Yield the outcomes of the turn files of a folder, in the order of their names.

    Raises:
        BadFile: a file is no turn.
    """
    for path in sorted(folder.glob("*.yaml")):
        turn = resolve_turn(read_turn(path))
        yield adjudicate(turn.position, turn.orders)


def select_phases(outcomes: Iterable[Outcome], first: str, last: str) -> Sequence[Outcome]:
    """Return the outcomes from one phase to another, both included; "" for the end of the game.

    Raises:
        BadPicture: no-frames, frame-unknown, frames-backwards.
    """
    found = list(outcomes)
    if not found:
        raise BadPicture("no-frames")
    names = [str(outcome.position.phase) for outcome in found]
    for name in filter(None, (first, last)):
        if name not in names:
            raise BadPicture("frame-unknown", asked=name, first=names[0], last=names[-1])
    start = names.index(first) if first else 0
    end = names.index(last) if last else len(names) - 1
    if start > end:
        raise BadPicture("frames-backwards", first=first, last=last)
    return found[start : end + 1]


def draw_frames(outcomes: Sequence[Outcome], title: str, sentences: Sentences) -> Iterator[Frame]:
    """Yield a frame with the orders of each phase, and one with the position at the end."""
    board = outcomes[0].position.board
    crop = make_frame_crop(load_atlas(board).box)
    for outcome in outcomes:
        phase = outcome.position.phase
        name = phase_name(phase, board, sentences)
        scene = draw.draw_turn(outcome, sentences, title=title, subtitle=name, crop=crop)
        yield Frame(str(phase), name, scene)
    after, label = position_after(outcomes[-1]), sentences.format(LABELS["after"])
    scene = draw.draw_position(after, sentences, title=title, subtitle=name, crop=crop)
    yield Frame(str(phase), f"{label}: {name}", scene)
