"""The compiled and the interpreted judge are one: same values, same results, same reasons."""
