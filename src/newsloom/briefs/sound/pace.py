"""How much is said in a minute is counted in words, or in characters where words have no spaces."""

from __future__ import annotations

# Languages written without spaces between words.
BY_CHARACTERS = frozenset({"zh", "ja", "th", "lo", "km", "my", "bo"})


def units(text: str, language: str) -> int:
    """Words of a text, as voices' `words_per_minute` counts them: what is between spaces; in
    `BY_CHARACTERS` each letter or digit."""
    if language in BY_CHARACTERS:
        return sum(one.isalnum() for one in text)
    return sum(any(map(str.isalnum, word)) for word in text.split())


def characters_of_word(language: str) -> int:
    """How many of what voices count are a word of `digest.said.length`, which scripts are planned
    in: two characters where words have no spaces."""
    return 2 if language in BY_CHARACTERS else 1
