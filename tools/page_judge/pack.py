"""The bundle as one text: the runtime, the judge's files and their texts, packed.

The same content always gives the same text.  ``page_judge.js`` unpacks it.
"""

from __future__ import annotations

import base64
import json
import lzma
import struct
from collections.abc import Mapping

_RUNTIME_PATCHES = (
    # It is no module in a worker made from a text, and takes the WebAssembly from its page.
    ("export default _createMicroPythonModule;", "", 1),
    ("export async function loadMicroPython", "async function loadMicroPython", 1),
    ("import.meta.url", '""', 3),
    ("var wasmBinary,out=", "var wasmBinary=globalThis.judgeWasm,out=", 1),
    # In Node it does what it does in a page.
    ('globalThis.process?.versions?.node&&"renderer"!=globalThis.process?.type,', "false,", 1),
)

_COMMAND_LINE = ("if(globalThis.loadMicroPython=loadMicroPython,", "class PyProxy{")
"""Where the runtime's own command line begins and what comes after it."""


class ChangedRuntime(Exception):
    """The runtime's script is not as the builder knows it."""


def patch_runtime(script: str) -> str:
    """Return the runtime's script as a worker can run it, without its command line.

    Raises:
        ChangedRuntime: a place to change is missing.
    """
    start, end = (script.find(mark) for mark in _COMMAND_LINE)
    if start < 0 or end < start:
        raise ChangedRuntime("its command line is not where it was")
    script = script[:start] + script[end:]
    for old, new, times in _RUNTIME_PATCHES:
        if script.count(old) != times:
            raise ChangedRuntime(f"{old!r} stands {script.count(old)} times in it, not {times}")
        script = script.replace(old, new)
    return script


_FILTERS = [{"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": 3, "lp": 0, "pb": 0}]
"""LZMA makes a seventh less of it than gzip, which matters in a mail."""

_PYTHON = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
_UNSAFE = "\"&'/<>\\`"
SIGNS = "".join(sign for sign in map(chr, range(33, 126)) if sign not in _UNSAFE)
"""The 85 signs of the text: none that HTML, JSON or a script would take for something else."""

_TO_PAGE = str.maketrans(_PYTHON.decode(), SIGNS)
_FROM_PAGE = str.maketrans(SIGNS, _PYTHON.decode())


def pack(parts: Mapping[str, bytes]) -> str:
    """Return files by path as one text."""
    head = json.dumps([[path, len(content)] for path, content in parts.items()]).encode()
    content = struct.pack("<I", len(head)) + head + b"".join(parts.values())
    packed = lzma.compress(content, format=lzma.FORMAT_RAW, filters=_FILTERS)
    packed += bytes(-len(packed) % 4)
    encoded = base64.b85encode(struct.pack(">I", len(content)) + packed).decode()
    return encoded.translate(_TO_PAGE)


def unpack(text: str) -> dict[str, bytes]:
    """Return the files of a bundle by path.

    Raises:
        ValueError, lzma.LZMAError: the text is no bundle.
    """
    packed = base64.b85decode(text.translate(_FROM_PAGE))
    decoder = lzma.LZMADecompressor(format=lzma.FORMAT_RAW, filters=_FILTERS)
    content = decoder.decompress(packed[4:])
    (length,) = struct.unpack("<I", content[:4])
    at = 4 + length
    parts = {}
    for path, size in json.loads(content[4:at]):
        parts[path] = content[at : at + size]
        at += size
    return parts
