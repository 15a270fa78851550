"""Cut the fonts of the drawings out of the static TrueType files of EB Garamond.

    python -m tools.build_fonts FOLDER

FOLDER is searched for the files named in ``FILES``, as the EB Garamond project releases them.  The
files written into ``alexmagnum/draw/fonts`` depend only on those files, not on the date.
Needs fontTools and brotli.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from alexmagnum.draw.scene import FACES, Face

OUT = Path(__file__).resolve().parents[1] / "alexmagnum" / "draw" / "fonts"

FILES: Mapping[Face, str] = {
    "regular": "EBGaramond_400Regular.ttf",
    "semibold": "EBGaramond_600SemiBold.ttf",
    "italic": "EBGaramond_500Medium_Italic.ttf",
}
LICENCE = "LICENSE_FONT"

LETTERS = (
    range(0x20, 0x7F),
    range(0xA0, 0x180),  # the languages of Europe in Latin letters
    (0x1CD, 0x1CE, 0x1CF, 0x1D0, 0x1D1, 0x1D2, 0x1D3, 0x1D4),  # caron on vowels
    (0x1E6, 0x1E7, 0x1EA, 0x1EB, 0x1F0, 0x1F4, 0x1F5),
    range(0x218, 0x21C),
    (0x232, 0x233),  # y with macron
    (0x2BB, 0x2BC, 0x2BE, 0x2BF),  # breathings, ayn, alif
    range(0x300, 0x30D),
    (0x311, 0x313, 0x314, 0x323, 0x324, 0x325, 0x326, 0x327, 0x328, 0x32E, 0x331, 0x342),
    range(0x1E00, 0x1E9A),  # dots below, macron with acute: Indian, Iranian, Greek names
)
SIGNS = (
    "‐\u2011‒–—―‘’‚“”„†‡•…‰′″‹›⁄€№™←↑→↓↔↕⇒−×÷≈≠≤≥∞√½¼¾⅓⅔◆◇■□▲△▼▽◊"  # dashes, quotes, arrows
    "\u2002\u2003\u2009\u200a"  # spaces
)
FEATURES = ["kern", "mark", "mkmk", "ccmp", "liga", "lnum"]


def main(arguments: list[str]) -> None:
    """Write the fonts, their widths and their licence."""
    (folder,) = map(Path, arguments)
    metrics = {}
    for face, name in FILES.items():
        font = subset_font(_find(folder, name), face)
        metrics[face] = measure_font(font)
        font.save(OUT / f"{face}.ttf")
        font.flavor = "woff2"
        font.save(OUT / f"{face}.woff2")
    (OUT / "metrics.json").write_text(
        "{\n" + ",\n".join(_lines(metrics)) + "\n}\n", encoding="utf-8", newline="\n"
    )
    shutil.copyfile(_find(folder, LICENCE), OUT / "OFL.txt")


def _find(folder: Path, name: str) -> Path:
    found = next(folder.rglob(name), None)
    return found or sys.exit(f"there is no {name} in {folder}")


def subset_font(path: Path, face: Face) -> TTFont:
    """Return a font with only the letters that drawings use, under the family's plain name."""
    options = Options()
    options.layout_features = FEATURES
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17]
    options.hinting = False
    options.notdef_outline = True
    options.recalc_timestamp = False
    font = TTFont(path, recalcTimestamp=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[*chain.from_iterable(LETTERS), *map(ord, SIGNS)])
    subsetter.subset(font)
    font["OS/2"].usWeightClass = FACES[face][0]
    return font


def measure_font(font: TTFont) -> dict[str, object]:
    """Return the heights and the width of every letter, in thousandths of the font size."""
    per_mille = 1000 / font["head"].unitsPerEm
    widths = {
        chr(code): round(font["hmtx"][glyph][0] * per_mille)
        for code, glyph in sorted(font.getBestCmap().items())
    }
    heights = {"ascent": font["hhea"].ascent, "descent": -font["hhea"].descent}
    heights["capital"] = font["OS/2"].sCapHeight
    return {name: round(h * per_mille) for name, h in heights.items()} | {"widths": widths}


def _lines(metrics: Mapping[Face, Mapping[str, object]]) -> Iterator[str]:
    """Yield the metrics as JSON, one face to a line."""
    for face, figures in metrics.items():
        yield f'"{face}": ' + json.dumps(figures, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main(sys.argv[1:])
