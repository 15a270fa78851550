"""The letters of the drawings: EB Garamond, cut to the Latin letters, in three faces.

The files are shipped, so that a picture is the same on every machine; ``tools/build_fonts.py`` cuts
them.  ``metrics.json`` has the widths of all letters, so that text can be measured without a
library for fonts.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

Face = Literal["regular", "semibold", "italic"]

FAMILY = "EB Garamond"
FACES: Mapping[Face, tuple[int, str]] = {
    "regular": (400, "normal"),
    "semibold": (600, "normal"),
    "italic": (500, "italic"),
}
"""Weight and style by face, as style sheets name them."""

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Metrics:
    """The measures of a face in thousandths of the size.

    They are its heights above and below the base line, the height of its capitals, and the widths
    of its letters.
    """

    ascent: int
    descent: int
    capital: int
    widths: Mapping[str, int]


@cache
def metrics(face: Face = "regular") -> Metrics:
    """Return the measures of a face, read once."""
    every = json.loads((_HERE / "metrics.json").read_text(encoding="utf-8"))
    return Metrics(**every[face])


def width(text: str, size: float, face: Face = "regular") -> float:
    """Return the width of a line of text in the units of ``size``, without kerning.

    A letter that the fonts do not have counts as wide as ``M``.

    >>> width("Menfi", 20) < width("Menfi", 20, "semibold") < width("Nilo occidentale", 20)
    True
    """
    widths = metrics(face).widths
    wide = widths["M"]
    return sum(widths.get(letter, wide) for letter in text) * size / 1000


def font_files() -> list[Path]:
    """Return the fonts as TrueType files."""
    return [_HERE / f"{face}.ttf" for face in FACES]


@cache
def font_faces_css(faces: tuple[Face, ...] = tuple(FACES)) -> str:
    """Rules ``@font-face`` with the fonts inside them, for a page or a picture that stands alone:
    some 40,000 characters a face."""
    rules = []
    for face in faces:
        weight, style = FACES[face]
        data = b64encode((_HERE / f"{face}.woff2").read_bytes()).decode("ascii")
        rules.append(
            f'@font-face{{font-family:"{FAMILY}";font-weight:{weight};font-style:{style};'
            f'src:url(data:font/woff2;base64,{data})format("woff2")}}'
        )
    return "\n".join(rules)
