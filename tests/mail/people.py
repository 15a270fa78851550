"""Who writes in the corpus, what they order, and what the game had written to them.

The position is that of ``orders/turn.yaml``.  The quoted mail is full of orders for other units
that stand there now, so that each line of it that is taken for the player's shows as an order.
"""

from __future__ import annotations

from dataclasses import dataclass

GAME = "perdicca@example.net"
GM = "Arbitro Alex Magnum"


@dataclass(frozen=True, slots=True)
class Person:
    """A player: ``said`` are letters with orders, ``orders`` what they come to, and ``old`` the
    mail of the game that is answered."""

    power: str
    name: str
    address: str
    lang: str
    said: str
    orders: tuple[str, ...]
    old: str


TOL = Person(
    "TOL",
    "Bruno Ferraris",
    "b.ferraris@example.org",
    "it",
    """Caro arbitro,

ecco gli ordini di primavera, con un po' di ritardo:

A MEN - ALE
G ALE va in Marmarica
F PAN – Mare Icario
A NOC appoggia A MEN - ALE

Per favore conferma la ricezione. Così è più sicuro!
Bruno""",
    ("A MEN - ALE", "G ALE - MAM", "F PAN - ICA", "A NOC S A MEN - ALE"),
    """Tolomeo, il tuo resoconto dell'autunno 319 a.C.

I tuoi ordini erano:
A ISR - DAM
F TIR - FEN
F FOC H
F SIS - SUE
F EGI#1 - CRE

Gli ordini per la primavera 318 a.C. sono attesi entro domenica 22 novembre 2026, ore 23:59 (Europe/Rome).
L'arbitro""",
)

CAS = Person(
    "CAS",
    "Luigi Manca",
    "gigi98@example.org",
    "it",
    """primavera

g tes > ate
f ion > adr
a siw - men
f mac appoggia f ege#1

ciauz
gigi""",
    ("G TES - ATE", "F ION - ADR", "A SIW - MEN", "F MAC S F EGE#1"),
    """Ciao Luigi,

questi sono gli ordini che ho ricevuto da te:
A ATE - SPA
A EPI H
F CRE - EGE
F EGI#2 H
F ILL S F ADR#1

Mancano ancora cinque ore alla scadenza di primavera, poi si va avanti con quelli che ci sono.
Se qualcosa non torna, rispondi a questo messaggio.""",
)

SEL = Person(
    "SEL",
    "Margaret Okafor",
    "margaret.okafor@example.org",
    "en",
    """Seleucus, Spring 318

G BAB - DUR
A PER - ECB
Fleet Susa moves to the Persian Gulf
A NIS supports F EUF - ASS

Best wishes,
M. Okafor""",
    ("G BAB - DUR", "A PER - ECB", "F SUS - GPE", "A NIS S F EUF - ASS"),
    """Dear Margaret,

the report of autumn 319 BC is attached. Your orders were:

A OPI - BAB
A ATR - ARM
F EUF - ASS
Orders for the spring of 318 BC are due on Sunday 22 November 2026, 23:59 (Europe/Rome) = 22:59 UTC.

The game master""",
)

LIS = Person(
    "LIS",
    "Sven Lindqvist",
    "sven@example.org",
    "en",
    """Hello GM!

Phew, five minutes left. My orders:

General Byzantium moves to Odrysia
Army Thrace moves to Chalcidice
F SAR -> EFE
F EGE#2 holds

Don't tell Cassander that I'd attack him if he takes Epirus.
Sven""",
    ("G BIS - ODR", "A TRA - CAL", "F SAR - EFE", "F EGE#2 H"),
    """Lysimachus, these orders were taken from your last mail:

A FRI - SAR
F ICA#1 - EGE
F MNO - MNC
F ADR#2 H

One line could not be read: "fleet pontus stays where it was last year, or wherever you think that it should be".
Status: https://example.net/perdicca""",
)

PEOPLE = (TOL, CAS, SEL, LIS)
