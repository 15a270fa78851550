"""Who writes mails in the tests: a player of the sample turn, and the address of the game.

The position is that of ``orders/turn.yaml``.  The quoted mail is full of orders for other units
that stand there now, so that each line of it that is taken for the player's shows as an order.
"""

from dataclasses import dataclass

GAME = "perdicca@example.net"
GM = "Arbitro Alex Magnum"


@dataclass(frozen=True, slots=True)
class Person:
    """A player: ``said`` is a letter with orders, ``old`` the mail of the game that it answers."""

    power: str
    name: str
    address: str
    lang: str
    said: str = ""
    old: str = ""


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
