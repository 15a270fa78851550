"""Commands with what they print, as transcripts in YAML files.

A file holds transcripts by their sentences.  A transcript is a list of steps:

    - deadline extend 2 days                          a command that succeeds
    - status: Votes for a draw                        a text, or several, that it prints
    - submit France: {stdin: A PAR H, lacks: PAR}     anything else about it

``says`` are texts of the output, or of the error if the command is to end with another ``status``
than 0; ``out`` and ``err`` name one of the two, and ``lacks`` are texts in neither.  ``matches``
are regular expressions; ``exactly`` is the whole output, ``lines`` the number of its lines, or of
those of the error.  With ``data`` the command gets ``--json`` and prints these values, each by its
path such as ``powers.0.bot``; that of the whole is empty, and ``powers.*.bot`` is the list of those
of all powers.  A command that ends with 2 and prints no data has to say why in the error.
"""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import yaml

from tests.commands import Printed

Step = str | Mapping[str, Any]


class Run(Protocol):
    """Runs a command and checks its exit status."""

    def __call__(self, *arguments: str, status: int, stdin: str) -> Printed: ...


def read_transcripts(test: str, name: str = "") -> dict[str, Sequence[Step]]:
    """Return the transcripts of a name, else of its own name, beside a test file, by sentence."""
    named = name or Path(test).stem.removeprefix("test_")
    path = Path(test).parent / "transcripts" / f"{named}.yaml"
    found: dict[str, Sequence[Step]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def play_transcript(run: Run, steps: Sequence[Step], **acts: Callable[..., object]) -> None:
    """Run the commands of a transcript one after the other, and check what each prints; the first
    word of a step may name one of ``acts``, which gets the other words and the rest of the step."""
    for step in steps:
        ((line, wanted),) = ((step, {}),) if isinstance(step, str) else step.items()
        command, *words = shlex.split(line)
        if command in acts:
            acts[command](*words, *([] if wanted == {} else [wanted]))
        else:
            about = wanted if isinstance(wanted, dict) else {"says": wanted}
            _check_step(run, [command, *words], **about)


def _check_step(
    run: Run,
    words: Sequence[str],
    *,
    says: Any = (),
    out: Any = (),
    err: Any = (),
    lacks: Any = (),
    matches: Any = (),
    exactly: str | None = None,
    lines: int | None = None,
    status: int = 0,
    stdin: str = "",
    data: Mapping[str, Any] | None = None,
) -> None:
    done = run(*words, *([] if data is None else ["--json"]), status=status, stdin=stdin)
    missing = [text for text in _listed(says) if text not in (done.err if status else done.out)]
    missing += [text for text in _listed(out) if text not in done.out]
    missing += [text for text in _listed(err) if text not in done.err]
    missing += [pattern for pattern in _listed(matches) if not re.search(pattern, done.out, re.M)]
    assert missing == [], done
    assert status != 2 or done.err or data is not None, done
    assert exactly in (None, done.out)
    assert lines in (None, len((done.err if status else done.out).splitlines())), done
    assert [text for text in _listed(lacks) if text in done.out + done.err] == [], done
    for path, value in (data or {}).items():
        assert _find_value(done.data, list(filter(None, path.split(".")))) == value, (words, path)


def _find_value(data: Any, path: Sequence[str]) -> Any:
    if not path:
        return data
    key, *rest = path
    if key == "*":
        return [_find_value(each, rest) for each in data]
    return _find_value(data[int(key) if isinstance(data, list) else key], rest)


def _listed(texts: Any) -> Sequence[str]:
    return (texts,) if isinstance(texts, str) else texts
