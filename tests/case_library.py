"""The case files of the tests, read once in a process, for all tests that go through them."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from alexmagnum.cases.files import Case, read_case_files

FOLDER = Path(__file__).parent  # the folder with the folders ``cases`` and ``datc``

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times faster, where it is installed


@cache
def cases_in(folder: str) -> tuple[Case, ...]:
    """Return the cases of a folder: ``cases`` has those of the rulings, ``datc`` the DATC's."""
    return tuple(read_case_files([FOLDER / folder]))


def read_yaml(path: Path) -> Any:
    """Return the data of a YAML file as they stand there, without the package's reader."""
    return yaml.load(path.read_text(encoding="utf-8"), _Loader)
