"""How fast the judge is, beside two published ones: ``python -m bench``."""
