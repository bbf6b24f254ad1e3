"""The first schema: sources with their index, runs with predictions and scores, sessions.

Revision 0001. Written out in plain types on purpose: a migration must keep meaning what it meant when it was released.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _source()
    _episode()
    _problem()
    _run()
    _selection()
    _prediction()
    _scoring()
    _score()
    _session()


def downgrade() -> None:
    raise NotImplementedError("a store is never migrated backwards: open its copy with the older program")


def _source() -> None:
    op.create_table(
        "source",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("format", sa.String(length=40), nullable=False),
        sa.Column("fingerprint", sa.String(length=80), nullable=False),
        sa.Column("scanned_at", sa.DateTime(), nullable=True),
        sa.Column("episodes", sa.Integer(), nullable=False),
        sa.Column("steps", sa.Integer(), nullable=False),
        sa.Column("screens", sa.Integer(), nullable=False),
        sa.Column("problems", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_source")),
        sa.UniqueConstraint("path", name=op.f("uq_source_path")),
    )


def _episode() -> None:
    op.create_table(
        "episode",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("episode", sa.Text(), nullable=False),
        sa.Column("goal", sa.Text(), nullable=False),
        sa.Column("app", sa.Text(), nullable=True),
        sa.Column("platform", sa.String(length=20), nullable=False),
        sa.Column("steps", sa.Integer(), nullable=False),
        sa.Column("screens", sa.Integer(), nullable=False),
        sa.Column("action_count", sa.Integer(), nullable=False),
        sa.Column("actions", sa.Text(), nullable=False),
        sa.Column("label", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.String(length=20), nullable=False),
        sa.Column("follow_up", sa.Text(), nullable=False),
        sa.Column("asks", sa.Integer(), nullable=False),
        sa.Column("split", sa.Text(), nullable=False),
        sa.Column("problem_count", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"], name=op.f("fk_episode_source_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_episode")),
        sa.UniqueConstraint("source_id", "episode", name=op.f("uq_episode_source_id_episode")),
    )
    op.create_index("ix_episode_place", "episode", ["source_id", "position"], unique=True)


def _problem() -> None:
    op.create_table(
        "problem",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source_id", sa.Integer(), nullable=False),
        sa.Column("episode", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=True),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"], name=op.f("fk_problem_source_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_problem")),
    )
    op.create_index("ix_problem_source_id_episode", "problem", ["source_id", "episode"], unique=False)


def _run() -> None:
    op.create_table(
        "run",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("task", sa.String(length=20), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("format", sa.String(length=40), nullable=False),
        sa.Column("protocol", sa.String(length=40), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("split", sa.Text(), nullable=False),
        sa.Column("item_limit", sa.Integer(), nullable=True),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("device", sa.String(length=40), nullable=False),
        sa.Column("predictions", sa.Text(), nullable=False),
        sa.Column("code_version", sa.String(length=40), nullable=False),
        sa.Column("scorer_version", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("finished", sa.DateTime(), nullable=True),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("worker_host", sa.Text(), nullable=False),
        sa.Column("worker_pid", sa.Integer(), nullable=True),
        sa.Column("worker_started", sa.String(length=80), nullable=False),
        sa.Column("worker_claim", sa.String(length=32), nullable=False),
        sa.Column("heartbeat", sa.DateTime(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
    )
    op.create_index("ix_run_created", "run", ["created"], unique=False)
    op.create_index("ix_run_state", "run", ["state"], unique=False)


def _selection() -> None:
    op.create_table(
        "selection",
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("episodes", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_selection_run_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_selection")),
    )


def _prediction() -> None:
    op.create_table(
        "prediction",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("episode", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("reference", sa.String(length=20), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("latency_ms", sa.Float(), nullable=True),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_prediction_run_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prediction")),
        sa.UniqueConstraint("run_id", "episode", "step", name=op.f("uq_prediction_run_id_episode_step")),
    )


def _scoring() -> None:
    op.create_table(
        "scoring",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("scorer", sa.String(length=40), nullable=False),
        sa.Column("scorer_version", sa.String(length=40), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("own", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_scoring_run_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scoring")),
        sa.UniqueConstraint("run_id", "scorer", "options", name=op.f("uq_scoring_run_id_scorer_options")),
    )


def _score() -> None:
    op.create_table(
        "score",
        sa.Column("scoring_id", sa.Integer(), nullable=False),
        sa.Column("prediction_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("malformed", sa.Boolean(), nullable=False),
        sa.Column("parts", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["prediction_id"], ["prediction.id"], name=op.f("fk_score_prediction_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["scoring_id"], ["scoring.id"], name=op.f("fk_score_scoring_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("scoring_id", "prediction_id", name=op.f("pk_score")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_score_prediction_id", "score", ["prediction_id"], unique=False)


def _session() -> None:
    op.create_table(
        "session",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("updated", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_session")),
    )
