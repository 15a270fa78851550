"""What a report says below the orders: who retreats, what is lost, who owns what, who won."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import centres_change, ending, newly_eliminated, owners_after
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import Outcome
from alexmagnum.position import DEPLOYMENT, PICKS, Unit
from alexmagnum.report.names import power_name


@dataclass(frozen=True, slots=True)
class Block:
    """Some lines under a title; ``code`` is the title's in the catalogues."""

    title: str
    lines: tuple[str, ...]
    code: str


def describe_outcome(outcome: Outcome, sentences: Sentences) -> tuple[Block, ...]:
    """Everything there is to say of an outcome besides its orders, in order of reading."""
    written = (
        Block(sentences.format(title), tuple(lines(outcome, sentences)), title)
        for title, lines in (
            ("title-picks", _picks),
            ("title-dislodged", _dislodged),
            ("title-lost", _lost),
            ("title-adjust", _adjust),
            ("title-nobility", _nobility),
            ("title-centres", _centres),
            ("title-out", _eliminated),
            ("title-end", _ending),
        )
    )
    return tuple(block for block in written if block.lines)


def publishes_awards_alone(outcome: Outcome) -> bool:
    """Whether the report has to keep the picks to itself (R30, ``publish_picks``)."""
    position = outcome.position
    return position.phase.season == PICKS and position.board.rules.publish_picks == "own"


def _picks(outcome: Outcome, sentences: Sentences) -> Iterator[str]:
    """Who got which centre, and what was contested if all picks are published (R30)."""
    if outcome.picks is None:
        return
    board = outcome.position.board

    def named(centre: str) -> str:
        return f"{centre} ({board.provinces[centre].name(sentences.lang)})"

    for power in board.powers:
        if power in outcome.picks.awards:
            centre = named(outcome.picks.awards[power])
            yield sentences.format(
                "award", power=power_name(board, power, sentences), centre=centre
            )
    if not outcome.picks.awards:
        yield sentences.format("no-awards")
    if not publishes_awards_alone(outcome):
        for centre in outcome.picks.contested:
            yield sentences.format("contested", centre=named(centre))


def _dislodged(outcome: Outcome, sentences: Sentences) -> Iterator[str]:
    position = outcome.position
    for dislodged in outcome.dislodged:
        who = power_name(position.board, dislodged.unit.power, sentences)
        code = "open-retreats" if dislodged.retreats else "no-retreats"
        yield sentences.format(
            code,
            unit=f"{position.name(dislodged.unit)} ({who})",
            by=position.name(dislodged.by),
            retreats=", ".join(dislodged.retreats),
        )


def _lost(outcome: Outcome, sentences: Sentences) -> Iterator[str]:
    position = outcome.position
    lost = [
        *((_how_destroyed(outcome, unit), unit) for unit in outcome.destroyed),
        *(("disbanded", unit) for unit in outcome.disbanded),
        *(("removed", unit) for unit in outcome.removed),
    ]
    for code, unit in lost:
        who = power_name(position.board, unit.power, sentences)
        yield sentences.format(code, unit=f"{position.name(unit)} ({who})")


def _how_destroyed(outcome: Outcome, unit: Unit) -> str:
    """Garrisons (R27) and units in revolt (R3) do not retreat; the rest was hauled (R24)."""
    if unit.power == INDEPENDENT:
        return "garrison-lost"
    return "revolt-lost" if outcome.position.in_revolt(unit.power) else "haul-lost"


def _adjust(outcome: Outcome, sentences: Sentences) -> Iterator[str]:
    for power, due in outcome.adjust.items():
        if due:
            code = "builds-due" if due > 0 else "removals-due"
            name = power_name(outcome.position.board, power, sentences)
            yield f"{name}: {sentences.format(code, count=abs(due))}"


def _nobility(outcome: Outcome, sentences: Sentences) -> Iterator[str]:
    """The powers that lost nobility in the phase, and those in revolt from now on (R2, R3)."""
    position = outcome.position
    for power, points in outcome.nobility.items():
        change = points - position.points_of(power)
        if change:
            name = power_name(position.board, power, sentences)
            code = "nobility-now" if points > 0 else "nobility-spent"
            yield sentences.format(code, power=name, points=points, change=f"{change:+d}")


def _centres(outcome: Outcome, sentences: Sentences) -> Iterator[str]:
    """Who owns what after a pick (R30), and after an autumn once its retreats are over (R29)."""
    position = outcome.position
    if not centres_change(outcome) and position.phase.season not in (PICKS, DEPLOYMENT):
        return
    owners = owners_after(outcome)
    for power in position.board.powers:
        owned = [centre for centre in position.board.centres if owners.get(centre) == power]
        if owned:
            name = power_name(position.board, power, sentences)
            yield f"{name}: {len(owned)} ({', '.join(owned)})"


def _eliminated(outcome: Outcome, sentences: Sentences) -> Iterator[str]:
    """The powers that this phase leaves with nothing (R35)."""
    for power in newly_eliminated(outcome):
        yield power_name(outcome.position.board, power, sentences)


def _ending(outcome: Outcome, sentences: Sentences) -> Iterator[str]:
    """Who won, and with what, if the game is over (R33, R34)."""
    end = ending(outcome)
    if end is None:
        return
    if not end.winners:
        yield sentences.format("nobody-wins")
        return
    board = outcome.position.board
    owners = list(owners_after(outcome).values())
    names = [power_name(board, power, sentences) for power in end.winners]
    code = "shared-win" if len(names) > 1 else "won-by-nobility"
    yield sentences.format(
        "won-by-centres" if end.by_centres else code,
        power=names[0],
        powers=", ".join(names),
        points=outcome.nobility.get(end.winners[0], 0),
        count=owners.count(end.winners[0]),
    )
