"""The order sheet: a page on which a player taps their orders together, and the data it takes."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import quote, unquote

from markupsafe import Markup

from alexmagnum import draw, orders
from alexmagnum.board.geography import split_location
from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.cases.json_values import to_json
from alexmagnum.errors import AlexMagnumError
from alexmagnum.files import inflate
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.judge.other_phases import count_adjustments, list_building_rooms
from alexmagnum.notation import describe_order, order_in, order_words, write_order
from alexmagnum.notation.names import power_name
from alexmagnum.orders import Build, Convoy, Disband, Hold, Move, Order, Pick, Retreat, Support
from alexmagnum.page_judge import load_bundle, write_board
from alexmagnum.position import MOST_TEXT, Phase, Position, Unit
from alexmagnum.report.document import load_page_parts, load_script
from alexmagnum.report.words import describe_required_orders, phase_name

if TYPE_CHECKING:
    from jinja2 import Environment


Going = Move | Retreat | Support | Convoy
"""The kinds of order that may have a destination."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Choice:
    """A step towards an order.

    Attributes:
        label: the text of the choice.
        at: the province that stands for it on the map, "" for none.
        unit: the unit that stands for it on the map, "" for none.
        order: the order to which the choice leads, in the reader's notation; "" if others follow.
        code: the same order in canonical notation.
        meaning: the order in words.
        once: True if a sheet may have this order only once (a general).
        then: the choices that follow.
    """

    label: str
    at: str = ""
    unit: str = ""
    order: str = ""
    code: str = ""
    meaning: str = ""
    once: bool = False
    then: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that takes one order: a unit, a place for a new unit, the pick of a period.

    Subjects with the same ``label`` are interchangeable.
    """

    id: str
    label: str
    at: str
    unit: str
    then: tuple[Choice, ...]


def list_subjects(
    position: Position, power: str, sentences: Sentences, orders: Sequence[Order] | None = None
) -> tuple[Subject, ...]:
    """Return all that a power can order now; ``orders`` are its legal orders, if already known."""
    known = legal_orders_of(position, power) if orders is None else orders
    return tuple(_Chooser(position, power, sentences, known).subjects())


def count_orders_due(position: Position, power: str) -> int:
    """Return the largest number of orders of a power that can count."""
    if (kind := position.phase.kind) == "picks":
        return 1
    if kind in ("movement", "retreats"):
        return len(position.units_of(power))
    return abs(count_adjustments(position).get(power, 0))


class _Chooser:
    """Makes the choices of one power in one language."""

    def __init__(
        self, position: Position, power: str, sentences: Sentences, orders: Sequence[Order]
    ) -> None:
        self.position = position
        self.board = position.board
        self.power = power
        self.sentences = sentences
        self.orders = orders

    def subjects(self) -> Iterator[Subject]:
        """Yield the pick, the units, then the places for new units."""
        if any(isinstance(order, Pick) for order in self.orders):
            picks = [self.leaf(o, self.place(o.centre), o.centre) for o in self.orders_of(Pick)]
            yield Subject("pick", self.sentences.format("sheet-pick"), "", "", _by_label(picks))
        unit_orders = self.orders_of(Hold, *_UNIT_ORDERS)
        for name, choices in _group(unit_orders, lambda order: order.unit).items():
            unit = self.position.names[name]
            yield Subject(name, self.unit(unit), unit.province, name, self.kinds_of_order(choices))
        yield from self.new_units()

    def orders_of(self, *kinds: type[Item]) -> list[Item]:
        return [order for order in self.orders if isinstance(order, kinds)]

    def leaf(self, order: Order, label: str, at: str = "") -> Choice:
        lang, code = self.sentences.lang, write_order(order)
        meaning = describe_order(order, self.board, lang)
        return Choice(label, at, order=order_in(code, lang), code=code, meaning=meaning)

    # -- units --------------------------------------------------------------------------------

    def kinds_of_order(self, orders: Sequence[Order]) -> tuple[Choice, ...]:
        choices = []
        for kind, code in _UNIT_ORDERS.items():
            alike = [order for order in orders if isinstance(order, kind)]
            label = self.sentences.format(code)
            if alike and issubclass(kind, (Move, Retreat)):
                choices.append(Choice(label, then=self.goals(alike)))
            elif alike and issubclass(kind, (Support, Convoy)):
                choices.append(Choice(label, then=self.helped_units(alike)))
            else:
                choices += [self.leaf(order, label) for order in alike]
        return tuple(choices)

    def goals(self, orders: Sequence[Order]) -> tuple[Choice, ...]:
        """Return the goals of some orders, each followed by the ways there if it has several."""
        going = [order for order in orders if isinstance(order, Going) and order.to]
        choices = []
        for province, ways in _group(going, lambda o: split_location(o.to or "")[0]).items():
            then = [self.leaf(order, self.describe_way(order, ways), province) for order in ways]
            choices.append(_skip_single(Choice(self.place(province), province, then=tuple(then))))
        return _by_label(choices)

    def helped_units(self, orders: Sequence[Order]) -> tuple[Choice, ...]:
        """Return the units that some orders help, own units first, each followed by its goals."""
        own: list[Choice] = []
        foreign: list[Choice] = []
        helping = [order for order in orders if isinstance(order, Support | Convoy)]
        for name, alike in _group(helping, _helped_unit).items():
            unit = self.position.names[name]
            stay = self.sentences.format("sheet-in-place")
            then = [self.leaf(o, stay, unit.province) for o in alike if o.to is None]
            choice = Choice(self.unit(unit), unit.province, name, then=(*then, *self.goals(alike)))
            if len(choice.then) == 1:
                label = f"{choice.label}: {choice.then[0].label}"
                choice = replace(_skip_single(choice), label=label)
            (own if unit.power == self.power else foreign).append(choice)
        return (*_by_label(own), *_by_label(foreign))

    def describe_way(self, order: Going, ways: Sequence[Going]) -> str:
        """Return what distinguishes an order from others with the same destination."""
        texts = [way.to or "" for way in ways]
        parts = []
        if any("#" in text for text in texts):
            parts.append(self.target(order.to or ""))
        if any("/" in text for text in texts):
            coast = split_location(order.to or "")[1]
            parts.append(self.coast(coast) if coast else self.sentences.format("sheet-any-coast"))
        if any(isinstance(way, Move) and way.via_convoy for way in ways):
            by_sea = isinstance(order, Move) and order.via_convoy
            parts.append(self.sentences.format("sheet-by-convoy" if by_sea else "sheet-on-foot"))
        return ", ".join(parts)

    # -- what is built ------------------------------------------------------------------------

    def new_units(self) -> Iterator[Subject]:
        """Yield the places for new units, a city with room for two twice (R26), and the waivers."""
        builds = _group(self.orders_of(Build), lambda order: split_location(order.unit[2:])[0])
        winter = self.position.phase.kind == "winter"
        rooms = list_building_rooms(self.position, self.power) if winter else tuple(builds)
        for number, centre in enumerate(room for room in rooms if room in builds):
            kinds = tuple(self.new_unit(order) for order in builds[centre])
            yield Subject(f"{centre} {number}", self.place(centre), centre, "", kinds)
        for waive in self.orders_of(orders.Waive):
            label = self.sentences.format("sheet-waive" if winter else "sheet-place-nothing")
            for number in range(count_orders_due(self.position, self.power)):
                yield Subject(f"waive {number}", label, "", "", (self.leaf(waive, label),))

    def new_unit(self, order: Build) -> Choice:
        kind, coast = order.unit[0], split_location(order.unit[2:])[1]
        label = self.sentences.format(_KINDS[kind])
        leaf = self.leaf(order, f"{label}, {self.coast(coast)}" if coast else label)
        return replace(leaf, once=kind == "G")

    # -- in words -----------------------------------------------------------------------------

    def place(self, province: str) -> str:
        return self.board.provinces[province].name(self.sentences.lang)

    def coast(self, code: str) -> str:
        names = self.board.coasts[code].names if code in self.board.coasts else {}
        return names.get(self.sentences.lang, code)

    def unit(self, unit: Unit) -> str:
        """Return a unit with its place and, if it is foreign, its power."""
        label = f"{self.position.name(unit)} {self.place(unit.province)}"
        if unit.power == self.power:
            return label
        return f"{label} ({power_name(self.board, unit.power, self.sentences)})"

    def target(self, to: str) -> str:
        """Return the unit that a destination names, or that it names none."""
        for unit in self.position.units:
            if unit.place == to:
                return self.sentences.format("sheet-against", unit=self.unit(unit))
        return self.sentences.format("sheet-unnamed")


_UNIT_ORDERS: Mapping[
    type[Move | Retreat | Hold | Support | Convoy | Disband | orders.Remove], str
] = {
    Move: "sheet-move",
    Retreat: "sheet-retreat",
    Hold: "sheet-hold",
    Support: "sheet-support",
    Convoy: "sheet-convoy",
    Disband: "sheet-disband",
    orders.Remove: "sheet-remove",
}
"""The kinds of order for units, in the order in which a sheet offers them."""

_KINDS = {"A": "sheet-army", "F": "sheet-fleet", "G": "sheet-general"}


def _group(items: Iterable[Item], key: Callable[[Item], str]) -> dict[str, list[Item]]:
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _helped_unit(order: Support | Convoy) -> str:
    return order.supported if isinstance(order, Support) else order.army


def _skip_single(choice: Choice) -> Choice:
    """Return the one choice that follows in place of a choice; others stay as they are."""
    if len(choice.then) != 1:
        return choice
    return replace(choice.then[0], label=choice.label, at=choice.at, unit=choice.unit)


def _by_label(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    return tuple(sorted(choices, key=lambda choice: choice.label))


# The data of a table: a page on which everybody's units can be ordered and the judge answers.


@lru_cache(maxsize=4)
def describe_table(board: Board, sentences: Sentences) -> Mapping[str, Any]:
    """Return the data of tables on a map, ready for JSON.

    ``pieces`` and ``canvas``: how positions and orders are drawn; ``powers``: name, colour, letter
    and ink of each; ``places``, ``coasts``: names; ``words``: how orders are written and put into
    words; ``phases``: the names of phases, with ``{year}`` and ``{period}`` to be filled in.
    """
    liveries = draw.assign_liveries(board)
    return {
        "pieces": draw.lay_out_pieces(board, sentences.lang),
        "canvas": draw.lay_out_board(board, sentences.lang),
        "powers": {
            power: {
                "name": power_name(board, power, sentences),
                "color": liveries[power].color,
                "letter": liveries[power].letter,
                "ink": "light" if liveries[power].ink == "#FFFFFF" else "dark",
            }
            for power in (*board.powers, INDEPENDENT)
        },
        **describe_words(board, sentences),
        "phases": _name_phases(board, sentences),
        "sentences": {
            "against": sentences.format("sheet-against", unit="%"),
            **list_script_sentences(sentences, "chooser", "kinds", "table", "flips"),
        },
    }


def describe_words(board: Board, sentences: Sentences) -> Mapping[str, Any]:
    """Return the names and words with which a page's script puts orders into words."""
    lang = sentences.lang
    return {
        "places": {p.id: p.name(lang) for p in board.provinces.values()},
        "coasts": {code: c.names.get(lang, code) for code, c in board.coasts.items()},
        "words": dict(order_words(lang)),
    }


def _name_phases(board: Board, sentences: Sentences) -> Mapping[str, str]:
    """Return the names of the phases by season, those of retreats by season and ``retreats``."""
    year, period = 7777, 77  # stand for any in the name of a phase
    names = {}
    for season in ("spring", "autumn", "winter", "picks", "deployment"):
        for retreats in (False, True) if season in ("spring", "autumn") else (False,):
            phase = Phase(year, season, retreats, period if season == "picks" else 0)
            name = phase_name(phase, board, sentences).replace(str(year), "{year}")
            key = f"{season} retreats" if retreats else season
            names[key] = name.replace(str(period), "{period}")
    return names


def list_script_sentences(sentences: Sentences, *parts: str) -> dict[str, str]:
    """Return the sentences that the scripts of some parts of a page show, by their short code."""
    codes = (code for part in parts for code in load_page_parts()["sentences"][part])
    return {re.sub("^(sheet|table)-", "", code): sentences.format(code) for code in codes}


def pack_json(data: object) -> str:
    """Return data as compressed JSON in plain letters, which ``unpackJson`` reads in a page."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b64encode(packer.compress(text.encode()) + packer.flush()).decode("ascii")


# The fragment of a link that opens a position, with orders, in a sandbox page.


PLAIN, PACKED = "t:", "z:"
"""The beginnings of a fragment: of text that can be read, and of the same text compressed."""

LONG = 400
"""Characters beyond which a fragment is compressed."""

_UNITS = re.compile(r"\s*(?:\w+:\S+(?:\s+|$))+")
"""A line that goes on with a position: all its words have a colon, as no order has."""
_FRAGMENT = re.compile(r"(?:^|#)([tz]:[^\s<>\"]+)")


class SharedTable(NamedTuple):
    """The content of a link: the text of a position, and orders in canonical notation by power."""

    position: str
    orders: Mapping[str, tuple[str, ...]]


def make_fragment(position: Position, orders: Mapping[str, Iterable[Order]] | None = None) -> str:
    """Return the fragment that opens a position with orders, without its ``#``.

    Put it behind the address of any page that ``alexmagnum sandbox`` wrote for the same map.

    >>> make_fragment(Position.from_text("standard 1901-spring Austria:AVIE"))
    't:standard_1901-spring_Austria:AVIE'
    """
    written = {
        power: tuple(write_order(order) for order in listed)
        for power, listed in (orders or {}).items()
    }
    return write_fragment(SharedTable(position.to_text(), written))


def write_fragment(table: SharedTable) -> str:
    """Return the fragment of a position and orders that are texts already."""
    text = write_table_text(table)
    # "_" stands for a blank and "~" for a line end; the rest as in addresses.
    quoted = quote(text, safe=":,/;!+='()*").replace("_", "%5F").replace("~", "%7E")
    if len(plain := PLAIN + quoted.replace("%20", "_").replace("%0A", "~")) <= LONG:
        return plain
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = deflate.compress(text.encode()) + deflate.flush()
    return min(plain, PACKED + urlsafe_b64encode(data).decode("ascii").rstrip("="), key=len)


def write_table_text(table: SharedTable) -> str:
    """Return the lines of a table: the position, then ``TOL: A MEN - ALE; F SIS H`` by power."""
    orders = [
        f"{power}: {'; '.join(listed)}" for power, listed in sorted(table.orders.items()) if listed
    ]
    return "\n".join([table.position, *orders])


def find_fragment(text: str) -> str:
    """Return the fragment in a link, or in a text that is one; empty if there is none."""
    found = _FRAGMENT.search(text.strip())
    return found[1].rstrip(".,;:!?)'*") if found else ""


def read_fragment(fragment: str) -> SharedTable:
    """Return what a fragment shares.  Neither position nor orders are checked.

    Raises:
        AlexMagnumError: ``link-unreadable``: the fragment is cut off or damaged.
    """
    body = fragment[len(PLAIN) : 4 * MOST_TEXT]
    try:
        if not fragment.startswith(PACKED):
            plain = unquote(body.replace("_", " ").replace("~", "\n"), errors="strict")
            return read_table_text(plain)
        text = inflate(urlsafe_b64decode(body + "=" * (-len(body) % 4)), MOST_TEXT, -15).decode()
    except (ValueError, zlib.error):
        raise AlexMagnumError("link-unreadable") from None
    return read_table_text(text)


def read_table_text(text: str) -> SharedTable:
    """Return the position and the orders of the lines that :func:`write_table_text` wrote.

    A line break in the position counts as a blank.

    Raises:
        AlexMagnumError: ``link-unreadable``: a line is of another form, or there are too many.
    """
    if len(text) > MOST_TEXT:
        raise AlexMagnumError("link-unreadable")
    lines = text.strip().splitlines() or [""]
    end = next((i for i, line in enumerate(lines) if i and not _UNITS.fullmatch(line)), len(lines))
    orders: dict[str, tuple[str, ...]] = {}
    for line in lines[end:]:
        power, colon, listed = line.partition(":")
        if not colon or not power.strip():
            raise AlexMagnumError("link-unreadable")
        texts = tuple(part.strip() for part in listed.split(";") if part.strip())
        orders[power.strip()] = orders.get(power.strip(), ()) + texts
    return SharedTable(" ".join(line.strip() for line in lines[:end]), orders)


# The order sheet: a page on which a player composes orders by tapping, offline.


@dataclass(frozen=True, slots=True)
class SheetHeading:
    """The heading of a sheet: the game's name, the game master's address, the deadline in words.

    An empty address is unknown; an empty deadline is not shown.  ``brief`` is the deadline in few
    letters, for a telephone; ``mark`` tells games of one name apart.
    """

    game: str
    address: str = ""
    deadline: str = ""
    brief: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The way in which a sheet lets its reader try orders out.

    ``kind`` is ``"yes"`` (the judge is in the sheet), ``"no"``, or ``"linked"`` (the sheet has a
    link to the ``address`` of a page with the judge; an empty address is unknown).
    """

    kind: str = "no"
    address: str = ""

    @classmethod
    def of(cls, setting: str) -> Sandbox:
        """Return the way that the setting ``sandbox`` chooses; an address is linked to."""
        return cls("linked", setting) if "://" in setting else cls(setting)


NO_SANDBOX = Sandbox()


def render_order_sheet(
    position: Position,
    power: str,
    sentences: Sentences,
    heading: SheetHeading,
    map_svg: str,
    sandbox: Sandbox = NO_SANDBOX,
) -> str:
    """Return the order sheet of a power for the open phase as one HTML page.

    ``map_svg`` is the map of the position; :meth:`MapPictures.position_svg` draws it once for all
    powers.
    """
    board, kind, has_judge = position.board, position.phase.kind, sandbox.kind == "yes"
    orders = legal_orders_of(position, power)
    offered = list_subjects(position, power, sentences, orders)
    due = dict(describe_required_orders(position, sentences))
    livery = draw.assign_liveries(board)[power]
    symbol_state = "" if kind == "deployment" else "ghost"
    table_scripts = ("table", "switch") if has_judge else ()
    address = sandbox.address.partition("#")[0]
    template = load_page_templates().get_template("sheet.html.j2")
    page = template.render(
        lang=sentences.lang,
        sentence=sentences.format,
        heading=heading,
        name=board.powers[power].name(sentences.lang),
        power=power,
        phase=phase_name(position.phase, board, sentences),
        # the list of units shows what is due of them
        due="" if kind in ("movement", "retreats") else due.get(power, ""),
        offered=offered,
        most=count_orders_due(position, power),
        map=map_svg,
        symbols={k: Markup(draw.render_symbol(k, livery, symbol_state)) for k in "AFG"},
        script=load_script("chooser", *table_scripts, "sheet.js"),
        sandbox=sandbox.kind,
        link=f"{address}#{make_fragment(position)}" if address else "",
        bundle=load_bundle() if has_judge else "",
        powers={id_: power_name(board, id_, sentences) for id_ in board.powers},
        table=_table_data(position, sentences) if has_judge else "",
        data=_script_data(position, power, sentences, heading, offered, orders),
    )
    return page.strip("\n") + "\n"


@cache
def load_page_templates() -> Environment:
    """Return the templates of pages with scripts."""
    from alexmagnum.files import make_environment  # loads Jinja

    return make_environment("alexmagnum.report")


def _script_data(
    position: Position,
    power: str,
    sentences: Sentences,
    heading: SheetHeading,
    offered: tuple[Subject, ...],
    orders: tuple[Order, ...],
) -> str:
    board = position.board
    livery = draw.assign_liveries(board)[power]
    has_units = any(subject.unit for subject in offered)
    phase = phase_name(position.phase, board, sentences)
    key = f"alexmagnum {heading.game} {position.phase} {power}"
    data = {
        "key": f"{key} {heading.mark}".strip(),
        "former": key,  # under which earlier versions kept what was chosen
        "heading": sentences.format("sheet-heading", power=power_name(board, power, sentences)),
        "to": heading.address,
        "subject": sentences.format("sheet-subject", game=heading.game, phase=phase),
        "power": power,
        "owned": [centre for centre, owner in position.owners.items() if owner == power],
        "kind": position.phase.kind,
        "livery": [livery.color, livery.letter, "light" if livery.ink == "#FFFFFF" else "dark"],
        **describe_words(board, sentences),
        "canvas": draw.lay_out_canvas(position, power, orders, sentences.lang) if orders else {},
        "most": count_orders_due(position, power),
        "start": sentences.format("sheet-start" if has_units else "sheet-start-places"),
        "sentences": list_script_sentences(sentences, "chooser", "sheet", "switch"),
        "lang": sentences.lang,
        "subjects": [_subject_data(subject, board, sentences.lang) for subject in offered],
    }
    return write_page_json(data)


def write_page_json(data: object) -> str:
    """Return data as JSON that can stand in a page."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


@lru_cache(maxsize=4)
def _table_data(position: Position, sentences: Sentences) -> str:
    """Return the data of the table, compressed and without what the sheet's data has already; it
    begins with holds for everybody, so every sheet has the same."""
    table = dict(describe_table(position.board, sentences))
    for known_part in describe_words(position.board, sentences):
        del table[known_part]
    known = list_script_sentences(sentences, "chooser", "sheet")
    table["sentences"] = {c: text for c, text in table["sentences"].items() if c not in known}
    return pack_json({**table, "position": to_json(position), "board": write_board(position.board)})


def _subject_data(subject: Subject, board: Board, lang: str) -> Mapping[str, Any]:
    """Return a subject for the script; ``head`` has what all its orders begin with, such as the
    name of the unit: a power of ten units has a thousand orders."""
    codes = [leaf.code for leaf in _list_orders(subject.then)]
    first, last = min(codes, default=""), max(codes, default="")
    pairs = enumerate(zip(first, last, strict=False))
    head = first[: next((i for i, (a, b) in pairs if a != b), min(len(first), len(last)))]
    names = {province.id: province.name(lang) for province in board.provinces.values()}
    choice = Choice(subject.label, subject.at, subject.unit, then=subject.then)
    return {"id": subject.id, "head": head, **_choice_data(choice, head, names)}


def _list_orders(choices: Iterable[Choice]) -> Iterator[Choice]:
    for choice in choices:
        if choice.order:
            yield choice
        yield from _list_orders(choice.then)


def _choice_data(choice: Choice, head: str, names: Mapping[str, str]) -> Mapping[str, Any]:
    """Return a choice for the script, without what the script finds out by itself.

    That is what is empty, the head of its order, its province if that is the goal of the order, its
    label if that is the name of the province, and the order in the reader's words.
    """
    fields: dict[str, Any] = {
        "label": "" if choice.label == names.get(choice.at) else choice.label,
        "at": choice.at,
        "unit": choice.unit,
        "once": choice.once,
        "then": [_choice_data(further, head, names) for further in choice.then],
    }
    found = {name: value for name, value in fields.items() if value}
    if choice.order:
        found["code"] = choice.code.removeprefix(head)
        if (goal := re.search(" - ([^#/ ]+)", choice.code)) is not None and goal[1] == choice.at:
            del found["at"]
    return found
