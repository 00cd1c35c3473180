"""Articles and signatures for the tests of the later layers. Tests nothing."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from functools import cache

from hypothesis import strategies as st

from newsloom.duplicates.signing import sign
from newsloom.duplicates.values import Unsigned
from newsloom.kernel.ids import ArticleId, FeedId

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)

_SYLLABLES = ("ka", "lo", "mi", "ren", "tu", "sa", "vel", "or", "in", "dep", "sto", "gra")


@cache
def vocabulary(size):
    """Made-up words, always the same."""
    chance = random.Random(7)
    return ["".join(chance.choices(_SYLLABLES, k=chance.randint(1, 4))) for _ in range(size)]


def prose(words, seed=1):
    """Made-up sentences of so many words."""
    chance = random.Random(seed)
    drawn = chance.choices(vocabulary(3_000), k=words)
    found = []
    while drawn:
        length = chance.randint(6, 22)
        found.append(" ".join(drawn[:length]).capitalize() + ".")
        drawn = drawn[length:]
    return " ".join(found)


def edited(text, rate, seed=1):
    """That share of the words replaced."""
    chance = random.Random(seed)
    words = vocabulary(3_000)
    return " ".join(
        chance.choice(words) if chance.random() < rate else word for word in text.split()
    )


def article(text="", title="", number=1, **changes):
    values = {"source": "news.test", "dated": NOON} | changes
    return Unsigned(ArticleId(number), FeedId(1), title=title, text=text, **values)


def signed(text="", title="", **changes):
    return sign([article(text, title, **changes)])[0]


# Of every kind of script, with what parts words and sentences in them.
scripts = st.text(
    st.sampled_from(
        "aAbeéßİ. ,!?'\"\n-12٣🎉\u0301\u00ad\u200b\u0000\ud800"
        "жЖ。、中文かなカナกขไทยကခខ្មែहिन्दीعربיתक्षﷺﬁ𝔘𠀀"
    ),
    max_size=80,
)
_LEXICON = vocabulary(30)
_phrases = st.lists(st.sampled_from(_LEXICON), max_size=45).map(" ".join)
_texts = st.one_of(
    scripts,
    _phrases,
    st.builds(prose, st.integers(0, 120), st.integers(1, 3)),
    st.builds(
        lambda rate, seed: edited(prose(90), rate, seed),
        st.sampled_from((0.01, 0.05, 0.1, 0.3)),
        st.integers(1, 5),
    ),
)
articles = st.builds(
    article,
    text=_texts,
    title=st.one_of(scripts, _phrases),
    number=st.integers(1, 9),
    source=st.sampled_from(("", "news.test", "bbc.co.uk")),
    author=st.sampled_from(("", "Reuters", "A. Person")),
)
