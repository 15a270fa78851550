"""Names of powers, phases and years in the reader's language."""

from __future__ import annotations

from alexmagnum.board.model import Board
from alexmagnum.game.values import RETURN, SOME_BOT, Player
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation.power_names import power_name
from alexmagnum.position import DEPLOYMENT, Phase

__all__ = ["name_bot", "name_player", "phase_name", "power_name", "year_name"]


def phase_name(phase: Phase, board: Board, sentences: Sentences) -> str:
    """Return a phase in words: ``Spring 318 BC, movement``."""
    words = (sentences.format(phase.season), year_name(phase, board, sentences))
    season = " ".join(word for word in words if word)
    if phase.kind == DEPLOYMENT:
        return season  # the only phase of its season
    return f"{season}, {sentences.format(f'{phase.kind}-phase', period=phase.period)}"


def year_name(phase: Phase, board: Board, sentences: Sentences) -> str:
    """Return the year of a phase in words: ``318 BC``; "" if it has none."""
    if not phase.year:
        return ""
    return sentences.format("before-christ", year=phase.year) if board.years_bc else str(phase.year)


def name_player(player: Player, sentences: Sentences) -> str:
    """Return who plays: a name, or ``a bot (dumb)``, or both where a bot stands in for a person."""
    if not player.bot:
        return player.name
    bot = name_bot(player.bot, sentences)
    if not player.name:
        return bot
    return sentences.format("player-stand-in", name=player.name, bot=bot)


def name_stand_in(bot: str, stand_in: str, sentences: Sentences) -> str:
    """Return a bot with how long it stands in for a player: ``dumb, in this phase alone``."""
    if not stand_in:
        return bot
    code = "bot-until-back" if stand_in == RETURN else "bot-once"
    return sentences.format(code, bot=bot)


def name_bot(bot: str, sentences: Sentences) -> str:
    """Return a bot in words: ``a bot (dumb)``; ``a bot`` where its name is hidden."""
    return sentences.format("some-bot") if bot == SOME_BOT else sentences.format("a-bot", bot=bot)
