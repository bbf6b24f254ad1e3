"""The tables of ambiguous tasks; see `core.domain.ambiguous_task` for what they mean and `core.store.tables` for the
rest."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Float, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from stepscope.core.store.tables import Base, EscapedText, UtcDateTime


class AmbiguousTaskRow(Base):
    """A goal from which something was left out. `source` is a path, not a key: it outlives the index. `pieces`,
    `readings` and `failed` are JSON lists."""

    __tablename__ = "ambiguous_task"
    __table_args__ = (UniqueConstraint("source", "episode", "made_by", "removed"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    source: Mapped[str] = mapped_column(EscapedText)
    episode: Mapped[str] = mapped_column(EscapedText)
    made_by: Mapped[str] = mapped_column(EscapedText)
    removed: Mapped[int] = mapped_column(Integer)
    version: Mapped[str] = mapped_column(EscapedText)
    app: Mapped[str] = mapped_column(EscapedText)
    original: Mapped[str] = mapped_column(EscapedText)
    goal: Mapped[str] = mapped_column(EscapedText)
    pieces: Mapped[str] = mapped_column(Text)
    readings: Mapped[str] = mapped_column(Text)
    failed: Mapped[str] = mapped_column(Text)
    made: Mapped[datetime] = mapped_column(UtcDateTime)


class AskReviewRow(Base):
    """What a person says of such a task; `wording` of the words that they saw, `pieces` a JSON list."""

    __tablename__ = "ask_review"
    __table_args__ = (UniqueConstraint("source", "episode", "made_by", "removed", "reviewer"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    source: Mapped[str] = mapped_column(EscapedText)
    episode: Mapped[str] = mapped_column(EscapedText)
    made_by: Mapped[str] = mapped_column(EscapedText)
    removed: Mapped[int] = mapped_column(Integer)
    reviewer: Mapped[str] = mapped_column(EscapedText)
    verdict: Mapped[str] = mapped_column(String(10))
    wording: Mapped[str] = mapped_column(String(16))
    goal: Mapped[str] = mapped_column(EscapedText)
    pieces: Mapped[str] = mapped_column(Text)
    note: Mapped[str] = mapped_column(EscapedText)
    seconds: Mapped[float] = mapped_column(Float)
    made: Mapped[datetime] = mapped_column(UtcDateTime)
