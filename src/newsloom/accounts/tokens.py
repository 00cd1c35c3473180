"""Secrets that are shown or sent once, and the digests that are kept of them. Draws nothing.

A token is lower-case letters and digits (base32 of RFC 4648 without its padding): no client mangles
those, while some cut at `=` or decode `+`. A digest is SHA-256 in hexadecimal digits. No salt and
no slow hash: nobody guesses 160 random bits.
"""

from __future__ import annotations

import base64
import hashlib

# Random bytes of a token: 160 and 320 bits, whole characters of base32. OWASP asks 128 of sessions
# (Session Management Cheat Sheet, 2025: 64 bits of entropy at least).
APP_PASSWORD_BYTES = 20
SESSION_BYTES = 40


def token(random: bytes) -> str:
    """The token of random bytes, a multiple of five of them."""
    return base64.b32encode(random).decode("ascii").lower()


def digest(secret: str) -> str:
    """What is kept of a token, and looked for when it comes back."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def fever_key(name: str, app_password: str) -> str:
    """What Fever's clients send in place of name and password: an MD5 by their protocol."""
    return hashlib.md5(f"{name}:{app_password}".encode(), usedforsecurity=False).hexdigest()


def fever_digest(name: str, app_password: str) -> str:
    """What is kept of a Fever key: the digest of its digits in lower case."""
    return digest(fever_key(name, app_password))
