"""Dictionaries that cannot change.  Nothing in a page changes them, so any will do."""

from page_library import _dict as FrozenDict


def freeze(mapping):
    return mapping if isinstance(mapping, FrozenDict) else FrozenDict(mapping)
