"""Every shape in which people have been seen to write an order, by phase."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alexmagnum.notation import read_orders
from alexmagnum.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Pick,
    Remove,
    Retreat,
    Support,
    Waive,
)
from alexmagnum.position import Phase
from tests.notation.tables import EGYPT, ITALY, position, read, retreating

VEN_TRI = Move("A VEN", "TRI")
MOVES = """
A VEN - TRI|A Ven-Tri|A Ven > Tri|A Ven -> Tri|A Ven → Tri|A Ven – Tri|A Ven — Tri|A Ven − Tri
A Ven --> Tri|A Ven => Tri|A Ven \uf0e0 Tri|A Ven à Tri|A Ven \x96 Tri|A Ven -- Tri|A Ven ➔ Tri
A Venezia va a Trieste|a venezia a trieste|A VENEZIA A TRIESTE|Armata Venezia muove in Trieste
A Ven in Tri|A Ven verso Tri|A Ven per Tri|A Ven attacca Tri|A Ven entra in Tri|A Ven avanza a Tri
A Ven si sposta a Tri|A Ven muove verso Tri|A Ven si muove a Tri|L'armata di Venezia va a Trieste
Army Venice moves to Trieste|army ven to tri|A Ven moves to Tri|A Ven M Tri|A Ven attacks Tri
arm. Ven - Tri|esercito di Venezia - Trieste|Esercito a Venezia va a Trieste|VEN-TRI|Venezia > Tri
Venice - Trieste|A Ven, va a Tri|A Ven - a Tri|A Ven -> in Tri|A  Ven  -  Tri
A\u00a0Ven\u00a0-\u00a0Tri|A Ven. - Tri.|A Ven v. Tri|A Vene - Trie
un'armata di Venezia va a Trieste
A italiana Ven - Tri|the Italian army in Venice moves to Trieste|Italy A Ven - Tri|(A Ven - Tri)
A Ven - Tri (se possibile)|A Ven - Tri !!|A Ven - Tri 🙂|A Ven - Tri, grazie|A Ven - Tri // subito
A Ven - A Tri|A Ven attacca l'armata di Trieste|A Ven - armata Tri|A Ven - army in Tri
A Ven - Tri, per favore!|A Ven - Tri (Trieste)|A Ven - Tri # ora|🚀 A Ven - Tri|A Ven - Tri.
- A Ven-Tri|• A Ven - Tri|* A Ven - Tri|1. A Ven-Tri|1) A Ven - Tri|(1) A Ven - Tri|+ A Ven - Tri
– A Ven – Tri|12. A Ven - Tri|1️⃣ A Ven - Tri|1 - A Ven - Tri
A Ven va verso Trieste con l'appoggio di tutti|Ordini: A Ven - Tri|Primavera 1901: A Ven - Tri
"""
HOLDS = """
F NAP XXX|F Nap ferma|F Nap H|F Nap hold|F Nap holds|F Nap stand|F Nap tiene|F Nap mantiene
F Nap resta|F Nap sta|F Nap difende|F Nap difesa|F Nap presidia|F Nap nessun ordine|F Nap D
Flotta Napoli si difende|La flotta di Napoli sta ferma|fl. Nap ferma|nave Napoli ferma|NAP H
F Nap: H|f nap xxx|F Napoli starà ferma|F Napoli difenderà|F Nap in difesa
F Nap resta a Napoli|la flotta di Napoli rimane a Napoli|F Nap stays in Naples|F Nap holds NAP
"""
SUPPORTS = """
A Ven APP A Rom - Apu|A Ven appoggia A Rom in Puglia|A Ven S A Rom-Apu|A Ven S A Rom > Apu
A Ven supporta A Rom - Apu|A Ven sostiene A Rom va in Puglia|A Ven supp. A Rom - Apu|Ven S Rom - Apu
A Ven supporta il movimento di A Rom in Puglia|A Ven appoggia l'attacco di A Rom a Puglia
A Ven supports A Rom - Apu|A Ven S the move of A Rom to Apu|A Ven aiuta A Rom verso Puglia
A Ven APPOGGIO A ROM - APU|A Ven con l'appoggio di A Rom - Apu|A Ven sost A Rom - Apu
A Ven appoggia l’armata di Roma in Puglia|A Ven S A italiana Rom - Apu|A Ven supporta A Rom a Apu
A Ven supporto a A Rom - Apu|A Venezia dà appoggio a A Roma - Puglia|A Ven S A Rom ➔ Apu
"""
SUPPORTS_TO_HOLD = """
A Ven S A Rom|A Ven S A Rom H|A Ven supporta in difesa A Rom|A Ven appoggia A Rom ferma|Ven S Rom
A Ven APP A Rom|A Ven sup A Rom|A Ven appoggia A Rom in difesa|A Ven supporta la difesa di A Rom
A Ven supports A Rom to hold|A Ven supporto al mantenimento di A Rom|A Ven sostiene A Rom a tenere
A Ven appoggia Roma|A Ven S A Rom holds|A Ven APP A Rom XXX|A Ven supporta A Rom che tiene
"""
CONVOYS = """
F TYS C A NAF - TUN|F Tirreno TRA A Naf - Tun|F Tirr. TRA A Naf - Tun|F TYS trasporta A Naf-Tun
F TYS C A Naf -> Tun|F TYS TR A Naf - Tun|F TYS T A Naf - Tun|F TYS trasporta A Naf a Tunisi
F TYS convoys A NAF to TUN|F TYS transports A Naf - Tun|F TYS conv. A Naf - Tun|TYS C NAF - TUN
Flotta nel Mar Tirreno trasporta l'armata del Nord Africa in Tunisia|F TYS trasporto A Naf > Tun
F TYS C A NAF - TYS - TUN|F TYS C A NAF - TUN via convoy
"""
CONVOYED = """
A NAF - TUN via convoy|A Naf - Tun (con trasporto)|A Naf - TYS - Tun|A Naf - Tun via convoglio
A Naf - Tun via mare|A Naf - Tun per mare|A Naf - Tun VIA|A Naf - Tun (mediante trasporto)
A Naf - Tun con convoglio|A Naf - Tun imbarcata|A Naf - Tirreno - Tunisi|A Naf - Tun, via mare
A Naf to Tun by convoy|A Naf - Tun by sea|A Naf - MAO - TYS - Tun
"""
TO_SPAIN = """
F MAR - SPA/SC|F Mar > Spa (sc)|F Mar - Spa(cs)|F Mar - Spagna costa sud|F Mar - Spa/cs
F MAR-SPA(SC)
F Mar - Spa sc|F Mar - Spa (costa sud)|F Mar - Spa c.s.|F Mar - Spain south coast|F Mar - Spa (sud)
F Mar - Spa (S)|F Mar - costa sud della Spagna|F Mar - south coast of Spain
F Mar va in Spagna (Costa Sud)
F Mar - SPA / SC|F Mar - Spagna sud
"""
NORTH = """
F MAO - SPA/NC|F MAO - Spa (nc)|F MAO - Spa cn|F MAO - Spagna (costa nord)|F MAO - Spa nord
F MAO - Spa/cn|F Mid-Atlantic - Spain (north coast)
"""


def _cells(table: str) -> list[str]:
    return [cell for row in table.strip("\n").split("\n") for cell in row.split("|")]


@pytest.mark.parametrize("text", _cells(MOVES))
def test_a_move(text: str) -> None:
    assert read(text, ITALY, "Italy") == VEN_TRI


@pytest.mark.parametrize("text", _cells(HOLDS))
def test_a_hold(text: str) -> None:
    """``XXX`` is a hold, not junk; ``D`` is ``difende`` where nobody can disband."""
    assert read(text, ITALY, "Italy") == Hold("F NAP")


@pytest.mark.parametrize("text", _cells(SUPPORTS))
def test_a_support_to_move(text: str) -> None:
    assert read(text, ITALY, "Italy") == Support("A VEN", "A ROM", "APU")


@pytest.mark.parametrize("text", _cells(SUPPORTS_TO_HOLD))
def test_a_support_to_hold(text: str) -> None:
    assert read(text, ITALY, "Italy") == Support("A VEN", "A ROM")


@pytest.mark.parametrize("text", _cells(CONVOYS))
def test_a_convoy(text: str) -> None:
    assert read(text, ITALY, "Italy") == Convoy("F TYS", "A NAF", "TUN")


@pytest.mark.parametrize("text", _cells(CONVOYED))
def test_a_move_by_convoy(text: str) -> None:
    """Read a convoy in words, and as a route over seas."""
    assert read(text, ITALY, "Italy") == Move("A NAF", "TUN", via_convoy=True)


@pytest.mark.parametrize("text", ["A Ven - Tri via terra", "A Ven - Tri per terra", "A VEN - TRI"])
def test_a_move_by_land(text: str) -> None:
    assert read(text, ITALY, "Italy") == VEN_TRI


@pytest.mark.parametrize("text", _cells(TO_SPAIN))
def test_a_south_coast(text: str) -> None:
    """Read a coast in the letters or words of either language."""
    assert read(text, ITALY, "France") == Move("F MAR", "SPA/SC")


@pytest.mark.parametrize("text", _cells(NORTH))
def test_a_north_coast(text: str) -> None:
    assert read(text, ITALY, "France") == Move("F MAO", "SPA/NC")


@pytest.mark.parametrize(
    "text",
    ["F STP/SC - BOT", "F Stp(cs) - Bot", "F San Pietroburgo costa sud - Botnia", "STP - BOT"],
)
def test_the_coast_of_the_ordered_fleet(text: str) -> None:
    assert read(text, ITALY, "Russia") == Move("F STP/SC", "BOT")


EXPRESS = {
    "F FOC - TEB": Move("F FOC", "TEB"),
    "F FOC - TEB via Nilo": Move("F FOC", "TEB"),
    "F Foci del Nilo va a Tebe (via Nilo)": Move("F FOC", "TEB"),
    "F FOC - Tebe lungo il Nilo": Move("F FOC", "TEB"),
    "F FOC to Thebes via the Nile": Move("F FOC", "TEB"),
    "F FOC - NOC - MEN - TEB": Move("F FOC", "TEB"),
    "F EGI - SUE via Sinai": Move("F EGI", "SUE"),
    "F EGI - Suez attraverso il Sinai": Move("F EGI", "SUE"),
    "F EGI - SUE via traino del Sinai": Move("F EGI", "SUE"),
    "F Mare Egiziano va nel Golfo di Suez": Move("F EGI", "SUE"),
    "F Mare Egiziano nel Golfo di Suez": Move("F EGI", "SUE"),
    "F M. Egiziano - G. di Suez": Move("F EGI", "SUE"),
    "F EGI > SIS > SUE": Move("F EGI", "SUE"),
    "G ALE - CRE VIA": Move("G ALE", "CRE", via_convoy=True),
    "Il generale di Alessandria va a Creta per mare": Move("G ALE", "CRE", via_convoy=True),
    "falange di Menfi in Tebe": Move("A MEN", "TEB"),
    "phalanx Memphis attacks Thebes": Move("A MEN", "TEB"),
}


@pytest.mark.parametrize("text", EXPRESS)
def test_rivers_and_portages(text: str) -> None:
    """R18, R23: the way may be named behind the destination, or written out."""
    order = read(text, EGYPT, "TOL")

    assert order == EXPRESS[text]


CROWDED = {
    "F EGE#2 H": Hold("F EGE#2"),
    "F EGE 2 H": Hold("F EGE#2"),
    "F EGE(2) H": Hold("F EGE#2"),
    "F EGE(TOL) H": Hold("F EGE#2"),
    "F EGE (Tolomeo) H": Hold("F EGE#2"),
    "la flotta di Tolomeo nell'Egeo tiene": Hold("F EGE#2"),
    "F Mare Egeo H": Hold("F EGE#2"),
    "EGE H": Hold("F EGE#2"),
    "F EGI S F EGE#1": Support("F EGI", "F EGE#1"),
    "F EGI S F EGE(CAS) - CRE": Support("F EGI", "F EGE#1", "CRE"),
    "F EGI appoggia la flotta di Lisimaco nell'Egeo": Support("F EGI", "F EGE#3"),
    "F EGI - EGE#1": Move("F EGI", "EGE#1"),
    "F EGI - EGE 1": Move("F EGI", "EGE#1"),
    "F EGI - EGE(CAS)": Move("F EGI", "EGE#1"),
    "F EGI attacca EGE (Cassandro)": Move("F EGI", "EGE#1"),
    "F EGI - Egeo di Cassandro": Move("F EGI", "EGE#1"),
    "F EGI - EGE": Move("F EGI", "EGE"),
    "F EGE#2 - EGE#1": Move("F EGE#2", "EGE#1"),
    "F EGE#2 S F CRE - EGE#3": Support("F EGE#2", "F CRE", "EGE#3"),
    "F EGI C A TRA - CRE": Convoy("F EGI", "A TRA", "CRE"),
}


@pytest.mark.parametrize("text", CROWDED)
def test_a_fleet_among_several(text: str) -> None:
    """R8, R11: by number or by owner; without either, one's own."""
    assert read(text, EGYPT, "TOL") == CROWDED[text]


RETREATS = retreating("standard", "Austria: A TRI, F ALB", "Italy: A VEN")
RETREAT_SHAPES: dict[str, Order] = {
    "Rit: A Tri - Alb": Retreat("A TRI", "ALB"),
    "A TRI - ALB": Retreat("A TRI", "ALB"),
    "A Tri > Alb": Retreat("A TRI", "ALB"),
    "A Tri si ritira in Albania": Retreat("A TRI", "ALB"),
    "A Tri ripiega in Albania": Retreat("A TRI", "ALB"),
    "A Tri R Alb": Retreat("A TRI", "ALB"),
    "A Tri RIT Alb": Retreat("A TRI", "ALB"),
    "R A Tri - Alb": Retreat("A TRI", "ALB"),
    "Ritirata A Tri in Albania": Retreat("A TRI", "ALB"),
    "A Tri retreats to Albania": Retreat("A TRI", "ALB"),
    "- A Tri - Alb": Retreat("A TRI", "ALB"),
    "A Tri sbanda": Disband("A TRI"),
    "A Tri D": Disband("A TRI"),
    "A Tri scioglie": Disband("A TRI"),
    "A Tri sciolta": Disband("A TRI"),
    "A Tri si arrende": Disband("A TRI"),
    "A Tri smobilita": Disband("A TRI"),
    "A Tri distrugge": Disband("A TRI"),
    "A Tri elimina": Disband("A TRI"),
    "A Tri disbands": Disband("A TRI"),
    "Disband A TRI": Disband("A TRI"),
    "D A Tri": Disband("A TRI"),
    "Scioglie l'armata di Trieste": Disband("A TRI"),
    "Sbanda Trieste": Disband("A TRI"),
    "Rimuove A Tri": Disband("A TRI"),
}


@pytest.mark.parametrize(
    "said",
    [
        "All others hold",
        "the rest H",
        "Tutti gli altri tengono.",
        "Il resto ferma",
        "- tutte le altre unità restano ferme",
        "e le altre tengono",
        "Everything else holds!",
    ],
)
def test_the_rest_may_be_ordered_to_hold(said: str) -> None:
    """Wherever it stands; a later order for one of them counts."""
    orders = (VEN_TRI, *(Hold(unit) for unit in ("A ROM", "F NAP", "A NAF", "F TYS")))

    for text in (f"A Ven - Tri\n{said}", f"{said}\nA Ven - Tri"):
        found = read_orders(text, ITALY, "Italy").orders["Italy"]
        assert sorted(map(str, found)) == sorted(map(str, orders))


@pytest.mark.parametrize(
    "said", ["A Ven - Tri, tutte le altre ferme.", "A Ven - Tri and everything else holds"]
)
def test_the_rest_may_stand_behind_an_order(said: str) -> None:
    assert len(read_orders(said, ITALY, "Italy").orders["Italy"]) == 5


def test_the_rest_is_ordered_once() -> None:
    """However often it is said, and with nobody left of whom to say it."""
    reading = read_orders(
        "All others hold\nA Ven - Tri\n" + "All others hold\n" * 3, ITALY, "Italy"
    )

    assert len(reading.orders["Italy"]) == 5
    assert [line.number for line in reading.lines if line.prose] == [3, 4, 5]


def test_a_condition_for_the_rest_is_no_order() -> None:
    said = "Se mi attacchi, tutte ferme\nSe vieni tu, A Ven - Tri, tutte le altre ferme"

    assert read_orders(said, ITALY, "Italy").orders == {}


@pytest.mark.parametrize("said", ["All is well", "Tutto tranquillo", "All hold on to hope here"])
def test_a_word_about_everything_is_no_order(said: str) -> None:
    assert read_orders(said, ITALY, "Italy").orders == {}


def test_orders_may_be_joined_by_and() -> None:
    text = "A Ven - Tri e A Rom - Apu, and F Nap H"

    assert read_orders(text, ITALY, "Italy").orders == {
        "Italy": (VEN_TRI, Move("A ROM", "APU"), Hold("F NAP"))
    }


@pytest.mark.parametrize("text", RETREAT_SHAPES)
def test_retreats(text: str) -> None:
    assert read(text, RETREATS, "Austria") == RETREAT_SHAPES[text]


WINTER = replace(ITALY, phase=Phase(1901, "winter"), owners={"NAP": "Italy", "ROM": "Italy"})
WINTER_SHAPES: dict[str, Order] = {
    "Costruisce F Nap": Build("F NAP"),
    "Build F NAP": Build("F NAP"),
    "B F Nap": Build("F NAP"),
    "C F Nap": Build("F NAP"),
    "C A Rom": Build("A ROM"),
    "+A Rom": Build("A ROM"),
    "+ A Rom": Build("A ROM"),
    "Costruisco un'armata a Roma": Build("A ROM"),
    "Costruzione: A Rom": Build("A ROM"),
    "Recluta A Rom": Build("A ROM"),
    "Nuova armata a Roma": Build("A ROM"),
    "Crea A Rom": Build("A ROM"),
    "build army in Rome": Build("A ROM"),
    "- Build A Rom": Build("A ROM"),
    "1. Build A Rom": Build("A ROM"),
    "Build F STP/NC": Build("F STP/NC"),
    "Costruisce F San Pietroburgo (costa nord)": Build("F STP/NC"),
    "Rinuncio": Waive(),
    "Waive": Waive(),
    "W": Waive(),
    "Rinuncia a una costruzione": Waive(),
    "nessuna costruzione": Waive(),
    "Passo": Waive(),
    "Rimanda le costruzioni": Waive(),
    "Rimuove A Ven": Remove("A VEN"),
    "Remove A VEN": Remove("A VEN"),
    "R A Ven": Remove("A VEN"),
    "Scioglie A Venezia": Remove("A VEN"),
    "Sbanda A Venezia": Remove("A VEN"),
    "Disband A VEN": Remove("A VEN"),
    "-A Ven": Remove("A VEN"),
    "- A Ven": Remove("A VEN"),
    "– A Ven": Remove("A VEN"),
    "Toglie l'armata di Venezia": Remove("A VEN"),
    "Distruggi l'unità in Venezia": Remove("A VEN"),
    "Elimina Venezia": Remove("A VEN"),
    "A Ven sciolta": Remove("A VEN"),
    "A Ven D": Remove("A VEN"),
    "A Ven R": Remove("A VEN"),
    "A Ven viene rimossa": Remove("A VEN"),
}


@pytest.mark.parametrize("text", WINTER_SHAPES)
def test_winter(text: str) -> None:
    """``C`` builds and ``R`` removes only here; ``-`` before a unit removes, no bullet."""
    assert read(text, WINTER, "Italy") == WINTER_SHAPES[text]


@pytest.mark.parametrize(
    "text", ["Costruisce A Rom e F Nap", "Build A ROM, F NAP", "Costruisco: A Rom and F Nap"]
)
def test_a_bare_unit_takes_the_verb_before_it(text: str) -> None:
    assert read_orders(text, WINTER, "Italy").orders == {"Italy": (Build("A ROM"), Build("F NAP"))}


PICKS = position("alexmagnum", "", "picks")
PICK_SHAPES = {
    "Pick ALE": "ALE",
    "ALE": "ALE",
    "Alessandria": "ALE",
    "Scelgo Alessandria": "ALE",
    "sceglie ALE": "ALE",
    "I choose Alexandria": "ALE",
    "Scelgo: Alessandria": "ALE",
    "- Tebe": "TEB",
    "1. Tebe": "TEB",
    "Scelgo Allessandria": "ALE",
    "La mia scelta è Alessandria": "ALE",
    "My pick is Alexandria": "ALE",
    "I'll take Alexandria": "ALE",
}


@pytest.mark.parametrize("text", PICK_SHAPES)
def test_picks(text: str) -> None:
    """R30: with a verb, or the name of a centre alone."""
    assert read(text, PICKS, "TOL") == Pick(PICK_SHAPES[text])


DEPLOYMENT = position("alexmagnum", "", "deployment", owners={"ALE": "TOL"})
DEPLOYMENT_SHAPES: dict[str, Order] = {
    "A MEN": Build("A MEN"),
    "G ALE": Build("G ALE"),
    "Generale ad Alessandria": Build("G ALE"),
    "Build F TIR": Build("F TIR"),
    "Costruisce G ALE": Build("G ALE"),
    "Flotta a Tiro": Build("F TIR"),
    "1. A MEN": Build("A MEN"),
    "Rinuncio": Waive(),
}


@pytest.mark.parametrize("text", DEPLOYMENT_SHAPES)
def test_deployment(text: str) -> None:
    """R31: a unit and a centre are enough."""
    assert read(text, DEPLOYMENT, "TOL") == DEPLOYMENT_SHAPES[text]
