"""The game master's folder: one SQLite file, and the desk that works on it."""
