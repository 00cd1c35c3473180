"""Database engines, dialects and query helpers for SQLite and PostgreSQL."""
