"""JSON in a page.  Its texts come from the page's script, which keeps the order of keys."""

import json as _json

from page_library import restore


def loads(text, parse_constant=None, object_pairs_hook=None):
    return restore(_json.loads(text))


def dumps(value, allow_nan=True, sort_keys=False):
    return _json.dumps(value, separators=(",", ":"))
