"""The suite draws the same examples every time; HYPOTHESIS_PROFILE=explore draws new ones."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("suite", derandomize=True, deadline=None)
settings.register_profile("explore", max_examples=1000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))
