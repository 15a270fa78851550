"""The pages on which anybody plays offline: the sandbox for any position, lessons for newcomers."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import yaml

from alexmagnum import draw
from alexmagnum.board import load_board
from alexmagnum.board.geography import Province
from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.campaign import coming_phases, first_position
from alexmagnum.cases.json_values import to_json
from alexmagnum.draw.scene import font_faces_css
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences
from alexmagnum.notation import read_order, write_order
from alexmagnum.notation.names import power_name
from alexmagnum.orders import Order
from alexmagnum.page_judge import load_bundle, write_board
from alexmagnum.position import SPRING, Phase, Position, Unit, own_switches
from alexmagnum.report import sheet
from alexmagnum.report.document import load_script
from alexmagnum.report.words import phase_name
from alexmagnum.units import KINDS

# The facts of a map from which a page lets people set up a position by taps.


_ANY_YEAR = 7777  # a year that stands for any in the name of a phase


def list_setup_facts(board: Board, sentences: Sentences) -> Mapping[str, Any]:
    """Return what a page has to know of a map for setting up positions, ready for JSON.

    ``provinces``: by id the name, all other names (``also``), the number of ``places``, and what
    :func:`_describe_province` finds out; ``powers``: id and name, the independents last;
    ``phases``: season, retreats, period, the name with ``%`` for the year, and that without year;
    ``start``: the position in which a game begins; ``empty``: the first spring with nothing on the
    map; ``nobility``: the most points; ``coasts`` and
    ``kinds``: names of coasts and of kinds of units.
    """
    lang, phases = sentences.lang, list_phases(board)
    first_spring = next(phase for phase in phases if phase.season == SPRING)
    return {
        "map": board.id,
        "name": board.name(lang),
        "provinces": {
            province.id: {
                "name": province.name(lang),
                "also": _list_other_names(province, lang),
                "places": province.capacity,
                **_describe_province(province, board),
            }
            for province in board.provinces.values()
        },
        "powers": [
            [power, power_name(board, power, sentences)] for power in (*board.powers, INDEPENDENT)
        ],
        "phases": [_describe_phase(phase, board, sentences) for phase in phases],
        "start": to_json(first_position(board)),
        "empty": to_json(Position(board, first_spring, ())),
        "nobility": board.rules.nobility,
        "coasts": {code: coast.name(lang) for code, coast in board.coasts.items()},
        "kinds": {kind: sentences.format(f"sandbox-{kind}") for kind in KINDS},
    }


def _list_other_names(province: Province, lang: str) -> list[str]:
    names = dict.fromkeys([*province.names.values(), *province.aliases])
    return [name for name in names if name not in (province.name(lang), province.id)]


def _describe_province(province: Province, board: Board) -> dict[str, Any]:
    """Return what a position can say of a province; a field that is empty is left out.

    ``stand``: the kinds of units, a fleet with each coast; ``garrison``: 1 if independent armies
    may stand there; ``centre``: 1 if it can have an owner; ``home``: the powers that can have won
    it as a building centre in the Cyprus year.
    """
    powers = list(board.powers)
    stand = [
        f"{unit.kind}/{unit.coast}" if unit.coast else unit.kind
        for unit in _list_units(province, powers[0])
        if _is_possible(board, units=(unit,))
    ]
    facts: dict[str, Any] = {"stand": stand}
    if _is_possible(board, units=(Unit(INDEPENDENT, "A", province.id),)):
        facts["garrison"] = 1
    if province.id in board.centres:
        facts["centre"] = 1
    if board.rules.picks:
        homes = [power for power in powers if _is_possible(board, homes={power: (province.id,)})]
        if len(homes) > 1:
            facts["home"] = homes
    return facts


def _list_units(province: Province, power: str) -> Iterator[Unit]:
    """Yield one unit of each kind; a fleet at each coast."""
    for kind in KINDS:
        for coast in province.coasts if kind == "F" and province.coasts else ("",):
            yield Unit(power, kind, province.id, coast)


def list_example_units(board: Board) -> tuple[Unit, ...]:
    """Return a unit of each kind that the map has, where it can stand; a garrison last."""
    power = next(iter(board.powers))
    provinces = board.provinces.values()
    every = [unit for province in provinces for unit in _list_units(province, power)]
    every += [Unit(INDEPENDENT, "A", province.id) for province in provinces]
    examples: dict[tuple[str, str], Unit] = {}
    for unit in every:
        key = unit.power, unit.kind
        if key not in examples and _is_possible(board, units=(unit,)):
            examples[key] = unit
    return tuple(examples.values())


def _is_possible(board: Board, **parts: Any) -> bool:
    phase = Phase(board.rules.first_year, SPRING)
    return not Position(board, phase, **{"units": (), **parts}).problems()


def list_phases(board: Board) -> tuple[Phase, ...]:
    """Return a phase of each kind that the map has: the Cyprus year first, then a year."""
    first = first_position(board).phase
    phases: list[Phase] = [first]
    for phase in coming_phases(first, board):
        if phase.season == SPRING and not phase.retreats and SPRING in {p.season for p in phases}:
            break
        phases.append(phase)
    return tuple(phases)


def _describe_phase(phase: Phase, board: Board, sentences: Sentences) -> list[Any]:
    """Return season, retreats, period and names of a phase: with ``%`` as its year, and without."""
    dated, undated = (
        phase_name(Phase(year, phase.season, phase.retreats, phase.period), board, sentences)
        for year in (_ANY_YEAR, 0)
    )
    return [phase.season, phase.retreats, phase.period, dated.replace(str(_ANY_YEAR), "%"), undated]


# The page of the sandbox: a map on which anybody sets up, orders and judges a position, offline.

_NO_ORDERS: Mapping[str, Iterable[Order]] = {}


@dataclass(frozen=True, slots=True)
class SandboxTable:
    """One map of the page: the position that it opens with, and orders that are on the table."""

    position: Position
    orders: Mapping[str, Iterable[Order]] = field(default_factory=lambda: _NO_ORDERS)


@cache
def _load_examples() -> Mapping[str, Mapping[str, Any]]:
    """Return by map of the package the table that its sandbox opens with, and its examples."""
    path = resources.files("alexmagnum.report").joinpath("templates", "examples.json")
    examples: Mapping[str, Mapping[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return examples


def example_table(board: Board) -> SandboxTable:
    """Return a turn worth looking at on a map of the package; elsewhere the start of a game."""
    if (shelf := _load_examples().get(board.id) if own_switches(board) else None) is None:
        return SandboxTable(first_position(board))
    shared = sheet.read_table_text(shelf["opening"])
    position = Position.from_text(shared.position, board)
    orders = {
        power: [read_order(text, position, power) for text in texts]
        for power, texts in shared.orders.items()
    }
    return SandboxTable(position, orders)


def render_sandbox(tables: Sequence[SandboxTable], sentences: Sentences) -> str:
    """Return the page of the sandbox with these maps, of which the first is shown first."""
    boards = [table.position.board for table in tables]
    page = sheet.load_page_templates().get_template("sandbox.html.j2")
    text = page.render(
        lang=sentences.lang,
        sentence=sentences.format,
        fonts=font_faces_css(),
        tables=[_describe_table(table, sentences) for table in tables],
        script=load_script("chooser", "table", "sandbox"),
        bundle=load_bundle(),
        powers={p: power_name(board, p, sentences) for board in boards for p in board.powers},
        data=_script_data(tables, sentences),
        examples=_pack_examples(boards),
    )
    return text.strip("\n") + "\n"


def _pack_examples(boards: Iterable[Board]) -> str:
    """Return the examples of these maps, compressed; empty if there are none."""
    shelves = _load_examples()
    shown = [b.id for b in boards if b.id in shelves and own_switches(b)]
    return sheet.pack_json([e for id_ in shown for e in shelves[id_]["examples"]]) if shown else ""


def _describe_table(table: SandboxTable, sentences: Sentences) -> Mapping[str, str]:
    """Return a map's id, name and drawing without the page's fonts; its legend has all units."""
    board = table.position.board
    name = board.name(sentences.lang)
    examples = Position(board, table.position.phase, list_example_units(board))
    scene = draw.draw_position(examples, sentences, title=name)
    return {"id": board.id, "name": name, "svg": draw.render_svg(scene, embed_fonts=False)}


def _script_data(tables: Sequence[SandboxTable], sentences: Sentences) -> str:
    shown = _list_sentences("sandbox", sentences)
    listed = [_table_data(table, sentences) for table in tables]
    return sheet.write_page_json({"lang": sentences.lang, "sentences": shown, "tables": listed})


def _list_sentences(page: str, sentences: Sentences) -> dict[str, str]:
    """Return the sentences of a page, by code without its name, and those of its scripts."""
    codes = (code for code in sentences.templates if code.startswith(f"{page}-"))
    own = {code.removeprefix(f"{page}-"): sentences.format(code) for code in codes}
    return own | sheet.list_script_sentences(sentences, page)


def _table_data(table: SandboxTable, sentences: Sentences) -> Mapping[str, Any]:
    """Return what the script knows of a map and of the position that it opens with."""
    position = table.position
    orders = {
        power: tuple(write_order(order) for order in listed)
        for power, listed in table.orders.items()
    }
    return {
        "facts": list_setup_facts(position.board, sentences),
        "table": sheet.describe_table(position.board, sentences),
        "board": write_board(position.board),
        "position": to_json(position),
        "orders": orders,
        "fragment": sheet.write_fragment(sheet.SharedTable(position.to_text(), orders)),
    }


# The page for newcomers: small positions that its reader orders and the judge answers.


@cache
def load_lessons() -> Mapping[str, Any]:
    """Return the lessons as ``lessons.yaml`` describes them."""
    path = resources.files("alexmagnum.report").joinpath("templates", "lessons.yaml")
    lessons: Mapping[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return lessons


Links = tuple[tuple[str, str], ...]
"""Pages beside the lessons: the code of the sentence that names each, and where it lies."""


def name_lesson_pages(name: str, lang: str) -> Mapping[str, str]:
    """Return the name of the page's file in each language; ``name`` is that in ``lang``."""
    stem, dot, suffix = name.rpartition(".")
    others = {other: f"{stem}.{other}{dot}{suffix}" for other in LANGUAGES if other != lang}
    return {lang: name, **others}


def render_lesson_pages(
    name: str, sentences: Sentences, links: Links = ()
) -> Iterator[tuple[str, str]]:
    """Yield the page in each language, with its file's name: ``name`` is that in ``sentences``."""
    names = name_lesson_pages(name, sentences.lang)
    for lang, own_name in names.items():
        other = next(each for each in LANGUAGES if each != lang)
        yield own_name, _render_lessons(lang, (other, names[other]), links)


@lru_cache(maxsize=4)
def _render_lessons(lang: str, other: tuple[str, str], links: Links) -> str:
    """Return the page in a language, with a link to that in the other one; it takes a second."""
    sentences = load_sentences(lang)
    lessons = load_lessons()
    board = load_board(lessons["map"])
    positions = {
        task["id"]: Position.from_text(f"{board.id} {task['position']}", board)
        for step in lessons["steps"]
        for task in step.get("tasks", ())
    }
    ground = Position(board, next(iter(positions.values())).phase, ())
    scene = draw.draw_position(ground, sentences, title=board.name(lang))
    data = {
        "lang": lang,
        "power": lessons["power"],
        "sentences": _list_sentences("learn", sentences),
        "table": sheet.describe_table(board, sentences),
        "board": write_board(board),
        "positions": {name: to_json(position) for name, position in positions.items()},
        "steps": _put_into_language(lessons["steps"], lang),
    }
    page = sheet.load_page_templates().get_template("learn.html.j2")
    text = page.render(
        lang=lang,
        sentence=sentences.format,
        fonts=font_faces_css(),
        svg=draw.render_svg(scene, embed_fonts=False),
        other=other,
        steps=data["steps"],
        last=_put_into_language(lessons["steps"][-1], lang),
        links=links,
        script=load_script("chooser", "learn"),
        bundle=load_bundle(),
        data=sheet.write_page_json(data),
    )
    return text.strip("\n") + "\n"


def _put_into_language(part: Any, lang: str) -> Any:
    """Return a part of the lessons with the words of one language in place of those of each.

    Raises:
        KeyError: a text is missing in this language.
    """
    if isinstance(part, list):
        return [_put_into_language(each, lang) for each in part]
    if not isinstance(part, dict):
        return part
    if part.keys() & set(LANGUAGES):
        return part[lang]
    return {key: _put_into_language(value, lang) for key, value in part.items()}
