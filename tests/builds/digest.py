"""Digest of results and reasons over many phases, to compare two builds of the judge.

    python -m tests.builds.digest --phases 4000
    ALEXMAGNUM_PURE=1 python -m tests.builds.digest --phases 4000

Both print the build and a checksum for each block of phases.  ``--show 17`` prints the whole text
of block 17, so that a difference can be looked at.
"""

import argparse
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count, islice

import alexmagnum
from alexmagnum.board.geography import split_location
from alexmagnum.board.map_file import load_board
from alexmagnum.campaign import first_position, next_position
from alexmagnum.judge import adjudicate
from alexmagnum.judge.checking import check_orders
from alexmagnum.judge.outcome import Outcome
from alexmagnum.notation import read_canonical, read_orders
from alexmagnum.orders import Order
from alexmagnum.play import play_game
from alexmagnum.position import Phase, Position, Unit
from alexmagnum.whatif.flips import Flips
from bench import positions
from tests.scenarios import PROFILES, seeded
from tools.demo import read_story

BLOCK = 20  # the number of phases to a checksum

Case = tuple[Position, Mapping[str, Sequence[Order]]]
"""A position, and the orders of each power."""


def list_cases(phases: int) -> Iterator[Case]:
    """Yield so many phases: the sample game, then equal parts of the other sources."""
    sample = list(_play_sample())
    sources = [_play_at_random(), _read_standard_positions(), _draw_scenarios()]
    part = -(-(phases - len(sample)) // len(sources))
    return islice(chain(sample, *[islice(source, part) for source in sources]), phases)


def _play_sample() -> Iterator[Case]:
    """Yield the phases of the recorded sample game."""
    story = read_story()
    position: Position | None = first_position(load_board(story.map))
    for turn in story.turns:
        assert position is not None
        orders = {
            mail.power: read_orders(mail.path.read_text("utf-8"), position, mail.power).orders.get(
                mail.power, ()
            )
            for mail in turn.mails
            if not mail.refused
        }
        yield position, orders
        position = next_position(adjudicate(position, orders))


def _play_at_random() -> Iterator[Case]:
    """Yield phases of games that the random player plays, on both maps."""
    for seed in count(1):
        for board, years in (("alexmagnum", 0), ("standard", 8)):
            for phase in play_game(load_board(board), seed, years=years):
                yield phase.position, phase.orders


def _read_standard_positions() -> Iterator[Case]:
    """Yield the positions of the benchmark; then those with the same orders a unit further on."""
    board = load_board("standard")
    samples = positions.load()
    for turned in count():
        for sample in samples:
            units = tuple(
                Unit(power, name[0], *split_location(name[2:])[:2])
                for name, power in sample.units.items()
            )
            position = Position(board, Phase(1901, "spring"), units)
            lines = {power: _exchange(own, turned) for power, own in sample.lines.items()}
            yield position, read_canonical(lines, position)


def _exchange(lines: Sequence[str], by: int) -> list[str]:
    """Return order lines in which each unit has what another one of the power was ordered."""
    tails = [line.split()[2:] for line in lines]
    return [
        " ".join([*unit, *tails[(n + by) % len(tails)]])
        for n, unit in enumerate([line.split()[:2] for line in lines])
        if by < len(tails)
    ]


def _draw_scenarios() -> Iterator[Case]:
    """Yield the small positions on which the judge is compared with the oracle."""
    for number in count():
        for profile in PROFILES:
            scenario = seeded(profile, 18, number)
            yield scenario.position, scenario.orders


def describe(case: Case) -> str:
    """Return everything that the judge says of a phase, and what reading and writing give."""
    position, orders = case
    outcome = adjudicate(position, orders)
    said = [
        str(position.phase),
        *map(repr, outcome.results),
        *map(repr, outcome.reasons),
        *_describe_parts(outcome),
        repr(check_orders(position, orders)),
    ]
    return "\n".join(said)


def _describe_parts(outcome: Outcome) -> Iterator[str]:
    for part in (outcome.units, outcome.dislodged, outcome.disbanded, outcome.destroyed):
        yield repr(part)
    for mapping in (outcome.adjust, outcome.nobility):
        yield repr(dict(mapping))
    yield repr((outcome.removed, outcome.picks))
    for unit in outcome.position.units:
        yield repr((outcome.fates(unit), outcome.attackers(unit)))


def describe_flips(units: int) -> str:
    """Return what would flip the orders of so many units, in games played at random."""
    found: list[str] = []
    for phase in play_game(load_board("standard"), 18):
        if phase.position.phase.kind == "movement":
            unit = phase.position.units[-1]
            flips = Flips(phase.position, phase.orders, unit)
            others = [power for power in phase.position.board.powers if power != unit.power]
            found.extend(repr((flip.changes, flip.result)) for flip in flips.search(others))
            units -= 1
        if not units:
            break
    return "\n".join(found)


def write_blocks(phases: int) -> Iterator[str]:
    """Yield the text of each block of phases, and at the end that of flips."""
    cases = list_cases(phases)
    while block := list(islice(cases, BLOCK)):
        yield "\n\n".join(map(describe, block))
    yield describe_flips(max(3, phases // 100))


def main(argv: list[str] | None = None) -> None:
    """Print the build and the checksums, or one block."""
    parser = argparse.ArgumentParser(prog="python -m tests.builds.digest", description=__doc__)
    parser.add_argument("--phases", type=int, default=4000, help="how many phases")
    parser.add_argument("--show", type=int, metavar="BLOCK", help="print a block whole")
    options = parser.parse_args(argv)
    blocks = write_blocks(options.phases)
    if options.show is not None:
        print(next(islice(blocks, options.show, None)))
        return
    print(alexmagnum.__build__)
    for number, text in enumerate(blocks):
        print(number, hashlib.sha256(text.encode()).hexdigest()[:16], flush=True)


if __name__ == "__main__":
    main()
