"""The desk at a glance, and the end of a game with its seal.

The judge is imported only for a game that the rules ended, so that ``status`` answers at once.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any

from alexmagnum.files import read_own, write_whole
from alexmagnum.game import game as games
from alexmagnum.game import orders, people
from alexmagnum.game.deadlines import WORDED
from alexmagnum.game.file import to_json
from alexmagnum.game.late_orders import waits_for_orders
from alexmagnum.game.records import SubmissionRow
from alexmagnum.game.settings import RULES
from alexmagnum.position import PICKS, Position

# The end of a game: by the rules (R33, R34), or because the game master declared it.


def read_end(game: games.Game) -> games.GameEnd | None:
    """Return how the game ended, None if it goes on."""
    if not (head := game.head()).is_over:
        return None
    if (declared := game.file.find(games.GameEnd, "WHERE phase = ?", head.id)) is not None:
        return declared
    from alexmagnum.campaign import ending
    from alexmagnum.game.phases import find_outcome_of

    line = game.line()
    if (end := ending(find_outcome_of(game, line[-1])) if line else None) is None:
        return None
    return games.GameEnd("centres" if end.by_centres else "nobility", end.winners)


# The desk at a glance: counts of what came in, and no orders.


_COUNTS_NOT = games.NEEDS_A_LOOK - {games.DOUBTFUL}
"""The verdicts on lines that are no order, or none that counts."""

MARK = ".folder"
"""The file that says which moment of the game the files in its folder show."""


def is_folder_behind(game: games.Game) -> bool:
    """Return whether an act was stored, and the files in the folder show the game before it.

    It is so when a command was killed after its act.  A new game has no mark until it has its first
    files; another game without a mark is one that a program made, with no files.
    """
    try:
        return read_own(game.folder / MARK).decode() != _read_moment(game)
    except (OSError, ValueError):
        return not game.line()


def find_unfinished_call(game: games.Game) -> str:
    """Return the digest of the call of the last act, if its command was interrupted, else ""."""
    try:
        before = int(read_own(game.folder / games.CALL))
    except (OSError, ValueError):
        return ""
    last = game.find_last_act(*games.COUNTS_TWICE, *games.CLOCK_ACTS, *_HEAD_ACTS)
    return str(last.detail.get("call", "")) if last and last.id > before else ""


def mark_folder(game: games.Game) -> None:
    """Note that the files in the folder show the game as it is."""
    write_whole(game.folder / MARK, _read_moment(game), private=True)


IN_SHEETS = ("lang", "mail_address", "pictures", "sandbox", "timezone")
"""Settings that order sheets show."""

ABOUT_PEOPLE = ("names", "names_at_end", "addresses")
"""Settings that decide what reports and letters say about the players."""


PEOPLE, PHASE = slice(1, 1 + len(ABOUT_PEOPLE)), slice(1 + len(ABOUT_PEOPLE), None)
"""The parts of the mark that say how the folder shows the players, and which phase was opened."""


def is_out_of_date(game: games.Game, part: slice) -> bool:
    """Return whether the folder shows a part of an earlier moment of the game."""
    with suppress(OSError, ValueError):
        shown = read_own(game.folder / MARK).decode().split()[part]
        return shown not in ([], _read_moment(game).split()[part])
    return False


def _read_moment(game: games.Game) -> str:
    """Return a digest of what the files show: the open phase, its deadline, all that led to it, the
    last words that were put into a report, who plays, and the settings in order sheets; behind it
    stand the settings about people, and a digest of the open phase with all that led to it."""
    line = [(row.id, row.name, row.digest) for row in game.line()]
    head, worded = game.head(), game.find_last_act(WORDED)
    shown = [game.settings[name] for name in IN_SHEETS]
    opened, players = (head.id, head.name, line), people.find_last_change_of_players(game)
    seen = (opened, head.deadline, worded and worded.id, players, shown)
    whole, phase = (sha256(repr(each).encode()).hexdigest()[:32] for each in (seen, opened))
    return " ".join((whole, *map(game.settings.__getitem__, ABOUT_PEOPLE), phase))


@games.in_one_view
def read_status(game: games.Game) -> games.Status:
    """Return the state of the open phase."""
    head = game.head()
    over = head.is_over
    end, agreed = read_end(game), people.find_agreement(game)
    blocks = ["game-is-over"] if over else []
    if not over and waits_for_orders(game):
        blocks.append("block-orders-missing")
    if agreed:
        blocks.append(f"block-{agreed.kind}-agreed")
    return games.Status(
        game.name,
        head.name,
        "" if over else head.kind,
        game.deadline,
        game.paused,
        tuple(_list_powers(game, over=over)),
        tuple(blocks),
        end.winners if end else (),
        over,
        {} if over else people.count_votes(game, head.name),
        () if over else people.list_voters(game),
        str(agreed or ""),
        end,
    )


def _list_powers(game: games.Game, *, over: bool) -> Iterator[games.PowerStatus]:
    """Yield what each power has done; in a game that is over none owes anything."""
    position = game.position
    counted = {} if over else orders.read_counting_orders(game)
    last = {} if over else orders.find_last_submissions(game, game.head().id)
    lines = orders.read_all_lines(game, [row.id for row in last.values()])
    owed = {} if over else orders.find_required_orders(position)
    who = {player.power: player for player in people.read_players(game)}
    paces = {} if over else people.read_paces(game, str(position.phase))
    today = game.today()
    for power in game.base.powers:
        row, player = last.get(power), who.get(power) or games.Player(power, "")
        understood = lines[row.id] if row else ()
        bot = orders.read_bot_name(game, row)
        wanting = _COUNTS_NOT if bot else games.NEEDS_A_LOOK  # a bot means what it orders
        things = owed.get(power, ())
        is_away = bool(player.absent_from) and player.absent_from <= today <= player.absent_until
        given = (
            orders.count_given_orders(position, power, things, counted.get(power, ()))
            if things
            else 0
        )
        yield games.PowerStatus(
            power,
            player.name,
            given,
            len(things),
            sum(line.verdict in wanting for line in understood),
            row.number if row else 0,
            row.received if row else "",
            is_away and not over,
            find_power_state(position, power),
            paces.get(power, ""),
            bot or player.bot,
            bool(bot),
            *(_find_bot_fault(game, row) if bot else ()),
        )


def _find_bot_fault(game: games.Game, row: SubmissionRow | None) -> tuple[str, str]:
    """Return the code of what is wrong with a bot's orders, and its error; no order is in it."""
    given = orders.find_bot_submission(game, row)
    lines = orders.read_lines(game, given.id) if given else ()
    doubtful = [line for line in lines if line.verdict in _COUNTS_NOT]
    for line in doubtful:
        if line.code == games.BOT_FAILED:
            return games.BOT_FAILED, line.text
    return (games.BOT_NONSENSE if doubtful else ""), ""


def find_power_state(position: Position, power: str) -> str:
    """Return whether a power plays, is in revolt (R3) or eliminated (R35)."""
    if power in orders.find_active_powers(position):
        return "playing"
    units = (*position.units, *(d.unit for d in position.dislodged))
    holds = power in position.owners.values() or any(unit.power == power for unit in units)
    revolts = position.in_revolt(power) and position.phase.season != PICKS
    return "revolt" if revolts and holds else "eliminated"


# The closing seal: a digest over the whole game, written in the journal when the game ends.
#
# ``verify`` works it out again. Mails that arrive after the end are not in it; nor is what goes on
# changing: players' addresses, settings about mail, and outgoing letters, which have digests of
# their own.


_WHOLE = (
    "powers",
    "phases",
    "outcomes",
    "positions",
    "submissions",
    "orders",
    "resolved",
    "seals",
    "undo_log",
    "votes",
    "endings",
    "games",
)
"""Tables in which nothing changes while the game is over."""

_GROWING = {
    "journal": "*",
    "mail": "*",
    "messages": "id, key, raw, origin, received, fetched, sender, subject",
    "press": "id, phase, sender, readers, manner, text, message, written",
}
"""Tables to which rows may be added after the end, with their columns that never change."""

_MOVING = ("map_source", "origin")  # they tell where something lies: not sealed, as they were once

_HEAD_ACTS = ("process", "amend", "amend-settings", "undo", "redo", "end")
"""The acts that decide which phase is open."""

_KEY = "closing_seal"


def seal_if_over(game: games.Game, note: games.Note) -> None:
    """Add the closing seal to the journal entry of the act that ended the game, if one did."""
    if game.head().is_over:
        marks = {table: game.file.count(f"SELECT MAX(id) FROM {table}") for table in _GROWING}
        note.detail[_KEY] = {"digest": _digest_game(game, marks), "rows": marks}


def check_closing_seal(game: games.Game) -> Iterator[games.Finding]:
    """Find a game whose contents are no longer those that were sealed at its end."""
    try:
        sealed = read_closing_seal(game)
        known = (_digest_game(game, sealed["rows"], out) for out in (_MOVING, ()) if sealed)
        if sealed and sealed["digest"] not in known:
            yield games.Finding(
                "", "journal", "verify-closing-seal", {"digest": str(sealed["digest"])}
            )
    except (ValueError, TypeError, KeyError, AttributeError):
        yield games.Finding("", "journal", "verify-closing-seal", {"digest": "?"})


def read_closing_seal(game: games.Game) -> Mapping[str, Any]:
    """Return the closing seal of a game that is over, as the journal has it; else nothing."""
    if not game.head().is_over:
        return {}
    last = game.find_last_act(*_HEAD_ACTS)
    return last.detail[_KEY] if last else {}


def _digest_game(
    game: games.Game, marks: Mapping[str, int], left_out: Collection[str] = _MOVING
) -> str:
    """Return the digest of the rows of the game, of growing tables up to some numbers."""
    whole = sha256()
    queries: dict[str, tuple[str, tuple[object, ...]]] = {
        table: (f"SELECT * FROM {table} ORDER BY rowid", ()) for table in _WHOLE
    }
    queries["settings"] = ("SELECT * FROM settings WHERE name LIKE ? ORDER BY name", (f"{RULES}%",))
    for table, columns in _GROWING.items():
        sql = f"SELECT {columns} FROM {table} WHERE id <= ? ORDER BY id"
        queries[table] = (sql, (marks[table],))
    for table in sorted(queries):
        sql, values = queries[table]
        whole.update(f"{table}\n".encode())
        for row in game.file.rows(sql, *values):
            for name, value in row.items():
                if isinstance(value, bytes):
                    row[name] = sha256(value).hexdigest()
            kept = {name: value for name, value in row.items() if name not in left_out}
            whole.update(f"{to_json(kept)}\n".encode())
    return whole.hexdigest()
