"""Sentences and dates in each language: the catalogues, and reading and writing of times."""
