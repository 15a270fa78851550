"""``python -m tests.mail.fuzz``: bytes from atheris, which looks for those that lead somewhere new.

It needs ``pip install atheris`` (Linux, CPython 3.11 to 3.13).  Options are its own:
``-max_total_time=300``, ``-runs=100000``; a finding is written to ``crash-*`` and its traceback
shown.  The name of a file runs that file alone.  Each finding becomes a test.
"""

from __future__ import annotations

import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path


def main() -> int:
    if find_spec("atheris") is None:
        print("atheris is not installed: pip install atheris", file=sys.stderr)
        return 2
    import atheris

    with atheris.instrument_imports(include=["alexmagnum.mail", "alexmagnum.notation", "email"]):
        from tests.mail.corpus_reader import CORPUS, check_message

    with tempfile.TemporaryDirectory() as folder:
        for name, raw in CORPUS.items():
            (Path(folder) / name).write_bytes(raw)
        given = [option for option in sys.argv[1:] if option != "--"] or ["-max_total_time=300"]
        corpus = [] if any(not option.startswith("-") for option in given) else [folder]
        atheris.Setup([sys.argv[0], *corpus, "-max_len=6000", "-timeout=20", *given], check_message)
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
