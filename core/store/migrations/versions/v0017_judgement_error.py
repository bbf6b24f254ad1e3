"""What is wrong with a predicted goal, as the judge of the pair called it.

Revision 0017.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("judgement", sa.Column("error", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    raise NotImplementedError("a store is never migrated backwards: open its copy with the older program")
