"""Build the reference of the library as a static site, from the docstrings: ``make docs``.

pdoc finds the types of annotations by evaluating them.  Those that it cannot evaluate by itself
are evaluated here first, so that the site links them.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from types import GenericAlias
from typing import get_type_hints

import networkx as nx
import pdoc
import pdoc.render

import alexmagnum


def build_reference(folder: Path) -> None:
    """Write the site of the public names into a folder."""
    _evaluate_named_tuples()
    _make_graphs_subscriptable()
    pdoc.render.configure(docformat="google", show_source=False)
    pdoc.pdoc("alexmagnum", r"!alexmagnum\..*", output_directory=folder)


def _evaluate_named_tuples() -> None:
    """Give the constructors of named tuples their types; they do not know their module."""
    for name in alexmagnum.__all__:
        value = getattr(alexmagnum, name)
        if inspect.isclass(value) and hasattr(value, "_fields"):
            value.__new__.__annotations__ = get_type_hints(value)


def _make_graphs_subscriptable() -> None:
    """Let ``nx.Graph[str]`` be evaluated; networkx allows it only where nothing evaluates it."""
    subscript = "__class_getitem__"
    setattr(nx.Graph, subscript, classmethod(GenericAlias))


if __name__ == "__main__":
    build_reference(Path(sys.argv[1]))
