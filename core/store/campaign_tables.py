"""The tables of campaigns; see `core.domain.campaign` for what they mean and `core.store.tables` for the rest."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Float, ForeignKey, Index, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from stepscope.core.store.tables import Base, EscapedText, UtcDateTime


class CampaignRow(Base):
    """A campaign: people demonstrate goals in apps, or order the steps of procedures. See `core.domain.campaign`."""

    __tablename__ = "campaign"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(EscapedText, unique=True)
    instructions: Mapped[str] = mapped_column(EscapedText, default="")
    k: Mapped[int] = mapped_column(Integer)
    task: Mapped[str] = mapped_column(String(20), default="demonstration")


class CampaignAppRow(Base):
    """An app of a campaign."""

    __tablename__ = "campaign_app"
    __table_args__ = (UniqueConstraint("campaign_id", "package"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id", ondelete="CASCADE"))
    package: Mapped[str] = mapped_column(EscapedText)
    title: Mapped[str] = mapped_column(EscapedText)
    category: Mapped[str] = mapped_column(EscapedText, default="")


class CampaignGoalRow(Base):
    """A goal that somebody wrote for an app."""

    __tablename__ = "campaign_goal"
    __table_args__ = (UniqueConstraint("app_id", "text"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    app_id: Mapped[int] = mapped_column(ForeignKey("campaign_app.id", ondelete="CASCADE"))
    text: Mapped[str] = mapped_column(EscapedText)
    author: Mapped[str] = mapped_column(EscapedText, default="")


class CampaignAnnotatorRow(Base):
    """A person who demonstrates."""

    __tablename__ = "campaign_annotator"
    __table_args__ = (UniqueConstraint("campaign_id", "name"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(EscapedText)


class CampaignPairRow(Base):
    """A goal that is to be demonstrated in an app."""

    __tablename__ = "campaign_pair"
    __table_args__ = (UniqueConstraint("app_id", "goal_id"), Index("ix_campaign_pair_goal_id", "goal_id"))

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    app_id: Mapped[int] = mapped_column(ForeignKey("campaign_app.id", ondelete="CASCADE"))
    goal_id: Mapped[int] = mapped_column(ForeignKey("campaign_goal.id", ondelete="CASCADE"))
    origin: Mapped[str] = mapped_column(String(20))
    cluster: Mapped[int | None] = mapped_column(Integer)


class CampaignAssignmentRow(Base):
    """A pair that somebody is to demonstrate: each once at most, by the key. `shown` is what of a procedure's steps
    they are to see, "" where there is none."""

    __tablename__ = "campaign_assignment"
    __table_args__ = (
        UniqueConstraint("pair_id", "annotator_id"),
        Index("ix_campaign_assignment_annotator_id", "annotator_id"),
    )

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    pair_id: Mapped[int] = mapped_column(ForeignKey("campaign_pair.id", ondelete="CASCADE"))
    annotator_id: Mapped[int] = mapped_column(ForeignKey("campaign_annotator.id", ondelete="CASCADE"))
    state: Mapped[str] = mapped_column(String(10))
    shown: Mapped[str] = mapped_column(String(10), default="")


class CampaignDemonstrationRow(Base):
    """The outcome of an assignment: a recording, which stays where it is, and what the person said. `label` and
    `reason` are "" where nothing was said; `follow_up` is a list in JSON."""

    __tablename__ = "campaign_demonstration"

    assignment_id: Mapped[int] = mapped_column(
        ForeignKey("campaign_assignment.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    folder: Mapped[str] = mapped_column(EscapedText)
    episode: Mapped[str] = mapped_column(EscapedText)
    label: Mapped[str] = mapped_column(String(20), default="")
    reason: Mapped[str] = mapped_column(String(20), default="")
    follow_up: Mapped[str] = mapped_column(Text, default="[]")
    seconds: Mapped[float | None] = mapped_column(Float)
    made: Mapped[datetime] = mapped_column(UtcDateTime)
