"""Play many games at random and check every phase:

python -m tests.play --games 50 [--seed 1] [--jobs 2]

Prints the turn file of any phase after which something is wrong.
"""

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tests.play.soak import run_game


def main(argv: list[str] | None = None) -> int:
    """Print faults with their turn files and a summary; 1 if there are any."""
    options = _options(argv)
    seeds = range(options.seed, options.seed + options.games)
    phases, seconds, faults, endings = 0, 0.0, 0, Counter[str]()
    with ProcessPoolExecutor(options.jobs) as pool:
        for done, result in enumerate(pool.map(run_game, seeds), start=1):
            phases, seconds = phases + result.phases, seconds + result.seconds
            endings[result.ending] += not result.fault
            if result.fault:
                faults += 1
                print(f"# {result.kind}: {result.fault}\n{result.turn}\n", flush=True)
            print(f"\r{done} games, {faults} with faults", end="", file=sys.stderr)
    print(file=sys.stderr)
    ended = ", ".join(f"{how} {count}" for how, count in sorted(endings.items()))
    print(f"# {options.games} games from seed {options.seed}, {phases} phases; ended by: {ended}")
    print(f"# {seconds / options.games:.2f} s a game, checks and turn files included")
    return int(faults > 0)


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.play", description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
