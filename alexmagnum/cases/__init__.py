"""Turn and case files: positions with orders, and what they should come to."""
