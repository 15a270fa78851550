"""Every shape in which people have been seen to write an order, by phase."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alexmagnum.notation import read_orders
from alexmagnum.position import Phase, Position
from tests.each import cells
from tests.notation.tables import EGYPT, ITALY, check_read, position, retreating, written

RETREATS = retreating("standard", "Austria: A TRI, F ALB", "Italy: A VEN")
WINTER = replace(ITALY, phase=Phase(1901, "winter"), owners={"NAP": "Italy", "ROM": "Italy"})
PICKS = position("alexmagnum", "", "picks")
DEPLOYMENT = position("alexmagnum", "", "deployment", owners={"ALE": "TOL"})
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

SHAPES: dict[str, tuple[Position, str, dict[str, str]]] = {
    "movement": (
        ITALY,
        "Italy",
        {
            "A VEN - TRI": MOVES + "A Ven - Tri via terra|A Ven - Tri per terra",
            "F NAP H": HOLDS,  # XXX is no junk, and D is "difende" where nobody can disband
            "A VEN S A ROM - APU": SUPPORTS,
            "A VEN S A ROM": SUPPORTS_TO_HOLD,
            "F TYS C A NAF - TUN": CONVOYS,
            "A NAF - TUN via convoy": CONVOYED,
        },
    ),
    "coasts": (ITALY, "France", {"F MAR - SPA/SC": TO_SPAIN, "F MAO - SPA/NC": NORTH}),
    "the coast of the ordered fleet": (
        ITALY,
        "Russia",
        {
            "F STP/SC - BOT": """
F STP/SC - BOT|F Stp(cs) - Bot|F San Pietroburgo costa sud - Botnia|STP - BOT
"""
        },
    ),
    "rivers and portages (R18, R23): named behind the destination, or written out": (
        EGYPT,
        "TOL",
        {
            "F FOC - TEB": """
F FOC - TEB|F FOC - TEB via Nilo|F Foci del Nilo va a Tebe (via Nilo)|F FOC - Tebe lungo il Nilo
F FOC to Thebes via the Nile|F FOC - NOC - MEN - TEB
""",
            "F EGI - SUE": """
F EGI - SUE via Sinai|F EGI - Suez attraverso il Sinai|F EGI - SUE via traino del Sinai
F Mare Egiziano va nel Golfo di Suez|F Mare Egiziano nel Golfo di Suez|F M. Egiziano - G. di Suez
F EGI > SIS > SUE
""",
            "G ALE - CRE via convoy": """
G ALE - CRE VIA|Il generale di Alessandria va a Creta per mare
""",
            "A MEN - TEB": "falange di Menfi in Tebe|phalanx Memphis attacks Thebes",
        },
    ),
    "a fleet among several (R8, R11): by number, by owner, else one's own": (
        EGYPT,
        "TOL",
        {
            "F EGE#2 H": """
F EGE#2 H|F EGE 2 H|F EGE(2) H|F EGE(TOL) H|F EGE (Tolomeo) H|la flotta di Tolomeo nell'Egeo tiene
F Mare Egeo H|EGE H
""",
            "F EGI S F EGE#1": "F EGI S F EGE#1",
            "F EGI S F EGE#1 - CRE": "F EGI S F EGE(CAS) - CRE",
            "F EGI S F EGE#3": "F EGI appoggia la flotta di Lisimaco nell'Egeo",
            "F EGI - EGE#1": """
F EGI - EGE#1|F EGI - EGE 1|F EGI - EGE(CAS)|F EGI attacca EGE (Cassandro)
F EGI - Egeo di Cassandro
""",
            "F EGI - EGE": "F EGI - EGE",
            "F EGE#2 - EGE#1": "F EGE#2 - EGE#1",
            "F EGE#2 S F CRE - EGE#3": "F EGE#2 S F CRE - EGE#3",
            "F EGI C A TRA - CRE": "F EGI C A TRA - CRE",
        },
    ),
    "retreats": (
        RETREATS,
        "Austria",
        {
            "A TRI - ALB": """
Rit: A Tri - Alb|A TRI - ALB|A Tri > Alb|A Tri si ritira in Albania|A Tri ripiega in Albania
A Tri R Alb|A Tri RIT Alb|R A Tri - Alb|Ritirata A Tri in Albania|A Tri retreats to Albania
- A Tri - Alb
""",
            "Disband A TRI": """
A Tri sbanda|A Tri D|A Tri scioglie|A Tri sciolta|A Tri si arrende|A Tri smobilita|A Tri distrugge
A Tri elimina|A Tri disbands|Disband A TRI|D A Tri|Scioglie l'armata di Trieste|Sbanda Trieste
Rimuove A Tri
""",
        },
    ),
    "winter: C builds and R removes only here; - before a unit removes, and is no bullet": (
        WINTER,
        "Italy",
        {
            "Build F NAP": "Costruisce F Nap|Build F NAP|B F Nap|C F Nap",
            "Build A ROM": """
C A Rom|+A Rom|+ A Rom|Costruisco un'armata a Roma|Costruzione: A Rom|Recluta A Rom
Nuova armata a Roma|Crea A Rom|build army in Rome|- Build A Rom|1. Build A Rom
""",
            "Build F STP/NC": "Build F STP/NC|Costruisce F San Pietroburgo (costa nord)",
            "Waive": """
Rinuncio|Waive|W|Rinuncia a una costruzione|nessuna costruzione|Passo|Rimanda le costruzioni
""",
            "Remove A VEN": """
Rimuove A Ven|Remove A VEN|R A Ven|Scioglie A Venezia|Sbanda A Venezia|Disband A VEN|-A Ven
- A Ven|– A Ven|Toglie l'armata di Venezia|Distruggi l'unità in Venezia|Elimina Venezia
A Ven sciolta|A Ven D|A Ven R|A Ven viene rimossa
""",
        },
    ),
    "picks (R30): with a verb, or the name of a centre alone": (
        PICKS,
        "TOL",
        {
            "Pick ALE": """
Pick ALE|ALE|Alessandria|Scelgo Alessandria|sceglie ALE|I choose Alexandria|Scelgo: Alessandria
Scelgo Allessandria|La mia scelta è Alessandria|My pick is Alexandria|I'll take Alexandria
""",
            "Pick TEB": "- Tebe|1. Tebe",
        },
    ),
    "deployment (R31): a unit and a centre are enough": (
        DEPLOYMENT,
        "TOL",
        {
            "Build A MEN": "A MEN|1. A MEN",
            "Build G ALE": "G ALE|Generale ad Alessandria|Costruisce G ALE",
            "Build F TIR": "Build F TIR|Flotta a Tiro",
            "Waive": "Rinuncio",
        },
    ),
}


@pytest.mark.parametrize("what", SHAPES)
def test_every_shape_is_its_canonical_order(what: str) -> None:
    where, power, orders = SHAPES[what]
    check_read(orders, where, power)


REST = cells("""
All others hold|the rest H|Tutti gli altri tengono.|Il resto ferma
- tutte le altre unità restano ferme|e le altre tengono|Everything else holds!
""")


def test_the_rest_may_be_ordered_to_hold() -> None:
    """Wherever it stands; a later order for one of them counts."""
    texts = [text for said in REST for text in (f"A Ven - Tri\n{said}", f"{said}\nA Ven - Tri")]
    texts += ["A Ven - Tri, tutte le altre ferme.", "A Ven - Tri and everything else holds"]
    for text in texts:
        found = sorted(written(text, ITALY, "Italy"))
        assert found == ["A NAF H", "A ROM H", "A VEN - TRI", "F NAP H", "F TYS H"], text


def test_the_rest_is_ordered_once() -> None:
    """However often it is said, and with nobody left of whom to say it."""
    reading = read_orders(
        "All others hold\nA Ven - Tri\n" + "All others hold\n" * 3, ITALY, "Italy"
    )

    assert len(reading.orders["Italy"]) == 5
    assert [line.number for line in reading.lines if line.prose] == [3, 4, 5]


def test_a_condition_for_the_rest_or_a_word_about_everything_is_no_order() -> None:
    conditions = "Se mi attacchi, tutte ferme\nSe vieni tu, A Ven - Tri, tutte le altre ferme"
    for said in (conditions, "All is well", "Tutto tranquillo", "All hold on to hope here"):
        assert read_orders(said, ITALY, "Italy").orders == {}


def test_orders_may_be_joined_by_and() -> None:
    """A bare unit takes the verb before it."""
    text = "A Ven - Tri e A Rom - Apu, and F Nap H"
    assert written(text, ITALY, "Italy") == ["A VEN - TRI", "A ROM - APU", "F NAP H"]
    for text in ("Costruisce A Rom e F Nap", "Build A ROM, F NAP", "Costruisco: A Rom and F Nap"):
        assert written(text, WINTER, "Italy") == ["Build A ROM", "Build F NAP"]
