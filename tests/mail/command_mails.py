"""Messages with commands, press, and orders of other phases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.mail import clients, webmail
from tests.mail.clients import NEW, TOP, Letter
from tests.mail.corpus_entries import Mail
from tests.mail.people import LIS, SEL, TOL, Person

ORDERS = ("A MEN - ALE", "G ALE - MAM")
BOTH = "A MEN - ALE\nG ALE - MAM"
PROPOSAL = "Caro Antigono,\nfacciamo così: tu A SIR - DAM, io\nA ISR - NAB\nMAPPA\ned è pace."
ENGLISH = ("G BAB - DUR", "A PER - ECB")


def command_mails() -> Iterator[Mail]:
    number = 400
    for name, client, who, place, said, entry in (*_commands(), *_press(), *_phases()):
        number += 1
        letter = Letter(who, number, place, said=said)
        yield Mail(name, client(letter), {"power": who.power, **entry})


Asked = tuple[str, Any, Person, str, str, dict[str, Any]]


def _commands() -> Iterator[Asked]:
    said = f"{BOTH}\n\nSTATO\nI miei ordini\nstoria\nMappa per favore\n*AIUTO*\nAssenza dal 24/12 al 6/1\nattendi\nPatta\ngrazie!"
    wanted = [
        "status",
        "orders",
        "history",
        "map",
        "help",
        "absence dal 24/12 al 6/1",
        "wait",
        "draw",
    ]
    yield (
        "commands-italian",
        clients.gmail_web,
        TOL,
        TOP,
        said,
        {"orders": list(ORDERS), "commands": wanted},
    )
    said = "STATUS\nOrders\nHISTORY 322-spring\nmap, please\nhelp!\nAbsence from 24 Dec to 6 Jan\nREADY\nDRAW TOL, Lysimachus\nCONCEDE TO Ptolemy\nno draw\nclear"
    wanted = [
        "status",
        "orders",
        "history 322-spring",
        "map",
        "help",
        "absence from 24 dec to 6 jan",
        "ready",
        "draw TOL LIS",
        "concede TOL",
        "no-draw",
        "clear",
    ]
    yield "commands-english", clients.iphone, SEL, TOP, said, {"orders": [], "commands": wanted}
    said = f"Ho guardato la mappa e la storia: stato pietoso!\nOrdini\n{BOTH}\nAttendi una risposta di Cassandro.\nAiuto, Lisimaco mi attacca\nAssenza di notizie da 3 giorni\nHo pronto un piano. Chi concede a Tolomeo la pace?"
    yield (
        "commands-in-prose",
        clients.outlook_web,
        TOL,
        TOP,
        said,
        {"orders": list(ORDERS), "commands": []},
    )
    yield (
        "command-alone",
        webmail.samsung,
        TOL,
        TOP,
        "ordini",
        {"orders": [], "commands": ["orders"]},
    )
    yield (
        "command-twice-quoted",
        clients.mutt,
        LIS,
        TOP,
        "status",
        {"orders": [], "commands": ["status"]},
    )


def _press() -> Iterator[Asked]:
    said = f"{BOTH}\n\nSTAMPA A AUT, Seleuco e LIS\n{PROPOSAL}\nFINE STAMPA\n\nA ISR H"
    piece: dict[str, Any] = {"to": ["AUT", "SEL", "LIS"], "text": PROPOSAL}
    orders = [*ORDERS, "A ISR H"]
    yield (
        "press-italian",
        clients.apple_mail,
        TOL,
        TOP,
        said,
        {"orders": orders, "press": [piece], "commands": []},
    )
    said = "ANONYMOUS PRESS TO Antigonus, blue\nBeware of Cassander.\nENDPRESS\nG BAB - DUR\nPress to all:\nHello everybody.\nend press\nA PER - ECB"
    pieces = [
        {"to": ["AUT", "TOL"], "text": "Beware of Cassander.", "anonymous": True},
        {"to": ["all"], "text": "Hello everybody."},
    ]
    yield (
        "press-english",
        clients.thunderbird,
        SEL,
        TOP,
        said,
        {"orders": list(ENGLISH), "press": pieces},
    )
    said = f"{BOTH}\nSTAMPA ALL'ARBITRO\nQuando finisce?\nFINE STAMPA\nSTAMPA ANONIMA A TUTTI\nChi tradirà?\nFINE STANPA"
    pieces = [
        {"to": ["gm"], "text": "Quando finisce?"},
        {"to": ["all"], "text": "Chi tradirà?", "anonymous": True},
    ]
    yield (
        "press-to-gm-and-all",
        webmail.libero,
        TOL,
        TOP,
        said,
        {"orders": list(ORDERS), "press": pieces},
    )
    said = f"{BOTH}\nSTAMPA ANONIMA A AUT\n{PROPOSAL}"
    open_piece = {"to": ["AUT"], "text": PROPOSAL, "anonymous": True, "open": True}
    yield (
        "press-without-end",
        clients.iphone,
        TOL,
        TOP,
        said,
        {"orders": list(ORDERS), "press": [open_piece]},
    )
    yield (
        "press-without-end-signed",
        clients.mutt,
        TOL,
        TOP,
        said,
        {"orders": list(ORDERS), "press": [open_piece]},
    )
    said = "G BAB - DUR\nPRESS TO Turkey\nHelp me, A PER - SUS\nENDPRESS\nA PER - ECB"
    lost = {"to": [], "text": "Help me, A PER - SUS", "unknown": ["turkey"]}
    yield (
        "press-to-nobody",
        clients.gmail_app,
        SEL,
        TOP,
        said,
        {"orders": list(ENGLISH), "press": [lost]},
    )
    said = "Stampa a colori la mappa, è bella.\nA MEN - ALE\nLa stampa a tutti piace\nG ALE - MAM"
    yield "press-in-prose", webmail.roundcube, TOL, TOP, said, {"orders": list(ORDERS), "press": []}


def _phases() -> Iterator[Asked]:
    retreats = {"phase": "retreats", "orders": ["A MEN - SIW", "Disband F EGI"]}
    said = "A Menfi si ritira a Siwa\nSciolgo F EGI\n\nA presto"
    yield "retreats", clients.gmail_web, TOL, TOP, said, retreats
    winter = {"phase": "winter", "orders": ["Build A MEN", "Build F TIR", "Waive"]}
    said = "Costruisco:\n+ A MEN\nCostruisce F Tiro\nrinuncio\n\nBruno"
    yield "winter", clients.iphone, TOL, TOP, said, winter
    picks = {"phase": "picks", "orders": ["Pick ALE"]}
    yield (
        "picks",
        webmail.yahoo_app,
        TOL,
        TOP,
        "Caro arbitro,\nscelgo Alessandria\n\nA presto",
        picks,
    )
    yield (
        "picks-bare",
        clients.outlook_mobile,
        LIS,
        TOP,
        "Babylon\n\nSven",
        {"phase": "picks", "orders": ["Pick BAB"]},
    )
    deployment = {"phase": "deployment", "orders": ["Build G ALE", "Build A MEN"]}
    yield "deployment", webmail.samsung, TOL, NEW, "G Alessandria\nA Menfi", deployment
