"""The part of a letter to somebody who takes over a power: the orders that they find there."""

from __future__ import annotations

from collections.abc import Iterator

from alexmagnum.game.advance_orders import read_advance_orders
from alexmagnum.game.stored_orders import read_receipt
from alexmagnum.mail.letters.phase_section import PhaseSection
from alexmagnum.mail.letters.receipts import describe_missing
from alexmagnum.report.names import power_name


def welcome_paragraphs(desk: PhaseSection) -> Iterator[str]:
    """Return the paragraphs on the power and on the orders in force, sent by whoever had it before.

    Reports of phases that are over are not repeated: the position is all that counts.
    """
    game, sentences, power = desk.game, desk.sentences, desk.player.power
    name = power_name(game.base, power, sentences)
    yield sentences.format("letter-welcome-is", power=name, game=game.info.name)
    receipt = read_receipt(game, game.head(), power)
    if receipt and receipt.orders:
        code = "letter-welcome-bot" if receipt.bot else "letter-welcome-orders"
        yield sentences.format(code, orders="; ".join(receipt.orders), bot=receipt.bot)
        if receipt.missing:
            missing = describe_missing(receipt.missing, sentences)
            yield sentences.format("letter-welcome-missing", things=missing)
        else:
            yield sentences.format("letter-welcome-complete")
    elif desk.demand():
        yield sentences.format("letter-welcome-none")
    for kind, orders in read_advance_orders(game, power).get(power, {}).items():
        later = sentences.format(f"ahead-{kind}")
        yield sentences.format("letter-welcome-ahead", later=later, orders="; ".join(orders))
