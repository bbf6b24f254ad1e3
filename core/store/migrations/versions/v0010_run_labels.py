"""What people say of runs: names of their own, remarks, tags, pinned, archived.

Revision 0010.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, empty in (("name", ""), ("remark", ""), ("tags", "[]")):
        op.add_column("run", sa.Column(name, sa.Text(), nullable=False, server_default=empty))
    for name in ("pinned", "archived"):
        op.add_column("run", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    raise NotImplementedError("a store is never migrated backwards: open its copy with the older program")
