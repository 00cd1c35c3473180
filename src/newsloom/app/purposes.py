"""Everything that a language model is asked for, the most important first.

To add one: its module here and a row below. See docs/work/language-model-purposes.md.
"""

from __future__ import annotations

from typing import Any

from newsloom.briefs.purposes.brief import BRIEF
from newsloom.briefs.purposes.translation import TRANSLATION
from newsloom.coverage.purposes.coverage import coverage
from newsloom.coverage.purposes.preprocess import PREPROCESS
from newsloom.coverage.quality import Policy
from newsloom.digests.purposes.summary import SUMMARY
from newsloom.llm.purpose import Purpose
from newsloom.ranking.purposes import SENSITIVITY
from newsloom.stories.purposes.story import STORY
from newsloom.stories.purposes.thread import THREAD
from newsloom.stories.purposes.wording import WORDING


def purposes(policy: Policy) -> tuple[Purpose[Any, Any], ...]:
    """`policy`: what the settings say of the quality of sources, which answers add to."""
    return (
        BRIEF,
        TRANSLATION,
        SUMMARY,
        STORY,
        THREAD,
        WORDING,
        coverage(policy),
        PREPROCESS,
        SENSITIVITY,
    )


# By the policy of the package.
PURPOSES: tuple[Purpose[Any, Any], ...] = purposes(Policy())
