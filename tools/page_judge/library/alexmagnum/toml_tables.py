"""Reading the tables of the bundle, which are JSON already."""

from page_library import loads


def load_tables(paths):
    """Return the tables of some files."""
    return [loads(path.read_text()) for path in paths]
