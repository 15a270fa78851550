"""The styles and scripts of the pages, as they lie in the templates of reports and of the site."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from alexmagnum.draw.fonts import font_faces_css

_STYLES = (
    ("report", "panzoom.css"),
    ("report", "page.css"),
    ("site", "site.css"),
)

_SCRIPTS = {
    "site.js": (("site", "site.js"),),
    "map-page.js": (("report", "panzoom.js"), ("site", "map-page.js"), ("report", "page.js")),
    "replay.js": (("report", "panzoom.js"), ("site", "replay.js")),
    "search.js": (("site", "search.js"),),
}
"""The files of each script, by room and name."""

_VIEWS = "".join(
    f'.maps:has(#show-{view}:not(:checked)) [data-view="{view}"] {{ display: none; }}\n'
    for view in ("orders", "after")
)


def list_assets() -> Iterator[tuple[str, str]]:
    """Yield the styles and the scripts that the pages share, each with its name."""
    yield "assets/style.css", read_styles()
    for name, parts in _SCRIPTS.items():
        yield f"assets/{name}", "\n".join(read_template(*part) for part in parts)


@cache
def read_styles() -> str:
    """Return the style sheet of all pages, fonts included."""
    return "\n".join([font_faces_css(), *(read_template(*path) for path in _STYLES), _VIEWS])


@cache
def read_template(room: str, name: str) -> str:
    """Return a file of the templates of a room."""
    path = files(f"alexmagnum.{room}") / "templates" / name
    return path.read_text(encoding="utf-8").strip("\n") + "\n"
