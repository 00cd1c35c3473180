"""Calls of `store.models`; those of them that only read."""

from __future__ import annotations

from newsloom.kernel.ids import ModelId
from store.builders import HOUR, NOW

from .made import CALL, MODEL, ONE, USER

CALLS = {
    "switch_model": lambda s: s.models.switch_model(
        USER, "relevance", None, NOW, instead_of=ModelId(1)
    ),
    "encoder_in_use": lambda s: s.models.encoder_in_use(),
    "use_encoder": lambda s: s.models.use_encoder("m", "m@1", 4, NOW),
    "interests": lambda s: s.models.interests(USER),
    "add_interest": lambda s: s.models.add_interest(USER, "x", NOW),
    "remove_interest": lambda s: s.models.remove_interest(USER, 1),
    "labels": lambda s: s.models.labels(USER),
    "evidence": lambda s: s.models.evidence(USER),
    "implicit_negatives": lambda s: s.models.implicit_negatives(USER, 9),
    "visits": lambda s: s.models.visits(USER),
    "group_names": lambda s: s.models.group_names([ONE]),
    "exclude_period": lambda s: s.models.exclude_period(USER, NOW, NOW + HOUR, NOW),
    "forgettings": lambda s: s.models.forgettings(USER),
    "lift_forgetting": lambda s: s.models.lift_forgetting(USER, 1, NOW),
    "labels_mark": lambda s: s.models.labels_mark(USER),
    "promote_model": lambda s: s.models.promote_model(USER, MODEL, instead_of=None),
    "keep_model": lambda s: s.models.keep_model(USER, MODEL),
    "withdraw_model": lambda s: s.models.withdraw_model(
        USER, "relevance", ModelId(9), NOW, to=None
    ),
    "active_model": lambda s: s.models.active_model(USER, "relevance"),
    "model_in_force": lambda s: s.models.model_in_force(USER, "relevance"),
    "model": lambda s: s.models.model(USER, ModelId(1)),
    "models": lambda s: s.models.models(USER, "relevance"),
    "claim_training": lambda s: s.models.claim_training(USER, NOW, NOW),
    "tell_training": lambda s: s.models.tell_training(USER, "Not yet."),
    "last_training": lambda s: s.models.last_training(USER),
    "add_evaluation": lambda s: s.models.add_evaluation(USER, NOW, "m", "folds", {"roc_auc": 0.9}),
    "evaluations": lambda s: s.models.evaluations(USER),
    "service": lambda s: s.models.service("judge"),
    "reserve_tokens": lambda s: s.models.reserve_tokens(
        "judge", "sensitivity", 1, 10, lambda _spent: True
    ),
    "unusable_answers": lambda s: s.models.unusable_answers("m", NOW),
    "used_answers": lambda s: s.models.used_answers("m", ["hash"]),
    "reuse_answer": lambda s: s.models.reuse_answer(CALL, lambda _connection: True),
    "settle_call": lambda s: s.models.settle_call(
        CALL,
        day=1,
        returned=0,
        after=lambda state: state,
    ),
    "totals": lambda s: s.models.totals("m", NOW),
    "readings": lambda s: s.models.readings(USER, NOW - HOUR, NOW),
    "interest_edits": lambda s: s.models.interest_edits(USER),
    "edit_interest": lambda s: s.models.edit_interest(USER, "x", 2.0, NOW),
}
READS = {
    "implicit_negatives",
    "group_names",
    "visits",
    "active_model",
    "totals",
    "encoder_in_use",
    "evaluations",
    "forgettings",
    "interest_edits",
    "interests",
    "labels",
    "evidence",
    "labels_mark",
    "last_training",
    "model",
    "model_in_force",
    "models",
    "readings",
    "service",
    "unusable_answers",
    "used_answers",
}
