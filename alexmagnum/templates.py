"""The making of Jinja environments: every page, text and picture is laid out by the same rules."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import jinja2
from jinja2 import BytecodeCache, ChoiceLoader, Environment, PackageLoader, StrictUndefined

from alexmagnum.user_cache import read_cached, write_cached


def make_environment(
    *packages: str, escape: bool = True, **filters: Callable[..., Any]
) -> Environment:
    """Return an environment with the templates in the folders ``templates/`` of some packages.

    Keep it: it compiles a template when it is first needed, and then holds it; commands keep it in
    the user's cache as well.  ``escape`` makes every text safe in HTML and SVG.  A name that a
    template does not know is an error.
    """
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in packages]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=escape,
        bytecode_cache=_CompiledTemplates(escape),
    )
    environment.filters.update(filters)
    return environment


class _CompiledTemplates(BytecodeCache):
    """Compiled templates in the user's cache: compiling takes longer than filling them in.

    Jinja compares the text of the template and the version of Python; the digest finds damage,
    which could stop the interpreter.
    """

    def __init__(self, escape: bool) -> None:
        self._made_by = f"{jinja2.__version__} {escape}"

    def load_bytecode(self, bucket: Any) -> None:
        """Take the code of a template from the cache, if it is there and whole."""
        content = read_cached(self._file(bucket.key)) or b""
        digest, code = content[:32], content[32:]
        if code and hashlib.sha256(code).digest() == digest:
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Any) -> None:
        """Write the code of a template to the cache."""
        code = bucket.bytecode_to_string()
        write_cached(self._file(bucket.key), hashlib.sha256(code).digest() + code)

    def _file(self, key: str) -> str:
        """Return the name of a template's file."""
        return f"template-{hashlib.sha256(f'{self._made_by} {key}'.encode()).hexdigest()[:24]}.bin"
