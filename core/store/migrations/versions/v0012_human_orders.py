"""Orders that people gave to the steps of procedures.

Revision 0012.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "human_order",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("procedure", sa.Text(), nullable=False),
        sa.Column("annotator", sa.Text(), nullable=False),
        sa.Column("blind", sa.Boolean(), nullable=False),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("confidence", sa.Integer(), nullable=True),
        sa.Column("helped", sa.Text(), nullable=True),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("changed", sa.DateTime(), nullable=False),
        sa.Column("submitted", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_human_order")),
        sa.UniqueConstraint(
            "source", "procedure", "annotator", "blind", name=op.f("uq_human_order_source_procedure_annotator_blind")
        ),
    )


def downgrade() -> None:
    raise NotImplementedError("a store is never migrated backwards: open its copy with the older program")
