"""Turn and case files: positions with orders, and the outcome to expect.

Open this room to change the format of these files or how an outcome is compared with one.
"""
