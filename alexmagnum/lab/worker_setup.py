"""What each worker process of this machine does first; Dask calls :func:`dask_setup`."""

from __future__ import annotations

import signal
from typing import Any


def dask_setup(worker: Any) -> None:
    """Leave Ctrl-C to the command, where the process did not inherit that (Windows)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
