"""Games of the random player."""
