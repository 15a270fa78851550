"""Reasons in words: why a mail waits, or was set aside."""

from __future__ import annotations

from alexmagnum.game.inbox_store import Why
from alexmagnum.game.state import Game
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.i18n.zones import parse_iso, to_local
from alexmagnum.mail.parsing.decoding import to_one_line
from alexmagnum.report.names import power_name


def format_why(why: Why, game: Game, sentences: Sentences) -> str:
    """Return a reason in words, with names of powers and times in the game's time zone."""
    data = {name: to_one_line(str(value)) for name, value in why.data.items()}
    if "at" in data:
        local = to_local(parse_iso(data["at"]), game.settings()["timezone"])
        data["at"] = local.strftime("%Y-%m-%d %H:%M")
    if "powers" in data:
        named = [power_name(game.base, power, sentences) for power in data["powers"].split(", ")]
        data["powers"] = ", ".join(named)
    return sentences.format(why.code, **data)
