"""The game that most tests of this room begin with: the standard map, and nobody has ordered."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from alexmagnum.game.desk import Desk
from tests.game.desks import Clock, new_desk


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[Desk]:
    with new_desk(tmp_path, now=clock) as desk:
        yield desk
