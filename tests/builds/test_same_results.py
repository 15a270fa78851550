"""The compiled judge and its sources give the same results, and the same reasons for them."""

from __future__ import annotations

import os
import subprocess
import sys

from alexmagnum.builds import COMPILED, PURE
from tests.builds.test_choice import needs_compiled
from tests.commands import ROOT
from tests.sizes import sampled, sized


def _start_digest(pure: str, phases: int) -> subprocess.Popen[str]:
    """Start the digest in a process of its own, with one build."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.builds.digest", "--phases", str(phases)],
        cwd=ROOT,
        env={**os.environ, PURE: pure},
        stdout=subprocess.PIPE,
        text=True,
    )


@needs_compiled
@sampled
def test_both_builds_give_the_same_results_and_reasons() -> None:
    """A block that differs is shown whole by ``python -m tests.builds.digest --show BLOCK``."""
    both = [_start_digest(pure, sized(300, 4000)) for pure in ("0", "1")]
    (compiled, *blocks), (interpreted, *same_blocks) = (
        run.communicate(timeout=1200)[0].splitlines() for run in both
    )

    assert [run.returncode for run in both] == [0, 0]
    assert (compiled, interpreted) == (COMPILED, "interpreted: ALEXMAGNUM_PURE is set")
    assert len(blocks) > sized(10, 200)
    assert blocks == same_blocks
