"""Seals: a short digest by which players can check that their own orders were resolved.

The digest is the beginning of the SHA-256 of these lines, each ended by a newline: the salt, the
phase, the power, and every order in canonical notation.  The salt is secret until the phase is
processed, so that nobody finds the orders by trying.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256

SALT = 16
"""Bytes of salt."""

DIGITS, GROUP = 16, 4
"""Hexadecimal digits of a digest, and of each group in it: 64 bits, so that nobody finds other
orders with the same digest by trying."""


def make_salt(entropy: Callable[[int], bytes]) -> str:
    """Return a new salt as hexadecimal digits."""
    return entropy(SALT).hex()


def digest_orders(salt: str, phase: str, power: str, orders: Sequence[str]) -> str:
    """Return the digest of some orders.

    >>> digest_orders("00", "322-spring", "TOL", ["A MEN H"])
    'F464-82D9-9F82-188D'
    """
    lines = (salt, phase, power, *orders)
    digest = sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest().upper()
    return "-".join(digest[at : at + GROUP] for at in range(0, DIGITS, GROUP))


def is_digest_of(digest: str, salt: str, phase: str, power: str, orders: Sequence[str]) -> bool:
    """Return whether a digest is that of some orders.

    Games that began earlier have digests of half the length.
    """
    whole = digest_orders(salt, phase, power, orders)
    return digest in (whole, whole[: len(whole) // 2])
