"""Passwords of mail servers: out of the environment or the computer's keyring, never the game."""

from __future__ import annotations

import os
from ipaddress import ip_address

SERVICE = "alexmagnum"
"""Under what the keyring keeps them; the name is ``user@host``."""


def password_variable(protocol: str) -> str:
    """The variable that may hold the password: ``ALEXMAGNUM_IMAP_PASSWORD``."""
    return f"ALEXMAGNUM_{protocol.upper()}_PASSWORD"


def find_password(protocol: str, user: str, host: str) -> str:
    """The password for a server (``imap``, ``smtp``); "" if none is known."""
    return os.environ.get(password_variable(protocol), "") or _kept(f"{user}@{host}")


def is_local_host(host: str) -> bool:
    """Is it this very computer, so that nobody listens on the line?  To no other may a password
    go in the open."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _kept(name: str) -> str:
    """Out of the keyring; a computer without one has none."""
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(SERVICE, name) or ""
    except KeyringError:
        return ""
