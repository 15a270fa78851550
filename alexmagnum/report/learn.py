"""The page for newcomers: small positions that its reader orders and the judge answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import yaml

from alexmagnum import draw
from alexmagnum.board import load_board
from alexmagnum.cases.json_values import to_json
from alexmagnum.draw.scene import font_faces_css
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences
from alexmagnum.page_judge import load_bundle, write_board
from alexmagnum.position import Position
from alexmagnum.report import sheet
from alexmagnum.report.document import load_script


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
        yield own_name, _render_page(lang, (other, names[other]), links)


@lru_cache(maxsize=4)
def _render_page(lang: str, other: tuple[str, str], links: Links) -> str:
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
    last = _put_into_language(lessons["steps"][-1], lang)
    shown = {
        code.removeprefix("learn-"): sentences.format(code)
        for code in sentences.templates
        if code.startswith("learn-")
    }
    shown |= sheet.list_script_sentences(sentences, "learn")
    data = {
        "lang": lang,
        "power": lessons["power"],
        "sentences": shown,
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
        last=last,
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
