"""What is shown of an article whose text was removed for its age."""

from __future__ import annotations

from datetime import datetime
from html import escape


def shortened(beginning: str, removed: datetime) -> str:
    """The beginning of its text as HTML, and when the rest went. `beginning` is plain text."""
    lines = (line.strip() for line in beginning.split("\n"))
    shown = "".join(f"<p>{escape(line, quote=False)}</p>" for line in lines if line)
    note = f"The rest of this text was deleted on {removed:%d %B %Y} because of its age."
    return f"{shown}<p><em>{note} The publisher may still have it.</em></p>"
