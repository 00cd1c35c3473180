"""Tiny Tiny RSS through its PostgreSQL database: entries and marks in, scores out."""

from newsloom.kernel.extras import require

require("postgres", "The bridge to Tiny Tiny RSS")  # before psycopg is looked for below

# ruff: noqa: E402
from newsloom.bridges.ttrss.check import Check, check, role_sql
from newsloom.bridges.ttrss.remote import Ttrss
from newsloom.bridges.ttrss.restoring import restore_titles

__all__ = ["Check", "Ttrss", "check", "restore_titles", "role_sql"]
