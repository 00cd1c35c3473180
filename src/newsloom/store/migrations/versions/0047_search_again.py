"""Search finds phrases whatever hyphens their words have: its index is built again.

The words of a text are as text/folding.py makes them. In PostgreSQL only the texts that come out
otherwise are parted again. In the one transaction of the upgrade: a kill leaves the old index.

Revision ID: 0047
Revises: 0046
"""

import sqlalchemy as sa
from alembic import op

from newsloom.store.dialects import full_text

revision = "0047"
down_revision = "0046"

# Of ASCII without a hyphen nothing comes out otherwise.
CHANGED = sa.text("""
    SELECT article_id, title, lead, rest FROM texts
    WHERE article_id > :after AND title || lead || rest ~ '[^\\x01-\\x7f]|[A-Za-z0-9]-[A-Za-z0-9]'
    ORDER BY article_id LIMIT 1000
""")


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        op.execute("INSERT INTO texts_search(texts_search) VALUES ('rebuild')")
        return
    after = 0
    while rows := connection.execute(CHANGED, {"after": after}).mappings().all():
        full_text(connection).put(connection, [dict(row) for row in rows])
        after = rows[-1]["article_id"]
