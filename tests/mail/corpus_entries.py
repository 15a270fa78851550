"""The corpus as a table: each message with what it has to come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.mail import clients, webmail
from tests.mail.clients import BETWEEN, BOTTOM, NEW, TOP, Letter
from tests.mail.people import CAS, LIS, PEOPLE, SEL, TOL, Person


@dataclass(frozen=True, slots=True)
class Mail:
    """A message by name; ``expected`` is its entry in ``expected.yaml``."""

    name: str
    raw: bytes
    expected: dict[str, Any] = field(default_factory=dict)


MARKED: tuple[Callable[[Letter], bytes], ...] = (
    clients.gmail_web,
    clients.gmail_app,
    clients.apple_mail,
    clients.iphone_html,
    clients.thunderbird,
    clients.thunderbird_html,
    clients.evolution,
    clients.mutt,
    clients.k9,
    clients.outlook_express,
    webmail.libero,
    webmail.roundcube,
    webmail.roundcube_html,
    webmail.horde,
)
"""Programs that mark each quoted line or element: answers may stand anywhere."""

UNMARKED: tuple[Callable[[Letter], bytes], ...] = (
    clients.outlook_desktop,
    clients.outlook_web,
    clients.outlook_mobile,
    clients.windows_mail,
    clients.iphone,
    clients.fairemail,
    webmail.libero_old,
    webmail.virgilio,
    webmail.tim,
    webmail.yahoo,
    webmail.yahoo_app,
    webmail.samsung,
    webmail.protonmail,
    webmail.zimbra,
)
"""Programs that do not, or whose users write above."""

FOREIGN = (webmail.gmx, webmail.thunderbird_german, webmail.orange, webmail.apple_french,
           webmail.spanish)  # fmt: skip


def answers() -> Iterator[Mail]:
    """Write mails with every program in two languages: answers above, below and between quotes."""
    number = 0
    for i, client in enumerate((*MARKED, *UNMARKED)):
        pair = (TOL, SEL) if i % 2 else (CAS, LIS)
        places = [(pair[0], TOP), (pair[1], TOP)]
        if client in MARKED:
            places = [(pair[0], TOP), (pair[1], BOTTOM), (pair[i // 2 % 2], BETWEEN)]
        for who, place in places:
            number += 1
            yield answer(client, Letter(who, number, place))
    for client in FOREIGN:
        number += 1
        yield answer(client, Letter(PEOPLE[number % 4], number, TOP))
    for client in (clients.gmail_web, clients.outlook_desktop, clients.iphone, webmail.samsung):
        number += 1
        yield answer(client, Letter(PEOPLE[number % 4], number, NEW))


def answer(client: Callable[[Letter], bytes], letter: Letter) -> Mail:
    """Write a letter with a program, and expect that only the writer's own text is read."""
    who = letter.who
    name = f"{client.__name__}-{who.lang}-{letter.place}".replace("_", "-")
    return Mail(name, client(letter), expected(who, letter.own))


def expected(
    who: Person, said: str, orders: tuple[str, ...] | None = None, **more: Any
) -> dict[str, Any]:
    return {"power": who.power, "text": said, "orders": list(orders or who.orders), **more}
