"""Campaigns: goals that several people demonstrate in apps. New tables only.

Revision 0007.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _campaign()
    _work()


def _campaign() -> None:
    op.create_table(
        "campaign",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("instructions", sa.Text(), nullable=False),
        sa.Column("k", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign")),
        sa.UniqueConstraint("name", name=op.f("uq_campaign_name")),
    )
    op.create_table(
        "campaign_app",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("package", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        _belongs("campaign_app", "campaign_id", "campaign"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign_app")),
        sa.UniqueConstraint("campaign_id", "package", name=op.f("uq_campaign_app_campaign_id_package")),
    )
    op.create_table(
        "campaign_goal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("app_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        _belongs("campaign_goal", "app_id", "campaign_app"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign_goal")),
        sa.UniqueConstraint("app_id", "text", name=op.f("uq_campaign_goal_app_id_text")),
    )
    op.create_table(
        "campaign_annotator",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        _belongs("campaign_annotator", "campaign_id", "campaign"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign_annotator")),
        sa.UniqueConstraint("campaign_id", "name", name=op.f("uq_campaign_annotator_campaign_id_name")),
    )


def _work() -> None:
    op.create_table(
        "campaign_pair",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("app_id", sa.Integer(), nullable=False),
        sa.Column("goal_id", sa.Integer(), nullable=False),
        sa.Column("origin", sa.String(20), nullable=False),
        sa.Column("cluster", sa.Integer(), nullable=True),
        _belongs("campaign_pair", "app_id", "campaign_app"),
        _belongs("campaign_pair", "goal_id", "campaign_goal"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign_pair")),
        sa.UniqueConstraint("app_id", "goal_id", name=op.f("uq_campaign_pair_app_id_goal_id")),
    )
    op.create_index("ix_campaign_pair_goal_id", "campaign_pair", ["goal_id"])
    op.create_table(
        "campaign_assignment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pair_id", sa.Integer(), nullable=False),
        sa.Column("annotator_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        _belongs("campaign_assignment", "pair_id", "campaign_pair"),
        _belongs("campaign_assignment", "annotator_id", "campaign_annotator"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign_assignment")),
        sa.UniqueConstraint("pair_id", "annotator_id", name=op.f("uq_campaign_assignment_pair_id_annotator_id")),
    )
    op.create_index("ix_campaign_assignment_annotator_id", "campaign_assignment", ["annotator_id"])
    op.create_table(
        "campaign_demonstration",
        sa.Column("assignment_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("folder", sa.Text(), nullable=False),
        sa.Column("episode", sa.Text(), nullable=False),
        sa.Column("label", sa.String(20), nullable=False),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("follow_up", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("made", sa.DateTime(), nullable=False),
        _belongs("campaign_demonstration", "assignment_id", "campaign_assignment"),
        sa.PrimaryKeyConstraint("assignment_id", name=op.f("pk_campaign_demonstration")),
    )


def _belongs(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=op.f(f"fk_{table}_{column}"), ondelete="CASCADE")


def downgrade() -> None:
    raise NotImplementedError("a store is never migrated backwards: open its copy with the older program")
