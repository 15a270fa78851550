"""The blocks of a report below the orders: retreats, losses, nobility, centres, the winner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import centres_change, ending, newly_eliminated, owners_after
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import Outcome
from alexmagnum.position import DEPLOYMENT, PICKS, Unit
from alexmagnum.report.mentions import AFTER, Mention, name_provinces
from alexmagnum.report.names import power_name


@dataclass(frozen=True, slots=True)
class Block:
    """Lines below a title, each with what it is about; ``code`` is the title's code in the
    catalogues."""

    title: str
    lines: tuple[str, ...]
    code: str
    mentions: tuple[Mention, ...] = ()


BlockLine = tuple[str, Mention]
"""A line of a block and what it is about."""


def describe_outcome(outcome: Outcome, sentences: Sentences) -> tuple[Block, ...]:
    """Return the blocks of an outcome that have lines, in the order of reading."""
    blocks = (
        _make_block(sentences.format(title), title, tuple(lines(outcome, sentences)))
        for title, lines in (
            ("title-picks", _award_lines),
            ("title-dislodged", _dislodged_lines),
            ("title-lost", _loss_lines),
            ("title-adjust", _adjustment_lines),
            ("title-nobility", _nobility_lines),
            ("title-centres", _centre_lines),
            ("title-out", _elimination_lines),
            ("title-end", _ending_lines),
        )
    )
    return tuple(block for block in blocks if block.lines)


def _make_block(title: str, code: str, lines: Iterable[BlockLine]) -> Block:
    """Return a block of some lines."""
    pairs = tuple(lines)
    texts, mentions = (tuple(text for text, _ in pairs), tuple(about for _, about in pairs))
    return Block(title, texts, code, mentions)


def publishes_awards_alone(outcome: Outcome) -> bool:
    """Return whether the picks of an outcome stay secret (R30, ``publish_picks: own``)."""
    position = outcome.position
    return position.phase.season == PICKS and position.board.rules.publish_picks == "own"


def _award_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    """Yield the centre that each power got and, if picks are public, the contested ones (R30)."""
    if outcome.picks is None:
        return
    board = outcome.position.board

    def centre_name(centre: str) -> str:
        return f"{centre} ({board.provinces[centre].name(sentences.lang)})"

    for power in board.powers:
        if power in outcome.picks.awards:
            centre = outcome.picks.awards[power]
            name = power_name(board, power, sentences)
            text = sentences.format("award", power=name, centre=centre_name(centre))
            yield text, Mention(power, (centre,), (centre,))
    if not outcome.picks.awards:
        yield sentences.format("no-awards"), Mention()
    if not publishes_awards_alone(outcome):
        for centre in outcome.picks.contested:
            text = sentences.format("contested", centre=centre_name(centre))
            yield text, Mention(places=(centre,))


def _dislodged_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    """Yield each dislodged unit with the retreats open to it."""
    position = outcome.position
    for dislodged in outcome.dislodged:
        who = power_name(position.board, dislodged.unit.power, sentences)
        code = "open-retreats" if dislodged.retreats else "no-retreats"
        name = position.name(dislodged.unit)
        text = sentences.format(
            code,
            unit=f"{name} ({who})",
            by=position.name(dislodged.by),
            retreats=", ".join(dislodged.retreats),
        )
        open_places = name_provinces(position.board, dislodged.retreats)
        yield text, Mention(dislodged.unit.power, (name,), open_places)


def _loss_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    """Yield each unit that was destroyed, disbanded or removed."""
    position = outcome.position
    lost = [
        *((_destruction_code(outcome, unit), unit) for unit in outcome.destroyed),
        *(("disbanded", unit) for unit in outcome.disbanded),
        *(("removed", unit) for unit in outcome.removed),
    ]
    for code, unit in lost:
        who = power_name(position.board, unit.power, sentences)
        name = position.name(unit)
        yield sentences.format(code, unit=f"{name} ({who})"), Mention(unit.power, (name,))


def _destruction_code(outcome: Outcome, unit: Unit) -> str:
    """Return the sentence for a destroyed unit.

    Garrisons (R27) and units in revolt (R3) cannot retreat; all others were hauled fleets (R24).
    """
    if unit.power == INDEPENDENT:
        return "garrison-lost"
    return "revolt-lost" if outcome.position.in_revolt(unit.power) else "haul-lost"


def _adjustment_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    """Yield the builds or removals due from each power."""
    for power, due in outcome.adjust.items():
        if due:
            code = "builds-due" if due > 0 else "removals-due"
            name = power_name(outcome.position.board, power, sentences)
            text = f"{name}: {sentences.format(code, count=abs(due))}"
            yield text, Mention(power, picture=AFTER)


def _nobility_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    """Yield the powers that lost nobility in the phase or are now in revolt (R2, R3)."""
    position = outcome.position
    for power, points in outcome.nobility.items():
        change = points - position.points_of(power)
        if change:
            name = power_name(position.board, power, sentences)
            code = "nobility-now" if points > 0 else "nobility-spent"
            text = sentences.format(code, power=name, points=points, change=f"{change:+d}")
            yield text, Mention(power, picture=AFTER)


def _centre_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    """Yield the centres of each power after a pick (R30) or an autumn with its retreats (R29)."""
    position = outcome.position
    if not centres_change(outcome) and position.phase.season not in (PICKS, DEPLOYMENT):
        return
    owners = owners_after(outcome)
    for power in position.board.powers:
        owned = [centre for centre in position.board.centres if owners.get(centre) == power]
        if owned:
            name = power_name(position.board, power, sentences)
            text = f"{name}: {len(owned)} ({', '.join(owned)})"
            yield text, Mention(power, places=tuple(owned))


def _elimination_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    """Yield the powers that this phase eliminated (R35)."""
    for power in newly_eliminated(outcome):
        yield power_name(outcome.position.board, power, sentences), Mention(power)


def _ending_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    """Yield who won, and by what, if the game is over (R33, R34)."""
    end = ending(outcome)
    if end is None:
        return
    if not end.winners:
        yield sentences.format("nobody-wins"), Mention()
        return
    board = outcome.position.board
    owners = list(owners_after(outcome).values())
    names = [power_name(board, power, sentences) for power in end.winners]
    code = "shared-win" if len(names) > 1 else "won-by-nobility"
    text = sentences.format(
        "won-by-centres" if end.by_centres else code,
        power=names[0],
        powers=", ".join(names),
        points=outcome.nobility.get(end.winners[0], 0),
        count=owners.count(end.winners[0]),
    )
    yield text, Mention(end.winners[0], picture=AFTER)
