"""How long what piles up is kept."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class KeepSettings:
    """How long what piles up is kept. 0 keeps it for ever; less than 31 days counts as 31.

    Never pruned is what somebody starred, liked, disliked, finished, put aside, tagged, noted,
    highlighted, saved elsewhere or corrected, and what belongs to a story that somebody follows.
    """

    texts_days: int = doc(
        "Days after which an article's HTML, its earlier versions and all of its text but the "
        "beginning are removed. It stays in the lists.",
        0,
        least=0,
    )
    vectors_days: int = doc(
        "Days after which an article's vectors are removed: it keeps its score, and is found no "
        "more among what is related to another.",
        0,
        least=0,
    )
    keys_days: int = doc(
        "Days after which the keys go by which later articles are found to have the same text; "
        "never within duplicates.window_days.",
        0,
        least=0,
    )
    articles_days: int = doc(
        "Days after which an article goes that all who had it have read. Of it stays what its feed "
        "knows it by, so that it does not come back.",
        0,
        least=0,
    )
    unread_days: int = doc("Days after which it goes also where it is unread.", 0, least=0)
    audit_days: int = doc(
        "Days after which decisions about stories and finished sendings are removed.", 0, least=0
    )
    digests_days: int = doc("Days after which digests and briefs are removed.", 0, least=0)
    redirects_days: int = doc(
        "Days after which it is forgotten where forwarding addresses lead; what feeds still list "
        "is asked for anew.",
        0,
        least=0,
    )
