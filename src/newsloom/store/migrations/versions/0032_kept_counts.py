"""Counts of what is unread, and whose pages a write made stale.

Both are made after every upgrade: see kept_counts.py and reader_changes.py.

Revision ID: 0032
Revises: 0026
"""

revision = "0032"
down_revision = "0026"


def upgrade() -> None:
    """What follows from the tables is made at the end."""
