"""What a campaign asks of its people, and what of a procedure's steps each of them is to be shown.

Revision 0015.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("campaign", sa.Column("task", sa.String(20), nullable=False, server_default="demonstration"))
    op.add_column("campaign_assignment", sa.Column("shown", sa.String(10), nullable=False, server_default=""))


def downgrade() -> None:
    raise NotImplementedError("a store is never migrated backwards: open its copy with the older program")
