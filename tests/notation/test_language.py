"""Languages: they mix, a third one is a file, and every refusal can be said in each."""

import ast
import doctest
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import alexmagnum.notation
from alexmagnum import notation
from alexmagnum.errors import Unreadable
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.notation.words import lexicon, word_tables
from alexmagnum.orders import Convoy, Hold, Move, Order, Pick, Support
from alexmagnum.position import Phase
from tests.case_library import read_yaml
from tests.each import cells, check_each
from tests.notation import tables as samples
from tests.notation.tables import EGYPT, ITALY, codes, line, position, read, retreating, written

FRENCH = Path(__file__).with_name("french.toml")


def test_a_third_language_is_a_file() -> None:
    """Add a table with only some sections; the other languages stay."""
    french = notation.Lexicon.load([*word_tables(), FRENCH])
    text = """Ordres pour TOL:
    Armée de Memphis va à Thebes, s'il vous plaît
    A TEB soutient l'armée de Memphis vers TEB
    l'armée d’Alexandria vers Crete par mer
    Flotte EGI reste sur place
    F EGE ferma"""

    assert notation.read_orders(text, EGYPT, words=french).orders == {
        "TOL": (
            Move("A MEN", "TEB"),
            Support("A TEB", "A MEN", "TEB"),
            Move("G ALE", "CRE", via_convoy=True),
            Hold("F EGI"),
            Hold("F EGE#2"),
        )
    }
    assert notation.read_order("A MEN vers TEB", EGYPT, words=french) == Move("A MEN", "TEB")
    with pytest.raises(Unreadable):
        notation.read_order("A MEN vers TEB", EGYPT)


def test_a_language_alone(tmp_path: Path) -> None:
    """Signs and ids need no words at all."""
    path = tmp_path / "xx.toml"
    path.write_text('lang = "xx"\n[units]\nA = ["a"]\n[verbs]\nhold = ["h"]\n', encoding="utf-8")
    bare = notation.Lexicon.load([path])

    wanted = {"TOL": (Move("A MEN", "TEB"), Hold("A TEB"))}
    assert notation.read_orders("A MEN - TEB\nA TEB H", EGYPT, "TOL", words=bare).orders == wanted


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
    assert notation.read_order(text, ITALY, "Italy") == order


def test_every_language_describes_the_same_orders() -> None:
    describe = lexicon().describe

    assert set(describe) == set(LANGUAGES)
    assert len({frozenset(table) for table in describe.values()}) == 1
    assert notation.describe_order(Move("F EGI", "EGE#1"), EGYPT.board, "it") == (
        "flotta (Mare Egiziano): attacca; bersaglio: Mare Egeo (flotta 1)"
    )


def test_no_word_has_two_meanings_in_one_place() -> None:
    """Over all languages: else the order in which they are loaded would decide."""
    import tomllib

    for section in ("units", "verbs", "coasts"):
        meanings: dict[str, set[str]] = {}
        for table in [tomllib.loads(path.read_text(encoding="utf-8")) for path in word_tables()]:
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


# The page for players tells the truth: its tables and its Python are run.


PAGE = Path(__file__).parents[2] / "docs" / "notation.md"
SECTIONS = {
    "In a movement phase:": EGYPT,
    "In a retreat phase:": retreating("alexmagnum", "TOL: A MEN", "SEL: A TEB"),
    "In winter,": replace(EGYPT, phase=Phase(318, "winter")),
    "In the five periods": position("alexmagnum", "", "picks"),
}


def _rows(after: str) -> list[list[str]]:
    """Return the cells of the first table after a text, without its header."""
    text = PAGE.read_text(encoding="utf-8").partition(after)[2]
    table = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert table, after
    rows = [row.strip("|").split("|") for row in table[0].splitlines()[2:]]
    return [[cell.strip() for cell in row] for row in rows]


def _code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_shape_on_the_page_is_its_canonical_order(section: str) -> None:
    where = SECTIONS[section]
    for _, canonical, english, italian in _rows(section):
        texts = _code(canonical + english + italian)
        samples.check_read({texts[0]: "|".join(texts)}, where, "TOL")
        assert [text for text in texts if codes(text, where, "TOL")] == []


@pytest.mark.parametrize(
    "cells", _rows("the order counts, and the reply has a notice:"), ids=lambda cells: cells[0]
)
def test_every_notice_on_the_page(cells: list[str]) -> None:
    written, meant, notice = (_code(cell)[0] for cell in cells)
    order = read(written, EGYPT, "TOL")

    assert order is not None
    assert notation.write_order(order) == meant
    assert notice in codes(written, EGYPT, "TOL")


@pytest.mark.parametrize("cells", _rows("## The three refusals"), ids=lambda cells: cells[0])
def test_every_refusal_on_the_page(cells: list[str]) -> None:
    error = line(_code(cells[0])[0], EGYPT, "TOL").error

    assert error is not None
    assert (error.kind, error.code, error.fragment) == (
        cells[1],
        _code(cells[2])[0],
        _code(cells[3])[0],
    )


def test_the_python_on_the_page_runs() -> None:
    block = PAGE.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    test = doctest.DocTestParser().get_doctest(block, {"position": EGYPT}, "page", str(PAGE), 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)

    assert runner.summarize(verbose=False) == doctest.TestResults(0, 6)


def test_every_file_of_the_room_is_on_the_page() -> None:
    listed = set(_code("".join(row[0] for row in _rows("## Where to find the code"))))
    room = PAGE.parents[1] / "alexmagnum" / "notation"

    assert {path.name for path in room.glob("*.py")} - {"__init__.py"} == listed - {"words/"}


# Orders and letters as people write them: every shape, doubts, corrections, and picks (R30).


WINTER = replace(ITALY, phase=Phase(1901, "winter"), owners={"NAP": "Italy", "ROM": "Italy"})
PICKS = position("alexmagnum", "", "picks")
BABYLON = {"TOL": (Pick("BAB"),)}
OWNERS = dict.fromkeys(("ALE", "MEN", "TEB", "SAR", "TIR", "BAB", "SUS"), "TOL")
POSITIONS = {
    "italy": ITALY,
    "egypt": EGYPT,
    "retreats": retreating("standard", "Austria: A TRI, F ALB", "Italy: A VEN"),
    "winter": WINTER,
    "egypt winter": replace(EGYPT, phase=Phase(318, "winter")),
    "picks": PICKS,
    "bare deployment": position("alexmagnum", "", "deployment"),
    "deployment": position("alexmagnum", "", "deployment", owners={"ALE": "TOL"}),
    "owned deployment": position("alexmagnum", "", "deployment", owners=OWNERS),
    "owned winter": replace(
        position("alexmagnum", "TOL: F EGI", owners=OWNERS), phase=Phase(318, "winter")
    ),
    "one retreat": retreating("alexmagnum", "TOL: A MEN", "SEL: A TEB"),
}
SHAPES = read_yaml(Path(__file__).with_name("shapes.yaml"))
LETTERS = read_yaml(Path(__file__).with_name("letters.yaml"))


@pytest.mark.parametrize("entry", SHAPES, ids=lambda entry: entry["what"])
def test_every_shape_is_its_canonical_order(entry: dict[str, Any]) -> None:
    tables = {
        order: texts if isinstance(texts, str) else "".join(texts)
        for order, texts in entry["orders"].items()
    }
    samples.check_read(tables, POSITIONS[entry["where"]], entry["power"])


@pytest.mark.parametrize("entry", LETTERS, ids=lambda entry: entry["what"])
def test_a_letter_is_read_as_it_is_meant(entry: dict[str, Any]) -> None:
    texts = entry["texts"]

    def check(text: str) -> None:
        reading = notation.read_orders(text, POSITIONS[entry["where"]], "TOL")
        orders = {
            power: [*map(notation.write_order, listed)] for power, listed in reading.orders.items()
        }
        meant = {entry.get("power", "TOL"): entry["orders"]} if entry.get("orders") else {}
        assert orders == meant
        errors = [line.error for line in reading.lines if line.error]
        codes = [error.code for error in errors]
        assert codes == entry.get("errors", codes)
        assert "every_error" not in entry or {*codes} == {entry["every_error"]}
        assert all(error.kind == entry.get("kind", error.kind) for error in errors)
        if "suggestions" in entry:
            assert all(error.suggestions == (*entry["suggestions"],) for error in errors)
        assert not (entry.get("quiet") and errors)

    listed = cells(texts) if isinstance(texts, str) else texts
    around = (entry.get("before", ""), entry.get("after", ""))
    check_each([(text.join(around),) for text in listed], check)


def test_lines_that_are_joined_keep_their_numbers() -> None:
    """The order stands on the first of them, and the other one is empty."""
    order = "La flotta nel Mare Egiziano trasporta il generale di Alessandria a\nCreta"
    lines = notation.read_orders(f"{order}\nA TEB H", EGYPT, "TOL").lines

    assert [(line.number, line.prose) for line in lines] == [(1, False), (2, True), (3, False)]


def test_a_lone_misspelt_centre_is_answered_with_the_pick_to_write() -> None:
    (line,) = notation.read_orders("Babilnia", PICKS, "TOL").lines

    assert line.error is not None
    assert (line.error.code, line.error.suggestions) == ("needs-verb", ("Pick BAB",))


def test_a_misspelt_centre_behind_a_verb_is_read_with_a_notice() -> None:
    (line,) = notation.read_orders("voglio Babilnia", PICKS, "TOL").lines

    assert line.order == Pick("BAB")
    assert [notice.code for notice in line.notices] == ["misspelt"]
    exact = notation.NotationSettings(fuzzy="refuse")
    assert notation.read_orders("voglio Babilnia", PICKS, "TOL", settings=exact).orders == {}


@pytest.mark.parametrize("void", ["Scelgo Siwa", "SPA", "Scelgo Menfi"])
def test_a_void_pick_does_not_stand_against_one_that_is_not(void: str) -> None:
    """Siwa is no centre, Sparta an independent one, and Menfi is somebody's."""
    where = position("alexmagnum", "", "picks", owners={"MEN": "SEL"})

    for text in (f"Scelgo Babilonia\n{void}", f"{void}\nScelgo Babilonia"):
        assert notation.read_orders(text, where, "TOL").orders == BABYLON


REST = cells("""
All others hold|the rest H|Tutti gli altri tengono.|Il resto ferma
- tutte le altre unità restano ferme|e le altre tengono|Everything else holds!
The rest stay put|all others stay where they are|All other units stay|Gli altri restano fermi
Everyone else holds|Orders: the rest holds|everybody holds|tutte e quattro tengono
""")

KEPT = cells("""
The rest stays.|Everything else stays!|the rest stands|All others stay|all else remains
Everything stays, thanks|Il resto resta.|Gli altri restano|tutto il resto rimane
e le altre rimangono|and the others stay|le rimanenti restano
Hold everything else|Tieni tutto|Hold all others|hold all|tieni le altre unità|Fermi tutti!
Mantengo tutto|Hold them all
""")


def test_the_rest_may_be_ordered_to_hold() -> None:
    """Wherever it stands; a later order for one of them counts."""
    texts = [text for said in REST for text in (f"A Ven - Tri\n{said}", f"{said}\nA Ven - Tri")]
    texts += ["A Ven - Tri, tutte le altre ferme.", "A Ven - Tri and everything else holds"]
    for text in texts:
        found = sorted(written(text, ITALY, "Italy"))
        assert found == ["A NAF H", "A ROM H", "A VEN - TRI", "F NAP H", "F TYS H"], text


@pytest.mark.parametrize(("kept", "count"), [((Hold("A ROM"),), 1), ((), 5)])
def test_the_rest_may_stay_as_it_was_ordered_before(kept: tuple[Order, ...], count: int) -> None:
    for said in KEPT:
        for text in (f"A Ven - Tri\n{said}", f"{said}\nA Ven - Tri", f"A Ven - Tri, {said}"):
            read = notation.read_orders(text, ITALY, "Italy", kept=kept)
            assert len(read.orders["Italy"]) == count, text
            told = [line.error.code for line in read.lines if line.error]
            assert told == ["rest-unclear"] * bool(kept and said in KEPT[-8:]), text  # else clear


def test_the_rest_is_ordered_once() -> None:
    """However often it is said, and with nobody left of whom to say it."""
    reading = notation.read_orders(
        "All others hold\nA Ven - Tri\n" + "All others hold\n" * 3, ITALY, "Italy"
    )

    assert len(reading.orders["Italy"]) == 5
    assert [line.number for line in reading.lines if line.prose] == [3, 4, 5]


def test_a_condition_for_the_rest_or_a_word_about_everything_is_no_order() -> None:
    conditions = "Se mi attacchi, tutte ferme\nSe vieni tu, A Ven - Tri, tutte le altre ferme"
    waits = ("Hold everything, I write again tomorrow", "All hold on to hope here")
    for said in (conditions, "All is well", "Tutto tranquillo", *waits):
        assert notation.read_orders(said, ITALY, "Italy").orders == {}


def test_orders_may_be_joined_by_and() -> None:
    """A bare unit takes the verb before it."""
    text = "A Ven - Tri e A Rom - Apu, & F Nap all hold"
    assert written(text, ITALY, "Italy") == ["A VEN - TRI", "A ROM - APU", "F NAP H"]
    for text in ("Costruisce A Rom e F Nap", "Build A ROM & F NAP", "Costruisco: A Rom and F Nap"):
        assert written(text, WINTER, "Italy") == ["Build A ROM", "Build F NAP"]
