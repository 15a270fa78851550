"""Hypothetical play: what orders would come to, what would have to change, how safe it is."""
