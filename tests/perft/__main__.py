"""``python -m tests.perft --record`` counts anew and writes ``counts.json``."""

import json
import sys

from tests.perft import COUNTS, count_figures, load_positions
from tests.perft import __doc__ as about


def main(arguments: list[str]) -> None:
    """Write the figures of all positions."""
    if arguments != ["--record"]:
        sys.exit(about)
    found = {name: count_figures(position) for name, position in load_positions().items()}
    text = json.dumps(found, ensure_ascii=False, indent=1) + "\n"
    COUNTS.write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(found)} positions in {COUNTS}")


if __name__ == "__main__":
    main(sys.argv[1:])
