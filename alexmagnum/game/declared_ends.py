"""Ending a game because the game master declares it.

A game that is over has a row behind its last phase.  Where the game master ended it, that row has
the position of the phase that was open, and a row in ``endings`` says how it ended.  The act is in
the undo log like any processing: ``undo`` opens the phase again with its orders and its deadline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alexmagnum.board.examples import list_examples
from alexmagnum.errors import GameError
from alexmagnum.game.anonymity import check_text_for_names
from alexmagnum.game.closing_seal import seal_if_over
from alexmagnum.game.file import to_json
from alexmagnum.game.phase_store import create_phase
from alexmagnum.game.required_orders import find_active_powers
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import require_open_phase
from alexmagnum.game.timeline import set_head
from alexmagnum.game.undo_log import push_undo_entry
from alexmagnum.game.values import DECLARED_ENDS, GameEnd
from alexmagnum.game.votes import list_voters

DRAW, CONCEDE, SOLO, ABANDON = DECLARED_ENDS


@dataclass(frozen=True, slots=True)
class Declaration:
    """An end that the game master declares.

    ``powers``: those that share a draw (none: all that have a vote), or the winner of a concession
    or a solo.
    """

    kind: str
    powers: tuple[str, ...] = ()


def end_game(game: Game, declared: Declaration, reason: str) -> GameEnd:
    """End the game as declared, and seal it.

    Raises:
        GameError: game-is-over, no-such-power, end-needs-power, end-power-out,
            names-are-hidden.
    """
    with game.act("end", reason=reason) as note:
        head = require_open_phase(game)
        check_text_for_names(game, reason)
        winners = _find_winners(game, declared)
        over = create_phase(
            game, game.position(head.id), head.parent, rules=game.rules(), over=True
        )
        game.file.update("phases", over.id, deadline="")
        game.file.insert(
            "endings", phase=over.id, kind=declared.kind, powers=to_json(winners), reason=reason
        )
        push_undo_entry(game, "end", head.id, over.id)
        set_head(game, over.id)
        note.detail |= {"end": declared.kind, "powers": list(winners)}
        seal_if_over(game, note)
        return GameEnd(declared.kind, winners, reason)


def _find_winners(game: Game, declared: Declaration) -> tuple[str, ...]:
    """Return the powers that win or share the game, in the map's order."""
    named = {game.power(power) for power in declared.powers}
    if declared.kind == ABANDON:
        return ()
    if declared.kind == DRAW and not named:
        named = set(list_voters(game))
    if not named:
        raise GameError("end-needs-power", **list_examples(game.base))
    _check_in_play(game, [power for power in game.base.powers if power in named])
    return tuple(power for power in game.base.powers if power in named)


def _check_in_play(game: Game, powers: Sequence[str]) -> None:
    """Refuse winners that are eliminated or in revolt: these cannot win (R3, R35)."""
    active = find_active_powers(game.position(game.head().id))
    out = [power for power in powers if power not in active]
    if out:
        raise GameError("end-power-out", powers=", ".join(out), left=", ".join(active))
