"""The examples in sentences are of the map that is played, whichever it is."""

from __future__ import annotations

import re
from functools import cache
from string import Formatter

import pytest

from alexmagnum.board import load_board
from alexmagnum.board.model import list_examples
from alexmagnum.i18n.sentences import LANGUAGES, fold, load_sentences
from alexmagnum.notation import read_order
from alexmagnum.orders import Move
from alexmagnum.position import Phase, Position, Unit

SHARED = frozenset(
    ["albania", "armenia", "can", "per", "mar", "tir", "mes", "ari", "era", "mal", "opi", "che"]
)
"""Names that both maps have, and ids that are words in either language."""

RULES = ("cyprus year", "anno di cipro", "alex magnum", "alexmagnum")
"""Terms of the rules and the product's name: they are no examples."""


@cache
def _names_of_alex_magnum() -> frozenset[str]:
    """Return the names that only Alex Magnum has, of powers and provinces, and its units."""
    board = load_board("alexmagnum")
    names = {fold(id_) for id_ in (*board.provinces, *board.powers)}
    for province in board.provinces.values():
        names |= {fold(name) for name in province.names.values()}
    for power in board.powers.values():
        names |= {fold(name) for name in power.names.values()}
    return frozenset(name for name in names if name not in SHARED)


def find_names_of_alex_magnum(text: str) -> set[str]:
    """Return the names of Alex Magnum's powers and provinces that a text has.

    Ids count in capitals only: some are words in lower case.
    """
    folded = fold(text)
    for term in RULES:
        folded = folded.replace(term, " ")
    capitals = {fold(word) for word in re.findall(r"(?<![\w#])[A-Z]{3}(?!\w)", text)}
    return {*_long_names().findall(folded)} | (capitals & _names_of_alex_magnum())


@cache
def _long_names() -> re.Pattern[str]:
    names = (re.escape(name) for name in _names_of_alex_magnum() if len(name) > 3)
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(names, reverse=True))})(?!\w)")


def test_the_finder_of_names_finds_them() -> None:
    assert find_names_of_alex_magnum("A MEN - TEB") == {"men", "teb"}
    assert find_names_of_alex_magnum("Tolomeo e Ptolemy") == {"tolomeo", "ptolemy"}
    assert not find_names_of_alex_magnum("A MUN - BUR: the men of Germany can march")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_has_an_example_of_one_map(lang: str) -> None:
    """Whatever the map, its sentences name only what they are given."""
    for code, template in load_sentences(lang).templates.items():
        literal = " ".join(text for text, *_ in Formatter().parse(template))
        assert find_names_of_alex_magnum(literal) == set(), code


@pytest.mark.parametrize("name", ["standard", "alexmagnum"])
def test_an_example_is_an_order_that_can_be_given_on_the_map(name: str) -> None:
    """On the standard map a reader sees orders of their own homes."""
    board = load_board(name)
    for reader in ("", *board.powers):
        examples = list_examples(board, reader)
        power = reader or next(iter(board.powers))
        army, to = examples["example_army"], examples["example_to"]
        unit = Unit(power, "A", army.removeprefix("A "))
        position = Position(board, Phase(int(examples["example_year"]), "spring"), (unit,))

        assert read_order(f"{army} - {to}", position) == Move(army, to)
        assert to in board.army_graph[unit.province]
        assert reader not in examples["example_powers"].split(", ")
        assert set(examples["example_powers_typed"].split(",")) <= board.powers.keys()
        assert name == "alexmagnum" or unit.province in board.powers[power].homes
