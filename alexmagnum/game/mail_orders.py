"""What a mail comes to: every line understood, and the orders that count from then on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from alexmagnum.errors import NotationError
from alexmagnum.game.mail_sections import NOW, OTHER, RETREATS, Part, split_sections
from alexmagnum.game.values import Understood
from alexmagnum.judge.checking import GOOD, IMPOSSIBLE, Check, check_orders, list_reachable
from alexmagnum.judge.outcome import REPLACED, Reason
from alexmagnum.notation import Line, NotationSettings, read_order, read_orders, write_order
from alexmagnum.notation.reader import BARE_UNIT_CODES
from alexmagnum.orders import Order, Pick, Waive
from alexmagnum.position import WINTER, Dislodged, Phase, Position

DOUBTFUL, PROSE = "doubtful", "prose"

NEEDS_A_LOOK = frozenset({DOUBTFUL, IMPOSSIBLE, "unreadable", "ambiguous"})
"""The verdicts for which a game master should look at a mail."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail read: its lines, and the ``orders`` that count now, those before it included.

    ``replaces``: orders that counted before count no more.
    """

    lines: tuple[Understood, ...]
    orders: tuple[Order, ...]
    replaces: bool


def read_mail(
    position: Position,
    power: str,
    text: str,
    settings: Mapping[str, str],
    before: Sequence[Order] = (),
) -> Mail:
    """Read a power's mail in a phase; ``before`` are the orders that counted so far."""
    listed = list(split_sections(text, position.phase, position.board))
    now = [part for part in listed if part.target == NOW]
    lines = _read(position, power, now, settings)
    sent = _counting(lines, position, power, settings)
    orders = _merged(before, [order for _, order in sent], position, settings)
    told: list[tuple[int, Understood]] = [
        *_told(lines, {id(line) for line, _ in sent}, position, power, orders),
        *_other(position, power, listed, settings),
    ]
    for kind in (RETREATS, WINTER):
        told += _ahead(position, power, [p for p in listed if p.target == kind], settings, kind)
    told.sort(key=lambda pair: pair[0])
    kept = {write_order(order) for order in orders}
    gone = any(write_order(order) not in kept for order in before)
    return Mail(tuple(line for _, line in told), tuple(orders), bool(sent) and gone)


def read_canonical_orders(
    position: Position, power: str, texts: Iterable[str]
) -> tuple[Order, ...]:
    """Orders as they are kept.

    Raises:
        NotationError: one of them cannot be read in this position.
    """
    return tuple(read_order(text, position, power) for text in texts)


# -- reading lines --------------------------------------------------------------------------------


def _read(
    position: Position, power: str, listed: Sequence[Part], settings: Mapping[str, str]
) -> list[Line]:
    """The lines of some parts, numbered as in the mail."""
    if not listed:
        return []
    texts = [""] * listed[-1].number
    for part in listed:
        texts[part.number - 1] = part.text
    fuzzy = NotationSettings("refuse" if settings["fuzzy"] == "refuse" else "accept")
    reading = read_orders("\n".join(texts), position, power, settings=fuzzy)
    verbs = {part.number: part.verb for part in listed if part.verb}
    return [_with_verb(line, verbs.get(line.number, ""), position, power) for line in reading.lines]


def _with_verb(line: Line, verb: str, position: Position, power: str) -> Line:
    """A bare unit below ``Costruzioni:`` is one to build."""
    bare = line.error is not None and line.error.code in BARE_UNIT_CODES
    if not verb or not (bare or (line.prose and line.text)):
        return line
    try:
        order = read_order(f"{verb} {line.text}", position, power)
    except NotationError:
        return line
    return replace(line, power=power, order=order, error=None, prose=False)


def _counting(
    lines: Sequence[Line], position: Position, power: str, settings: Mapping[str, str]
) -> list[tuple[Line, Order]]:
    """The orders of a mail that count: the power's own, and of two for one unit just one."""
    own = [(line, line.order) for line in lines if line.order is not None and line.power == power]
    if settings["two_orders"] == "last":
        return [(line, order) for line, order in own if not line.replaced]
    if position.phase.kind in ("winter", "deployment"):
        return own  # which of them count is for the judge
    first: dict[str, tuple[Line, Order]] = {}
    for line, order in own:
        first.setdefault(_subject(order), (line, order))
    return list(first.values())


def _subject(order: Order) -> str:
    """What there is one order for: a unit, on whichever coast, or the pick."""
    return "" if isinstance(order, (Waive, Pick)) else order.unit.partition("/")[0]


def _merged(
    before: Sequence[Order],
    sent: Sequence[Order],
    position: Position,
    settings: Mapping[str, str],
) -> list[Order]:
    """The orders that count after a mail.  One without orders changes nothing."""
    if not sent:
        return list(before)
    # The judge takes the first builds that are legal (R32): the last ones stand first then.
    turned = position.phase.kind == "winter" and settings["too_many_builds"] == "last"
    orders = list(sent)
    if settings["second_mail"] == "merge":
        subjects = {_subject(order) for order in sent}
        kept = [order for order in before if _subject(order) not in subjects]
        orders = (kept[::-1] if turned else kept) + orders
    return orders[::-1] if turned else orders


# -- what is said of each line --------------------------------------------------------------------


def _told(
    lines: Sequence[Line],
    counting: set[int],
    position: Position,
    power: str,
    orders: Sequence[Order],
) -> Iterator[tuple[int, Understood]]:
    """The lines for this phase as understood; blank ones are left out."""
    checks = {id(check.order): check for check in check_orders(position, {power: orders})}
    for line in lines:
        if line.text:
            yield line.number, _understood(line, id(line) in counting, position, power, checks)


def _understood(
    line: Line,
    counts: bool,
    position: Position,
    power: str,
    checks: Mapping[int, Check],
) -> Understood:
    if line.error is not None:
        return _refused(line)
    if line.order is None:
        return Understood(line.text, "", PROSE, "", {})
    text = write_order(line.order)
    if line.power != power:
        return Understood(line.text, text, IMPOSSIBLE, "second-hand", {"power": line.power or "?"})
    if not counts:
        return Understood(line.text, text, REPLACED, "order-replaced", {"unit": line.text})
    check = checks[id(line.order)]
    reason = check.reason if check.verdict != GOOD else next(iter(check.warnings), None)
    if check.verdict == IMPOSSIBLE and reason is not None:
        return Understood(line.text, text, IMPOSSIBLE, reason.code, _data(reason, position))
    for notice in line.notices:
        if notice.code not in ("superseded", "second-pick"):
            data = {name: str(value) for name, value in notice.data.items()}
            return Understood(line.text, text, DOUBTFUL, notice.code, data)
    if reason is not None:
        return Understood(line.text, text, DOUBTFUL, reason.code, _data(reason, position))
    return Understood(line.text, text, GOOD, "", {})


def _refused(line: Line) -> Understood:
    assert line.error is not None, "a refused line has an error"
    data = {**line.error.data, "suggestions": ", ".join(line.error.suggestions)}
    return Understood(line.text, "", line.error.kind, line.error.code, data)


def _data(reason: Reason, position: Position) -> dict[str, str]:
    """What the sentence of a reason may want, as texts."""
    units = [position.name(unit) for unit in reason.units]
    return {
        "by": next(iter(units), ""),
        "units": ", ".join(units),
        "strength": str(reason.strength),
        "against": str(reason.against),
        "powers": ", ".join(reason.powers),
        "place": reason.place,
        "room": str(reason.room),
    }


def _other(
    position: Position, power: str, listed: Sequence[Part], settings: Mapping[str, str]
) -> Iterator[tuple[int, Understood]]:
    """Orders for a season that it is not: none of them counts, and each says so."""
    other = [part for part in listed if part.target == OTHER]
    seasons = {part.number: part.season for part in other}
    lines = _read(position, power, [part for part in other if not part.heading], settings)
    for line in lines:
        if not line.text:
            continue
        if line.prose:
            yield line.number, Understood(line.text, "", PROSE, "", {})
            continue
        data = {"asked": seasons[line.number], "current": str(position.phase)}
        yield line.number, Understood(line.text, "", IMPOSSIBLE, "other-season", data)
    yield from (
        (part.number, Understood(part.text.strip(), "", PROSE, "", {}))
        for part in other
        if part.heading
    )


# -- orders sent ahead ----------------------------------------------------------------------------


def _ahead(
    position: Position,
    power: str,
    listed: Sequence[Part],
    settings: Mapping[str, str],
    kind: str,
) -> Iterator[tuple[int, Understood]]:
    """Orders for a phase to come, read as if it were now: whether they fit shows then."""
    supposed = _supposed(position, power, kind)
    for heading, group in groupby(listed, lambda part: part.heading):
        found = list(group)
        if heading:
            yield from (
                (p.number, Understood(p.text.strip(), "", PROSE, "", {}, kind)) for p in found
            )
            continue
        for line in _read(supposed, power, found, settings):
            if line.text:
                yield line.number, _kept(line, power, kind, settings)


def _kept(line: Line, power: str, kind: str, settings: Mapping[str, str]) -> Understood:
    if line.error is not None:
        return _refused(line)._replace(ahead=kind)
    if line.order is None:
        return Understood(line.text, "", PROSE, "", {}, kind)
    text = write_order(line.order)
    if line.power != power:
        data = {"power": line.power or "?"}
        return Understood(line.text, text, IMPOSSIBLE, "second-hand", data, kind)
    if settings["ahead"] == "no":
        return Understood(line.text, text, IMPOSSIBLE, "ahead-not-taken", {}, kind)
    if line.replaced:
        return Understood(line.text, text, REPLACED, "order-replaced", {"unit": line.text}, kind)
    return Understood(line.text, text, GOOD, "", {}, kind)


def _supposed(position: Position, power: str, kind: str) -> Position:
    """A position to read orders for a later phase in: every unit of the power dislodged, with
    all its neighbours open; or a winter."""
    phase = position.phase
    if kind == WINTER:
        units = (*position.units, *(d.unit for d in position.dislodged))
        return replace(position, phase=Phase(phase.year, WINTER), units=units, dislodged=())
    own = [unit for unit in position.units if unit.power == power]
    dislodged = tuple(Dislodged(unit, unit, list_reachable(position, unit)) for unit in own)
    left = tuple(unit for unit in position.units if unit.power != power)
    return replace(position, phase=replace(phase, retreats=True), units=left, dislodged=dislodged)


def select_fitting_orders(
    position: Position, power: str, texts: Iterable[str], settings: Mapping[str, str]
) -> Mail:
    """Those of the orders sent ahead that fit now that their phase is there; the others are
    dropped, and nothing is said of them."""
    found = [
        line
        for text in texts
        for line in _read(position, power, [Part(1, text)], settings)
        if line.order is not None and line.power == power
    ]
    orders = [line.order for line in found if line.order is not None]
    legal = [
        check.order for check in check_orders(position, {power: orders}) if check.verdict == GOOD
    ]
    kept = [order for order in orders if any(order is other for other in legal)]
    if position.phase.kind == "retreats":
        kept = list({_subject(order): order for order in kept}.values())
    lines = tuple(
        Understood(line.text, write_order(line.order), GOOD, "", {})
        for line in found
        if line.order is not None and any(line.order is order for order in kept)
    )
    return Mail(lines, tuple(kept), replaces=False)


def find_illegal_orders(position: Position, power: str, orders: Sequence[Order]) -> frozenset[str]:
    """Those of some orders that can never be, as texts."""
    checks = check_orders(position, {power: orders})
    return frozenset(write_order(check.order) for check in checks if check.verdict == IMPOSSIBLE)
