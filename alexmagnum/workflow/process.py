"""Processing the open phase and publishing the results."""

from __future__ import annotations

from dataclasses import dataclass

from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.values import Processed
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.workflow.publish import Published, publish


@dataclass(frozen=True, slots=True)
class ProcessedPhase:
    """A phase that was processed, and what was published of it."""

    processed: Processed
    published: Published


def process_phase(
    desk: Desk, phase: str, *, allow_missing: bool = False, reason: str = ""
) -> ProcessedPhase:
    """Resolve the open phase, which has to be named, open the next, and publish: reports, order
    sheets, receipts and letters.

    Processing the phase that was processed last again changes nothing, but publishes again.

    Raises:
        GameError: ``unknown-phase``, ``not-the-open-phase``, ``game-is-over``, ``orders-missing``;
            ``reports-unwritten`` if the phase was resolved and its files could not be written.
    """
    done = desk.process(phase, allow_missing=allow_missing, reason=reason)
    try:
        published = publish(desk, [done.phase], to_report=[done.phase], opened=True, sends=True)
    except (OSError, GameError) as error:
        raise _make_unwritten_error(done, error, desk.lang) from None
    return ProcessedPhase(done, published)


def _make_unwritten_error(done: Processed, error: OSError | GameError, lang: str) -> GameError:
    """Say that the phase is resolved all the same: its reports can be written at any time."""
    if isinstance(error, GameError):
        why = load_sentences(lang).error(error)
    else:
        why = str(error.strerror or error)
    return GameError("reports-unwritten", phase=done.phase, why=why)
