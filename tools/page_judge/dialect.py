"""The dialect of Python that the judge's files keep to, so that they run in a page as well.

Open this file to see or to change what the compiler of the page judge (:mod:`.compiler`) knows.
``docs/page-judge.md`` lists it for people who write the judge's files.
"""

from __future__ import annotations

from collections.abc import Mapping

LIBRARY = "page_library"
"""The module in the bundle that stands for Python's own library."""

TYPING_MODULES = frozenset({"__future__", "collections.abc", "importlib.resources.abc", "typing"})
"""Modules that only annotations and types need; they are left out."""

TYPING_VALUES = frozenset({"NewType", "cast", "get_args"})
"""Names of typing that code uses when it runs."""

MODULES: Mapping[str, frozenset[str]] = {
    "abc": frozenset({"ABC", "abstractmethod"}),
    "bisect": frozenset({"bisect_left"}),
    "collections": frozenset({"Counter", "defaultdict"}),
    "collections.abc": frozenset({"Iterable", "Mapping", "Sequence"}),
    "contextlib": frozenset({"suppress"}),
    "copyreg": frozenset({"pickle"}),
    "dataclasses": frozenset({"asdict", "dataclass", "field", "fields", "replace"}),
    "difflib": frozenset({"get_close_matches"}),
    "functools": frozenset({"cache", "cached_property", "lru_cache", "wraps"}),
    "hashlib": frozenset({"sha256"}),
    "importlib": frozenset({"resources"}),
    "itertools": frozenset({"accumulate", "chain", "combinations", "pairwise", "product"}),
    "json": frozenset({"dumps", "loads"}),
    "math": frozenset({"prod"}),
    "random": frozenset({"Random"}),
    "rapidfuzz.distance": frozenset({"OSA"}),
    "rapidfuzz.process": frozenset({"extract_iter"}),
    "re": frozenset({"ASCII", "IGNORECASE", "compile", "fullmatch", "match", "search"}),
    "string": frozenset({"Formatter"}),
    "tomllib": frozenset({"loads"}),
    "typing": TYPING_VALUES,
    "unicodedata": frozenset({"combining", "normalize"}),
}
"""The names of other modules that files may use; the library of the bundle has them."""

OWN_MODULES = frozenset({"json", "re"})
"""Modules that have a file of their own in the bundle: ``page_json``, ``page_re``."""

ERASED = frozenset({"abstractmethod", "cached_property", "dataclass", "field", "ABC"})
"""Names that no code refers to any more after the compilation."""

CLASS_DECORATORS = frozenset({"dataclass", "mypyc_attr"})
"""The decorators that a class may have: one is written out, the other is for mypyc."""

DROPPED_METHODS = frozenset(
    {"__copy__", "__deepcopy__", "__delattr__", "__getnewargs__", "__reduce__", "__setattr__"}
)
"""Methods that keep values from change, copy and pickle them: nothing in a page does."""

TEXT_METHODS = frozenset(
    {"casefold", "isascii", "islower", "isprintable", "isupper", "removesuffix", "title"}
)
"""Methods of texts that MicroPython lacks, or has for ASCII alone; the library has them."""

UNKNOWN_METHODS = frozenset(
    {"as_integer_ratio", "bit_count", "expandtabs", "format_map", "fromhex", "hex", "isalnum"}
    | {"isdecimal", "isidentifier", "isnumeric", "istitle", "ljust", "maketrans", "removeprefix"}
    | {"rjust", "swapcase", "to_bytes", "translate", "with_traceback", "zfill", "__match_args__"}
)
"""Methods that the page does not have."""

SET_METHODS = frozenset({"intersection", "intersection_update", "symmetric_difference", "union"})
"""Methods of sets that take one other set in a page."""

KNOWN_SPECIAL = frozenset(
    {"__class__", "__init__", "__name__", "__new__", "__post_init__", "__setattr__"}
)
"""Attributes with two low lines before and behind that code may name."""

UNKNOWN_BUILTINS = frozenset(
    {"ascii", "breakpoint", "compile", "complex", "copyright", "exec", "eval", "exit", "format"}
    | {"globals", "help", "input", "locals", "memoryview", "open", "quit", "__import__"}
)
"""Builtins that the page does not have, or whose use a reader would not expect in it."""

TYPE_FORMS = frozenset(
    {"Callable", "Collection", "Iterable", "Iterator", "Literal", "Mapping", "Sequence"}
    | {"dict", "frozenset", "list", "set", "tuple", "type"}
)
"""The heads of type aliases such as ``OrderSet = dict[str, list[Order]]``."""


UNKNOWN_NODES: Mapping[str, str] = {
    "AsyncFor": "async for",
    "AsyncFunctionDef": "async functions",
    "AsyncWith": "async with",
    "Await": "await",
    "Global": "global",
    "MatMult": "the operator @",
    "TemplateStr": "template strings",
    "TryStar": "except*",
    "TypeAlias": "the statement type",
}
"""By kind of node of the syntax tree, its name, for those that the page does not have."""


class UnknownIdiom(Exception):
    """An idiom that the page's Python does not have, with the file and line where it is."""

    def __init__(self, path: str, line: int, idiom: str, instead: str = "") -> None:
        self.path = path
        self.line = line
        self.idiom = idiom
        hint = f"; {instead}" if instead else ""
        super().__init__(f"{path}:{line}: the page judge does not know {idiom}{hint}")
