"""The map: provinces, borders by kind, rivers, portages, powers, and the rules' switches."""
