"""Passwords of mail servers: from the environment or the computer's keyring, never the game."""

from __future__ import annotations

import os
from ipaddress import ip_address

SERVICE = "alexmagnum"
"""The service under which the keyring keeps them; the name is ``user@host``."""


def password_variable(protocol: str) -> str:
    """Return the variable that may hold the password: ``ALEXMAGNUM_IMAP_PASSWORD``."""
    return f"ALEXMAGNUM_{protocol.upper()}_PASSWORD"


def find_password(protocol: str, user: str, host: str) -> str:
    """Return the password for a server (``imap``, ``smtp``), "" if none is known."""
    return os.environ.get(password_variable(protocol), "") or _read_keyring(f"{user}@{host}")


def is_local_host(host: str) -> bool:
    """Return whether a host is this computer: only there may a password go unencrypted."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _read_keyring(name: str) -> str:
    """Return a password from the keyring, "" on a computer without one."""
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(SERVICE, name) or ""
    except KeyringError:
        return ""
