"""How many words a brief has, and how they are shared out. Pure."""

from __future__ import annotations

from dataclasses import dataclass

# Articles of a brief of ten minutes, as the briefs of seed 002 had; and chapters by minutes.
ARTICLES_A_MINUTE = 2.6
_CHAPTERS = ((7, 4), (14, 5), (30, 7))
MOST_CHAPTERS = 8
# Of ordinary news, where the voice does not say: about what newsreaders do.
USUAL_RATE = 160.0
# Where a voice and its pauses differ from what was measured of it, half of the tenth is left.
NEAR = 0.03
ENOUGH = 0.9  # a brief with fewer of the words says that it is short
# Parts of the words that matters get by their place: the first, the next ones, the others.
LEADS, NEXT = 4, 10
LEAD_SHARE, NEXT_SHARE = 2.0, 1.3
MOST_WORDS = 160  # of one matter, however little else there is: it is not read out whole


@dataclass(frozen=True, slots=True)
class Plan:
    """What a brief of some minutes has room for."""

    words: int  # all that is spoken
    articles: int
    chapters: int

    @property
    def most(self) -> int:
        """Words that are not passed."""
        return int(self.words * (1 + NEAR))

    @property
    def least(self) -> int:
        """Words from which on it is long enough."""
        return int(self.words * (1 - NEAR))

    def share(self, place: int, grown: float = 1.0) -> int:
        """Words that the matter at a place gets, from 0; `grown` times as many as usual."""
        each = self.words / max(self.articles, 1)
        times = LEAD_SHARE if place < LEADS else NEXT_SHARE if place < NEXT else 1.0
        return min(int(each * times * grown), MOST_WORDS)


def plan(minutes: int, words_per_minute: float) -> Plan:
    """For so many minutes at a voice's rate; 0: not known."""
    rate = words_per_minute if words_per_minute > 0 else USUAL_RATE
    chapters = next((many for most, many in _CHAPTERS if minutes <= most), MOST_CHAPTERS)
    return Plan(
        words=max(round(minutes * rate), 1),
        articles=max(round(minutes * ARTICLES_A_MINUTE), 3),
        chapters=chapters,
    )


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
