"""The data of a table: a page on which everybody's units can be ordered and the judge answers.

Open this file for what the scripts ``table*.js`` get.  It is all about a map and a language, so it
is the same for every reader of every position on that map.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from alexmagnum import draw
from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation import order_words
from alexmagnum.position import Phase
from alexmagnum.report.names import phase_name, power_name

CHOOSER_SENTENCES = (
    "sheet-which",
    "sheet-instead",
    "sheet-back",
    "sheet-cancel",
    "sheet-delete",
    "sheet-noted",
    "sheet-deleted",
    "sheet-cleared",
    "sheet-undone",
    "sheet-redone",
    "sheet-nothing-undone",
    "sheet-nothing-redone",
    "sheet-undo",
    "sheet-full",
    "sheet-no-order",
    "sheet-who",
    "sheet-nobody",
    "sheet-nothing-there",
    "sheet-not-there",
    "sheet-not-there-others",
    "sheet-off-map",
    "sheet-tap-goal",
    "sheet-elsewhere",
)
"""The sentences that the script of the chooser shows."""

_KIND_SENTENCES = (
    "sheet-move",
    "sheet-hold",
    "sheet-support",
    "sheet-convoy",
    "sheet-retreat",
    "sheet-disband",
    "sheet-remove",
    "sheet-pick",
    "sheet-waive",
    "sheet-place-nothing",
    "sheet-army",
    "sheet-fleet",
    "sheet-general",
    "sheet-in-place",
    "sheet-unnamed",
    "sheet-any-coast",
    "sheet-on-foot",
    "sheet-by-convoy",
)

_TABLE_SENTENCES = (
    "table-start",
    "table-start-places",
    "table-nothing",
    "table-who",
    "table-nobody",
    "table-told",
    "table-counts",
    "table-nothing-yet",
    "table-none-yet",
    "table-destroyed",
    "table-beaten",
    "table-refused",
    "table-now",
    "table-at-start",
    "table-over",
    "table-plan",
    "table-plan-open",
    "table-in-plan",
    "table-yours",
    "table-given-of",
    "table-beaten-count",
    "table-holds",
    "table-why",
    "table-nothing-mine",
    "table-copied-mine",
    "table-not-copied",
    "table-given",
    "table-guesses-cleared",
    "table-pasted",
    "table-paste-empty",
    "table-paste-taken",
    "table-paste-none",
    "table-paste-not-here",
    "table-paste-half",
    "table-paste-more",
    "table-paste-guessed-more",
    "table-flip",
    "table-flip-searching",
    "table-flip-stop",
    "table-flip-found",
    "table-flip-theirs",
    "table-flip-none",
)

_FLIP_SENTENCES = ("flip-others", "flip-own", "flip-stopped")
"""Sentences of the command ``whatif`` that a table shows too."""

TABLE_SCRIPTS = (
    "position_drawing.js",
    "table_map.js",
    "table_choices.js",
    "table_judge.js",
    "table_plans.js",
    "table_flips.js",
    "table_list.js",
    "table.js",
)
"""The files of a table's script, after those of the chooser."""

CHOOSER_SCRIPTS = (
    "page_parts.js",
    "panzoom.js",
    "order_arrows.js",
    "map_layers.js",
    "order_words.js",
    "order_chooser.js",
)
"""The files of the chooser's script."""

_YEAR, _PERIOD = 7777, 77
"""A year and a period that stand for any in the name of a phase."""


def describe_table(board: Board, sentences: Sentences) -> Mapping[str, Any]:
    """Return the data of tables on a map, ready for JSON.

    ``pieces`` and ``canvas``: how positions and orders are drawn; ``powers``: name, colour, letter
    and ink of each; ``places``, ``coasts``: names; ``words``: how orders are written and put into
    words; ``phases``: the names of phases, with ``{year}`` and ``{period}`` to be filled in.
    """
    liveries = draw.assign_liveries(board)
    powers = (*board.powers, INDEPENDENT)
    return {
        "pieces": draw.lay_out_pieces(board, sentences.lang),
        "canvas": draw.lay_out_board(board, sentences.lang),
        "powers": {
            power: {
                "name": power_name(board, power, sentences),
                "color": liveries[power].color,
                "letter": liveries[power].letter,
                "ink": "light" if liveries[power].ink == "#FFFFFF" else "dark",
            }
            for power in powers
        },
        **describe_words(board, sentences),
        "phases": _name_phases(board, sentences),
        "sentences": _list_sentences(sentences),
    }


def describe_words(board: Board, sentences: Sentences) -> Mapping[str, Any]:
    """Return the names and words with which a page's script puts orders into words."""
    lang = sentences.lang
    return {
        "places": {p.id: p.name(lang) for p in board.provinces.values()},
        "coasts": {code: c.names.get(lang, code) for code, c in board.coasts.items()},
        "words": dict(order_words(lang)),
    }


def _name_phases(board: Board, sentences: Sentences) -> Mapping[str, str]:
    """Return the names of the phases by season, those of retreats by season and ``retreats``."""
    phases = {
        "spring": Phase(_YEAR, "spring"),
        "spring retreats": Phase(_YEAR, "spring", retreats=True),
        "autumn": Phase(_YEAR, "autumn"),
        "autumn retreats": Phase(_YEAR, "autumn", retreats=True),
        "winter": Phase(_YEAR, "winter"),
        "picks": Phase(_YEAR, "picks", period=_PERIOD),
        "deployment": Phase(_YEAR, "deployment"),
    }
    return {
        name: phase_name(phase, board, sentences)
        .replace(str(_YEAR), "{year}")
        .replace(str(_PERIOD), "{period}")
        for name, phase in phases.items()
    }


def _list_sentences(sentences: Sentences) -> Mapping[str, str]:
    """Return the sentences of a table by their codes without the page's name."""
    found = {
        code.removeprefix("sheet-"): sentences.format(code)
        for code in (*CHOOSER_SENTENCES, *_KIND_SENTENCES)
    }
    found["against"] = sentences.format("sheet-against", unit="%")
    return found | {
        code.removeprefix("table-"): sentences.format(code)
        for code in (*_TABLE_SENTENCES, *_FLIP_SENTENCES)
    }


def pack_json(data: object) -> str:
    """Return data as compressed JSON in plain letters, which ``unpackJson`` reads in a page."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b64encode(packer.compress(text.encode()) + packer.flush()).decode("ascii")
