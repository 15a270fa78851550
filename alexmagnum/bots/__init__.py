"""Players by program: from a position to the orders of a power."""
