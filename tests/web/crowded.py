"""A world with something on every page: each state of a feed, a row, an article, a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from newsloom.app.reader import ModelActions, Reader
from newsloom.coverage.domains import Rule
from newsloom.coverage.quality import Policy
from newsloom.duplicates.values import Relation
from newsloom.engines.pipeline import InThread, QuarantineRelease
from newsloom.feeds.page_failures import FailureKind, Outcome
from newsloom.ranking.values.models import StoredModel
from newsloom.reading.values.reading import EventKind
from newsloom.rules.service import rules
from newsloom.rules.values import Rule as ReadersRule
from newsloom.rules.values import RuleAction, RuleCondition, RuleMatch
from web.unwell import unwell
from web.world import NEWS, NO_FEED_ACTIONS, NOW, NoEncoder, World, article

REPORT = {
    "roc_auc": 0.861,
    "roc_auc_interval": [0.82, 0.9],
    "average_precision": 0.823,
    "calibration_error": 0.03,
    "roc": [[0, 0], [0.1, 0.6], [1, 1]],
    "precision_recall": [[0, 1], [0.5, 0.9], [1, 0.4]],
    "reliability": [[0.1, 0.05, 40], [0.6, 0.7, 10]],
    "histogram": [[0, 1, 20], [0.5, 10, 5]],
    "learning_curve": [[20, 0.5, 0.4, 0.6], [40, 0.6, 0.5, 0.7], [100, 0.7, 0.65, 0.75]],
}
MODEL = StoredModel(
    model_id="head@2/abc",
    kind="relevance",
    payload=b"{}",
    sha256="",
    trained=NOW,
    metrics=(("roc_auc", 0.861), ("positives", 24.0), ("negatives", 30.0)),
    verdict="ROC AUC 0.861 on 24 likes and 30 dislikes held out",
    promoted=NOW,
)


class Ward(World):
    """A world whose reader can let in what is held."""

    def reader(self) -> Reader:
        admitting = QuarantineRelease(self.store, InThread(), lambda: self.now)
        feed_actions = replace(
            NO_FEED_ACTIONS,
            admit=admitting.release,
            headlines=admitting.headlines,
            refresh=dict.fromkeys,
        )
        return replace(super().reader(), feed_actions=feed_actions)


def labelled(world: World) -> World:
    """Enough likes and dislikes for a model."""
    for place, one in enumerate(world.ids()[:44]):
        kind = EventKind.LIKE if place % 2 else EventKind.DISLIKE
        world.reader().mark([one], kind, "test")
    return world


def coached(world: World) -> World:
    """A reader with a model, its history and what was measured of it."""
    older = replace(MODEL, model_id="head@2/old", trained=NOW - timedelta(days=1))
    first = world.store.models.promote_model(world.user, older, instead_of=None)
    world.store.models.promote_model(world.user, MODEL, instead_of=first)
    for day, value in enumerate((0.7, 0.75)):
        at = NOW - timedelta(days=3 - day)
        world.store.models.add_evaluation(world.user, at, f"m{day}", "folds", {"roc_auc": value})
    world.store.models.add_evaluation(world.user, NOW, "head@2/abc", "cv", REPORT)
    world.model_actions = ModelActions(
        history=lambda: world.store.models.models(world.user, "relevance"),
        evaluations=lambda: world.store.models.evaluations(world.user),
        last_training=lambda: (NOW, "Nothing to learn."),
        train=lambda: "Trained on 24 likes.",
        train_anyway=lambda: "Trained anyway.",
        back=lambda: "Went back.",
    )
    return world


# What publishers send: more than one h1, levels left out, pictures that say nothing, wide things.
TEXT = """
<h1>A second title</h1><h4>A level left out</h4>
<p>Words with <a href="/more">a link</a>, a <a href="/picture"><img src="/linked.png"></a> picture
as a link, and <a href="/nothing"></a> none.</p>
<img src="/one.png">
<figure><img src="/two.png" alt="A quay"><figcaption>The quay</figcaption></figure>
<pre><code>slack = [hour for hour in the_whole_day if abs(current(hour)) &lt; 0.2]</code></pre>
<table><tr><th></th><th>Departure from the northern quay</th><th>Arrival</th><th>Price</th></tr>
<tr><td>1</td><td>07:40</td><td>08:15</td><td>12.40</td></tr></table>
<aside>Beside it</aside><dl><dt>Tide</dt><dd>What the moon does</dd></dl><ul><li>One</li></ul>
<h2></h2><blockquote>“Cancelled.”</blockquote><audio src="/a.mp3"></audio>
<video src="/a.mp4"></video><details><summary>More</summary><p>Here.</p></details>
<p lang="de">Ein Satz auf Deutsch.</p>
"""
RICH = {
    "feed": "meridian",
    "title": "Everything a publisher may send",
    "html": TEXT,
    "hours": 1,
    "language": "en",
}


def crowded(world: World) -> World:
    """Let everything happen that a page can show."""
    world.put(world.reader().subscriptions()[-1].feed_id, article(RICH, 500, world.now))
    first, second, *others = (world.named(NEWS[number]["title"]) for number in (0, 1, 6, 9))
    world.relate(Relation.SAME_EVENT, first, others[0], "3 of 3 names in common")
    world.relate(Relation.SAME_TEXT, first, others[1], "every sentence")
    world.relate(Relation.REVISION, second, world.named(NEWS[8]["title"]), "alike titles")
    unwell(world)
    labelled(world)
    rich = world.named(RICH["title"])
    near = [first, rich, second, world.named(NEWS[8]["title"])]
    vectors = np.full((len(near), NoEncoder.dimensions), 0.5, np.float32)
    world.store.articles.put_vectors(NoEncoder.model_id, near, vectors)
    reader = world.reader()
    ids = world.ids()
    reader.mark(ids[:3], EventKind.STAR, "test")
    reader.mark(ids[:7:2], EventKind.READ, "test")
    for words in ("sailing", "the energy transition"):
        reader.add_interest(words)
    gone = world.feed("https://gone.example/feed", "The Gone Gazette", "World")
    world.put(gone, article(RICH | {"title": "The last of it"}, 600, world.now))
    reader.unsubscribe(gone)
    reader.exclude_period(world.now - timedelta(days=7), world.now - timedelta(days=6))
    publishers_asked(world)
    ruled(world)
    return coached(world)


def ruled(world: World) -> World:
    """Rules on and off, which nothing meets."""
    for number, kind in enumerate(("mute", "boost", "notify")):
        conditions = (
            RuleCondition("title", f"anything but this {number}"),
            RuleCondition("language", "de", negated=True),
        )
        made = ReadersRule(f"Annas rule {number}", RuleMatch.ALL, conditions, (RuleAction(kind),))
        rules.save(world.reader(), replace(made, last=number == 1))
    rules.switch(world.reader(), rules.rule_set(world.reader()).rules[1].id, on=False)
    return world


def publishers_asked(world: World) -> World:
    """Records of domains in every band, on trial, and under rules; one with a very long name."""
    http, network = FailureKind.HTTP_ERROR, FailureKind.NETWORK
    came = (
        ("paper.example", None, None, None, FailureKind.LOW_RELEVANCE, None),
        ("ft.example", http, http, network, FailureKind.PAYWALL, http),
        ("new.example", None, FailureKind.ROBOTS),
        ("shaky.example", None, http, None, http, None),
        ("allowed.example", http, http, http, http, http),
        (f"{'a-very-long-name-' * 3}of-a-publisher.example", None, None, None, FailureKind.CODE),
    )
    for name, *kinds in came:
        record(world, name, kinds, until=world.now)
    record(world, "trial.example", [http] * 5, until=world.now - timedelta(days=8))
    world.reader().quality.set_rule("allowed.example", Rule.ALLOW)
    world.reader().quality.set_rule("live.paper.example", Rule.BLOCK)
    return world


def record(world: World, name: str, kinds: Sequence[FailureKind | None], until: datetime) -> None:
    """One outcome a day, the last a day before."""
    for day, kind in enumerate(reversed(kinds), start=1):
        at = until - timedelta(days=day)
        world.store.quality.record_outcomes([Outcome(name, at, kind, 7.0)], at, Policy())
