"""What Alembic runs: the steps of versions/, on the connection and in the transaction given."""

from alembic import context

from newsloom.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # True since we begin transactions ourselves: see engine.py. One for all steps.
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
