"""Compare judge and oracle on many positions:

python -m tests.oracle --positions 20000 --seed 1 [--profile convoy] [--special] [--jobs 2]
"""

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import product

from tests.oracle.compare import Difference, difference, smallest
from tests.scenarios import PLAIN, PROFILES, seeded

BLOCK = 250


def compare_block(profile: str, seed: int, start: int, stop: int) -> list[tuple[int, Difference]]:
    """Return the differences among the scenarios ``start`` to ``stop`` of a seed."""
    found = ((n, difference(seeded(profile, seed, n))) for n in range(start, stop))
    return [(n, smallest(d)) for n, d in found if d is not None]


def cases_of_block(profile: str, seed: int, start: int, stop: int) -> list[str]:
    """Return the same as cases ready to be pasted."""
    found = compare_block(profile, seed, start, stop)
    return [differing.case(f"{profile}-{seed}-{number}") for number, differing in found]


def main(argv: list[str] | None = None) -> int:
    """Print differences as cases and a summary; 1 if there are any."""
    options = _options(argv)
    profiles = [p for p in PROFILES if not (options.special and p in PLAIN)]
    if options.profile:
        profiles = [options.profile]
    each = -(-options.positions // len(profiles))
    blocks = [
        (profile, options.seed, start, min(start + BLOCK, each))
        for start, profile in product(range(0, each, BLOCK), profiles)
    ]
    done, counts = 0, Counter[str]()
    with ProcessPoolExecutor(options.jobs) as pool:
        compared = pool.map(cases_of_block, *zip(*blocks, strict=True))
        for (profile, _, start, stop), found in zip(blocks, compared, strict=True):
            for case in found:
                print(case, end="\n\n", flush=True)
            done, counts[profile] = done + stop - start, counts[profile] + len(found)
            print(f"\r{done} positions, {counts.total()} differences", end="", file=sys.stderr)
    print(file=sys.stderr)
    by_profile = ", ".join(f"{profile} {counts[profile]}" for profile in profiles)
    print(f"# {done} positions, seed {options.seed}; differences: {by_profile}")
    return int(counts.total() > 0)


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    parser.add_argument("--positions", type=int, default=2000, help="how many in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", choices=sorted(PROFILES), help="default: all in turn")
    parser.add_argument("--special", action="store_true", help="the special rules alone")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
