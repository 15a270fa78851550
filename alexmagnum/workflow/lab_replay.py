"""Playing a game of the lab again, into a game master's folder that every command opens."""

from __future__ import annotations

from pathlib import Path

from alexmagnum.board.model import near
from alexmagnum.errors import AlexMagnumError
from alexmagnum.files import show_progress
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import NewGame, Player
from alexmagnum.game.settings import RULES
from alexmagnum.lab.bots import modules_in
from alexmagnum.lab.game import GameRecord, Match, make_frame
from alexmagnum.lab.plan import Series, locate_map
from alexmagnum.lab.run import Run, read_run, read_table
from alexmagnum.notation import write_order
from alexmagnum.play import PlayedPhase


def replay_game(results: Path, name: str, number: int, folder: Path, lang: str = "en") -> Desk:
    """Play a game of a folder of results again, as a new game in a folder; return its desk.

    The desk takes every bot's orders as a mail and resolves every phase itself.  The game has no
    reports yet.

    Raises:
        AlexMagnumError: ``lab-no-results``; ``lab-no-such-series``, ``lab-no-game``;
            ``lab-not-played``; ``lab-replay-differs``: this program plays the game otherwise
            than its results say.
        GameError: ``game-exists``, ``no-folder``.
    """
    run = read_run(results)
    series = _find_series(run, name)
    if not 1 <= number <= series.games:
        data = {"series": name, "game": str(number), "games": str(series.games)}
        raise AlexMagnumError("lab-no-game", **data)
    with modules_in(run.plan.modules):
        record = GameRecord(
            Match(series, series.load_board(results), run.plan.turn_seconds), number
        )
        phases = list(record.play())
    _compare_rows(results, run, record)
    players = [Player(power, bot, "", lang) for power, bot in record.seats.items()]
    new = NewGame(
        str(locate_map(series.map, results)),
        name=f"{name} {number}",
        lang=lang,
        players=players,
        settings={f"{RULES}{switch}": value for switch, value in series.rules.items()},
    )
    desk = Desk.create(folder, new)
    try:
        for count, played in enumerate(phases, 1):
            _process(desk, played)
            show_progress(count / len(phases))
    except BaseException:
        desk.close()
        raise
    return desk


def _find_series(run: Run, name: str) -> Series:
    names = [series.name for series in run.plan.series]
    if name not in names:
        data = {"series": name, "known": ", ".join(names), "near": near(name, names)}
        raise AlexMagnumError("lab-no-such-series", **data)
    return run.plan.series[names.index(name)]


def _compare_rows(results: Path, run: Run, record: GameRecord) -> None:
    """Check that a game played again has the rows that the tables have.

    Raises:
        AlexMagnumError: ``lab-not-played``, ``lab-replay-differs``.
    """
    series, number = record.match.series.name, record.number
    for table, rows in record.rows().items():
        if table == "timings":
            continue
        stored = read_table(results, table)
        stored = stored.filter(stored["series"] == series, stored["game"] == number)
        if table == "games" and stored.is_empty():
            raise AlexMagnumError("lab-not-played", series=series, game=str(number))
        if not stored.equals(make_frame(table, rows)):
            data = {"series": series, "game": str(number), "version": run.identity.version}
            raise AlexMagnumError("lab-replay-differs", table=table, **data)


def _process(desk: Desk, played: PlayedPhase) -> None:
    """Give the desk the orders of a phase, and let it resolve the phase.

    Raises:
        AlexMagnumError: ``lab-replay-differs``: the result is another.
    """
    phase = str(played.position.phase)
    if str(desk.phase) != phase:  # the desk passes phases in which nobody has to decide anything
        return
    for power, orders in played.orders.items():
        if orders:
            desk.submit(power, "\n".join(map(write_order, orders)))
    desk.process(phase, allow_missing=True, anyway=True)
    after = desk.processed(phase).outcome
    if set(after.units) != set(played.outcome.units):
        data = {"series": desk.name, "game": "", "version": "", "table": phase}
        raise AlexMagnumError("lab-replay-differs", **data)
