"""Approve what the pages look like now: look at the difference before it is kept.

    python -m tests.browser --approve [-k WORD]

runs the tests in the browser, which then write ``tests/browser/approved`` instead of comparing.
"""

import os
import sys
from pathlib import Path

import pytest

from tests.browser.chromium import REQUIRED
from tests.browser.pictures import APPROVE

if __name__ == "__main__":
    if sys.argv[1:2] != ["--approve"]:
        sys.exit(__doc__)
    os.environ |= {APPROVE: "1", REQUIRED: "1"}
    sys.exit(pytest.main([str(Path(__file__).parent), *sys.argv[2:]]))
