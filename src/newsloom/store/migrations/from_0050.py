"""Brings a store of revision 0050 to 0051: reader_changes.py, run after this, notes marks apart."""

from __future__ import annotations

from sqlalchemy import Connection


def upgrade(_connection: Connection) -> None:
    """No table of ours changes."""
