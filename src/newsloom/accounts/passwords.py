"""Which passwords are taken. Pure; hashing is in accounts/service/account_service.py."""

from __future__ import annotations

import unicodedata

from newsloom.kernel.errors import UserError

# NIST SP 800-63B-4 (2025, 3.1.1.2) asks 15 characters where nothing but a password is asked, and 8
# beside a second factor. 12 lies between, for guesses are slowed to some 300 a day and name
# (throttle.py) and what is protected is what somebody reads. No rules about kinds of characters,
# no expiry: the same section forbids both.
SHORTEST = 12

# Longer ones are refused rather than cut (bcrypt's 72 bytes let others in: CVE-2025-68402), so that
# nobody has megabytes hashed. NIST asks for 64 at least.
LONGEST = 512

# Fewer different characters make "aaaaaaaaaaaa" and "121212121212".
FEWEST_DIFFERENT = 5

# Of twelve or more characters among the most common in leaked lists, and what people type first.
_COMMON = """
123456789012 1234567890123 0123456789ab 1qaz2wsx3edc qwertyuiop12 qwertyuiop123
qwerty123456 password1234 password12345 password123456 passwordpassword iloveyou1234
administrator letmeinletmein changemechangeme correcthorsebatterystaple
newsloomnewsloom abcdefghijkl abcdefghijklm zaq12wsxcde3
"""


def normalised(password: str) -> str:
    """A password as it is hashed: however a keyboard composes its characters (NIST: NFKC)."""
    return unicodedata.normalize("NFKC", password)


def checked(password: str, name: str) -> str:
    """The normalised password of an account. Raises UserError saying what is wrong with it."""
    wanted = normalised(password)
    plain = wanted.casefold()
    if len(wanted) < SHORTEST:
        raise UserError(f"Use at least {SHORTEST} characters.")
    if len(wanted) > LONGEST:
        raise UserError(f"Use at most {LONGEST} characters.")
    if len(set(plain)) < FEWEST_DIFFERENT or plain in _COMMON.split() or plain in name * LONGEST:
        raise UserError("This password is too common. Choose another.")
    return wanted
