"""Benchmarks of the judge, its published peers and the commands: ``python -m bench``."""
