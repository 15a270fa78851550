"""Names and short sentences of reports in the reader's language, and what a line is about."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.game.deadlines import STOPPED
from alexmagnum.game.game import RETURN, SOME_BOT, Game, GameEnd, Player, PowerStatus
from alexmagnum.game.late_orders import LatePower
from alexmagnum.game.orders import find_required_orders
from alexmagnum.game.settings import DISORDER, parse_misses
from alexmagnum.i18n.dates import format_instant
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation import order_in
from alexmagnum.notation.names import localize_labels, power_name
from alexmagnum.position import DEPLOYMENT, Phase, Position, parse_phase


def phase_name(phase: Phase | str, board: Board, sentences: Sentences) -> str:
    """Return a phase, or the one of a code (``318-spring``), in words: ``Spring 318 BC, movement``.

    Raises:
        ValueError: no phase has the code.
    """
    if isinstance(phase, str):
        phase = parse_phase(phase, board.rules.picks)
    words = (sentences.format(phase.season), year_name(phase, board, sentences))
    season = " ".join(word for word in words if word)
    if phase.kind == DEPLOYMENT:
        return season  # the only phase of its season
    return f"{season}, {sentences.format(f'{phase.kind}-phase', period=phase.period)}"


def year_name(phase: Phase, board: Board, sentences: Sentences) -> str:
    """Return the year of a phase in words: ``318 BC``; "" if it has none."""
    if not phase.year:
        return ""
    return sentences.format("before-christ", year=phase.year) if board.years_bc else str(phase.year)


def format_clock(clock: str, zone: str, sentences: Sentences, now: datetime | None = None) -> str:
    """Return a deadline in words, or the words for a stopped clock or no deadline.

    ``clock`` is what :func:`alexmagnum.game.deadlines.read_clock` returns.
    """
    if clock == STOPPED:
        return sentences.format("clock-stopped")
    return format_instant(clock, zone, sentences, now) if clock else sentences.format("no-deadline")


def describe_missing(missing: Sequence[str], sentences: Sentences) -> str:
    """Describe missing orders: units and centres by name, builds, removals and picks counted."""
    codes = {"Build": "builds-due", "Remove": "removals-due", "Pick": "due-pick"}
    things = [thing for thing in missing if thing not in codes]
    for thing, code in codes.items():
        if thing in missing:
            things.append(sentences.format(code, count=missing.count(thing)))
    return ", ".join(things)


def name_player(player: Player, sentences: Sentences) -> str:
    """Return who plays: a name, or ``a bot (dumb)``, or both where a bot stands in for a person."""
    if not player.bot:
        return player.name
    bot = name_bot(player.bot, sentences)
    if not player.name:
        return bot
    return sentences.format("player-stand-in", name=player.name, bot=bot)


def name_stand_in(bot: str, stand_in: str, sentences: Sentences) -> str:
    """Return a bot with how long it stands in for a player: ``dumb, in this phase alone``."""
    if not stand_in:
        return bot
    return sentences.format("bot-until-back" if stand_in == RETURN else "bot-once", bot=bot)


def describe_late_power(sentences: Sentences, choice: str, miss: int, most: int) -> str:
    """Return what becomes of a power whose orders do not come, and which of how many misses it is;
    see :class:`alexmagnum.game.late_orders.LatePower`."""
    kind, _, bot = choice.partition(":")
    what = sentences.format(f"late-{kind}", bot=name_bot(bot, sentences))
    return sentences.format("late-miss", what=what, miss=miss, most=most) if miss else what


def format_late_rules(settings: Mapping[str, str], sentences: Sentences) -> Iterator[str]:
    """Yield the house rules about late orders that a game has, for how long it waits and what
    happens after several misses."""
    if settings.get("grace", "0") != "0":
        yield sentences.format("house-grace", value=settings["grace"])
    for count, choice in sorted(parse_misses(settings.get("misses", "")).items()):
        yield sentences.format(f"house-misses-{choice}", count=count)


def format_late_time(game: Game, late: LatePower, sentences: Sentences) -> str:
    """Return until when late orders are waited for, or the words for a time that is over."""
    if late.until <= game.stamp():
        return sentences.format("late-until-resolved")
    return format_instant(late.until, game.settings["timezone"], sentences)


def name_bot(bot: str, sentences: Sentences) -> str:
    """Return a bot in words: ``a bot (dumb)``; ``a bot`` where its name is hidden; civil disorder
    is nobody's play."""
    if bot == DISORDER:
        return sentences.format("civil-disorder-reigns")
    return sentences.format("some-bot") if bot == SOME_BOT else sentences.format("a-bot", bot=bot)


# Sentences for the game master about bots whose orders went wrong.


def describe_bot_faults(
    powers: Iterable[PowerStatus], board: Board, sentences: Sentences
) -> Iterator[str]:
    """Yield what went wrong with the orders of bots, and what can be done."""
    for power in powers:
        if power.bot_fault:
            yield sentences.format(
                f"desk-{power.bot_fault}",
                power=power_name(board, power.power, sentences),
                id=power.power,
                bot=power.bot,
                why=power.bot_error,
            )


# Sentences about the end of a game: for the terminal, for letters and for the final report.


def format_end(end: GameEnd, position: Position, sentences: Sentences) -> str:
    """Return how a game ended, with who won; ``position`` is the one at the end."""
    board = position.board
    names = [power_name(board, power, sentences) for power in end.winners]
    listed = "".join(names[-1:])
    if len(names) > 1:
        listed = sentences.format("list-and", first=", ".join(names[:-1]), last=listed)
    if not names:
        code = f"end-{end.kind}" if end.is_declared else "end-nobody"
    else:
        shared = "-shared" if len(names) > 1 and end.kind == "nobility" else ""
        alone = "-alone" if len(names) == 1 and end.kind == "draw" else ""
        code = f"end-{end.kind}{shared}{alone}"
    best = end.winners[0] if end.winners else ""
    return sentences.format(
        code,
        powers=listed,
        points=position.points_of(best) if best and board.rules.nobility else 0,
        count=len(position.centres_of(best)) if best else 0,
    )


# The orders that each power has to send for a phase, in words.


def describe_required_orders(
    position: Position, sentences: Sentences, *, auto: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield each power that owes orders, in the map's order, with these orders in words.

    ``auto`` says that a retreat is taken without an order if it is the only one open.
    """
    owed = find_required_orders(position)
    for power in position.board.powers:
        if power in owed:
            yield power, _format_required(position, power, owed[power], sentences, auto)


def _format_required(
    position: Position, power: str, things: Sequence[str], sentences: Sentences, auto: bool
) -> str:
    match position.phase.kind:
        case "movement":
            return sentences.format("due-orders", count=len(things), units=", ".join(things))
        case "retreats":
            return "; ".join(
                sentences.format(
                    "due-retreat-auto" if auto and len(dislodged.retreats) == 1 else "due-retreat",
                    unit=position.name(dislodged.unit),
                    retreats=", ".join(dislodged.retreats),
                )
                for dislodged in position.dislodged
                if dislodged.unit.power == power and dislodged.retreats
            )
        case "deployment":
            taken = {unit.province for unit in position.units}
            places = ", ".join(c for c in position.centres_of(power) if c not in taken)
            return sentences.format("due-placing", count=len(things), places=places)
        case "winter":
            if "Remove" in things:
                return sentences.format("due-removals", count=len(things))
            places = ", ".join(_list_building_places(position, power))
            return sentences.format("due-builds", count=len(things), places=places)
        case _:
            return sentences.format("due-pick")


def _list_building_places(position: Position, power: str) -> Iterable[str]:
    # Imported late: the desk is looked at without the judge.
    from alexmagnum.judge.other_phases import list_building_places

    return list_building_places(position, power)


# The units and places that a line of a report names, so that a page can show them on the map.


AFTER = "after"
"""The picture of the position after a phase."""


class Mention(NamedTuple):
    """The subject of a line, by the names that pictures of maps use.

    Attributes:
        power: the power whose units are meant; "" for none.
        units: the names of the units; without units and places, all units of the power are meant.
        places: the provinces that are pointed at.
        picture: :data:`AFTER` if the units are those of the position after the phase.
    """

    power: str = ""
    units: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    picture: str = ""

    @property
    def can_be_shown(self) -> bool:
        """Tell whether there is something on the map to point at."""
        return bool(self.power or self.places)


def name_provinces(board: Board, locations: Iterable[str]) -> tuple[str, ...]:
    """Return the provinces of some locations, which may name coasts, each once."""
    return tuple(dict.fromkeys(board.province_of(location).id for location in locations))


def mention_required_orders(position: Position, power: str) -> Mention:
    """Return what the orders that a power owes are about."""
    board, things = position.board, find_required_orders(position)[power]
    match position.phase.kind:
        case "movement":
            return Mention(power, tuple(things))
        case "retreats":
            owed = [d for d in position.dislodged if d.unit.power == power and d.retreats]
            open_places = [place for dislodged in owed for place in dislodged.retreats]
            return Mention(power, tuple(things), name_provinces(board, open_places))
        case "winter" if "Build" in things:
            return Mention(
                power, places=name_provinces(board, _list_building_places(position, power))
            )
        case "deployment":
            return Mention(power, places=name_provinces(board, things))
        case "picks":
            return Mention()
        case _:
            return Mention(power)


def localize_suggestions(text: str, board: Board, lang: str) -> str:
    """Return suggestions as stored, with the verbs of orders and the names of places in a language.

    >>> from alexmagnum.board import load_board
    >>> localize_suggestions("Build A TIR, BAB (Babilonia)", load_board("alexmagnum"), "en")
    'Build A TIR, BAB (Babylon)'
    """
    parts = re.split(r"(, |; )", text)
    orders = "".join(part if i % 2 else order_in(part, lang) for i, part in enumerate(parts))
    return localize_labels(orders, board, lang)
