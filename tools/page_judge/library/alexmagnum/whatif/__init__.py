"""Nothing is imported here in a page: each file says what it needs."""
