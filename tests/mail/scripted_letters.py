"""The letters of six players for a Cyprus year and two seasons, and the orders they mean.

Most letters are from the sample game.  Antigonus and Ptolemy write different ones here, so that a
fleet has to retreat in the spring.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.mail.people import Person
from tests.sample_turn import NAMES

SAMPLE = Path(__file__).parents[2] / "orders" / "game"

PEOPLE = tuple(
    Person(power, name, address, lang, "", (), "")
    for power, name, address, lang in (
        ("SEL", "Margaret Okafor", "margaret.okafor@example.org", "en"),
        ("TOL", "Bruno Ferraris", "b.ferraris@example.org", "it"),
        ("LIS", "Sven Lindqvist", "sven@example.org", "en"),
        ("AUT", "Ottavio Bellini", "antigono.monoftalmo@example.org", "it"),
        ("CAS", "Luigi Manca", "gigi98@example.org", "it"),
        ("CAN", "Anand Deshpande", "a.deshpande@example.org", "en"),
    )
)

CYPRUS = tuple(f"323-{period}" for period in range(1, 7))
SEASONS = ("322-spring", "322-spring-retreats", "322-autumn", "322-autumn-retreats")
PHASES = (*CYPRUS, *SEASONS)

MEANT: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    **{
        f"323-{period}": {
            power: (f"Pick {centre}",)
            for power, centre in zip(
                ("SEL", "TOL", "LIS", "AUT", "CAS", "CAN"), centres.split(), strict=True
            )
        }
        for period, centres in enumerate(
            (
                "BAB ALE SAR SAR ATE TAX",
                "PER MEN SAR CIL MAC BAT",
                "SUS CRE BIS SIR CRE MAT",
                "ASS TEB TRA ROD CRE UJJ",
                "ECB TIR PON CEL TES BAR",
            ),
            1,
        )
    },
    "323-6": {
        "SEL": ("Build G BAB", "Build G PER", "Build F SUS", "Build F ASS", "Build A ECB"),
        "TOL": ("Build G ALE", "Build A MEN", "Build F TEB", "Build F TIR"),
        "LIS": ("Build G BIS", "Build F SAR", "Build A TRA", "Build F PON"),
        "AUT": ("Build G SIR", "Build A CIL", "Build F ROD", "Build A CEL"),
        "CAS": ("Build G MAC", "Build F ATE", "Build A TES", "Build F CRE"),
        "CAN": ("Build A LAH", "Build A TAX", "Build A MAT", "Build A UJJ", "Build F BAR"),
    },
    "322-spring": {
        "SEL": ("G BAB - DUR", "F ASS - EUF", "A ECB - ATR", "F SUS - GPE"),
        "TOL": ("G ALE - MAM", "A MEN - SIW", "F TEB - FOC", "F TIR H"),
        "LIS": ("G BIS - FRI", "F SAR - EGE", "A TRA - CAL", "F PON - MNC"),
        "AUT": ("G SIR - TIR", "A CIL - ICO", "F ROD - ICA", "A CEL - EFE"),
        "CAS": ("G MAC - CAL", "F ATE - EGE", "A TES - EPI", "F CRE - EGE"),
        "CAN": ("G LAH - MAL", "A TAX - GAN", "A MAT - PAT", "A UJJ H", "F BAR - MIN"),
    },
    "322-spring-retreats": {"TOL": ("F TIR - FEN",)},
    "322-autumn": {
        "SEL": ("G DUR - NIS", "F EUF - COM", "A ATR - ARM", "F GPE - OMA"),
        "TOL": ("A SIW - CIR", "G MAM S A SIW - CIR", "F FOC - EGI", "F FEN - PAN"),
        "LIS": ("G FRI - CEL", "F EGE#3 H", "A TRA H", "F MNC - CHE"),
        "AUT": ("A ICO - CAP", "G TIR H", "A EFE H", "F ICA - EGE"),
        "CAS": ("G CAL - TRA", "F EGE#1 S F EGE#2 - EGE#3", "F EGE#2 - EGE#3", "A EPI H"),
        "CAN": ("A UJJ S A MAT - PAT", "A MAT - PAT", "G MAL H", "A GAN H", "F MIN - MAB"),
    },
    "322-autumn-retreats": {"LIS": ("F EGE#3 - SAR", "A TRA - BIS")},
}
"""The orders that count, by phase and power, as a person understands the letters."""

_BRUNO = "\n\nUn cordiale saluto,\nBruno Ferraris (Tolomeo)\n"
_OTTAVIO = "\n\nAntigono, un occhio solo ma buono\n"

_OTHERWISE: Mapping[tuple[str, str], str] = {
    ("323-5", "TOL"): "Caro arbitro,\n\nultima scelta:\n\n1. Scelgo Tiro" + _BRUNO,
    ("323-5", "AUT"): "ANTIGONO\n\nScelgo: CELENE" + _OTTAVIO,
    ("323-6", "TOL"): "Caro arbitro,\n\necco lo schieramento:\n\n1. Generale ad Alessandria\n"
    "2. Falange a Menfi\n3. Flotta a Tebe\n4. Flotta a Tiro" + _BRUNO,
    ("323-6", "AUT"): "ANTIGONO schiera:\n\nG Siria\nA Cilicia\nF Rodi\nA Celene" + _OTTAVIO,
    ("322-spring", "TOL"): "Caro arbitro,\n\ncon un po' di ritardo sulla tabella di marcia, ma in "
    "anticipo sulla scadenza, ecco gli ordini di primavera:\n\n"
    "1. Il generale di Alessandria va in Marmarica\n2. La falange di Menfi va a Siwa\n"
    "3. F Tebe - Foci del Nilo, via Nilo\n4. La flotta di Tiro difende" + _BRUNO,
    ("322-spring", "AUT"): "ORDINI PER ANTIGONO:\n- G SIR - TIR\n- A CIL - ICO\n"
    "- F ROD - Mare Icario\n- A CEL - EFE\n\nTremate." + _OTTAVIO,
    ("322-spring-retreats", "TOL"): "Caro arbitro,\n\nmi ritiro con onore:\n\n"
    "1. La flotta di Tiro si ritira nel Mare Fenicio" + _BRUNO,
    ("322-autumn", "TOL"): "Caro arbitro,\n\nordini d'autunno:\n\n"
    "1. La falange di Siwa attacca Cirene\n2. Il generale in Marmarica appoggia Siwa in Cirene\n"
    "3. F Foci del Nilo va nel Mare Egiziano\n4. F Mare Fenicio va nel Mare Panfilio" + _BRUNO,
    ("322-autumn", "AUT"): "ORDINI PER ANTIGONO:\n- A ICO - CAP\n- G TIR XXX\n- A EFE XXX\n"
    "- F ICA - EGE\n\nLa Cappadocia ha una guarnigione? Peggio per lei." + _OTTAVIO,
    ("322-autumn-retreats", "LIS"): "Hello, found wifi after all! New retreats please, forget the "
    "old ones:\n\nFleet Aegean Sea retreats to Sardis\nArmy Thrace retreats to Byzantium\n\nSven\n",
}


def letters(phase: str, power: str) -> list[str]:
    """Return what the player of a power writes in a phase, one text for each letter."""
    if (phase, power) in _OTHERWISE:
        return [_OTHERWISE[phase, power]]
    files = sorted((SAMPLE / phase).glob(f"*-{NAMES[power]}.txt"))
    return [file.read_text(encoding="utf-8") for file in files]
