"""Properties that every outcome of the judge has, tried on random positions."""
