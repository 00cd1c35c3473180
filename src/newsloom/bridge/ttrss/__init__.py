"""Tiny Tiny RSS through its PostgreSQL database: entries and marks in, scores out."""

from newsloom.extras import require

require("postgres", "The bridge to Tiny Tiny RSS")  # before psycopg is looked for below

# ruff: noqa: E402
from newsloom.bridge.ttrss.check import Check, check
from newsloom.bridge.ttrss.remote import Ttrss
from newsloom.bridge.ttrss.restoring import restore_titles
from newsloom.bridge.ttrss.role import role_sql

__all__ = ["Check", "Ttrss", "check", "restore_titles", "role_sql"]
