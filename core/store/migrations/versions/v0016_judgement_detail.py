"""What a model told besides its answers about a pair of texts: requirements, raw answers.

Revision 0016.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("judgement", sa.Column("detail", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    raise NotImplementedError("a store is never migrated backwards: open its copy with the older program")
