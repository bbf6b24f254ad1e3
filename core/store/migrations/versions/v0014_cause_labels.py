"""Causes that people gave to wrong predictions.

Revision 0014.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "cause_label",
        sa.Column("prediction_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("cause", sa.String(12), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("made", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["prediction_id"], ["prediction.id"], name=op.f("fk_cause_label_prediction_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("prediction_id", name=op.f("pk_cause_label")),
    )


def downgrade() -> None:
    raise NotImplementedError("a store is never migrated backwards: open its copy with the older program")
