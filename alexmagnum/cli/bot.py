"""The command ``bot``: the orders that a bot would give, with its reasons."""

from __future__ import annotations

from pathlib import Path
from random import Random

import click

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.bots import BOTS, load_bot
from alexmagnum.bots.advice import Advice, give_reasons
from alexmagnum.cli.output import find_powers, lang_option, print_json, style
from alexmagnum.cli.turn_files import read_any_turn, read_turn_orders
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation import order_in, write_order
from alexmagnum.orders import Disband, Remove
from alexmagnum.position import Position
from alexmagnum.report.names import phase_name, power_name


@click.command()
@click.argument("turn", type=click.Path(path_type=Path))
@click.argument("power")
@click.option(
    "--level",
    type=click.Choice(list(BOTS)),
    default="search",
    show_default=True,
    help="The bot: random decides by chance, dumb goes for near centres, blend looks a phase ahead,"
    " search a year.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="A whole number; another one may give other orders.",
)
@click.option(
    "--map", "map_id", metavar="ID", help="The map, where the file does not say it: an id or path."
)
@click.option("--json", "as_json", is_flag=True, help="For machines: see docs/bots.md.")
@lang_option
def bot(
    turn: Path,
    power: str,
    level: str,
    seed: int,
    map_id: str | None,
    as_json: bool,
    sentences: Sentences,
) -> None:
    """Advise a power: the orders that a bot would give, with the reason for each.

    TURN is a turn file or a mail with a position; its orders are ignored, because a bot sees the
    position alone.  The reason names the centre that an order is for, and the strongest rival who
    can be there.  The same seed gives the same orders.

    \b
    Example:
      alexmagnum bot orders/turn.yaml Ptolemy
      alexmagnum bot orders/turn.yaml TOL --level blend --seed 3
    """
    position = read_turn_orders(read_any_turn(turn, map_id).turn).position
    (asked,) = find_powers(position.board, [power])
    orders = load_bot(level).orders(position, asked, Random(seed))
    advice = give_reasons(position, asked, orders)
    if as_json:
        _print_json(position, asked, level, advice)
        return
    title = sentences.format(
        "bot-title",
        bot=level,
        power=power_name(position.board, asked, sentences),
        phase=phase_name(position.phase, position.board, sentences),
    )
    click.echo(style(title, bold=True))
    if not advice:
        click.echo(f"  {sentences.format('bot-no-orders')}")
    texts = [order_in(write_order(entry.order), sentences.lang) for entry in advice]
    width = max(map(len, texts), default=0)
    for text, entry in zip(texts, advice, strict=True):
        reason = format_reason(position, entry, asked, sentences)
        click.echo(f"  {text:<{width}}  {reason}".rstrip())


def format_reason(position: Position, entry: Advice, power: str, sentences: Sentences) -> str:
    """Return the reason for an order as a sentence, "" if there is none."""
    board = position.board
    parts = []
    if entry.aim:
        parts.append(
            sentences.format(
                _choose_aim_sentence(entry, power),
                centre=board.provinces[entry.aim].name(sentences.lang),
                owner=_name_owner(board, entry, sentences),
            )
        )
    if entry.rival:
        parts.append(
            sentences.format(
                "bot-garrison" if entry.rival == INDEPENDENT else "bot-rival",
                rival=power_name(board, entry.rival, sentences),
                strength=entry.strength,
            )
        )
    return "; ".join(parts)


def _choose_aim_sentence(entry: Advice, power: str) -> str:
    """Return the code of the sentence on the centre that an order is for."""
    defends = entry.owner == power
    if isinstance(entry.order, Disband | Remove):  # its unit goes for nothing any more
        return "bot-defends-no-more" if defends else "bot-wants-no-more"
    return "bot-defends" if defends else "bot-wants"


def _name_owner(board: Board, entry: Advice, sentences: Sentences) -> str:
    if entry.owner:
        return power_name(board, entry.owner, sentences)
    independent = board.provinces[entry.aim].centre == "independent"
    return sentences.format("bot-independent" if independent else "bot-nobody")


def _print_json(position: Position, power: str, level: str, advice: list[Advice]) -> None:
    print_json(
        {
            "phase": str(position.phase),
            "power": power,
            "bot": level,
            "orders": [
                {
                    "order": write_order(entry.order),
                    "aim": entry.aim,
                    "owner": entry.owner,
                    "rival": entry.rival,
                    "strength": entry.strength,
                }
                for entry in advice
            ],
        }
    )
