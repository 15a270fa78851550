"""Put compiled modules into the wheel that hatchling builds, if ``ALEXMAGNUM_COMPILE=1`` is set.

Otherwise the wheel is the interpreted product, for whose making no compiler is needed.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WANTED = "ALEXMAGNUM_COMPILE"
"""The environment variable that asks for a compiled wheel."""


class CompiledModules(BuildHookInterface):
    """The hook for one wheel; an editable installation is left to ``make compiled``."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return what has to be installed to build the wheel: nothing, or mypyc and setuptools."""
        if not _is_wanted():
            return []
        extras: dict[str, list[str]] = self.metadata.core.optional_dependencies
        return extras["compile"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and add the files to the wheel.

        Raises:
            CannotCompile: there is no working C compiler, or mypyc refuses a module.
        """
        if not _is_wanted() or version == "editable":
            return
        sys.path.insert(0, self.root)  # for the list of modules and the compiling itself
        from tools.compile_modules import compile_into

        self.folder = tempfile.TemporaryDirectory()
        files = compile_into(Path(self.folder.name), Path(self.root))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update(
            {str(Path(self.folder.name) / path): path.as_posix() for path in files}
        )

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the compiled files once the wheel holds them."""
        if hasattr(self, "folder"):
            self.folder.cleanup()


def _is_wanted() -> bool:
    return os.environ.get(WANTED, "0") not in ("", "0")
