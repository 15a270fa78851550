"""The mail room: getting orders out of real mail."""
