"""The results of cases as a JUnit file, which build servers and editors read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from alexmagnum.cases.model import CaseRun


def junit_report(runs: Sequence[CaseRun], faults: Mapping[str, str]) -> str:
    """Return the results as XML: a suite for each file, a test for each case.

    ``faults``: by path, why a file could not be used; each is an error in a suite of its own.
    """
    top = Element("testsuites")
    for path in dict.fromkeys(run.case.source for run in runs):
        of_file = [run for run in runs if run.case.source == path]
        suite = _suite(top, path, len(of_file), failures=sum(not run.passed for run in of_file))
        for run in of_file:
            test = SubElement(suite, "testcase", classname=_clean(path), name=_name(run))
            if not run.passed:
                differences = list(map(str, run.differences))
                failure = SubElement(test, "failure", message=_clean(differences[0]))
                failure.text = _clean("\n".join(differences))
    for path, why in faults.items():
        test = SubElement(_suite(top, path, 1, errors=1), "testcase", classname=_clean(path))
        test.set("name", _clean(path))
        SubElement(test, "error", message=_clean(why))
    indent(top, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(top, encoding="unicode") + "\n"


def _suite(top: Element, path: str, tests: int, failures: int = 0, errors: int = 0) -> Element:
    counts = {"tests": tests, "failures": failures, "errors": errors}
    return SubElement(
        top, "testsuite", {"name": _clean(path)} | {key: str(n) for key, n in counts.items()}
    )


def _name(run: CaseRun) -> str:
    return _clean(f"{run.case.id} {run.case.title}".strip())


def _clean(text: str) -> str:
    """Return a text without the characters that XML does not allow."""
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)
