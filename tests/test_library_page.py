"""Every block of the guide to the library runs, one after another in one session."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "library.md"


def test_every_block_of_the_guide_runs() -> None:
    text = PAGE.read_text(encoding="utf-8")
    session: dict[str, Any] = {"__name__": "guide"}
    blocks = list(re.finditer(r"```python\n(.*?)```", text, re.DOTALL))
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], str(PAGE), "exec"), session)

    assert len(blocks) == text.count("```python")
