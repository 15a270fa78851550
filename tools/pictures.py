"""Draw the pictures of the documents again.

    python -m tools.pictures

Each shows a map, the sample turn or the sample game as the program draws it today, or a page in
Chromium (tests/browser says how it is found).  A test compares their sources.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from alexmagnum.board import load_board
from alexmagnum.campaign import first_position
from alexmagnum.cases.files import read_turn
from alexmagnum.draw import Scene, draw_position, draw_turn, render_png, render_svg
from alexmagnum.draw.pictures import find_surroundings
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import Outcome, adjudicate
from alexmagnum.lab.balance import SeriesFacts, measure_balance
from alexmagnum.notation import read_order, read_orders
from alexmagnum.orders import Order
from alexmagnum.position import Phase, Position, Unit
from alexmagnum.report.balance import BalanceReport, compose_balance_report, render_balance_report
from alexmagnum.report.sandbox import SandboxTable, render_sandbox
from alexmagnum.report.sheet import make_fragment
from alexmagnum.report.words import phase_name
from tools.demo import play, read_story

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SAMPLE_TURN = ROOT / "orders" / "turn.yaml"
SAMPLE_PHASE = "320-spring"
"""The phase of the sample game that is drawn."""

SANDBOX = "sandbox.png"
"""The picture of the page of the sandbox."""

BALANCE = "balance-report.png"
"""The picture of a balance report."""

SOURCE = "svg-sha256"
"""The metadata field of a picture that holds the digest of its source."""

NILE, SINAI = ("NOC", "MEN", "TEB"), ("SIS", "EGI", "SUE")

EXAMPLES: Mapping[str, tuple[str, Mapping[str, Sequence[str]], Sequence[str]]] = {
    "express-passes.png": ("Passing one's own", {"TOL": ["F FOC - TEB", "A MEN H"]}, NILE),
    "express-queue.png": (
        "Two in a queue",
        {"TOL": ["F FOC - NUB", "F NOC - NUB", "A MEN H"], "SEL": ["A NUB H"]},
        NILE,
    ),
    "express-supported.png": (
        "A supported express",
        {
            "TOL": ["F FOC - TEB", "A MEN S F FOC - TEB"],
            "SEL": ["A TEB H"],
            "LIS": ["A TRO - TEB", "A NUB S A TRO - TEB"],
        },
        NILE,
    ),
    "haul-not-started.png": (
        "No haul, no catch",
        {"TOL": ["F EGI - SUE", "A SIS H"], "SEL": ["A ISR - SIS"]},
        SINAI,
    ),
}
"""Examples of the rulebook with a picture: its title, the orders, and the provinces in it."""

_SAY = load_sentences("en")


def main() -> None:
    """Draw all pictures and write those that have changed."""
    with tempfile.TemporaryDirectory() as folder:
        for name, scene in scenes(partial(sample_outcome, Path(folder) / "game")).items():
            path, drawn = DOCS / name, render_svg(scene(), embed_fonts=False)
            if source_of(path) == digest(drawn):
                print(f"{name} is up to date")
                continue
            path.write_bytes(_add_source(render_png(drawn), digest(drawn)))
            print(f"{name} {path.stat().st_size:,} bytes")
        _photograph_sandbox(Path(folder) / "sandbox.html")
        _photograph_balance(Path(folder) / "balance.html")


def scenes(sample: Callable[[], Outcome]) -> Mapping[str, Callable[[], Scene]]:
    """Return the scene of each picture, by file; ``sample`` returns the sample game's phase."""
    return {
        "map.png": lambda: _board("alexmagnum"),
        "standard.png": lambda: _board("standard"),
        "turn.png": lambda: _turn(adjudicate(*sample_turn())),
        "game.png": lambda: _turn(sample()),
        **{name: partial(_example, *example) for name, example in EXAMPLES.items()},
    }


# -- the page of the sandbox -----------------------------------------------------------------------


def sandbox_source() -> str:
    """Return what the picture of the sandbox shows: the sample turn, and how the page is laid out.

    Its scripts, which change often, are left out.
    """
    position, _ = sample_turn()
    drawn = render_svg(draw_position(position, _SAY, title=""), embed_fonts=False)
    folder = ROOT / "alexmagnum" / "report" / "templates"
    files = [folder / name for name in ("sandbox.html.j2", "sandbox.css")]
    return "\n".join([drawn, *(path.read_text(encoding="utf-8") for path in files)])


def _photograph_sandbox(path: Path) -> None:
    """Write the picture of the sandbox with the sample turn, if it is not up to date."""
    picture = DOCS / SANDBOX
    if source_of(picture) == digest(sandbox_source()):
        print(f"{SANDBOX} is up to date")
        return
    position, orders = sample_turn()
    page = render_sandbox([SandboxTable(first_position(position.board))], _SAY)
    path.write_text(page, encoding="utf-8")
    shot = photograph(path, make_fragment(position, orders))
    picture.write_bytes(_add_source(shot, digest(sandbox_source())))
    print(f"{SANDBOX} {picture.stat().st_size:,} bytes")


def photograph(path: Path, fragment: str) -> bytes:
    """Return what Chromium shows of the sandbox once all orders of a link are judged."""
    from tests.browser.chromium import PATIENCE

    with _open_tab((1360, 860)) as tab:
        tab.goto(f"{path.as_uri()}#{fragment}")
        tab.locator("#table-orders .why").nth(20).wait_for(timeout=PATIENCE)
        tab.evaluate("document.fonts.ready")
        return _reduce_colors(tab.screenshot())


@contextmanager
def _open_tab(size: tuple[int, int]) -> Iterator[Page]:
    """Open a tab of a size in Chromium."""
    from playwright.sync_api import sync_playwright

    from tests.browser.chromium import ARGUMENTS, find_chromium

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=[*ARGUMENTS])
        width, height = size
        window = browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce"
        )
        yield window.new_page()


# -- the page of a balance report ------------------------------------------------------------------


def balance_source() -> str:
    """Return what the picture of a balance report shows: its words, and the page's layout."""
    folder = ROOT / "alexmagnum" / "report" / "templates"
    files = [folder / name for name in ("balance.html.j2", "balance.css")]
    words = render_balance_report(_sample_balance(), ".md")
    return "\n".join([words, *(path.read_text(encoding="utf-8") for path in files)])


def _sample_balance() -> BalanceReport:
    """Return a report on 900 games drawn by lot; one power has more lots, and one has fewer."""
    from tests.lab.simulated_results import draw_winners, make_results

    results = make_results(draw_winners(900, [2, 3, 2, 2, 1, 2], 1), "example")
    figures = measure_balance(results, [SeriesFacts("example", "alexmagnum")])
    return compose_balance_report(figures, {"example": load_board("alexmagnum")}, _SAY)


def _photograph_balance(path: Path) -> None:
    """Write the picture of the beginning of a balance report, if it is not up to date."""
    picture = DOCS / BALANCE
    if source_of(picture) == digest(balance_source()):
        print(f"{BALANCE} is up to date")
        return
    path.write_text(render_balance_report(_sample_balance(), ".html"), encoding="utf-8")
    with _open_tab((1280, 1120)) as tab:
        tab.goto(path.as_uri())
        tab.evaluate("document.fonts.ready")
        shot = _reduce_colors(tab.screenshot())
    picture.write_bytes(_add_source(shot, digest(balance_source())))
    print(f"{BALANCE} {picture.stat().st_size:,} bytes")


def _reduce_colors(picture: bytes) -> bytes:
    """Return a PNG with as few colours as drawn pictures have: a third of the size."""
    whole = Image.open(BytesIO(picture)).convert("RGB")
    colors = whole.quantize(256, Image.Quantize.MEDIANCUT, kmeans=4, dither=Image.Dither.NONE)
    written = BytesIO()
    colors.save(written, "PNG")
    return written.getvalue()


# -- drawn pictures --------------------------------------------------------------------------------


def sample_turn() -> tuple[Position, Mapping[str, Sequence[Order]]]:
    """Return the sample turn with the orders of all six powers."""
    position = read_turn(SAMPLE_TURN).position
    assert position is not None
    files = sorted(SAMPLE_TURN.parent.glob("*.txt"))
    texts = [path.read_text(encoding="utf-8") for path in files]
    read = [read_orders(text, position, None) for text in texts]
    return position, {p: orders for reading in read for p, orders in reading.orders.items()}


def sample_outcome(folder: Path) -> Outcome:
    """Play the sample game in a new folder, and return the outcome of the phase to draw."""
    for phase in play(read_story(), folder):
        if phase == SAMPLE_PHASE:
            break
    with Desk.open(folder) as desk:
        return desk.processed(SAMPLE_PHASE).outcome


def _board(map_id: str) -> Scene:
    position = first_position(load_board(map_id))
    title, subtitle = _titles(position)
    return draw_position(position, _SAY, title=title, subtitle=subtitle)


def _turn(outcome: Outcome) -> Scene:
    title, subtitle = _titles(outcome.position)
    return draw_turn(outcome, _SAY, title=title, subtitle=subtitle)


def _example(title: str, orders: Mapping[str, Sequence[str]], around: Sequence[str]) -> Scene:
    """Return the picture of orders on a board with no other units, around some provinces."""
    board = load_board("alexmagnum")
    units = [
        Unit(power, kind, place)
        for power, texts in orders.items()
        for kind, place, *_ in map(str.split, texts)
    ]
    position = Position(board, Phase(318, "spring"), tuple(units))
    read = {
        power: [read_order(text, position, power) for text in texts]
        for power, texts in orders.items()
    }
    crop = find_surroundings(board, around, 800)
    return draw_turn(adjudicate(position, read), _SAY, title=title, crop=crop)


def _titles(position: Position) -> tuple[str, str]:
    """Return the name of the map and that of the phase."""
    board = position.board
    return board.name(_SAY.lang), phase_name(position.phase, board, _SAY)


def digest(drawn: str) -> str:
    """Return the digest of a drawing's SVG; the pixels may differ from machine to machine."""
    return hashlib.sha256(drawn.encode()).hexdigest()


def _add_source(picture: bytes, source: str) -> bytes:
    """Return a PNG with the digest of its source in it."""
    note = PngInfo()
    note.add_text(SOURCE, source)
    written = BytesIO()
    Image.open(BytesIO(picture)).save(written, "PNG", optimize=True, pnginfo=note)
    return written.getvalue()


def source_of(path: Path) -> str:
    """Return the digest of a picture's source; empty if the file or its digest is missing."""
    if not path.is_file():
        return ""
    with Image.open(path) as picture:
        return str(picture.info.get(SOURCE, ""))


if __name__ == "__main__":
    main()
