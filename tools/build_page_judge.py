"""Build the judge that runs in pages: ``alexmagnum/page_judge/bundle.txt``.

    python -m tools.build_page_judge            # writes the bundle
    python -m tools.build_page_judge --check    # says whether the bundle is that of the sources

It needs npm for the runtime (fetched once, then kept in the system's temporary folder) and
``mpy-cross``.  Two builds of the same sources give the same bytes.  ``docs/page-judge.md`` explains
all of it.
"""

from __future__ import annotations

import sys

from tools.page_judge.bundle import BUNDLE, build_bundle
from tools.page_judge.dialect import UnknownIdiom
from tools.page_judge.runtime import MissingTool


def main(arguments: list[str]) -> int:
    """Build the bundle, or compare it with ``--check``; return the exit status."""
    try:
        text = build_bundle()
    except (MissingTool, UnknownIdiom) as error:
        print(error, file=sys.stderr)
        return 2
    if "--check" in arguments:
        if BUNDLE.is_file() and BUNDLE.read_text(encoding="ascii") == text:
            return 0
        print("the bundle is not that of the sources: python -m tools.build_page_judge")
        return 1
    BUNDLE.write_text(text, encoding="ascii")
    print(f"{BUNDLE.name}: {len(text)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
