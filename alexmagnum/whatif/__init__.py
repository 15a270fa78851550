"""Hypothetical play: the position out of a mail, and plans tried out on it.

Everything here is pure: no files, no clock, nothing printed.
"""
