"""What people answered on pages of web tasks; and what was done on the way to a prediction.

Revision 0008. Of predictions that are there it is not known.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("prediction", sa.Column("trace", sa.Text(), nullable=True))
    op.create_table(
        "web_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("task", sa.Text(), nullable=False),
        sa.Column("instance", sa.Text(), nullable=False),
        sa.Column("annotator", sa.Text(), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("changed", sa.DateTime(), nullable=False),
        sa.Column("submitted", sa.DateTime(), nullable=True),
        sa.Column("log", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_web_answer")),
        sa.UniqueConstraint("source", "instance", "annotator", name=op.f("uq_web_answer_source_instance_annotator")),
    )


def downgrade() -> None:
    raise NotImplementedError("a store is never migrated backwards: open its copy with the older program")
