"""Judgements of pairs of texts, who is to judge what, and texts that people wrote themselves.

Revision 0011.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "judgement",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("episode", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("first", sa.Text(), nullable=False),
        sa.Column("second", sa.Text(), nullable=False),
        sa.Column("judge", sa.Text(), nullable=False),
        sa.Column("by_model", sa.Boolean(), nullable=False),
        sa.Column("first_text", sa.Text(), nullable=False),
        sa.Column("second_text", sa.Text(), nullable=False),
        sa.Column("first_fulfilled", sa.Boolean(), nullable=True),
        sa.Column("second_fulfilled", sa.Boolean(), nullable=True),
        sa.Column("first_satisfies", sa.Boolean(), nullable=True),
        sa.Column("second_satisfies", sa.Boolean(), nullable=True),
        sa.Column("rejected", sa.Text(), nullable=False),
        sa.Column("remark", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("made", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judgement")),
        sa.UniqueConstraint(
            "source",
            "episode",
            "step",
            "first",
            "second",
            "judge",
            "by_model",
            name=op.f("uq_judgement_source_episode_step_first_second_judge_by_model"),
        ),
    )
    op.create_table(
        "judge_assignment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("episode", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("first", sa.Text(), nullable=False),
        sa.Column("second", sa.Text(), nullable=False),
        sa.Column("annotator", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_assignment")),
        sa.UniqueConstraint(
            "source",
            "episode",
            "step",
            "first",
            "second",
            "annotator",
            name=op.f("uq_judge_assignment_source_episode_step_first_second_annotator"),
        ),
    )
    op.create_table(
        "written_text",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("episode", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("made", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_written_text")),
        sa.UniqueConstraint(
            "source",
            "episode",
            "step",
            "author",
            name=op.f("uq_written_text_source_episode_step_author"),
        ),
    )


def downgrade() -> None:
    raise NotImplementedError("a store is never migrated backwards: open its copy with the older program")
