"""Reasons put into sentences, in the languages of the catalogues."""

from __future__ import annotations

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import Reason
from alexmagnum.position import Position


def format_reason(reason: Reason, position: Position, sentences: Sentences) -> str:
    """Return a reason as a sentence; units and provinces are named as in the position."""
    units = [position.name(unit) for unit in reason.units]
    sentence = sentences.format(
        reason.code,
        by=next(iter(units), ""),
        units=", ".join(units),
        strength=reason.strength,
        against=reason.against,
        powers=", ".join(position.board.powers[p].name(sentences.lang) for p in reason.powers),
        place=_province_name(reason.place, position, sentences.lang),
        room=reason.room,
    )
    if not reason.stop:
        return sentence
    place = _province_name(reason.stop, position, sentences.lang)
    return sentences.format("stopped-in", place=place, why=sentence)


def _province_name(province: str, position: Position, lang: str) -> str:
    return position.board.provinces[province].name(lang) if province else ""
