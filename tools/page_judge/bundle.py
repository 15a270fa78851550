"""The bundle of the page judge, made from the package and the pinned runtime."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.page_judge.compiler import compile_file
from tools.page_judge.modules import LIBRARY_FOLDER, find_source, is_of_library, list_modules
from tools.page_judge.pack import pack, patch_runtime
from tools.page_judge.runtime import PINS, compile_bytecode, find_compiler, load_runtime
from tools.page_judge.sentences import list_resources
from tools.page_judge.unused import drop_unused

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / "alexmagnum" / "page_judge" / "bundle.txt"
WORKER = ROOT / "alexmagnum" / "page_judge" / "worker.js"
STARTS = ("alexmagnum.page_judge",)
CALLED_BY_WORKER = frozenset({"start", "answer", "used_memory", "_fields"})


def build_bundle() -> str:
    """Return the text of the bundle.

    Raises:
        UnknownIdiom: a file of the judge has something that a page's Python does not know.
        MissingTool: npm or mpy-cross is missing.
    """
    runtime = load_runtime()
    compiler = find_compiler()
    sources = list_sources()
    with ThreadPoolExecutor(4) as threads:
        compiled = threads.map(
            lambda path: compile_bytecode(compiler, sources[path], path), sorted(sources)
        )
        modules = dict(zip(sorted(sources), compiled, strict=True))
    script = patch_runtime(runtime["micropython.mjs"].decode())
    worker = f"{script}\n{WORKER.read_text(encoding='utf-8')}"
    return pack(
        {
            "worker.js": worker.encode(),
            "judge.wasm": runtime["micropython.wasm"],
            **{f"app/{path[:-3]}.mpy": content for path, content in modules.items()},
            **{
                f"text/{path}": text.encode()
                for path, text in list_resources(ROOT, sources.values()).items()
            },
        }
    )


def list_sources() -> dict[str, str]:
    """Return the Python of the bundle by path, as the page's Python reads it."""
    modules = list_modules(ROOT, STARTS)
    constants: Mapping[str, Mapping[str, int]] = PINS["constants"]
    sources = {}
    for module in modules:
        path = find_source(ROOT, module)
        assert path is not None
        text = path.read_text(encoding="utf-8")
        if not is_of_library(path):
            name = path.relative_to(ROOT).as_posix()
            text = compile_file(text, name, modules, constants.get(module))
        end = "/__init__.py" if path.name == "__init__.py" else ".py"
        sources[module.replace(".", "/") + end] = text
    for path in sorted(LIBRARY_FOLDER.glob("*.py")):
        sources[path.name] = path.read_text(encoding="utf-8")
    return drop_unused(sources, CALLED_BY_WORKER)
