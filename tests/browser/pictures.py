"""Screenshots compared with approved ones, leniently: letters are smoothed otherwise elsewhere."""

import io
import os
from pathlib import Path

from PIL import Image, ImageChops

APPROVED = Path(__file__).parent / "approved"

APPROVE = "ALEXMAGNUM_APPROVE_PICTURES"
"""The variable that approves what is seen; ``python -m tests.browser --approve`` sets it."""

KEPT = 2  # approved pictures are so much smaller than what is seen; more is not compared
COARSE = 2  # pixels of a kept picture to a side of the squares whose mean colours are compared
LEVELS = 32  # how far apart (of 255) a channel of two squares may be
SHARE = 0.005  # how many of all squares may be further apart


def check(screenshot: bytes, name: str, folder: Path) -> None:
    """Compare a screenshot (PNG) with the approved one, or approve it if :data:`APPROVE` is set.

    Raises:
        AssertionError: they differ; what was seen is left in the folder.
    """
    found = Image.open(io.BytesIO(screenshot)).convert("RGB").reduce(KEPT)
    path = APPROVED / f"{name}.png"
    if os.environ.get(APPROVE):
        APPROVED.mkdir(exist_ok=True)
        few = found.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
        return
    seen = folder / f"{name}.png"
    found.save(seen)
    assert path.exists(), f"no approved picture of {name}: look at {seen}"
    share = difference(found, Image.open(path).convert("RGB"))
    assert share <= SHARE, f"{share:.2%} of {name} differ from {path}: look at {seen}"


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the share of squares in which two RGB pictures differ; 1 if their sizes differ."""
    if one.size != other.size:
        return 1.0
    bands = ImageChops.difference(one.reduce(COARSE), other.reduce(COARSE)).split()
    worst = bands[0]
    for band in bands[1:]:
        worst = ImageChops.lighter(worst, band)
    counts = worst.histogram()
    return sum(counts[LEVELS + 1 :]) / sum(counts)
