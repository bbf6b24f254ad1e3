"""The tables. An ORM class ends in `Row` and never leaves this room: repositories and queries return domain values.

Text that comes from strangers is `EscapedText`, text that we make is `String`. Times are UTC.
"""

from __future__ import annotations

from datetime import UTC, datetime
from time import time_ns
from typing import cast

from sqlalchemy import (
    BigInteger,
    Boolean,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

SCHEMA = "0018"
"""Revision of the newest migration; a test holds it against the migrations."""

EPISODE_STEP = -1
"""`step` of a prediction or an annotation about a whole episode."""


def storable(text: str) -> str:
    """The text as a database holds it: with lone surrogates and NUL written as escapes."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\x00")


class EscapedText(TypeDecorator[str]):
    """Text of any origin: what no database can hold (lone surrogates, NUL) is written as escapes."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else storable(value)


class UtcDateTime(TypeDecorator[datetime]):
    """A time with its zone outside, UTC without one in the database (SQLite knows no zones)."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """All tables. Constraints have fixed names so that a later migration can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


def table_of(row: type[Base]) -> Table:
    """The plain table: inserting many rows into it costs a third of inserting through the class."""
    return cast(Table, row.__table__)


class SourceRow(Base):
    """A data set that was opened. `fingerprint` tells whether the index below is still that of the files. `changed` is
    another number after each change of its index; `texts` counts its rows of `step_text`. `owner_…` is the worker that
    makes the index or completes it, `beat` another number after each of its signs of life
    (`core.store.repositories.index_claims`)."""

    __tablename__ = "source"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    path: Mapped[str] = mapped_column(EscapedText, unique=True)
    format: Mapped[str] = mapped_column(String(40))
    fingerprint: Mapped[str] = mapped_column(String(80), default="")
    scanned_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    episodes: Mapped[int] = mapped_column(Integer, default=0)
    steps: Mapped[int] = mapped_column(Integer, default=0)
    screens: Mapped[int] = mapped_column(Integer, default=0)
    problems: Mapped[int] = mapped_column(Integer, default=0)
    changed: Mapped[int] = mapped_column(BigInteger, default=time_ns)
    texts: Mapped[int] = mapped_column(Integer, default=0)
    owner_host: Mapped[str] = mapped_column(EscapedText, default="")
    owner_pid: Mapped[int | None] = mapped_column(Integer)
    owner_started: Mapped[str] = mapped_column(String(80), default="")
    owner_claim: Mapped[str] = mapped_column(String(32), default="")
    owner_machine: Mapped[str] = mapped_column(String(64), default="")
    beat: Mapped[int] = mapped_column(Integer, default=0)


class EpisodeRow(Base):
    """An episode's index entry; pictures and steps stay in the source. `actions` is [[kind, count], …] in JSON,
    without spaces, so that a kind can be looked for in it. `reason` and `label` are "" where the data has none. `split`
    holds each split between line ends. `place` is the reader's note of where the episode lies; `checked` tells whether
    all of it has been read."""

    __tablename__ = "episode"
    __table_args__ = (
        UniqueConstraint("source_id", "episode"),
        Index("ix_episode_place", "source_id", "position", unique=True),
    )

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    source_id: Mapped[int] = mapped_column(ForeignKey("source.id", ondelete="CASCADE"))
    position: Mapped[int] = mapped_column(Integer)
    episode: Mapped[str] = mapped_column(EscapedText)
    goal: Mapped[str] = mapped_column(EscapedText)
    app: Mapped[str | None] = mapped_column(EscapedText)
    platform: Mapped[str] = mapped_column(String(20))
    steps: Mapped[int] = mapped_column(Integer)
    screens: Mapped[int] = mapped_column(Integer)
    action_count: Mapped[int] = mapped_column(Integer)
    actions: Mapped[str] = mapped_column(Text)
    label: Mapped[str] = mapped_column(String(20), default="")
    reason: Mapped[str] = mapped_column(String(20), default="")
    follow_up: Mapped[str] = mapped_column(Text, default="[]")
    asks: Mapped[int] = mapped_column(Integer, default=0)
    split: Mapped[str] = mapped_column(EscapedText, default="")
    problem_count: Mapped[int] = mapped_column(Integer, default=0)
    kind: Mapped[str] = mapped_column(String(12), default="episode")
    place: Mapped[str] = mapped_column(EscapedText, default="")
    checked: Mapped[bool] = mapped_column(Boolean, default=True)


class StepsRow(Base):
    """The steps of an episode, for filters; an episode without such a row was not read for it yet. Both columns are
    whole numbers of 32 bits, little-endian: `facts` has eight for each step, `texts` the texts of all steps in a row.
    See `core.store.repositories.steps`."""

    __tablename__ = "steps"

    episode_id: Mapped[int] = mapped_column(
        ForeignKey("episode.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    facts: Mapped[bytes] = mapped_column(LargeBinary)
    texts: Mapped[bytes] = mapped_column(LargeBinary)


class StepTextRow(Base):
    """A text that steps of a source have, once for all of them; numbered from 1."""

    __tablename__ = "step_text"
    __table_args__ = ({"sqlite_with_rowid": False},)

    source_id: Mapped[int] = mapped_column(ForeignKey("source.id", ondelete="CASCADE"), primary_key=True)
    text: Mapped[str] = mapped_column(EscapedText, primary_key=True)
    number: Mapped[int] = mapped_column(Integer)


class ProblemRow(Base):
    """Something in a source that could not be read, in the order it was found."""

    __tablename__ = "problem"
    __table_args__ = (Index("ix_problem_source_id_episode", "source_id", "episode"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    source_id: Mapped[int] = mapped_column(ForeignKey("source.id", ondelete="CASCADE"))
    episode: Mapped[str] = mapped_column(EscapedText, default="")
    step: Mapped[int | None] = mapped_column(Integer)
    field: Mapped[str] = mapped_column(EscapedText, default="")
    file: Mapped[str] = mapped_column(EscapedText, default="")
    message: Mapped[str] = mapped_column(EscapedText)


class RunRow(Base):
    """A run: its settings, its state and who works on it. `source` is a path, not a key: a run outlives the index.
    `tags` is a JSON list. `machines` is JSON, the machines that worked on it (`core.domain.machine`); `weights` the
    SHA-256 of what its model was loaded from, "" where it has no files; `worked_s` the seconds that were worked."""

    __tablename__ = "run"
    __table_args__ = (Index("ix_run_created", "created"), Index("ix_run_state", "state"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    task: Mapped[str] = mapped_column(String(20))
    model: Mapped[str] = mapped_column(EscapedText)
    source: Mapped[str] = mapped_column(EscapedText)
    format: Mapped[str] = mapped_column(String(40))
    protocol: Mapped[str] = mapped_column(String(40))
    options: Mapped[str] = mapped_column(Text, default="{}")
    split: Mapped[str] = mapped_column(EscapedText, default="")
    item_limit: Mapped[int | None] = mapped_column(Integer)
    filter: Mapped[str] = mapped_column(EscapedText, default="")
    chosen: Mapped[int | None] = mapped_column(Integer)
    seed: Mapped[int] = mapped_column(Integer, default=0)
    device: Mapped[str] = mapped_column(String(40), default="auto")
    runtime: Mapped[str] = mapped_column(String(40), default="auto")
    predictions: Mapped[str] = mapped_column(EscapedText, default="")
    code_version: Mapped[str] = mapped_column(String(40), default="")
    scorer_version: Mapped[str] = mapped_column(String(40), default="")
    state: Mapped[str] = mapped_column(String(20))
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    finished: Mapped[datetime | None] = mapped_column(UtcDateTime)
    total: Mapped[int | None] = mapped_column(Integer)
    worker_host: Mapped[str] = mapped_column(EscapedText, default="")
    worker_pid: Mapped[int | None] = mapped_column(Integer)
    worker_started: Mapped[str] = mapped_column(String(80), default="")
    worker_claim: Mapped[str] = mapped_column(String(32), default="")
    worker_machine: Mapped[str] = mapped_column(String(64), default="")
    heartbeat: Mapped[datetime | None] = mapped_column(UtcDateTime)
    note: Mapped[str] = mapped_column(EscapedText, default="")
    message: Mapped[str] = mapped_column(EscapedText, default="")
    name: Mapped[str] = mapped_column(EscapedText, default="")
    remark: Mapped[str] = mapped_column(EscapedText, default="")
    tags: Mapped[str] = mapped_column(EscapedText, default="[]")
    pinned: Mapped[bool] = mapped_column(Boolean, default=False)
    archived: Mapped[bool] = mapped_column(Boolean, default=False)
    machines: Mapped[str] = mapped_column(EscapedText, default="[]")
    weights: Mapped[str] = mapped_column(String(64), default="")
    worked_s: Mapped[float] = mapped_column(Float, default=0.0)


class SelectionRow(Base):
    """The episodes a run is about, in order, as a JSON list; apart from the run so that lists of runs stay light."""

    __tablename__ = "selection"

    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)
    episodes: Mapped[str] = mapped_column(Text)


class PredictionRow(Base):
    """A run's answer for one item. `reference` is the kind of the reference action and `kind` that of the predicted one
    ("" when there is none), so that confusions are counted without opening episodes. `trace` is what was done on the
    way to the answer, null where nothing was."""

    __tablename__ = "prediction"
    __table_args__ = (UniqueConstraint("run_id", "episode", "step"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"))
    episode: Mapped[str] = mapped_column(EscapedText)
    step: Mapped[int] = mapped_column(Integer)
    status: Mapped[str] = mapped_column(String(20))
    reference: Mapped[str] = mapped_column(String(20), default="")
    kind: Mapped[str] = mapped_column(String(20), default="")
    answer: Mapped[str | None] = mapped_column(Text)
    confidence: Mapped[float | None] = mapped_column(Float)
    latency_ms: Mapped[float | None] = mapped_column(Float)
    raw: Mapped[str] = mapped_column(EscapedText, default="")
    why: Mapped[str] = mapped_column(EscapedText, default="")
    trace: Mapped[str | None] = mapped_column(EscapedText)


class PredictionPictureRow(Base):
    """A picture that a predictor attached to its answer, in order of `ordinal`. `step` is the step it is about where
    that is another than the prediction's; `box` the place that it covers, JSON `[left,top,right,bottom]` in pixels of
    the screenshot, null for all of it; `picture` the bytes of a PNG, JPEG or WebP file."""

    __tablename__ = "prediction_picture"

    prediction_id: Mapped[int] = mapped_column(
        ForeignKey("prediction.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    ordinal: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(EscapedText)
    step: Mapped[int | None] = mapped_column(Integer)
    box: Mapped[str | None] = mapped_column(Text)
    picture: Mapped[bytes] = mapped_column(LargeBinary)


class CauseLabelRow(Base):
    """The cause that somebody gave to a wrong prediction, in the place of the one that was worked out."""

    __tablename__ = "cause_label"

    prediction_id: Mapped[int] = mapped_column(
        ForeignKey("prediction.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    cause: Mapped[str] = mapped_column(String(12))
    author: Mapped[str] = mapped_column(EscapedText)
    made: Mapped[datetime] = mapped_column(UtcDateTime)


class ModelCallRow(Base):
    """A question to a model for a prediction, in order of `ordinal`. `messages` is JSON in which texts and pictures are
    named by the SHA-256 under which `sent_text` and `sent_picture` have them; `output` is null where it is the
    prediction's raw output. `retries` counts `attempts` but the last. See `core.store.call_codec`."""

    __tablename__ = "model_call"

    prediction_id: Mapped[int] = mapped_column(
        ForeignKey("prediction.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    ordinal: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    messages: Mapped[str] = mapped_column(EscapedText)
    settings: Mapped[str] = mapped_column(EscapedText, default="[]")
    output: Mapped[str | None] = mapped_column(EscapedText)
    tokens_in: Mapped[int | None] = mapped_column(Integer)
    tokens_out: Mapped[int | None] = mapped_column(Integer)
    first_ms: Mapped[float | None] = mapped_column(Float)
    ms: Mapped[float | None] = mapped_column(Float)
    attempts: Mapped[str] = mapped_column(EscapedText, default="[]")
    retries: Mapped[int] = mapped_column(Integer, default=0)
    stop: Mapped[str] = mapped_column(EscapedText, default="")
    said: Mapped[str] = mapped_column(Text, default="[]")
    remembered: Mapped[bool] = mapped_column(Boolean, default=False)


class SentTextRow(Base):
    """A text of the prompts of a run, once for all of them."""

    __tablename__ = "sent_text"
    __table_args__ = ({"sqlite_with_rowid": False},)

    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    text: Mapped[str] = mapped_column(EscapedText)


class SentPictureRow(Base):
    """The file of a picture as it was sent that cannot be made again, once for each run."""

    __tablename__ = "sent_picture"

    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    picture: Mapped[bytes] = mapped_column(LargeBinary)


class ScoringRow(Base):
    """One rule with its options put to one run. The run's own protocol is `own`; others are added by scoring again.
    `changed` is another number after each change of its scores."""

    __tablename__ = "scoring"
    __table_args__ = (UniqueConstraint("run_id", "scorer", "options"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"))
    scorer: Mapped[str] = mapped_column(String(40))
    scorer_version: Mapped[str] = mapped_column(String(40), default="")
    options: Mapped[str] = mapped_column(Text, default="{}")
    own: Mapped[bool] = mapped_column(Boolean, default=False)
    changed: Mapped[int] = mapped_column(BigInteger, default=time_ns)


class ScoreRow(Base):
    """The score of one prediction under one scoring; a pair has one score at most."""

    __tablename__ = "score"
    __table_args__ = (Index("ix_score_prediction_id", "prediction_id"), {"sqlite_with_rowid": False})

    scoring_id: Mapped[int] = mapped_column(ForeignKey("scoring.id", ondelete="CASCADE"), primary_key=True)
    prediction_id: Mapped[int] = mapped_column(ForeignKey("prediction.id", ondelete="CASCADE"), primary_key=True)
    status: Mapped[str] = mapped_column(String(20))
    value: Mapped[float | None] = mapped_column(Float)
    why: Mapped[str] = mapped_column(EscapedText, default="")
    malformed: Mapped[bool] = mapped_column(Boolean, default=False)
    parts: Mapped[str] = mapped_column(Text, default="[]")


class SessionRow(Base):
    """A session that the window saved under a name."""

    __tablename__ = "session"

    name: Mapped[str] = mapped_column(EscapedText, primary_key=True)
    payload: Mapped[str] = mapped_column(Text)
    updated: Mapped[datetime] = mapped_column(UtcDateTime)


class AnnotationRow(Base):
    """An annotation of a place in the data. `source` is a path, not a key: it outlives the index, which is made anew
    when files change. `slot` is the value where a place can have several of a kind, else ""."""

    __tablename__ = "annotation"
    __table_args__ = (UniqueConstraint("source", "episode", "kind", "step", "slot"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    source: Mapped[str] = mapped_column(EscapedText)
    episode: Mapped[str] = mapped_column(EscapedText)
    step: Mapped[int] = mapped_column(Integer)
    kind: Mapped[str] = mapped_column(String(12))
    slot: Mapped[str] = mapped_column(EscapedText, default="")
    value: Mapped[str] = mapped_column(EscapedText, default="")
    author: Mapped[str] = mapped_column(EscapedText, default="")
    made: Mapped[datetime] = mapped_column(UtcDateTime)


class WebAnswerRow(Base):
    """A person's answer to an instance of a web task. `source` is a path, not a key: it outlives the index. `fields` is
    JSON, [[name, value], …]; `submitted` is null for a draft; `log` what was done on the page, "" where that was not
    kept."""

    __tablename__ = "web_answer"
    __table_args__ = (UniqueConstraint("source", "instance", "annotator"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    source: Mapped[str] = mapped_column(EscapedText)
    task: Mapped[str] = mapped_column(EscapedText)
    instance: Mapped[str] = mapped_column(EscapedText)
    annotator: Mapped[str] = mapped_column(EscapedText)
    fields: Mapped[str] = mapped_column(Text)
    seconds: Mapped[float] = mapped_column(Float)
    changed: Mapped[datetime] = mapped_column(UtcDateTime)
    submitted: Mapped[datetime | None] = mapped_column(UtcDateTime)
    log: Mapped[str] = mapped_column(EscapedText, default="")


class JudgementRow(Base):
    """What a person or a model said of two texts about one trajectory; see `core.domain.judgement`. `source` is a path,
    not a key; `step` -1 means the whole episode. The four answers are null where there is none."""

    __tablename__ = "judgement"
    __table_args__ = (UniqueConstraint("source", "episode", "step", "first", "second", "judge", "by_model"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    source: Mapped[str] = mapped_column(EscapedText)
    episode: Mapped[str] = mapped_column(EscapedText)
    step: Mapped[int] = mapped_column(Integer)
    first: Mapped[str] = mapped_column(EscapedText)
    second: Mapped[str] = mapped_column(EscapedText)
    judge: Mapped[str] = mapped_column(EscapedText)
    by_model: Mapped[bool] = mapped_column(Boolean)
    first_text: Mapped[str] = mapped_column(EscapedText)
    second_text: Mapped[str] = mapped_column(EscapedText)
    first_fulfilled: Mapped[bool | None] = mapped_column(Boolean)
    second_fulfilled: Mapped[bool | None] = mapped_column(Boolean)
    first_satisfies: Mapped[bool | None] = mapped_column(Boolean)
    second_satisfies: Mapped[bool | None] = mapped_column(Boolean)
    rejected: Mapped[str] = mapped_column(EscapedText, default="")
    remark: Mapped[str] = mapped_column(EscapedText, default="")
    seconds: Mapped[float] = mapped_column(Float)
    seed: Mapped[int] = mapped_column(Integer)
    made: Mapped[datetime] = mapped_column(UtcDateTime)
    detail: Mapped[str] = mapped_column(EscapedText, default="", server_default="")
    error: Mapped[str] = mapped_column(Text, default="", server_default="")


class JudgeAssignmentRow(Base):
    """A pair that somebody is to judge; `position` in their order."""

    __tablename__ = "judge_assignment"
    __table_args__ = (UniqueConstraint("source", "episode", "step", "first", "second", "annotator"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    source: Mapped[str] = mapped_column(EscapedText)
    episode: Mapped[str] = mapped_column(EscapedText)
    step: Mapped[int] = mapped_column(Integer)
    first: Mapped[str] = mapped_column(EscapedText)
    second: Mapped[str] = mapped_column(EscapedText)
    annotator: Mapped[str] = mapped_column(EscapedText)
    position: Mapped[int] = mapped_column(Integer)


class WrittenTextRow(Base):
    """The goal that a person wrote who saw the trajectory only."""

    __tablename__ = "written_text"
    __table_args__ = (UniqueConstraint("source", "episode", "step", "author"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    source: Mapped[str] = mapped_column(EscapedText)
    episode: Mapped[str] = mapped_column(EscapedText)
    step: Mapped[int] = mapped_column(Integer)
    author: Mapped[str] = mapped_column(EscapedText)
    text: Mapped[str] = mapped_column(EscapedText)
    seconds: Mapped[float] = mapped_column(Float)
    made: Mapped[datetime] = mapped_column(UtcDateTime)


class HumanOrderRow(Base):
    """A person's order of a procedure's steps. `source` is a path, not a key: it outlives the index. `orders` is JSON,
    [[step id, …], …], their own order first; `submitted` is null for a draft, `confidence` and `helped` where nothing
    was said."""

    __tablename__ = "human_order"
    __table_args__ = (UniqueConstraint("source", "procedure", "annotator", "blind"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    source: Mapped[str] = mapped_column(EscapedText)
    procedure: Mapped[str] = mapped_column(EscapedText)
    annotator: Mapped[str] = mapped_column(EscapedText)
    blind: Mapped[bool] = mapped_column(Boolean)
    orders: Mapped[str] = mapped_column(Text)
    seconds: Mapped[float] = mapped_column(Float)
    confidence: Mapped[int | None] = mapped_column(Integer)
    helped: Mapped[str | None] = mapped_column(Text)
    shown: Mapped[str] = mapped_column(Text)
    seed: Mapped[int] = mapped_column(Integer)
    changed: Mapped[datetime] = mapped_column(UtcDateTime)
    submitted: Mapped[datetime | None] = mapped_column(UtcDateTime)
