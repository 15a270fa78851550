"""A ruling that is changed in one place changes results, reasons, flips and safety together."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.sizes import is_proof, one_in, sized

ROOT = Path(__file__).parents[2]


class Planted(NamedTuple):
    """Another ruling: the lines of the judge that it replaces, once in their file.

    ``never``: reasons that no order can have under it.
    """

    name: str
    file: str
    old: str
    new: str
    never: tuple[str, ...] = ()


PLANTED = (
    Planted(
        "a power cuts its own supports",
        "movement.py",
        "    if is_own:\n        return NO_CUT\n",
        "",
    ),
    Planted(
        "the unit attacked by the support cuts it like any other",
        "movement.py",
        "return BY_DISLODGING if is_target else BY_ARRIVING",
        "return BY_ARRIVING",
        ("uncut-directed",),
    ),
    Planted(
        "only who dislodges the supporter cuts its support",
        "movement.py",
        "return BY_DISLODGING if is_target else BY_ARRIVING",
        "return BY_DISLODGING",
        ("cut",),
    ),
    Planted(
        "supports of a target's own power count against it",
        "movement.py",
        "return self.strength(u, self.power[target]) if target >= 0 else self.strength(u)",
        "return self.strength(u)",
    ),
    Planted(
        "a unit that was to move holds with its supports",
        "movement.py",
        "    return action not in (MOVE, STUCK, CAUGHT)\n",
        "    return action >= 0\n",
    ),
    Planted(
        "a unit dislodges others of its power",
        "movement.py",
        "    return units.power[target] == units.power[u]\n",
        "    return False\n",
        ("own-unit", "own-attack"),
    ),
    Planted(
        "a place that is named is open to plain entrants",
        "movement.py",
        "    return both(vacated, negation(named))",
        "    return vacated",
    ),
    Planted(
        "a place that its fleet leaves is not open to plain entrants",
        "movement.py",
        "    vacated = YES if occupant < 0 else movement.leaves(occupant)\n",
        "    vacated = YES if occupant < 0 else NO\n",
    ),
    Planted(
        "fleets exchange their places",
        "movement.py",
        "        and movement.to[other] == movement.province[u]\n",
        "        and movement.to[other] < 0\n",
        ("no-room-exchange",),
    ),
    Planted(
        "units of its own power bar an express on its way like any others",
        "movement.py",
        "        known = either(known, negation(movement.is_overcome(other)))\n",
        "        known = both(known, YES)\n",
        ("rides-past",),
    ),
    Planted(
        "an express ends beside units of its own power",
        "movement.py",
        "    known = movement.arrives(movement.next_leg(leg))\n    for other",
        "    return movement.arrives(movement.next_leg(leg))\n    for other",
    ),
    Planted(
        "units of its own power that enter the way of an express are rivals",
        "movement.py",
        "    if not movement.railway or movement.power[rival] != movement.power[u]:\n"
        "        return False\n",
        "    if leg >= 0:\n        return False\n",
    ),
    Planted(
        "a fleet is caught whoever remains on the land of the haul",
        "movement.py",
        "    return YES if other == u else movement.is_gone(other)",
        "    return YES if other == u or movement.action[u] == CAUGHT else movement.is_gone(other)",
        ("not-hauled-attacked",),
    ),
    Planted(
        "a haul waits for no unit that would fall",
        "movement.py",
        "    return YES if other == u else movement.is_gone(other)",
        "    return YES if other == u else movement.leaves(other)",
    ),
    Planted(
        "armies of its own power catch a haul",
        "sheet.py",
        "            and units.power[raider] != units.power[u]\n",
        "",
    ),
    Planted(
        "nobody catches a haul",
        "sheet.py",
        "self.action[raider] == MOVE and self.to[raider] == self.hauls[u]",
        "self.action[raider] == MOVE and self.to[raider] < 0",
        ("caught",),
    ),
)


def copy_judge(folder: Path) -> None:
    """Make a checkout in ``folder`` whose package is a copy, interpreted, of this one."""
    for entry in ROOT.iterdir():
        if entry.name not in ("alexmagnum", ".git", "__pycache__"):
            (folder / entry.name).symlink_to(entry)
    ignore = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(ROOT / "alexmagnum", folder / "alexmagnum", ignore=ignore)


def check_reasons(folder: Path, positions: int, never: tuple[str, ...] = ()) -> str:
    """Return the checksum of results that :mod:`tests.judge.reason_facts` prints in a folder."""
    facts = [sys.executable, "-m", "tests.judge.reason_facts", "--positions", str(positions)]
    done = subprocess.run(
        [*facts, "--never", *never],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "ALEXMAGNUM_PURE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_a_reason_that_does_not_fit_is_noticed(tmp_path: Path) -> None:
    copy_judge(tmp_path)
    source = tmp_path / "alexmagnum" / "judge" / "reasons.py"
    text = source.read_text("utf-8")
    asked = '"bounces" if own == against'
    assert asked in text
    source.write_text(text.replace(asked, '"bounces" if own != against'), encoding="utf-8")

    with pytest.raises(AssertionError, match="equal strengths differ"):
        check_reasons(tmp_path, 60)


@pytest.mark.parametrize("planted", one_in(len(PLANTED), PLANTED), ids=lambda planted: planted.name)
def test_reasons_agree_with_results_under_another_ruling(planted: Planted, tmp_path: Path) -> None:
    positions = sized(120, 500)
    copy_judge(tmp_path)
    before = check_reasons(tmp_path, positions)
    source = tmp_path / "alexmagnum" / "judge" / planted.file
    text = source.read_text("utf-8")
    assert text.count(planted.old) == 1, "the ruling stands elsewhere now: plant the change there"
    source.write_text(text.replace(planted.old, planted.new), encoding="utf-8")

    after = check_reasons(tmp_path, positions, planted.never)

    assert not is_proof() or after != before, "nothing changed"
