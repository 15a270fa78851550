"""What counts as a command or as press, and what is only a word in a sentence."""

from __future__ import annotations

import pytest

from alexmagnum.board import load_board
from alexmagnum.board.model import Board
from alexmagnum.mail.parsing.commands import Requests, read_requests
from alexmagnum.mail.parsing.mime import Vocabulary, find_word_tables, fold_phrase, load_vocabulary
from alexmagnum.notation.names import province_names
from alexmagnum.notation.words import lexicon
from tests.each import cells

ALEX, STANDARD = load_board("alexmagnum"), load_board("standard")


def requests_in(text: str) -> Requests:
    return read_requests(text, ALEX)


@pytest.mark.parametrize(
    ("line", "kind", "argument"),
    [
        ("STATO", "status", ""),
        ("stato della partita?", "status", ""),
        ("Mappa, per favore", "map", ""),
        ("- MAP please", "map", ""),
        ("**HELP!**", "help", ""),
        ("I miei ordini", "orders", ""),
        ("ASSENZA 24/12-6/1", "absence", "24/12-6/1"),
        (
            "Absence from Mon 24 December to 6 January",
            "absence",
            "from mon 24 december to 6 january",
        ),
        ("assenza", "absence", ""),
        ("Non attendere", "ready", ""),
        ("NOWAIT", "ready", ""),
        ("patta a Tolomeo e SEL", "draw", "TOL SEL"),
        ("NO DRAW", "no-draw", ""),
        ("Voto per il pareggio!", "draw", ""),
        ("voto pareggio tra TOL e SEL", "draw", "TOL SEL"),
        ("Niente pareggio", "no-draw", ""),
        ("CONCEDE TO yellow", "concede", "SEL"),
        ("concedo la vittoria a Antigono", "concede", "AUT"),
        ("Annulla tutto", "clear", "all"),
        ("Storia 322-autunno", "history", "322-autunno"),
        ("ASSENZA: 24/12-6/1", "absence", "24/12-6/1"),
        ("absent from Dec 24 to Jan 6", "absence", "from dec 24 to jan 6"),
        ("away until 6 January", "absence", "until 6 january"),
        ("annulla assenza", "no-absence", ""),
        ("Per favore: STATO", "status", ""),
        ("«STATO»", "status", ""),
        ("Scadenza?", "status", ""),
        ("patta tra TOL e SEL", "draw", "TOL SEL"),
        ("DRAW with Ptolemy and SEL", "draw", "TOL SEL"),
        ("non sono pronto", "wait", ""),
        ("STATO, ORDINI", "unread", "STATO, ORDINI"),
        ("STAUTS", "unread", "STAUTS"),
        ("ANNULLA A MEN", "unread", "ANNULLA A MEN"),
    ],
)
def test_a_command(line: str, kind: str, argument: str) -> None:
    (command,) = requests_in(line).commands

    assert (command.kind, command.argument, command.line) == (kind, argument, line)


@pytest.mark.parametrize(
    "line",
    cells("""
Mi mandi la mappa?|Attendi una risposta|Pronto a tutto, come sempre
Assenza di notizie da 3 giorni|Aiuto, Lisimaco mi attacca|Che storia!|Clear as mud
History repeats itself|Draw me a map|I concede nothing|A MEN - TEB|Stampa la mappa|Press on!
press to win the day|Aiuto: Lisimaco mi attacca|The press to Ptolemy was fun|La stampa dice:
Presso Tolomeo:|SPARTA|ORDINI TOLOMEO PRIMAVERA 318
"""),
)
def test_a_sentence_is_no_command(line: str) -> None:
    assert requests_in(line) == Requests(line)


def test_a_heading_is_no_command() -> None:
    """``Ordini`` stands above orders in half of all letters."""
    assert not requests_in("Ordini\nA MEN - TEB").commands
    assert not requests_in("Ordini:\nA MEN - TEB").commands
    assert requests_in("ORDINI").commands
    assert requests_in("Ordini?\nA MEN - TEB").commands


def test_lines_stay_where_they_stood() -> None:
    """The numbers of lines are those of the letter."""
    text = "STATO\nA MEN - TEB\nSTAMPA A TOL\nciao\nFINE STAMPA\nA TEB H"

    assert requests_in(text).orders_text.split("\n") == ["", "A MEN - TEB", "", "", "", "A TEB H"]


@pytest.mark.parametrize(
    ("heading", "readers"),
    [
        ("STAMPA A TOL, SEL", ("TOL", "SEL")),
        ("Stampa per Tolomeo e Selèuco:", ("TOL", "SEL")),
        ("PRESS TO Ptolemy + black", ("TOL", "AUT")),
        ("stampa a TOL, tol & Tolomeo", ("TOL",)),
        ("STAMPA ALL'ANTIGONO", ("AUT",)),
        ("BROADCAST TO yellow and red", ("SEL", "LIS")),
        ("WHITE PRESS TO TOL", ("TOL",)),
        ("PRES TO TOL", ("TOL",)),
        ("PRESS TO TOL ONLY", ("TOL",)),
        ("Stampa solo a Tolomeo e Seleuco", ("TOL", "SEL")),
    ],
)
def test_readers_are_named_in_any_language(heading: str, readers: tuple[str, ...]) -> None:
    (piece,) = requests_in(f"{heading}\nciao\nFINE STAMPA").press

    assert (piece.readers, piece.to_all, piece.to_master) == (readers, False, False)
    assert (piece.text, piece.anonymous, piece.unknown, piece.closed) == ("ciao", False, (), True)


@pytest.mark.parametrize(
    ("heading", "everybody", "master"),
    [
        ("STAMPA A TUTTI", True, False),
        ("PRESS TO ALL", True, False),
        ("STAMPA ALL'ARBITRO", False, True),
        ("STAMPA ALL’ARBITRO", False, True),
        ("STAMPA ALL´ARBITRO", False, True),
        ("STAMPA ALL ARBITRO", False, True),
        ("PRESS TO GM", False, True),
        ("Press to all and the game master", True, True),
    ],
)
def test_the_italian_article_is_not_everybody(heading: str, everybody: bool, master: bool) -> None:
    """Check that a letter to the arbiter never goes to all because an apostrophe is missing."""
    (piece,) = requests_in(f"{heading}\nciao\nENDPRESS").press

    assert (piece.to_all, piece.to_master, piece.readers) == (everybody, master, ())


@pytest.mark.parametrize(
    "heading",
    cells("""
STAMPA ANONIMA A TOL|STAMPA A TOL ANONIMA|Stampa grigia a Tolomeo|ANONYMOUS PRESS TO TOL
anonima stampa a TOL|GREY PRESS TO Ptolemy:
"""),
)
def test_anonymous_press(heading: str) -> None:
    (piece,) = requests_in(f"{heading}\nciao\nENDPRESS").press

    assert (piece.readers, piece.anonymous) == (("TOL",), True)


def test_a_name_is_never_taken_letter_by_letter() -> None:
    """``PRESS TO Turkey`` is to Turkey where there is one, and to nobody elsewhere."""
    text = "PRESS TO Turkey\nhello\nENDPRESS"

    assert read_requests(text, STANDARD).press[0].readers == ("Turkey",)
    (piece,) = read_requests(text, ALEX).press
    assert (piece.readers, piece.unknown) == ((), ("turkey",))


def test_one_unknown_reader_among_others_is_told() -> None:
    (piece,) = requests_in("STAMPA A TOL, Pippo\nciao\nFINE STAMPA").press

    assert (piece.readers, piece.unknown) == (("TOL",), ("pippo",))


def test_press_without_an_end_swallows_no_order_silently() -> None:
    """It goes on to the end, which is said; the next press ends it too."""
    first, second = requests_in("STAMPA A TOL\nA MEN - TEB\nSTAMPA A SEL\nciao").press

    assert (first.text, first.closed) == ("A MEN - TEB", False)
    assert (second.text, second.closed) == ("ciao", False)


ENDS = ["FINE STAMPA", "fine stampa.", "FINESTAMPA", "ENDPRESS", "end press"]
MISSPELT = ["FINE STANPA", "FNE STAMPA", "-- Fine della stampa --"]


@pytest.mark.parametrize("end", [*ENDS, *MISSPELT])
def test_an_end_may_be_misspelt(end: str) -> None:
    """Otherwise the orders below would go to the other players."""
    requests = requests_in(f"STAMPA A TOL\nciao\n{end}\nA MEN - TEB")

    assert requests.press[0].closed
    assert requests.orders_text.strip() == "A MEN - TEB"


def test_what_press_says_is_kept_as_it_stands() -> None:
    (piece,) = requests_in(
        "STAMPA A TOL: ciao,\n\n  come va?\nSTATO\nA MEN - TEB\n\nFINE STAMPA"
    ).press

    assert piece.text == "ciao,\n\n  come va?\nSTATO\nA MEN - TEB"


@pytest.mark.parametrize("board", [ALEX, STANDARD], ids=lambda board: board.id)
def test_no_place_is_taken_for_a_misspelt_command(board: Board) -> None:
    """Read picks, where a centre may stand alone on a line."""
    names = (name for province in board.provinces.values() for name in province.names.values())

    assert not [name for name in names if read_requests(name.upper(), board).commands]


# -- the tables ------------------------------------------------------------------------------------


def test_no_phrase_is_two_commands() -> None:
    """Over all languages: they mix freely."""
    words = load_vocabulary()
    meanings: dict[str, set[str]] = {}
    for kind in words.keys("commands"):
        for phrase in words.get("commands", kind):
            meanings.setdefault(phrase, set()).add(kind)

    assert {phrase: kinds for phrase, kinds in meanings.items() if len(kinds) > 1} == {}


@pytest.mark.parametrize("board", [ALEX, STANDARD], ids=lambda board: board.id)
def test_no_command_is_a_place(board: object) -> None:
    """A centre alone on a line is a pick."""
    names = {" ".join(spelt) for spelt in province_names(board, lexicon()).names}
    words = load_vocabulary()

    assert not names & {p for kind in words.keys("commands") for p in words.get("commands", kind)}


def test_a_further_language_is_a_file(tmp_path: object) -> None:
    """Sections that it has not stay as they are in the others."""
    from importlib import resources
    from pathlib import Path

    path = Path(str(tmp_path)) / "es.toml"
    path.write_text('lang = "es"\n[commands]\nstatus = ["Situación"]\n', encoding="utf-8")
    clients = resources.files("alexmagnum.mail.parsing").joinpath("clients.toml")
    spanish = Vocabulary.load([*find_word_tables(), path], clients)

    assert read_requests("situacion", ALEX, spanish).commands[0].kind == "status"
    assert read_requests("stato", ALEX, spanish).commands[0].kind == "status"
    assert fold_phrase("Situación") == "situacion"
