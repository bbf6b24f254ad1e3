"""Who makes a data set's index.

Revision 0009. From now on what stands at a data set's path is whole: an index that was never finished goes, as one that
was replaced does.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, kind in (
        ("owner_host", sa.Text()),
        ("owner_started", sa.String(80)),
        ("owner_claim", sa.String(32)),
        ("owner_machine", sa.String(64)),
    ):
        op.add_column("source", sa.Column(name, kind, nullable=False, server_default=""))
    op.add_column("source", sa.Column("owner_pid", sa.Integer(), nullable=True))
    op.add_column("source", sa.Column("beat", sa.Integer(), nullable=False, server_default="0"))
    gone = "path = path || '//was:' || CAST(id AS VARCHAR(20)), changed = 0"
    op.execute(f"UPDATE source SET {gone} WHERE scanned_at IS NULL")


def downgrade() -> None:
    raise NotImplementedError("a store is never migrated backwards: open its copy with the older program")
