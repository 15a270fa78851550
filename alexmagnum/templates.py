"""The making of Jinja environments: every page, text and picture is laid out by the same rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def make_environment(
    package: str, *, escape: bool = True, **filters: Callable[..., Any]
) -> Environment:
    """Return an environment with the templates in the folder ``templates/`` of a package.

    Keep it: it compiles a template when it is first needed, and then holds it.  ``escape`` makes
    every text safe in HTML and SVG.  A name that a template does not know is an error.
    """
    environment = Environment(
        loader=PackageLoader(package),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=escape,
    )
    environment.filters.update(filters)
    return environment
