"""Collection by pytest: examples in docstrings of compiled modules are left to the sources."""

from __future__ import annotations

import alexmagnum
from alexmagnum.builds import COMPILED
from tools.compile_modules import list_modules

collect_ignore = [*map(str, list_modules())] if alexmagnum.__build__ == COMPILED else []
