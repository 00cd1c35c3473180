"""How important an article is for a reader, signal by signal; and what they follow, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from newsloom.articles.stuffing import stuffed
from newsloom.articles.terms import first_words
from newsloom.importance.score import (
    EXCERPT,
    FADE,
    NO_BLEND,
    REALTIME_FADE,
    WEEKLY_FADE,
    WEIGHTS,
    Blend,
    SignalFacts,
    Weights,
    parts,
)
from newsloom.importance.sources.speaking import borrowed
from newsloom.importance.stages.importance import TermsOf, facts_of
from newsloom.importance.values import (
    SignalPart,
    SourceFacts,
    TopicEvidence,
    TopicInterest,
)
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.ranking.ports import RelevanceModel
from newsloom.ranking.scoring.interests import Interests, is_fading
from newsloom.ranking.values.models import ArticleText
from newsloom.reading.values.reading import RecencyTerm

if TYPE_CHECKING:
    from newsloom.app.reader import Reader

# The names in each of some texts, as kind and name as printed.
NamesOf = Callable[[Sequence[str]], Sequence[tuple[tuple[str, str], ...]]]

# What a reader may choose, by name; seed 001.
PACES: Mapping[str, float] = {"real time": REALTIME_FADE, "daily": FADE, "weekly": WEEKLY_FADE}

REPEATED = "the text repeats the same few words"
BORROWED = "linked by the feed, not published by it"
AS_THE_OTHERS = ", so it counts like the other signals"
DEEP = "length, numbers, citations and structure, relative to its kind of source"
EXCERPT_ONLY = "short, so as deep as the usual excerpt"

# Topics that a page shows, and articles behind each.
SHOWN, BEHIND = 60, 5
# What an edit may multiply a topic's weight by: nothing, half, twice, four times.
FACTORS = (0.0, 0.5, 2.0, 4.0)


@dataclass(frozen=True, slots=True)
class ImportanceServices:
    """What importance is made of, as it is wired."""

    weights: Weights = field(default_factory=lambda: WEIGHTS)
    fade: float = FADE  # of readers who chose none of their own
    blend_with: Callable[[RelevanceModel], Blend] = lambda _model: NO_BLEND
    interests: Callable[[UserId], tuple[Interests, str]] = lambda _user: (Interests(), "")
    terms: Callable[[], TermsOf] = lambda: lambda _title, _text, _language: {}
    names: NamesOf = lambda texts: [()] * len(texts)


def recency_term(reader: Reader) -> RecencyTerm:
    """What recency adds to importance for this reader."""
    return RecencyTerm(100 * reader.importance_services().weights["recency"], fade_in_force(reader))


def fade_in_force(reader: Reader) -> float:
    """How fast recency fades, an hour."""
    own = reader.store.users.fade(reader.user)
    return reader.importance_services().fade if own is None else own


def set_pace(reader: Reader, name: str | None) -> float:
    """Choose a pace by its name; None: as the settings say. What is in force. Raises UserError."""
    if name is not None and name not in PACES:
        raise UserError(f"Choose one of {', '.join(PACES)}, not {name!r:.60}.")
    reader.store.users.set_fade(reader.user, None if name is None else PACES[name])
    return fade_in_force(reader)


def signal_parts(reader: Reader, article: ArticleId) -> tuple[SignalPart, ...]:
    """The five signals of an article, with reasons; nothing where it was not weighed yet."""
    everyone = reader.store.articles.importance([article]).get(article)
    texts = reader.store.articles.texts([article])
    if everyone is None or not texts:
        return ()
    text = texts[0]
    from newsloom.importance.sources import authority, source_of

    known = reader.store.sources.source_facts([text.source])
    facts = known.get(source_of(text.source), SourceFacts())
    services, own = reader.importance_services(), reader.store.sources.own_tiers(reader.user)
    tier = authority(text.source, facts, own)
    believed = f"tier {tier.tier}: {tier.reason}"
    if borrowed(text.source, everyone.authority):
        believed = f"{BORROWED}; {believed}"
    interests, _name = services.interests(reader.user)
    fade = fade_in_force(reader)
    made_of = replace(
        facts_of(text, everyone, interests, services.terms(), own),
        age=reader.now() - text.dated,
        fade=fade,
    )
    reasons = {
        "authority": believed,
        "recency": f"fades by {fade:g} an hour",
        "corroboration": _corroborated(made_of),
        "topic": _topics(interests, services.terms(), text),
        "depth": EXCERPT_ONLY if everyone.depth == EXCERPT else DEEP,
    }
    return tuple(
        SignalPart(name, value, services.weights[name], reasons[name])
        for name, value in parts(made_of, services.weights).items()
    )


def _corroborated(facts: SignalFacts) -> str:
    if facts.sources > 1:
        return f"{facts.sources} independent sources"
    return f"no other independent source{AS_THE_OTHERS if facts.vouched else ''}"


def _topics(interests: Interests, terms_of: TermsOf, text: ArticleText) -> str:
    if not interests.weights:
        return f"no interests yet{AS_THE_OTHERS}"
    if stuffed(text.title, text.text, text.language):
        return f"{REPEATED}{AS_THE_OTHERS}"
    terms = terms_of(text.title, text.text, text.language)
    common = sorted(
        ((weight * interests.weights.get(term, 0.0), term) for term, weight in terms.items()),
        reverse=True,
    )
    words = first_words(f"{text.title}\n{text.text}", text.language)
    named = list(dict.fromkeys(words.get(term, term) for value, term in common if value > 0))[:3]
    return f"your topics: {', '.join(named)}" if named else f"none of your topics{AS_THE_OTHERS}"


def topics(reader: Reader, most: int = SHOWN) -> tuple[TopicInterest, ...]:
    """What the reader follows, the heaviest first, each with articles that taught it."""
    interests, _name = reader.importance_services().interests(reader.user)
    now, edits = reader.now(), reader.store.models.interest_edits(reader.user)
    heaviest = sorted(interests.weights.items(), key=lambda one: (-one[1], one[0]))[:most]
    dropped = [(term, 0.0) for term, factor in edits.items() if not factor]
    behind = {term: _strongest(interests, term) for term, _weight in heaviest}
    ids = sorted({one for pairs in behind.values() for one, _weight in pairs})
    texts = {one.id: one for one in reader.store.articles.texts([ArticleId(one) for one in ids])}
    top = heaviest[0][1] if heaviest else 1.0
    named = [one.text for one in reader.interests()]
    named += [one.category for one in reader.subscriptions()]
    printed = _printed(named, texts)
    return tuple(
        TopicInterest(
            term=term,
            word=printed.get(term, term),
            weight=weight / top,
            fading=is_fading(interests, term, now),
            stated=term in interests.stated,
            edited=edits.get(term),
            articles=tuple(
                TopicEvidence(
                    ArticleId(one), texts[ArticleId(one)].title, texts[ArticleId(one)].dated, value
                )
                for one, value in behind.get(term, ())
                if ArticleId(one) in texts
            ),
        )
        for term, weight in (*heaviest, *dropped)
    )


def edit_topic(reader: Reader, term: str, factor: float | None) -> None:
    """Multiply the weight of a topic; 0 leaves it out, None takes the edit back.

    Raises UserError for a factor that cannot be, NotFound for a topic that is not there.
    """
    if factor is not None and factor not in FACTORS:
        raise UserError(f"The weight must be one of {', '.join(f'{one:g}' for one in FACTORS)}.")
    interests, _name = reader.importance_services().interests(reader.user)
    if term not in interests.weights and term not in reader.store.models.interest_edits(
        reader.user
    ):
        raise NotFound(f"You have no topic {term!r:.60}.")
    reader.store.models.edit_interest(reader.user, term, factor, reader.now())
    reader.on_change()


def _strongest(interests: Interests, term: str) -> list[tuple[int, float]]:
    pairs = sorted(interests.taught_by.get(term, ()), key=lambda one: (-abs(one[1]), one[0]))
    return pairs[:BEHIND]


def _printed(named: Sequence[str], texts: Mapping[ArticleId, ArticleText]) -> Mapping[str, str]:
    """A word for each term, as the reader wrote it, else as a title has it."""
    found: dict[str, str] = {}
    written = [(words, "") for words in named]
    written += [(text.title, text.language) for text in texts.values()]
    for words, language in written:
        found = {**first_words(words, language), **found}
    return found
