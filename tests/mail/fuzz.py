"""``python -m tests.mail.fuzz``: bytes from atheris, which looks for those that lead somewhere new.

It needs ``pip install atheris`` (Linux, CPython 3.11 to 3.13).  The first word may name a target:
``mail``, ``page`` or ``orders``.  Other options are those of atheris: ``-max_total_time=300``,
``-runs=100000``; a finding is written to ``crash-*``, ``timeout-*`` or ``oom-*``, and its traceback
shown.  The name of a file runs that file alone.  Each finding becomes a test.
"""

from __future__ import annotations

import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

BUDGET = ["-max_len=6000", "-timeout=10", "-rss_limit_mb=1024"]
"""Seconds and memory for one input; the instrumented reader is many times as slow."""


def check_page(raw: bytes) -> None:
    """Read bytes as a page of HTML."""
    from alexmagnum.mail.parsing.html import read_page
    from alexmagnum.mail.parsing.mime import load_vocabulary

    for line in read_page(raw.decode("utf-8", "replace"), load_vocabulary()).lines:
        assert "\n" not in line.text


def check_orders(raw: bytes) -> None:
    """Read bytes as the text of a mail with orders, commands and press."""
    from alexmagnum.mail.parsing.message import IncomingMail
    from alexmagnum.mail.parsing.mime import clean_text
    from tests.mail.corpus_reader import ordered

    ordered(IncomingMail("x", text=clean_text(raw.decode("utf-8", "replace"))), "TOL")


def main() -> int:
    if find_spec("atheris") is None:
        print("atheris is not installed: pip install atheris", file=sys.stderr)
        return 2
    import atheris

    with atheris.instrument_imports(include=["alexmagnum.mail", "alexmagnum.notation", "email"]):
        from tests.mail.corpus_reader import CORPUS, check_message

    targets = {"mail": check_message, "page": check_page, "orders": check_orders}
    given = [option for option in sys.argv[1:] if option != "--"]
    target = targets[given.pop(0)] if given and given[0] in targets else check_message
    given = given or ["-max_total_time=300"]
    with tempfile.TemporaryDirectory() as folder:
        for name, raw in CORPUS.items():
            (Path(folder) / name).write_bytes(raw)
        corpus = [] if any(not option.startswith("-") for option in given) else [folder]
        atheris.Setup([sys.argv[0], *corpus, *BUDGET, *given], target)
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
