"""Notes of every change of a vector; where pgvector is there, the vectors as it searches them.

Revision ID: 0016
Revises: 0015
"""

from alembic import op

from newsloom.store.migrations import vector_log
from newsloom.store.nearest import pgvector

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    connection = op.get_bind()
    vector_log.make(connection)
    if connection.dialect.name == "postgresql" and pgvector.make(connection):
        pgvector.fill(connection)
