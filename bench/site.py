"""The time and size of the site of a long game: from nothing, again, and with one more phase."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from alexmagnum.board.map_file import load_board
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import NewGame
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.notation import write_order
from alexmagnum.play import play_game
from alexmagnum.site.site import write_site

SEED = 2
"""The seed of a game that lasts until the last of its 22 years."""


def play_desk(folder: Path, years: int = 0) -> Desk:
    """Return a game in a folder that random players played for some years; to the end with 0."""
    desk = Desk.create(folder, NewGame("alexmagnum", lang="en"))
    for played in play_game(load_board("alexmagnum"), SEED, years=years):
        if desk.phase is None:
            break
        if str(desk.phase) == str(played.position.phase):
            for power, orders in played.orders.items():
                if orders:
                    desk.submit(power, "\n".join(map(write_order, orders)))
            desk.process(str(desk.phase), allow_missing=True)
    return desk


def measure(years: int = 0) -> list[dict[str, Any]]:
    """Return the processor time, the files and the bytes of each publication."""
    with tempfile.TemporaryDirectory() as name, play_desk(Path(name) / "game", years) as desk:
        site = Path(name) / "site"

        def publish() -> int:
            return len(write_site(desk, site, None, load_sentences("en")).written)

        desk.undo()
        rows = [_time("from nothing", publish, site)]
        rows.append(_time("again, without a change", publish, site))
        desk.redo()
        rows.append(_time("one more phase", publish, site))
        return rows


def _time(what: str, publish: Callable[[], int], site: Path) -> dict[str, Any]:
    start = process_time()
    written = publish()
    seconds = process_time() - start
    sizes = [path.stat().st_size for path in site.rglob("*") if path.is_file()]
    return {
        "publication": what,
        "seconds": round(seconds, 2),
        "written": written,
        "files": len(sizes),
        "megabytes": round(sum(sizes) / 1e6, 1),
        "largest_kilobytes": round(max(sizes) / 1e3),
    }


def table(rows: list[dict[str, Any]]) -> list[str]:
    """Return the figures as lines of a table."""
    head = f"{'site of a long game':<28}{'seconds':>9}{'written':>9}{'files':>7}"
    line = "{publication:<28}{seconds:>9.2f}{written:>9}{files:>7}"
    head += f"{'MB':>7}{'largest KB':>12}"
    line += "{megabytes:>7}{largest_kilobytes:>12}"
    return [head, *(line.format_map(row) for row in rows)]
