"""The package in a page."""

__version__ = ""
__build__ = "page"
