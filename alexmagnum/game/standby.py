"""The standby list: people who are ready to take over a power."""

from __future__ import annotations

from collections.abc import Collection

from alexmagnum.errors import GameError
from alexmagnum.game.file import to_json
from alexmagnum.game.players import check_person
from alexmagnum.game.records import StandbyRow, read_texts
from alexmagnum.game.state import Game
from alexmagnum.game.values import Standby


def read_standby(game: Game, *, past: bool = False) -> tuple[Standby, ...]:
    """Return who is on the list, or with ``past`` also who was, in the order in which they came."""
    rows = game.file.select(StandbyRow, "ORDER BY id")
    return tuple(_make_standby(row) for row in rows if past or not row.until)


def _make_standby(row: StandbyRow) -> Standby:
    return Standby(
        id=row.id,
        name=row.name,
        address=row.address,
        other_addresses=read_texts(row.other_addresses),
        lang=row.lang,
        since=row.since,
        until=row.until,
        power=row.power,
        note=row.note,
    )


def find_standby(game: Game, number: int) -> Standby:
    """Return somebody on the list by their number.

    Raises:
        GameError: ``no-standby``.
    """
    for person in read_standby(game):
        if person.id == number:
            return person
    raise GameError("no-standby", number=str(number))


def find_standby_at(game: Game, addresses: Collection[str]) -> tuple[Standby, ...]:
    """Return who is on the list with one of some addresses, given in lower case."""
    return tuple(
        person
        for person in read_standby(game)
        if any(address.casefold() in addresses for address in person.addresses)
    )


def add_standby(game: Game, person: Standby, reason: str = "") -> Standby:
    """Put somebody on the list, and return them with their number.

    Raises:
        GameError: ``bad-player``; ``standby-no-address``; ``standby-known``, if an address is on
            the list already.
    """
    check_person(person.name, person.addresses, person.lang)
    if not person.address:
        raise GameError("standby-no-address", name=person.name)
    with game.act("standby-add", reason=reason) as note:
        known = find_standby_at(game, [address.casefold() for address in person.addresses])
        if known:
            raise GameError("standby-known", number=str(known[0].id), name=known[0].name)
        number = game.file.insert(
            "standby",
            name=person.name,
            address=person.address,
            other_addresses=to_json(list(person.other_addresses)),
            lang=person.lang,
            since=game.stamp(),
            until="",
            power="",
            note=person.note,
        )
        note.detail |= {"standby": number, "name": person.name}
    return find_standby(game, number)


def remove_standby(game: Game, number: int, reason: str = "", *, power: str = "") -> Standby:
    """Take somebody off the list, because they play ``power`` now or want to no more.

    Raises:
        GameError: ``no-standby``.
    """
    with game.act("standby-remove", power, reason) as note:
        person = find_standby(game, number)
        game.file.update("standby", number, until=game.stamp(), power=power)
        note.detail |= {"standby": number, "name": person.name}
    return person
