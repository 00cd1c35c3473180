"""Everything that a language model is asked for, the most important first.

To add one: its module here and a row below. See docs/work/language-model-purposes.md.
"""

from __future__ import annotations

from typing import Any

from newsloom.llm.purpose import Purpose
from newsloom.llm.purposes.brief import BRIEF
from newsloom.llm.purposes.coverage import coverage
from newsloom.llm.purposes.preprocess import PREPROCESS
from newsloom.llm.purposes.sensitivity import SENSITIVITY
from newsloom.llm.purposes.story import STORY
from newsloom.llm.purposes.summary import SUMMARY
from newsloom.llm.purposes.translation import TRANSLATION
from newsloom.llm.purposes.wording import WORDING
from newsloom.related.quality import Policy


def purposes(policy: Policy) -> tuple[Purpose[Any, Any], ...]:
    """`policy`: what the settings say of the quality of sources, which answers add to."""
    return (
        BRIEF,
        TRANSLATION,
        SUMMARY,
        STORY,
        WORDING,
        coverage(policy),
        PREPROCESS,
        SENSITIVITY,
    )


# By the policy of the package.
PURPOSES: tuple[Purpose[Any, Any], ...] = purposes(Policy())
