"""A whole game as a static site: pages that open from a disk or lie on any host."""
