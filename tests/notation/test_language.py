"""Languages: they mix, a third one is a file, and every refusal can be said in each."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import alexmagnum.notation
from alexmagnum.errors import Unreadable
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.notation import Lexicon, describe_order, read_order, read_orders
from alexmagnum.notation.words import lexicon, word_tables
from alexmagnum.orders import Convoy, Hold, Move, Support
from tests.notation.tables import EGYPT, ITALY

FRENCH = Path(__file__).with_name("french.toml")


def test_a_third_language_is_a_file() -> None:
    """Add a table with only some sections; the other languages stay."""
    french = Lexicon.load([*word_tables(), FRENCH])
    text = """Ordres pour TOL:
    Armée de Memphis va à Thebes, s'il vous plaît
    A TEB soutient l'armée de Memphis vers TEB
    l'armée d’Alexandria vers Crete par mer
    Flotte EGI reste sur place
    F EGE ferma"""

    assert read_orders(text, EGYPT, words=french).orders == {
        "TOL": (
            Move("A MEN", "TEB"),
            Support("A TEB", "A MEN", "TEB"),
            Move("G ALE", "CRE", via_convoy=True),
            Hold("F EGI"),
            Hold("F EGE#2"),
        )
    }
    assert read_order("A MEN vers TEB", EGYPT, words=french) == Move("A MEN", "TEB")
    with pytest.raises(Unreadable):
        read_order("A MEN vers TEB", EGYPT)


def test_a_language_alone(tmp_path: Path) -> None:
    """Signs and ids need no words at all."""
    path = tmp_path / "xx.toml"
    path.write_text('lang = "xx"\n[units]\nA = ["a"]\n[verbs]\nhold = ["h"]\n', encoding="utf-8")
    bare = Lexicon.load([path])

    assert read_orders("A MEN - TEB\nA TEB H", EGYPT, "TOL", words=bare).orders == {
        "TOL": (Move("A MEN", "TEB"), Hold("A TEB"))
    }


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Armata Venice supporta army Roma to Apulia", Support("A VEN", "A ROM", "APU")),
        ("Fleet Tirreno trasporta armata North Africa to Tunisi", Convoy("F TYS", "A NAF", "TUN")),
        ("A Venezia holds", Hold("A VEN")),
        ("Army Rome va in Puglia", Move("A ROM", "APU")),
    ],
)
def test_languages_mix_freely(text: str, order: object) -> None:
    """Whatever the player's language."""
    assert read_order(text, ITALY, "Italy") == order


def test_every_language_describes_the_same_orders() -> None:
    describe = lexicon().describe

    assert set(describe) == set(LANGUAGES)
    assert len({frozenset(table) for table in describe.values()}) == 1
    assert describe_order(Move("F EGI", "EGE#1"), EGYPT.board, "it") == (
        "flotta (Mare Egiziano): attacca; bersaglio: Mare Egeo (flotta 1)"
    )


def test_no_word_has_two_meanings_in_one_place() -> None:
    """Over all languages: else the order in which they are loaded would decide."""
    import tomllib

    tables = [tomllib.loads(path.read_text(encoding="utf-8")) for path in word_tables()]
    for section in ("units", "verbs", "coasts"):
        meanings: dict[str, set[str]] = {}
        for table in tables:
            for meaning, spellings in table[section].items():
                for spelt in spellings:
                    meanings.setdefault(spelt.casefold(), set()).add(meaning)
        assert {spelt: m for spelt, m in meanings.items() if len(m) > 1} == {}, section


def _codes() -> set[str]:
    """Return every code of a refusal or a notice in the room."""
    made: set[str] = set()
    for path in Path(alexmagnum.notation.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "Unreadable",
                "Ambiguous",
                "Impossible",
                "Notice",
            ):
                made |= {
                    leaf.value
                    for leaf in ast.walk(node.args[0])
                    if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str) and leaf.value
                }
    return made | {"wrong-letter", "wrong-owner", "no-such-number"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_has_a_sentence(lang: str) -> None:
    codes = _codes()

    assert len(codes) > 15
    assert codes - load_sentences(lang).templates.keys() == set()
