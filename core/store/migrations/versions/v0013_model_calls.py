"""What was sent to models and what it cost; and where a run was made, with which weights, in how many seconds.

Revision 0013. Of runs that are there it is not known.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("run", sa.Column("machines", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("run", sa.Column("weights", sa.String(64), nullable=False, server_default=""))
    op.add_column("run", sa.Column("worked_s", sa.Float(), nullable=False, server_default=sa.text("0")))
    op.create_table(
        "model_call",
        sa.Column("prediction_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("messages", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("output", sa.Text(), nullable=True),
        sa.Column("tokens_in", sa.Integer(), nullable=True),
        sa.Column("tokens_out", sa.Integer(), nullable=True),
        sa.Column("first_ms", sa.Float(), nullable=True),
        sa.Column("ms", sa.Float(), nullable=True),
        sa.Column("attempts", sa.Text(), nullable=False),
        sa.Column("retries", sa.Integer(), nullable=False),
        sa.Column("stop", sa.Text(), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("remembered", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["prediction_id"], ["prediction.id"], name=op.f("fk_model_call_prediction_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("prediction_id", "ordinal", name=op.f("pk_model_call")),
    )
    for table, value, with_rowid in (
        ("sent_text", sa.Column("text", sa.Text(), nullable=False), False),
        ("sent_picture", sa.Column("picture", sa.LargeBinary(), nullable=False), True),
    ):
        op.create_table(
            table,
            sa.Column("run_id", sa.String(32), nullable=False),
            sa.Column("digest", sa.String(64), nullable=False),
            value,
            sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f(f"fk_{table}_run_id"), ondelete="CASCADE"),
            sa.PrimaryKeyConstraint("run_id", "digest", name=op.f(f"pk_{table}")),
            sqlite_with_rowid=with_rowid,
        )


def downgrade() -> None:
    raise NotImplementedError("a store is never migrated backwards: open its copy with the older program")
