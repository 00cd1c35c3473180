"""Which articles of long documents are left out, so that they are not taken for new later.

Revision ID: 0046
Revises: 0045
"""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    op.add_column("feeds", sa.Column("left_out", sa.LargeBinary()))
