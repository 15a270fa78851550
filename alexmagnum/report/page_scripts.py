"""The scripts of pages: files of the templates, joined, with the digest that lets them run."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from markupsafe import Markup


class Script(NamedTuple):
    """The script of a page; the page's security policy names its ``digest``, so no other runs."""

    text: Markup
    digest: str


@cache
def load_script(*names: str) -> Script:
    """Return the files of the templates with these names as one script, in this order.

    ``panzoom.js`` is for every page with a map; its first lines say how to use it.
    """
    folder = files("alexmagnum.report") / "templates"
    text = "\n".join(_pack((folder / name).read_text(encoding="utf-8")) for name in names)
    digest = b64encode(sha256(text.encode()).digest()).decode("ascii")
    return Script(Markup(text), f"sha256-{digest}")


def _pack(text: str) -> str:
    """Return a script without its indentation and the lines that are comments.

    It makes the order sheet, which goes out with every report, smaller by a twentieth.
    """
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))
