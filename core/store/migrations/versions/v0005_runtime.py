"""What a run's model was asked to run with, torch or ONNX Runtime.

Revision 0005. Runs that are there were asked for neither.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("run", sa.Column("runtime", sa.String(length=40), nullable=False, server_default="auto"))


def downgrade() -> None:
    raise NotImplementedError("a store is never migrated backwards: open its copy with the older program")
