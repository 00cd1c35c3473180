"""Titles and texts reduced to what makes them the same. Decides nothing."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from newsloom.kernel.text.characters import plain

_NOT_WORDS = re.compile(r"[\W_]+")


def normal_title(title: str) -> str:
    """A title as its words: no case, no punctuation, no difference of width or accents' encoding.

    A title of nothing but signs ("???", "🎉") stays what it is: two of those are not the same.
    """
    folded = unicodedata.normalize("NFKC", plain(title)).casefold()
    return _NOT_WORDS.sub(" ", folded).strip() or " ".join(folded.split())


def content_hash(title: str, seen: str) -> str:
    """One value for what a reader sees; `seen` is what newsloom.kernel.text.html.visible makes of a
    body.

    White space, markup, attributes (sizes, advertising parameters, timestamps in them), comments,
    scripts, pictures and addresses change nothing; a word, a figure or a punctuation mark does.
    """
    heading = "".join(plain(title).split())
    return hashlib.blake2b(
        f"{heading}\n{seen}".encode(errors="replace"), digest_size=16
    ).hexdigest()
