"""`store.rules`."""

from __future__ import annotations

from newsloom.rules.store.kept import KeptRules
from newsloom.rules.store.looking import Looking
from newsloom.rules.store.muting import Muting
from newsloom.rules.store.news import News
from newsloom.rules.store.outcomes import Outcomes


class RuleStore(KeptRules, Looking, Outcomes, Muting, News):
    """The rules of readers, and what they did."""
