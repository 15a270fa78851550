"""Compile the judge ahead of time by mypyc: ``make compiled``, and the hook of compiled wheels.

    python -m tools.compile_modules             # puts compiled files beside the sources
    python -m tools.compile_modules --remove    # takes them away again

The modules are listed in ``pyproject.toml`` under ``[tool.alexmagnum]``.
:mod:`alexmagnum.builds` decides which files run.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import io
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alexmagnum.builds import COMPILED, LIBRARY, PURE, RECORD, calculate_checksum, choose_build

if TYPE_CHECKING:
    from setuptools import Extension

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "alexmagnum"

MANY_NOTES = "Treating generator comprehension as list"
"""A remark of mypyc on dozens of lines; it changes no result."""

USEFUL_FLAGS = ("-fvisibility=hidden", "-fno-plt", "-flto=auto")
"""Options that the C compiler gets if it knows them.

With the first, compiled functions call each other directly; without it every call goes through a
table, because another library might replace the function, and no function is inlined.  With the
second, a call of one of Python's own functions is one step shorter.  With the third, functions of
different files are inlined, on all cores: one file with everything takes twice as long to compile.
"""

INCLUDES = "#include <CPy.h>\n"
NO_TRASHCANS = """\
#undef CPy_TRASHCAN_BEGIN
#undef CPy_TRASHCAN_END
#define CPy_TRASHCAN_BEGIN(op, dealloc) do {
#define CPy_TRASHCAN_END(op) } while (0);
"""

KEPT_NUMBERS = """\
#include <Python.h>
#ifndef Py_GIL_DISABLED
static PyObject *kept_numbers[1024 + 5];
static inline PyObject *make_number(Py_ssize_t n) {
    if (n < -5 || n >= 1024)
        return PyLong_FromSsize_t(n);
    PyObject *kept = kept_numbers[n + 5];
    if (kept == NULL) {
        kept = kept_numbers[n + 5] = PyLong_FromSsize_t(n);
        if (kept == NULL)
            return NULL;
    }
    Py_INCREF(kept);
    return kept;
}
#define PyLong_FromLong(n) make_number(n)
#define PyLong_FromSsize_t(n) make_number(n)
#endif
"""

NO_COMPILER = """\
The judge could not be compiled: {reason}.
This needs a C compiler and the headers of Python (on Debian: apt-get install gcc python3-dev).
The product works without them, interpreted."""


class CannotCompile(Exception):
    """There is no working C compiler, or mypyc refuses a module."""


def list_modules(root: Path = ROOT) -> list[Path]:
    """Return the modules to compile, as paths below ``root``."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    chosen = settings["tool"][PACKAGE]
    left_out = {path for pattern in chosen["interpreted"] for path in root.glob(pattern)}
    found = {path for pattern in chosen["compiled"] for path in root.glob(pattern)}
    return sorted(path.relative_to(root) for path in found - left_out)


def list_imported(modules: list[Path], root: Path = ROOT) -> list[Path]:
    """Return the other modules of the package that these import.

    mypyc writes constants of imported modules into the compiled code, so that a change of such a
    module matters as much as a change of a compiled one.
    """
    found = {path for module in modules for path in _list_imports(module, root)}
    return sorted(found - set(modules))


def _list_imports(module: Path, root: Path) -> Iterator[Path]:
    """Yield the modules of the package that a module imports, whether by name or by content."""
    for node in ast.walk(ast.parse((root / module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                base = Path(*name.split("."))
                for path in (base.with_suffix(".py"), base / "__init__.py"):
                    if base.parts[0] == PACKAGE and (root / path).exists():
                        yield path


def compile_into(target: Path, root: Path = ROOT, optimization: str = "3") -> list[Path]:
    """Compile the modules into a folder; the sources stay alone.

    Returns the files made, as paths below ``target``: the record first, then extension modules
    within the folders of the package.

    Raises:
        CannotCompile: there is no working C compiler, or mypyc refuses a module.
    """
    modules = list_modules(root)
    suffix = str(sysconfig.get_config_var("EXT_SUFFIX"))
    record = format_record(
        root / PACKAGE,
        suffix,
        [path.relative_to(PACKAGE).as_posix() for path in modules],
        [path.relative_to(PACKAGE).as_posix() for path in list_imported(modules, root)],
    )
    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(root):
        _run_compiler(modules, target, Path(scratch), optimization)
    (target / PACKAGE / RECORD).write_text(record, encoding="utf-8")
    made = sorted(path.relative_to(target) for path in target.rglob(f"*{suffix}"))
    return [Path(PACKAGE, RECORD), *made]


def format_record(package: Path, suffix: str, compiled: Iterable[str], read: Iterable[str]) -> str:
    """Return the record of a compilation that is about to begin.

    ``suffix``: of the compiled files; ``compiled``: the modules that have one; ``read``: modules
    that these take constants and types from.  Both are paths within the package.
    """
    names = [*(f"*{name}" for name in compiled), *read]
    sums = [calculate_checksum(package / name.removeprefix("*")) for name in names]
    lines = [f"{checksum} {name}" for checksum, name in zip(sums, names, strict=True)]
    return "\n".join([suffix, *lines, ""])


def _run_compiler(modules: list[Path], target: Path, scratch: Path, optimization: str) -> None:
    """Run mypyc and the C compiler; the working folder is the checkout."""
    from mypyc.build import mypycify
    from setuptools.errors import BaseError, CompileError, LinkError

    options = ["--ignore-missing-imports", "--follow-imports=silent", "--config-file="]
    try:
        with _print_messages_but(MANY_NOTES):
            extensions = mypycify(
                [*options, f"--cache-dir={scratch / 'types'}", *map(str, modules)],
                opt_level=optimization,
                debug_level="0",
                group_name=LIBRARY.removesuffix("__mypyc"),
                target_dir=str(scratch / "c"),
                multi_file=True,
            )
        more = [flag for flag in USEFUL_FLAGS if _is_known(flag, scratch / "trial")]
        _drop_trashcans(scratch / "c")
        for extension in extensions:  # a warning of another compiler is no reason to fail
            given = [flag for flag in extension.extra_compile_args if flag != "-Werror"]
            extension.extra_compile_args = given + more + _keep_numbers(scratch)
            extension.extra_link_args = [flag for flag in more if "lto" in flag]
        _build_extensions(extensions, target, scratch)
    except SystemExit as stopped:
        raise CannotCompile("mypyc refuses a module; the messages above say why") from stopped
    except (BaseError, CompileError, LinkError) as error:
        raise CannotCompile(str(error)) from error


def _build_extensions(extensions: list[Extension], target: Path, scratch: Path) -> None:
    from setuptools import Distribution

    distribution = Distribution({"name": PACKAGE, "ext_modules": extensions})
    command = distribution.get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(target), str(scratch / "objects")
    build = command.build_extensions

    def build_on_all_cores() -> None:
        compiler = command.compiler
        if compiler.compiler_type == "unix":  # Microsoft's compiler has a way of its own
            compiler.compile = functools.partial(_compile_on_all_cores, compiler)
        build()

    command.build_extensions = build_on_all_cores
    distribution.run_command("build_ext")


def _compile_on_all_cores(
    compiler: Any,
    sources: list[str],
    output_dir: str | None = None,
    macros: Any = None,
    include_dirs: Any = None,
    debug: bool = False,
    extra_preargs: Any = None,
    extra_postargs: Any = None,
    depends: Any = None,
) -> list[str]:
    """Compile files side by side, as the compiler object of setuptools does one by one."""
    macros, objects, options, defines, build = compiler._setup_compile(
        output_dir, macros, include_dirs, sources, depends, extra_postargs
    )
    shared = compiler._get_cc_args(defines, debug, extra_preargs)

    def compile_one(name: str) -> None:
        source, suffix = build[name]
        compiler._compile(name, source, suffix, shared, options, defines)

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        list(threads.map(compile_one, build))
    return list(objects)


def _is_known(flag: str, scratch: Path) -> bool:
    """Tell whether the C compiler compiles a file with a flag, and has nothing against it."""
    from setuptools import Extension
    from setuptools.errors import BaseError, CCompilerError

    if os.name == "nt":  # Microsoft's compiler takes flags of other forms, and hides by itself
        return False
    scratch.mkdir(exist_ok=True)
    source = scratch / "trial.c"
    source.write_text("int alexmagnum_trial = 1;\n", encoding="utf-8")
    trial = Extension("alexmagnum_trial", [str(source)], extra_compile_args=[flag, "-Werror"])
    try:
        _build_extensions([trial], scratch, scratch)
    except (BaseError, CCompilerError):
        return False
    return True


def _drop_trashcans(generated: Path) -> None:
    """Let no class of ours wait to be freed until what holds it is.

    CPython puts what lies more than fifty containers deep into a queue by means of the header that
    the garbage collector gives an object, but mypyc asks for that queue in acyclic classes too,
    which have no such header.  No class here holds another of its own kind, so none lies deep
    by itself.
    """
    _insert_after(INCLUDES, NO_TRASHCANS, generated.rglob("*.h"))


def _keep_numbers(scratch: Path) -> list[str]:
    """Let compiled code keep the Python objects of small numbers; return the options for that.

    Tables hold numbers of units, places and provinces as Python objects.  Python keeps those up to
    256, but every one is asked for by a call.
    """
    header = scratch / "kept_numbers.h"
    header.write_text(KEPT_NUMBERS, encoding="utf-8")
    return [f"/FI{header}"] if os.name == "nt" else ["-include", str(header)]


def _insert_after(line: str, more: str, paths: Iterable[Path]) -> None:
    """Insert lines after a line of generated files, in those that have it.

    Raises:
        CannotCompile: no file has the line.
    """
    found = {path: text for path in paths if line in (text := path.read_text("utf-8"))}
    if not found:
        raise CannotCompile(f"mypyc writes no file with {line.strip()!r} any more")
    for path, text in found.items():
        path.write_text(text.replace(line, line + more, 1), "utf-8")


@contextlib.contextmanager
def _print_messages_but(unwanted: str) -> Iterator[None]:
    """Print what is printed meanwhile, but for the lines that hold the text."""
    messages = io.StringIO()
    try:
        with contextlib.redirect_stdout(messages):
            yield
    finally:
        for line in messages.getvalue().splitlines():
            if unwanted not in line:
                print(line, file=sys.stderr)


def remove_compiled(root: Path = ROOT) -> None:
    """Delete the compiled files beside the sources, and their record."""
    for ending in (".so", ".pyd", ".part"):
        for path in [*root.glob(f"{LIBRARY}*{ending}"), *(root / PACKAGE).rglob(f"*{ending}")]:
            path.unlink()
    (root / PACKAGE / RECORD).unlink(missing_ok=True)


def compile_in_place(root: Path = ROOT, optimization: str = "3") -> None:
    """Put compiled files beside the sources, in place of older ones.

    The record is there before the first compiled file, and each file appears whole, so that nothing
    is used of a compilation that was interrupted.

    Raises:
        CannotCompile: there is no working C compiler, or mypyc refuses a module.
    """
    with tempfile.TemporaryDirectory() as folder:
        made = compile_into(Path(folder), root, optimization)
        remove_compiled(root)
        for path in made:
            part = root / f"{path}.part"
            shutil.copyfile(Path(folder) / path, part)
            part.replace(root / path)


def is_complete(root: Path = ROOT) -> bool:
    """Tell whether what was compiled is what ``pyproject.toml`` lists today."""
    record = (root / PACKAGE / RECORD).read_text(encoding="utf-8")
    made = {root / PACKAGE / line.split(" *", 1)[1] for line in record.splitlines() if " *" in line}
    return made == {root / module for module in list_modules(root)}


def can_be_loaded(root: Path = ROOT) -> bool:
    """Tell whether Python can load every compiled file, as it cannot if one is damaged."""
    names = [".".join(path.with_suffix("").parts) for path in list_modules(root)]
    done = subprocess.run(
        [sys.executable, "-c", f"import {', '.join(names)}"],
        cwd=root,
        env={**os.environ, PURE: "0"},
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


def main(argv: list[str] | None = None) -> int:
    """Compile in place or remove what was compiled; 1 if it cannot be compiled."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.compile_modules",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--remove", action="store_true", help="delete the compiled files")
    parser.add_argument("--again", action="store_true", help="compile even if nothing has changed")
    parser.add_argument(
        "-O", dest="optimization", default="3", choices="0123", help="the compiler's optimization"
    )
    options = parser.parse_args(argv)
    if options.remove:
        remove_compiled()
        return 0
    is_done = choose_build(ROOT / PACKAGE, {}) == COMPILED and is_complete() and can_be_loaded()
    if is_done and not options.again:
        print("The compiled files are those of today's sources.")
        return 0
    try:
        compile_in_place(optimization=options.optimization)
    except CannotCompile as reason:
        print(NO_COMPILER.format(reason=reason), file=sys.stderr)
        return 1
    print(f"Compiled {len(list_modules())} modules; `alexmagnum --version` says which build runs.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
