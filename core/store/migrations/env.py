"""What alembic runs: the migrations, on the connection and in the transaction that `core.store.schema` hands over."""

from __future__ import annotations

from alembic import context

from stepscope.core.store.tables import Base

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
