"""What the settings say of the quality of sources."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsloom.coverage.quality import Policy
    from newsloom.kernel.settings import Settings


def quality_policy(settings: Settings) -> Policy:
    """When a domain is blocked, for how long, and how fast it is forgotten."""
    from newsloom.coverage.quality import Policy

    given = settings.source_quality
    return Policy(
        half_life=timedelta(days=given.half_life_days),
        least_samples=given.least_samples,
        block=timedelta(days=given.block_days),
        longest_block=timedelta(days=given.longest_block_days),
        tries=given.tries,
    )
