"""`store.rules`."""

from __future__ import annotations

from newsloom.store.rules.kept import KeptRules
from newsloom.store.rules.looking import Looking
from newsloom.store.rules.muting import Muting
from newsloom.store.rules.news import News
from newsloom.store.rules.outcomes import Outcomes


class RuleStore(KeptRules, Looking, Outcomes, Muting, News):
    """The rules of readers, and what they did."""
