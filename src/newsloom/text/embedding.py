"""What of an article a sentence encoder reads: its title and the head of its text."""

from __future__ import annotations

# The names of stored vectors carry this; raise it with any change below.
PREPARATION = "title+lead@1"

# Characters of text after the title. News says what happened first; see docs/models.md for what
# shorter and longer leads cost and gain.
LEAD = 600


def embedding_text(title: str, text: str) -> str:
    """One line of text for the encoder; empty only when both are."""
    lead = text[:LEAD]
    return f"{title}. {lead}" if title and lead else title or lead
