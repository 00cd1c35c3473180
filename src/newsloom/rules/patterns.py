"""Regular expressions of readers, searched in a time that grows with the text alone. Pure.

By RE2, which has no backtracking: no pattern, however hostile, takes longer than a multiple of the
text's length, and what it may take of memory is bound. See docs/work/decisions/access.md.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from newsloom.kernel.errors import UserError

LONGEST_PATTERN = 500
# Bytes that one pattern's program and its states may take; RE2 gives up states beyond, not memory.
MEMORY = 1_000_000


@lru_cache(maxsize=512)
def search(pattern: str) -> Callable[[str], bool]:
    """Whether a text has a match, whatever its case. Raises UserError with words."""
    import re2  # slow to import, and few readers have patterns

    if not pattern.strip():
        raise UserError("Write a regular expression.")
    if len(pattern) > LONGEST_PATTERN:
        raise UserError(f"A regular expression has {LONGEST_PATTERN} characters at most.")
    options = re2.Options()
    options.case_sensitive = False
    options.never_capture = True
    options.log_errors = False
    options.max_mem = MEMORY
    try:
        made = re2.compile(pattern, options)
    except (re2.error, UnicodeError) as error:
        raise UserError(f"{pattern!r:.60} is no regular expression: {_words(error)}.") from error
    if made.search("") is not None:
        raise UserError(f"{pattern!r:.60} matches every text, also an empty one.")
    return lambda text: made.search(text) is not None


def _words(error: Exception) -> str:
    told = error.args[0] if error.args else error
    words = told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told)
    if "perl operator" in words:
        return f"look-ahead, look-behind and back-references are not possible here ({words})"
    return words
