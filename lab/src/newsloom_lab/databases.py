"""Databases of a PostgreSQL server for the length of one measurement."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import make_url

from newsloom.kernel.errors import UserError


@contextmanager
def fresh(url: str) -> Iterator[str]:
    """The URL of a new, empty database on the server of another, whose role may make databases."""
    import psycopg

    name = f"newsloom_bench_{secrets.token_hex(4)}"
    try:
        connection = psycopg.connect(url, autocommit=True)
    except psycopg.OperationalError as error:
        raise UserError(f"The server of --store cannot be reached: {error}") from error
    with connection:
        connection.execute(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0".encode())
        try:
            yield make_url(url).set(database=name).render_as_string(hide_password=False)
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
