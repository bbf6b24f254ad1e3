"""What filters search in steps, pictures that predictors attach, and when an index and scores changed last.

Revision 0006. No row that is there is touched: episodes of an older index have no steps yet, so they are read again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("source", sa.Column("changed", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("source", sa.Column("texts", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("scoring", sa.Column("changed", sa.BigInteger(), nullable=False, server_default="0"))
    op.create_table(
        "steps",
        sa.Column("episode_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("facts", sa.LargeBinary(), nullable=False),
        sa.Column("texts", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["episode_id"], ["episode.id"], name=op.f("fk_steps_episode_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("episode_id", name=op.f("pk_steps")),
    )
    op.create_table(
        "step_text",
        sa.Column("source_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"], name=op.f("fk_step_text_source_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("source_id", "text", name=op.f("pk_step_text")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "prediction_picture",
        sa.Column("prediction_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=True),
        sa.Column("box", sa.Text(), nullable=True),
        sa.Column("picture", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["prediction_id"],
            ["prediction.id"],
            name=op.f("fk_prediction_picture_prediction_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("prediction_id", "ordinal", name=op.f("pk_prediction_picture")),
    )


def downgrade() -> None:
    raise NotImplementedError("a store is never migrated backwards: open its copy with the older program")
