"""Relevance on vectors of the shipped encoder: interests and a few likes must show."""

from __future__ import annotations

import numpy as np
import pytest
from readers import NOW, article, interest, label

from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.encoders import registry
from newsloom.ranking.learning import prior
from newsloom.ranking.learning.explain import term_effects, without_each
from newsloom.ranking.learning.head import train
from newsloom.ranking.measure.metrics import roc_auc

GARDEN = """
Pruning roses before the first frost
When to sow tomatoes indoors
How to keep slugs off lettuce
Composting leaves the slow way
A guide to planting bulbs in autumn
The best apple trees for small gardens
Growing herbs on a kitchen window
Why your hydrangeas turned pink
Mulching beds before winter
Saving seeds from heirloom beans
Reviving a tired lawn in spring
Building raised beds from old boards
Watering wisely in a dry summer
What peat-free soil means for seedlings
Training a grapevine along a wall
Dividing perennials without losing them
Natural ways to fight aphids
A first greenhouse: what it costs
Choosing hedges that birds love
The quiet joy of growing garlic
Potatoes in sacks, step by step
Orchids that survive neglect
How deep to plant peonies
Keeping bees at the end of the garden
Wildflower meadows for beginners
A pond the size of a bucket
""".strip().splitlines()

FINANCE = """
Central bank holds interest rates steady
Shares slide as oil prices fall
Chipmaker beats quarterly earnings forecast
Merger talks lift airline stocks
Inflation slows to a two-year low
Bond yields rise on debt worries
Bank to cut two thousand jobs
Start-up valued at nine billion dollars
Currency weakens against the euro
Retailer warns of lower profit
Regulator fines broker over records
Housing loans become cheaper again
Exports fall for a third month
Hedge fund bets against carmaker
Treasury sells thirty-year bonds
Tax receipts miss the estimate
Insurer buys rival for cash
Gold climbs to another record
Payrolls grow faster than expected
Dividend raised after strong year
Crypto exchange files for listing
Steel tariffs unsettle markets
Pension funds move into credit
Analysts cut price targets for banks
Trade deficit widens in autumn
Investors flee emerging markets
""".strip().splitlines()


@pytest.fixture(scope="module")
def encoder():
    return registry.embedder("minilm-int8", 1)


def rows(encoder, titles):
    return encoder.embed([embedding_text(title, "") for title in titles])


def test_an_interest_puts_what_matches_first(encoder):
    model = prior.build([interest("gardening")], encoder.embed(["gardening"]))
    titles = GARDEN + FINANCE
    scores = model.score([article(title) for title in titles], rows(encoder, titles), [""] * 52)
    assert roc_auc(np.arange(52) < 26, scores) > 0.95
    assert np.median(scores[:26]) > 60 > 40 > np.median(scores[26:])


def test_twenty_likes_and_dislikes_reorder_what_was_never_seen(encoder):
    titles = GARDEN[:20] + FINANCE[:20]
    labels = [label(number < 20, number, title=title) for number, title in enumerate(titles)]
    head = train(labels, rows(encoder, titles), now=NOW)
    unseen = GARDEN[20:] + FINANCE[20:]
    scores = head.score([article(title) for title in unseen], rows(encoder, unseen), [""] * 12)
    assert roc_auc(np.arange(12) < 6, scores) > 0.95


def test_a_word_that_made_it_liked_is_told(encoder):
    titles = GARDEN[:20] + FINANCE[:20]
    labels = [label(number < 20, number, title=title) for number, title in enumerate(titles)]
    head = train(labels, rows(encoder, titles), now=NOW)
    title = "Investors turn to growing tomatoes"
    without = without_each(title)
    said = [title, *(left for _word, left in without)]
    whole, *rest = head.score([article()] * len(said), rows(encoder, said), [""] * len(said))
    effects = term_effects(whole, zip([word for word, _ in without], rest, strict=True))
    assert effects[0][0] == "tomatoes"
    assert effects[0][1] > 20
    assert dict(effects)["Investors"] < -10


def test_the_batch_size_changes_no_score(encoder):
    titles = GARDEN + FINANCE
    model = prior.build([interest("gardening")], encoder.embed(["gardening"]))
    vectors = rows(encoder, titles)
    whole = model.score([article()] * 52, vectors, [""] * 52)
    pieces = [
        model.score([article()] * 4, vectors[start : start + 4], [""] * 4)
        for start in range(0, 52, 4)
    ]
    assert whole.tolist() == np.concatenate(pieces).tolist()
