"""Read YAML.  Its own file, because loading the library takes longer than most commands need."""

from __future__ import annotations

import re
from typing import Any

import yaml

from alexmagnum.errors import BadFile


# The base is chosen at run time: the C reader, where the wheel has it.
class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """A YAML reader for which only ``true`` and ``false`` are booleans: ``NO`` may be a power."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return a mapping; refuse a key that is there twice, of which the second would win."""
        seen = set()
        for key_node, _ in node.value:
            key = key_node.value
            if isinstance(key, str) and key in seen:
                mark = key_node.start_mark
                raise yaml.constructor.ConstructorError(None, None, f"'{key}' twice", mark)
            if isinstance(key, str):
                seen.add(key)
        return dict(super().construct_mapping(node, deep))


_Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in _Loader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("true|false"), list("tf"))


def parse_yaml(text: str, source: str) -> Any:
    """Return the data of a text in YAML; faults name ``source`` as the file.

    Raises:
        BadFile: it is not YAML, or holds an impossible value.
    """
    try:
        return yaml.load(text, _Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        detail = str(getattr(error, "problem", "") or "").strip()
        raise BadFile(source, "file-not-yaml", where=where, detail=detail) from None
    except (RecursionError, ValueError):
        # Nested thousands deep, or an impossible number or date.
        raise BadFile(source, "value-cannot-be") from None
