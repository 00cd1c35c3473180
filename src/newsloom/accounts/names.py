"""Names that people sign in with. Pure."""

from __future__ import annotations

import re
import unicodedata

from newsloom.kernel.errors import UserError

LONGEST = 64

# No colon, which ends the name in Fever's keys and in HTTP's Basic scheme, and no space.
_NAME = re.compile(r"[^\W_][\w.@+-]*")


def folded(name: str) -> str:
    """A name as it is kept and looked for: compatible characters are one, and so are cases."""
    return unicodedata.normalize("NFKC", name.strip()).casefold()


def checked(name: str) -> str:
    """The folded name of a new account. Raises UserError for one that cannot be."""
    wanted = folded(name)
    if len(wanted) > LONGEST or not _NAME.fullmatch(wanted):
        raise UserError(
            f"A name has up to {LONGEST} letters, digits and . _ - + @, and starts with a letter "
            f"or digit."
        )
    return wanted


def app_password_name(name: str) -> str:
    """The name of an app password, such as that of a client. Raises UserError."""
    wanted = " ".join(name.split())
    if not wanted or len(wanted) > LONGEST or not wanted.isprintable():
        raise UserError(
            f"Enter a name of up to {LONGEST} characters, for example the app and its device."
        )
    return wanted
