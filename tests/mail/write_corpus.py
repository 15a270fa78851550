"""``python -m tests.mail.write_corpus``: write the corpus, byte for byte the same each time."""

from __future__ import annotations

import sys
from pathlib import Path

import yaml

from tests.mail.corpus_entries import Mail, answers
from tests.mail.machine_mails import machines
from tests.mail.tricky_mails import traps

FOLDER = Path(__file__).parent / "corpus"


class _Dumper(yaml.SafeDumper):
    """Texts of several lines as blocks, so that they can be read."""


def _block(dumper: yaml.SafeDumper, said: str) -> yaml.ScalarNode:
    style = "|" if "\n" in said else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", said, style=style)


_Dumper.add_representer(str, _block)


def mails() -> list[Mail]:
    """Return all messages of the corpus."""
    return [*answers(), *traps(), *machines()]


def expectations(listed: list[Mail]) -> str:
    """Return the expected reading of each message, as YAML."""
    entries = {mail.name: mail.expected for mail in listed}
    return yaml.dump(entries, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100)


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    listed = mails()
    names = [mail.name for mail in listed]
    assert len(set(names)) == len(names), [name for name in names if names.count(name) > 1]
    for old in FOLDER.glob("*.eml"):
        old.unlink()
    for mail in listed:
        (FOLDER / f"{mail.name}.eml").write_bytes(mail.raw)
    (FOLDER / "expected.yaml").write_text(expectations(listed), encoding="utf-8", newline="\n")
    print(f"{len(listed)} messages in {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
