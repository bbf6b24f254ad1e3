"""How the episodes of a run were chosen, and on which machine its worker is.

Revision 0004. Of runs that are there neither is known: they look like runs over all that their split and limit leave,
and their workers are told apart by the machine's name alone, as before.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("run", sa.Column("filter", sa.Text(), nullable=False, server_default=""))
    op.add_column("run", sa.Column("chosen", sa.Integer(), nullable=True))
    op.add_column("run", sa.Column("worker_machine", sa.String(length=64), nullable=False, server_default=""))


def downgrade() -> None:
    raise NotImplementedError("a store is never migrated backwards: open its copy with the older program")
