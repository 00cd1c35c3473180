"""The decision by itself: facts in, a value out, and nothing stored."""

from __future__ import annotations

import pytest

from newsloom.ranking.training.active import ModelLoader
from newsloom.ranking.training.dataset import FactsReader
from newsloom.ranking.training.promote import apply
from newsloom.ranking.training.train import train
from newsloom.ranking.values.models import RELEVANCE
from store.builders import VECTORS
from training.world import NEEDED, Encoder, Reversed, trainers


def facts_of(world, using=None):
    loader = ModelLoader(using or trainers(), VECTORS, {})
    reader = FactsReader(world.store, Encoder(), loader, NEEDED, 0.0)
    return reader.facts(world.user, world.now)


@pytest.mark.parametrize("quick", [True, False], ids=["quick", "slow"])
def test_the_same_facts_give_the_same_decision_and_change_nothing(labelled, quick):
    facts = facts_of(labelled, trainers(quick=quick))
    decision = train(facts)
    assert decision.verdict.promoted, decision.words
    assert train(facts) == decision
    assert labelled.store.models.models(labelled.user, RELEVANCE) == ()
    assert labelled.store.models.evaluations(labelled.user) == ()


def test_not_yet_is_a_decision_without_a_candidate(world):
    decision = train(facts_of(world))
    assert decision.candidate is None
    assert decision.words == "Not yet: 0 of 20 likes and 0 of 20 dislikes so far."
    assert apply(world.store, world.user, decision, world.now).too_few
    assert world.store.models.models(world.user, RELEVANCE) == ()


def test_a_worse_candidate_is_kept_and_the_current_model_stays(labelled):
    first = apply(labelled.store, labelled.user, train(facts_of(labelled)), labelled.now)
    labelled.label(30)
    decision = train(facts_of(labelled, trainers("reversed", reversed=Reversed("reversed"))))
    assert not decision.verdict.promoted
    assert decision.instead_of == labelled.store.models.model_in_force(labelled.user, RELEVANCE)
    result = apply(labelled.store, labelled.user, decision, labelled.now)
    assert (result.promoted, labelled.in_force()) == (False, first.model_id)


def test_a_decision_about_a_model_that_is_active_no_more_changes_nothing(labelled):
    """Another training was promoted between reading the facts and doing what was decided."""
    late = train(facts_of(labelled))
    first = apply(labelled.store, labelled.user, train(facts_of(labelled)), labelled.now)
    result = apply(labelled.store, labelled.user, late, labelled.now)
    assert not result.promoted
    assert "another training finished first" in result.words
    (active,) = [
        one for one in labelled.store.models.models(labelled.user, RELEVANCE) if one.active
    ]
    assert active.model_id == first.model_id
