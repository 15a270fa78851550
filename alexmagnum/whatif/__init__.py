"""Hypothetical play: what orders would come to, what would have to change, how safe it is.

Everything here is pure: no files, no clock, nothing printed.
"""
